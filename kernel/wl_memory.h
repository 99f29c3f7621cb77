/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_MEMORY_H
#define _WL_MEMORY_H

#include "wl_qdisc.h"

/**
 * wl_memory_prepare() - get the memory that a configuration needs
 * @cl: class; under RTNL
 * @cfg: checked configuration
 * @extack: says what is wrong
 *
 * For what the schedules of @cl make of it, too. Of several calls all are served.
 *
 * Return: 0 or -ENOMEM. wl_memory_finish() must follow.
 */
int wl_memory_prepare(struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack);

/**
 * wl_memory_give() - give it to the bearer
 * @cl: class, prepared; the root qdisc lock is held, or nobody knows the bearer
 *
 * What has been given is not given again.
 */
void wl_memory_give(struct wl_class *cl);

/**
 * wl_memory_finish() - free what is left over; may sleep
 * @cl: class, prepared, whether anything has been given or not
 */
void wl_memory_finish(struct wl_class *cl);

/**
 * wl_memory_slots() - descriptors that a configuration accounts for
 * @cl: class; its schedules are known
 * @cfg: checked configuration
 *
 * Return: how many, with what the schedules of @cl make of it.
 */
u32 wl_memory_slots(const struct wl_class *cl, const struct wl_cfg *cfg);

#endif
