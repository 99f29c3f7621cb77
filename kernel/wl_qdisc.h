/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_QDISC_H
#define _WL_QDISC_H

#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "core/wl_link.h"
#include "wl_parents.h"

/**
 * struct wl_late - how late SDUs were handed over, against the model
 * @sum_ns: sum
 * @max_ns: maximum
 * @bins: histogram, see WLINK_LATE_BINS
 */
struct wl_late {
	u64 sum_ns;
	u64 max_ns;
	u64 bins[WLINK_LATE_BINS];
};

/**
 * struct wl_slots - a block of descriptors, never given back before the end
 * @next: next block
 * @sdus: the descriptors
 */
struct wl_slots {
	struct wl_slots *next;
	struct wl_sdu sdus[];
};

/**
 * struct wl_sched - one qdisc: the engine and what ties it to the kernel
 * @link: the engine; under the root qdisc lock
 * @watchdog: wakes the root qdisc at wl_link_next_ns()
 * @sch: the qdisc
 * @asked: configuration last asked for; link.cfg follows at a TTI boundary
 * @slots: descriptors of @link
 * @late: lateness of hand-over
 * @parents: what the qdiscs above hear of drops
 */
struct wl_sched {
	struct wl_link link;
	struct qdisc_watchdog watchdog;
	struct Qdisc *sch;
	struct wl_cfg asked;
	struct wl_slots *slots;
	struct wl_late late;
	struct wl_parents parents;
};

/**
 * wl_qdisc_change() - change what a message asks to
 * @sch: a wlink qdisc; under RTNL
 * @opt: TCA_OPTIONS, NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno, with nothing changed.
 */
int wl_qdisc_change(struct Qdisc *sch, struct nlattr *opt,
		    struct netlink_ext_ack *extack);

/**
 * wl_qdisc_dump() - bring the engine to now and write TCA_OPTIONS
 * @sch: a wlink qdisc; under RTNL
 * @skb: message
 *
 * Return: negative when it does not fit.
 */
int wl_qdisc_dump(struct Qdisc *sch, struct sk_buff *skb);

/**
 * wl_qdisc_dump_stats() - write TCA_STATS_APP
 * @sch: a wlink qdisc; under RTNL
 * @d: message
 *
 * Return: -1 when it does not fit.
 */
int wl_qdisc_dump_stats(struct Qdisc *sch, struct gnet_dump *d);

extern const struct Qdisc_class_ops wl_class_ops;

#endif
