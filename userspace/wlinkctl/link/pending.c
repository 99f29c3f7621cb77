// SPDX-License-Identifier: GPL-2.0
/* Changes that wait on a link: which they are, and how they are taken back. */
#include <inttypes.h>
#include <stdio.h>

#include <linux/genetlink.h>

#include "lib/genl.h"
#include "lib/json.h"
#include "link/events.h"
#include "link/target.h"

#define NSEC_PER_SEC	((uint64_t)1000000000)

static int find(struct wlinkctl *ctl, const char *command, struct target *to,
		int argc, char **argv)
{
	int code, n;

	n = target_parse(to, command, argc, argv);
	if (n < 0)
		return EXIT_USAGE;
	if (n < argc || to->bearer || to->all) {
		complain("%s takes a device and a handle: it is about a whole link",
			 command);
		return EXIT_USAGE;
	}
	code = target_find(ctl, to);
	return code ? code : genl_open(ctl);
}

static void keep_count(void *ctx, const struct nlmsghdr *nlh)
{
	static struct event event;
	uint32_t *count = ctx;

	if (events_decode(nlh, &event))
		*count = event.count;
}

int cmd_cancel(struct wlinkctl *ctl, int argc, char **argv)
{
	struct nlmsghdr *nlh;
	struct target to;
	uint32_t count = 0;
	uint64_t buf[32];
	int code;

	code = find(ctl, "cancel", &to, argc, argv);
	if (code)
		return code;
	nlh = genl_request(ctl, buf, WLINK_CMD_CANCEL, to.ifindex, to.handle, 0);
	code = genl_talk(ctl, nlh, keep_count, &count);
	if (code)
		return code;
	if (!ctl->json) {
		printf("%u change%s cancelled\n", count, count == 1 ? "" : "s");
		return EXIT_DONE;
	}
	json_begin();
	json_writer.u64("cancelled", count);
	json_end();
	return EXIT_DONE;
}

static void print_json(const struct event *event)
{
	json_writer.object(NULL);
	json_writer.u64("cookie", event->cookie);
	json_writer.u64("at_ns", event->at_ns);
	json_writer.u64("asked_ns", event->asked_ns);
	json_writer.u64("count", event->count);
	json_writer.array("bearers", event->bearers, event->n_bearers);
	json_writer.end();
}

static void print(void *ctx, const struct nlmsghdr *nlh)
{
	const struct wlinkctl *ctl = ctx;
	static struct event event;
	size_t i;

	if (!events_decode(nlh, &event))
		return;
	if (ctl->json) {
		print_json(&event);
		return;
	}
	printf("change %" PRIu64 " at %" PRIu64 ".%09" PRIu64 " s, bearer",
	       event.cookie, event.at_ns / NSEC_PER_SEC,
	       event.at_ns % NSEC_PER_SEC);
	for (i = 0; i < event.n_bearers; i++)
		printf(" %" PRIu64, event.bearers[i]);
	printf("%s\n", event.count > WLINK_PENDING_BEARERS ? " ..." : "");
}

int cmd_pending(struct wlinkctl *ctl, int argc, char **argv)
{
	struct nlmsghdr *nlh;
	struct target to;
	uint64_t buf[32];
	int code;

	code = find(ctl, "pending", &to, argc, argv);
	if (code)
		return code;
	nlh = genl_request(ctl, buf, WLINK_CMD_GET_PENDING, to.ifindex,
			   to.handle, 0);
	nlh->nlmsg_flags |= NLM_F_DUMP;
	if (ctl->json)
		json_begin_list();

	code = genl_talk(ctl, nlh, print, ctl);
	if (ctl->json)
		json_end_list();

	return code;
}
