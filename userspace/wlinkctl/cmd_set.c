// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/pkt_sched.h>

#include "json.h"
#include "link.h"
#include "nl.h"
#include "wl_attr.h"

/* The kernel echoes the link as it is now when --json asks for it. */
static void print_echo(void *ctx, const struct nlmsghdr *nlh)
{
	struct link link;
	bool *seen = ctx;

	if (link_decode(nlh, &link))
		return;
	*seen = true;
	json_start();
	json_writer.object(NULL);
	link_print_json(&link);
	json_writer.end();
	json_finish();
}

/**
 * struct target - which link to change
 * @dev: device, as typed
 * @ifindex: the same
 * @handle: of the qdisc, 0 for the device's root
 * @handle_text: as typed
 */
struct target {
	const char *dev;
	int ifindex;
	uint32_t handle;
	const char *handle_text;
};

/* Is there a wlink where the request was sent? */
static int is_there(struct wlinkctl *ctl, const struct target *to)
{
	struct link_list list;
	int found = 0;
	size_t i;

	if (link_dump(ctl, to->ifindex, &list))
		return 0;
	for (i = 0; i < list.n; i++)
		found |= to->handle ? list.links[i].handle == to->handle :
				      list.links[i].parent == TC_H_ROOT;
	free(list.links);
	return found;
}

static int explain(struct wlinkctl *ctl, const struct target *to,
		   const struct nlmsghdr *nlh, const struct nlattr *options,
		   const struct nl_answer *answer)
{
	const char *keyword = NULL;
	size_t base;

	if (answer->error != EPERM && !is_there(ctl, to)) {
		if (to->handle)
			complain("no wlink %s on %s", to->handle_text, to->dev);
		else
			complain("no wlink at the root of %s; type its handle if it is a leaf",
				 to->dev);
		return EXIT_NOT_FOUND;
	}
	base = (size_t)((const char *)mnl_attr_get_payload(options) -
			(const char *)nlh);
	if (answer->at >= base)
		keyword = wl_attr_keyword(mnl_attr_get_payload(options),
					  mnl_attr_get_payload_len(options),
					  answer->at - base);
	if (keyword)
		complain("kernel: %s (byte %u of the request: %s)",
			 answer->text, answer->at, keyword);
	else
		complain("kernel: %s", answer->text[0] ? answer->text :
			 strerror(answer->error));
	return EXIT_REFUSED;
}

static int change(struct wlinkctl *ctl, const struct target *to,
		  const struct wl_values *values)
{
	uint64_t buf[(WL_ATTR_BYTES + 256) / sizeof(uint64_t)];
	uint32_t options[WL_ATTR_BYTES / sizeof(uint32_t)];
	const struct nlattr *attr;
	struct nl_answer answer;
	struct nlmsghdr *nlh;
	struct tcmsg *tcm;
	bool seen = false;

	/* Without any flag the kernel would put a new wlink where another
	 * qdisc is; with this one alone it only ever changes.
	 */
	nlh = nl_request(ctl, buf, RTM_NEWQDISC,
			 NLM_F_ACK | NLM_F_REPLACE |
			 (ctl->json ? NLM_F_ECHO : 0), to->ifindex);
	tcm = mnl_nlmsg_get_payload(nlh);
	tcm->tcm_handle = to->handle;
	tcm->tcm_parent = to->handle ? 0 : TC_H_ROOT;
	mnl_attr_put_strz(nlh, TCA_KIND, "wlink");
	attr = mnl_nlmsg_get_payload_tail(nlh);
	mnl_attr_put(nlh, TCA_OPTIONS | NLA_F_NESTED,
		     wl_attr_encode(values, options), options);
	if (nl_talk(ctl, nlh, ctl->json ? print_echo : NULL, &seen, &answer))
		return EXIT_REFUSED;
	if (answer.error)
		return explain(ctl, to, nlh, attr, &answer);
	if (answer.text[0])
		complain("kernel: %s", answer.text);
	if (ctl->json && !seen)
		puts("{}");
	return EXIT_DONE;
}

int cmd_set(struct wlinkctl *ctl, int argc, char **argv)
{
	char error[WL_ERROR_TEXT];
	struct target to = { 0 };
	struct wl_values values;
	int words = 1;

	if (argc > 1 && link_is_handle(argv[1])) {
		if (link_parse_handle(argv[1], &to.handle))
			return EXIT_USAGE;
		to.handle_text = argv[1];
		words = 2;
	}
	if (argc <= words) {
		complain("set needs a device and a keyword with its value");
		return EXIT_USAGE;
	}
	if (wl_words_parse(&values, argc - words,
			   (const char *const *)argv + words, error)) {
		complain("%s", error);
		return EXIT_USAGE;
	}
	to.dev = argv[0];
	to.ifindex = link_device(to.dev);
	if (!to.ifindex)
		return EXIT_NOT_FOUND;
	return change(ctl, &to, &values);
}
