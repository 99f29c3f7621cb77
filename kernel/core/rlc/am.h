/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_AM_H
#define _WL_AM_H

/*
 * RLC acknowledged mode of TS 25.322 with PDUs of fixed size. Both peers of the
 * bearer are here. Numbers do not wrap; on the air they have 12 bits.
 *
 * The sender is in am_tx.c, the receiver in am_rx.c, and am.c calls them as time
 * goes on. Timers are absolute times,
 * WL_NEVER_NS when they do not run.
 */
#include "../types.h"

/**
 * enum wl_am_feedback - what comes back
 * @WL_AM_STATUS: part of a report: LIST or BITMAP SUFIs, the last one with ACK
 * @WL_AM_MRW_ACK: MRW_ACK SUFI
 * @WL_AM_RESET_ACK: RESET ACK PDU
 */
enum wl_am_feedback {
	WL_AM_STATUS,
	WL_AM_MRW_ACK,
	WL_AM_RESET_ACK,
};

/* wl_feedback.flags */
#define WL_AM_HAS_ACK	0x01	/* lsn is the LSN of an ACK SUFI */

/* No walk over the SDUs between the peers is longer, but for those of one PDU. It
 * is what 4095 PDUs hold of packets of half their size.
 */
#define WL_AM_BEGUN_MAX	8192U

/* --- am_tx.c --- */

/**
 * wl_am_tx_wanted() - see struct wl_mode_ops
 * @b: bearer
 *
 * Return: bytes of the next PDU, all have the same size, or 0.
 */
u32 wl_am_tx_wanted(const struct wl_bearer *b);

/**
 * wl_am_tx_fresh_next() - see struct wl_mode_ops
 * @b: bearer
 *
 * Return: whether the next PDU is a new one.
 */
bool wl_am_tx_fresh_next(const struct wl_bearer *b);

/**
 * wl_am_tx_key_ns() - see struct wl_mode_ops
 * @b: bearer
 *
 * Return: arrival of the SDU that the next PDU belongs to; 0 for control PDUs.
 */
u64 wl_am_tx_key_ns(const struct wl_bearer *b);

/**
 * wl_am_tx_send() - see struct wl_mode_ops
 * @b: bearer
 * @now_ns: now
 * @tx: the PDU
 */
void wl_am_tx_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx);

/**
 * wl_am_tx_sent() - see struct wl_mode_ops
 * @b: bearer
 * @now_ns: now
 * @tx: the PDU
 * @end_ns: when its last bit goes
 * @lost: its fate
 */
void wl_am_tx_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx,
		   u64 end_ns, bool lost);

/**
 * wl_am_tx_status() - a part of a report is there
 * @b: bearer
 * @now_ns: now
 * @feedback: it
 */
void wl_am_tx_status(struct wl_bearer *b, u64 now_ns,
		     const struct wl_feedback *feedback);

/**
 * wl_am_tx_poll() - something but a PDU being sent triggers a poll
 * @b: bearer
 */
void wl_am_tx_poll(struct wl_bearer *b);

/**
 * wl_am_tx_force_poll() - a poll that finds no PDU to ride on makes one
 * @b: bearer
 * @now_ns: now
 *
 * Call it when all else that an event brings has been done: the PDU VT(S) - 1 is
 * scheduled once more (clause 9.7.1).
 */
void wl_am_tx_force_poll(struct wl_bearer *b, u64 now_ns);

/**
 * wl_am_discard_ns() - Timer_Discard of the oldest SDU
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS when off.
 */
u64 wl_am_discard_ns(const struct wl_bearer *b);

/**
 * wl_am_discard() - it has expired
 * @b: bearer
 * @now_ns: now
 */
void wl_am_discard(struct wl_bearer *b, u64 now_ns);

/**
 * wl_am_mrw_ack() - the receiver says where its window is
 * @b: bearer
 * @sn: SN_ACK
 * @n: N_ACK
 */
void wl_am_mrw_ack(struct wl_bearer *b, u32 sn, u32 n);

/**
 * wl_am_mrw_expired() - Timer_MRW
 * @b: bearer
 * @now_ns: now
 */
void wl_am_mrw_expired(struct wl_bearer *b, u64 now_ns);

/**
 * wl_am_reset_schedule() - Timer_RST: the next RESET, unless it is the MaxRST-th
 * @b: bearer
 * @now_ns: now
 *
 * Return: false when the budget did not suffice: once more.
 */
bool wl_am_reset_schedule(struct wl_bearer *b, u64 now_ns);

/**
 * wl_am_reset_ack() - a RESET ACK is there
 * @b: bearer
 * @rsn: its RSN
 */
void wl_am_reset_ack(struct wl_bearer *b, u32 rsn);

/* --- am_rx.c --- */

/**
 * wl_am_rx_pdu() - a PDU arrives at the receiver
 * @b: bearer
 * @now_ns: now
 * @flight: it
 */
void wl_am_rx_pdu(struct wl_bearer *b, u64 now_ns,
		  const struct wl_flight *flight);

/**
 * struct wl_am_part - one STATUS PDU of a report
 * @to: one past the last
 * @bits: its content, without padding
 */
struct wl_am_part {
	u32 to;
	u32 bits;
};

/**
 * wl_am_status_part() - what the next STATUS PDU of a report can hold
 * @b: bearer
 * @from: first number that has not been told
 * @part: result
 *
 * Sizes are those of clause 9.2.2.11. Room for an ACK SUFI is always left.
 *
 * Return: whether the report ends with it.
 */
bool wl_am_status_part(const struct wl_bearer *b, u32 from,
		       struct wl_am_part *part);

/**
 * wl_am_status_send() - build the report and send it
 * @b: bearer
 * @now_ns: now; the reverse transmitter is free
 */
void wl_am_status_send(struct wl_bearer *b, u64 now_ns);

/**
 * wl_am_status_due_ns() - when the report that is triggered may be built
 * @b: bearer
 *
 * Return: time, maybe past; WL_NEVER_NS when none is triggered.
 */
u64 wl_am_status_due_ns(const struct wl_bearer *b);

/**
 * wl_am_rx_drop() - drop what was begun
 * @b: bearer, whose receiver is about to begin anew
 * @now_ns: now
 *
 * Return: false when the budget did not suffice: there may be more.
 */
bool wl_am_rx_drop(struct wl_bearer *b, u64 now_ns);

/**
 * wl_am_rx_reset() - the receiver begins anew: drop what was begun
 * @b: bearer
 * @now_ns: now
 */
void wl_am_rx_reset(struct wl_bearer *b, u64 now_ns);

#endif
