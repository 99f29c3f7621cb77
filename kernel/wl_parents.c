// SPDX-License-Identifier: GPL-2.0
#include "wl_parents.h"

static void tell(struct wl_parents *parents, int packets, int bytes)
{
	if (packets || bytes)
		qdisc_tree_reduce_backlog(parents->sch, packets, bytes);
}

static void count(struct Qdisc *sch, int packets, int bytes)
{
	WRITE_ONCE(sch->q.qlen, sch->q.qlen + packets);
	WRITE_ONCE(sch->qstats.backlog, sch->qstats.backlog + bytes);
}

void wl_parents_take_owed(struct wl_parents *parents)
{
	parents->gone = parents->owed;
	parents->gone_bytes = parents->owed_bytes;
	parents->owed = 0;
	parents->owed_bytes = 0;
	count(parents->sch, -parents->gone, -parents->gone_bytes);
}

void wl_parents_drop(struct wl_parents *parents, struct sk_buff *skb, u64 seq)
{
	u32 bytes = qdisc_pkt_len(skb);

	count(parents->sch, -1, -bytes);
	qdisc_qstats_drop(parents->sch);
	if (seq >= parents->batch_seq) {
		parents->batch_gone++;
		parents->batch_gone_bytes += bytes;
	} else {
		parents->gone++;
		parents->gone_bytes += bytes;
	}
	__qdisc_drop(skb, &parents->to_free);
}

void wl_parents_settle(struct wl_parents *parents)
{
	tell(parents, parents->gone, parents->gone_bytes);
}

void wl_parents_settle_dequeue(struct wl_parents *parents)
{
	struct Qdisc *sch = parents->sch;

	if (sch->q.qlen || !parents->gone || sch->parent == TC_H_ROOT) {
		wl_parents_settle(parents);
		return;
	}
	parents->owed = parents->gone;
	parents->owed_bytes = parents->gone_bytes;
	count(sch, parents->owed, parents->owed_bytes);
	tasklet_schedule(&parents->later);
}

int wl_parents_settle_enqueue(struct wl_parents *parents,
			      struct sk_buff **to_free, u32 packets, u32 bytes,
			      u32 parent_bytes)
{
	struct sk_buff *tail = parents->to_free;
	u32 held = packets - parents->batch_gone;

	/* The parents count one packet of what is held, if any is. */
	if (held)
		tell(parents, parents->gone - (held - 1),
		     parents->gone_bytes + parent_bytes -
		     (bytes - parents->batch_gone_bytes));
	else
		wl_parents_settle(parents);
	if (tail) {
		while (tail->next)
			tail = tail->next;
		tail->next = *to_free;
		*to_free = parents->to_free;
	}
	return held ? NET_XMIT_SUCCESS : NET_XMIT_SUCCESS | __NET_XMIT_BYPASS;
}

static void settle_later(struct tasklet_struct *later)
{
	struct wl_parents *parents = container_of(later, struct wl_parents,
						  later);
	struct Qdisc *sch = parents->sch;
	struct Qdisc *root;

	rcu_read_lock();
	root = qdisc_root_sleeping(sch);
	spin_lock(qdisc_lock(root));
	wl_parents_begin(parents, U64_MAX);
	wl_parents_settle(parents);
	spin_unlock(qdisc_lock(root));
	/* Others may have waited behind this one in its parent's list. */
	__netif_schedule(qdisc_root(sch));
	rcu_read_unlock();
}

void wl_parents_init(struct wl_parents *parents, struct Qdisc *sch)
{
	parents->sch = sch;
	tasklet_setup(&parents->later, settle_later);
}

void wl_parents_destroy(struct wl_parents *parents)
{
	tasklet_kill(&parents->later);
}
