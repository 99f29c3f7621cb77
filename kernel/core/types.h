/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_CORE_TYPES_H
#define _WL_CORE_TYPES_H

#include "3gpp/types.h"
#include "air/types.h"
#include "aqm/aqm.h"
#include "buffer/types.h"
#include "channel/channel.h"
#include "config/cfg.h"
#include "impair/types.h"
#include "lib/heap.h"
#include "mac/types.h"
#include "rlc/types.h"
#include "rrc/types.h"
#include "sr/types.h"
#include "stats.h"

struct wl_link;
struct wl_mode_ops;

/* Bytes in the unit that work is counted in, 10^-9 bit. */
#define WL_WORK_PER_BYTE	(8 * WL_NSEC_PER_SEC)

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
 * enum wl_event - kinds of events, in the order in which they are handled at one
 *	time
 * @WL_EVENT_END: end of sending
 * @WL_EVENT_PROTOCOL: something arrives at a peer, or a timer expires
 * @WL_EVENT_CONFIGURE: a configuration takes effect
 * @WL_EVENT_START: start of a TTI or PDU
 * @WL_EVENT_ARRIVAL: a SDU arrives
 */
enum wl_event {
	WL_EVENT_END,
	WL_EVENT_PROTOCOL,
	WL_EVENT_CONFIGURE,
	WL_EVENT_START,
	WL_EVENT_ARRIVAL,
};

/**
 * enum wl_news - what a change of bearer 1 is for all others; wl_bearer_tell() brings it to
 *	them
 * @WL_NEWS_SEED: the random streams start anew
 * @WL_NEWS_GRID: a new grid of TTIs has begun, or another scheduler
 * @WL_NEWS_CHANNEL: the channel of the link is another
 * @WL_NEWS_WAKE: all have heard of the grid and may ask to send
 */
enum wl_news {
	WL_NEWS_SEED = 0x01,
	WL_NEWS_GRID = 0x02,
	WL_NEWS_CHANNEL = 0x04,
	WL_NEWS_WAKE = 0x08,
};

/**
 * struct wl_link_ops - what the engine tells its owner; none may call back
 * @dropped: a SDU died at sdu->end_ns for sdu->drop; the owner takes the
 *	cookie, the descriptor goes back to the pool by itself
 * @duplicate: a SDU comes twice; may be NULL, then none does. The one of ops that may
 *	call back: wl_link_add_sdus(). Return: cookie of the copy, NULL for none or
 *	where link->pool is empty
 * @rate_changed: a configuration of a bearer took effect at a time; called for
 *	each one, whether the rate differs or not
 * @applied: a pending change has taken effect at a time and is the owner's again;
 *	link->generation is its number
 * @granted: an opportunity of so many bytes has passed, and how many were used
 * @schedule_changed: state of a bearer's schedule has changed; it is the
 *	owner's again where it is neither b->schedule nor b->next_schedule
 * @rrc_changed: whether the receiver of a bearer listens has changed at a time; may
 *	be NULL
 * @background: users in the background have had their share of a TTI that bearers wanted,
 *	so many ns of the transmitter; link->users.on of them are on. May be NULL
 * @feedback: feedback for the other link of a pair, or of it that comes back: the
 *	owner gives it to wl_link_post() of that link. false where there is none any more
 * @channel_changed: the state of a bearer's own channel or, where the bearer is
 *	NULL, of the link's was seen to differ at a time, which for a twostate
 *	channel may be later than now by less than a TTI
 */
struct wl_link_ops {
	void (*dropped)(struct wl_link *link, const struct wl_sdu *sdu);
	void *(*duplicate)(struct wl_link *link, const struct wl_sdu *sdu);
	void (*rate_changed)(struct wl_link *link, const struct wl_bearer *b,
			     u64 at_ns, u64 old_bps, u64 new_bps);
	void (*applied)(struct wl_link *link, struct wl_pending *txn, u64 at_ns);
	void (*granted)(struct wl_link *link, const struct wl_bearer *b,
			u64 at_ns, u64 bytes, u64 used_bytes);
	void (*rrc_changed)(struct wl_link *link, const struct wl_bearer *b, u64 at_ns,
			    enum wlink_rrc state);
	void (*background)(struct wl_link *link, u64 at_ns, u64 airtime_ns);
	void (*schedule_changed)(struct wl_link *link, struct wl_bearer *b,
				 struct wl_schedule *schedule, u64 at_ns);
	bool (*feedback)(struct wl_link *link, const struct wl_message *message);
	void (*channel_changed)(struct wl_link *link,
				const struct wl_bearer *b, u64 at_ns, bool bad);
};

/**
 * struct wl_rest - an event that one call could not handle whole: nothing comes before
 *	the rest of it, or what becomes of a SDU would go by how much a call can do
 * @on: there is one
 * @kind: of which kind
 * @b: whose, NULL for the link's
 */
struct wl_rest {
	bool on;
	enum wl_event kind;
	struct wl_bearer *b;
};

/**
 * struct wl_link - the engine: one direction of a radio link
 * @ops: whom to tell
 * @first: bearer 1, which the link always has; its configuration holds the
 *	link's tti, seed and sched
 * @bearers: how many there are
 * @all: all but the first, in no order
 * @gone: counters of bearers that have been deleted
 * @pending: changes that wait, in the order in which they take effect
 * @generation: changes and steps of schedules applied since init
 * @event_ns: time of the event that is being handled
 * @now_ns: how far wl_link_advance() has been called to
 * @seq: number of the next arrival
 * @budget_max: what one wl_link_advance() may do, see wl_link_spend()
 * @budget: of this, left
 * @phase: event that is being handled
 * @rest: what is left of it where the budget did not suffice
 * @inbox: arrivals that the engine has not reached yet
 * @passed: of these, the ones that one which lets go of its own has passed
 * @wait_ns: nothing of them is to be seen before, 0 where that is not certain
 * @paired: feedback is traffic of another link, ops->feedback()
 * @mail: its feedback that the engine has not reached yet
 * @mails: records of it: mail[i & (WL_MAIL_MAX - 1)]
 * @connections: how often a bearer has begun
 * @out: SDUs that are due on the far side, in order
 * @sifted: more of them, behind those, while a bearer takes its own from there
 * @pool: free descriptors
 * @descriptors: in all
 * @air: the channel of the link
 * @news: enum wl_news, 0 for none: nothing else happens before all bearers know
 * @untold: those from this one on do not yet
 * @start_ns: next start of a TTI, or of a PDU where it is 0 and shared;
 *	WL_NEVER_NS when nobody has something to send
 * @origin_ns: start of a TTI; all others are whole TTIs away
 * @begun_ns: start of the TTI that has been started last
 * @slot_ns: how long the link may send in a TTI, and in a special slot
 * @special: that TTI is a special slot
 * @filling: a TTI has been started and may still take PDUs
 * @filled: and takes no more, but what HARQ holds of it is not on the air yet
 * @quiet: the last TTI has carried nothing, and nothing has happened since
 * @cursor: dedicated: bearer that is served next in it
 * @sender: shared, TTI 0: whose PDU is on the air
 * @over: shared, TTI 0: as in struct wl_bearer
 * @over_bps: rate that @over belongs to
 * @credit_ns: shared, with a TTI: airtime not used yet
 * @debt: shared, with a TTI: airtime that retransmissions of HARQ take
 * @rb_left: rb: resource blocks of the TTI that nobody has been given
 * @rb_done: rb: all have been given
 * @given: rb: bearers with some of them, in the order in which they are served
 * @given_last: last of them, NULL for none
 * @users: in the background
 * @guarantees: bearers with a guaranteed rate
 * @open: bearers with a transport block that is being filled
 * @turns: shared: turns taken
 * @busy: bearers with something to send
 * @events: bearers by the time of their next event, but for @touched
 * @touched: those whose place there is to be looked at
 * @turn: shared: busy bearers by whose turn it is
 * @heap1: memory of both heaps while there is one bearer
 */
struct wl_link {
	const struct wl_link_ops *ops;
	struct wl_bearer first;
	u32 bearers;
	struct wl_bearer *all;
	struct wl_stats gone;
	struct wl_pending *pending;
	u32 generation;
	u64 event_ns;
	u64 now_ns;
	u64 seq;
	u32 budget_max;
	u32 budget;
	enum wl_event phase;
	struct wl_rest rest;
	struct wl_fifo inbox;
	struct wl_fifo passed;
	u64 wait_ns;
	bool paired;
	struct wl_ring mail;
	struct wl_message *mails;
	u32 connections;
	struct wl_fifo out;
	struct wl_sdu *sifted;
	struct wl_sdu *pool;
	u32 descriptors;
	struct wl_air air;
	u32 news;
	struct wl_bearer *untold;
	u64 start_ns;
	u64 origin_ns;
	u64 begun_ns;
	u64 slot_ns[2];
	bool special;
	bool filling;
	bool filled;
	bool quiet;
	struct wl_bearer *cursor;
	struct wl_bearer *sender;
	u64 over;
	u64 over_bps;
	u64 credit_ns;
	struct wl_debt debt;
	u32 rb_left;
	bool rb_done;
	struct wl_bearer *given;
	struct wl_bearer *given_last;
	struct wl_users users;
	u32 guarantees;
	struct wl_bearer *open;
	u64 turns;
	struct wl_bearer *busy;
	struct wl_heap events;
	struct wl_bearer *touched;
	struct wl_heap turn;
	struct wl_node *heap1[4];
};

#define WL_LINK_BUDGET_MAX	1024U

/* Records or SDUs that a walk passes in about the time that 1 of the budget is for. */
#define WL_WALKED_PER_CHARGE	8U

/**
 * wl_link_shared() - whether bearers share the transmitter
 * @link: link
 *
 * Return: true where they do.
 */
static inline bool wl_link_shared(const struct wl_link *link)
{
	return link->first.cfg.sched != WLINK_SCHED_DEDICATED;
}

/**
 * wl_link_tti_ns() - the TTI of a link
 * @link: link
 *
 * Return: ns, 0 for none.
 */
static inline u64 wl_link_tti_ns(const struct wl_link *link)
{
	return link->first.cfg.tti_ns;
}

/**
 * wl_link_spend() - take from a call's budget, 1 for some 100 ns
 * @link: link
 * @cost: how much
 *
 * For work that has a bound of its own and is not cut off: who comes next asks whether
 * there is any left. Each event has a budget of 1 at least.
 */
static inline void wl_link_spend(struct wl_link *link, u32 cost)
{
	link->budget -= min(link->budget, cost);
}

/**
 * wl_link_charge() - the same of a walk that may be long
 * @link: link
 * @cost: how much: what it has passed
 *
 * Return: whether there is any left: else the walk stops where there is more, and goes on
 * with the next call.
 */
static inline bool __must_check wl_link_charge(struct wl_link *link, u32 cost)
{
	wl_link_spend(link, cost);
	return link->budget;
}

/**
 * wl_link_try_charge() - charge 1 before something is done
 * @link: link
 *
 * Return: false when nothing is left of the budget: it must wait for the next call.
 */
static inline bool __must_check wl_link_try_charge(struct wl_link *link)
{
	if (!link->budget)
		return false;
	link->budget--;
	return true;
}

/**
 * wl_link_tell() - something has become of the link that concerns all other bearers, too
 * @link: link
 * @news: enum wl_news
 */
static inline void wl_link_tell(struct wl_link *link, u32 news)
{
	link->untold = link->all;
	if (link->all)
		link->news |= news;
}

/**
 * wl_bearer_touch() - the next event of a bearer may have changed
 * @b: bearer; its place among the events is looked at before the next of them
 */
static inline void wl_bearer_touch(struct wl_bearer *b)
{
	if (b->touched)
		return;
	b->touched = true;
	b->touched_next = b->link->touched;
	b->link->touched = b;
}

#endif
