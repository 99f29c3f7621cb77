// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The plain link, which most links are that only delay and lose: one bearer in
 * TM without a TTI. What happens next is one of three things, each the first of a
 * list: the end of what is on the air, a delivery, an arrival. At one time that is
 * their order, and where something ends the next begins at once. So it needs no
 * heap; what the events do is done by the same functions.
 */
#include "buffer/buffer.h"
#include "impair/impair.h"
#include "mac/unit.h"
#include "plain.h"
#include "rlc/tm.h"

static void plain_end(struct wl_bearer *b, u64 at_ns)
{
	wl_unit_finish(b, at_ns);
	if (b->queue.head)
		wl_unit_begin(b, at_ns);
	else
		b->over = 0;
}

static void plain_arrive(struct wl_bearer *b, struct wl_sdu *sdu, u64 at_ns)
{
	if (!wl_buffer_take(b, sdu, at_ns) || b->unit.on)
		return;
	if (b->cfg.rate_bps != WLINK_RATE_UNLIMITED || wl_tm_pdu_bytes(b) != sdu->bytes) {
		wl_unit_begin(b, at_ns);
		return;
	}
	/* It is sent as it comes. */
	wl_sdu_begin(b, sdu, at_ns);
	wl_unit_at_once(b, at_ns, sdu->bytes);
}

/* Return: time of the last delivery, 0 for none. */
static u64 plain_deliver(struct wl_link *link, u64 now_ns, u32 *budget)
{
	struct wl_fifo *pipe = &link->first.pipe;
	struct wl_sdu *sdu;
	u64 at_ns = 0;

	while ((sdu = pipe->head) && sdu->deliver_ns <= now_ns && *budget) {
		at_ns = sdu->deliver_ns;
		wl_sdu_out(link, wl_fifo_pop(pipe));
		--*budget;
	}
	return at_ns;
}

bool wl_plain_advance(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b = &link->first;
	u32 budget = link->budget_max;
	u64 out_ns;
	u32 outs;

	wl_bearer_touch(b);
	if (!budget)
		return false;
	do {
		struct wl_sdu *sdu = link->inbox.head;
		u64 at_ns = b->unit.end_ns;

		if (sdu && sdu->arrival_ns < at_ns) {
			if (sdu->arrival_ns > now_ns)
				break;
			link->event_ns = sdu->arrival_ns;
			plain_arrive(b, wl_fifo_pop(&link->inbox),
				     link->event_ns);
		} else {
			if (at_ns > now_ns || at_ns == WL_NEVER_NS)
				break;
			link->event_ns = at_ns;
			plain_end(b, at_ns);
		}
	} while (--budget);
	if (!b->pipe.head)
		return budget;
	/* Deliveries change nothing that the others look at. When the budget
	 * has run out some of them would be too early.
	 */
	outs = link->budget_max;
	out_ns = plain_deliver(link, budget ? now_ns : link->event_ns, &outs);
	link->event_ns = max(link->event_ns, out_ns);
	return budget && outs;
}
