// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "../buffer/buffer.h"
#include "../buffer/sdu.h"
#include "tm.h"

void wl_tm_sent(struct wl_bearer *b, struct wl_sdu *sdu, u64 sent_ns, u64 now_ns)
{
	if (sdu->pdus_lost && b->cfg.impair.lost) {
		/* "Delivery of Erroneous SDU" of TS 25.322. */
		sdu->errors = min(max(sdu->errors, sdu->pdus_lost), WLINK_ERRORS_MAX);
	} else if (sdu->pdus_lost) {
		wl_sdu_release(b, sdu);
		wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_CHANNEL);
		return;
	}
	sdu->end_ns = sent_ns;
	sdu->generation = b->link->generation;
	sdu->due_ns = sent_ns + b->cfg.delay_ns;
	sdu->whole_ns = now_ns + b->cfg.delay_ns;
	/* A shorter delay must not let a SDU overtake the one before it. */
	sdu->deliver_ns = max(sdu->whole_ns, b->last_deliver_ns);
	b->last_deliver_ns = sdu->deliver_ns;
	wl_fifo_push(&b->pipe, sdu);
	/* It is not over before it has been handed over. */
	wl_sdu_give_up(b, sdu);
	sdu->flags |= WL_SDU_RELEASED;
}

u64 wl_tm_expiry_ns(const struct wl_bearer *b)
{
	return b->ops ? WL_NEVER_NS : wl_buffer_discard_ns(b);
}
