// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink messages to struct wl_cfg and back: TCA_OPTIONS as a whole. What may
 * be in it, and the nests, are in wl_nl_*.c.
 */
#include <linux/rtnetlink.h>
#include <net/netlink.h>

#include "wl_netlink.h"
#include "wl_nl.h"
#include "wl_profile.h"
#include "wl_refuse.h"
#include "wl_stats.h"

/* What is a number and nothing else; the mode is set before all others. */
static const u8 bearer_numbers[] = {
	TCA_WLINK_RATE, TCA_WLINK_DELAY, TCA_WLINK_PDU, TCA_WLINK_HEADER,
	TCA_WLINK_PRIO, TCA_WLINK_MODE,
};

static const u8 link_numbers[] = {
	TCA_WLINK_TTI, TCA_WLINK_SEED, TCA_WLINK_SCHED,
};

static int parse_limit(struct wl_limit *limit, struct nlattr *nest,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_LIMIT_MAX + 1];
	int err, units;

	if (!nest)
		return 0;
	err = nla_parse_nested(tb, TCA_WLINK_LIMIT_MAX, nest,
			       wl_nl_limit_policy, extack);
	if (err)
		return err;
	units = !!tb[TCA_WLINK_LIMIT_PACKETS] + !!tb[TCA_WLINK_LIMIT_BYTES] +
		!!tb[TCA_WLINK_LIMIT_TIME];
	if (units != 1) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: limit has %d of packets, bytes, time, needs 1",
				   units);
		NL_SET_BAD_ATTR(extack, nest);
		return -EINVAL;
	}
	if (tb[TCA_WLINK_LIMIT_PACKETS]) {
		limit->kind = WL_LIMIT_PACKETS;
		limit->value = nla_get_u32(tb[TCA_WLINK_LIMIT_PACKETS]);
	} else if (tb[TCA_WLINK_LIMIT_BYTES]) {
		limit->kind = WL_LIMIT_BYTES;
		limit->value = nla_get_u32(tb[TCA_WLINK_LIMIT_BYTES]);
	} else {
		limit->kind = WL_LIMIT_TIME;
		limit->value = nla_get_u64(tb[TCA_WLINK_LIMIT_TIME]);
	}
	return 0;
}

/* Of a class beside 1:1. */
static int refuse_link_words(struct nlattr **tb, u32 classid,
			     struct netlink_ext_ack *extack)
{
	int i, type;

	for (i = 0; i < ARRAY_SIZE(link_numbers); i++) {
		type = link_numbers[i];
		if (!tb[type])
			continue;
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s belongs to the qdisc, not to class %x:%x",
				   wl_nl_options.rows[type].name,
				   TC_H_MAJ(classid) >> 16, TC_H_MIN(classid));
		NL_SET_BAD_ATTR(extack, tb[type]);
		return -EINVAL;
	}
	return 0;
}

static int take_numbers(struct wl_cfg *cfg, struct nlattr **tb,
			const u8 *types, int count,
			struct netlink_ext_ack *extack)
{
	int err = 0, i;

	for (i = 0; !err && i < count; i++)
		err = wl_nl_take(&wl_nl_options, tb[types[i]], cfg, extack);
	return err;
}

/* While there is a profile it is the only one to say what the AQM is. */
static int parse_aqm(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
		     struct nlattr **tb, struct netlink_ext_ack *extack)
{
	struct nlattr *aqm = tb[TCA_WLINK_AQM];
	int err;

	err = wl_nl_parse_profile(cfg, profiles, tb[TCA_WLINK_PROFILE], extack);
	if (err)
		return err;
	if (!cfg->profile)
		return wl_nl_parse_aqm(&cfg->aqm, aqm, extack);
	if (aqm) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: aqm follows profile %.24s unless profile none is said",
				   wl_profile_name(cfg->profile));
		NL_SET_BAD_ATTR(extack, aqm);
		return -EBUSY;
	}
	wl_cfg_follow(cfg);
	return 0;
}

static int parse(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
		 u32 classid, struct nlattr **tb,
		 struct netlink_ext_ack *extack)
{
	int err;

	if (TC_H_MIN(classid) == 1)
		err = take_numbers(cfg, tb, link_numbers,
				   ARRAY_SIZE(link_numbers), extack);
	else
		err = refuse_link_words(tb, classid, extack);
	if (err)
		return err;
	if (tb[TCA_WLINK_MODE])
		wl_nl_set_mode(cfg, nla_get_u32(tb[TCA_WLINK_MODE]));
	err = take_numbers(cfg, tb, bearer_numbers, ARRAY_SIZE(bearer_numbers),
			   extack);
	if (!err)
		err = parse_limit(&cfg->limit, tb[TCA_WLINK_LIMIT], extack);
	if (!err)
		err = wl_nl_parse_channel(&cfg->channel, tb[TCA_WLINK_CHANNEL],
					  extack);
	if (!err)
		err = wl_nl_parse_rlc(cfg, tb[TCA_WLINK_RLC], extack);
	if (!err)
		err = wl_nl_parse_reverse(cfg, tb[TCA_WLINK_REVERSE], extack);
	if (!err)
		err = parse_aqm(cfg, profiles, tb, extack);
	return err;
}

/* What each attribute may be is settled; now for what they are together. */
static int check(const struct wl_cfg *cfg, u32 classid, struct nlattr **tb,
		 struct netlink_ext_ack *extack)
{
	struct wl_refusal why;
	int err;

	if (cfg->rate_bps == WL_RATE_UNSET) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: rate is required");
		return -EINVAL;
	}
	if (cfg->channel.kind == WLINK_CHANNEL_LINK && TC_H_MIN(classid) == 1) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: channel kind link is for classes beside %x:1",
				   TC_H_MAJ(classid) >> 16);
		NL_SET_BAD_ATTR(extack, tb[TCA_WLINK_CHANNEL]);
		return -EINVAL;
	}
	err = wl_cfg_check(cfg, &why);
	/* The engine takes any, a CPU has to live through each of them. */
	if (!err && cfg->tti_ns && cfg->tti_ns < WLINK_TTI_MIN) {
		why = (struct wl_refusal){ "tti", "ns, or 0", cfg->tti_ns,
					   WLINK_TTI_MIN, WLINK_TTI_MAX };
		err = -ERANGE;
	}
	return err ? wl_refuse(&why, extack, "%s", "") : 0;
}

int wl_netlink_parse(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
		     u32 classid, struct nlattr *opt, bool *reseed,
		     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_MAX + 1];
	struct wl_cfg wanted = *cfg;
	int err;

	err = wl_nl_split(opt, tb, extack);
	if (!err)
		err = parse(&wanted, profiles, classid, tb, extack);
	if (!err)
		err = check(&wanted, classid, tb, extack);
	if (err)
		return err;
	*reseed = tb[TCA_WLINK_SEED];
	*cfg = wanted;
	return 0;
}

static int dump_limit(struct sk_buff *skb, const struct wl_limit *limit)
{
	struct nlattr *nest = nla_nest_start(skb, TCA_WLINK_LIMIT);
	int err;

	if (!nest)
		return -EMSGSIZE;
	switch (limit->kind) {
	case WL_LIMIT_PACKETS:
		err = nla_put_u32(skb, TCA_WLINK_LIMIT_PACKETS, limit->value);
		break;
	case WL_LIMIT_BYTES:
		err = nla_put_u32(skb, TCA_WLINK_LIMIT_BYTES, limit->value);
		break;
	default:
		err = nla_put_u64_64bit(skb, TCA_WLINK_LIMIT_TIME, limit->value,
					TCA_WLINK_LIMIT_PAD);
		break;
	}
	if (err)
		return err;
	nla_nest_end(skb, nest);
	return 0;
}

static int dump_numbers(struct sk_buff *skb, const struct wl_cfg *cfg,
			const u8 *types, int count)
{
	int err = 0, i;

	for (i = 0; !err && i < count; i++)
		err = wl_nl_put(skb, &wl_nl_options, types[i], cfg);
	return err;
}

int wl_netlink_dump(struct sk_buff *skb, const struct wl_cfg *cfg, u32 classid)
{
	struct nlattr *nest = nla_nest_start(skb, TCA_OPTIONS);
	int err;

	if (!nest)
		return -EMSGSIZE;
	err = dump_numbers(skb, cfg, bearer_numbers,
			   ARRAY_SIZE(bearer_numbers));
	if (!err && TC_H_MIN(classid) == 1)
		err = dump_numbers(skb, cfg, link_numbers,
				   ARRAY_SIZE(link_numbers));
	if (err || dump_limit(skb, &cfg->limit) ||
	    wl_nl_dump_channel(skb, TCA_WLINK_CHANNEL, &cfg->channel) ||
	    wl_nl_dump_rlc(skb, cfg) || wl_nl_dump_reverse(skb, cfg) ||
	    wl_nl_dump_aqm(skb, TCA_WLINK_AQM, &cfg->aqm, false) ||
	    wl_nl_dump_profile(skb, cfg, wl_stats_size()))
		return -EMSGSIZE;
	return nla_nest_end(skb, nest);
}
