/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_RINGS_H
#define _WL_RINGS_H

#include "../types.h"

#define WL_RINGS_RECORDS_MAX	(1U << 20)

/**
 * wl_rings_set() - the sizes of the rings
 * @rings: set, but for the pointers
 * @need: what is needed, 0 for none
 */
void wl_rings_set(struct wl_rings *rings, const struct wl_ring_need *need);

/**
 * wl_rings_fits() - whether there is as much as is needed
 * @rings: what there is
 * @need: what is needed
 *
 * Return: whether it is enough.
 */
static inline bool wl_rings_fits(const struct wl_rings *rings,
				 const struct wl_rings *need)
{
	return rings->pdus >= need->pdus && rings->flights >= need->flights &&
	       rings->feedbacks >= need->feedbacks &&
	       rings->blocks >= need->blocks && rings->submits >= need->submits &&
	       rings->carries >= need->carries && rings->txs >= need->txs &&
	       rings->spans >= need->spans;
}

/**
 * wl_rings_join() - enough for both
 * @need: enlarged
 * @other: what else is to fit
 */
void wl_rings_join(struct wl_rings *need, const struct wl_rings *other);

/**
 * wl_rings_place() - lay the rings out in memory
 * @rings: as wl_rings_need() left it
 * @mem: zeroed, rings->bytes long
 */
void wl_rings_place(struct wl_rings *rings, void *mem);

/**
 * wl_list_add() - put a PDU into a list
 * @b: bearer
 * @list: one of its lists
 * @pdu: PDU that is in no list
 * @after: number of the one that it comes after, NULL: it becomes the first
 */
void wl_list_add(struct wl_bearer *b, struct wl_list *list, struct wl_pdu *pdu,
		 const u32 *after);

/**
 * wl_list_del() - take a PDU out of its list
 * @b: bearer
 * @list: the list
 * @pdu: PDU that is in it
 */
void wl_list_del(struct wl_bearer *b, struct wl_list *list,
		 const struct wl_pdu *pdu);

/**
 * wl_flight_push() - a PDU that is not lost is on its way to the receiver
 * @b: bearer
 * @end_ns: when its last bit is sent
 * @tx: it
 *
 * The record arrives at end_ns and the delay of now, never before an earlier
 * one. A full ring, which wl_rings_need() makes impossible as long as bearers
 * keep to their rate, drops the record as the air would.
 */
void wl_flight_push(struct wl_bearer *b, u64 end_ns, const struct wl_tx *tx);

/**
 * wl_flight_due_ns() - when a PDU sent now arrives at the receiver
 * @b: bearer
 * @end_ns: when its last bit is sent
 *
 * Return: time; also for a PDU that is lost.
 */
u64 wl_flight_due_ns(const struct wl_bearer *b, u64 end_ns);

/* Records of each ring that are moved in one hold of a lock. */
#define WL_RINGS_MOVED	2048U

/**
 * wl_bearer_move() - give a bearer memory for what a configuration needs, little by little
 * @b: bearer, in a link or zeroed
 * @rings: laid out by wl_rings_place() in zeroed memory; not smaller than the old
 *	one in any ring (wl_rings_join()); stays, and is the same, until all is done
 * @count: records of each ring that are moved at most; WL_RINGS_RECORDS_MAX are all
 *
 * To be called, until it is done, before the first use of a configuration that
 * wl_rings_need() more than there is. The engine may go on between the calls.
 *
 * Return: whether it is done: the old memory is the caller's then.
 */
bool wl_bearer_move(struct wl_bearer *b, const struct wl_rings *rings, u32 count);

/* The rings that have the record of an index, of a ring with so many. */
static inline const struct wl_rings *wl_rings_of(const struct wl_bearer *b, u32 i, u32 count)
{
	return (i & (count - 1)) < b->moved ? b->wider : &b->rings;
}

static inline struct wl_flight *wl_flight_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.flights);

	return &rings->flight[i & (rings->flights - 1)];
}

static inline struct wl_feedback *wl_feedback_at(const struct wl_bearer *b,
						 u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.feedbacks);

	return &rings->feedback[i & (rings->feedbacks - 1)];
}

static inline struct wl_harq_block *wl_harq_block_at(const struct wl_bearer *b,
						     u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.blocks);

	return &rings->block[i & (rings->blocks - 1)];
}

static inline struct wl_submitted *wl_submitted_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.submits);

	return &rings->submitted[i & (rings->submits - 1)];
}

static inline struct wl_message *wl_carried_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.carries);

	return &rings->carried[i & (rings->carries - 1)];
}

static inline struct wl_tx *wl_harq_tx_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.txs);

	return &rings->tx[i & (rings->txs - 1)];
}

/**
 * wl_flight_next_ns() - when the next PDU arrives
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for none.
 */
static inline u64 wl_flight_next_ns(const struct wl_bearer *b)
{
	if (b->flight.head == b->flight.tail)
		return WL_NEVER_NS;
	return wl_flight_at(b, b->flight.head)->arrive_ns;
}

/**
 * wl_feedback_next_ns() - when the next feedback arrives
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for none.
 */
static inline u64 wl_feedback_next_ns(const struct wl_bearer *b)
{
	if (b->feedback.head == b->feedback.tail)
		return WL_NEVER_NS;
	return wl_feedback_at(b, b->feedback.head)->arrive_ns;
}

/**
 * wl_flight_pop() - take it
 * @b: bearer with a PDU on its way
 *
 * Return: the record, valid until the next wl_flight_push().
 */
static inline const struct wl_flight *wl_flight_pop(struct wl_bearer *b)
{
	return wl_flight_at(b, b->flight.head++);
}

/**
 * wl_feedback_pop() - take it
 * @b: bearer with feedback on its way
 *
 * Return: the record, valid until the next wl_reverse_send().
 */
static inline const struct wl_feedback *wl_feedback_pop(struct wl_bearer *b)
{
	return wl_feedback_at(b, b->feedback.head++);
}

/**
 * wl_pdu_at() - record of a PDU of the window
 * @b: bearer
 * @sn: its number, not reduced to the bits it has on the air
 *
 * Return: record.
 */
static inline struct wl_pdu *wl_pdu_at(const struct wl_bearer *b, u32 sn)
{
	const struct wl_rings *rings = wl_rings_of(b, sn, b->rings.pdus);

	return &rings->pdu[sn & (rings->pdus - 1)];
}

/**
 * wl_span_at() - span of bytes of a PDU
 * @b: bearer
 * @i: its index
 *
 * Return: span.
 */
static inline struct wl_span *wl_span_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.spans);

	return &rings->span[i & (rings->spans - 1)];
}

/**
 * wl_submit_forget() - what waits for the transmitter does not any more
 * @b: bearer; feedback of the other link of a pair is gone, too
 */
static inline void wl_submit_forget(struct wl_bearer *b)
{
	b->submit.ring.head = b->submit.ring.tail;
	b->submit.bytes = 0;
	b->carried.head = b->carried.tail;
}

#endif
