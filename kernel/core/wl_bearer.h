/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_BEARER_H
#define _WL_BEARER_H

#include "wl_am.h"
#include "wl_aqm.h"
#include "wl_cfg.h"
#include "wl_chan.h"
#include "wl_heap.h"
#include "wl_play.h"
#include "wl_room.h"
#include "wl_sdu.h"
#include "wl_sr.h"
#include "wl_stats.h"
#include "wl_um.h"

struct wl_link;
struct wl_mode_ops;

/**
 * enum wl_tx_kind - what a PDU is
 * @WL_TX_NEW: data, for the first time
 * @WL_TX_RETX: data, once more
 * @WL_TX_RESET: am: RESET PDU
 * @WL_TX_MRW: am: STATUS PDU with a MRW SUFI
 */
enum wl_tx_kind {
	WL_TX_NEW,
	WL_TX_RETX,
	WL_TX_RESET,
	WL_TX_MRW,
};

/**
 * struct wl_tx - a PDU on its way to the air
 * @kind: what it is
 * @poll: its poll bit
 * @sn: its number, or what the mode needs to remember of a control PDU
 * @bytes: on the air, without header, padding included
 * @pad_bytes: of these, padding
 * @li_bytes: of these, length indicators
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
 * struct wl_ring - position in a ring; indices are never reduced
 * @head: first record
 * @tail: one past the last
 */
struct wl_ring {
	u32 head;
	u32 tail;
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
 * struct wl_reverse - the way back
 * @air: its channel
 * @free_ns: when its transmitter is free
 * @last_ns: arrival of the feedback sent last
 */
struct wl_reverse {
	struct wl_air air;
	u64 free_ns;
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
 * @end_ns: when its last bit is sent, WL_NEVER_NS when silent
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
	s64 work;
	u64 work_at_ns;
	u64 end_ns;
};

/**
 * struct wl_credit - what a TTI gives to a bearer with a rate of its own
 * @quota_bits: whole bits of one TTI
 * @quota_rest: rest of them, in 10^-9 bit
 * @bits: not used yet
 * @rest: rest of them, in 10^-9 bit
 * @at_ns: start of the TTI that gave last
 */
struct wl_credit {
	u64 quota_bits;
	u64 quota_rest;
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
 */
struct wl_share {
	struct wl_node turn;
	u64 turns;
	u64 saved_ns;
	u64 time_rest;
	u64 mean_bps;
	u64 mean_tti;
	u64 tti_bits;
};

/**
 * struct wl_bearer - one bearer of a link: both peers and all between them
 * @link: its link, NULL before wl_link_add_bearer()
 * @number: 1 to WLINK_BEARERS_MAX
 * @cfg: in force
 * @per_rate_q64: reciprocal of its rate, rounded down
 * @plain: it does no more than wl_plain.c knows
 * @next: next of the link, in no order
 * @ops: of the mode, NULL for TM
 * @room: its memory
 * @queue: TM: SDUs with bits left to send; other modes: all SDUs that the sender
 *	or the receiver still knows, in order
 * @fresh: not TM: first SDU of @queue with bytes that are in no PDU yet
 * @passed: not TM: the SDU of @queue before that, NULL where there is none
 * @unended: um, am: SDU whose end the next new PDU must tell
 * @air_sdus: TM with a TTI: SDUs complete at the end of the running TTI
 * @pipe: TM: complete SDUs on their way, in order of deliver_ns
 * @last_deliver_ns: deliver_ns of the last SDU that entered @pipe
 * @flight: ring of PDUs on their way
 * @flight_last_ns: arrival of the last of them
 * @feedback: ring of feedback on its way
 * @reverse: the way back
 * @own: its channel, where it has one of its own
 * @air: its channel
 * @unit: on the air
 * @start_ns: continuous, dedicated: when it may send next, WL_NEVER_NS when it
 *	has nothing to send or sends
 * @over: continuous: work done past the end of the last unit because time is
 *	whole ns; paid back to the next unit if it follows at once
 * @credit: with a TTI, dedicated
 * @share: not dedicated
 * @busy: among those with something to send, link->busy
 * @busy_prev: neighbour there
 * @busy_next: the other one
 * @event: when it has something to do; sub is enum wl_event and the number
 * @aqm: of its buffer
 * @unbegun_sdus: in the buffer, those that have not been begun
 * @unbegun_bytes: their bytes
 * @empty_ns: when the buffer became empty
 * @play: schedule that plays, is to be stopped, or holds its last values
 * @next_play: schedule that waits for its start
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
	struct wl_room room;
	struct wl_fifo queue;
	struct wl_sdu *fresh;
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
	bool busy;
	struct wl_bearer *busy_prev;
	struct wl_bearer *busy_next;
	struct wl_node event;
	union {
		struct wl_um um;
		struct wl_am am;
		struct wl_sr sr;
	} mode;
	struct wl_aqm aqm;
	u64 unbegun_sdus;
	u64 unbegun_bytes;
	u64 empty_ns;
	struct wl_play *play;
	struct wl_play *next_play;
	struct wl_stats stats;
};

/**
 * wl_bearer_init() - a bearer that its link does not know yet
 * @b: zeroed but for its room
 * @link: its link
 * @number: its number
 * @cfg: checked configuration
 * @now_ns: now
 */
void wl_bearer_init(struct wl_bearer *b, struct wl_link *link, u16 number,
		    const struct wl_cfg *cfg, u64 now_ns);

/**
 * wl_bearer_need() - what room a bearer needs to change to a configuration
 * @b: bearer, in a link or zeroed
 * @cfg: checked configuration
 * @need: set, but for the pointers; not smaller than what @b has
 *
 * What TM has on its way arrives before what is sent after the change, so where
 * the delay gets shorter the old one counts; of transactions that wait the caller
 * knows.
 */
void wl_bearer_need(const struct wl_bearer *b, const struct wl_cfg *cfg,
		    struct wl_room *need);

/**
 * wl_bearer_give() - give a bearer memory for what a configuration needs
 * @b: bearer, in a link or zeroed
 * @room: laid out by wl_room_place() in zeroed memory; not smaller than the old
 *	one in any ring (wl_room_join())
 *
 * To be called before the first use of a configuration that wl_room_need() more
 * than there is.
 *
 * Return: the old memory, now the caller's.
 */
void *wl_bearer_give(struct wl_bearer *b, const struct wl_room *room);

/**
 * wl_bearer_arrive() - a SDU reaches the buffer, or is dropped before it
 * @b: bearer
 * @sdu: SDU
 * @now_ns: its arrival
 */
void wl_bearer_arrive(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);

/**
 * wl_bearer_sent() - TM: the last bit of a SDU has been sent
 * @b: bearer
 * @sdu: SDU, no longer in b->queue
 * @now_ns: when
 */
void wl_bearer_sent(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns);

/**
 * wl_bearer_event_ns() - when the protocol has something to do
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for never.
 */
u64 wl_bearer_event_ns(const struct wl_bearer *b);

/**
 * wl_bearer_event() - let the protocol do it
 * @b: bearer
 * @now_ns: wl_bearer_event_ns()
 */
void wl_bearer_event(struct wl_bearer *b, u64 now_ns);

/**
 * wl_bearer_wanted() - bytes of the PDU that would go now
 * @b: bearer
 *
 * Return: bytes without header, 0 when there is nothing to send.
 */
u32 wl_bearer_wanted(const struct wl_bearer *b);

/**
 * wl_bearer_configure() - put a configuration in force
 * @b: bearer; cfg is the old one
 * @now_ns: when; a boundary where the old TTI is not 0
 * @cfg: the new one
 * @reseed: bearer 1: start the random streams anew from cfg->seed
 *
 * TTIs up to the one that begins now take their channel steps under the old
 * configuration and seed.
 */
void wl_bearer_configure(struct wl_bearer *b, u64 now_ns,
			 const struct wl_cfg *cfg, bool reseed);

/**
 * wl_bearer_gone() - the owner of the link has taken a SDU
 * @b: bearer
 * @sdu: SDU; its descriptor is recycled as soon as the sender releases it
 */
void wl_bearer_gone(struct wl_bearer *b, struct wl_sdu *sdu);

/**
 * wl_bearer_reestablish() - begin anew with another mode, PDU or window
 * @b: bearer; cfg is the new one
 * @now_ns: when
 *
 * Drops the SDUs that have been begun, except those on their way in TM.
 */
void wl_bearer_reestablish(struct wl_bearer *b, u64 now_ns);

/**
 * wl_bearer_flush() - drop all that is held
 * @b: bearer
 * @now_ns: when
 */
void wl_bearer_flush(struct wl_bearer *b, u64 now_ns);

#endif
