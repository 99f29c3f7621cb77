// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Proportional fair: the bearer with the highest rate / mean throughput ^ exponent. An
 * exponent of 1 gives each an equal share of the airtime, a higher one more to those
 * with a lower rate.
 */
#include "../lib/exp.h"
#include "sched.h"

/* The mean follows with a weight of 1/128 a TTI. */
#define MEAN_SHIFT	7
#define ONE_Q62		(1ULL << 62)

/* Logarithms, 64 ln 2 less these: below 2^38. */
#define LN_SHIFT	24

/* By logarithms, of which the order is the same. */
static u64 pf_power_key(const struct wl_bearer *b, u32 exponent_milli)
{
	const u64 greatest = (u64)WLINK_PF_EXPONENT_MAX << 38;

	return greatest +
	       WL_PF_EXPONENT_ONE * (wl_exp_q56(b->cfg.rate_bps) >> LN_SHIFT) -
	       exponent_milli * (wl_exp_q56(b->share.mean_bps + 1) >> LN_SHIFT);
}

static u64 pf_key(const struct wl_bearer *b)
{
	u32 exponent_milli = b->link->first.cfg.cell.pf_exponent_milli;

	if (exponent_milli != WL_PF_EXPONENT_ONE)
		return pf_power_key(b, exponent_milli);
	/* Means are below 2^37. */
	return div64_u64(b->share.mean_bps << 26, b->cfg.rate_bps);
}

static void pf_decay(struct wl_share *share, u64 keep_q62, u64 ttis)
{
	share->mean_bps = mul_u64_u64_shr(share->mean_bps, wl_power(keep_q62, ttis, 62),
					  62);
}

/* The mean of the TTIs up to one, then of idle ones after it. */
static void pf_follow(struct wl_share *share, u64 sent_bps, u64 idle, u32 window)
{
	u64 of = min_t(u64, share->mean_tti - share->first_tti + 2, window);
	u64 plain = min(idle, window - of);

	if (sent_bps >= share->mean_bps)
		share->mean_bps += div64_u64(sent_bps - share->mean_bps, of);
	else
		share->mean_bps -= div64_u64(share->mean_bps - sent_bps, of);
	share->mean_bps = div64_u64(share->mean_bps * of, of + plain);
	pf_decay(share, ONE_Q62 - div64_u64(ONE_Q62, window), idle - plain);
}

/* Bring the mean to the start of a TTI: what was sent in the one that it was
 * taken in counts, all after it brought nothing.
 */
static void pf_tti(struct wl_bearer *b, u64 tti)
{
	u64 tti_ns = wl_link_tti_ns(b->link);
	u32 window = b->link->first.cfg.cell.pf_window;
	struct wl_share *share = &b->share;
	u64 sent_bps, idle;

	if (window && !share->first_tti) {
		share->first_tti = tti + 1;
		share->mean_tti = tti;
		share->mean_bps = 0;
	}
	if (tti == share->mean_tti)
		return;
	/* bits * 10^9 < 2^64 for what 100 Gbit/s send in 180 ms; longer TTIs
	 * lose the low bits of a sum that large.
	 */
	sent_bps = share->tti_bits < (1ULL << 34) ?
		   div64_u64(share->tti_bits * WL_NSEC_PER_SEC, tti_ns) :
		   div64_u64(share->tti_bits, tti_ns) * WL_NSEC_PER_SEC;
	idle = tti - share->mean_tti - 1;
	if (window) {
		pf_follow(share, sent_bps, idle, window);
	} else {
		share->mean_bps -= share->mean_bps >> MEAN_SHIFT;
		share->mean_bps += sent_bps >> MEAN_SHIFT;
		pf_decay(share, ONE_Q62 - (ONE_Q62 >> MEAN_SHIFT), idle);
	}
	share->mean_tti = tti;
	share->tti_bits = 0;
}

const struct wl_sched_ops wl_pf_ops = {
	.key = pf_key,
	.tti = pf_tti,
};
