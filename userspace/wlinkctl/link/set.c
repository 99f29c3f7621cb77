// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <linux/netlink.h>

#include "attr/attr.h"
#include "lib/clocks.h"
#include "lib/genl.h"
#include "lib/json.h"
#include "link/events.h"
#include "link/part.h"
#include "link/set.h"
#include "link/target.h"

#define NSEC_PER_SEC	((uint64_t)1000000000)

/* How long after the asked time a notification is late, unless it is known that
 * the change still waits for the start of a TTI.
 */
#define PATIENCE_NS	(2 * NSEC_PER_SEC)

/* The kernel says when it takes effect, unless a change of the TTI comes before. */
static uint64_t patience_ends(const struct event *answer)
{
	uint64_t now = clock_now();

	return (answer->at_ns > now ? answer->at_ns : now) + PATIENCE_NS;
}

/* Does something still wait on the link? A start of a TTI may be further away
 * than the patience, and which TTI is in force no message tells.
 */
static bool is_pending(struct wlinkctl *ctl, const struct target *to)
{
	struct target qdisc = *to;
	struct link link;

	qdisc.bearer = 0;
	return !target_link(ctl, &qdisc, &link) &&
	       link.stats.value[WLINK_STAT_PENDING];
}

/* Return: EXIT_REFUSED where it has been cancelled, else EXIT_DONE, with @applied
 * set where it has been applied.
 */
static int wait_applied(struct wlinkctl *ctl, const struct target *to,
			struct events *events, uint64_t cookie,
			uint64_t until_ns, struct event *event, bool *applied)
{
	bool asked = false;
	int got;

	for (;;) {
		got = events_next(events, until_ns, event);
		*applied = got > 0 && event->cmd == WLINK_CMD_APPLIED &&
			   event->cookie == cookie;
		if (*applied)
			return EXIT_DONE;
		if (got > 0 && event->cmd == WLINK_CMD_CANCEL &&
		    event->cookie == cookie) {
			complain("it has been cancelled before it took effect");
			return EXIT_REFUSED;
		}
		if (!got && !asked && is_pending(ctl, to)) {
			asked = true;
			until_ns += WLINK_TTI_MAX;
			continue;
		}
		if (!got) {
			complain("warning: it has not taken effect yet; no longer waited for");
			return EXIT_DONE;
		}
		if (got < 0 && errno == ENOBUFS) {
			complain("warning: notifications were lost; it may have taken effect");
			return EXIT_DONE;
		}
		if (got < 0) {
			complain("warning: no notification can be read: %s",
				 strerror(errno));
			return EXIT_DONE;
		}
	}
}

static void print_applied(const struct event *event)
{
	printf("applied at %" PRIu64 ".%09" PRIu64 " s, generation %u\n",
	       event->at_ns / NSEC_PER_SEC, event->at_ns % NSEC_PER_SEC,
	       event->generation);
}

static void print_bearers(const struct parts *parts)
{
	static uint64_t bearers[WLINK_BEARERS_MAX];
	size_t i;

	for (i = 0; i < parts->n && i < WLINK_BEARERS_MAX; i++)
		bearers[i] = parts->part[i].bearer ? parts->part[i].bearer : 1;
	json_writer.array("bearers", bearers, i);
}

static void print_json(struct wlinkctl *ctl, const struct target *to,
		       const struct parts *parts, const struct event *event,
		       bool applied)
{
	struct link link;

	json_begin();
	/* What has been changed, as it is now. */
	if (!target_link(ctl, to, &link))
		link_print_json(&link);
	json_writer.u64("cookie", event->cookie);
	if (applied) {
		json_writer.u64("applied_ns", event->at_ns);
		json_writer.u64("asked_ns", event->asked_ns);
		json_writer.u64("generation", event->generation);
		print_bearers(parts);
	} else {
		json_writer.number("applied_ns", "null");
		json_writer.u64("asked_ns", event->asked_ns);
		json_writer.u64("at_ns", event->at_ns);
	}
	json_end();
}

/* The answer has the members of a notification, but for the bearers. */
static void keep_answer(void *ctx, const struct nlmsghdr *nlh)
{
	events_decode(nlh, ctx);
}

static int send(struct wlinkctl *ctl, struct target *to, struct parts *parts,
		struct events *events)
{
	static uint64_t buf[(PARTS_BYTES + WL_ATTR_BYTES + 256) /
			    sizeof(uint64_t)];
	static struct event event, answer;
	struct nlmsghdr *nlh;
	uint64_t until_ns;
	bool applied;
	int code;

	nlh = genl_request(ctl, buf, WLINK_CMD_SET, to->ifindex, to->handle, 0);
	if (parts_put(parts, nlh))
		return EXIT_USAGE;
	code = genl_talk(ctl, nlh, keep_answer, &answer);
	if (code)
		return code;
	/* One that has taken effect has its generation. */
	applied = answer.has_generation;
	event = answer;
	if (!applied && events->nl) {
		until_ns = patience_ends(&answer);
		code = wait_applied(ctl, to, events, answer.cookie, until_ns,
				    &event, &applied);
		if (!applied)
			event = answer;
	}
	if (code)
		return code;
	if (ctl->json)
		print_json(ctl, to, parts, &event, applied);
	else if (applied && events->nl)
		print_applied(&event);
	return EXIT_DONE;
}

static int send_and_wait(struct wlinkctl *ctl, struct target *to,
			 struct parts *parts, bool wait)
{
	struct events events = { 0 };
	int code;

	to->bearer = parts->n == 1 ? parts->part[0].bearer : 0;
	code = target_find(ctl, to);
	if (!code)
		code = genl_open(ctl);
	if (code)
		return code;
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
