/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_MAC_TYPES_H
#define _WL_MAC_TYPES_H

#include "../air/types.h"
#include "../buffer/types.h"
#include "../lib/heap.h"
#include "../rlc/mode.h"

struct wl_bearer;
struct wl_sdu;

/**
 * struct wl_submitted - a PDU that waits for the transmitter
 * @at_ns: when it was handed over; 0: before all that waits
 * @tx: the PDU
 */
struct wl_submitted {
	u64 at_ns;
	struct wl_tx tx;
};

/**
 * struct wl_submit - PDUs that have been handed over to the transmitter
 * @ring: position of these in rings.submitted, in order
 * @bytes: sum of their sizes
 */
struct wl_submit {
	struct wl_ring ring;
	u64 bytes;
};

/**
 * struct wl_unit - what a bearer has on the air where the TTI is 0
 * @on: whether there is something
 * @sdu: TM: whose bits they are
 * @tx: other modes: the PDU
 * @from_ns: when its first bit was sent
 * @mark_ns: twostate: time in the bad state until then
 * @bytes: payload: one PDU, or several of the SDU whose fate is certain
 * @pdu_bytes: payload of each PDU in it but the last
 * @header_bytes: header of each PDU in it
 * @lost: PDUs of it that are lost, if that is known before the end
 * @work: what is left of it at @work_at_ns, in 10^-9 bit; not above 0 where the
 *	rounding of earlier units has paid for it already
 * @work_at_ns: see @work
 * @waits: a silence has taken the shared transmitter from it, and its rest waits
 *	for a turn
 * @end_ns: when its last bit is sent, WL_NEVER_NS when nothing of it goes
 */
struct wl_unit {
	bool on;
	struct wl_sdu *sdu;
	struct wl_tx tx;
	u64 from_ns;
	u64 mark_ns;
	u32 bytes;
	u32 pdu_bytes;
	u32 header_bytes;
	u32 lost;
	bool waits;
	s64 work;
	u64 work_at_ns;
	u64 end_ns;
};

/**
 * struct wl_credit - what a TTI gives to a bearer with a rate of its own
 * @quota_bits: whole bits of one TTI, and of a special slot
 * @quota_rest: rest of them, in 10^-9 bit
 * @bits: not used yet
 * @rest: rest of them, in 10^-9 bit
 * @at_ns: start of the TTI that gave last
 */
struct wl_credit {
	u64 quota_bits[2];
	u64 quota_rest[2];
	u64 bits;
	u64 rest;
	u64 at_ns;
};

/**
 * struct wl_share - a bearer's part in a link that several share
 * @turn: place among those with something to send
 * @turns: rr, prio: number of its last turn
 * @saved_ns: with a TTI: airtime that was left when its PDU did not fit
 * @time_rest: with a TTI: what it has paid in advance of its next PDU, in
 *	1/rate ns
 * @mean_bps: pf: mean throughput at @mean_tti
 * @mean_tti: pf: number of the TTI that @mean_bps was taken in
 * @tti_bits: pf: sent in TTI @mean_tti
 * @first_tti: pf with a window: number of the TTI that the mean begins with, + 1
 * @owed_bits: gbr: Bj of TS 36.321 clause 5.4.3.1: guaranteed and not sent yet
 * @owed_rest: gbr: rest of them, in 10^-9 bit
 * @owed_ns: gbr: when that was
 * @rbs: rb: resource blocks that it has been given in this TTI
 * @rbs_more: rb, rr: how many more it could use
 * @given: rb: on link->given
 * @foreseen: rb: wl_rb_foresee() has given it what it gets in its turn
 * @given_next: next there
 * @given_prev: the one before
 */
struct wl_share {
	struct wl_node turn;
	u64 turns;
	u64 saved_ns;
	u64 time_rest;
	u64 mean_bps;
	u64 mean_tti;
	u64 tti_bits;
	u64 first_tti;
	s64 owed_bits;
	u64 owed_rest;
	u64 owed_ns;
	u32 rbs;
	u32 rbs_more;
	bool given;
	bool foreseen;
	struct wl_bearer *given_next;
	struct wl_bearer *given_prev;
};

#endif
