/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SCHEDULE_H
#define _WL_SCHEDULE_H

#include "core/wl_play.h"
#include "wl_notes.h"
#include "wl_qdisc.h"

/**
 * struct wl_schedule - a schedule and what ties it to the kernel
 * @play: for the engine, which does not know it while it is loaded
 * @next: another one that its class has started
 * @cl: its class, NULL when that has been deleted; under the mutex of the notes
 *	and the root qdisc lock
 * @number: number of its bearer
 * @bytes: its memory, in wl_sched.steps_bytes
 * @over: the engine has given it back, or will never know it; under the root
 *	qdisc lock
 * @notes: of the states it may come to, by state; the one of
 *	WLINK_PLAY_STATE_NONE is the last
 */
struct wl_schedule {
	struct wl_play play;
	struct wl_schedule *next;
	struct wl_class *cl;
	u32 number;
	u64 bytes;
	bool over;
	struct wl_note notes[__WLINK_PLAY_STATE_MAX];
};

/**
 * wl_schedule_of() - whom a note is about
 * @note: note with WLINK_CMD_PLAY
 *
 * Return: schedule.
 */
struct wl_schedule *wl_schedule_of(const struct wl_note *note);

/**
 * wl_schedule_most() - the most that a class's schedules make of a configuration
 * @cl: class; the mutex of the notes is held
 * @cfg: changed, see wl_play_most()
 */
void wl_schedule_most(const struct wl_class *cl, struct wl_cfg *cfg);

/**
 * wl_schedule_judge() - whether a class's schedules can lie over a configuration
 * @cl: class; the mutex of the notes is held
 * @cfg: checked configuration
 * @extack: says what is wrong
 *
 * Return: 0 or -ERANGE.
 */
int wl_schedule_judge(const struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack);

/**
 * wl_schedule_changed() - the engine has done something to a schedule
 * @q: qdisc; the root qdisc lock is held
 * @play: of a struct wl_schedule
 * @at_ns: when
 */
void wl_schedule_changed(struct wl_sched *q, struct wl_play *play, u64 at_ns);

/**
 * wl_schedule_settle() - a class no longer knows a schedule that is over
 * @sch: a wlink qdisc; the mutex of its notes is held
 * @note: note of a schedule
 */
void wl_schedule_settle(struct Qdisc *sch, struct wl_note *note);

/**
 * wl_schedule_forget() - free a schedule with its last note
 * @note: note of a schedule that has been settled
 */
void wl_schedule_forget(struct wl_note *note);

/**
 * wl_schedule_leave() - a class has been deleted: its schedules are over
 * @q: qdisc; the mutex of its notes is held, settled, and the root qdisc lock is
 *	held or the engine used no longer
 * @cl: class whose bearer the engine has forgotten
 * @now_ns: now
 */
void wl_schedule_leave(struct wl_sched *q, struct wl_class *cl, u64 now_ns);

/**
 * wl_schedule_unload() - forget what has been loaded and not started; may sleep
 * @q: qdisc; the mutex of its notes is held, or the engine is used no longer
 * @cl: class
 */
void wl_schedule_unload(struct wl_sched *q, struct wl_class *cl);

/* --- For wl_play_message.c. --- */

/**
 * wl_schedule_new() - a schedule without steps
 * @columns: mask of enum wlink_column, not 0
 * @number: of its bearer
 *
 * Return: schedule, or NULL where there is no memory.
 */
struct wl_schedule *wl_schedule_new(u32 columns, u32 number);

/**
 * wl_schedule_count() - count memory of steps
 * @q: qdisc; the mutex of its notes is held
 * @bytes: how much more there is
 */
void wl_schedule_count(struct wl_sched *q, s64 bytes);

/**
 * wl_schedule_know() - a schedule is about to be given to the engine
 * @q: qdisc; the mutex of its notes is held
 * @cl: class
 * @schedule: schedule
 */
void wl_schedule_know(struct wl_sched *q, struct wl_class *cl,
		      struct wl_schedule *schedule);

/**
 * wl_schedule_unknow() - the engine does not know a schedule any more
 * @q: qdisc; the mutex of its notes is held
 * @schedule: schedule that wl_schedule_know() has added
 */
void wl_schedule_unknow(struct wl_sched *q, struct wl_schedule *schedule);

/**
 * wl_schedule_stop() - the engine does not know a schedule any more: say so
 * @q: qdisc; the root qdisc lock is held
 * @schedule: schedule; belongs to its last note then
 * @at_ns: when
 */
void wl_schedule_stop(struct wl_sched *q, struct wl_schedule *schedule,
		      u64 at_ns);

/**
 * wl_schedule_free() - free a schedule that nobody knows; may sleep
 * @schedule: schedule
 */
void wl_schedule_free(struct wl_schedule *schedule);

#endif
