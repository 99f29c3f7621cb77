// SPDX-License-Identifier: GPL-2.0
/* Channels and the way back of feedback. */
#include "attr.h"

#define UNIFORM		BIT(WLINK_CHANNEL_UNIFORM)
#define GILBERT		BIT(WLINK_CHANNEL_GILBERT)
#define TWOSTATE	BIT(WLINK_CHANNEL_TWOSTATE)

static struct netlink_range_validation reverse_rate_range = {
	.max = WLINK_RATE_MAX,
};

const struct nla_policy wl_nl_channel_policy[TCA_WLINK_CHANNEL_MAX + 1] = {
	[TCA_WLINK_CHANNEL_KIND] = NLA_POLICY_MAX(NLA_U32, WLINK_CHANNEL_MAX),
	[TCA_WLINK_CHANNEL_LOSS] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_P] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_R] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_LOSS_GOOD] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_LOSS_BAD] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_MEAN_GOOD] = { .type = NLA_U64 },
	[TCA_WLINK_CHANNEL_MEAN_BAD] = { .type = NLA_U64 },
	[TCA_WLINK_CHANNEL_HAZARD_GOOD] = { .type = NLA_U64 },
	[TCA_WLINK_CHANNEL_HAZARD_BAD] = { .type = NLA_U64 },
};

const struct nla_policy wl_nl_reverse_policy[TCA_WLINK_REVERSE_MAX + 1] = {
	[TCA_WLINK_REVERSE_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64,
							 &reverse_rate_range),
	[TCA_WLINK_REVERSE_DELAY] = { .type = NLA_U64 },
	[TCA_WLINK_REVERSE_CHANNEL] = NLA_POLICY_NESTED(wl_nl_channel_policy),
};

#define PART(kind_)	.part = (kind_)
#define NEEDED(kind_)	.needed = true, .part = (kind_)
#define AT(member)	WL_NL_AT(struct wl_chan_cfg, member)
#define SOJOURN		.unit = " ns", .bounds = "1us..1h",		\
			.min = WLINK_SOJOURN_MIN, .max = WLINK_SOJOURN_MAX, \
			.also = WLINK_SOJOURN_MIN
#define HAZARD		.bounds = "0..2^62", .max = WLINK_HAZARD_MAX

static const struct wl_nl_row channel_rows[TCA_WLINK_CHANNEL_MAX + 1] = {
	[TCA_WLINK_CHANNEL_KIND] = { .name = "kind", AT(kind) },
	[TCA_WLINK_CHANNEL_LOSS] = { .name = "loss", NEEDED(UNIFORM),
				     AT(loss_q32) },
	[TCA_WLINK_CHANNEL_P] = { .name = "p", NEEDED(GILBERT), AT(p_q32) },
	[TCA_WLINK_CHANNEL_R] = { .name = "r", NEEDED(GILBERT), AT(r_q32) },
	[TCA_WLINK_CHANNEL_LOSS_GOOD] = { .name = "loss_good", PART(GILBERT),
					  AT(loss_good_q32) },
	[TCA_WLINK_CHANNEL_LOSS_BAD] = { .name = "loss_bad", PART(GILBERT),
					 AT(loss_bad_q32) },
	[TCA_WLINK_CHANNEL_MEAN_GOOD] = { .name = "mean_good", SOJOURN,
					  NEEDED(TWOSTATE), AT(mean_good_ns) },
	[TCA_WLINK_CHANNEL_MEAN_BAD] = { .name = "mean_bad", SOJOURN,
					 NEEDED(TWOSTATE), AT(mean_bad_ns) },
	[TCA_WLINK_CHANNEL_HAZARD_GOOD] = { .name = "hazard_good", HAZARD,
					    NEEDED(TWOSTATE),
					    AT(hazard_good_q56) },
	[TCA_WLINK_CHANNEL_HAZARD_BAD] = { .name = "hazard_bad", HAZARD,
					   NEEDED(TWOSTATE),
					   AT(hazard_bad_q56) },
};

static const struct wl_nl_row reverse_rows[TCA_WLINK_REVERSE_MAX + 1] = {
	[TCA_WLINK_REVERSE_RATE] = {
		.name = "rate", .unit = "bit/s",
		WL_NL_AT(struct wl_reverse_cfg, rate_bps),
	},
	[TCA_WLINK_REVERSE_DELAY] = {
		.name = "delay", .unit = " ns", .bounds = "0..30d, or same",
		.max = WLINK_DELAY_MAX, .also = WLINK_SAME,
		WL_NL_AT(struct wl_reverse_cfg, delay_ns),
	},
	[TCA_WLINK_REVERSE_CHANNEL] = { .name = "channel" },
};

const struct wl_nl_nest wl_nl_channel = {
	.prefix = "channel ", .policy = wl_nl_channel_policy,
	.rows = channel_rows,
	.max = TCA_WLINK_CHANNEL_MAX, .pad = TCA_WLINK_CHANNEL_PAD,
};

static const struct wl_nl_nest reverse_channel = {
	.prefix = "reverse channel ", .policy = wl_nl_channel_policy,
	.rows = channel_rows, .max = TCA_WLINK_CHANNEL_MAX,
	.pad = TCA_WLINK_CHANNEL_PAD,
};

static const struct wl_nl_nest * const
reverse_inner[TCA_WLINK_REVERSE_MAX + 1] = {
	[TCA_WLINK_REVERSE_CHANNEL] = &reverse_channel,
};

const struct wl_nl_nest wl_nl_reverse = {
	.prefix = "reverse ", .policy = wl_nl_reverse_policy,
	.rows = reverse_rows, .inner = reverse_inner, .max = TCA_WLINK_REVERSE_MAX,
	.pad = TCA_WLINK_REVERSE_PAD,
};

static const char * const kind_names[] = {
	[WLINK_CHANNEL_NONE] = "none", [WLINK_CHANNEL_UNIFORM] = "uniform",
	[WLINK_CHANNEL_GILBERT] = "gilbert",
	[WLINK_CHANNEL_TWOSTATE] = "twostate", [WLINK_CHANNEL_LINK] = "link",
};

static int channel_parse(const struct wl_nl_nest *nest,
			 struct wl_chan_cfg *chan, struct nlattr *attr,
			 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_CHANNEL_MAX + 1];
	enum wlink_channel kind = chan->kind;
	bool fresh;
	int err;

	if (!attr)
		return 0;
	err = nla_parse_nested(tb, nest->max, attr, nest->policy, extack);
	if (err)
		return err;
	if (tb[TCA_WLINK_CHANNEL_KIND])
		kind = nla_get_u32(tb[TCA_WLINK_CHANNEL_KIND]);
	fresh = kind != chan->kind;
	if (fresh) {
		memset(chan, 0, sizeof(*chan));
		chan->kind = kind;
		if (kind == WLINK_CHANNEL_GILBERT)
			chan->loss_bad_q32 = WLINK_PROB_ONE;
	}
	return wl_nl_take_members(nest, tb, attr, kind, kind_names[kind],
				  fresh, chan, extack);
}

int wl_nl_parse_channel(struct wl_chan_cfg *chan, struct nlattr *attr,
			struct netlink_ext_ack *extack)
{
	return channel_parse(&wl_nl_channel, chan, attr, extack);
}

int wl_nl_dump_channel(struct sk_buff *skb, int type,
		       const struct wl_chan_cfg *chan)
{
	struct nlattr *nest = nla_nest_start(skb, type);
	int err, i;

	if (!nest)
		return -EMSGSIZE;
	err = nla_put_u32(skb, TCA_WLINK_CHANNEL_KIND, chan->kind);
	for (i = 0; !err && i <= TCA_WLINK_CHANNEL_MAX; i++)
		if (channel_rows[i].part & BIT(chan->kind))
			err = wl_nl_put(skb, &wl_nl_channel, i, chan);
	if (!err)
		nla_nest_end(skb, nest);
	return err;
}

int wl_nl_parse_reverse(struct wl_cfg *cfg, struct nlattr *attr,
			struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_REVERSE_MAX + 1];
	struct wl_reverse_cfg *reverse = &cfg->reverse;
	int err;

	if (!attr)
		return 0;
	err = nla_parse_nested(tb, TCA_WLINK_REVERSE_MAX, attr,
			       wl_nl_reverse_policy, extack);
	if (err)
		return err;
	if (!wl_nl_has_reverse(cfg->mode)) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: reverse is not part of mode %s",
				   wl_nl_mode_name(cfg->mode));
		NL_SET_BAD_ATTR(extack, attr);
		return -EINVAL;
	}
	err = wl_nl_take(&wl_nl_reverse, tb[TCA_WLINK_REVERSE_RATE], reverse,
			 extack);
	if (!err)
		err = wl_nl_take(&wl_nl_reverse, tb[TCA_WLINK_REVERSE_DELAY],
				 reverse, extack);
	if (!err)
		err = channel_parse(&reverse_channel, &reverse->channel,
				    tb[TCA_WLINK_REVERSE_CHANNEL], extack);
	return err;
}

int wl_nl_dump_reverse(struct sk_buff *skb, const struct wl_cfg *cfg)
{
	struct nlattr *nest;

	if (!wl_nl_has_reverse(cfg->mode))
		return 0;
	nest = nla_nest_start(skb, TCA_WLINK_REVERSE);
	if (!nest ||
	    wl_nl_put(skb, &wl_nl_reverse, TCA_WLINK_REVERSE_RATE,
		      &cfg->reverse) ||
	    wl_nl_put(skb, &wl_nl_reverse, TCA_WLINK_REVERSE_DELAY,
		      &cfg->reverse) ||
	    wl_nl_dump_channel(skb, TCA_WLINK_REVERSE_CHANNEL,
			       &cfg->reverse.channel))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}
