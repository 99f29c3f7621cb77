// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "change.h"
#include "events.h"
#include "json.h"
#include "part.h"
#include "set.h"

#define NSEC_PER_SEC	((uint64_t)1000000000)

/* How long after the asked time a notification is late, unless it is known that
 * the change still waits for the start of a TTI.
 */
#define PATIENCE_NS	(2 * NSEC_PER_SEC)

static uint64_t patience_ends(const struct parts *parts)
{
	uint64_t now = events_now();

	if (parts->has_at && parts->at_ns != WLINK_AT_NEXT &&
	    parts->at_ns > now)
		now = parts->at_ns;
	return now + PATIENCE_NS;
}

/* Does something still wait on the link? A start of a TTI may be further away
 * than the patience, and which TTI is in force no message tells.
 */
static bool is_pending(struct wlinkctl *ctl, const struct target *to)
{
	struct link_list list;
	bool pending = false;
	size_t i;

	if (link_dump(ctl, to->ifindex, &list))
		return false;
	for (i = 0; i < list.n; i++)
		if (target_is(to, &list.links[i]))
			pending = list.links[i].stats.value
				[TCA_WLINK_XSTATS_PENDING];
	free(list.links);
	return pending;
}

/* Return: has it been applied? */
static bool wait_applied(struct wlinkctl *ctl, const struct target *to,
			 struct events *events, uint64_t cookie,
			 uint64_t until_ns, struct event *event)
{
	bool asked = false;
	int got;

	for (;;) {
		got = events_next(events, until_ns, event);
		if (got > 0 && event->cmd == WLINK_CMD_APPLIED &&
		    event->cookie == cookie)
			return true;
		if (!got && !asked && is_pending(ctl, to)) {
			asked = true;
			until_ns += WLINK_TTI_MAX;
			continue;
		}
		if (!got) {
			complain("warning: it has not taken effect yet; no longer waited for");
			return false;
		}
		if (got < 0 && errno == ENOBUFS) {
			complain("warning: notifications were lost; it may have taken effect");
			return false;
		}
		if (got < 0) {
			complain("warning: no notification can be read: %s",
				 strerror(errno));
			return false;
		}
	}
}

static void print_applied(const struct event *event)
{
	printf("applied at %" PRIu64 ".%09" PRIu64 " s, generation %u\n",
	       event->at_ns / NSEC_PER_SEC, event->at_ns % NSEC_PER_SEC,
	       event->generation);
}

/* @event: NULL where nothing was waited for. */
static void print_json(const struct change *change, const struct event *event,
		       bool applied)
{
	json_start();
	json_writer.object(NULL);
	if (change->has_echo)
		link_print_json(&change->echo);
	if (applied) {
		json_writer.u64("applied_ns", event->at_ns);
		json_writer.u64("asked_ns", event->asked_ns);
		json_writer.u64("generation", event->generation);
		json_writer.array("bearers", event->bearers, event->n_bearers);
	} else if (event) {
		json_writer.number("applied_ns", "null");
	}
	json_writer.end();
	json_finish();
}

/* Without any flag the kernel would put a new wlink where another qdisc is; with
 * NLM_F_REPLACE alone it only ever changes.
 */
static int send(struct wlinkctl *ctl, struct target *to, struct parts *parts,
		struct events *events)
{
	static uint32_t options[PARTS_BYTES / sizeof(uint32_t)];
	bool one = parts->n == 1 && parts->part[0].bearer;
	uint64_t cookie = events->nl ? events_cookie(events) : 0;
	struct change change = {
		.to = to,
		.type = one ? RTM_NEWTCLASS : RTM_NEWQDISC,
		.flags = one ? 0 : NLM_F_REPLACE,
		.options = options,
	};
	static struct event event;
	bool applied = false;
	uint64_t until_ns;
	int code;

	to->bearer = one ? parts->part[0].bearer : 0;
	code = one ? target_find(ctl, to) : EXIT_DONE;
	if (code)
		return code;
	change.len = parts_encode(parts, cookie, options);
	if (!change.len)
		return EXIT_USAGE;
	until_ns = patience_ends(parts);
	code = change_talk(ctl, &change);
	if (code)
		return code;
	if (events->nl)
		applied = wait_applied(ctl, to, events, cookie, until_ns,
				       &event);
	if (ctl->json)
		print_json(&change, events->nl ? &event : NULL, applied);
	else if (applied)
		print_applied(&event);
	return EXIT_DONE;
}

static int send_and_wait(struct wlinkctl *ctl, struct target *to,
			 struct parts *parts, bool wait)
{
	struct events events = { 0 };
	int code;

	to->ifindex = link_device(to->dev);
	if (!to->ifindex)
		return EXIT_NOT_FOUND;
	/* Who is to hear of it listens before it is sent. */
	if (wait && events_open(&events))
		return EXIT_REFUSED;
	code = send(ctl, to, parts, &events);
	events_close(&events);
	return code;
}

int set_run(struct wlinkctl *ctl, const char *command, int argc, char **argv,
	    bool wait)
{
	struct parts parts;
	struct target to;
	int words, code;

	if (!argc) {
		complain("%s needs a device and a keyword with its value",
			 command);
		return EXIT_USAGE;
	}
	words = target_parse(&to, command, argc, argv);
	if (words < 0)
		return EXIT_USAGE;
	if (to.all) {
		complain("%s takes bearers by number, each with its words",
			 command);
		return EXIT_USAGE;
	}
	if (argc <= words) {
		complain("%s needs a device and a keyword with its value",
			 command);
		return EXIT_USAGE;
	}
	code = EXIT_USAGE;
	if (!parts_parse(&parts, to.bearer, argc - words, argv + words))
		code = send_and_wait(ctl, &to, &parts, wait);
	parts_free(&parts);
	return code;
}

bool set_take_wait(const struct wlinkctl *ctl, int *argc, char **argv)
{
	bool wait = !ctl->in_batch;
	int to = 0;
	int i;

	for (i = 0; i < *argc; i++) {
		if (!strcmp(argv[i], "--wait"))
			wait = true;
		else if (!strcmp(argv[i], "--no-wait"))
			wait = false;
		else
			argv[to++] = argv[i];
	}
	*argc = to;
	return wait;
}

int cmd_set(struct wlinkctl *ctl, int argc, char **argv)
{
	bool wait = set_take_wait(ctl, &argc, argv);

	return set_run(ctl, "set", argc, argv, wait);
}
