// SPDX-License-Identifier: GPL-2.0
/* TCA_OPTIONS: what may be in it, to struct wl_cfg and back. */
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "attr.h"
#include "options.h"
#include "../profile.h"

static struct netlink_range_validation tti_range = {
	.max = WLINK_TTI_MAX,
};

static struct netlink_range_validation delay_range = {
	.max = WLINK_DELAY_MAX,
};

static struct netlink_range_validation pdu_range = {
	.max = WLINK_PDU_MAX,
};

static struct netlink_range_validation packets_range = {
	.min = 1, .max = WLINK_LIMIT_PACKETS_MAX,
};

static struct netlink_range_validation bytes_range = {
	.min = 1, .max = WLINK_LIMIT_BYTES_MAX,
};

static struct netlink_range_validation time_range = {
	.min = 1, .max = WLINK_LIMIT_TIME_MAX,
};

const struct nla_policy wl_nl_limit_policy[TCA_WLINK_LIMIT_MAX + 1] = {
	[TCA_WLINK_LIMIT_PACKETS] = NLA_POLICY_FULL_RANGE(NLA_U32,
							  &packets_range),
	[TCA_WLINK_LIMIT_BYTES] = NLA_POLICY_FULL_RANGE(NLA_U32, &bytes_range),
	[TCA_WLINK_LIMIT_TIME] = NLA_POLICY_FULL_RANGE(NLA_U64, &time_range),
};

static const struct wl_nl_row limit_rows[TCA_WLINK_LIMIT_MAX + 1] = {
	[TCA_WLINK_LIMIT_PACKETS] = { .name = "packets" },
	[TCA_WLINK_LIMIT_BYTES] = { .name = "bytes" },
	[TCA_WLINK_LIMIT_TIME] = { .name = "time", .unit = "ns" },
};

static const struct wl_nl_nest limit_nest = {
	.prefix = "limit ", .policy = wl_nl_limit_policy, .rows = limit_rows,
	.max = TCA_WLINK_LIMIT_MAX, .pad = TCA_WLINK_LIMIT_PAD,
};

/* Of a bearer, in a message of its own or in one of several. */
#define OF_BEARER							\
	[TCA_WLINK_RATE] = { .type = NLA_U64 },				\
	[TCA_WLINK_TTI] = NLA_POLICY_FULL_RANGE(NLA_U64, &tti_range),	\
	[TCA_WLINK_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U64, &delay_range),\
	[TCA_WLINK_PDU] = NLA_POLICY_FULL_RANGE(NLA_U32, &pdu_range),	\
	[TCA_WLINK_HEADER] = NLA_POLICY_MAX(NLA_U32, WLINK_HEADER_MAX),	\
	[TCA_WLINK_SEED] = { .type = NLA_U64 },				\
	[TCA_WLINK_LIMIT] = NLA_POLICY_NESTED(wl_nl_limit_policy),		\
	[TCA_WLINK_CHANNEL] = NLA_POLICY_NESTED(wl_nl_channel_policy),	\
	[TCA_WLINK_SCHED] = NLA_POLICY_MAX(NLA_U32, WLINK_SCHED_MAX),	\
	[TCA_WLINK_PRIO] = NLA_POLICY_MAX(NLA_U32, WLINK_PRIO_MAX),	\
	[TCA_WLINK_MODE] = NLA_POLICY_MAX(NLA_U32, WLINK_MODE_MAX),	\
	[TCA_WLINK_RLC] = NLA_POLICY_NESTED(wl_nl_rlc_policy),		\
	[TCA_WLINK_REVERSE] = NLA_POLICY_NESTED(wl_nl_reverse_policy),	\
	[TCA_WLINK_AQM] = NLA_POLICY_NESTED(wl_nl_aqm_policy),		\
	[TCA_WLINK_PROFILE] = NLA_POLICY_NESTED(wl_nl_profile_policy)

/* What an old wlinkctl would say so, and generic netlink says now. */
#define OLD {								\
	.type = NLA_REJECT,						\
	.reject_message = "is of interface 1, an old wlinkctl; the module has 2", \
}

const struct nla_policy wl_nl_options_policy[TCA_WLINK_MAX + 1] = {
	OF_BEARER,
	[TCA_WLINK_AT] = { .type = NLA_U64 },
	[TCA_WLINK_OLD_COOKIE] = OLD,
	[TCA_WLINK_OLD_BEARER] = OLD,
	[TCA_WLINK_OLD_PLAY] = OLD,
};

#define ROW(name_, member_)	.name = name_, WL_NL_AT(struct wl_cfg, member_)

static const struct wl_nl_row options_rows[TCA_WLINK_MAX + 1] = {
	[TCA_WLINK_RATE] = {
		ROW("rate", rate_bps), .unit = " bit/s",
		.bounds = "0..100gbit, or unlimited",
		.max = WLINK_RATE_MAX, .also = WLINK_RATE_UNLIMITED,
	},
	[TCA_WLINK_TTI] = { ROW("tti", tti_ns), .unit = "ns" },
	[TCA_WLINK_DELAY] = { ROW("delay", delay_ns), .unit = "ns" },
	[TCA_WLINK_PDU] = { ROW("pdu", pdu_bytes), .unit = "bytes" },
	[TCA_WLINK_HEADER] = { ROW("header", header_bytes), .unit = "bytes" },
	[TCA_WLINK_SEED] = { ROW("seed", seed) },
	[TCA_WLINK_LIMIT] = { .name = "limit" },
	[TCA_WLINK_CHANNEL] = { .name = "channel" },
	[TCA_WLINK_SCHED] = { ROW("sched", sched) },
	[TCA_WLINK_PRIO] = { ROW("prio", prio) },
	[TCA_WLINK_MODE] = { ROW("mode", mode) },
	[TCA_WLINK_RLC] = { .name = "rlc" },
	[TCA_WLINK_REVERSE] = { .name = "reverse" },
	[TCA_WLINK_AQM] = { .name = "aqm" },
	[TCA_WLINK_PROFILE] = { .name = "profile" },
	[TCA_WLINK_AT] = { .name = "at", .unit = "ns" },
	[TCA_WLINK_OLD_COOKIE] = { .name = "cookie" },
	[TCA_WLINK_OLD_BEARER] = { .name = "bearer" },
	[TCA_WLINK_OLD_PLAY] = { .name = "play" },
};

static const struct wl_nl_nest * const options_inner[TCA_WLINK_MAX + 1] = {
	[TCA_WLINK_LIMIT] = &limit_nest,
	[TCA_WLINK_CHANNEL] = &wl_nl_channel,
	[TCA_WLINK_RLC] = &wl_nl_rlc,
	[TCA_WLINK_REVERSE] = &wl_nl_reverse,
	[TCA_WLINK_AQM] = &wl_nl_aqm,
	[TCA_WLINK_PROFILE] = &wl_nl_profile,
};

const struct wl_nl_nest wl_nl_options = {
	.prefix = "", .policy = wl_nl_options_policy, .rows = options_rows,
	.inner = options_inner, .max = TCA_WLINK_MAX, .pad = TCA_WLINK_PAD,
};

int wl_nl_split(const struct wl_nl_nest *nest, struct nlattr *attr,
		struct nlattr **tb, struct netlink_ext_ack *extack)
{
	int err;

	memset(tb, 0, (nest->max + 1) * sizeof(*tb));
	if (!attr)
		return 0;
	err = nla_parse_nested(tb, nest->max, attr, nest->policy, extack);
	if (err)
		wl_nl_explain(nest, attr, extack);
	return err;
}

/* --- To struct wl_cfg and back. --- */

/* What is a number and nothing else; the mode is set before all others. */
static const u8 options_bearer_numbers[] = {
	TCA_WLINK_RATE, TCA_WLINK_DELAY, TCA_WLINK_PDU, TCA_WLINK_HEADER,
	TCA_WLINK_PRIO, TCA_WLINK_MODE,
};

static const u8 options_link_numbers[] = {
	TCA_WLINK_TTI, TCA_WLINK_SEED, TCA_WLINK_SCHED,
};

static int options_parse_limit(struct wl_limit *limit, struct nlattr *nest,
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
static int options_refuse_link_words(struct nlattr **tb, u32 classid,
				     struct netlink_ext_ack *extack)
{
	int i, type;

	for (i = 0; i < ARRAY_SIZE(options_link_numbers); i++) {
		type = options_link_numbers[i];
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

static int options_take_numbers(struct wl_cfg *cfg, struct nlattr **tb,
				const u8 *types, int count,
			struct netlink_ext_ack *extack)
{
	int err = 0, i;

	for (i = 0; !err && i < count; i++)
		err = wl_nl_take(&wl_nl_options, tb[types[i]], cfg, extack);
	return err;
}

/* While there is a profile it is the only one to say what the AQM is. */
static int options_parse_aqm(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
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

static int options_parse(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
			 u32 classid, struct nlattr **tb,
		 struct netlink_ext_ack *extack)
{
	int err;

	/* What an outage that begins here comes from. */
	cfg->usual_bps = wl_cfg_usual_bps(cfg);
	if (TC_H_MIN(classid) == 1)
		err = options_take_numbers(cfg, tb, options_link_numbers,
					   ARRAY_SIZE(options_link_numbers), extack);
	else
		err = options_refuse_link_words(tb, classid, extack);
	if (err)
		return err;
	if (tb[TCA_WLINK_MODE])
		wl_nl_set_mode(cfg, nla_get_u32(tb[TCA_WLINK_MODE]));
	err = options_take_numbers(cfg, tb, options_bearer_numbers,
				   ARRAY_SIZE(options_bearer_numbers), extack);
	if (!err)
		err = options_parse_limit(&cfg->limit, tb[TCA_WLINK_LIMIT], extack);
	if (!err)
		err = wl_nl_parse_channel(&cfg->channel, tb[TCA_WLINK_CHANNEL],
					  extack);
	if (!err)
		err = wl_nl_parse_rlc(cfg, tb[TCA_WLINK_RLC], extack);
	if (!err)
		err = wl_nl_parse_reverse(cfg, tb[TCA_WLINK_REVERSE], extack);
	if (!err)
		err = options_parse_aqm(cfg, profiles, tb, extack);
	return err;
}

/* What each attribute may be is settled; now for what they are together. */
static int options_check(const struct wl_cfg *cfg, u32 classid, struct nlattr **tb,
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
	return err ? wl_nl_refuse(&why, extack, "%s", "") : 0;
}

int wl_netlink_parse(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
		     u32 classid, struct nlattr *opt, bool *reseed,
		     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_MAX + 1];
	struct wl_cfg wanted = *cfg;
	int err;

	err = wl_nl_split(&wl_nl_options, opt, tb, extack);
	if (!err)
		err = options_parse(&wanted, profiles, classid, tb, extack);
	if (!err)
		err = options_check(&wanted, classid, tb, extack);
	if (err)
		return err;
	*reseed = tb[TCA_WLINK_SEED];
	*cfg = wanted;
	return 0;
}

static int options_dump_limit(struct sk_buff *skb, const struct wl_limit *limit)
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

static int options_dump_numbers(struct sk_buff *skb, const struct wl_cfg *cfg,
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
	err = options_dump_numbers(skb, cfg, options_bearer_numbers,
				   ARRAY_SIZE(options_bearer_numbers));
	if (!err && TC_H_MIN(classid) == 1)
		err = options_dump_numbers(skb, cfg, options_link_numbers,
					   ARRAY_SIZE(options_link_numbers));
	if (err || options_dump_limit(skb, &cfg->limit) ||
	    wl_nl_dump_channel(skb, TCA_WLINK_CHANNEL, &cfg->channel) ||
	    wl_nl_dump_rlc(skb, cfg) || wl_nl_dump_reverse(skb, cfg) ||
	    wl_nl_dump_aqm(skb, TCA_WLINK_AQM, &cfg->aqm) || wl_nl_dump_profile(skb, cfg))
		return -EMSGSIZE;
	return nla_nest_end(skb, nest);
}
