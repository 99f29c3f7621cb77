/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_STATS_GLUE_H
#define _WL_STATS_GLUE_H

#include "qdisc.h"

/**
 * wl_stats_late() - count how late a SDU was handed over
 * @late: counters
 * @late_ns: actual minus model time
 */
static inline void wl_stats_late(struct wl_late *late, u64 late_ns)
{
	late->sum_ns += late_ns;
	late->max_ns = max(late->max_ns, late_ns);
	late->bins[min(fls64(late_ns), WLINK_LATE_BINS - 1)]++;
}

/**
 * wl_stats_add_late() - add counters; the greater maximum is that of both
 * @sum: to which
 * @late: what
 */
void wl_stats_add_late(struct wl_late *sum, const struct wl_late *late);

/**
 * wl_stats_dump() - write all numbers as TCA_STATS_APP
 * @skb: message
 * @q: qdisc, caught up; the root qdisc lock is held
 * @cl: one of its classes, or NULL for the link
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_stats_dump(struct sk_buff *skb, struct wl_sched *q,
		  const struct wl_class *cl);

/**
 * wl_stats_get() - write all numbers and histograms as the answer to WLINK_CMD_GET
 * @skb: message
 * @q: qdisc, caught up; the root qdisc lock is held
 * @cl: one of its classes, or NULL for the link
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_stats_get(struct sk_buff *skb, struct wl_sched *q,
		 const struct wl_class *cl);

#endif
