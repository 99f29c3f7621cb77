// SPDX-License-Identifier: GPL-2.0
/* AQMs. */
#include "attr.h"

#define RED		BIT(WLINK_AQM_RED)
#define SBD		BIT(WLINK_AQM_SBD)
#define CODEL		BIT(WLINK_AQM_CODEL)
#define ALL		(BIT(WLINK_AQM_DROPTAIL) | RED | SBD | CODEL)

#define AQM(kinds_, member_)	WL_AT(kinds_, struct wl_aqm_cfg, member_)
#define TIMER(min_, also_, bounds_)					\
	.type = NLA_U64, .min = (min_), .max = WLINK_TIMER_MAX,		\
	.also = (also_), .unit = " ns", .bounds = bounds_
#define ALWAYS		TIMER(WLINK_TIMER_MIN, WLINK_TIMER_MIN, "1us..1h")
#define FROM_OR_OFF	TIMER(0, WLINK_TIMER_OFF, "0..1h, or off")
#define TO_OR_OFF	TIMER(WLINK_TIMER_MIN, WLINK_TIMER_OFF, "1us..1h, or off")

static const struct wl_attr aqm_attrs[TCA_WLINK_AQM_MAX + 1] = {
	[TCA_WLINK_AQM_KIND] = { "kind", WL_U32(0, WLINK_AQM_MAX), AQM(ALL, kind) },
	[TCA_WLINK_AQM_UNIT] = { "unit", WL_U32(0, WLINK_UNIT_MAX), AQM(RED | SBD, unit) },
	[TCA_WLINK_AQM_MINTH] = { "minth", WL_U32(1, U32_MAX), AQM(RED | SBD, minth),
				  .needed = true },
	[TCA_WLINK_AQM_MAXTH] = { "maxth", WL_U32(0, U32_MAX), AQM(RED | SBD, maxth) },
	[TCA_WLINK_AQM_MAXP] = { "maxp", WL_U32(1, U32_MAX), AQM(RED, maxp_q32),
				 .unit = "/ 2^32", .needed = true },
	[TCA_WLINK_AQM_COUNT] = { "count", WL_FLAG, AQM(RED, count) },
	[TCA_WLINK_AQM_GENTLE] = { "gentle", WL_FLAG, AQM(RED, gentle) },
	[TCA_WLINK_AQM_HEAD] = { "head", WL_FLAG, AQM(RED | SBD, head) },
	[TCA_WLINK_AQM_WEIGHT] = { "weight", WL_U32(1, U32_MAX), AQM(RED, weight_q32),
				   .unit = "/ 2^32" },
	[TCA_WLINK_AQM_SDU] = { "sdu", WL_U32(1, WLINK_LIMIT_BYTES_MAX), AQM(RED | SBD, sdu_bytes),
				.unit = "bytes" },
	[TCA_WLINK_AQM_ALPHA] = { "alpha", WL_U32(1, WLINK_ALPHA_SDUS_MAX), AQM(SBD, alpha) },
	[TCA_WLINK_AQM_TR] = { "tr", ALWAYS, AQM(SBD, tr_ns), .needed = true },
	[TCA_WLINK_AQM_TARGET] = { "target", ALWAYS, AQM(CODEL, target_ns) },
	[TCA_WLINK_AQM_INTERVAL] = { "interval", ALWAYS, AQM(CODEL, interval_ns) },
	[TCA_WLINK_AQM_ECN] = { "ecn", WL_FLAG, AQM(RED | SBD | CODEL, ecn) },
	[TCA_WLINK_AQM_RAMP_FROM] = { "ramp_from", FROM_OR_OFF, AQM(ALL, ramp_from_ns) },
	[TCA_WLINK_AQM_RAMP_TO] = { "ramp_to", TO_OR_OFF, AQM(ALL, ramp_to_ns) },
	[TCA_WLINK_AQM_HOLD] = { "hold", WL_FLAG, AQM(SBD, hold) },
	[TCA_WLINK_AQM_CLAMP] = { "clamp", WL_FLAG, AQM(SBD, clamp) },
};

static const char * const aqm_kinds[] = {
	[WLINK_AQM_DROPTAIL] = "droptail", [WLINK_AQM_RED] = "red",
	[WLINK_AQM_SBD] = "sbd", [WLINK_AQM_CODEL] = "codel",
};

const struct wl_nest wl_nest_aqm = {
	.prefix = "aqm ", .attrs = aqm_attrs, .max = TCA_WLINK_AQM_MAX,
	.kind = "kind", .kinds = aqm_kinds,
};

const struct wl_nest wl_nest_row_aqm = {
	.prefix = "row aqm ", .attrs = aqm_attrs, .max = TCA_WLINK_AQM_MAX,
};

static void aqm_convert(u32 *value, const struct wl_aqm_cfg *aqm)
{
	u64 bytes = (u64)*value * aqm->sdu_bytes;

	if (aqm->unit == WLINK_UNIT_BYTES)
		*value = min_t(u64, bytes, U32_MAX);
	else
		*value = max(*value / aqm->sdu_bytes, 1U);
}

/* Convert the present thresholds to a new unit, before new values replace them. */
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

int wl_aqm_parse(struct wl_aqm_cfg *aqm, struct nlattr *attr,
		 struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_AQM_MAX + 1];
	enum wlink_aqm kind = aqm->kind;
	bool fresh, from, to;
	int err;

	if (!attr)
		return 0;
	wl_nest_read(&wl_nest_aqm, attr, tb);
	if (tb[TCA_WLINK_AQM_KIND])
		kind = nla_get_u32(tb[TCA_WLINK_AQM_KIND]);
	if (kind == WLINK_AQM_DROPTAIL && tb[TCA_WLINK_AQM_ECN])
		return wl_refuse(extack, tb[TCA_WLINK_AQM_ECN], -EINVAL,
				 "wlink: aqm droptail cannot mark, ecn needs red, sbd or codel");
	fresh = kind != aqm->kind;
	if (fresh)
		wl_aqm_default(aqm, kind);
	if (BIT(kind) & (RED | SBD))
		aqm_set_unit(aqm, tb);
	err = wl_nest_take(&wl_nest_aqm, tb, attr, kind, fresh, aqm, extack);
	if (err)
		return err;
	from = aqm->ramp_from_ns != WLINK_TIMER_OFF;
	to = aqm->ramp_to_ns != WLINK_TIMER_OFF;
	if (from == to)
		return 0;
	return wl_refuse(extack, attr, -EINVAL,
			 "wlink: aqm ramp_from is %s, ramp_to is %s",
			 from ? "on" : "off", to ? "on" : "off");
}
