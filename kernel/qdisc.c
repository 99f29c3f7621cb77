// SPDX-License-Identifier: GPL-2.0
/*
 * sch_wlink - a radio link as a queueing discipline.
 *
 * This file ties the engine in core/ to the kernel's qdiscs. The engine alone
 * decides what becomes of a packet and when; here it gets packets, the clock
 * and one timer. A timer that fires late changes when a packet is handed to the
 * device, never the model.
 */
#include <linux/ipv6.h>
#include <net/gso.h>
#include <net/inet_ecn.h>
#include <net/sock.h>

#include "core/impair/impair.h"
#include "memory/pool.h"
#include "class.h"
#include "data.h"
#include "pair.h"
#include "qdisc.h"
#include "trace.h"

/* How long a command lets an engine that is behind catch up, without holding the lock
 * all the time. If it is still behind then, the command waits in the engine's order of
 * events like anything else.
 */
#define CATCH_UP_NS	(20 * NSEC_PER_MSEC)

/* The engine of an idle link is woken no more often than this. */
#define IDLE_NS		NSEC_PER_MSEC

static enum qdisc_drop_reason wl_drop_reason(enum wlink_drop drop)
{
	switch (drop) {
	case WLINK_DROP_OVERFLOW:
		return QDISC_DROP_OVERLIMIT;
	case WLINK_DROP_AQM:
		return QDISC_DROP_CONGESTED;
	default:
		return QDISC_DROP_GENERIC;
	}
}

static void wl_trace_sdu(const struct Qdisc *sch, const struct wl_sdu *sdu,
			 const struct sk_buff *skb, u64 handover_ns)
{
	trace_wlink_packet(sch, sdu, skb);
	trace_wlink_sdu(sch, sdu, skb, handover_ns);
}

void wl_on_dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct wl_sched *q = wl_sched_of(link);
	struct wl_class *cl = wl_class_of(q, sdu->owner);
	struct sk_buff *skb = sdu->cookie;

	wl_trace_sdu(q->sch, sdu, skb, 0);
	cl->qstats.drops++;
	cl->qstats.backlog -= qdisc_pkt_len(skb);
	WRITE_ONCE(q->sch->q.qlen, q->sch->q.qlen - 1);
	qdisc_qstats_backlog_dec(q->sch, skb);
	qdisc_qstats_drop(q->sch);
	tcf_set_qdisc_drop_reason(skb, wl_drop_reason(sdu->drop));
	__qdisc_drop(skb, &q->drops.list);
}

static __always_inline void wl_count_in(struct Qdisc *sch, struct wl_class *cl,
					struct sk_buff *skb)
{
	WRITE_ONCE(sch->q.qlen, sch->q.qlen + 1);
	qdisc_qstats_backlog_inc(sch, skb);
	cl->qstats.backlog += qdisc_pkt_len(skb);
}

/* A clone shares the data until one of the two is to be changed. It is counted by the
 * qdiscs above as what is dropped is: by the difference, see wl_drops_end().
 */
void *wl_on_duplicate(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct wl_sched *q = wl_sched_of(link);
	struct sk_buff *skb;

	if (!link->pool)
		wl_pool_grow(&q->pool, link, GFP_ATOMIC);
	skb = link->pool ? skb_clone(sdu->cookie, GFP_ATOMIC) : NULL;
	if (skb)
		wl_count_in(q->sch, wl_class_of(q, sdu->owner), skb);
	return skb;
}

/* Whether __netif_schedule() leads to a call of dequeue(). Most parents do not dequeue
 * from an empty child, and nothing dequeues for a device that is down or stopped.
 */
static bool wl_is_polled(const struct Qdisc *sch)
{
	return READ_ONCE(sch->q.qlen) && sch == rcu_access_pointer(sch->dev_queue->qdisc) &&
	       !netif_xmit_frozen_or_stopped(sch->dev_queue);
}

/* Set a timer for the engine's next event: the watchdog if dequeue() will advance the
 * engine, else the timer that advances it itself. If the engine has run out of budget
 * that is at once, after other softirqs have run. While no packet is held, the engine
 * may be late unnoticed, so it does not wake for each step of a schedule.
 */
static void wl_rearm(struct wl_sched *q)
{
	u64 next_ns = wl_link_next_ns(&q->link);

	q->armed_ns = next_ns;
	if (wl_pool_is_large(&q->pool, &q->link))
		schedule_work(&q->pool.work);
	/* A timer that is set already may expire early, which does no harm. */
	if (next_ns == WL_NEVER_NS)
		return;
	next_ns = max3(next_ns, q->link.now_ns + 1, q->pause_ns);
	/* The other one of a pair waits for what the engine of an idle link says. */
	if (!q->sch->q.qlen && !q->pair)
		next_ns = max(next_ns, q->worked_ns + IDLE_NS);
	q->armed_ns = next_ns;
	if (wl_is_polled(q->sch))
		hrtimer_start(&q->watchdog, ns_to_ktime(next_ns),
			      HRTIMER_MODE_ABS_PINNED);
	else
		hrtimer_start(&q->timer, ns_to_ktime(next_ns),
			      HRTIMER_MODE_ABS_PINNED_SOFT);
	/* Sent before the timer was set. */
	if (q->pair && wl_pair_waits(q))
		hrtimer_start(&q->timer, 0, HRTIMER_MODE_REL_PINNED_SOFT);
}

/* The caller frees @dropped. */
static __always_inline bool wl_advance(struct wl_sched *q, u64 now_ns, struct sk_buff **dropped)
{
	u64 end_ns;
	bool done;

	WRITE_ONCE(q->rung, false);
	if (q->pair)
		wl_pair_read(q);
	wl_drops_begin(q);
	done = wl_link_advance(&q->link, now_ns);
	*dropped = wl_drops_end(q);
	/* An engine that is behind gets half of a processor: the softirq runs on
	 * the CPU of whoever has released the lock.
	 */
	if (!done) {
		end_ns = wl_now_ns(q);
		q->pause_ns = end_ns + (end_ns - now_ns);
	}
	wl_rearm(q);
	return done;
}

bool wl_catch_up(struct wl_sched *q, u64 now_ns, struct sk_buff **dropped)
{
	struct Qdisc *sch = q->sch;
	bool held = sch->q.qlen;
	bool done;

	done = wl_advance(q, now_ns, dropped);
	/* A parent may have other children waiting behind one that is empty now. */
	if (wl_link_due(&q->link) || (held && !sch->q.qlen))
		__netif_schedule(qdisc_root(sch));
	return done;
}

bool wl_qdisc_catch_up(struct Qdisc *sch, u64 now_ns)
{
	struct sk_buff *dropped;
	bool done;

	done = wl_catch_up(qdisc_priv(sch), now_ns, &dropped);
	wl_drops_free(sch, dropped);
	return done;
}

void wl_qdisc_lock_to_show(struct Qdisc *sch) __acquires(lock)
{
	const struct wl_sched *q = qdisc_priv(sch);
	u64 now_ns;

	wl_tree_lock(sch);
	now_ns = wl_now_ns(q);
	if (now_ns >= q->pause_ns)
		wl_qdisc_catch_up(sch, now_ns);
}

/* The root may be replaced while its lock is waited for. */
static struct Qdisc *wl_lock_root(struct Qdisc *sch) __acquires(lock)
{
	struct Qdisc *root;

	for (;;) {
		root = qdisc_root_sleeping(sch);
		spin_lock(qdisc_lock(root));
		if (root == qdisc_root_sleeping(sch))
			return root;
		spin_unlock(qdisc_lock(root));
	}
}

/* As with any qdisc's watchdog, dequeue() does the work. If nothing dequeues any more
 * since the watchdog was set, the timer does it. No lock is held: a concurrent
 * wl_advance() may clear @rung, but then sets one of the two timers again.
 */
static enum hrtimer_restart wl_watchdog(struct hrtimer *watchdog)
{
	struct wl_sched *q = container_of(watchdog, struct wl_sched, watchdog);

	rcu_read_lock();
	if (wl_is_polled(q->sch)) {
		WRITE_ONCE(q->rung, true);
		__netif_schedule(qdisc_root(q->sch));
	} else if (!READ_ONCE(q->stopped)) {
		hrtimer_start(&q->timer, 0, HRTIMER_MODE_REL_PINNED_SOFT);
	}
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart wl_timer(struct hrtimer *timer)
{
	struct wl_sched *q = container_of(timer, struct wl_sched, timer);
	struct sk_buff *dropped;
	struct Qdisc *root;

	rcu_read_lock();
	root = wl_lock_root(q->sch);
	q->worked_ns = wl_now_ns(q);
	spin_lock(&q->reset);
	wl_catch_up(q, q->worked_ns, &dropped);
	spin_unlock(&q->reset);
	spin_unlock(qdisc_lock(root));
	rcu_read_unlock();
	wl_drops_free(q->sch, dropped);
	return HRTIMER_NORESTART;
}

/* As the timer it has no RTNL. */
static void wl_shrink(struct work_struct *work)
{
	struct wl_sched *q = container_of(work, struct wl_sched, pool.work);
	struct Qdisc *root;
	bool more;

	do {
		rcu_read_lock();
		local_bh_disable();
		root = wl_lock_root(q->sch);
		spin_lock(&q->reset);
		more = wl_pool_shrink(&q->pool, &q->link, WL_WALK_MAX);
		spin_unlock(&q->reset);
		spin_unlock(qdisc_lock(root));
		local_bh_enable();
		rcu_read_unlock();
		cond_resched();
	} while (more);
}

void wl_qdisc_init(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);

	q->sch = sch;
	sch->flags |= TCQ_F_DEQUEUE_DROPS;
	spin_lock_init(&q->reset);
	INIT_LIST_HEAD(&q->order);
	wl_pool_init(&q->pool);
	INIT_WORK(&q->pool.work, wl_shrink);
	q->armed_ns = WL_NEVER_NS;
	hrtimer_setup(&q->watchdog, wl_watchdog, CLOCK_MONOTONIC,
		      HRTIMER_MODE_ABS_PINNED);
	hrtimer_setup(&q->timer, wl_timer, CLOCK_MONOTONIC,
		      HRTIMER_MODE_REL_PINNED_SOFT);
}

/* Each of the two timers may set the other one: the watchdog not once @stopped is seen,
 * which is certain after the first cancel.
 */
void wl_qdisc_stop(struct wl_sched *q)
{
	/* From here on the other one of a pair does not set the timer; a timer that runs may
	 * still speak to it, so the pair is left when there is none.
	 */
	wl_pair_mute(q);
	WRITE_ONCE(q->stopped, true);
	hrtimer_cancel(&q->watchdog);
	hrtimer_cancel(&q->timer);
	hrtimer_cancel(&q->watchdog);
	wl_pair_leave(q);
}

/* The size table that has last told the size of a packet, NULL for none. */
static const struct qdisc_size_table *wl_size_table(const struct Qdisc *sch)
{
	const struct qdisc_size_table *own = rcu_dereference_bh(sch->stab);

	if (own || sch->parent == TC_H_ROOT)
		return own;
	return rcu_dereference_bh(rcu_dereference_bh(sch->dev_queue->qdisc)->stab);
}

/* As the kernel's __qdisc_calculate_pkt_len(), which modules cannot call. */
static u32 wl_table_bytes(const struct qdisc_size_table *table, u32 bytes)
{
	int slot, size = bytes + table->szopts.overhead, slots = table->szopts.tsize;

	if (slots) {
		slot = max(size + table->szopts.cell_align, 0) >> table->szopts.cell_log;
		size = table->data[slot % slots];
		if (slot >= slots)
			size += table->data[slots - 1] * (slot / slots);
		size <<= table->szopts.size_log;
	}
	return max(size, 1);
}

/* A SDU is the packet from its network header on; what a size table adds
 * counts, and may be any number. Of cells of ATM no header can be taken away.
 */
static inline u32 wl_sdu_bytes(const struct Qdisc *sch, const struct sk_buff *skb)
{
	const struct qdisc_size_table *table = wl_size_table(sch);
	s64 bytes = qdisc_pkt_len(skb);

	if (!table || table->szopts.linklayer != TC_LINKLAYER_ATM)
		bytes -= max(skb_network_offset(skb), 0);
	return clamp_t(s64, bytes, 1, WL_SDU_BYTES_MAX);
}

static u8 wl_ecn_of(struct sk_buff *skb)
{
	int dsfield = skb_get_dsfield(skb);

	return dsfield < 0 ? WL_ECN_NOT_ECT : dsfield & INET_ECN_MASK;
}

/* Whoever asked for the time of sending is told by the driver, when the link has sent.
 * Until then the packet knows the socket, which does not pay for it. TCP retransmits
 * nothing whose fast clone is still in a queue of the host, so that is replaced by another.
 */
static noinline struct sk_buff *wl_disown_stamped(struct sk_buff *skb)
{
	bool cloned = skb->fclone == SKB_FCLONE_CLONE;
	struct sk_buff *own = cloned ? skb_clone(skb, GFP_ATOMIC) : NULL;
	struct sock *sk = skb->sk;

	own = own ?: skb;
	if (!sk || !sk_fullsock(sk) || !skb_set_owner_sk_safe(own, sk))
		skb_orphan(own);
	if (own != skb)
		consume_skb(skb);
	return own;
}

static __always_inline void wl_take(struct wl_sched *q, struct wl_class *cl,
				    struct sk_buff *skb, u64 now_ns, u8 ecn)
{
	/* It has left the host: it does not count against the sender's small
	 * queue limit, and TCP may send it again. With skb_orphan_partial(), as
	 * netem has it, TCP waits for what it takes to be in a queue of its own.
	 */
	if (unlikely(skb_shinfo(skb)->tx_flags & SKBTX_ANY_TSTAMP))
		skb = wl_disown_stamped(skb);
	else
		skb_orphan(skb);
	wl_count_in(q->sch, cl, skb);
	if (!q->link.pool)
		wl_pool_grow(&q->pool, &q->link, GFP_ATOMIC);
	wl_link_enqueue(&q->link, cl->bearer, now_ns, skb, wl_sdu_bytes(q->sch, skb), ecn);
}

static noinline void wl_take_segments(struct wl_sched *q, struct wl_class *cl,
				      struct sk_buff *skb, u64 now_ns, u8 ecn)
{
	const struct qdisc_size_table *table = wl_size_table(q->sch);
	netdev_features_t features = netif_skb_features(skb);
	struct sk_buff *segs, *next;

	segs = skb_gso_segment(skb, features & ~NETIF_F_GSO_MASK);
	if (IS_ERR_OR_NULL(segs)) {
		wl_count_in(q->sch, cl, skb);
		wl_link_refuse(&q->link, cl->bearer, now_ns, skb,
			       wl_sdu_bytes(q->sch, skb), WLINK_DROP_SEGMENT);
		return;
	}
	skb_list_walk_safe(segs, segs, next) {
		skb_mark_not_on_list(segs);
		qdisc_skb_cb(segs)->pkt_len = segs->len;
		if (table)
			qdisc_skb_cb(segs)->pkt_len = wl_table_bytes(table, segs->len);
		wl_pkt_segs_set(segs, 1);
		wl_take(q, cl, segs, now_ns, ecn);
	}
	consume_skb(skb);
}

int wl_enqueue(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)
{
	struct wl_sched *q = qdisc_priv(sch);
	u32 bytes = qdisc_pkt_len(skb);
	u64 now_ns = wl_now_ns(q);
	struct wl_class *cl;
	int result;
	u8 ecn;

	if (!rcu_access_pointer(q->filters) &&
	    TC_H_MAJ(skb->priority ^ sch->handle))
		cl = &q->first;
	else
		cl = wl_classify(skb, sch, &result);
	if (!cl) {
		if (result & __NET_XMIT_BYPASS)
			qdisc_qstats_drop(sch);
		__qdisc_drop(skb, to_free);
		return result;
	}
	wl_drops_begin(q);
	q->drops.list = *to_free;
	ecn = wl_ecn_of(skb);
	if (skb_is_gso(skb))
		wl_take_segments(q, cl, skb, now_ns, ecn);
	else
		wl_take(q, cl, skb, now_ns, ecn);
	/* An idle link may be behind, see wl_rearm(). */
	if (!q->drops.packets || !wl_link_waits_until(&q->link, q->armed_ns)) {
		WRITE_ONCE(q->rung, false);
		if (q->pair)
			wl_pair_read(q);
		wl_link_advance(&q->link, now_ns);
		wl_rearm(q);
	}
	/* Emulated loss is none of the sender's business, as with netem: it
	 * hears of success. The parents count one packet then.
	 */
	if (sch->q.qlen) {
		q->drops.packets++;
		q->drops.bytes += bytes;
	}
	*to_free = wl_drops_end(q);
	return sch->q.qlen ? NET_XMIT_SUCCESS :
			     NET_XMIT_SUCCESS | __NET_XMIT_BYPASS;
}

/* A clone that a bridge or a tap holds shares the header and must not be marked.
 * If there is no memory for a copy the mark is lost, though counted.
 */
static noinline void wl_set_ce(struct sk_buff *skb)
{
	int bytes = skb_network_offset(skb) + sizeof(struct ipv6hdr);

	if (!skb_try_make_writable(skb, bytes))
		INET_ECN_set_ce(skb);
}

/* What a checksum is to find has to be in one, so the packet gets its own first. Bytes
 * that a size table has added hold nothing. If there is no memory the errors are lost,
 * though counted.
 */
static noinline void wl_corrupt(struct sk_buff *skb, const struct wl_sdu *sdu)
{
	struct wl_error errors[WLINK_ERRORS_MAX];
	u32 count = wl_impair_errors(sdu, errors);
	u64 at;

	if ((skb->ip_summed == CHECKSUM_PARTIAL && skb_csum_hwoffload_help(skb, 0)) ||
	    skb_ensure_writable(skb, skb->len))
		return;
	/* Nobody has looked at what it is now. */
	skb->ip_summed = CHECKSUM_NONE;
	while (count--) {
		at = errors[count].byte + max(skb_network_offset(skb), 0);
		if (at < skb->len)
			skb->data[at] ^= errors[count].mask;
	}
}

static void wl_count_late(struct wl_stats *stats, u64 late_ns)
{
	wl_stats_why(stats, WL_WHY_LATE, late_ns);
	stats->v[WLINK_STAT_LATE_MAX_NS] = max(stats->v[WLINK_STAT_LATE_MAX_NS], late_ns);
}

/* Whether the link is still to begin: what is due leaves then. */
static noinline bool wl_is_early(struct wl_sched *q)
{
	if (ktime_get_ns() >= q->begin_ns)
		return false;
	hrtimer_start(&q->watchdog, ns_to_ktime(q->begin_ns), HRTIMER_MODE_ABS_PINNED);
	return true;
}

static noinline void wl_answer_watchdog(struct wl_sched *q, u64 now_ns)
{
	struct sk_buff *dropped;

	wl_advance(q, now_ns, &dropped);
	wl_drops_free_later(q->sch, dropped);
}

/* Below a parent the engine is not advanced here: one in the middle of asking may
 * not survive that its child becomes empty without giving a packet; htb looks for
 * one for ever.
 */
struct sk_buff *wl_dequeue(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;
	struct sk_buff *skb;
	struct wl_sdu *sdu;
	bool rung = READ_ONCE(q->rung);
	u64 now_ns;

	if (!rung && !wl_link_due(&q->link))
		return NULL;
	now_ns = wl_now_ns(q);
	if (rung)
		wl_answer_watchdog(q, now_ns);
	sdu = wl_link_due(&q->link);
	if (!sdu || (now_ns == q->begin_ns && wl_is_early(q)))
		return NULL;
	skb = sdu->cookie;
	cl = wl_class_of(q, sdu->owner);
	wl_count_late(&cl->bearer->stats, now_ns - sdu->deliver_ns);
	wl_trace_sdu(sch, sdu, skb, now_ns);
	if (sdu->ecn & WL_ECN_MARKED)
		wl_set_ce(skb);
	if (sdu->impaired & WLINK_IMPAIRED_CORRUPT)
		wl_corrupt(skb, sdu);
	wl_link_hand_over(&q->link, sdu);
	WRITE_ONCE(sch->q.qlen, sch->q.qlen - 1);
	qdisc_qstats_backlog_dec(sch, skb);
	cl->qstats.backlog -= qdisc_pkt_len(skb);
	/* Segments are packets of their own here. */
	_bstats_update(&sch->bstats, qdisc_pkt_len(skb), 1);
	_bstats_update(&cl->bstats, qdisc_pkt_len(skb), 1);
	return skb;
}

void wl_qdisc_catch_up_slowly(struct Qdisc *sch)
{
	u64 now_ns, until_ns = 0;
	bool done;

	do {
		wl_tree_lock(sch);
		now_ns = wl_now_ns(qdisc_priv(sch));
		until_ns = until_ns ?: now_ns + CATCH_UP_NS;
		done = wl_qdisc_catch_up(sch, now_ns - 1);
		sch_tree_unlock(sch);
		cond_resched();
	} while (!done && now_ns < until_ns);
}

u64 wl_qdisc_lock(struct Qdisc *sch) __acquires(lock)
{
	u64 now_ns;

	wl_qdisc_catch_up_slowly(sch);
	wl_tree_lock(sch);
	now_ns = wl_now_ns(qdisc_priv(sch));
	wl_qdisc_catch_up(sch, now_ns);
	return now_ns;
}

void wl_qdisc_unlock(struct Qdisc *sch, u64 now_ns) __releases(lock)
{
	wl_qdisc_catch_up(sch, now_ns);
	sch_tree_unlock(sch);
}

void wl_reset(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	u64 now_ns = wl_now_ns(q);
	struct sk_buff *dropped;

	/* Before destroy() no lock is held, so the timers must not run. Else they
	 * go on: what is to happen does so while a device is down.
	 */
	if (!refcount_read(&sch->refcnt))
		wl_qdisc_stop(q);
	/* As net.core.default_qdisc it gets no rate: init() fails, and the
	 * kernel resets what it then destroys.
	 */
	if (!q->link.ops)
		return;
	spin_lock_bh(&q->reset);
	/* The timer may have run meanwhile. */
	now_ns = max(now_ns, q->link.now_ns);
	/* No caller has left what would be freed below, see wl_drops_begin(). */
	DEBUG_NET_WARN_ON_ONCE(q->drops.list);
	/* What was to happen before now happens before. */
	wl_link_advance(&q->link, now_ns);
	wl_link_flush(&q->link, now_ns);
	dropped = q->drops.list;
	q->drops.list = NULL;
	if (refcount_read(&sch->refcnt))
		wl_rearm(q);
	spin_unlock_bh(&q->reset);
	wl_drops_free(sch, dropped);
}
