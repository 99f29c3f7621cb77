// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The kinds of AQMs. Another one is a file with its struct wl_aqm_ops, and a line in
 * the table below.
 */
#include "aqm.h"

static const struct wl_aqm_ops *const aqm_kinds[] = {
	[WLINK_AQM_DROPTAIL] = NULL,
	[WLINK_AQM_RED] = &wl_red_ops,
	[WLINK_AQM_SBD] = &wl_sbd_ops,
	[WLINK_AQM_CODEL] = &wl_codel_ops,
};

void wl_aqm_start(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	aqm->ops = aqm_kinds[at->cfg->kind];
	aqm->maxth = at->maxth;
	if (aqm->ops)
		aqm->ops->start(aqm, at);
}

/* What goes, and whether a mark will do, does not touch when it goes. A maxth
 * counts by what it comes to.
 */
static bool aqm_same_rule(const struct wl_aqm_cfg *cfg, const struct wl_aqm_cfg *old)
{
	struct wl_aqm_cfg rest = *old;

	rest.maxth = cfg->maxth;
	rest.head = cfg->head;
	rest.ecn = cfg->ecn;
	rest.ramp_from_ns = cfg->ramp_from_ns;
	rest.ramp_to_ns = cfg->ramp_to_ns;
	return !memcmp(&rest, cfg, sizeof(rest));
}

void wl_aqm_change(struct wl_aqm *aqm, const struct wl_aqm_at *at,
		   const struct wl_aqm_cfg *old)
{
	bool same = aqm_same_rule(at->cfg, old) && aqm->maxth == at->maxth;
	enum wlink_aqm kind = at->cfg->kind;

	/* An average of SDUs says nothing of bytes. */
	if (kind != old->kind ||
	    (kind == WLINK_AQM_RED && at->cfg->unit != old->unit)) {
		wl_aqm_start(aqm, at);
		return;
	}
	aqm->maxth = at->maxth;
	if (!same && aqm->ops && aqm->ops->changed)
		aqm->ops->changed(aqm, at);
}

bool wl_aqm_ramp(struct wl_aqm *aqm, const struct wl_aqm_cfg *cfg,
		 u64 sojourn_ns)
{
	u64 part, span;
	u32 shift = 0;

	if (sojourn_ns <= cfg->ramp_from_ns)
		return false;
	if (sojourn_ns >= cfg->ramp_to_ns)
		return true;
	part = sojourn_ns - cfg->ramp_from_ns;
	span = cfg->ramp_to_ns - cfg->ramp_from_ns;
	/* The quotient keeps 31 bits at least. */
	if (span > U32_MAX)
		shift = ilog2(span) - 31;
	part = div64_u64((part >> shift) << 32, span >> shift);
	return wl_rng_chance(&aqm->rng, min_t(u64, part, WLINK_PROB_ONE));
}

u64 wl_aqm_state(const struct wl_aqm *aqm)
{
	return aqm->ops && aqm->ops->state ? aqm->ops->state(aqm) : 0;
}

u64 wl_aqm_level(const struct wl_aqm *aqm)
{
	return aqm->ops ? aqm->ops->level(aqm) : 0;
}

/* One of the two being off is a value out of the other's bounds. */
static int aqm_check_ramp(const struct wl_aqm_cfg *aqm, struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ "aqm ramp_to", "ns", aqm->ramp_to_ns, WLINK_TIMER_MIN,
		  WLINK_TIMER_MAX },
		{ "aqm ramp_from", "ns", aqm->ramp_from_ns, 0,
		  aqm->ramp_to_ns - 1 },
	};

	if (aqm->ramp_from_ns == WL_NEVER_NS && aqm->ramp_to_ns == WL_NEVER_NS)
		return 0;
	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

int wl_aqm_check(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		 struct wl_refusal *why)
{
	const struct wl_refusal kind = { "aqm", "", aqm->kind, 0,
					 WLINK_AQM_MAX };
	const struct wl_refusal ecn = { "aqm ecn", "with aqm droptail",
					aqm->ecn, 0, 0 };
	int err = wl_within(why, &kind, 1) ?: aqm_check_ramp(aqm, why);

	if (err)
		return err;
	if (!aqm_kinds[aqm->kind])
		return wl_within(why, &ecn, 1);
	return aqm_kinds[aqm->kind]->check(aqm, cfg, why);
}
