// SPDX-License-Identifier: GPL-2.0
/* AQMs. */
#include "attr.h"

#define RED		BIT(WLINK_AQM_RED)
#define SBD		BIT(WLINK_AQM_SBD)
#define CODEL		BIT(WLINK_AQM_CODEL)
#define ALL		(BIT(WLINK_AQM_DROPTAIL) | RED | SBD | CODEL)

#define FLAG		NLA_POLICY_MAX(NLA_U32, 1)
#define FROM_1		NLA_POLICY_FULL_RANGE(NLA_U32, &from_1_range)
#define TIMER		{ .type = NLA_U64 }

static struct netlink_range_validation from_1_range = {
	.min = 1, .max = U32_MAX,
};

static struct netlink_range_validation sdu_range = {
	.min = 1, .max = WLINK_LIMIT_BYTES_MAX,
};

static struct netlink_range_validation alpha_range = {
	.min = 1, .max = WLINK_ALPHA_SDUS_MAX,
};

const struct nla_policy wl_nl_aqm_policy[TCA_WLINK_AQM_MAX + 1] = {
	[TCA_WLINK_AQM_KIND] = NLA_POLICY_MAX(NLA_U32, WLINK_AQM_MAX),
	[TCA_WLINK_AQM_UNIT] = NLA_POLICY_MAX(NLA_U32, WLINK_UNIT_MAX),
	[TCA_WLINK_AQM_MINTH] = FROM_1,
	[TCA_WLINK_AQM_MAXTH] = { .type = NLA_U32 },
	[TCA_WLINK_AQM_MAXP] = FROM_1,
	[TCA_WLINK_AQM_COUNT] = FLAG,
	[TCA_WLINK_AQM_GENTLE] = FLAG,
	[TCA_WLINK_AQM_HEAD] = FLAG,
	[TCA_WLINK_AQM_WEIGHT] = FROM_1,
	[TCA_WLINK_AQM_SDU] = NLA_POLICY_FULL_RANGE(NLA_U32, &sdu_range),
	[TCA_WLINK_AQM_ALPHA] = NLA_POLICY_FULL_RANGE(NLA_U32, &alpha_range),
	[TCA_WLINK_AQM_TR] = TIMER,
	[TCA_WLINK_AQM_TARGET] = TIMER,
	[TCA_WLINK_AQM_INTERVAL] = TIMER,
	[TCA_WLINK_AQM_ECN] = FLAG,
	[TCA_WLINK_AQM_RAMP_FROM] = TIMER,
	[TCA_WLINK_AQM_RAMP_TO] = TIMER,
	[TCA_WLINK_AQM_HOLD] = FLAG,
};

#define ROW(name_, part_, member_)					\
	.name = name_, .part = (part_), WL_NL_AT(struct wl_aqm_cfg, member_)
#define TIMES(name_, part_, member_, bounds_, min_, also_)		\
	ROW(name_, part_, member_), .unit = " ns", .bounds = bounds_,	\
	.min = (min_), .max = WLINK_TIMER_MAX, .also = (also_)
#define ALWAYS(name_, part_, member_)					\
	TIMES(name_, part_, member_, "1us..1h", WLINK_TIMER_MIN,	\
	      WLINK_TIMER_MIN)

static const struct wl_nl_row aqm_rows[TCA_WLINK_AQM_MAX + 1] = {
	[TCA_WLINK_AQM_KIND] = { ROW("kind", ALL, kind) },
	[TCA_WLINK_AQM_UNIT] = { ROW("unit", RED | SBD, unit) },
	[TCA_WLINK_AQM_MINTH] = {
		ROW("minth", RED | SBD, minth), .needed = true
	},
	[TCA_WLINK_AQM_MAXTH] = { ROW("maxth", RED | SBD, maxth) },
	[TCA_WLINK_AQM_MAXP] = {
		ROW("maxp", RED, maxp_q32), .needed = true, .unit = "/ 2^32"
	},
	[TCA_WLINK_AQM_COUNT] = { ROW("count", RED, count) },
	[TCA_WLINK_AQM_GENTLE] = { ROW("gentle", RED, gentle) },
	[TCA_WLINK_AQM_HEAD] = { ROW("head", RED | SBD, head) },
	[TCA_WLINK_AQM_WEIGHT] = {
		ROW("weight", RED, weight_q32), .unit = "/ 2^32"
	},
	[TCA_WLINK_AQM_SDU] = {
		ROW("sdu", RED | SBD, sdu_bytes), .unit = "bytes"
	},
	[TCA_WLINK_AQM_ALPHA] = { ROW("alpha", SBD, alpha) },
	[TCA_WLINK_AQM_TR] = { ALWAYS("tr", SBD, tr_ns), .needed = true },
	[TCA_WLINK_AQM_TARGET] = { ALWAYS("target", CODEL, target_ns) },
	[TCA_WLINK_AQM_INTERVAL] = { ALWAYS("interval", CODEL, interval_ns) },
	[TCA_WLINK_AQM_ECN] = { ROW("ecn", RED | SBD | CODEL, ecn) },
	[TCA_WLINK_AQM_RAMP_FROM] = {
		TIMES("ramp_from", ALL, ramp_from_ns, "0..1h, or off", 0,
		      WLINK_TIMER_OFF)
	},
	[TCA_WLINK_AQM_RAMP_TO] = {
		TIMES("ramp_to", ALL, ramp_to_ns, "1us..1h, or off",
		      WLINK_TIMER_MIN, WLINK_TIMER_OFF)
	},
	[TCA_WLINK_AQM_HOLD] = { ROW("hold", SBD, hold) },
};

const struct wl_nl_nest wl_nl_aqm = {
	.prefix = "aqm ", .policy = wl_nl_aqm_policy, .rows = aqm_rows,
	.max = TCA_WLINK_AQM_MAX, .pad = TCA_WLINK_AQM_PAD,
};

const struct wl_nl_nest wl_nl_row_aqm = {
	.prefix = "row aqm ", .policy = wl_nl_aqm_policy, .rows = aqm_rows,
	.max = TCA_WLINK_AQM_MAX, .pad = TCA_WLINK_AQM_PAD,
};

static const char * const kind_names[] = {
	[WLINK_AQM_DROPTAIL] = "droptail", [WLINK_AQM_RED] = "red",
	[WLINK_AQM_SBD] = "sbd", [WLINK_AQM_CODEL] = "codel",
};

static void aqm_convert(u32 *value, const struct wl_aqm_cfg *aqm)
{
	u64 bytes = (u64)*value * aqm->sdu_bytes;

	if (aqm->unit == WLINK_UNIT_BYTES)
		*value = min_t(u64, bytes, U32_MAX);
	else
		*value = max(*value / aqm->sdu_bytes, 1U);
}

/* Tell what there is in another unit, before what is given takes its place. */
static void aqm_set_unit(struct wl_aqm_cfg *aqm, struct nlattr **tb)
{
	struct nlattr *attr = tb[TCA_WLINK_AQM_UNIT];

	if (!attr || nla_get_u32(attr) == aqm->unit)
		return;
	aqm->unit = nla_get_u32(attr);
	if (tb[TCA_WLINK_AQM_SDU])
		aqm->sdu_bytes = nla_get_u32(tb[TCA_WLINK_AQM_SDU]);
	if (aqm->minth)
		aqm_convert(&aqm->minth, aqm);
	if (aqm->maxth != WLINK_MAXTH_LIMIT)
		aqm_convert(&aqm->maxth, aqm);
	aqm_convert(&aqm->alpha, aqm);
}

static int aqm_check_ramp(const struct wl_aqm_cfg *aqm, struct nlattr *outer,
			  struct netlink_ext_ack *extack)
{
	bool from = aqm->ramp_from_ns != WLINK_TIMER_OFF;
	bool to = aqm->ramp_to_ns != WLINK_TIMER_OFF;

	if (from == to)
		return 0;
	NL_SET_ERR_MSG_FMT(extack, "wlink: aqm ramp_from is %s, ramp_to is %s",
			   from ? "on" : "off", to ? "on" : "off");
	NL_SET_BAD_ATTR(extack, outer);
	return -EINVAL;
}

static int aqm_refuse_ecn(struct nlattr *attr, struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG_FMT(extack,
			   "wlink: aqm droptail cannot mark, ecn needs red, sbd or codel");
	NL_SET_BAD_ATTR(extack, attr);
	return -EINVAL;
}

int wl_nl_parse_aqm(struct wl_aqm_cfg *aqm, struct nlattr *attr,
		    struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_AQM_MAX + 1];
	enum wlink_aqm kind = aqm->kind;
	bool fresh;
	int err;

	if (!attr)
		return 0;
	err = nla_parse_nested(tb, TCA_WLINK_AQM_MAX, attr, wl_nl_aqm_policy,
			       extack);
	if (err)
		return err;
	if (tb[TCA_WLINK_AQM_KIND])
		kind = nla_get_u32(tb[TCA_WLINK_AQM_KIND]);
	if (kind == WLINK_AQM_DROPTAIL && tb[TCA_WLINK_AQM_ECN])
		return aqm_refuse_ecn(tb[TCA_WLINK_AQM_ECN], extack);
	fresh = kind != aqm->kind;
	if (fresh)
		wl_aqm_default(aqm, kind);
	if (BIT(kind) & (RED | SBD))
		aqm_set_unit(aqm, tb);
	err = wl_nl_take_members(&wl_nl_aqm, tb, attr, kind, kind_names[kind],
				 fresh, aqm, extack);
	return err ?: aqm_check_ramp(aqm, attr, extack);
}

int wl_nl_dump_aqm(struct sk_buff *skb, int type, const struct wl_aqm_cfg *aqm)
{
	return wl_nl_put_members(skb, &wl_nl_aqm, type, aqm->kind, aqm);
}

bool wl_nl_same_aqm(const struct wl_aqm_cfg *a, const struct wl_aqm_cfg *b)
{
	int i;

	for (i = TCA_WLINK_AQM_KIND; i <= TCA_WLINK_AQM_MAX; i++)
		if (!wl_nl_same(&wl_nl_aqm, i, a, b))
			return false;
	return true;
}
