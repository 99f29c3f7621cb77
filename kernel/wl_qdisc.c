// SPDX-License-Identifier: GPL-2.0
/*
 * sch_wlink - a radio link as a queueing discipline.
 *
 * This file ties the engine in core/ to the kernel's qdiscs. The engine alone
 * decides what becomes of a packet and when; here it gets packets, the clock
 * and one timer. A timer that fires late changes when a packet is handed to the
 * device, never the model.
 */
#include <linux/module.h>
#include <linux/random.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <net/gso.h>
#include <net/sock.h>

#include "wl_netlink.h"
#include "wl_qdisc.h"
#include "wl_stats.h"
#include "wl_trace.h"

/* A bound for the time spent before a change; see wl_qdisc_change(). */
#define CATCH_UP_ROUNDS	1000

static struct wl_sched *of_link(struct wl_link *link)
{
	return container_of(link, struct wl_sched, link);
}

static void on_dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct wl_sched *q = of_link(link);
	struct sk_buff *skb = sdu->cookie;

	trace_wlink_sdu(q->sch, sdu, skb, 0);
	wl_parents_drop(&q->parents, skb, sdu->seq);
}

static void on_rate_changed(struct wl_link *link, u64 at_ns, u64 old_bps,
			    u64 new_bps)
{
	trace_wlink_rate(of_link(link)->sch, link->generation, at_ns, old_bps,
			 new_bps);
}

static void on_channel_changed(struct wl_link *link, u64 at_ns, bool bad)
{
	trace_wlink_channel(of_link(link)->sch, at_ns, bad);
}

static const struct wl_link_ops link_ops = {
	.dropped = on_dropped,
	.rate_changed = on_rate_changed,
	.channel_changed = on_channel_changed,
};

/* The one place that arms the timer. */
static void rearm(struct wl_sched *q)
{
	u64 next_ns = wl_link_next_ns(&q->link);

	if (next_ns == WL_NEVER_NS)
		qdisc_watchdog_cancel(&q->watchdog);
	else
		qdisc_watchdog_schedule_ns(&q->watchdog, next_ns);
}

static bool catch_up(struct Qdisc *sch, u64 now_ns)
{
	struct wl_sched *q = qdisc_priv(sch);
	bool done;

	wl_parents_begin(&q->parents, U64_MAX);
	done = wl_link_advance(&q->link, now_ns);
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

static void take(struct wl_sched *q, struct sk_buff *skb, u64 now_ns)
{
	/* What waits in the air must not count against the sender's small
	 * queue limit; netem does the same.
	 */
	skb_orphan_partial(skb);
	WRITE_ONCE(q->sch->q.qlen, q->sch->q.qlen + 1);
	qdisc_qstats_backlog_inc(q->sch, skb);
	wl_link_enqueue(&q->link, now_ns, skb, sdu_bytes(skb));
}

static int enqueue_segments(struct sk_buff *skb, struct Qdisc *sch,
			    struct sk_buff **to_free, u64 now_ns)
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
		take(q, segs, now_ns);
	}
	consume_skb(skb);
	wl_link_advance(&q->link, now_ns);
	return wl_parents_settle_enqueue(&q->parents, to_free, packets, bytes,
					 parent_bytes);
}

static int wl_enqueue(struct sk_buff *skb, struct Qdisc *sch,
		      struct sk_buff **to_free)
{
	struct wl_sched *q = qdisc_priv(sch);
	u32 bytes = qdisc_pkt_len(skb);
	u64 now_ns = ktime_get_ns();

	if (skb_is_gso(skb))
		return enqueue_segments(skb, sch, to_free, now_ns);
	wl_parents_begin(&q->parents, q->link.seq);
	take(q, skb, now_ns);
	wl_link_advance(&q->link, now_ns);
	return wl_parents_settle_enqueue(&q->parents, to_free, 1, bytes, bytes);
}

static struct sk_buff *wl_dequeue(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	u64 now_ns = ktime_get_ns();
	struct sk_buff *skb;
	struct wl_sdu sdu;

	wl_parents_begin(&q->parents, U64_MAX);
	wl_link_advance(&q->link, now_ns);
	wl_parents_settle_dequeue(&q->parents);
	kfree_skb_list(q->parents.to_free);
	if (!wl_link_pop(&q->link, now_ns, &sdu)) {
		rearm(q);
		return NULL;
	}
	skb = sdu.cookie;
	wl_stats_late(&q->late, now_ns - sdu.deliver_ns);
	trace_wlink_sdu(sch, &sdu, skb, now_ns);
	WRITE_ONCE(sch->q.qlen, sch->q.qlen - 1);
	qdisc_qstats_backlog_dec(sch, skb);
	qdisc_bstats_update(sch, skb);
	return skb;
}

static int add_slots(struct wl_sched *q, const struct wl_cfg *cfg,
		     struct wl_slots **slots, u32 *count)
{
	u32 need = wl_cfg_slots(cfg);

	*slots = NULL;
	if (need <= q->link.slots)
		return 0;
	*count = need - q->link.slots;
	/* Up to 80 MB, asked for by whoever is root in a namespace. */
	*slots = kvzalloc(struct_size(*slots, sdus, *count),
			  GFP_KERNEL_ACCOUNT);
	if (!*slots)
		return -ENOMEM;
	wl_link_chain_slots((*slots)->sdus, *count);
	return 0;
}

static void attach_slots(struct wl_sched *q, struct wl_slots *slots, u32 count)
{
	if (!slots)
		return;
	slots->next = q->slots;
	q->slots = slots;
	wl_link_attach_slots(&q->link, slots->sdus, count);
}

/* An engine that is behind is brought to now in small steps, so that the lock
 * is never held for long. One that cannot keep up at all takes the change when
 * it reaches it.
 */
static void catch_up_slowly(struct Qdisc *sch)
{
	int rounds = CATCH_UP_ROUNDS;
	bool done;

	do {
		sch_tree_lock(sch);
		done = catch_up(sch, ktime_get_ns());
		sch_tree_unlock(sch);
		cond_resched();
	} while (!done && --rounds);
}

int wl_qdisc_change(struct Qdisc *sch, struct nlattr *opt,
		    struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_cfg cfg = q->asked;
	struct wl_slots *slots;
	u32 count = 0;
	bool reseed;
	u64 now_ns;
	int err;

	err = wl_netlink_parse(&cfg, opt, &reseed, extack);
	if (err)
		return err;
	err = add_slots(q, &cfg, &slots, &count);
	if (err)
		return err;
	catch_up_slowly(sch);

	sch_tree_lock(sch);
	now_ns = ktime_get_ns();
	catch_up(sch, now_ns);
	attach_slots(q, slots, count);
	q->asked = cfg;
	wl_link_configure(&q->link, now_ns, &cfg, reseed);
	catch_up(sch, now_ns);
	rearm(q);
	sch_tree_unlock(sch);
	return 0;
}

static int wl_init(struct Qdisc *sch, struct nlattr *opt,
		   struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_slots *slots;
	u32 count = 0;
	bool reseed;
	int err;

	q->sch = sch;
	qdisc_watchdog_init(&q->watchdog, sch);
	wl_parents_init(&q->parents, sch);
	wl_cfg_default(&q->asked);
	q->asked.seed = get_random_u64();
	err = wl_netlink_parse(&q->asked, opt, &reseed, extack);
	if (err)
		return err;
	wl_link_init(&q->link, &q->asked, ktime_get_ns(), &link_ops);
	err = add_slots(q, &q->asked, &slots, &count);
	if (err)
		return err;
	attach_slots(q, slots, count);
	sch->flags &= ~TCQ_F_CAN_BYPASS;
	return 0;
}

static void wl_reset(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);

	/* As net.core.default_qdisc it gets no rate: wl_init() fails, and the
	 * kernel resets what it then destroys.
	 */
	if (!q->link.ops)
		return;
	qdisc_watchdog_cancel(&q->watchdog);
	wl_parents_begin(&q->parents, U64_MAX);
	wl_link_flush(&q->link, ktime_get_ns());
	kfree_skb_list(q->parents.to_free);
}

/* Runs after a failed wl_init(), too. */
static void wl_destroy(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_slots *slots;

	qdisc_watchdog_cancel(&q->watchdog);
	wl_parents_destroy(&q->parents);
	while ((slots = q->slots)) {
		q->slots = slots->next;
		kvfree(slots);
	}
}

/* The kernel reads qlen between this and wl_qdisc_dump_stats(), and all three
 * are to tell of one time.
 */
int wl_qdisc_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_cfg cfg;

	sch_tree_lock(sch);
	catch_up(sch, ktime_get_ns());
	cfg = q->asked;
	sch_tree_unlock(sch);
	return wl_netlink_dump(skb, &cfg);
}

int wl_qdisc_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
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
	return register_qdisc(&wl_qdisc_ops);
}
module_init(wl_module_init);

static void __exit wl_module_exit(void)
{
	unregister_qdisc(&wl_qdisc_ops);
}
module_exit(wl_module_exit);

MODULE_DESCRIPTION("Radio link emulation");
/* 6.8 and newer ask for this, older ones for the module by its name. */
MODULE_ALIAS("net-sch-wlink");
MODULE_LICENSE("GPL");
