// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * CoDel as in the pseudo-code of RFC 8289 clause 5, which takes out one SDU after
 * the other until one may stay; here each is asked for when its turn has come.
 */
#include "aqm.h"

/* The drop rate of the last time is a start for this one for so long. */
#define INTERVALS_KEPT	16

/* As many bits of fraction as both the interval and count leave room for, 16 at
 * least.
 */
static u64 codel_control_law_ns(u64 from_ns, u64 interval_ns, u32 count)
{
	u32 bits = min((63 - ilog2(count)) / 2, 63 - ilog2(interval_ns));
	u32 root = int_sqrt64((u64)count << (2 * bits));

	return from_ns + div_u64(interval_ns << bits, root);
}

static bool codel_may_drop(struct wl_codel *codel, const struct wl_aqm_at *at)
{
	codel->maxpacket = max(codel->maxpacket, at->bytes);
	if (at->sojourn_ns < at->cfg->target_ns ||
	    at->behind_bytes <= codel->maxpacket) {
		codel->first_above_ns = 0;
		return false;
	}
	if (!codel->first_above_ns) {
		codel->first_above_ns = at->now_ns + at->cfg->interval_ns;
		return false;
	}
	return at->now_ns >= codel->first_above_ns;
}

static void codel_enter(struct wl_codel *codel, const struct wl_aqm_at *at)
{
	u64 interval_ns = at->cfg->interval_ns;
	u32 drops = codel->count - codel->lastcount;
	u64 kept_ns = codel->drop_next_ns + INTERVALS_KEPT * interval_ns;

	codel->dropping = true;
	codel->due = false;
	codel->count = 1;
	if (drops > 1 && at->now_ns < kept_ns)
		codel->count = drops;
	codel->lastcount = codel->count;
	codel->drop_next_ns = codel_control_law_ns(at->now_ns, interval_ns,
						   codel->count);
}

static bool codel_front(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	struct wl_codel *codel = &aqm->codel;
	bool may = codel_may_drop(codel, at);

	if (!codel->dropping) {
		if (may)
			codel_enter(codel, at);
		return may;
	}
	codel->dropping = may;
	if (!may)
		return false;
	if (codel->due)
		codel->drop_next_ns = codel_control_law_ns(codel->drop_next_ns,
							   at->cfg->interval_ns,
						     codel->count);
	codel->due = at->now_ns >= codel->drop_next_ns;
	if (codel->due && codel->count < U32_MAX)
		codel->count++;
	return codel->due;
}

static void codel_start(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	memset(&aqm->codel, 0, sizeof(aqm->codel));
}

static u64 codel_state(const struct wl_aqm *aqm)
{
	return aqm->codel.dropping;
}

static u64 codel_level(const struct wl_aqm *aqm)
{
	return aqm->codel.dropping ? aqm->codel.count : 0;
}

static int codel_check(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		       struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ "aqm target", "ns", aqm->target_ns, WLINK_TIMER_MIN,
		  WLINK_TIMER_MAX },
		{ "aqm interval", "ns", aqm->interval_ns, WLINK_TIMER_MIN,
		  WLINK_TIMER_MAX },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

const struct wl_aqm_ops wl_codel_ops = {
	.start = codel_start,
	.front = codel_front,
	.state = codel_state,
	.level = codel_level,
	.check = codel_check,
};
