/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_STATS_H
#define _WL_STATS_H

#include "lib/types.h"

/* Beside the parts of the delay, by enum wlink_why: how late SDUs were handed over,
 * against the model.
 */
#define WL_WHY_LATE	__WLINK_WHY_MAX
#define WL_WHYS		(WL_WHY_LATE + 1)

/**
 * struct wl_stats - what a bearer has seen
 * @v: counters, by enum wlink_stat; the places of drops, parts of the delay and what is
 *	no counter are filled in where they are dumped
 * @drops: SDUs dropped, by enum wlink_drop
 * @why_ns: sums over delivered SDUs of the parts of their delay, and of WL_WHY_LATE
 * @why_bins: histograms of the same
 *
 * In the buffer, WLINK_STAT_BUFFER_SDUS, is what has arrived and whose last bit has not
 * been sent yet; in acknowledged modes, what has not been acknowledged.
 *
 * SDUS_IN + SDUS_DUPLICATED = SDUS_DELIVERED + sum(drops) + SDUS_HELD, always; bytes alike.
 */
struct wl_stats {
	u64 v[__WLINK_STAT_MAX];
	u64 drops[__WLINK_DROP_MAX];
	u64 why_ns[WL_WHYS];
	u64 why_bins[WL_WHYS][WLINK_LATE_BINS];
};

/**
 * wl_stats_why() - count a part of a SDU's delay
 * @stats: counters
 * @why: enum wlink_why, or WL_WHY_LATE
 * @ns: how long it was
 */
static inline void wl_stats_why(struct wl_stats *stats, u32 why, u64 ns)
{
	if (!ns) {
		stats->why_bins[why][0]++;
		return;
	}
	stats->why_ns[why] += ns;
	stats->why_bins[why][min_t(u32, ilog2(ns) + 1, WLINK_LATE_BINS - 1)]++;
}

/**
 * wl_stats_add() - sum of two bearers; the maxima of the buffer are added, too
 * @sum: to which
 * @stats: what
 *
 * All members are u64, which is all that it relies on. The greatest lateness is that of
 * both.
 */
static inline void wl_stats_add(struct wl_stats *sum,
				const struct wl_stats *stats)
{
	u64 late_ns = max(sum->v[WLINK_STAT_LATE_MAX_NS], stats->v[WLINK_STAT_LATE_MAX_NS]);
	const u64 *from = (const u64 *)stats;
	u64 *to = (u64 *)sum;
	u32 i;

	for (i = 0; i < sizeof(*sum) / sizeof(u64); i++)
		to[i] += from[i];
	sum->v[WLINK_STAT_LATE_MAX_NS] = late_ns;
}

#endif
