/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_MEMORY_H
#define _WL_MEMORY_H

#include "../glue.h"

/**
 * wl_memory_settle() - nothing has waited for a moment: the target alone counts
 * @cl: class; the root qdisc lock is held
 *
 * wl_sched.era says so of all classes at once; of each it is found out when it is
 * looked at.
 */
void wl_memory_settle(struct wl_class *cl);

/**
 * wl_memory_need() - what memory a class needs for a configuration
 * @cl: class; the root qdisc lock is held
 * @cfg: checked configuration
 * @added: schedule that is to lie over it beside those that do, or NULL
 * @need: enlarged
 * @extack: says what is wrong
 *
 * Return: 0, or -ERANGE where a schedule cannot lie over @cfg.
 */
int wl_memory_need(struct wl_class *cl, const struct wl_cfg *cfg,
		   const struct wl_schedule *added, struct wl_rings *need,
		   struct netlink_ext_ack *extack);

/**
 * wl_memory_get() - get memory if it is more than the class has; may sleep
 * @cl: class; under RTNL
 * @need: of wl_memory_need(); enlarged by what the class has
 * @extack: says what is wrong
 *
 * Return: 0, -ENOBUFS above WLINK_ROOM_BYTES_MAX, or -ENOMEM. wl_memory_finish() must follow.
 */
int wl_memory_get(struct wl_class *cl, struct wl_rings *need, struct netlink_ext_ack *extack);

/**
 * wl_memory_prepare() - get the memory that a class needs for a configuration; may
 *	sleep
 * @cl: class; under RTNL
 * @cfg: checked configuration
 * @extack: says what is wrong
 *
 * Return: as wl_memory_need() and wl_memory_get(). wl_memory_finish() must follow.
 */
int wl_memory_prepare(struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack);

/**
 * wl_memory_give() - give it to the bearer
 * @cl: class; wl_tree_lock() is held, or the bearer has no memory yet
 *
 * What has been given is not given again.
 *
 * Return: whether the lock has been let go of.
 */
bool wl_memory_give(struct wl_class *cl);

/**
 * wl_memory_finish() - free what is left over; may sleep
 * @cl: class, whether anything has been given or not
 */
void wl_memory_finish(struct wl_class *cl);

/**
 * wl_memory_free() - free all that a bearer has; may sleep
 * @cl: class whose bearer the engine does not know any more
 */
void wl_memory_free(struct wl_class *cl);

/**
 * wl_memory_descs() - descriptors that a configuration accounts for
 * @cl: class; the root qdisc lock is held
 * @cfg: checked configuration
 * @added: schedule that is to lie over it beside those that do, or NULL
 *
 * Return: how many, with what the schedules make of it.
 */
u32 wl_memory_descs(const struct wl_class *cl, const struct wl_cfg *cfg,
		    const struct wl_schedule *added);

#endif
