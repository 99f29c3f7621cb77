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
 * struct wl_debt - what retransmissions take from the TTIs that follow
 * @left: bits or ns of airtime
 * @from_ns: start of the first TTI that has not paid
 */
struct wl_debt {
	u64 left;
	u64 from_ns;
};

/**
 * enum wl_harq_state - what is known of a transport block
 * @WL_HARQ_WAITS: its next transmission is to come
 * @WL_HARQ_ARRIVED: it has arrived
 * @WL_HARQ_LOST: its last transmission was lost, too
 */
enum wl_harq_state {
	WL_HARQ_WAITS,
	WL_HARQ_ARRIVED,
	WL_HARQ_LOST,
};

/**
 * struct wl_harq_block - what a bearer has sent in one TTI
 * @first_ns: start of that TTI
 * @next_ns: start of its next transmission
 * @bits: payload
 * @air_bytes: payload and headers
 * @pdus: PDUs in it
 * @tx_end: one past the last of them in the ring of those held
 * @sdus: TM: SDUs whose last PDU is in it
 * @given: TM: of these, have left HARQ
 * @first_pdus: TM: PDUs in it of the first of these
 * @last_pdus: TM: PDUs in it of the SDU that goes on in another block
 * @process: which process carries it
 * @sent: transmissions
 * @state: enum wl_harq_state
 */
struct wl_harq_block {
	u64 first_ns;
	u64 next_ns;
	u64 bits;
	u64 air_bytes;
	u32 pdus;
	u32 tx_end;
	u32 sdus;
	u32 given;
	u32 first_pdus;
	u32 last_pdus;
	u8 process;
	u8 sent;
	u8 state;
};

/**
 * struct wl_harq - HARQ of a bearer
 * @rng: what its fates are drawn from
 * @round_ns: from a transmission of a block to the next one
 * @free_ns: when each process may carry another block, WL_NEVER_NS while it has one
 * @blocks: transport blocks from the first whose fate is not known on
 * @txs: PDUs in them
 * @sdus: TM: SDUs that wait for the fate of a block, all their bits sent
 * @open: the last block is being filled
 * @open_next: next bearer of the link with such a block
 * @stalled: it has something to send and no process is free
 * @resets: all processes are being emptied
 * @next_ns: when a transmission is due or, while stalled, a process is free
 * @late_ns: of the block that is being given to the mode: from its first
 *	transmission to now
 * @debt: dedicated: bits
 */
struct wl_harq {
	struct wl_rng rng;
	u64 round_ns;
	u64 free_ns[WLINK_HARQ_PROCESSES_MAX];
	struct wl_ring blocks;
	struct wl_ring txs;
	struct wl_fifo sdus;
	bool open;
	struct wl_bearer *open_next;
	bool stalled;
	bool resets;
	u64 next_ns;
	u64 late_ns;
	struct wl_debt debt;
};

/**
 * struct wl_wait - a time of waiting
 * @from_ns: when it begins
 * @until_ns: when it ends
 */
struct wl_wait {
	u64 from_ns;
	u64 until_ns;
};

/**
 * wl_wait_ns() - how much of a time is in another
 * @wait: time of waiting
 * @from_ns: when the other begins
 * @until_ns: when it ends
 *
 * Return: ns.
 */
static inline u64 wl_wait_ns(const struct wl_wait *wait, u64 from_ns, u64 until_ns)
{
	from_ns = max(from_ns, wait->from_ns);
	until_ns = min(until_ns, wait->until_ns);
	return until_ns > from_ns ? until_ns - from_ns : 0;
}

/**
 * enum wl_access_state - what a bearer may send
 * @WL_ACCESS_NONE: it has nothing to send, and no grant
 * @WL_ACCESS_WAITS: nothing yet
 * @WL_ACCESS_FIRST: what a first grant has left
 * @WL_ACCESS_GRANTED: what the scheduler gives it, until its buffer is empty
 */
enum wl_access_state {
	WL_ACCESS_NONE,
	WL_ACCESS_WAITS,
	WL_ACCESS_FIRST,
	WL_ACCESS_GRANTED,
};

/**
 * struct wl_drx - whether the receiver of a bearer listens
 * @state: of its peer
 * @rest_ns: since when there was nothing to send
 */
struct wl_drx {
	enum wlink_rrc state;
	u64 rest_ns;
};

/**
 * struct wl_access - what a bearer waits for before it may send
 * @rng: its next numbers are phases, by enum wl_phase
 * @on: the bearer has access
 * @state: what it may send
 * @then: while it waits: what it may send afterwards
 * @next_ns: end of the wait; while it has nothing to send: of the next timer of
 *	wl_bearer.drx; WL_NEVER_NS for none
 * @left_bits: of a first grant
 * @waits: the last wait for a first grant, and the last one after it; none is as long
 *	ago as the first SDU of the buffer
 */
struct wl_access {
	struct wl_rng rng;
	bool on;
	enum wl_access_state state;
	enum wl_access_state then;
	u64 next_ns;
	u64 left_bits;
	struct wl_wait waits[2];
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

/**
 * struct wl_users - users in the background
 * @rng: what their times are drawn from
 * @on: how many are on
 * @at_ns: since when
 * @seen_ns: when that was looked at last
 * @next_ns: when the next of them goes on or off
 * @goes_on: which of the two
 * @rest_q32: of a resource block, in 2^-32: what is theirs and has not been taken
 * @begun: the members above are valid
 * @taken: they have had their share of the running TTI
 * @transfers: arrivals: those of @on with a short and with a long transfer
 * @behind_ns: arrivals: how far behind they are of @seen_ns
 * @arrive_ns: arrivals: from there to the next one that comes
 * @left_q32: arrivals: to the next one that goes, in mean transfers, times 2^32
 * @tti_ns: arrivals: from there to the end of the TTI whose share is @tti_bps
 * @tti_bps: what the scheduler has given all of them together in that TTI
 */
struct wl_users {
	struct wl_rng rng;
	u32 on;
	u64 at_ns;
	u64 seen_ns;
	u64 next_ns;
	bool goes_on;
	u32 rest_q32;
	bool begun;
	bool taken;
	u32 transfers[2];
	u64 behind_ns;
	u64 arrive_ns;
	u64 left_q32;
	u64 tti_ns;
	u64 tti_bps;
};

#endif
