/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
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
#include "steps.h"

/**
 * wl_link_commit() - let configurations take effect together
 * @link: link
 * @now_ns: now; the link has been advanced to it, or for WLINK_AT_NOW to the ns
 *	before it
 * @at_ns: when: WLINK_AT_NOW, WLINK_AT_NEXT or a time, at most WLINK_AHEAD_MAX
 *	from now, so that no sum of times wraps
 * @txn: checked, for bearers whose rooms fit; stays until ops->applied() gives
 *	it back. Its configurations are what they are after all changes
 *	that take effect before it
 *
 * Where the TTI is 0 they are in force at that time (the rest of a PDU on the
 * air goes at the new rate), else at the first start of a TTI not before it, or
 * after it for WLINK_AT_NEXT. Equal times keep the order of the calls. The queue
 * stays; see wl_cfg_reestablishes().
 */
void wl_link_commit(struct wl_link *link, u64 now_ns, u64 at_ns,
		    struct wl_pending *txn);

/**
 * wl_link_from_ns() - from_ns of a change that is committed now
 * @link: link
 * @now_ns: as for wl_link_commit()
 * @at_ns: the same
 *
 * Return: time; those that wait and have no later one take effect before it.
 */
u64 wl_link_from_ns(const struct wl_link *link, u64 now_ns, u64 at_ns);

/**
 * wl_link_cancel() - take back what waits, but for what has begun to take effect
 * @link: link
 *
 * Return: changes that are the caller's again, by their next.
 */
struct wl_pending *wl_link_cancel(struct wl_link *link);

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

#endif
