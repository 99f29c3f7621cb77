// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <libmnl/libmnl.h>

#include "lib/clocks.h"
#include "lib/json.h"
#include "lib/nl.h"
#include "link/link.h"
#include "link/target.h"

#define NSEC_PER_SEC	((uint64_t)1000000000)

/* Changes that come while earlier ones are printed wait here. */
#define QUEUE_BYTES	1048576

/**
 * struct watch - one run of the command
 * @json: print JSON lines
 * @ifindex: device, 0 for all
 * @bearer: its number, 0 for links and all bearers
 * @count: changes to wait for, 0 for no end
 * @seen: changes so far
 * @until_ns: CLOCK_MONOTONIC to stop at, UINT64_MAX for never
 */
struct watch {
	bool json;
	int ifindex;
	uint32_t bearer;
	uint64_t count;
	uint64_t seen;
	uint64_t until_ns;
};

static void print_change(const struct watch *watch, const struct link *link,
			 bool gone)
{
	const char *event = gone ? "del" : "set";
	uint64_t at = clock_now();

	if (watch->json) {
		json_begin();
		json_writer.u64("time_ns", at);
		json_writer.string("event", event);
		link_print_json(link);
		json_end();
		return;
	}
	printf("%" PRIu64 ".%09" PRIu64 " ", at / NSEC_PER_SEC,
	       at % NSEC_PER_SEC);
	link_print_head(link);
	printf("%s ", event);
	if (!gone)
		wl_show_text(stdout, &link->values);
	if (!gone && link->has_stats)
		printf("generation %" PRIu64,
		       link->stats.value[WLINK_STAT_GENERATION]);
	putchar('\n');
	fflush(stdout);
}

static bool is_done(const struct watch *watch)
{
	return watch->count && watch->seen >= watch->count;
}

/* Return: 0, or -1 where no more can be read. */
static int read_changes(struct watch *watch, struct mnl_socket *nl)
{
	static uint64_t buf[4096];
	const struct nlmsghdr *nlh = (const void *)buf;
	struct link link;
	ssize_t len;
	int left;

	len = mnl_socket_recvfrom(nl, buf, sizeof(buf));
	if (len < 0) {
		if (errno == EINTR || errno == EAGAIN)
			return 0;
		if (errno == ENOBUFS) {
			complain("changes were lost: they came faster than they were printed");
			return 0;
		}
		complain("no notification: %s", strerror(errno));
		return -1;
	}
	left = (int)len;
	for (; nl_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		if (is_done(watch) || link_decode(nlh, &link))
			continue;
		if (watch->ifindex && link.ifindex != watch->ifindex)
			continue;
		if (watch->bearer && watch->bearer != link.bearer)
			continue;
		watch->seen++;
		print_change(watch, &link,
			     nlh->nlmsg_type == RTM_DELQDISC ||
			     nlh->nlmsg_type == RTM_DELTCLASS);
	}
	return 0;
}

static int run(struct watch *watch, struct mnl_socket *nl)
{
	struct pollfd fd = {
		.fd = mnl_socket_get_fd(nl),
		.events = POLLIN,
	};
	int ready;

	while (!is_done(watch)) {
		ready = clock_poll(&fd, 1, watch->until_ns);
		if (!ready)
			return watch->count ? EXIT_TIMEOUT : EXIT_DONE;
		if (ready > 0 && read_changes(watch, nl))
			return EXIT_REFUSED;
		if (ferror(stdout))
			return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static int parse_option(struct watch *watch, const char *name,
			const char *text)
{
	static const struct number counts = {
		WL_UNIT_COUNT, 1, INT64_MAX / 2, "a number from 1 on",
	};
	static const struct number times = {
		WL_UNIT_TIME, 0, INT64_MAX / 2, "a time with ns, us, ms or s",
	};
	uint64_t wait_ns;

	if (!strcmp(name, "--count"))
		return number_parse(&counts, name, text, &watch->count);
	if (strcmp(name, "--timeout")) {
		complain("watch knows no option \"%s\"", name);
		return -1;
	}
	if (number_parse(&times, name, text, &wait_ns))
		return -1;
	watch->until_ns = clock_now() + wait_ns;
	return 0;
}

static int parse(struct watch *watch, int argc, char **argv)
{
	int i;

	for (i = 0; i < argc; i++) {
		if (argv[i][0] == '-') {
			if (parse_option(watch, argv[i],
					 i + 1 < argc ? argv[i + 1] : NULL))
				return EXIT_USAGE;
			i++;
			continue;
		}
		if (!watch->ifindex && !strcmp(argv[i], "dev") && i + 1 < argc)
			i++;
		if (!strcmp(argv[i], "bearer")) {
			if (target_bearer(i + 1 < argc ? argv[i + 1] : NULL,
					  &watch->bearer))
				return EXIT_USAGE;
			i++;
			continue;
		}
		if (watch->ifindex) {
			complain("watch takes one device, but got \"%s\"",
				 argv[i]);
			return EXIT_USAGE;
		}
		watch->ifindex = link_device(argv[i]);
		if (!watch->ifindex)
			return EXIT_NOT_FOUND;
	}
	return EXIT_DONE;
}

int cmd_watch(struct wlinkctl *ctl, int argc, char **argv)
{
	struct watch watch = { .json = ctl->json, .until_ns = UINT64_MAX };
	int bytes = QUEUE_BYTES;
	struct mnl_socket *nl;
	int code;

	code = parse(&watch, argc, argv);
	if (code)
		return code;
	nl = nl_open(NETLINK_ROUTE, RTMGRP_TC);
	if (!nl)
		return EXIT_REFUSED;
	/* Past the system's limit only for root, who needs it. */
	if (setsockopt(mnl_socket_get_fd(nl), SOL_SOCKET, SO_RCVBUFFORCE,
		       &bytes, sizeof(bytes)))
		setsockopt(mnl_socket_get_fd(nl), SOL_SOCKET, SO_RCVBUF,
			   &bytes, sizeof(bytes));
	code = run(&watch, nl);
	mnl_socket_close(nl);
	return code;
}
