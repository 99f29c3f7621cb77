// SPDX-License-Identifier: GPL-2.0
/*
 * Slope based discard (Alcaraz and Cerdan). From an occupancy BO on, it looks
 * whether alpha more come within C_n. Where they do, the buffer fills faster
 * than r_c = alpha / C_n, the rate at which it would reach maxth before a sender
 * that is told now reacts, T_r later: a SDU goes, and then none for T_r.
 */
#include "wl_aqm.h"

static void idle(struct wl_sbd *sbd)
{
	sbd->state = WL_SBD_IDLE;
	sbd->end_ns = WL_NEVER_NS;
	sbd->th = 0;
}

/* An empty buffer has no slope, and a link at rest needs no timer. */
static bool high(const struct wl_aqm_at *at)
{
	return at->bo && at->bo + at->cfg->alpha >= at->cfg->minth;
}

static u64 sdu(const struct wl_aqm_cfg *cfg)
{
	return cfg->unit == WLINK_UNIT_BYTES ? max(cfg->sdu_bytes, 1U) : 1;
}

/* Without a SDU of room C_n would not end where th_n reaches maxth. Its floor
 * is that of every timer.
 */
static void look(struct wl_sbd *sbd, const struct wl_aqm_at *at)
{
	const struct wl_aqm_cfg *cfg = at->cfg;
	u64 room, c_ns;

	if (!high(at)) {
		idle(sbd);
		return;
	}
	sbd->state = WL_SBD_MEASURE;
	sbd->th = min(at->bo + cfg->alpha, at->maxth);
	room = max(at->maxth - sbd->th, sdu(cfg));
	c_ns = div64_u64(cfg->alpha * cfg->tr_ns, room);
	sbd->end_ns = at->now_ns + max(c_ns, WLINK_TIMER_MIN);
}

static void sbd_start(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	idle(&aqm->sbd);
}

static bool sbd_arrived(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	struct wl_sbd *sbd = &aqm->sbd;

	if (sbd->state == WL_SBD_MEASURE && at->bo >= sbd->th) {
		sbd->state = WL_SBD_HOLD;
		sbd->end_ns = at->now_ns + at->cfg->tr_ns;
		return true;
	}
	if (sbd->state == WL_SBD_IDLE)
		look(sbd, at);
	return false;
}

static u64 sbd_next_ns(const struct wl_aqm *aqm)
{
	return aqm->sbd.end_ns;
}

static void sbd_expired(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	look(&aqm->sbd, at);
}

static void sbd_changed(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	struct wl_sbd *sbd = &aqm->sbd;

	if (sbd->state == WL_SBD_MEASURE)
		look(sbd, at);
	else if (sbd->state == WL_SBD_HOLD)
		sbd->end_ns = min(sbd->end_ns, at->now_ns + at->cfg->tr_ns);
}

const struct wl_aqm_ops wl_sbd_ops = {
	.start = sbd_start,
	.arrived = sbd_arrived,
	.next_ns = sbd_next_ns,
	.expired = sbd_expired,
	.changed = sbd_changed,
};
