/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PARENTS_H
#define _WL_PARENTS_H

#include <linux/interrupt.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

/**
 * struct wl_parents - what the qdiscs above hear of packets that are dropped
 * @sch: the qdisc; all is under its root qdisc lock
 * @to_free: packets dropped since wl_parents_begin()
 * @batch_seq: packets of this number and above are being enqueued: the parents
 *	do not count them yet
 * @batch_gone: packets of the batch that were dropped
 * @batch_gone_bytes: their bytes, as the kernel counts them
 * @gone: older packets that were dropped, to be told to the parents
 * @gone_bytes: their bytes, as the kernel counts them
 * @owed: dropped in a dequeue() that left nothing; @sch counts them until the
 *	parents may be told
 * @owed_bytes: their bytes, as the kernel counts them
 * @later: tells the parents of @owed
 */
struct wl_parents {
	struct Qdisc *sch;
	struct sk_buff *to_free;
	u64 batch_seq;
	u32 batch_gone;
	u32 batch_gone_bytes;
	u32 gone;
	u32 gone_bytes;
	u32 owed;
	u32 owed_bytes;
	struct tasklet_struct later;
};

/**
 * wl_parents_init() - before anything else
 * @parents: zeroed
 * @sch: the qdisc
 */
void wl_parents_init(struct wl_parents *parents, struct Qdisc *sch);

/**
 * wl_parents_destroy() - after anything else; may sleep
 * @parents: initialised
 */
void wl_parents_destroy(struct wl_parents *parents);

/**
 * wl_parents_take_owed() - what is owed is told with what follows
 * @parents: parents
 */
void wl_parents_take_owed(struct wl_parents *parents);

/**
 * wl_parents_begin() - before anything that may drop
 * @parents: parents
 * @batch_seq: first number that the parents do not know yet, U64_MAX outside
 *	enqueue()
 */
static inline void wl_parents_begin(struct wl_parents *parents, u64 batch_seq)
{
	parents->to_free = NULL;
	parents->batch_seq = batch_seq;
	parents->batch_gone = 0;
	parents->batch_gone_bytes = 0;
	parents->gone = 0;
	parents->gone_bytes = 0;
	if (parents->owed)
		wl_parents_take_owed(parents);
}

/**
 * wl_parents_drop() - a packet is dropped
 * @parents: parents, begun
 * @skb: packet; belongs to @parents->to_free from now on
 * @seq: its number
 */
void wl_parents_drop(struct wl_parents *parents, struct sk_buff *skb, u64 seq);

/**
 * wl_parents_settle() - tell of the drops, outside enqueue() and dequeue()
 * @parents: parents, begun; qlen is final, or a parent could see an empty
 *	qdisc that is about to have packets
 *
 * The caller frees @parents->to_free.
 */
void wl_parents_settle(struct wl_parents *parents);

/**
 * wl_parents_settle_dequeue() - the same, inside dequeue()
 * @parents: parents, begun
 *
 * A qdisc that becomes empty is taken from its parent's list of those to ask
 * next, which the parent, in the middle of asking, may not survive: HTB would
 * look for it for ever. So the last packets are counted until the lock has
 * been released.
 */
void wl_parents_settle_dequeue(struct wl_parents *parents);

/**
 * wl_parents_settle_enqueue() - the same, inside enqueue()
 * @parents: parents, begun
 * @to_free: of enqueue(); takes the packets to free
 * @packets: packets of the batch
 * @bytes: their bytes
 * @parent_bytes: bytes that the parents count for the batch by themselves
 *
 * Return: of enqueue(). Emulated loss is none of the sender's business, as with
 * netem: it hears of success, the parents only of what is held.
 */
int wl_parents_settle_enqueue(struct wl_parents *parents,
			      struct sk_buff **to_free, u32 packets, u32 bytes,
			      u32 parent_bytes);

#endif
