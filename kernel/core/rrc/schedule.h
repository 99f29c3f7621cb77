/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CORE_SCHEDULE_H
#define _WL_CORE_SCHEDULE_H

/*
 * A schedule: steps that lie over a bearer's configuration as time goes on. What
 * a step sets stays until a later one sets it again; the configuration below may
 * change meanwhile and comes back when the schedule is stopped.
 *
 * A step takes effect at its time, or at the first start of a TTI that is not
 * before it.
 */
#include "../config/cfg.h"

struct wl_bearer;
struct wl_link;

/**
 * struct wl_steps - a block of steps
 * @next: next block
 * @count: steps in it, at least one
 * @word: of each the offset in ns and a value for each column
 */
struct wl_steps {
	struct wl_steps *next;
	u32 count;
	u64 word[];
};

/**
 * struct wl_schedule - a schedule
 * @columns: mask of enum wlink_column
 * @width: words of a step
 * @end: what follows the end
 * @length_ns: when that is, after its start; WLINK_TIMER_MIN to
 *	WLINK_SCHEDULE_LENGTH_MAX, not below @last_ns
 * @start_ns: when it starts, at most WLINK_AHEAD_MAX from now; WLINK_START_NOW,
 *	WLINK_START_PACKET: with the next SDU
 * @state: where it is
 * @steps: how many
 * @last_ns: offset of the last
 * @first: blocks; the owner's
 * @last: the last of them
 * @block: the one with the step that comes next, NULL when there is none left
 * @index: of that step in its block
 * @step: steps played in this pass
 * @pass: passes that are over
 * @origin_ns: time of offset 0 in this pass
 * @value: what has been set, WLINK_STEP_KEEP for not
 * @changed: of @value, something is not in force yet
 * @base: configuration below
 * @granting: an opportunity is being used
 * @granted_bytes: its bytes
 * @stop_ns: it is to end at this time, after steps up to it, WL_NEVER_NS for not
 * @bearer: whose it is, NULL before wl_link_schedule()
 * @most: of each column the highest value of all steps, 0 for none
 */
struct wl_schedule {
	u32 columns;
	u32 width;
	enum wlink_schedule_end end;
	u64 length_ns;
	u64 start_ns;
	enum wlink_schedule_state state;
	u64 steps;
	u64 last_ns;
	struct wl_steps *first;
	struct wl_steps *last;
	struct wl_steps *block;
	u32 index;
	u64 step;
	u64 pass;
	u64 origin_ns;
	u64 value[__WLINK_COLUMN_MAX];
	bool changed;
	struct wl_cfg base;
	bool granting;
	u64 granted_bytes;
	u64 stop_ns;
	struct wl_bearer *bearer;
	u64 most[__WLINK_COLUMN_MAX];
};

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
 * wl_schedule_fits() - judge a configuration that a schedule is to lie over
 * @s: schedule
 * @cfg: checked configuration; of the link its bearer has tti and sched
 * @why: filled in when it is refused
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_schedule_fits(const struct wl_schedule *s, const struct wl_cfg *cfg,
		     struct wl_refusal *why);

/**
 * wl_schedule_most() - the most that a schedule makes of a configuration
 * @s: schedule, NULL for none
 * @cfg: changed: rate, delay and limit are the highest that there may be; for
 *	what memory and descriptors have to suffice
 */
void wl_schedule_most(const struct wl_schedule *s, struct wl_cfg *cfg);

/**
 * wl_link_schedule() - start a schedule when its time comes
 * @link: link; one that is behind plays what it owes first, as nothing here is
 *	before @now_ns
 * @b: bearer, whose room fits
 * @s: schedule with at least one step, its end, length and start set; stays
 *	until ops->schedule_changed() gives it back
 * @now_ns: now
 *
 * The one that plays goes on until then.
 *
 * Return: one that has been waiting for its start, now the caller's, or NULL.
 */
struct wl_schedule *wl_link_schedule(struct wl_link *link, struct wl_bearer *b,
				     struct wl_schedule *s, u64 now_ns);

/**
 * wl_link_stop() - end the schedule of a bearer
 * @link: link; one that is behind plays what it owes first
 * @b: bearer
 * @now_ns: now; the configured values come back at the next start of a TTI, or
 *	at once where there is none. Steps that are due now come before it
 *
 * Return: one that has been waiting for its start, now the caller's, or NULL.
 */
struct wl_schedule *wl_link_stop(struct wl_link *link, struct wl_bearer *b,
				 u64 now_ns);

/* --- For the parts of the core only. --- */

/**
 * wl_pending_next_ns() - when the first change takes effect
 * @link: link with one
 *
 * Return: time.
 */
u64 wl_pending_next_ns(const struct wl_link *link);

/**
 * wl_pending_apply() - the first change takes effect
 * @link: link with one
 * @at_ns: wl_pending_next_ns()
 *
 * When link->budget runs out the next call goes on.
 */
void wl_pending_apply(struct wl_link *link, u64 at_ns);

/**
 * wl_pending_forget() - a bearer is deleted
 * @link: link
 * @b: bearer
 */
void wl_pending_forget(struct wl_link *link, const struct wl_bearer *b);

/**
 * wl_schedule_next_ns() - when wl_schedule_event() is needed
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for never.
 */
u64 wl_schedule_next_ns(const struct wl_bearer *b);

/**
 * wl_schedule_event() - a step, a start or an end
 * @b: bearer
 * @now_ns: wl_schedule_next_ns()
 *
 * Return: false when link->budget did not suffice: it is to be called again.
 */
bool wl_schedule_event(struct wl_bearer *b, u64 now_ns);

/**
 * wl_schedule_seen_ns() - when a bearer has something to tell
 * @b: bearer whose next event is one of its schedule
 *
 * Return: a time not later than when something of it is due, dropped or sent to the other
 * link of a pair, or that event, where it may be or steps are 0.1 ms apart on the average;
 * at most 1 ms after it.
 */
u64 wl_schedule_seen_ns(const struct wl_bearer *b);

/**
 * wl_schedule_arrival() - a SDU is about to arrive, which may be a schedule's start
 * @b: bearer
 * @now_ns: when
 */
void wl_schedule_arrival(struct wl_bearer *b, u64 now_ns);

/**
 * wl_schedule_over() - what a schedule makes of a configuration
 * @s: schedule that plays or holds
 * @cfg: changed where it has set something
 */
void wl_schedule_over(const struct wl_schedule *s, struct wl_cfg *cfg);

#endif
