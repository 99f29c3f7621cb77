/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CLASS_H
#define _WL_CLASS_H

#include "glue.h"

/**
 * wl_classify() - choose the class of a packet
 * @skb: packet
 * @sch: a wlink qdisc; the root qdisc lock is held
 * @result: of enqueue() where a filter has taken the packet
 *
 * The priority of the packet where it is a class here, else the filters, else
 * class 1:1.
 *
 * Return: class, or NULL.
 */
struct wl_class *wl_classify(struct sk_buff *skb, struct Qdisc *sch,
			     int *result);

/**
 * wl_class_find() - a class by its classid
 * @q: qdisc; under RTNL or the root qdisc lock
 * @classid: classid
 *
 * Return: class, or NULL.
 */
struct wl_class *wl_class_find(const struct wl_sched *q, u32 classid);

/**
 * wl_class_set_descs() - set how many descriptors a class accounts for
 * @cl: class; the root qdisc lock is held
 * @descs: descriptors, now
 * @target_descs: descriptors that its target accounts for
 */
void wl_class_set_descs(struct wl_class *cl, u32 descs, u32 target_descs);

/**
 * wl_class_set_target() - a class is to be configured anew; give it the memory
 * @cl: class; wl_tree_lock() is held
 * @cfg: configuration, which wl_memory_get() has got memory for
 *
 * Return: whether the lock has been let go of.
 */
bool wl_class_set_target(struct wl_class *cl, const struct wl_cfg *cfg);

/**
 * wl_class_base() - what a class is configured to now, below its schedule
 * @cl: class; the root qdisc lock is held
 * @cfg: set
 */
static inline void wl_class_base(const struct wl_class *cl, struct wl_cfg *cfg)
{
	const struct wl_bearer *b = cl->bearer;

	*cfg = b->schedule ? b->schedule->base : b->cfg;
}

/**
 * wl_class_refuse() - say what does not suit a class
 * @cl: class
 * @why: value and bounds
 * @extack: says so
 *
 * Return: -ERANGE.
 */
int wl_class_refuse(const struct wl_class *cl, const struct wl_refusal *why,
		    struct netlink_ext_ack *extack);

#endif
