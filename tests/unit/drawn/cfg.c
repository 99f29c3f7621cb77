// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "netlink/attr.h"
#include "netlink/options.h"
#include "netlink/kept.h"
#include "drawn/words.h"

#define FIRST	TC_H_MAKE(0x10000, 1)

bool words_take(struct wl_cfg *cfg, int count, const char *const *words, char *error)
{
	static u64 buf[WORDS_BYTES / sizeof(u64)];
	struct nlattr *options = (struct nlattr *)buf;
	struct netlink_ext_ack extack = { 0 };
	/* Until the program ends: a configuration may refer to them. */
	static struct wl_kept *kept;
	struct wl_options_said said = { .fresh = true };
	size_t len;

	if (!words_encode(count, words, nla_data(options), &len, error))
		return false;
	options->nla_type = TCA_OPTIONS | NLA_F_NESTED;
	options->nla_len = NLA_HDRLEN + len;
	if (!wl_options_parse(cfg, &kept, FIRST, options, &said, &extack))
		return true;
	snprintf(error, WORDS_ERROR, "%s", extack._msg);
	return false;
}

size_t words_put(const struct wl_cfg *cfg, void *buf)
{
	/* What stands around a profile and a distribution in the module. */
	static const struct wl_kept named = { .name = "named" };
	struct sk_buff skb = { .data = buf, .room = WORDS_BYTES };
	struct wl_cfg copy = *cfg;
	size_t len;

	if (copy.profile)
		copy.profile = &named.profile;
	if (copy.impair.jitter)
		copy.impair.jitter = &named.dist;
	if (wl_options_put(&skb, &copy, FIRST) < 0)
		abort();
	len = skb.len - NLA_HDRLEN;
	memmove(buf, nla_data(buf), len);
	return len;
}
