// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "change.h"
#include "link.h"

static int run(struct wlinkctl *ctl, bool add, int argc, char **argv)
{
	const char *command = add ? "bearer add" : "bearer del";
	char error[WL_ERROR_TEXT];
	struct wl_values values;
	struct target to;
	int words, err;

	words = target_parse(&to, command, argc, argv);
	if (words < 0)
		return EXIT_USAGE;
	if (!to.bearer) {
		complain("%s needs a device and a bearer with its number",
			 command);
		return EXIT_USAGE;
	}
	if (!add && argc > words) {
		complain("bearer del takes no other word, but got \"%s\"",
			 argv[words]);
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
	err = target_find(ctl, &to);
	if (err)
		return err;
	if (!add)
		return change_send(ctl, &to, RTM_DELTCLASS, 0, NULL);
	return change_send(ctl, &to, RTM_NEWTCLASS, NLM_F_CREATE | NLM_F_EXCL,
			   &values);
}

int cmd_bearer(struct wlinkctl *ctl, int argc, char **argv)
{
	if (argc && !strcmp(argv[0], "add"))
		return run(ctl, true, argc - 1, argv + 1);
	if (argc && !strcmp(argv[0], "del"))
		return run(ctl, false, argc - 1, argv + 1);
	if (argc)
		complain("bearer knows add and del, but got \"%s\"", argv[0]);
	else
		complain("bearer needs add or del");
	return EXIT_USAGE;
}
