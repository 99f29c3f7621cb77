/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_SUBMIT_H
#define _WL_SUBMIT_H

#include "../air/rings.h"
#include "../rlc/tm.h"

/*
 * start handover: a mode above a queue, as the link layers of ns-2 are.
 *
 * As soon as a mode has a PDU to send, which its window decides and not the
 * transmitter, it is handed over: ops->send() numbers it, and its timers run. It then
 * waits in the bearer's ring until the transmitter takes it. Where bearers share the
 * link with sched fifo, the one whose first PDU has waited longest is next, and a SDU
 * in TM waits from its arrival on: so the rings of all bearers are one queue, without
 * any memory that is shared, and a bearer that is deleted leaves it by itself.
 *
 * With start handover-head a retransmission goes to the head of that queue, before
 * earlier ones that wait there, but for one of a PDU that has not been sent itself.
 *
 * With start handover-one the mode is asked for a PDU when none waits: when the
 * transmitter has taken the one that did.
 *
 * A PDU may be in the ring more than once, as its timer may expire while it waits. What
 * finds the ring full is lost.
 *
 * Of a pair of links, which are the two directions of one, each carries the feedback of
 * the other: what bearer N of one would tell the sender joins the queue of bearer N of
 * the other, as a PDU of its size. When its last bit has been sent, it goes back to the
 * engine it came from, with its time of arrival or, where it got lost, without. Where
 * bearer N is not there or hands nothing over, feedback is lost.
 */

/* Feedback of the other link in the queue of a bearer. */
#define WL_CARRIED_MAX	256U

/**
 * wl_submit_on() - whether PDUs of a bearer are handed over
 * @b: bearer
 *
 * Return: whether they are.
 */
static inline bool wl_submit_on(const struct wl_bearer *b)
{
	return b->ops && b->cfg.rlc.start != WLINK_START_AIR;
}

/**
 * wl_submit_limit() - how many PDUs of a bearer may wait for the transmitter
 * @cfg: its configuration
 *
 * Return: how many; 0 where none are handed over.
 */
static inline u32 wl_submit_limit(const struct wl_cfg *cfg)
{
	if (cfg->rlc.start == WLINK_START_AIR)
		return 0;
	return cfg->rlc.queue ?: 2 * cfg->rlc.window;
}

/**
 * wl_submit_wanted() - as wl_mode_ops.wanted(), of the PDU that has waited longest
 * @b: bearer whose PDUs are handed over
 *
 * Return: bytes, 0 where none waits.
 */
static inline u32 wl_submit_wanted(const struct wl_bearer *b)
{
	if (b->submit.ring.head == b->submit.ring.tail)
		return 0;
	return wl_submitted_at(b, b->submit.ring.head)->tx.bytes;
}

/**
 * wl_sched_wanted() - bytes of the PDU that would go now
 * @b: bearer
 *
 * Return: bytes without header, 0 when there is nothing to send.
 */
static inline u32 wl_sched_wanted(const struct wl_bearer *b)
{
	if (wl_submit_on(b))
		return wl_submit_wanted(b);
	if (b->ops)
		return b->ops->wanted(b);
	return b->queue.head ? wl_tm_pdu_bytes(b) : 0;
}

/**
 * wl_submit_key_ns() - as wl_mode_ops.key_ns(): when that PDU was handed over
 * @b: bearer whose PDUs are handed over, with one that waits
 *
 * Return: time.
 */
static inline u64 wl_submit_key_ns(const struct wl_bearer *b)
{
	return wl_submitted_at(b, b->submit.ring.head)->at_ns;
}

/**
 * wl_submit_all() - hand over all that a mode would send
 * @b: bearer whose PDUs are handed over
 * @now_ns: now
 *
 * Where they are many, b->again is set, and the rest follows at the same time.
 */
void wl_submit_all(struct wl_bearer *b, u64 now_ns);

/**
 * wl_submit_take() - the transmitter takes the next PDU of a bearer
 * @b: bearer that wants to send
 * @now_ns: now
 * @tx: the PDU: the one that has waited longest, or what ops->send() makes
 */
void wl_submit_take(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx);

/**
 * wl_submit_sent() - the last bit of what the transmitter has taken goes
 * @b: bearer
 * @now_ns: now
 * @tx: the PDU; ops->sent() is called for it, or where it is feedback of the other link,
 *	that link gets a message
 * @end_ns: when its last bit goes
 * @lost: the channel ate it
 */
void wl_submit_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx, u64 end_ns,
		    bool lost);

/**
 * wl_submit_carry() - feedback of the other link of a pair
 * @link: the link that carries it
 * @b: its bearer of that number, NULL for none
 * @now_ns: now
 * @message: the feedback
 *
 * The bearer may then have something to send.
 */
void wl_submit_carry(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		     const struct wl_message *message);

#endif
