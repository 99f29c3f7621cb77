/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_BUFFER_TYPES_H
#define _WL_BUFFER_TYPES_H

#include "../lib/types.h"

struct wl_bearer;

/* wl_sdu.flags */
#define WL_SDU_BEGUN	0x01	/* a bit of it is in a PDU */
#define WL_SDU_RELEASED	0x02	/* the sender's buffer no longer counts it */
#define WL_SDU_GONE	0x04	/* handed over or dropped: the cookie is not ours */
#define WL_SDU_OUT	0x08	/* delivered, waits for wl_link_hand_over() */
#define WL_SDU_WHOLE	0x10	/* the receiver has all of it */
#define WL_SDU_GIVEN_UP	0x20	/* the sender sends no more of it */
#define WL_SDU_LISTED	0x40	/* in the queue of a mode that numbers PDUs */
#define WL_SDU_FRONT	0x80	/* the AQM has let it pass to be begun */

/* wl_sdu.ecn, RFC 3168 */
#define WL_ECN_NOT_ECT	0
#define WL_ECN_ECT1	1
#define WL_ECN_ECT0	2
#define WL_ECN_CE	3
#define WL_ECN_MASK	3
#define WL_ECN_MARKED	4	/* it came without and leaves with CE */

/**
 * struct wl_sdu - one SDU from arrival to hand-over or drop
 * @next: next of its bearer, in order of arrival
 * @out_next: next that waits for wl_link_hand_over()
 * @owner: its bearer
 * @cookie: the packet, opaque to the core
 * @seq: number of its arrival on this link, from 0
 * @arrival_ns: when it came
 * @start_ns: when its first bit got the radio, or the start of the first TTI
 *	with capacity for it
 * @end_ns: when its last bit, and what tells its end, had been sent for the
 *	first time (the end of that TTI); of one that was dropped, when it left the
 *	buffer: then or, with acknowledgements or before its last bit, by the drop
 * @due_ns: when that bit was to arrive: @end_ns and the delay; while it is in
 *	bearer->air_sdus: @end_ns as it will be
 * @whole_ns: when the receiver had all of it, not before @due_ns
 * @deliver_ns: when it is due on the far side, not before @whole_ns, or was dropped
 * @access_ns: of the time from @arrival_ns to @start_ns, waited for access
 * @access_tx_ns: the same of that from @start_ns to @end_ns
 * @bytes: size
 * @left_bytes: not yet in a PDU
 * @pdus: PDUs sent for it, each retransmission counted
 * @pdus_lost: of these, lost on the air
 * @retx: of these, sent once more
 * @buffer_sdus: SDUs in the buffer when it had arrived, itself included; 0 where
 *	there was no room for it
 * @first_sn: um, am, fsr, asr: number of its first PDU
 * @last_sn: the same of the PDU that tells where it ends
 * @missing: PDUs of these that the receiver lacks, once @last_sn is known
 * @generation: of the configuration in force when it ended
 * @drop: why it was dropped
 * @flags: WL_SDU_*
 * @ecn: WL_ECN_*
 * @impaired: WLINK_IMPAIRED_*
 * @rank: in the heap of delayed SDUs: its rank there
 * @order: in that heap: in which order the receiver delivered them
 * @errors: number of errors in it, see wl_impair_errors()
 * @left: in that heap: its left child; @out_next is the right one
 * @jitter_ns: time from its delivery by the receiver to @deliver_ns
 */
struct wl_sdu {
	struct wl_sdu *next;
	struct wl_sdu *out_next;
	struct wl_bearer *owner;
	void *cookie;
	u64 seq;
	u64 arrival_ns;
	u64 start_ns;
	u64 end_ns;
	u64 due_ns;
	u64 whole_ns;
	u64 deliver_ns;
	u64 access_ns;
	u64 access_tx_ns;
	u32 bytes;
	u32 left_bytes;
	u32 pdus;
	u32 pdus_lost;
	u32 retx;
	u32 buffer_sdus;
	u32 first_sn;
	u32 last_sn;
	u32 missing;
	u32 generation;
	u8 drop;
	u8 flags;
	u8 ecn;
	u8 impaired;
	u8 rank;
	u32 order;
	u32 errors;
	struct wl_sdu *left;
	u64 jitter_ns;
};

/**
 * wl_sdu_done() - whether a SDU is delivered or dropped
 * @sdu: SDU
 *
 * Return: whether it is; nothing of its story changes then.
 */
static inline bool wl_sdu_done(const struct wl_sdu *sdu)
{
	return sdu->flags & (WL_SDU_GONE | WL_SDU_OUT);
}

/**
 * wl_sdu_ends_in() - whether a PDU tells where a SDU ends
 * @sdu: SDU that has been begun
 * @sn: number of the PDU
 *
 * Return: whether it does.
 */
static inline bool wl_sdu_ends_in(const struct wl_sdu *sdu, u32 sn)
{
	return !sdu->left_bytes && sdu->last_sn == sn;
}

/**
 * wl_sdu_set_whole() - note that the receiver has all of a SDU
 * @sdu: SDU
 * @now_ns: since when. Where the delay has become shorter a retransmission may
 *	come before the first transmission, whose time is @sdu->due_ns
 */
static inline void wl_sdu_set_whole(struct wl_sdu *sdu, u64 now_ns)
{
	sdu->flags |= WL_SDU_WHOLE;
	sdu->whole_ns = now_ns;
	sdu->due_ns = min(sdu->due_ns, now_ns);
}

/**
 * wl_sdu_count() - a PDU of a SDU goes on the air, or is found to be lost
 * @sdu: SDU
 * @pdus: PDUs sent
 * @lost: of PDUs sent before or now, lost
 *
 * Once the SDU is delivered its story is told: what the sender, who does not
 * know yet, sends more of it no longer counts.
 */
static inline void wl_sdu_count(struct wl_sdu *sdu, u32 pdus, u32 lost)
{
	if (wl_sdu_done(sdu))
		return;
	sdu->pdus += pdus;
	sdu->pdus_lost += lost;
}

/**
 * wl_sdu_count_retx() - a PDU of a SDU goes once more
 * @sdu: SDU; see wl_sdu_count()
 */
static inline void wl_sdu_count_retx(struct wl_sdu *sdu)
{
	if (!wl_sdu_done(sdu))
		sdu->retx++;
}

/**
 * struct wl_fifo - SDUs in order
 * @head: first, NULL when empty
 * @tail: last, undefined when empty
 */
struct wl_fifo {
	struct wl_sdu *head;
	struct wl_sdu *tail;
};

static inline void wl_fifo_push(struct wl_fifo *fifo, struct wl_sdu *sdu)
{
	sdu->next = NULL;
	if (fifo->head)
		fifo->tail->next = sdu;
	else
		fifo->head = sdu;
	fifo->tail = sdu;
}

static inline struct wl_sdu *wl_fifo_pop(struct wl_fifo *fifo)
{
	struct wl_sdu *sdu = fifo->head;

	if (sdu)
		fifo->head = sdu->next;
	return sdu;
}

/* SDUs of another one come behind those that are there. */
static inline void wl_fifo_append(struct wl_fifo *fifo, const struct wl_fifo *more)
{
	if (!more->head)
		return;
	if (fifo->head)
		fifo->tail->next = more->head;
	else
		fifo->head = more->head;
	fifo->tail = more->tail;
}

/**
 * struct wl_trim - a queue that is being made to fit a limit
 * @on: it is
 * @begun: the members below are valid
 * @full: nothing more fits
 * @kept: last SDU that fits, NULL where none that has not been begun does yet
 * @sdus: SDUs that stay
 * @bytes: their bytes
 */
struct wl_trim {
	bool on;
	bool begun;
	bool full;
	struct wl_sdu *kept;
	u64 sdus;
	u64 bytes;
};

#endif
