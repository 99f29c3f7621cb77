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
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <net/gso.h>
#include <net/inet_ecn.h>
#include <net/sock.h>

#include "wl_bypass.h"
#include "wl_change.h"
#include "wl_genl.h"
#include "wl_netlink.h"
#include "wl_profile.h"
#include "wl_qdisc.h"
#include "wl_schedule.h"
#include "wl_stats.h"
#include "wl_trace.h"
#include "wl_txn.h"

/* A bound for the time spent before a change. */
#define CATCH_UP_ROUNDS	1000

static struct wl_sched *of_link(struct wl_link *link)
{
	return container_of(link, struct wl_sched, link);
}

static void on_dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct wl_sched *q = of_link(link);
	struct wl_class *cl = wl_class_of(q, sdu->owner);
	struct sk_buff *skb = sdu->cookie;

	trace_wlink_sdu(q->sch, sdu, skb, 0);
	cl->qstats.drops++;
	cl->qstats.backlog -= qdisc_pkt_len(skb);
	wl_parents_drop(&q->parents, skb, sdu->seq);
}

static void on_rate_changed(struct wl_link *link, const struct wl_bearer *b,
			    u64 at_ns, u64 old_bps, u64 new_bps)
{
	trace_wlink_rate(of_link(link)->sch, b->number, link->generation, at_ns,
			 old_bps, new_bps);
}

static void on_applied(struct wl_link *link, struct wl_txn *txn, u64 at_ns)
{
	wl_txn_applied(of_link(link), txn, at_ns);
	wl_bypass_configured(of_link(link));
}

static void on_granted(struct wl_link *link, const struct wl_bearer *b,
		       u64 at_ns, u64 bytes, u64 used_bytes)
{
	trace_wlink_grant(of_link(link)->sch, b->number, link->generation,
			  at_ns, bytes, used_bytes);
}

static void on_play_changed(struct wl_link *link, struct wl_bearer *b,
			    struct wl_play *play, u64 at_ns)
{
	trace_wlink_play(of_link(link)->sch, b->number, link->generation, at_ns,
			 play->state, play->pass);
	wl_schedule_changed(of_link(link), play, at_ns);
}

static void on_channel_changed(struct wl_link *link, const struct wl_bearer *b,
			       u64 at_ns, bool bad)
{
	trace_wlink_channel(of_link(link)->sch, b ? b->number : 0,
			    link->generation, at_ns, bad);
}

static const struct wl_link_ops link_ops = {
	.dropped = on_dropped,
	.rate_changed = on_rate_changed,
	.applied = on_applied,
	.granted = on_granted,
	.play_changed = on_play_changed,
	.channel_changed = on_channel_changed,
};

static void rearm(struct wl_sched *q)
{
	u64 next_ns = wl_link_next_ns(&q->link);

	q->armed_ns = next_ns;
	wl_timer_set(&q->timer, next_ns, wl_link_then_ns(&q->link, next_ns));
}

void wl_qdisc_rearm(struct wl_sched *q)
{
	wl_bypass_configured(q);
	rearm(q);
}

/* What happens may ask for an earlier time than the timer is set for; dequeue(),
 * which follows, sets it again.
 */
static bool advance(struct wl_sched *q, u64 now_ns)
{
	q->armed_ns = 0;
	return wl_link_advance(&q->link, now_ns);
}

/* The kernel asks until there is no more. Where the timer is set and what has come
 * since can wait for it, the answer is known without the clock.
 */
static bool nothing_yet(const struct Qdisc *sch, struct wl_sched *q)
{
	u64 at_ns = q->armed_ns;

	if (wl_timer_quiet(&q->timer, at_ns))
		return at_ns > q->link.now_ns &&
		       wl_link_waits_until(&q->link, at_ns);
	return !sch->q.qlen && wl_link_at_rest(&q->link);
}

bool wl_qdisc_catch_up(struct Qdisc *sch, u64 now_ns)
{
	struct wl_sched *q = qdisc_priv(sch);
	bool done;

	wl_bypass_count(q);
	wl_parents_begin(&q->parents, U64_MAX);
	done = advance(q, now_ns);
	wl_parents_settle(&q->parents);
	kfree_skb_list(q->parents.to_free);
	return done;
}

/* A SDU is the packet from its network header on; what a size table adds
 * counts, and may be any number.
 */
static u32 sdu_bytes(const struct sk_buff *skb)
{
	s64 bytes = qdisc_pkt_len(skb);

	bytes -= max(skb_network_offset(skb), 0);
	return clamp_t(s64, bytes, 1, WL_SDU_BYTES_MAX);
}

static u8 ecn_of(struct sk_buff *skb)
{
	int dsfield = skb_get_dsfield(skb);

	return dsfield < 0 ? WL_ECN_NOT_ECT : dsfield & INET_ECN_MASK;
}

static __always_inline void take(struct wl_sched *q, struct wl_class *cl,
				 struct sk_buff *skb, u64 now_ns)
{
	/* It has left the host: it does not count against the sender's small
	 * queue limit, and TCP may send it again. With skb_orphan_partial(), as
	 * netem has it, TCP waits for what it takes to be in a queue of its own.
	 */
	skb_orphan(skb);
	WRITE_ONCE(q->sch->q.qlen, q->sch->q.qlen + 1);
	qdisc_qstats_backlog_inc(q->sch, skb);
	cl->qstats.backlog += qdisc_pkt_len(skb);
	if (!q->link.pool)
		wl_slots_more(&q->pool, &q->link, GFP_ATOMIC | __GFP_ACCOUNT);
	wl_link_enqueue(&q->link, cl->bearer, now_ns, skb, sdu_bytes(skb),
			ecn_of(skb));
}

static int enqueue_segments(struct sk_buff *skb, struct Qdisc *sch,
			    struct wl_class *cl, struct sk_buff **to_free,
			    u64 now_ns)
{
	netdev_features_t features = netif_skb_features(skb);
	struct wl_sched *q = qdisc_priv(sch);
	u32 parent_bytes = qdisc_pkt_len(skb);
	struct sk_buff *segs, *next;
	u32 packets = 0, bytes = 0;

	segs = skb_gso_segment(skb, features & ~NETIF_F_GSO_MASK);
	if (IS_ERR_OR_NULL(segs))
		return qdisc_drop(skb, sch, to_free);
	wl_parents_begin(&q->parents, q->link.seq);
	skb_list_walk_safe(segs, segs, next) {
		skb_mark_not_on_list(segs);
		qdisc_skb_cb(segs)->pkt_len = segs->len;
		wl_pkt_segs_set(segs, 1);
		bytes += segs->len;
		packets++;
		take(q, cl, segs, now_ns);
	}
	consume_skb(skb);
	advance(q, now_ns);
	return wl_parents_settle_enqueue(&q->parents, to_free, packets, bytes,
					 parent_bytes);
}

static int wl_enqueue(struct sk_buff *skb, struct Qdisc *sch,
		      struct sk_buff **to_free)
{
	struct wl_sched *q = qdisc_priv(sch);
	u32 bytes = qdisc_pkt_len(skb);
	u64 now_ns = ktime_get_ns();
	struct wl_class *cl;
	int result;

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
	if (skb_is_gso(skb))
		return enqueue_segments(skb, sch, cl, to_free, now_ns);
	wl_parents_begin(&q->parents, q->link.seq);
	take(q, cl, skb, now_ns);
	/* A dequeue() follows, and does all at once. */
	if (!q->parents.gone && !q->parents.to_free &&
	    wl_link_may_wait(&q->link))
		return NET_XMIT_SUCCESS;
	advance(q, now_ns);
	return wl_parents_settle_enqueue(&q->parents, to_free, 1, bytes, bytes);
}

/* A clone that a bridge or a tap holds shares the header and is not to be
 * marked. Where there is no memory for a copy the mark is lost; it has been
 * counted.
 */
static noinline void set_ce(struct sk_buff *skb)
{
	int bytes = skb_network_offset(skb) + sizeof(struct ipv6hdr);

	if (!skb_try_make_writable(skb, bytes))
		INET_ECN_set_ce(skb);
}

static noinline struct sk_buff *next_due(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;
	struct wl_sdu *sdu;
	struct sk_buff *skb;
	u64 now_ns;

	wl_timer_answer(&q->timer);
	now_ns = ktime_get_ns();
	wl_parents_begin(&q->parents, U64_MAX);
	advance(q, now_ns);
	if (q->parents.gone)
		wl_parents_settle_dequeue(&q->parents);
	if (q->parents.to_free)
		kfree_skb_list(q->parents.to_free);
	sdu = wl_link_due(&q->link, now_ns);
	if (!sdu) {
		rearm(q);
		return NULL;
	}
	skb = sdu->cookie;
	cl = wl_class_of(q, sdu->owner);
	wl_stats_late(&cl->late, now_ns - sdu->deliver_ns);
	trace_wlink_sdu(sch, sdu, skb, now_ns);
	if (sdu->ecn & WL_ECN_MARKED)
		set_ce(skb);
	wl_link_hand_over(&q->link, sdu);
	WRITE_ONCE(sch->q.qlen, sch->q.qlen - 1);
	qdisc_qstats_backlog_dec(sch, skb);
	qdisc_bstats_update(sch, skb);
	cl->qstats.backlog -= qdisc_pkt_len(skb);
	bstats_update(&cl->bstats, skb);
	if (!wl_link_due(&q->link, now_ns) && sch->q.qlen)
		rearm(q);
	else if (q->may_bypass && !sch->q.qlen)
		wl_bypass_begin(q);
	return skb;
}

/* Most of the kernel's questions come for nothing, so they are to cost little. */
static struct sk_buff *wl_dequeue(struct Qdisc *sch)
{
	return nothing_yet(sch, qdisc_priv(sch)) ? NULL : next_due(sch);
}

void wl_qdisc_catch_up_slowly(struct Qdisc *sch)
{
	int rounds = CATCH_UP_ROUNDS;
	bool done;

	do {
		sch_tree_lock(sch);
		done = wl_qdisc_catch_up(sch, ktime_get_ns() - 1);
		sch_tree_unlock(sch);
		cond_resched();
	} while (!done && --rounds);
}

static int wl_qdisc_change(struct Qdisc *sch, struct nlattr *opt,
			   struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);

	return wl_change(sch, &q->first, true, opt, extack);
}

static int wl_init(struct Qdisc *sch, struct nlattr *opt,
		   struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_cfg *cfg = &q->first.asked;
	bool reseed;
	int err;

	q->sch = sch;
	INIT_LIST_HEAD(&q->order);
	INIT_LIST_HEAD(&q->changes);
	wl_notes_init(&q->notes, sch);
	wl_timer_init(&q->timer, sch);
	wl_bypass_init(q);
	wl_parents_init(&q->parents, sch);
	wl_cfg_default(cfg);
	cfg->seed = get_random_u64();
	err = wl_change_refuse_new(opt, extack);
	if (!err)
		err = wl_netlink_parse(cfg, &q->profiles,
				       TC_H_MAKE(sch->handle, 1), opt, &reseed,
				       extack);
	if (err)
		return err;
	wl_link_init(&q->link, cfg, ktime_get_ns(), &link_ops);
	err = wl_class_init(q, extack);
	if (err)
		return err;
	wl_slots_more(&q->pool, &q->link, GFP_KERNEL_ACCOUNT);
	sch->flags &= ~TCQ_F_CAN_BYPASS;
	wl_bypass_configured(q);
	return 0;
}

static void wl_reset(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	u64 now_ns = ktime_get_ns();

	/* As net.core.default_qdisc it gets no rate: wl_init() fails, and the
	 * kernel resets what it then destroys.
	 */
	if (!q->link.ops)
		return;
	wl_timer_cancel(&q->timer);
	wl_bypass_end(q);
	wl_parents_begin(&q->parents, U64_MAX);
	/* What was to happen before now happens before. */
	advance(q, now_ns);
	wl_link_flush(&q->link, now_ns);
	kfree_skb_list(q->parents.to_free);
	wl_qdisc_rearm(q);
}

/* Notes that have come may be all that a schedule lives for: the work frees it
 * with them, and must not while it is looked at here.
 */
static void leave_schedules(struct wl_sched *q)
{
	struct wl_class *cl;

	mutex_lock(&q->notes.mutex);
	wl_notes_settle(&q->notes);
	list_for_each_entry(cl, &q->order, order)
		wl_schedule_leave(q, cl, ktime_get_ns());
	mutex_unlock(&q->notes.mutex);
}

/* Runs after a failed wl_init(), too. */
static void wl_destroy(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);

	wl_timer_cancel(&q->timer);
	wl_bypass_destroy(q);
	wl_parents_destroy(&q->parents);
	leave_schedules(q);
	wl_notes_destroy(&q->notes);
	wl_txn_destroy(q);
	wl_class_destroy(q);
	wl_profile_free_all(q);
	wl_slots_free(&q->pool);
}

/* The kernel reads qlen between this and wl_qdisc_dump_stats(), and all three
 * are to tell of one time. The profile outlives the lock: wl_profile_sweep()
 * frees under RTNL, which is held here.
 */
static int wl_qdisc_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_cfg cfg;

	sch_tree_lock(sch);
	wl_qdisc_catch_up(sch, ktime_get_ns());
	cfg = q->first.asked;
	wl_profile_in_force(&cfg, &q->link.first.cfg);
	sch_tree_unlock(sch);
	return wl_netlink_dump(skb, &cfg, q->first.common.classid);
}

static int wl_qdisc_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct wl_sched *q = qdisc_priv(sch);
	int err;

	sch_tree_lock(sch);
	err = wl_stats_dump(d->skb, q);
	sch_tree_unlock(sch);
	return err ? -1 : 0;
}

static struct Qdisc_ops wl_qdisc_ops __read_mostly = {
	.id		= "wlink",
	.cl_ops		= &wl_class_ops,
	.priv_size	= sizeof(struct wl_sched),
	.enqueue	= wl_enqueue,
	.dequeue	= wl_dequeue,
	.peek		= qdisc_peek_dequeued,
	.init		= wl_init,
	.reset		= wl_reset,
	.destroy	= wl_destroy,
	.change		= wl_qdisc_change,
	.dump		= wl_qdisc_dump,
	.dump_stats	= wl_qdisc_dump_stats,
	.owner		= THIS_MODULE,
};

static int __init wl_module_init(void)
{
	int err;

	err = wl_genl_register();
	if (err)
		return err;
	err = register_qdisc(&wl_qdisc_ops);
	if (err)
		wl_genl_unregister();
	return err;
}
module_init(wl_module_init);

static void __exit wl_module_exit(void)
{
	unregister_qdisc(&wl_qdisc_ops);
	wl_genl_unregister();
}
module_exit(wl_module_exit);

MODULE_DESCRIPTION("Radio link emulation");
/* 6.8 and newer ask for this, older ones for the module by its name. */
MODULE_ALIAS("net-sch-wlink");
MODULE_LICENSE("GPL");
