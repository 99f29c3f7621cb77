// SPDX-License-Identifier: GPL-2.0
/*
 * What both peers of a bearer remember: PDUs by number, and lists of them; PDUs
 * and feedback on their way.
 */
#include "../link.h"

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

/* Records keep their indices, which the size of a ring reduces. */
void *wl_bearer_give(struct wl_bearer *b, const struct wl_rings *rings)
{
	struct wl_rings old = b->rings;
	u32 i;

	b->rings = *rings;
	for (i = b->flight.head; i != b->flight.tail; i++)
		*wl_flight_at(b, i) = old.flight[i & (old.flights - 1)];
	for (i = b->feedback.head; i != b->feedback.tail; i++)
		*wl_feedback_at(b, i) = old.feedback[i & (old.feedbacks - 1)];
	for (i = b->harq.blocks.head; i != b->harq.blocks.tail; i++)
		*wl_harq_block_at(b, i) = old.block[i & (old.blocks - 1)];
	for (i = b->submit.ring.head; i != b->submit.ring.tail; i++)
		*wl_submitted_at(b, i) = old.submitted[i & (old.submits - 1)];
	for (i = b->carried.head; i != b->carried.tail; i++)
		*wl_carried_at(b, i) = old.carried[i & (old.carries - 1)];
	for (i = b->harq.txs.head; i != b->harq.txs.tail; i++)
		*wl_harq_tx_at(b, i) = old.tx[i & (old.txs - 1)];
	for (i = 0; i < old.spans; i++)
		b->rings.span[i] = old.span[i];
	for (i = 0; i < old.pdus; i++)
		if (old.pdu[i].flags & WL_PDU_SENT)
			*wl_pdu_at(b, old.pdu[i].sn) = old.pdu[i];
	return old.mem;
}
