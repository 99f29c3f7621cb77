/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_MODE_H
#define _WL_MODE_H

#include "wl_bearer.h"

/*
 * What a mode does for its bearer, and what the bearer does for it. The mode
 * holds both peers: the sending and the receiving entity. A PDU goes
 *
 *   wanted() -> send() -> sent() -> [air] -> wl_flight record -> event()
 *
 * and feedback wl_reverse_send() -> [reverse air] -> wl_feedback record ->
 * event(). wl_serve.c asks wanted() when the bearer's turn comes and calls
 * send() and sent() in that order; with a TTI both at the start of the TTI,
 * without one send() when the PDU's first bit goes and sent() when its last
 * has gone.
 */

/**
 * struct wl_mode_ops - a mode; NULL members but wanted, send, sent are allowed
 * @start: both peers into their initial state; rings and queue are as they are,
 *	nothing is begun
 * @arrived: a SDU has been put at the end of bearer->queue
 * @wanted: bytes of the PDU that would go now, without header; 0 when there is
 *	none. Changes nothing, and does not depend on the time: what becomes due
 *	is found by event()
 * @key_ns: for the fifo scheduler: arrival of the SDU that the PDU which would
 *	go now belongs to; wanted() is not 0
 * @send: take that PDU; fills *tx
 * @sent: its last bit goes at end_ns, which may be later than now; lost: the
 *	channel ate it. Puts a record on the flight ring unless it is lost
 * @next_ns: when event() is needed next, rings and timers; WL_NEVER_NS for not
 * @event: handle all that is due at now_ns, which is next_ns(): first what
 *	arrives at the receiver, then at the sender, then timers
 * @fresh_next: whether the PDU that would go now begins with what is in no PDU
 *	yet; not there: always
 * @unlinked: a SDU that has not been begun is no longer in the queue; its next is
 * @configured: bearer->cfg has just changed from old, without re-establishing
 */
struct wl_mode_ops {
	void (*start)(struct wl_bearer *b, u64 now_ns);
	void (*arrived)(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);
	u32 (*wanted)(const struct wl_bearer *b);
	u64 (*key_ns)(const struct wl_bearer *b);
	void (*send)(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx);
	void (*sent)(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		     u64 end_ns, bool lost);
	u64 (*next_ns)(const struct wl_bearer *b);
	void (*event)(struct wl_bearer *b, u64 now_ns);
	bool (*fresh_next)(const struct wl_bearer *b);
	void (*unlinked)(struct wl_bearer *b, const struct wl_sdu *sdu);
	void (*configured)(struct wl_bearer *b, u64 now_ns,
			   const struct wl_cfg *old);
};

/* NULL for TM, which wl_serve.c does by itself. */
extern const struct wl_mode_ops wl_um_ops;
extern const struct wl_mode_ops wl_am_ops;
extern const struct wl_mode_ops wl_sr_ops;

/* --- What a mode may call; in wl_bearer.c and wl_air.c. --- */

/**
 * wl_bearer_begin_sdu() - the first bit of a SDU goes
 * @b: bearer
 * @sdu: SDU, not begun
 * @now_ns: when
 */
void wl_bearer_begin_sdu(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);

/**
 * wl_bearer_release() - the sender's buffer no longer counts a SDU
 * @b: bearer
 * @sdu: SDU; does nothing when it is released already
 *
 * The descriptor is recycled once the SDU is released and gone and at the head
 * of bearer->queue; so @sdu may be invalid afterwards if it is gone.
 */
void wl_bearer_release(struct wl_bearer *b, struct wl_sdu *sdu);

/**
 * wl_bearer_give_up() - the same, but the descriptor stays until it is released
 * @b: bearer
 * @sdu: SDU
 *
 * For one whose PDUs the sender still remembers.
 */
void wl_bearer_give_up(struct wl_bearer *b, struct wl_sdu *sdu);

/**
 * wl_bearer_deliver() - a SDU leaves the receiving entity for the upper layer
 * @b: bearer
 * @sdu: SDU, not gone; @sdu->end_ns, due_ns and whole_ns are set, in order
 * @now_ns: when
 */
void wl_bearer_deliver(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);

/**
 * wl_bearer_drop() - a SDU will never leave the receiving entity
 * @b: bearer
 * @sdu: SDU, not gone nor out; invalid afterwards if it is released
 * @now_ns: when
 * @reason: why
 */
void wl_bearer_drop(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
		    enum wlink_drop reason);

/**
 * wl_bearer_wake() - wanted() may have become true
 * @b: bearer
 * @now_ns: now
 *
 * Call it after anything in event() or arrived() that may give the bearer a PDU
 * to send; harmless when it has none or is awake.
 */
void wl_bearer_wake(struct wl_bearer *b, u64 now_ns);

/**
 * wl_flight_push() - a PDU that is not lost is on its way to the receiver
 * @b: bearer
 * @end_ns: when its last bit is sent
 * @tx: it
 *
 * The record arrives at end_ns and the delay of now, never before an earlier
 * one. A full ring, which wl_room_need() makes impossible as long as bearers
 * keep to their rate, drops the record as the air would.
 */
void wl_flight_push(struct wl_bearer *b, u64 end_ns, const struct wl_tx *tx);

/**
 * wl_flight_first() - the PDU that arrives next
 * @b: bearer
 *
 * Return: record, or NULL.
 */
const struct wl_flight *wl_flight_first(const struct wl_bearer *b);

/**
 * wl_flight_pop() - take it
 * @b: bearer with a PDU on its way
 * @out: the record
 */
void wl_flight_pop(struct wl_bearer *b, struct wl_flight *out);

/**
 * wl_flight_due_ns() - when a PDU sent now arrives at the receiver
 * @b: bearer
 * @end_ns: when its last bit is sent
 *
 * Return: time; also for a PDU that is lost.
 */
u64 wl_flight_due_ns(const struct wl_bearer *b, u64 end_ns);

/**
 * wl_reverse_free_ns() - when the reverse transmitter is free
 * @b: bearer
 *
 * A mode that builds feedback from its state waits until then, so that it tells
 * the latest.
 *
 * Return: time, possibly in the past.
 */
u64 wl_reverse_free_ns(const struct wl_bearer *b);

/**
 * wl_reverse_send() - send feedback from the receiver to the sender
 * @b: bearer
 * @now_ns: now; it goes when the reverse transmitter is free
 * @bytes: on the air
 * @feedback: what it says; arrive_ns is filled in. Lost feedback leaves no
 *	record
 *
 * Airtime, loss and counters are dealt with here.
 */
void wl_reverse_send(struct wl_bearer *b, u64 now_ns, u32 bytes,
		     struct wl_feedback *feedback);

/**
 * wl_feedback_first() - the feedback that arrives next
 * @b: bearer
 *
 * Return: record, or NULL.
 */
const struct wl_feedback *wl_feedback_first(const struct wl_bearer *b);

/**
 * wl_feedback_pop() - take it
 * @b: bearer with feedback on its way
 * @out: the record
 */
void wl_feedback_pop(struct wl_bearer *b, struct wl_feedback *out);

/**
 * wl_pdu_at() - record of a PDU of the window
 * @b: bearer
 * @sn: its number, not reduced to the bits it has on the air
 *
 * Return: record.
 */
static inline struct wl_pdu *wl_pdu_at(const struct wl_bearer *b, u32 sn)
{
	return &b->room.pdu[sn & (b->room.pdus - 1)];
}

#endif
