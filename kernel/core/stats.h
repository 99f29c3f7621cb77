/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_STATS_H
#define _WL_STATS_H

#include "lib/types.h"

/**
 * struct wl_stats - what a bearer has seen
 * @v: counters, by enum wlink_stat; the places of drops, parts of the delay and what is
 *	no counter are filled in where they are dumped
 * @drops: SDUs dropped, by enum wlink_drop
 * @why_ns: sums over delivered SDUs of the parts of their delay
 * @why_bins: histograms of the same
 *
 * In the buffer, WLINK_STAT_BUFFER_SDUS, is what has arrived and whose last bit has not
 * been sent yet; in acknowledged modes, what has not been acknowledged.
 *
 * SDUS_IN = SDUS_DELIVERED + sum(drops) + SDUS_HELD, always.
 */
struct wl_stats {
	u64 v[__WLINK_STAT_MAX];
	u64 drops[__WLINK_DROP_MAX];
	u64 why_ns[__WLINK_WHY_MAX];
	u64 why_bins[__WLINK_WHY_MAX][WLINK_LATE_BINS];
};

/**
 * wl_stats_add() - sum of two bearers; the maxima are added, too
 * @sum: to which
 * @stats: what
 *
 * All members are u64, which is all that it relies on.
 */
static inline void wl_stats_add(struct wl_stats *sum,
				const struct wl_stats *stats)
{
	const u64 *from = (const u64 *)stats;
	u64 *to = (u64 *)sum;
	u32 i;

	for (i = 0; i < sizeof(*sum) / sizeof(u64); i++)
		to[i] += from[i];
}

#endif
