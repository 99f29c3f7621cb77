/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_CORE_STEPS_H
#define _WL_CORE_STEPS_H

#include "../types.h"

/**
 * wl_schedule_init() - a schedule without steps
 * @s: zeroed
 * @columns: mask of enum wlink_column, not 0
 */
void wl_schedule_init(struct wl_schedule *s, u32 columns);

/**
 * wl_schedule_check() - judge a block before it is added
 * @s: schedule
 * @steps: block
 * @why: filled in when it is refused
 *
 * Return: steps that are good; that of the block where it is good as a whole.
 */
u32 wl_schedule_check(const struct wl_schedule *s, const struct wl_steps *steps,
		      struct wl_refusal *why);

/**
 * wl_schedule_add() - add a block that wl_schedule_check() has passed
 * @s: schedule; where it is known to a bearer, not one that loops or is over
 * @steps: block; stays until the schedule is used no longer
 *
 * The length grows with it. Steps whose time has passed take effect at once.
 */
void wl_schedule_add(struct wl_schedule *s, struct wl_steps *steps);

/**
 * wl_schedule_most() - the most that a schedule makes of a configuration
 * @s: schedule, NULL for none
 * @cfg: changed: rate, delay and limit are the highest that there may be; for
 *	what memory and descriptors have to suffice
 */
void wl_schedule_most(const struct wl_schedule *s, struct wl_cfg *cfg);

/**
 * wl_schedule_over() - what a schedule makes of a configuration
 * @s: schedule that plays or holds
 * @cfg: changed where it has set something
 */
void wl_schedule_over(const struct wl_schedule *s, struct wl_cfg *cfg);

#endif
