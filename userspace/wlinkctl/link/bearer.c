// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "attr/attr.h"
#include "lib/genl.h"
#include "link/change.h"

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
	int err = target_find(ctl, to);

	return err ? err : change_send(ctl, &change);
}

/* Return: words read, -1 after a complaint; only add takes more than these. */
static int parse(struct target *to, const char *command, bool add, int argc,
		 char **argv)
{
	int words = target_parse(to, command, argc, argv);

	if (words < 0)
		return -1;
	if (!to->bearer) {
		complain("%s needs a device and a bearer with its number",
			 command);
		return -1;
	}
	if (!add && argc > words) {
		complain("%s takes no other word, but got \"%s\"", command,
			 argv[words]);
		return -1;
	}
	return words;
}

static int forward(struct wlinkctl *ctl, int argc, char **argv)
{
	struct nlmsghdr *nlh;
	struct target to;
	uint64_t buf[32];
	int code;

	if (parse(&to, "bearer forward", false, argc, argv) < 0)
		return EXIT_USAGE;
	code = target_find(ctl, &to);
	if (!code)
		code = genl_open(ctl);
	if (code)
		return code;
	nlh = genl_request(ctl, buf, WLINK_CMD_FORWARD, to.ifindex, to.handle,
			   to.bearer);
	return genl_talk(ctl, nlh, NULL, NULL);
}

static int run(struct wlinkctl *ctl, bool add, int argc, char **argv)
{
	char error[WL_ERROR_TEXT];
	struct wl_values values;
	struct target to;
	int words, code;

	words = parse(&to, add ? "bearer add" : "bearer del", add, argc, argv);
	if (words < 0)
		return EXIT_USAGE;
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
	if (argc && !strcmp(argv[0], "forward"))
		return forward(ctl, argc - 1, argv + 1);
	if (argc)
		complain("bearer knows add, del and forward, but got \"%s\"", argv[0]);
	else
		complain("bearer needs add, del or forward");
	return EXIT_USAGE;
}
