// SPDX-License-Identifier: GPL-2.0
/* Proportional fair: the bearer whose mean throughput is least beside its rate. */
#include "../lib/exp.h"
#include "sched.h"

/* The mean follows with a weight of 1/128 a TTI. */
#define MEAN_SHIFT	7
#define ONE_Q62		(1ULL << 62)

static u64 pf_key(const struct wl_bearer *b)
{
	/* Means are below 2^37. */
	return div64_u64(b->share.mean_bps << 26, b->cfg.rate_bps);
}

/* Bring the mean to the start of a TTI: what was sent in the one that it was
 * taken in counts, all after it brought nothing.
 */
static void pf_tti(struct wl_bearer *b, u64 tti)
{
	u64 tti_ns = wl_link_tti_ns(b->link);
	struct wl_share *share = &b->share;
	u64 sent_bps, left_q62;

	if (tti == share->mean_tti)
		return;
	/* bits * 10^9 < 2^64 for what 100 Gbit/s send in 180 ms; longer TTIs
	 * lose the low bits of a sum that large.
	 */
	sent_bps = share->tti_bits < (1ULL << 34) ?
		   div64_u64(share->tti_bits * WL_NSEC_PER_SEC, tti_ns) :
		   div64_u64(share->tti_bits, tti_ns) * WL_NSEC_PER_SEC;
	share->mean_bps -= share->mean_bps >> MEAN_SHIFT;
	share->mean_bps += sent_bps >> MEAN_SHIFT;
	left_q62 = wl_power(ONE_Q62 - (ONE_Q62 >> MEAN_SHIFT),
			    tti - share->mean_tti - 1, 62);
	share->mean_bps = mul_u64_u64_shr(share->mean_bps, left_q62, 62);
	share->mean_tti = tti;
	share->tti_bits = 0;
}

const struct wl_sched_ops wl_pf_ops = {
	.key = pf_key,
	.tti = pf_tti,
};
