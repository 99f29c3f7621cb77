/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_LTE_H
#define _WL_LTE_H

/*
 * RLC of LTE, TS 36.322, and of NR, TS 38.322. What a bearer may send in a TTI is the
 * transport block; a PDU is made to fit what is left of it, headers included.
 *
 * lte-um, lte-am: a number is that of a PDU, which has parts of one SDU or several
 * (clause 4.2.1.2.2). nr-am: a number is that of a SDU, which goes whole or in segments
 * (TS 38.322 clause 4.2.1.3.2). So the record of a number is a field of bytes, sent at
 * once in LTE and maybe in segments in NR, and sent again in any segments in both.
 *
 * span.c knows which bytes of a field have come, or are to be sent again; block.c fills
 * PDUs, tx.c and rx.c are the peers of acknowledged mode, am.c and um.c
 * call them as time goes on. Numbers do not wrap. Timers are absolute times,
 * WL_NEVER_NS when they do not run. State variables have the names of TS 36.322 clause
 * 7.1, with those of TS 38.322 in brackets.
 */
#include "../../types.h"

extern const struct wl_mode_ops wl_lte_um_ops;
extern const struct wl_mode_ops wl_lte_am_ops;
extern const struct wl_mode_ops wl_nr_am_ops;

/* AM_Window_Size and UM_Window_Size, clause 7.2; TS 38.322 clause 7.2, SN of 12 bits. */
#define WL_LTE_WINDOW	512U
#define WL_NR_WINDOW	2048U

/* No walk over the SDUs between the peers is longer. */
#define WL_LTE_BEGUN_MAX	8192U

/* Spans for all that a window may come to, so that each of its numbers has one to be sent
 * again. A span more takes a TTI whose block ends in a PDU: when they are used up, more is
 * said to be missing, never less.
 */
#define WL_LTE_SPANS_MIN	4096U
#define WL_LTE_SPANS_PER_PDU	4U

/* --- span.c --- */

/**
 * wl_lte_spans() - spans that a bearer may need
 * @window: PDUs
 *
 * Return: how many.
 */
u64 wl_lte_spans(u32 window);

/**
 * wl_lte_span_add() - put bytes into spans
 * @b: bearer
 * @first: first of the spans, which are in order
 * @at: one of them that begins before @from, 0 for none; where to begin with bytes behind
 *	these afterwards
 * @from: first byte
 * @to: one past the last
 * @stamp: of bytes that have come; 0 of those to be sent again
 *
 * Where none is left for them, bytes that have come are left out, and what is between
 * those that are to be sent again and others is put in.
 *
 * Return: bytes that were not there.
 */
u32 wl_lte_span_add(struct wl_bearer *b, u32 *first, u32 *at, u32 from, u32 to, u32 stamp);

/**
 * wl_lte_span_cut() - take the first bytes out of spans
 * @b: bearer
 * @first: first of the spans
 * @to: one past the last that goes, no more than the first span has
 */
void wl_lte_span_cut(struct wl_bearer *b, u32 *first, u32 to);

/**
 * wl_lte_span_free() - give spans back
 * @b: bearer
 * @first: first of them; 0 afterwards
 */
void wl_lte_span_free(struct wl_bearer *b, u32 *first);

/**
 * struct wl_lte_gap - bytes of a field that have not come
 * @span: next span that has
 * @at: one past the last byte that is known
 * @from: first byte of the gap
 * @to: one past the last
 * @walked: spans that have been looked at
 */
struct wl_lte_gap {
	u32 span;
	u32 at;
	u32 from;
	u32 to;
	u32 walked;
};

/**
 * wl_lte_gap_next() - the next bytes of a field that had not come
 * @b: bearer
 * @pdu: its number, of which not all had come
 * @stamp: by then
 * @gap: where to look on: at first zeroed, with span of @pdu->came
 *
 * Return: whether there are such.
 */
bool wl_lte_gap_next(const struct wl_bearer *b, const struct wl_pdu *pdu, u32 stamp,
		     struct wl_lte_gap *gap);

/* --- block.c --- */

/**
 * wl_lte_is_nr() - whether a bearer numbers SDUs
 * @b: bearer
 *
 * Return: whether it is nr-am.
 */
bool wl_lte_is_nr(const struct wl_bearer *b);

/**
 * wl_lte_new_bytes() - size of the next new PDU with all the room there is
 * @b: bearer
 *
 * Return: bytes, 0 where nothing is there.
 */
u32 wl_lte_new_bytes(const struct wl_bearer *b);

/**
 * wl_lte_goes_on() - nr-am: whether a SDU has been sent in part
 * @b: bearer
 *
 * Return: whether the next new PDU has a segment of it.
 */
bool wl_lte_goes_on(const struct wl_bearer *b);

/**
 * wl_lte_fits() - whether any data fits into what is left of a transport block
 * @b: bearer
 * @room: bytes
 * @again: whether data are to be sent again
 *
 * Return: bytes of the PDU at most, 0 where none fits.
 */
u32 wl_lte_fits(const struct wl_bearer *b, u32 room, bool again);

/**
 * wl_lte_fill() - a new PDU
 * @b: bearer with new data, b->room bytes left of the block
 * @now_ns: when it goes
 * @tx: the PDU; set
 *
 * Return: SDUs that it begins.
 */
u32 wl_lte_fill(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx);

/**
 * wl_lte_fill_again() - what a number has to send again, or as much of it as fits
 * @b: bearer, b->room bytes left of the block
 * @pdu: record of the number
 * @tx: the PDU; set
 */
void wl_lte_fill_again(struct wl_bearer *b, struct wl_pdu *pdu, struct wl_tx *tx);

/**
 * wl_lte_part_end() - where a part of a PDU of LTE ends in its field
 * @pdu: PDU
 * @sdu: SDU that the part is of
 * @i: which part
 * @end: where the one before it ends
 *
 * Return: one past its last byte.
 */
u32 wl_lte_part_end(const struct wl_pdu *pdu, const struct wl_sdu *sdu, u32 i, u32 end);

/**
 * wl_lte_flights() - PDUs that may be on their way at one time
 * @cfg: configuration
 * @window: numbers that may be
 *
 * Return: how many.
 */
u64 wl_lte_flights(const struct wl_cfg *cfg, u32 window);

/* Where a PDU begins in the field of its number. */
static inline u32 wl_lte_so(u32 aux)
{
	return aux & 0xffff;
}

/* --- tx.c --- */

/**
 * wl_lte_tx_open() - whether the window lets new data go
 * @b: bearer of acknowledged mode
 *
 * Return: whether it does.
 */
bool wl_lte_tx_open(const struct wl_bearer *b);

/**
 * wl_lte_tx_send() - see struct wl_mode_ops
 * @b: bearer
 * @now_ns: now
 * @tx: the PDU
 */
void wl_lte_tx_send(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx);

/**
 * wl_lte_tx_status() - a report has come
 * @b: bearer
 * @feedback: it
 */
void wl_lte_tx_status(struct wl_bearer *b, const struct wl_feedback *feedback);

/**
 * wl_lte_tx_expired() - t-PollRetransmit
 * @b: bearer
 */
void wl_lte_tx_expired(struct wl_bearer *b);

/* --- rx.c --- */

/**
 * wl_lte_rx_pdu() - a PDU arrives
 * @b: bearer of acknowledged mode
 * @now_ns: now
 * @flight: it
 */
void wl_lte_rx_pdu(struct wl_bearer *b, u64 now_ns, const struct wl_flight *flight);

/**
 * wl_lte_rx_expired() - t-Reordering, t-Reassembly
 * @b: bearer
 * @now_ns: now
 */
void wl_lte_rx_expired(struct wl_bearer *b, u64 now_ns);

/**
 * wl_lte_status_due_ns() - when the report that is triggered may be sent
 * @b: bearer
 *
 * Return: time, maybe past; WL_NEVER_NS when none is triggered.
 */
u64 wl_lte_status_due_ns(const struct wl_bearer *b);

/**
 * wl_lte_status_send() - build the report and send it
 * @b: bearer
 * @now_ns: now; the reverse transmitter is free
 */
void wl_lte_status_send(struct wl_bearer *b, u64 now_ns);

#endif
