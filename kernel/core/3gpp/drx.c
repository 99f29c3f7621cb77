// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * When a receiver listens. Connected: always while something is sent, and for an
 * inactivity timer after it; then in the on-durations of some short cycles, then of long
 * ones (TS 36.321 clause 5.7). A longer silence makes it idle: it listens for paging once
 * in a paging cycle (TS 36.304 clause 7), and is to be connected first.
 */
#include "../mac/grid.h"
#include "drx.h"
#include "tdd.h"

/* When the first on-duration begins that has not ended at a time. */
static u64 drx_on_ns(const struct wl_bearer *b, u64 from_ns, u64 cycle_ns)
{
	u64 phase_ns = wl_grid_phase_ns(b, b->cfg.drx.cycle_ns, WL_PHASE_DRX);
	u64 next_ns = wl_grid_every_ns(b->link, from_ns, cycle_ns, phase_ns);

	if (next_ns - from_ns > cycle_ns - b->cfg.drx.on_ns)
		return next_ns - min(next_ns, cycle_ns);
	return next_ns;
}

static u64 drx_page_ns(const struct wl_bearer *b, u64 now_ns, u64 tti_ns)
{
	u64 cycle_ns = b->cfg.drx.paging_ns;

	if (!cycle_ns)
		return now_ns;
	return wl_grid_every_ns(b->link, tti_ns, cycle_ns,
				wl_grid_phase_ns(b, cycle_ns, WL_PHASE_PAGING));
}

static u64 drx_active_until_ns(const struct wl_bearer *b)
{
	return b->drx.rest_ns + b->cfg.drx.inactivity_ns;
}

static u64 drx_short_until_ns(const struct wl_bearer *b)
{
	const struct wl_drx_cfg *cfg = &b->cfg.drx;

	return drx_active_until_ns(b) + cfg->short_ns * cfg->short_cycles;
}

u64 wl_drx_reach_ns(const struct wl_bearer *b, u64 now_ns, u64 tti_ns)
{
	const struct wl_drx_cfg *cfg = &b->cfg.drx;
	u64 start_ns = wl_tdd_next_ns(b->link, tti_ns);
	u64 on_ns;

	if (b->drx.state == WLINK_RRC_IDLE)
		return drx_page_ns(b, now_ns, tti_ns) + cfg->promotion_ns;
	if (!cfg->cycle_ns || start_ns < drx_active_until_ns(b))
		return start_ns;
	if (cfg->short_ns) {
		/* The end of short cycles does not end an on-duration. */
		on_ns = drx_on_ns(b, start_ns, cfg->short_ns);
		if (on_ns < drx_short_until_ns(b))
			return max(on_ns, start_ns);
	}
	return max(drx_on_ns(b, start_ns, cfg->cycle_ns), start_ns);
}

static void drx_enter(struct wl_bearer *b, u64 now_ns, enum wlink_rrc state)
{
	const struct wl_link_ops *ops = b->link->ops;

	if (b->drx.state == state)
		return;
	b->drx.state = state;
	if (ops->rrc_changed)
		ops->rrc_changed(b->link, b, now_ns, state);
}

void wl_drx_wake(struct wl_bearer *b, u64 now_ns)
{
	drx_enter(b, now_ns, WLINK_RRC_ACTIVE);
}

static u64 drx_next_ns(const struct wl_bearer *b)
{
	const struct wl_drx_cfg *cfg = &b->cfg.drx;
	u64 idle_ns = cfg->idle_ns ? b->drx.rest_ns + cfg->idle_ns : WL_NEVER_NS;

	switch (b->drx.state) {
	case WLINK_RRC_ACTIVE:
		return cfg->cycle_ns ? min(drx_active_until_ns(b), idle_ns) : idle_ns;
	case WLINK_RRC_SHORT:
		return min(drx_short_until_ns(b), idle_ns);
	case WLINK_RRC_LONG:
		return idle_ns;
	default:
		return WL_NEVER_NS;
	}
}

u64 wl_drx_rest(struct wl_bearer *b, u64 from_ns)
{
	b->drx.rest_ns = from_ns;
	return drx_next_ns(b);
}

u64 wl_drx_go_on(const struct wl_bearer *b, u64 now_ns)
{
	return max(drx_next_ns(b), now_ns);
}

u64 wl_drx_expire(struct wl_bearer *b, u64 now_ns)
{
	const struct wl_drx_cfg *cfg = &b->cfg.drx;

	if (cfg->idle_ns && now_ns >= b->drx.rest_ns + cfg->idle_ns)
		drx_enter(b, now_ns, WLINK_RRC_IDLE);
	else if (b->drx.state == WLINK_RRC_ACTIVE && cfg->short_ns)
		drx_enter(b, now_ns, WLINK_RRC_SHORT);
	else
		drx_enter(b, now_ns, WLINK_RRC_LONG);
	return wl_drx_go_on(b, now_ns);
}
