// SPDX-License-Identifier: GPL-2.0
/* Two links that are the two directions of one. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "lib/genl.h"
#include "link/target.h"

/* A device and a handle are known in their own namespace only. */
static int find_there(struct target *peer, int netns)
{
	struct wlinkctl there = { 0 };
	int here, code;

	here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (here < 0 || setns(netns, CLONE_NEWNET)) {
		complain("the namespace cannot be entered: %s", strerror(errno));
		return EXIT_REFUSED;
	}
	code = target_find(&there, peer);
	nl_close(&there);
	if (setns(here, CLONE_NEWNET)) {
		complain("the namespace cannot be left: %s", strerror(errno));
		code = EXIT_REFUSED;
	}
	close(here);
	return code;
}

static void ignore(void *ctx, const struct nlmsghdr *nlh)
{
	(void)ctx;
	(void)nlh;
}

static int ask(struct wlinkctl *ctl, const struct target *to, const struct target *peer,
	       int netns)
{
	struct nlmsghdr *nlh;
	uint64_t buf[32];

	nlh = genl_request(ctl, buf, WLINK_CMD_PAIR, to->ifindex, to->handle, 0);
	if (peer->dev) {
		mnl_attr_put_u32(nlh, WLINK_A_PEER_IFINDEX, (uint32_t)peer->ifindex);
		mnl_attr_put_u32(nlh, WLINK_A_PEER_HANDLE, peer->handle);
	}
	if (netns >= 0)
		mnl_attr_put_u32(nlh, WLINK_A_PEER_NETNS_FD, (uint32_t)netns);
	return genl_talk(ctl, nlh, ignore, NULL);
}

static int pair(struct wlinkctl *ctl, struct target *to, struct target *peer, int netns)
{
	int code = target_find(ctl, to);

	if (!code && peer->dev)
		code = netns < 0 ? target_find(ctl, peer) : find_there(peer, netns);
	return code ? code : genl_open(ctl) ? EXIT_REFUSED : ask(ctl, to, peer, netns);
}

int cmd_pair(struct wlinkctl *ctl, int argc, char **argv)
{
	struct target to, peer = { 0 };
	int n, more, code, netns = -1;

	n = target_parse(&to, "pair", argc, argv);
	if (n < 0)
		return EXIT_USAGE;
	if (n < argc && !strcmp(argv[n], "off")) {
		n++;
	} else {
		more = target_parse(&peer, "pair", argc - n, argv + n);
		if (more < 0)
			return EXIT_USAGE;
		n += more;
		if (n + 1 < argc && !strcmp(argv[n], "netns")) {
			netns = target_open_netns(argv[n + 1]);
			if (netns < 0)
				return EXIT_NOT_FOUND;
			n += 2;
		}
	}
	if (n < argc || to.bearer || to.all || peer.bearer || peer.all) {
		complain("pair takes [dev] DEV [HANDLE] [dev] PEER [HANDLE] [netns NAME], or off");
		code = EXIT_USAGE;
	} else {
		code = pair(ctl, &to, &peer, netns);
	}
	if (netns >= 0)
		close(netns);
	return code;
}
