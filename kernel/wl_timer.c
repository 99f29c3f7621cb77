// SPDX-License-Identifier: GPL-2.0
#include <linux/netdevice.h>
#include <linux/rcupdate.h>
#include <net/pkt_sched.h>

#include "core/wl_internal.h"
#include "wl_timer.h"

static enum hrtimer_restart fire(struct hrtimer *timer)
{
	struct wl_timer *t = container_of(timer, struct wl_timer, timer);
	enum hrtimer_restart restart = HRTIMER_NORESTART;
	unsigned long flags;

	raw_spin_lock_irqsave(&t->lock, flags);
	WRITE_ONCE(t->woken, true);
	/* Another processor may have set it since it fired. */
	if (t->then_ns != WL_NEVER_NS && !hrtimer_is_queued(timer)) {
		WRITE_ONCE(t->at_ns, t->then_ns);
		t->then_ns = WL_NEVER_NS;
		hrtimer_set_expires(timer, ns_to_ktime(t->at_ns));
		restart = HRTIMER_RESTART;
	}
	raw_spin_unlock_irqrestore(&t->lock, flags);
	rcu_read_lock();
	__netif_schedule(qdisc_root(t->sch));
	rcu_read_unlock();
	return restart;
}

void wl_timer_init(struct wl_timer *t, struct Qdisc *sch)
{
	t->sch = sch;
	t->then_ns = WL_NEVER_NS;
	raw_spin_lock_init(&t->lock);
	hrtimer_setup(&t->timer, fire, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED);
}

void wl_timer_cancel(struct wl_timer *t)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&t->lock, flags);
	t->then_ns = WL_NEVER_NS;
	raw_spin_unlock_irqrestore(&t->lock, flags);
	hrtimer_cancel(&t->timer);
}

void wl_timer_set(struct wl_timer *t, u64 at_ns, u64 then_ns)
{
	unsigned long flags;
	bool active;

	if (at_ns == WL_NEVER_NS) {
		if (hrtimer_is_queued(&t->timer))
			wl_timer_cancel(t);
		return;
	}
	/* Whoever fires now has taken the old second time, and asks again. */
	if (IS_ENABLED(CONFIG_64BIT) && READ_ONCE(t->at_ns) == at_ns &&
	    hrtimer_is_queued(&t->timer)) {
		WRITE_ONCE(t->then_ns, then_ns);
		return;
	}
	rcu_read_lock();
	active = !test_bit(__QDISC_STATE_DEACTIVATED,
			   &qdisc_root_sleeping(t->sch)->state);
	rcu_read_unlock();
	if (!active)
		return;
	raw_spin_lock_irqsave(&t->lock, flags);
	t->then_ns = then_ns;
	if (t->at_ns != at_ns || !hrtimer_is_queued(&t->timer)) {
		WRITE_ONCE(t->at_ns, at_ns);
		hrtimer_start(&t->timer, ns_to_ktime(at_ns),
			      HRTIMER_MODE_ABS_PINNED);
	}
	raw_spin_unlock_irqrestore(&t->lock, flags);
}
