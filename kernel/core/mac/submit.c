// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* PDUs that wait for the transmitter. See submit.h. */
#include "../air/rings.h"
#include "../buffer/buffer.h"
#include "submit.h"

/* PDUs that are handed over together: how many must not depend on what the call has done
 * before.
 */
#define SUBMIT_MAX	64U

/*
 * Whether it goes before all that waits on the link: a retransmission of which no other
 * copy waits. None overtakes an earlier one: SDUs are sent in their order.
 */
static bool submit_first(const struct wl_bearer *b, const struct wl_tx *tx)
{
	return b->cfg.rlc.start == WLINK_START_HANDOVER_HEAD && tx->kind == WL_TX_RETX &&
	       wl_pdu_at(b, tx->sn)->queued == 1;
}

/* Return: false where the queue is full. */
static bool submit_put(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx)
{
	struct wl_ring *ring = &b->submit.ring;

	if (ring->tail - ring->head >= wl_submit_limit(&b->cfg)) {
		b->stats.v[WLINK_STAT_PDUS_SENT]++;
		b->stats.v[WLINK_STAT_PDUS_LOST]++;
		return false;
	}
	b->submit.bytes += tx->bytes;
	/* With sched fifo, the least time is next. */
	if (submit_first(b, tx))
		*wl_submitted_at(b, --ring->head) = (struct wl_submitted){ .tx = *tx };
	else
		*wl_submitted_at(b, ring->tail++) = (struct wl_submitted){
			.at_ns = now_ns, .tx = *tx,
		};
	return true;
}

static bool submit_one(const struct wl_bearer *b)
{
	return b->cfg.rlc.start == WLINK_START_HANDOVER_ONE;
}

static void submit(struct wl_bearer *b, u64 now_ns)
{
	struct wl_tx tx;

	b->ops->send(b, now_ns, &tx);
	if (!submit_put(b, now_ns, &tx))
		b->ops->sent(b, now_ns, &tx, now_ns, true);
}

void wl_submit_all(struct wl_bearer *b, u64 now_ns)
{
	u32 i;

	for (i = 0; i < SUBMIT_MAX; i++) {
		if (submit_one(b) && b->submit.ring.head != b->submit.ring.tail)
			return;
		wl_buffer_front(b, now_ns);
		if (!b->ops->wanted(b))
			return;
		submit(b, now_ns);
		wl_link_spend(b->link, 1);
	}
	b->again = true;
	wl_bearer_touch(b);
}

void wl_submit_take(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx)
{
	if (!wl_submit_on(b)) {
		b->ops->send(b, now_ns, tx);
		return;
	}
	*tx = wl_submitted_at(b, b->submit.ring.head++)->tx;
	b->submit.bytes -= tx->bytes;
	/* A TTI may have room for the next one. */
	if (submit_one(b) && !b->changing)
		wl_submit_all(b, now_ns);
}

static void submit_back(struct wl_link *link, const struct wl_message *message, u64 at_ns,
			bool lost)
{
	struct wl_message back = *message;

	back.at_ns = at_ns;
	back.back = true;
	back.lost = lost;
	link->ops->feedback(link, &back);
}

void wl_submit_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx, u64 end_ns,
		    bool lost)
{
	if (tx->kind != WL_TX_CARRIED) {
		b->ops->sent(b, now_ns, tx, end_ns, lost);
		return;
	}
	/* The bearer may have begun anew since. With HARQ an earlier one that is still
	 * repeated when a later one has been sent is lost.
	 */
	if (tx->sn - b->carried.head >= b->carried.tail - b->carried.head)
		return;
	b->carried.head = tx->sn + 1;
	if (b->link->paired)
		submit_back(b->link, wl_carried_at(b, tx->sn),
			    end_ns + b->cfg.delay_ns, lost);
}

void wl_submit_carry(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		     const struct wl_message *message)
{
	struct wl_tx tx = { .kind = WL_TX_CARRIED, .bytes = message->bytes };

	if (!b || !wl_submit_on(b) || b->carried.tail - b->carried.head == WL_CARRIED_MAX) {
		submit_back(link, message, now_ns, true);
		return;
	}
	tx.sn = b->carried.tail;
	if (!submit_put(b, now_ns, &tx)) {
		submit_back(link, message, now_ns, true);
		return;
	}
	*wl_carried_at(b, b->carried.tail++) = *message;
}
