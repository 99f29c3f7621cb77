/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_QDISC_H
#define _WL_QDISC_H

#include "glue.h"

/**
 * wl_qdisc_init() - before anything else
 * @sch: a wlink qdisc, zeroed; wl_qdisc_stop() must follow
 */
void wl_qdisc_init(struct Qdisc *sch);

/**
 * wl_qdisc_stop() - no timer runs from now on
 * @q: qdisc that goes
 */
void wl_qdisc_stop(struct wl_sched *q);

/* As in struct Qdisc_ops. */
int wl_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free);
struct sk_buff *wl_dequeue(struct Qdisc *sch);
void wl_reset(struct Qdisc *sch);

/* As in struct wl_link_ops. */
void wl_on_dropped(struct wl_link *link, const struct wl_sdu *sdu);
void *wl_on_duplicate(struct wl_link *link, const struct wl_sdu *sdu);

/**
 * wl_qdisc_catch_up() - bring the engine to now, hand over what is due, set the
 *	timer
 * @sch: a wlink qdisc; its root qdisc lock is held, under RTNL or RCU
 * @now_ns: now
 *
 * Not for enqueue() and dequeue().
 *
 * Return: false when the engine has run out of budget and is still behind. What it is
 * told to do at @now_ns then happens after all events before that time.
 */
bool wl_qdisc_catch_up(struct Qdisc *sch, u64 now_ns);

/**
 * wl_catch_up() - the same; what is dropped is freed when the lock has been released
 * @q: scheduler; its root qdisc lock is held
 * @now_ns: now
 * @dropped: set to what wl_drops_free() is for then
 *
 * Return: as wl_qdisc_catch_up().
 */
bool wl_catch_up(struct wl_sched *q, u64 now_ns, struct sk_buff **dropped);

/**
 * wl_qdisc_catch_up_slowly() - bring the engine close to now
 * @sch: a wlink qdisc; under RTNL, without the lock
 *
 * Little by little, so that the lock is never held for long, and for 20 ms at most.
 */
void wl_qdisc_catch_up_slowly(struct Qdisc *sch);

/**
 * wl_qdisc_lock() - take the root qdisc lock with the engine as close to now as it
 *	gets
 * @sch: a wlink qdisc; under RTNL
 *
 * Return: now, the time to give to the engine.
 */
u64 wl_qdisc_lock(struct Qdisc *sch) __acquires(lock);

/**
 * wl_qdisc_unlock() - advance the engine once more, and unlock
 * @sch: a wlink qdisc
 * @now_ns: of wl_qdisc_lock()
 */
void wl_qdisc_unlock(struct Qdisc *sch, u64 now_ns) __releases(lock);

/**
 * wl_qdisc_lock_to_show() - take the root qdisc lock with the engine at now
 * @sch: a wlink qdisc; under RTNL
 *
 * One that is behind stays where it is now and then, so that a dump of many classes
 * does not call it for each of them.
 */
void wl_qdisc_lock_to_show(struct Qdisc *sch) __acquires(lock);

#endif
