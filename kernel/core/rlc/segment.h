/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_SEG_H
#define _WL_SEG_H

#include "../types.h"

/* No walk over the SDUs of a PDU is longer. A PDU of 1500 bytes has 35 TCP ACKs. */
#define WL_SEG_SDUS_MAX	128U

/**
 * wl_seg_pdu_bytes_min() - least payload of a PDU
 * @cfg: configuration of um or am
 *
 * Return: bytes.
 */
u32 wl_seg_pdu_bytes_min(const struct wl_cfg *cfg);

/**
 * wl_seg_flights() - PDUs that the rate allows to be on their way at one time
 * @cfg: configuration of um or am
 *
 * Return: how many.
 */
u64 wl_seg_flights(const struct wl_cfg *cfg);

/**
 * wl_seg_wanted() - whether there is data for a new PDU
 * @b: bearer of um or am
 *
 * Return: bytes of the PDU without header, 0 when there is none.
 */
u32 wl_seg_wanted(const struct wl_bearer *b);

/**
 * wl_seg_key_ns() - arrival of the SDU that the next new PDU begins with
 * @b: bearer that wants to send a new PDU
 *
 * Return: time.
 */
u64 wl_seg_key_ns(const struct wl_bearer *b);

/**
 * wl_seg_fill() - put data from the queue into a new PDU of fixed size
 * @b: bearer that wants to send a new PDU
 * @now_ns: when it goes
 * @tx: the PDU; sn is set, sizes are filled in
 *
 * SDUs follow each other in the PDU. One that ends where no length indicator
 * fits is ended by the first one of the next PDU (TS 25.322 clause 9.2.2.8, LI 0
 * and "one octet short"); b->unended remembers it. After WL_SEG_SDUS_MAX the rest
 * is padding. Sets the record of the PDU,
 * and of the SDUs first_sn, last_sn, missing and left_bytes: last_sn is known
 * when left_bytes is 0, though that PDU may be still to come.
 */
void wl_seg_fill(struct wl_bearer *b, u64 now_ns, struct wl_tx *tx);

/**
 * wl_seg_sent() - the last bit of a PDU goes: count it with its SDUs
 * @b: bearer
 * @tx: data PDU that its peer has not acknowledged; on the flight ring unless @lost
 * @end_ns: when
 * @lost: its fate
 *
 * For a SDU that ends in it the first transmission sets the times; whole_ns is when it
 * is whole at the earliest.
 */
void wl_seg_sent(struct wl_bearer *b, const struct wl_tx *tx, u64 end_ns, bool lost);

/**
 * wl_seg_um_sent() - wl_mode_ops.sent() of modes that acknowledge nothing
 * @b: bearer
 * @now_ns: now
 * @tx: the PDU
 * @end_ns: when its last bit goes
 * @lost: its fate
 */
void wl_seg_um_sent(struct wl_bearer *b, u64 now_ns, const struct wl_tx *tx, u64 end_ns,
		    bool lost);

/**
 * wl_seg_release_sent() - such a mode releases what it has sent
 * @b: bearer
 * @now_ns: now
 *
 * Return: false when the budget did not suffice.
 */
bool wl_seg_release_sent(struct wl_bearer *b, u64 now_ns);

/**
 * wl_seg_deliver() - deliver in order, up to the first SDU that is not whole
 * @b: bearer whose peer reassembles
 * @now_ns: now
 *
 * Without order, and in NR, those behind it that are whole have been delivered before.
 */
void wl_seg_deliver(struct wl_bearer *b, u64 now_ns);

#endif
