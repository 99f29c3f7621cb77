// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "link/change.h"
#include "wl_attr.h"

static int send(struct wlinkctl *ctl, bool add, struct target *to,
		const struct wl_values *values)
{
	static uint32_t options[WL_ATTR_BYTES / sizeof(uint32_t)];
	struct change change = {
		.to = to,
		.type = add ? RTM_NEWTCLASS : RTM_DELTCLASS,
		.flags = add ? NLM_F_CREATE | NLM_F_EXCL : 0,
		.options = options,
		.len = wl_attr_encode(values, options),
	};
	int err;

	to->ifindex = link_device(to->dev);
	if (!to->ifindex)
		return EXIT_NOT_FOUND;
	err = target_find(ctl, to);
	return err ? err : change_send(ctl, &change);
}

static int run(struct wlinkctl *ctl, bool add, int argc, char **argv)
{
	const char *command = add ? "bearer add" : "bearer del";
	char error[WL_ERROR_TEXT];
	struct wl_values values;
	struct target to;
	int words, code;

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
			   (const char *const *)argv + words, error) ||
	    wl_words_whole(&values, error)) {
		complain("%s", error);
		code = EXIT_USAGE;
	} else {
		code = send(ctl, add, &to, &values);
	}
	wl_values_free(&values);
	return code;
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
