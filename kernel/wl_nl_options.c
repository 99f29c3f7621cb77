// SPDX-License-Identifier: GPL-2.0
/* TCA_OPTIONS: what may be in it, and the form of a whole message. */
#include "wl_netlink.h"
#include "wl_nl.h"

static struct netlink_range_validation rate_range = {
	.max = WLINK_RATE_MAX,
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
	[TCA_WLINK_RATE] = NLA_POLICY_FULL_RANGE(NLA_U64, &rate_range),	\
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

#define OF_MESSAGE {							\
	.type = NLA_REJECT,						\
	.reject_message = "is of the message, not of a bearer in it",	\
}

static const struct nla_policy options_policy[TCA_WLINK_MAX + 1] = {
	OF_BEARER,
	[TCA_WLINK_AT] = OF_MESSAGE,
	[TCA_WLINK_COOKIE] = OF_MESSAGE,
	[TCA_WLINK_BEARER] = OF_MESSAGE,
	[TCA_WLINK_PLAY] = OF_MESSAGE,
};

const struct nla_policy wl_nl_bearer_policy[TCA_WLINK_BEARER_MAX + 1] = {
	[TCA_WLINK_BEARER_NUMBER] = NLA_POLICY_RANGE(NLA_U32, 2,
						     WLINK_BEARERS_MAX),
	[TCA_WLINK_BEARER_OPTIONS] = NLA_POLICY_NESTED(options_policy),
};

static const struct nla_policy wlink_policy[TCA_WLINK_MAX + 1] = {
	OF_BEARER,
	[TCA_WLINK_AT] = { .type = NLA_U64 },
	[TCA_WLINK_COOKIE] = { .type = NLA_U64 },
	[TCA_WLINK_BEARER] = NLA_POLICY_NESTED(wl_nl_bearer_policy),
	[TCA_WLINK_PLAY] = NLA_POLICY_NESTED(wl_nl_play_policy),
};

#define ROW(name_, member_)	.name = name_, WL_NL_AT(struct wl_cfg, member_)

static const struct wl_nl_row wlink_rows[TCA_WLINK_MAX + 1] = {
	[TCA_WLINK_RATE] = { ROW("rate", rate_bps), .unit = "bit/s" },
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
	[TCA_WLINK_COOKIE] = { .name = "cookie" },
	[TCA_WLINK_BEARER] = { .name = "bearer" },
	[TCA_WLINK_PLAY] = { .name = "play" },
};

static const struct wl_nl_row bearer_rows[TCA_WLINK_BEARER_MAX + 1] = {
	[TCA_WLINK_BEARER_NUMBER] = { .name = "number" },
	[TCA_WLINK_BEARER_OPTIONS] = { .name = "options" },
};

#define NESTS								\
	[TCA_WLINK_LIMIT] = &limit_nest,				\
	[TCA_WLINK_CHANNEL] = &wl_nl_channel,				\
	[TCA_WLINK_RLC] = &wl_nl_rlc,					\
	[TCA_WLINK_REVERSE] = &wl_nl_reverse,				\
	[TCA_WLINK_AQM] = &wl_nl_aqm,					\
	[TCA_WLINK_PROFILE] = &wl_nl_profile

static const struct wl_nl_nest * const options_inner[TCA_WLINK_MAX + 1] = {
	NESTS,
};

static const struct wl_nl_nest options_nest = {
	.prefix = "", .policy = options_policy, .rows = wlink_rows,
	.inner = options_inner, .max = TCA_WLINK_MAX, .pad = TCA_WLINK_PAD,
};

static const struct wl_nl_nest * const
bearer_inner[TCA_WLINK_BEARER_MAX + 1] = {
	[TCA_WLINK_BEARER_OPTIONS] = &options_nest,
};

static const struct wl_nl_nest bearer_nest = {
	.prefix = "bearer ", .policy = wl_nl_bearer_policy,
	.rows = bearer_rows, .inner = bearer_inner,
	.max = TCA_WLINK_BEARER_MAX, .pad = TCA_WLINK_BEARER_PAD,
};

static const struct wl_nl_nest * const wlink_inner[TCA_WLINK_MAX + 1] = {
	NESTS,
	[TCA_WLINK_BEARER] = &bearer_nest,
	[TCA_WLINK_PLAY] = &wl_nl_play,
};

const struct wl_nl_nest wl_nl_options = {
	.prefix = "", .policy = wlink_policy, .rows = wlink_rows,
	.inner = wlink_inner, .max = TCA_WLINK_MAX, .pad = TCA_WLINK_PAD,
};

int wl_nl_split(struct nlattr *opt, struct nlattr **tb,
		struct netlink_ext_ack *extack)
{
	int err;

	memset(tb, 0, (TCA_WLINK_MAX + 1) * sizeof(*tb));
	if (!opt)
		return 0;
	err = nla_parse_nested(tb, TCA_WLINK_MAX, opt, wlink_policy, extack);
	if (err)
		wl_nl_explain(&wl_nl_options, opt, extack);
	return err;
}

static int require(const struct wl_nl_nest *nest, struct nlattr *outer,
		   int type, struct netlink_ext_ack *extack)
{
	if (nla_find_nested(outer, type))
		return 0;
	NL_SET_ERR_MSG_FMT(extack, "wlink: %s%s is required", nest->prefix,
			   nest->rows[type].name);
	NL_SET_BAD_ATTR(extack, outer);
	return -EINVAL;
}

/* What a policy cannot say of one attribute. */
static int validate(struct nlattr *opt, struct nlattr *attr,
		    struct netlink_ext_ack *extack)
{
	int err;

	switch (nla_type(attr)) {
	case TCA_WLINK_BEARER:
		err = require(&bearer_nest, attr, TCA_WLINK_BEARER_NUMBER,
			      extack);
		return err ?: require(&bearer_nest, attr,
				      TCA_WLINK_BEARER_OPTIONS, extack);
	case TCA_WLINK_PLAY:
		err = require(&wl_nl_play, attr, TCA_WLINK_PLAY_OP, extack);
		if (err || nla_len(opt) == nla_total_size(nla_len(attr)))
			return err;
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: play stands alone in its message");
		NL_SET_BAD_ATTR(extack, attr);
		return -EINVAL;
	default:
		return 0;
	}
}

int wl_netlink_validate(struct nlattr *opt, struct nlattr **tb,
			struct netlink_ext_ack *extack)
{
	struct nlattr *attr;
	int err, left;

	err = wl_nl_split(opt, tb, extack);
	if (err || !opt)
		return err;
	nla_for_each_nested(attr, opt, left) {
		err = validate(opt, attr, extack);
		if (err)
			break;
	}
	return err;
}
