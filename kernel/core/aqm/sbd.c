// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Slope based discard (Alcaraz and Cerdan). From an occupancy BO on, it looks
 * whether alpha more come within C_n. Where they do, the buffer fills faster
 * than r_c = alpha / C_n, the rate at which it would reach maxth before a sender
 * that is told now reacts, T_r later: a SDU goes, and then none for T_r.
 *
 * That is what the paper says. The pseudo-code that it prints measures on after a
 * drop, with T_r beside, whose end begins a measurement anew; its results are
 * those of the pseudo-code.
 */
#include "aqm.h"

/* What alpha * tr may be, so that C_n fits beside any time. */
#define ALPHA_TR_MAX	(1ULL << 62)

static void sbd_idle(struct wl_sbd *sbd)
{
	sbd->state = WL_SBD_IDLE;
	sbd->end_ns = WL_NEVER_NS;
	sbd->th = 0;
}

/* An empty buffer has no slope, and a link at rest needs no timer. */
static bool sbd_high(const struct wl_aqm_at *at)
{
	return at->bo && at->bo + at->cfg->alpha >= at->cfg->minth;
}

static u64 sbd_sdu(const struct wl_aqm_cfg *cfg)
{
	return cfg->unit == WLINK_UNIT_BYTES ? max(cfg->sdu_bytes, 1U) : 1;
}

/* Without a SDU of room C_n would not end where th_n reaches maxth. Its floor
 * is that of every timer. A th_n above what the buffer can hold is never reached:
 * the limit drops there, unless th_n is clamped, which the paper does not do.
 */
static void sbd_look(struct wl_sbd *sbd, const struct wl_aqm_at *at)
{
	const struct wl_aqm_cfg *cfg = at->cfg;
	u64 c_ns, room = sbd_sdu(cfg);

	if (!sbd_high(at)) {
		sbd_idle(sbd);
		return;
	}
	sbd->state = WL_SBD_MEASURE;
	sbd->th = at->bo + cfg->alpha;
	if (sbd->th < at->maxth)
		room = max(at->maxth - sbd->th, room);
	else if (cfg->clamp)
		sbd->th = at->maxth;
	c_ns = div64_u64(cfg->alpha * cfg->tr_ns, room);
	sbd->end_ns = at->now_ns + max(c_ns, WLINK_TIMER_MIN);
}

static void sbd_start(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	sbd_idle(&aqm->sbd);
	aqm->sbd.again_ns = WL_NEVER_NS;
}

static void sbd_dropped(struct wl_sbd *sbd, const struct wl_aqm_at *at)
{
	u64 end_ns = at->now_ns + at->cfg->tr_ns;

	if (at->cfg->hold) {
		sbd->state = WL_SBD_HOLD;
		sbd->end_ns = end_ns;
	} else {
		sbd->again_ns = end_ns;
		sbd_look(sbd, at);
	}
}

static bool sbd_arrived(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	struct wl_sbd *sbd = &aqm->sbd;

	if (sbd->state == WL_SBD_MEASURE && at->bo >= sbd->th) {
		sbd_dropped(sbd, at);
		return true;
	}
	if (sbd->state == WL_SBD_IDLE)
		sbd_look(sbd, at);
	return false;
}

static u64 sbd_next_ns(const struct wl_aqm *aqm)
{
	return min(aqm->sbd.end_ns, aqm->sbd.again_ns);
}

/* Where the end of T_r finds the buffer low, a C_n that runs goes on. */
static void sbd_expired(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	struct wl_sbd *sbd = &aqm->sbd;

	if (sbd->again_ns <= at->now_ns) {
		sbd->again_ns = WL_NEVER_NS;
		if (sbd->end_ns > at->now_ns && !sbd_high(at))
			return;
	}
	sbd_look(sbd, at);
}

static void sbd_changed(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	u64 end_ns = at->now_ns + at->cfg->tr_ns;
	struct wl_sbd *sbd = &aqm->sbd;

	if (at->cfg->hold)
		sbd->again_ns = WL_NEVER_NS;
	else if (sbd->again_ns != WL_NEVER_NS)
		sbd->again_ns = min(sbd->again_ns, end_ns);
	if (sbd->state == WL_SBD_HOLD && at->cfg->hold)
		sbd->end_ns = min(sbd->end_ns, end_ns);
	else if (sbd->state != WL_SBD_IDLE)
		sbd_look(sbd, at);
}

static u64 sbd_state(const struct wl_aqm *aqm)
{
	return aqm->sbd.state;
}

static u64 sbd_level(const struct wl_aqm *aqm)
{
	return aqm->sbd.th;
}

static int sbd_check(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		     struct wl_refusal *why)
{
	u64 tr_ns = max(aqm->tr_ns, 1ULL);
	const struct wl_refusal bounds[] = {
		{ "aqm tr", "ns", aqm->tr_ns, WLINK_TIMER_MIN,
		  WLINK_TIMER_MAX },
		{ "aqm alpha", wl_aqm_unit(aqm), aqm->alpha, 1,
		  min(wl_aqm_maxth(aqm, cfg), div64_u64(ALPHA_TR_MAX, tr_ns)) },
	};

	return wl_aqm_check_thresholds(aqm, cfg, why) ?:
	       wl_within(why, bounds, ARRAY_SIZE(bounds));
}

const struct wl_aqm_ops wl_sbd_ops = {
	.start = sbd_start,
	.arrived = sbd_arrived,
	.next_ns = sbd_next_ns,
	.expired = sbd_expired,
	.changed = sbd_changed,
	.state = sbd_state,
	.level = sbd_level,
	.check = sbd_check,
};
