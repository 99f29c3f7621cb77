/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_TM_H
#define _WL_TM_H

/*
 * Transparent mode of TS 25.322: PDUs without a number, so there is nothing for the
 * receiver to do. A SDU is lost with any of its PDUs. bearer->ops is NULL.
 */
#include "../buffer/buffer.h"

/**
 * wl_tm_pdu_bytes() - payload of the next PDU
 * @b: bearer with a SDU in its queue
 *
 * The last PDU of a SDU is as long as what is left: transparent mode neither pads
 * nor concatenates (TS 25.322 clause 4.2.1.1).
 *
 * Return: bytes.
 */
static inline u32 wl_tm_pdu_bytes(const struct wl_bearer *b)
{
	u32 left_bytes = b->queue.head->left_bytes;
	u32 pdu_bytes = b->cfg.pdu_bytes;

	return pdu_bytes && pdu_bytes < left_bytes ? pdu_bytes : left_bytes;
}

/**
 * wl_tm_count() - PDUs of a SDU have been sent
 * @sdu: SDU
 * @bytes: payload in all
 * @pdus: how many
 * @lost: of these, lost
 */
static inline void wl_tm_count(struct wl_sdu *sdu, u32 bytes, u32 pdus,
			       u32 lost)
{
	sdu->flags |= WL_SDU_BEGUN;
	sdu->left_bytes -= bytes;
	sdu->pdus += pdus;
	sdu->pdus_lost += lost;
}

/**
 * wl_tm_sent() - the last bit of a SDU has been sent
 * @b: bearer
 * @sdu: SDU, no longer in b->queue
 * @sent_ns: when
 * @now_ns: since when its fate is known
 */
static inline void wl_tm_sent(struct wl_bearer *b, struct wl_sdu *sdu, u64 sent_ns,
			      u64 now_ns)
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

/**
 * wl_tm_expiry_ns() - Timer_Discard of the first SDU that has not been begun
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for never and where the mode is another.
 */
u64 wl_tm_expiry_ns(const struct wl_bearer *b);

#endif
