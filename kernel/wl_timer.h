/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TIMER_H
#define _WL_TIMER_H

#include <linux/hrtimer.h>
#include <linux/spinlock.h>
#include <net/sch_generic.h>

/**
 * struct wl_timer - what wakes a qdisc; a qdisc_watchdog that knows two times
 * @timer: of the kernel
 * @sch: the qdisc
 * @lock: between those who set it, under the root qdisc lock, and the interrupt
 * @at_ns: when it fires, if it is queued
 * @then_ns: when it fires once more unless it is set before, WL_NEVER_NS for not
 * @woken: it has fired since wl_timer_answer()
 *
 * Where deliveries follow one another each wake-up sets the clock event device
 * twice: the interrupt for whatever comes next, and dequeue() for the next SDU.
 * A time that is known ahead is set by the interrupt, once.
 */
struct wl_timer {
	struct hrtimer timer;
	struct Qdisc *sch;
	raw_spinlock_t lock;
	u64 at_ns;
	u64 then_ns;
	bool woken;
};

/**
 * wl_timer_init() - before anything else
 * @t: timer
 * @sch: qdisc that it wakes
 */
void wl_timer_init(struct wl_timer *t, struct Qdisc *sch);

/**
 * wl_timer_set() - wake the root qdisc at one time or two
 * @t: timer; the root qdisc lock is held
 * @at_ns: first time, WL_NEVER_NS for not at all
 * @then_ns: second one, which wl_timer_set() may change until then; WL_NEVER_NS
 *	for none
 */
void wl_timer_set(struct wl_timer *t, u64 at_ns, u64 then_ns);

/**
 * wl_timer_cancel() - do not wake it
 * @t: timer, not running elsewhere under a lock that the caller holds
 */
void wl_timer_cancel(struct wl_timer *t);

/**
 * wl_timer_answer() - what it has woken the qdisc for is about to be looked at
 * @t: timer; the root qdisc lock is held, the clock is read after this
 */
static inline void wl_timer_answer(struct wl_timer *t)
{
	WRITE_ONCE(t->woken, false);
}

/**
 * wl_timer_quiet() - whether it will fire and has not
 * @t: timer; the root qdisc lock is held
 * @at_ns: first time of the last wl_timer_set()
 *
 * One that fires right now, on another processor, has the qdisc asked again.
 *
 * Return: true where that is so.
 */
static inline bool wl_timer_quiet(struct wl_timer *t, u64 at_ns)
{
	/* Whoever finds __QDISC_STATE_SCHED set does not ask again: what it has
	 * done before is to be seen behind the clear_bit() in net_tx_action().
	 */
	smp_mb__after_atomic();
	/* wl_timer_answer() may undo what happens after the clock is read; that
	 * it fires at another time now stays.
	 */
	return hrtimer_is_queued(&t->timer) && !READ_ONCE(t->woken) &&
	       READ_ONCE(t->at_ns) == at_ns;
}

#endif
