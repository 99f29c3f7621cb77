/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_BEARER_H
#define _WL_BEARER_H

#include "air/rings.h"
#include "aqm/aqm.h"
#include "buffer/sdu.h"
#include "channel/channel.h"
#include "config/cfg.h"
#include "impair/dist.h"
#include "lib/heap.h"
#include "rlc/am.h"
#include "rlc/lte/lte.h"
#include "rlc/um.h"
#include "rrc/schedule.h"
#include "sr/sr.h"
#include "stats.h"

/* Bytes in the unit that work is counted in, 10^-9 bit. */
#define WL_WORK_PER_BYTE	(8 * WL_NSEC_PER_SEC)

struct wl_link;
struct wl_mode_ops;

/**
 * enum wl_tx_kind - what a PDU is
 * @WL_TX_NEW: data, for the first time
 * @WL_TX_RETX: data, once more
 * @WL_TX_RESET: am: RESET PDU
 * @WL_TX_MRW: am: STATUS PDU with a MRW SUFI
 * @WL_TX_CARRIED: feedback of the other link of a pair, see mac/submit.h
 */
enum wl_tx_kind {
	WL_TX_NEW,
	WL_TX_RETX,
	WL_TX_RESET,
	WL_TX_MRW,
	WL_TX_CARRIED,
};

/**
 * struct wl_tx - a PDU on its way to the air
 * @kind: what it is
 * @poll: its poll bit
 * @sn: its number, or what the mode needs to remember of a control PDU
 * @bytes: on the air, without header, padding included
 * @pad_bytes: of these, padding
 * @li_bytes: of these, length indicators; LTE, NR: the header
 * @aux: as the mode likes, comes back in sent()
 */
struct wl_tx {
	enum wl_tx_kind kind;
	bool poll;
	u32 sn;
	u32 bytes;
	u32 pad_bytes;
	u32 li_bytes;
	u32 aux;
};

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
 * struct wl_ring - position in a ring; indices are never reduced
 * @head: first record
 * @tail: one past the last
 */
struct wl_ring {
	u32 head;
	u32 tail;
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
 * struct wl_message - what passes between the two links of a pair
 * @at_ns: when feedback was made; of what comes back, when it arrives
 * @bytes: on the air
 * @number: of the bearer, the same on both links
 * @back: it comes back to the link that has made it
 * @lost: of what comes back: it got lost on the way
 * @connection: of the bearer that has made it
 * @feedback: what it says
 * @b: bearer that carries it, while it waits for the engine; NULL for none
 */
struct wl_message {
	u64 at_ns;
	u32 bytes;
	u16 number;
	bool back;
	bool lost;
	u32 connection;
	struct wl_feedback feedback;
	struct wl_bearer *b;
};

/**
 * struct wl_air - a channel and where time has got to on it
 * @chan: the channel
 * @bearer: whose, NULL for the link's
 * @at_ns: with a TTI: start of the TTI the state belongs to
 * @bad_ns: twostate with a TTI: part of that TTI in the bad state
 * @counted_ns: start of the TTI that was counted last
 */
struct wl_air {
	struct wl_chan chan;
	struct wl_bearer *bearer;
	u64 at_ns;
	u64 bad_ns;
	u64 counted_ns;
};

/**
 * struct wl_reverse - the reverse path
 * @air: its channel
 * @free_ns: when its transmitter is free, maybe past; WL_NEVER_NS while silent. A
 *	mode that builds feedback from its state waits until then
 * @work: while silent: what its transmitter has to send, in 10^-9 bit
 * @last_ns: arrival of the feedback sent last
 */
struct wl_reverse {
	struct wl_air air;
	u64 free_ns;
	u64 work;
	u64 last_ns;
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
 * struct wl_impair - what happens to SDUs behind the receiver
 * @on: something may
 * @jitter_rng: what delays are drawn from
 * @corrupt_rng: the same of which SDUs get an error
 * @duplicate_rng: the same of which come twice
 * @chain: state of correlated draws of the delay
 * @delayed: heap of SDUs that wait for their time, the earliest first; see
 *	impair/delayed.h
 * @next_ns: when the earliest is due, WL_NEVER_NS for none
 * @order: number of the next SDU that waits
 * @last_ns: latest time of delivery that a SDU has been given
 */
struct wl_impair {
	bool on;
	struct wl_rng jitter_rng;
	struct wl_rng corrupt_rng;
	struct wl_rng duplicate_rng;
	struct wl_chain chain;
	struct wl_sdu *delayed;
	u64 next_ns;
	u32 order;
	u64 last_ns;
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
	struct wl_bearer *given_next;
	struct wl_bearer *given_prev;
};

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

/**
 * struct wl_bearer - one bearer of a link: both peers and all between them
 * @link: its link, NULL before wl_link_add_bearer()
 * @number: 1 to WLINK_BEARERS_MAX
 * @cfg: in force
 * @per_rate_q64: reciprocal of its rate, rounded down
 * @plain: it does no more than plain.c knows
 * @next: next of the link, in no order
 * @ops: of the mode, NULL for TM
 * @rings: its memory
 * @wider: what is taking its place, see wl_bearer_move()
 * @moved: records of each ring, from the first on, that are there already
 * @queue: TM: SDUs with bits left to send; other modes: all SDUs that the sender
 *	or the receiver still knows, in order
 * @old: SDUs that were in @queue when the bearer began anew, and are to be looked at
 * @leaving: SDUs that it lets go of before anything else is done
 * @leave_ns: when
 * @leave_seq: those that arrived before this number are to leave the inbox, too
 * @leave_for: why: WLINK_DROP_FORWARD, to another link, or WLINK_DROP_FLUSH; else
 *	WLINK_DROP_NONE
 * @again: something is left to be done at this time, as the budget ran out
 * @changing: not all of its new configuration is in force: no PDU is handed over
 * @trim: how far the queue has been made to fit a smaller limit
 * @fresh: not TM: first SDU of @queue with bytes that are in no PDU yet
 * @live: am: first SDU that the sender has neither released nor given up
 * @unreleased: um, am: first SDU that the sender has not released
 * @reassembly: um, am: first SDU that the receiver has neither delivered nor dropped
 * @place: these four, NULL for none; where a mode does not look at one, it stays where
 *	it was
 * @passed: not TM: the SDU of @queue before that, NULL where there is none
 * @unended: um, am: SDU whose end the next new PDU must tell
 * @air_sdus: TM with a TTI: SDUs complete at the end of the running TTI
 * @pipe: TM: complete SDUs on their way, in order of deliver_ns
 * @last_deliver_ns: deliver_ns of the last SDU that entered @pipe
 * @flight: ring of PDUs on their way
 * @flight_last_ns: arrival of the last of them
 * @feedback: ring of feedback on its way
 * @reverse: the reverse path
 * @own: its channel, where it has one of its own
 * @air: its channel
 * @unit: on the air
 * @start_ns: continuous, dedicated: when it may send next, WL_NEVER_NS when it
 *	has nothing to send or sends
 * @over: continuous: work done past the end of the last unit because time is
 *	whole ns; paid back to the next unit if it follows at once
 * @credit: with a TTI, dedicated
 * @share: not dedicated
 * @harq: with a TTI
 * @access: with a TTI
 * @drx: with a TTI
 * @impair: behind the receiver
 * @busy: among those with something to send, link->busy
 * @busy_prev: neighbour there
 * @busy_next: the other one
 * @event: when it has something to do; sub is enum wl_event and the number
 * @touched: it is on link->touched
 * @touched_next: next there
 * @room: LTE, NR: bytes left of the transport block, for ops->send()
 * @submit: start handover: what waits for the transmitter
 * @carried: feedback of the other link of a pair in @submit or on the air
 * @connection: number of the connection, from the link's connections: another one after
 *	each (re-)establishment
 * @restarts: it begins anew as soon as HARQ is empty; its mode is still the old one
 * @failed: LTE, NR: a PDU went in vain too often (radio link failure): it begins anew
 * @granted: it sends by opportunities of its schedule only
 * @aqm: of its buffer
 * @unbegun_sdus: in the buffer, those that have not been begun
 * @unbegun_bytes: their bytes
 * @empty_ns: when the buffer became empty
 * @front_ns: when the AQM was asked last for what may be begun
 * @front_drops: SDUs that went at that time
 * @schedule: one that plays, is to be stopped, or holds its last values
 * @next_schedule: schedule that waits for its start
 * @stats: counters
 * @mode: state of the mode
 */
struct wl_bearer {
	struct wl_link *link;
	u16 number;
	struct wl_cfg cfg;
	u64 per_rate_q64;
	bool plain;
	struct wl_bearer *next;
	const struct wl_mode_ops *ops;
	struct wl_rings rings;
	const struct wl_rings *wider;
	u32 moved;
	struct wl_fifo queue;
	struct wl_fifo old;
	struct wl_fifo leaving;
	u64 leave_ns;
	u64 leave_seq;
	enum wlink_drop leave_for;
	bool again;
	bool changing;
	struct wl_trim trim;
	union {
		struct {
			struct wl_sdu *fresh;
			struct wl_sdu *live;
			struct wl_sdu *unreleased;
			struct wl_sdu *reassembly;
		};
		struct wl_sdu *place[4];
	};
	struct wl_sdu *passed;
	struct wl_sdu *unended;
	struct wl_fifo air_sdus;
	struct wl_fifo pipe;
	u64 last_deliver_ns;
	struct wl_ring flight;
	u64 flight_last_ns;
	struct wl_ring feedback;
	struct wl_reverse reverse;
	struct wl_air own;
	struct wl_air *air;
	struct wl_unit unit;
	u64 start_ns;
	u64 over;
	struct wl_credit credit;
	struct wl_share share;
	struct wl_harq harq;
	struct wl_access access;
	struct wl_drx drx;
	struct wl_impair impair;
	bool busy;
	struct wl_bearer *busy_prev;
	struct wl_bearer *busy_next;
	struct wl_node event;
	bool touched;
	struct wl_bearer *touched_next;
	u32 room;
	struct wl_submit submit;
	struct wl_ring carried;
	u32 connection;
	bool restarts;
	bool failed;
	bool granted;
	union {
		struct wl_um um;
		struct wl_am am;
		struct wl_sr sr;
		struct wl_lte lte;
	} mode;
	struct wl_aqm aqm;
	u64 unbegun_sdus;
	u64 unbegun_bytes;
	u64 empty_ns;
	u64 front_ns;
	u32 front_drops;
	struct wl_schedule *schedule;
	struct wl_schedule *next_schedule;
	struct wl_stats stats;
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

/* The rings that have the record of an index, of a ring with so many. */
static inline const struct wl_rings *wl_rings_of(const struct wl_bearer *b, u32 i, u32 count)
{
	return (i & (count - 1)) < b->moved ? b->wider : &b->rings;
}

static inline struct wl_flight *wl_flight_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.flights);

	return &rings->flight[i & (rings->flights - 1)];
}

static inline struct wl_feedback *wl_feedback_at(const struct wl_bearer *b,
						 u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.feedbacks);

	return &rings->feedback[i & (rings->feedbacks - 1)];
}

static inline struct wl_harq_block *wl_harq_block_at(const struct wl_bearer *b,
						     u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.blocks);

	return &rings->block[i & (rings->blocks - 1)];
}

static inline struct wl_submitted *wl_submitted_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.submits);

	return &rings->submitted[i & (rings->submits - 1)];
}

static inline struct wl_message *wl_carried_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.carries);

	return &rings->carried[i & (rings->carries - 1)];
}

static inline struct wl_tx *wl_harq_tx_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.txs);

	return &rings->tx[i & (rings->txs - 1)];
}

/**
 * wl_submit_forget() - what waits for the transmitter does not any more
 * @b: bearer; feedback of the other link of a pair is gone, too
 */
static inline void wl_submit_forget(struct wl_bearer *b)
{
	b->submit.ring.head = b->submit.ring.tail;
	b->submit.bytes = 0;
	b->carried.head = b->carried.tail;
}

/**
 * wl_flight_next_ns() - when the next PDU arrives
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for none.
 */
static inline u64 wl_flight_next_ns(const struct wl_bearer *b)
{
	if (b->flight.head == b->flight.tail)
		return WL_NEVER_NS;
	return wl_flight_at(b, b->flight.head)->arrive_ns;
}

/**
 * wl_feedback_next_ns() - when the next feedback arrives
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for none.
 */
static inline u64 wl_feedback_next_ns(const struct wl_bearer *b)
{
	if (b->feedback.head == b->feedback.tail)
		return WL_NEVER_NS;
	return wl_feedback_at(b, b->feedback.head)->arrive_ns;
}

/**
 * wl_flight_pop() - take it
 * @b: bearer with a PDU on its way
 *
 * Return: the record, valid until the next wl_flight_push().
 */
static inline const struct wl_flight *wl_flight_pop(struct wl_bearer *b)
{
	return wl_flight_at(b, b->flight.head++);
}

/**
 * wl_feedback_pop() - take it
 * @b: bearer with feedback on its way
 *
 * Return: the record, valid until the next wl_reverse_send().
 */
static inline const struct wl_feedback *wl_feedback_pop(struct wl_bearer *b)
{
	return wl_feedback_at(b, b->feedback.head++);
}

/**
 * wl_pdu_at() - record of a PDU of the window
 * @b: bearer
 * @sn: its number, not reduced to the bits it has on the air
 *
 * Return: record.
 */
static inline struct wl_pdu *wl_pdu_at(const struct wl_bearer *b, u32 sn)
{
	const struct wl_rings *rings = wl_rings_of(b, sn, b->rings.pdus);

	return &rings->pdu[sn & (rings->pdus - 1)];
}

/**
 * wl_span_at() - span of bytes of a PDU
 * @b: bearer
 * @i: its index
 *
 * Return: span.
 */
static inline struct wl_span *wl_span_at(const struct wl_bearer *b, u32 i)
{
	const struct wl_rings *rings = wl_rings_of(b, i, b->rings.spans);

	return &rings->span[i & (rings->spans - 1)];
}

#endif
