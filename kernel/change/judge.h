/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_JUDGE_H
#define _WL_JUDGE_H

#include "../glue.h"

/**
 * wl_judge_guarantees() - judge what is guaranteed to all bearers together
 * @q: qdisc; under RTNL
 * @change: a change to be, NULL for none
 * @added: configuration of a class to be, NULL for none
 * @extack: says what is wrong
 *
 * Return: 0 or -ERANGE.
 */
int wl_judge_guarantees(struct wl_sched *q, const struct wl_change *change,
			const struct wl_cfg *added, struct netlink_ext_ack *extack);

/**
 * wl_judge_all() - judge and get the memory for all that a class is and will be configured to
 * @cl: class, or one to be; under RTNL
 * @cfg: of one to be: its configuration, but for what is the link's; else NULL
 * @added: schedule that is to lie over it beside those that do; NULL for one to be
 * @descs: set to the most descriptors that it will account for
 * @extack: says what is wrong
 *
 * It may sleep. wl_memory_finish() or wl_memory_give() must follow.
 *
 * Return: as wl_memory_prepare().
 */
int wl_judge_all(struct wl_class *cl, const struct wl_cfg *cfg,
		 const struct wl_schedule *added, u32 *descs,
		 struct netlink_ext_ack *extack);

#endif
