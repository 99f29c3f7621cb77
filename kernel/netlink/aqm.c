// SPDX-License-Identifier: GPL-2.0
/* AQMs. */
#include <wlink/words.h>

#include "attr.h"

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
	if (BIT(kind) & (WL_IS_RED | WL_IS_SBD))
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
