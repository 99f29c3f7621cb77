/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_STATS_GLUE_H
#define _WL_STATS_GLUE_H

#include "glue.h"

/**
 * wl_stats_dump() - write all numbers as TCA_STATS_APP
 * @skb: message
 * @q: qdisc, caught up; under RTNL and wl_tree_lock(), which is let go of now and then
 * @cl: one of its classes, or NULL for the link
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_stats_dump(struct sk_buff *skb, struct wl_sched *q,
		  const struct wl_class *cl);

/* What wl_stats_get() needs at most: a number may have a gap before it. */
#define WL_STATS_GET_BYTES						\
	(3 * 2 * NLA_HDRLEN +						\
	 sizeof(u64) * (__WLINK_STAT_MAX + (1 + __WLINK_WHY_MAX) * WLINK_LATE_BINS))

/**
 * wl_stats_get() - write all numbers and histograms as the answer to WLINK_CMD_GET
 * @skb: message
 * @q: qdisc, caught up; under RTNL and wl_tree_lock(), which is let go of now and then
 * @cl: one of its classes, or NULL for the link
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_stats_get(struct sk_buff *skb, struct wl_sched *q,
		 const struct wl_class *cl);

#endif
