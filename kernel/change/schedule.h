/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SCHEDULE_H
#define _WL_SCHEDULE_H

#include "../glue.h"

/**
 * struct wl_kept_schedule - a schedule and what ties it to the kernel
 * @schedule: for the engine, which does not know it while it is loaded
 * @number: of its bearer
 * @bytes: its memory, in wl_sched.steps_bytes
 * @notices: of the states it may come to, by state; the one of
 *	WLINK_SCHEDULE_STATE_NONE is the last
 */
struct wl_kept_schedule {
	struct wl_schedule schedule;
	u32 number;
	u64 bytes;
	struct wl_notice notices[__WLINK_SCHEDULE_STATE_MAX];
};

/**
 * wl_schedule_of() - whom a notice is about
 * @notice: notice with WLINK_CMD_SCHEDULE
 *
 * Return: schedule.
 */
struct wl_kept_schedule *wl_schedule_of(const struct wl_notice *notice);

/**
 * wl_schedule_command() - load, add, start or stop
 * @cl: class; under RTNL
 * @cmd: WLINK_CMD_LOAD to WLINK_CMD_STOP
 * @attr: WLINK_A_SCHEDULE, or NULL
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno, with nothing changed.
 */
int wl_schedule_command(struct wl_class *cl, enum wlink_cmd cmd,
			struct nlattr *attr, struct netlink_ext_ack *extack);

/**
 * wl_schedule_put() - write what a class's schedules do now
 * @skb: message
 * @cl: class; under RTNL
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_schedule_put(struct sk_buff *skb, struct wl_class *cl);

/**
 * wl_schedule_put_next() - the same of the next class
 * @skb: message
 * @sch: a wlink qdisc; under RTNL
 * @after: number of the class before it; set to its own
 *
 * Return: 0, -ENODATA where there is none, or -EMSGSIZE.
 */
int wl_schedule_put_next(struct sk_buff *skb, struct Qdisc *sch, u64 *after);

/**
 * wl_schedule_changed() - the engine has done something to a schedule
 * @link: link; the root qdisc lock is held
 * @b: its bearer
 * @s: of a struct wl_kept_schedule; where its state is WLINK_SCHEDULE_STATE_NONE it is
 *	not to be looked at any more
 * @at_ns: when
 */
void wl_schedule_changed(struct wl_link *link, struct wl_bearer *b,
			 struct wl_schedule *s, u64 at_ns);

/**
 * wl_schedule_leave() - a class goes: its schedules are over
 * @cl: class that the engine knows no longer; the root qdisc lock is held, or the
 *	engine is used no longer
 * @now_ns: now
 */
void wl_schedule_leave(struct wl_class *cl, u64 now_ns);

/**
 * wl_schedule_unload() - forget what has been loaded and not started; may sleep
 * @cl: class; under RTNL
 */
void wl_schedule_unload(struct wl_class *cl);

/**
 * wl_schedule_free() - free a schedule that the engine has no pointer to; may sleep
 * @q: qdisc
 * @kept: schedule, or NULL
 */
void wl_schedule_free(struct wl_sched *q, struct wl_kept_schedule *kept);

#endif
