// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * What both peers of a bearer remember: PDUs by number, and lists of them; PDUs
 * and feedback on their way.
 */
#include "rings.h"

static u32 rings_size(u64 n)
{
	return n ? roundup_pow_of_two(min_t(u64, n, WL_RINGS_RECORDS_MAX)) : 0;
}

static u64 rings_bytes(const struct wl_rings *rings)
{
	return rings->pdus * sizeof(struct wl_pdu) +
	       rings->flights * sizeof(struct wl_flight) +
	       rings->feedbacks * sizeof(struct wl_feedback) +
	       rings->blocks * sizeof(struct wl_harq_block) +
	       rings->submits * sizeof(struct wl_submitted) +
	       rings->carries * sizeof(struct wl_message) +
	       rings->txs * sizeof(struct wl_tx) +
	       rings->spans * sizeof(struct wl_span);
}

void wl_rings_set(struct wl_rings *rings, const struct wl_ring_need *need)
{
	memset(rings, 0, sizeof(*rings));
	rings->pdus = rings_size(need->pdus);
	rings->flights = rings_size(need->flights);
	rings->feedbacks = rings_size(need->feedbacks);
	rings->blocks = rings_size(need->blocks);
	rings->submits = rings_size(need->submits);
	rings->carries = rings_size(need->carries);
	rings->txs = rings_size(need->txs);
	rings->spans = rings_size(need->spans);
	rings->bytes = rings_bytes(rings);
}

void wl_rings_join(struct wl_rings *need, const struct wl_rings *other)
{
	need->pdus = max(need->pdus, other->pdus);
	need->flights = max(need->flights, other->flights);
	need->feedbacks = max(need->feedbacks, other->feedbacks);
	need->blocks = max(need->blocks, other->blocks);
	need->submits = max(need->submits, other->submits);
	need->carries = max(need->carries, other->carries);
	need->txs = max(need->txs, other->txs);
	need->spans = max(need->spans, other->spans);
	need->bytes = rings_bytes(need);
}

void wl_rings_place(struct wl_rings *rings, void *mem)
{
	rings->mem = mem;
	rings->pdu = mem;
	rings->flight = (struct wl_flight *)(rings->pdu + rings->pdus);
	rings->feedback = (struct wl_feedback *)(rings->flight + rings->flights);
	rings->block = (struct wl_harq_block *)(rings->feedback + rings->feedbacks);
	rings->submitted = (struct wl_submitted *)(rings->block + rings->blocks);
	rings->carried = (struct wl_message *)(rings->submitted + rings->submits);
	rings->tx = (struct wl_tx *)(rings->carried + rings->carries);
	rings->span = (struct wl_span *)(rings->tx + rings->txs);
}

void wl_list_add(struct wl_bearer *b, struct wl_list *list, struct wl_pdu *pdu,
		 const u32 *after)
{
	if (!list->count) {
		list->first = pdu->sn;
		list->last = pdu->sn;
	} else if (!after) {
		pdu->next = list->first;
		wl_pdu_at(b, list->first)->prev = pdu->sn;
		list->first = pdu->sn;
	} else {
		pdu->prev = *after;
		if (*after == list->last) {
			list->last = pdu->sn;
		} else {
			pdu->next = wl_pdu_at(b, *after)->next;
			wl_pdu_at(b, pdu->next)->prev = pdu->sn;
		}
		wl_pdu_at(b, pdu->prev)->next = pdu->sn;
	}
	list->count++;
}

void wl_list_del(struct wl_bearer *b, struct wl_list *list,
		 const struct wl_pdu *pdu)
{
	if (list->first == pdu->sn)
		list->first = pdu->next;
	else
		wl_pdu_at(b, pdu->prev)->next = pdu->next;
	if (list->last == pdu->sn)
		list->last = pdu->prev;
	else
		wl_pdu_at(b, pdu->next)->prev = pdu->prev;
	list->count--;
}

u64 wl_flight_due_ns(const struct wl_bearer *b, u64 end_ns)
{
	/* A shorter delay must not let a PDU overtake the one before it, nor
	 * what the bearer sent in TM.
	 */
	return max3(end_ns + b->cfg.delay_ns, b->flight_last_ns,
		    b->last_deliver_ns);
}

void wl_flight_push(struct wl_bearer *b, u64 end_ns, const struct wl_tx *tx)
{
	struct wl_flight *flight;

	b->flight_last_ns = wl_flight_due_ns(b, end_ns);
	if (b->flight.tail - b->flight.head == b->rings.flights) {
		b->stats.v[WLINK_STAT_PDUS_LOST]++;
		return;
	}
	flight = wl_flight_at(b, b->flight.tail++);
	flight->arrive_ns = b->flight_last_ns;
	flight->sn = tx->sn;
	flight->aux = tx->aux;
	flight->kind = tx->kind;
	flight->poll = tx->poll;
	flight->bytes = tx->bytes - tx->li_bytes;
}

/* Records in use that are in some places of a ring. */
static void rings_move(void *wider, u32 wider_count, const void *ring, u32 count, u32 bytes,
		       const struct wl_ring *used, u32 from, u32 to)
{
	u32 at, i;

	for (at = from; at < min(to, count); at++) {
		i = used->head + ((at - used->head) & (count - 1));
		if (i - used->head < used->tail - used->head)
			memcpy(wider + (size_t)(i & (wider_count - 1)) * bytes,
			       ring + (size_t)at * bytes, bytes);
	}
}

static void rings_move_pdus(struct wl_bearer *b, u32 from, u32 to)
{
	const struct wl_pdu *pdu;
	u32 i;

	for (i = from; i < min(to, b->rings.pdus); i++) {
		pdu = &b->rings.pdu[i];
		if (pdu->flags & WL_PDU_SENT)
			b->wider->pdu[pdu->sn & (b->wider->pdus - 1)] = *pdu;
	}
}

/* The size of the largest ring. */
static u32 rings_most(const struct wl_rings *rings)
{
	const u32 sizes[] = {
		rings->pdus, rings->flights, rings->feedbacks, rings->blocks, rings->submits,
		rings->carries, rings->txs, rings->spans,
	};
	u32 i, most = 0;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		most = max(most, sizes[i]);
	return most;
}

/* Records keep their indices, which the size of a ring reduces: what is in one place of the
 * old ring goes to one of few places of the new one that nothing else comes to.
 */
bool wl_bearer_move(struct wl_bearer *b, const struct wl_rings *rings, u32 count)
{
	const struct wl_rings *old = &b->rings;
	u32 i, from = b->moved, most = rings_most(old);
	u32 to = min(from + count, most);

	b->wider = rings;
	rings_move(rings->flight, rings->flights, old->flight, old->flights,
		   sizeof(*old->flight), &b->flight, from, to);
	rings_move(rings->feedback, rings->feedbacks, old->feedback, old->feedbacks,
		   sizeof(*old->feedback), &b->feedback, from, to);
	rings_move(rings->block, rings->blocks, old->block, old->blocks,
		   sizeof(*old->block), &b->harq.blocks, from, to);
	rings_move(rings->submitted, rings->submits, old->submitted, old->submits,
		   sizeof(*old->submitted), &b->submit.ring, from, to);
	rings_move(rings->carried, rings->carries, old->carried, old->carries,
		   sizeof(*old->carried), &b->carried, from, to);
	rings_move(rings->tx, rings->txs, old->tx, old->txs,
		   sizeof(*old->tx), &b->harq.txs, from, to);
	rings_move_pdus(b, from, to);
	for (i = from; i < min(to, old->spans); i++)
		rings->span[i] = old->span[i];
	b->moved = to;
	if (to < most)
		return false;
	b->rings = *rings;
	b->wider = NULL;
	b->moved = 0;
	return true;
}
