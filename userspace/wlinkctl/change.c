// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/pkt_sched.h>

#include "change.h"
#include "json.h"
#include "nl.h"
#include "wl_attr.h"

/* The kernel echoes the link as it is now when --json asks for it. */
static void keep_echo(void *ctx, const struct nlmsghdr *nlh)
{
	struct change *change = ctx;

	if (!link_decode(nlh, &change->echo))
		change->has_echo = true;
}

/* Is there a wlink where the request was sent? */
static int is_there(struct wlinkctl *ctl, const struct target *to)
{
	struct link_list list;
	int found = 0;
	size_t i;

	if (link_dump(ctl, to->ifindex, &list))
		return 0;
	for (i = 0; i < list.n; i++)
		found |= target_is(to, &list.links[i]);
	free(list.links);
	return found;
}

static bool is_missing(struct wlinkctl *ctl, const struct target *to,
		       const struct nl_answer *answer)
{
	if (to->bearer)
		return answer->error == ENOENT && !answer->text[0];
	return answer->error != EPERM && !is_there(ctl, to);
}

static int explain(struct wlinkctl *ctl, const struct target *to,
		   const struct nlmsghdr *nlh, const struct nlattr *options,
		   const struct nl_answer *answer)
{
	const char *keyword = NULL;
	size_t base;

	if (is_missing(ctl, to, answer)) {
		target_complain(to);
		return EXIT_NOT_FOUND;
	}
	if (to->bearer && answer->error == EEXIST && !answer->text[0]) {
		complain("bearer %u on %s exists already", to->bearer, to->dev);
		return EXIT_REFUSED;
	}
	base = (size_t)((const char *)mnl_attr_get_payload(options) -
			(const char *)nlh);
	if (answer->at >= base && answer->at < nlh->nlmsg_len)
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

int change_talk(struct wlinkctl *ctl, struct change *change)
{
	static uint64_t buf[(UINT16_MAX + 1024) / sizeof(uint64_t)];
	bool echo = ctl->json && change->type != RTM_DELTCLASS;
	const struct target *to = change->to;
	const struct nlattr *attr;
	struct nl_answer answer;
	struct nlmsghdr *nlh;
	struct tcmsg *tcm;

	nlh = nl_request(ctl, buf, change->type,
			 NLM_F_ACK | change->flags | (echo ? NLM_F_ECHO : 0),
			 to->ifindex);
	tcm = mnl_nlmsg_get_payload(nlh);
	tcm->tcm_handle = to->handle | to->bearer;
	tcm->tcm_parent = to->bearer || to->handle ? 0 : TC_H_ROOT;
	mnl_attr_put_strz(nlh, TCA_KIND, "wlink");
	attr = mnl_nlmsg_get_payload_tail(nlh);
	mnl_attr_put(nlh, TCA_OPTIONS | NLA_F_NESTED, change->len,
		     change->options);
	if (nl_talk(ctl, nlh, echo ? keep_echo : NULL, change, &answer))
		return EXIT_REFUSED;
	if (answer.error)
		return explain(ctl, to, nlh, attr, &answer);
	if (answer.text[0])
		complain("kernel: %s", answer.text);
	return EXIT_DONE;
}

int change_send(struct wlinkctl *ctl, struct change *change)
{
	int code = change_talk(ctl, change);

	if (code || !ctl->json)
		return code;
	json_start();
	json_writer.object(NULL);
	if (change->has_echo)
		link_print_json(&change->echo);
	json_writer.end();
	json_finish();
	return EXIT_DONE;
}
