/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_LINK_H
#define _WL_LINK_H

#include "bearer.h"

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
 * struct wl_pending_part - what a pending change does to a bearer
 * @b: bearer, NULL where it has been deleted meanwhile
 * @number: its number, for the owner
 * @cfg: its configuration from then on
 */
struct wl_pending_part {
	struct wl_bearer *b;
	u16 number;
	struct wl_cfg cfg;
};

/**
 * struct wl_pending - a pending change: configurations that take effect together
 * @next: the one that comes after it
 * @from_ns: not before this time
 * @reseed: bearer 1 is among them: start the random streams anew from its seed
 * @count: how many, 0 for none
 * @done: of these, in force
 * @part: they; bearer 1, where it is among them, is the first
 */
struct wl_pending {
	struct wl_pending *next;
	u64 from_ns;
	bool reseed;
	u32 count;
	u32 done;
	struct wl_pending_part *part;
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
 * wl_link_init() - make a link; it owns no memory of its own
 * @link: zeroed or old
 * @cfg: checked configuration of the link and its bearer 1, in force at once;
 *	unless it is TM without HARQ, wl_bearer_move() must follow for link->first
 * @now_ns: origin of the TTI grid
 * @ops: whom to tell; outlives the link
 *
 * Add descriptors with wl_link_add_sdus() before the first arrival.
 */
void wl_link_init(struct wl_link *link, const struct wl_cfg *cfg, u64 now_ns,
		  const struct wl_link_ops *ops);

/**
 * wl_link_add_sdus() - give the link descriptors
 * @link: link
 * @sdus: array that stays until the link is no longer used, or all of it has been taken
 *	back
 * @count: how many
 *
 * May be called at any time.
 */
void wl_link_add_sdus(struct wl_link *link, struct wl_sdu *sdus, u32 count);

/**
 * wl_link_take_sdu() - take a descriptor back
 * @link: link
 *
 * Return: one that is free, NULL for none.
 */
struct wl_sdu *wl_link_take_sdu(struct wl_link *link);

/**
 * wl_link_give_heaps() - make room for more bearers
 * @link: link
 * @nodes: array of 2 * (@bearers + 1) pointers; stays until the next call or the
 *	end of the link
 * @bearers: how many, not below link->bearers
 *
 * Return: the array of the call before, now the caller's; NULL for the first.
 */
struct wl_node **wl_link_give_heaps(struct wl_link *link,
				    struct wl_node **nodes, u32 bearers);

/**
 * wl_rings_need() - what a configuration needs
 * @cfg: checked configuration
 * @need: set, but for the pointers
 *
 * TM without HARQ needs nothing.
 */
void wl_rings_need(const struct wl_cfg *cfg, struct wl_rings *need);

/**
 * wl_bearer_need() - what room a bearer needs to change to a configuration
 * @b: bearer, in a link or zeroed
 * @cfg: checked configuration
 * @need: set, but for the pointers; not smaller than what @b has
 *
 * What TM has on its way arrives before what is sent after the change, so where
 * the delay gets shorter the old one counts; of changes that wait the caller
 * knows.
 */
void wl_bearer_need(const struct wl_bearer *b, const struct wl_cfg *cfg,
		    struct wl_rings *need);

/**
 * wl_link_add_bearer() - a new bearer, with the link's tti, seed and sched
 * @link: link with room for it, advanced to @now_ns
 * @b: zeroed but for its room, which wl_bearer_move() has brought to what @cfg
 *	needs
 * @number: its number, 2 to WLINK_BEARERS_MAX, that no other has
 * @cfg: checked configuration
 * @now_ns: now
 */
void wl_link_add_bearer(struct wl_link *link, struct wl_bearer *b, u16 number,
			const struct wl_cfg *cfg, u64 now_ns);

/**
 * wl_link_del_bearer() - forget a bearer, and drop what it holds, at once
 * @link: link, advanced to @now_ns
 * @b: one that wl_link_add_bearer() has added; of its SDUs none is due, or has just arrived
 * @now_ns: now
 */
void wl_link_del_bearer(struct wl_link *link, struct wl_bearer *b, u64 now_ns);

/**
 * wl_link_advance() - the only mover: handle every event up to now
 * @link: link
 * @now_ns: not before any earlier call
 *
 * Each event is handled at its own time, in the order of time, enum wl_event,
 * number of the bearer, arrival. Calling it more often changes nothing.
 *
 * Return: true when nothing up to @now_ns is left; false when budget_max
 * did not suffice: call again, soon, with the same or a later time.
 */
bool wl_link_advance(struct wl_link *link, u64 now_ns);

/**
 * wl_link_enqueue() - a SDU arrives
 * @link: link
 * @b: bearer that takes it
 * @now_ns: when; not before any earlier call
 * @cookie: the packet
 * @bytes: its size, 1..WL_SDU_BYTES_MAX
 * @ecn: its ECN field, WL_ECN_*
 *
 * The arrival takes effect when the engine reaches it: call wl_link_advance()
 * after it. From then on the cookie comes back once, by wl_link_hand_over() or
 * ops->dropped().
 *
 * Return: true, or false when no descriptor is free; the arrival and the drop
 * are counted then, ops->dropped() has been called.
 */
bool wl_link_enqueue(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		     void *cookie, u32 bytes, u8 ecn);

/**
 * wl_link_refuse() - a SDU arrives and is dropped at once
 * @link: link
 * @b: bearer that would have taken it
 * @now_ns: when; not before any earlier call
 * @cookie: the packet; ops->dropped() has been called with it
 * @bytes: its size, 1..WL_SDU_BYTES_MAX
 * @reason: why
 */
void wl_link_refuse(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		    void *cookie, u32 bytes, enum wlink_drop reason);

/**
 * wl_link_due() - look at the next SDU that is due on the far side
 * @link: link
 *
 * Return: SDU, or NULL when there is none by the time that the link has been
 * advanced to.
 */
static inline struct wl_sdu *wl_link_due(const struct wl_link *link)
{
	return link->out.head;
}

/**
 * wl_link_hand_over() - take it
 * @link: link
 * @sdu: wl_link_due(); its cookie is the caller's from now on, the rest is gone
 */
void wl_link_hand_over(struct wl_link *link, struct wl_sdu *sdu);

/**
 * wl_link_next_ns() - when to come back
 * @link: link
 *
 * Return: a time not later than when the next SDU is due or dropped, or the next
 * configuration takes effect, but for steps of schedules by which nothing can be due;
 * WL_NEVER_NS when nothing is to come. 0 when arrivals
 * wait that the engine has not reached, or a change is not over. With one dedicated
 * bearer in TM it is exact if no configuration comes before it, the channel is none
 * and a TTI holds whole bits.
 */
u64 wl_link_next_ns(struct wl_link *link);

/* How many arrivals may wait together, and for how long: what becomes of them is
 * to be told, too.
 */
#define WL_LINK_WAIT_SDUS	16U
#define WL_LINK_WAIT_NS		(WL_NSEC_PER_SEC / 1000)

/**
 * wl_link_waits_until() - whether SDUs that have just been enqueued may stay where
 *	they are until the next wl_link_advance()
 * @link: link
 * @at_ns: when that comes at the latest: wl_link_next_ns() as it was before them
 *
 * Return: true where they are few, it is certain that they find room, and none of
 * them can be due before. One that gets lost may be dropped so much later than it
 * could.
 */
static inline bool wl_link_waits_until(const struct wl_link *link, u64 at_ns)
{
	return !link->inbox.head || link->wait_ns >= at_ns;
}

/**
 * wl_link_commit() - let configurations take effect together
 * @link: link
 * @now_ns: now; the link has been advanced to it, or for WLINK_AT_NOW to the ns
 *	before it
 * @at_ns: when: WLINK_AT_NOW, WLINK_AT_NEXT or a time, at most WLINK_AHEAD_MAX
 *	from now, so that no sum of times wraps
 * @txn: checked, for bearers whose rooms fit; stays until ops->applied() gives
 *	it back. Its configurations are what they are after all changes
 *	that take effect before it
 *
 * Where the TTI is 0 they are in force at that time (the rest of a PDU on the
 * air goes at the new rate), else at the first start of a TTI not before it, or
 * after it for WLINK_AT_NEXT. Equal times keep the order of the calls. The queue
 * stays; see wl_cfg_reestablishes().
 */
void wl_link_commit(struct wl_link *link, u64 now_ns, u64 at_ns,
		    struct wl_pending *txn);

/**
 * wl_link_from_ns() - from_ns of a change that is committed now
 * @link: link
 * @now_ns: as for wl_link_commit()
 * @at_ns: the same
 *
 * Return: time; those that wait and have no later one take effect before it.
 */
u64 wl_link_from_ns(const struct wl_link *link, u64 now_ns, u64 at_ns);

/**
 * wl_link_cancel() - take back what waits, but for what has begun to take effect
 * @link: link
 *
 * Return: changes that are the caller's again, by their next.
 */
struct wl_pending *wl_link_cancel(struct wl_link *link);

/**
 * wl_link_flush() - drop all that is held
 * @link: link, advanced to @now_ns
 * @now_ns: new origin of the TTI grid
 *
 * Counters stay, and so do pending changes and schedules, which wait for their times.
 * At once, as a reset of a qdisc is: it goes by how much is held, whoever holds it.
 */
void wl_link_flush(struct wl_link *link, u64 now_ns);

/**
 * wl_link_forward() - empty a bearer for another link, at a handover
 * @link: link, advanced to @now_ns
 * @b: bearer; it begins anew, with its configuration and schedule
 * @now_ns: now
 *
 * What its receiver has not delivered is due at once, in the order of arrival, with
 * WLINK_DROP_FORWARD, as a base station forwards the SDUs that have not been
 * acknowledged (TS 36.300 10.1.2.3). wl_link_advance() lets it go, before all else.
 */
void wl_link_forward(struct wl_link *link, struct wl_bearer *b, u64 now_ns);

/**
 * wl_link_clear() - empty a bearer that is to be deleted
 * @link: link, advanced to @now_ns
 * @b: bearer
 * @now_ns: now
 *
 * wl_link_advance() drops what it holds, before all else, while b->leave_for is not
 * WLINK_DROP_NONE. Nothing may arrive for it any more.
 */
void wl_link_clear(struct wl_link *link, struct wl_bearer *b, u64 now_ns);

/* Feedback that waits for the engine of the other link. */
#define WL_MAIL_MAX	256U

/**
 * wl_link_pair() - let feedback be traffic of another link
 * @link: link
 * @mails: WL_MAIL_MAX records, in use until the next call; NULL lets feedback have a way
 *	back of its own again
 *
 * Both links of a pair carry the feedback of the other: ops->feedback() of one leads to
 * wl_link_post() of the other. Feedback that waits for a transmitter is lost here.
 */
void wl_link_pair(struct wl_link *link, struct wl_message *mails);

/**
 * wl_link_post() - a message from the other link of a pair
 * @link: paired link
 * @b: its bearer of that number, NULL for none
 * @message: the message
 *
 * It takes effect at its time, or at the time that the engine has reached where that is
 * later. Call wl_link_advance() after it.
 */
void wl_link_post(struct wl_link *link, struct wl_bearer *b,
		  const struct wl_message *message);

/* --- For the parts of the core only. --- */

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
