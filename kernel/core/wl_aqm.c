// SPDX-License-Identifier: GPL-2.0
#include "wl_aqm.h"

static const struct wl_aqm_ops *const kinds[] = {
	[WLINK_AQM_DROPTAIL] = NULL,
	[WLINK_AQM_RED] = &wl_red_ops,
	[WLINK_AQM_SBD] = &wl_sbd_ops,
	[WLINK_AQM_CODEL] = &wl_codel_ops,
};

void wl_aqm_start(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	aqm->ops = kinds[at->cfg->kind];
	aqm->maxth = at->maxth;
	if (aqm->ops)
		aqm->ops->start(aqm, at);
}

/* What goes, and whether a mark will do, does not touch when it goes. A maxth
 * counts by what it comes to.
 */
static bool same_rule(const struct wl_aqm_cfg *cfg, const struct wl_aqm_cfg *old)
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
	bool same = same_rule(at->cfg, old) && aqm->maxth == at->maxth;
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
	if (aqm->ops == &wl_sbd_ops)
		return aqm->sbd.state;
	if (aqm->ops == &wl_codel_ops)
		return aqm->codel.dropping;
	return 0;
}

u64 wl_aqm_level(const struct wl_aqm *aqm)
{
	if (aqm->ops == &wl_red_ops)
		return mul_u64_u64_shr(aqm->red.avg_q24, 1000, 24);
	if (aqm->ops == &wl_sbd_ops)
		return aqm->sbd.th;
	if (aqm->ops == &wl_codel_ops && aqm->codel.dropping)
		return aqm->codel.count;
	return 0;
}
