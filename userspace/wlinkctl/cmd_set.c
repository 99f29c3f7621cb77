// SPDX-License-Identifier: GPL-2.0
#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "change.h"
#include "link.h"

int cmd_set(struct wlinkctl *ctl, int argc, char **argv)
{
	char error[WL_ERROR_TEXT];
	struct wl_values values;
	struct target to;
	int words, err;

	if (!argc) {
		complain("set needs a device and a keyword with its value");
		return EXIT_USAGE;
	}
	words = target_parse(&to, "set", argc, argv);
	if (words < 0)
		return EXIT_USAGE;
	if (to.all) {
		complain("set takes one bearer at a time");
		return EXIT_USAGE;
	}
	if (argc <= words) {
		complain("set needs a device and a keyword with its value");
		return EXIT_USAGE;
	}
	if (wl_words_parse(&values, to.bearer > 1, argc - words,
			   (const char *const *)argv + words, error)) {
		complain("%s", error);
		return EXIT_USAGE;
	}
	to.ifindex = link_device(to.dev);
	if (!to.ifindex)
		return EXIT_NOT_FOUND;
	/* Without any flag the kernel would put a new wlink where another
	 * qdisc is; with this one alone it only ever changes.
	 */
	if (!to.bearer)
		return change_send(ctl, &to, RTM_NEWQDISC, NLM_F_REPLACE,
				   &values);
	err = target_find(ctl, &to);
	if (err)
		return err;
	return change_send(ctl, &to, RTM_NEWTCLASS, 0, &values);
}
