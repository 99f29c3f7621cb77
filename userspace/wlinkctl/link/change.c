// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include <libmnl/libmnl.h>
#include <linux/pkt_sched.h>

#include "attr/attr.h"
#include "lib/json.h"
#include "lib/nl.h"
#include "link/change.h"

/* The kernel echoes the bearer as it is now when --json asks for it. */
static void keep_echo(void *ctx, const struct nlmsghdr *nlh)
{
	struct change *change = ctx;

	if (!link_decode(nlh, &change->echo))
		change->has_echo = true;
}

static int explain(const struct target *to, const struct nlmsghdr *nlh,
		   const struct nlattr *options,
		   const struct nl_answer *answer)
{
	const char *keyword = NULL;
	size_t base;

	if (answer->error == ENOENT && !answer->text[0]) {
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
	return nl_complain(answer, keyword);
}

int change_talk(struct wlinkctl *ctl, struct change *change)
{
	static uint64_t buf[(UINT16_MAX + 1024) / sizeof(uint64_t)];
	const struct target *to = change->to;
	bool json = ctl->json && change->type != RTM_DELTCLASS;
	bool echo = json && to->bearer;
	const struct nlattr *attr;
	struct nl_answer answer;
	struct nlmsghdr *nlh;
	struct tcmsg *tcm;

	nlh = nl_request(ctl, buf, change->type,
			 NLM_F_ACK | change->flags | (echo ? NLM_F_ECHO : 0),
			 to->ifindex);
	tcm = mnl_nlmsg_get_payload(nlh);
	tcm->tcm_handle = to->handle | (to->bearer ? to->bearer : 1);
	mnl_attr_put_strz(nlh, TCA_KIND, "wlink");
	attr = mnl_nlmsg_get_payload_tail(nlh);
	mnl_attr_put(nlh, TCA_OPTIONS | NLA_F_NESTED, change->len,
		     change->options);
	if (nl_talk(ctl, nlh, echo ? keep_echo : NULL, change, &answer))
		return EXIT_REFUSED;
	if (answer.error)
		return explain(to, nlh, attr, &answer);
	if (answer.text[0])
		complain("kernel: %s", answer.text);
	if (json && !echo)
		change->has_echo = !target_link(ctl, to, &change->echo);
	return EXIT_DONE;
}

int change_send(struct wlinkctl *ctl, struct change *change)
{
	int code = change_talk(ctl, change);

	if (code || !ctl->json)
		return code;
	json_begin();
	if (change->has_echo)
		link_print_json(&change->echo);
	json_end();
	return EXIT_DONE;
}
