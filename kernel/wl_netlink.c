// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink messages to struct wl_cfg and back. Ranges are in the policy; what
 * the policy says no to is said again with the attribute's name, because the
 * kernel's own text has neither name nor number.
 */
#include <linux/rtnetlink.h>
#include <net/netlink.h>

#include "wl_netlink.h"

static struct netlink_range_validation rate_range = {
	.min = WLINK_RATE_MIN, .max = WLINK_RATE_MAX,
};

static struct netlink_range_validation tti_range = {
	.max = WLINK_TTI_MAX,
};

static struct netlink_range_validation delay_range = {
	.max = WLINK_DELAY_MAX,
};

static struct netlink_range_validation pdu_range = {
	.max = WLINK_PDU_MAX,
};

static struct netlink_range_validation header_range = {
	.max = WLINK_HEADER_MAX,
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

static struct netlink_range_validation kind_range = {
	.max = WLINK_CHANNEL_MAX,
};

static const struct nla_policy limit_policy[TCA_WLINK_LIMIT_MAX + 1] = {
	[TCA_WLINK_LIMIT_PACKETS] = NLA_POLICY_FULL_RANGE(NLA_U32,
							  &packets_range),
	[TCA_WLINK_LIMIT_BYTES] = NLA_POLICY_FULL_RANGE(NLA_U32, &bytes_range),
	[TCA_WLINK_LIMIT_TIME] = NLA_POLICY_FULL_RANGE(NLA_U64, &time_range),
};

static const struct nla_policy channel_policy[TCA_WLINK_CHANNEL_MAX + 1] = {
	[TCA_WLINK_CHANNEL_KIND] = NLA_POLICY_FULL_RANGE(NLA_U32, &kind_range),
	[TCA_WLINK_CHANNEL_LOSS] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_P] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_R] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_LOSS_GOOD] = { .type = NLA_U32 },
	[TCA_WLINK_CHANNEL_LOSS_BAD] = { .type = NLA_U32 },
};

static const struct nla_policy wlink_policy[TCA_WLINK_MAX + 1] = {
	[TCA_WLINK_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rate_range),
	[TCA_WLINK_TTI] = NLA_POLICY_FULL_RANGE(NLA_U64, &tti_range),
	[TCA_WLINK_DELAY] = NLA_POLICY_FULL_RANGE(NLA_U64, &delay_range),
	[TCA_WLINK_PDU] = NLA_POLICY_FULL_RANGE(NLA_U32, &pdu_range),
	[TCA_WLINK_HEADER] = NLA_POLICY_FULL_RANGE(NLA_U32, &header_range),
	[TCA_WLINK_SEED] = { .type = NLA_U64 },
	[TCA_WLINK_LIMIT] = NLA_POLICY_NESTED(limit_policy),
	[TCA_WLINK_CHANNEL] = NLA_POLICY_NESTED(channel_policy),
};

/* What a nest holds, for messages. */
struct nest_words {
	const struct nla_policy *policy;
	int max;
	const char *prefix;
	const char * const *names;
	const char * const *units;
};

static const char * const wlink_names[] = {
	[TCA_WLINK_RATE] = "rate", [TCA_WLINK_TTI] = "tti",
	[TCA_WLINK_DELAY] = "delay", [TCA_WLINK_PDU] = "pdu",
	[TCA_WLINK_HEADER] = "header", [TCA_WLINK_SEED] = "seed",
	[TCA_WLINK_LIMIT] = "limit", [TCA_WLINK_CHANNEL] = "channel",
};

static const char * const wlink_units[TCA_WLINK_MAX + 1] = {
	[TCA_WLINK_RATE] = "bit/s", [TCA_WLINK_TTI] = "ns",
	[TCA_WLINK_DELAY] = "ns", [TCA_WLINK_PDU] = "bytes",
	[TCA_WLINK_HEADER] = "bytes",
};

static const char * const limit_names[] = {
	[TCA_WLINK_LIMIT_PACKETS] = "packets",
	[TCA_WLINK_LIMIT_BYTES] = "bytes", [TCA_WLINK_LIMIT_TIME] = "time",
};

static const char * const limit_units[TCA_WLINK_LIMIT_MAX + 1] = {
	[TCA_WLINK_LIMIT_TIME] = "ns",
};

static const char * const channel_names[] = {
	[TCA_WLINK_CHANNEL_KIND] = "kind", [TCA_WLINK_CHANNEL_LOSS] = "loss",
	[TCA_WLINK_CHANNEL_P] = "p", [TCA_WLINK_CHANNEL_R] = "r",
	[TCA_WLINK_CHANNEL_LOSS_GOOD] = "loss_good",
	[TCA_WLINK_CHANNEL_LOSS_BAD] = "loss_bad",
};

static const char * const channel_units[TCA_WLINK_CHANNEL_MAX + 1];

static const struct nest_words wlink_words = {
	wlink_policy, TCA_WLINK_MAX, "", wlink_names, wlink_units,
};

static const struct nest_words limit_words = {
	limit_policy, TCA_WLINK_LIMIT_MAX, "limit ", limit_names, limit_units,
};

static const struct nest_words channel_words = {
	channel_policy, TCA_WLINK_CHANNEL_MAX, "channel ", channel_names,
	channel_units,
};

static const char * const kind_names[] = {
	[WLINK_CHANNEL_NONE] = "none", [WLINK_CHANNEL_UNIFORM] = "uniform",
	[WLINK_CHANNEL_GILBERT] = "gilbert",
};

static int size_of(const struct nla_policy *pt)
{
	return pt->type == NLA_U64 ? sizeof(u64) : sizeof(u32);
}

/* Say what is wrong with an attribute that the policy refused. */
static void explain_attr(const struct nest_words *words,
			 const struct nlattr *attr,
			 struct netlink_ext_ack *extack)
{
	const struct nla_policy *pt;
	const char *name, *unit;
	u64 value;
	int type;

	type = nla_type(attr);
	if (type > words->max || !words->names[type]) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: unknown %sattribute %d",
				   words->prefix, type);
		return;
	}
	pt = &words->policy[type];
	name = words->names[type];
	if (pt->type == NLA_NESTED) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s is not a nested attribute",
				   name);
		return;
	}
	if (nla_len(attr) != size_of(pt)) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: %s%s has %d bytes, needs %d",
				   words->prefix, name, nla_len(attr),
				   size_of(pt));
		return;
	}
	if (pt->validation_type != NLA_VALIDATE_RANGE_PTR)
		return;
	unit = words->units[type];
	value = pt->type == NLA_U64 ? nla_get_u64(attr) : nla_get_u32(attr);
	NL_SET_ERR_MSG_FMT(extack, "wlink: %s%s %llu is outside %llu..%llu%s%s",
			   words->prefix, name, value, pt->range->min,
			   pt->range->max, unit ? " " : "", unit ?: "");
}

static const struct nest_words *inner_words(const struct nest_words *words,
					    const struct nlattr *attr)
{
	if (words != &wlink_words)
		return NULL;
	switch (nla_type(attr)) {
	case TCA_WLINK_LIMIT:
		return &limit_words;
	case TCA_WLINK_CHANNEL:
		return &channel_words;
	default:
		return NULL;
	}
}

/* Name the attribute whose length does not fit into its nest. The kernel's
 * parser stops there and has no more to say than that bytes are left over.
 */
static bool explain_length(const struct nest_words *words,
			   const struct nlattr *nest,
			   struct netlink_ext_ack *extack)
{
	const struct nest_words *inner;
	const struct nlattr *attr;
	int left, type;

	nla_for_each_nested(attr, nest, left) {
		inner = inner_words(words, attr);
		if (inner && explain_length(inner, attr, extack))
			return true;
	}
	if (left < (int)sizeof(*attr))
		return false;
	type = nla_type(attr);
	NL_SET_ERR_MSG_FMT(extack,
			   "wlink: %s%s has a length of %d, %d bytes are left",
			   words->prefix,
			   type <= words->max && words->names[type] ?
			   words->names[type] : "attribute",
			   attr->nla_len, left);
	return true;
}

static void explain(struct nlattr *opt, struct netlink_ext_ack *extack)
{
	const struct nest_words *words = &wlink_words;
	const struct nlattr *bad, *attr;
	int left;

	if (!extack)
		return;
	bad = extack->bad_attr;
	if (!bad || bad == opt) {
		if (bad || !explain_length(words, opt, extack))
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: options are malformed: %s",
					   extack->_msg ?: "bytes are left");
		return;
	}
	nla_for_each_nested(attr, opt, left) {
		if (bad <= attr || (void *)bad >= (void *)attr + attr->nla_len)
			continue;
		words = inner_words(words, attr) ?: &wlink_words;
	}
	explain_attr(words, bad, extack);
}

static int parse_limit(struct wl_limit *limit, struct nlattr *nest,
		       struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_LIMIT_MAX + 1];
	int err, units;

	err = nla_parse_nested(tb, TCA_WLINK_LIMIT_MAX, nest, limit_policy,
			       extack);
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

/* Which members a kind has, which of them a new one cannot do without. */
struct chan_member {
	int type;
	enum wlink_channel kind;
	size_t offset;
	bool required;
};

static const struct chan_member chan_members[] = {
	{ TCA_WLINK_CHANNEL_LOSS, WLINK_CHANNEL_UNIFORM,
	  offsetof(struct wl_chan_cfg, loss_q32), true },
	{ TCA_WLINK_CHANNEL_P, WLINK_CHANNEL_GILBERT,
	  offsetof(struct wl_chan_cfg, p_q32), true },
	{ TCA_WLINK_CHANNEL_R, WLINK_CHANNEL_GILBERT,
	  offsetof(struct wl_chan_cfg, r_q32), true },
	{ TCA_WLINK_CHANNEL_LOSS_GOOD, WLINK_CHANNEL_GILBERT,
	  offsetof(struct wl_chan_cfg, loss_good_q32), false },
	{ TCA_WLINK_CHANNEL_LOSS_BAD, WLINK_CHANNEL_GILBERT,
	  offsetof(struct wl_chan_cfg, loss_bad_q32), false },
};

static int parse_channel(struct wl_chan_cfg *chan, struct nlattr *nest,
			 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_CHANNEL_MAX + 1];
	enum wlink_channel kind = chan->kind;
	bool fresh;
	int err, i;

	err = nla_parse_nested(tb, TCA_WLINK_CHANNEL_MAX, nest, channel_policy,
			       extack);
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
	for (i = 0; i < ARRAY_SIZE(chan_members); i++) {
		const struct chan_member *member = &chan_members[i];
		struct nlattr *attr = tb[member->type];

		if (attr && member->kind != kind) {
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: channel %s is not part of kind %s",
					   channel_names[member->type],
					   kind_names[kind]);
			NL_SET_BAD_ATTR(extack, attr);
			return -EINVAL;
		}
		if (attr)
			*(u32 *)((void *)chan + member->offset) =
				nla_get_u32(attr);
		else if (fresh && member->required && member->kind == kind) {
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: channel %s is required for kind %s",
					   channel_names[member->type],
					   kind_names[kind]);
			NL_SET_BAD_ATTR(extack, nest);
			return -EINVAL;
		}
	}
	return 0;
}

static int parse(struct wl_cfg *cfg, struct nlattr **tb,
		 struct netlink_ext_ack *extack)
{
	int err = 0;

	if (tb[TCA_WLINK_RATE])
		cfg->rate_bps = nla_get_u64(tb[TCA_WLINK_RATE]);
	if (tb[TCA_WLINK_TTI])
		cfg->tti_ns = nla_get_u64(tb[TCA_WLINK_TTI]);
	if (tb[TCA_WLINK_DELAY])
		cfg->delay_ns = nla_get_u64(tb[TCA_WLINK_DELAY]);
	if (tb[TCA_WLINK_PDU])
		cfg->pdu_bytes = nla_get_u32(tb[TCA_WLINK_PDU]);
	if (tb[TCA_WLINK_HEADER])
		cfg->header_bytes = nla_get_u32(tb[TCA_WLINK_HEADER]);
	if (tb[TCA_WLINK_SEED])
		cfg->seed = nla_get_u64(tb[TCA_WLINK_SEED]);
	if (tb[TCA_WLINK_LIMIT])
		err = parse_limit(&cfg->limit, tb[TCA_WLINK_LIMIT], extack);
	if (!err && tb[TCA_WLINK_CHANNEL])
		err = parse_channel(&cfg->channel, tb[TCA_WLINK_CHANNEL],
				    extack);
	return err;
}

int wl_netlink_parse(struct wl_cfg *cfg, struct nlattr *opt, bool *reseed,
		     struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_MAX + 1] = { };
	struct wl_cfg wanted = *cfg;
	struct wl_refusal why;
	int err = 0;

	if (opt)
		err = nla_parse_nested(tb, TCA_WLINK_MAX, opt, wlink_policy,
				       extack);
	if (err) {
		explain(opt, extack);
		return err;
	}
	err = parse(&wanted, tb, extack);
	if (err)
		return err;
	/* 0 never gets past the policy: nobody has given a rate yet. */
	if (!wanted.rate_bps) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: rate is required");
		return -EINVAL;
	}
	err = wl_cfg_check(&wanted, &why);
	/* The engine takes any, a CPU has to live through each of them. */
	if (!err && wanted.tti_ns && wanted.tti_ns < WLINK_TTI_MIN) {
		why = (struct wl_refusal){ "tti", "ns, or 0", wanted.tti_ns,
					   WLINK_TTI_MIN, WLINK_TTI_MAX };
		err = -ERANGE;
	}
	if (err) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s %llu is outside %llu..%llu %s",
				   why.what, why.value, why.min, why.max,
				   why.unit);
		return err;
	}
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

static int dump_channel(struct sk_buff *skb, const struct wl_chan_cfg *chan)
{
	struct nlattr *nest = nla_nest_start(skb, TCA_WLINK_CHANNEL);
	int err, i;

	if (!nest)
		return -EMSGSIZE;
	err = nla_put_u32(skb, TCA_WLINK_CHANNEL_KIND, chan->kind);
	for (i = 0; !err && i < ARRAY_SIZE(chan_members); i++)
		if (chan_members[i].kind == chan->kind)
			err = nla_put_u32(skb, chan_members[i].type,
					  *(u32 *)((void *)chan +
						   chan_members[i].offset));
	if (err)
		return err;
	nla_nest_end(skb, nest);
	return 0;
}

int wl_netlink_dump(struct sk_buff *skb, const struct wl_cfg *cfg)
{
	struct nlattr *nest = nla_nest_start(skb, TCA_OPTIONS);

	if (!nest ||
	    nla_put_u64_64bit(skb, TCA_WLINK_RATE, cfg->rate_bps,
			      TCA_WLINK_PAD) ||
	    nla_put_u64_64bit(skb, TCA_WLINK_TTI, cfg->tti_ns,
			      TCA_WLINK_PAD) ||
	    nla_put_u64_64bit(skb, TCA_WLINK_DELAY, cfg->delay_ns,
			      TCA_WLINK_PAD) ||
	    nla_put_u32(skb, TCA_WLINK_PDU, cfg->pdu_bytes) ||
	    nla_put_u32(skb, TCA_WLINK_HEADER, cfg->header_bytes) ||
	    nla_put_u64_64bit(skb, TCA_WLINK_SEED, cfg->seed, TCA_WLINK_PAD) ||
	    dump_limit(skb, &cfg->limit) || dump_channel(skb, &cfg->channel))
		return -EMSGSIZE;
	return nla_nest_end(skb, nest);
}
