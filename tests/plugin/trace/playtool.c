// SPDX-License-Identifier: GPL-2.0
/*
 * schedule of wlinkctl, with a kernel that only writes down what it is
 * told: for each message a u32 of its length and its struct genlmsghdr with all that
 * follows, in the file $PLAYTOOL_OUT. Message number $PLAYTOOL_FAIL, from 1 on, is
 * refused, or if it is "start" that one.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/genetlink.h>

#include "lib/genl.h"
#include "link/link.h"
#include "link/target.h"

/* There is no link here. */
int __wrap_target_find(struct wlinkctl *ctl, struct target *to);

int __wrap_target_find(struct wlinkctl *ctl, struct target *to)
{
	to->ifindex = 1;
	to->handle = 0x10000;
	return EXIT_DONE;
}

int __wrap_link_dump_bearers(struct wlinkctl *ctl, int ifindex, uint32_t handle,
			     struct link_list *list);

int __wrap_link_dump_bearers(struct wlinkctl *ctl, int ifindex, uint32_t handle,
			     struct link_list *list)
{
	*list = (struct link_list){ .links = calloc(1, sizeof(*list->links)), .n = 1 };
	if (!list->links)
		return EXIT_REFUSED;
	list->links->handle = handle;
	list->links->bearer = 1;
	return EXIT_DONE;
}

/* Neither is there a kernel. */
int __wrap_genl_open(struct wlinkctl *ctl);

int __wrap_genl_open(struct wlinkctl *ctl)
{
	return EXIT_DONE;
}

int __wrap_genl_talk(struct wlinkctl *ctl, struct nlmsghdr *nlh,
		     nl_message_fn fn, void *ctx);

int __wrap_genl_talk(struct wlinkctl *ctl, struct nlmsghdr *nlh,
		     nl_message_fn fn, void *ctx)
{
	static unsigned long count;
	const struct genlmsghdr *genl = NLMSG_DATA(nlh);
	const char *fail = getenv("PLAYTOOL_FAIL");
	uint32_t len = nlh->nlmsg_len - NLMSG_HDRLEN;
	FILE *f;

	if (strcmp(fail, "start") ? strtoul(fail, NULL, 10) == ++count :
				    genl->cmd == WLINK_CMD_START) {
		complain("kernel: no");
		return EXIT_REFUSED;
	}
	f = fopen(getenv("PLAYTOOL_OUT"), "ae");
	if (!f || fwrite(&len, sizeof(len), 1, f) != 1 ||
	    fwrite(NLMSG_DATA(nlh), 1, len, f) != len || fclose(f))
		abort();
	return EXIT_DONE;
}

int main(int argc, char **argv)
{
	struct wlinkctl ctl = { 0 };
	int code;

	if (argc > 1 && !strcmp(argv[1], "--json")) {
		ctl.json = true;
		argv++;
		argc--;
	}
	if (argc < 2)
		return EXIT_USAGE;
	code = cmd_schedule(&ctl, argc - 2, argv + 2);
	nl_close(&ctl);
	return code;
}
