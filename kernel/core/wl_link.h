/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_LINK_H
#define _WL_LINK_H

#include "wl_bearer.h"

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
 * struct wl_link_ops - what the engine tells its owner; none may call back
 * @dropped: a SDU died at sdu->end_ns for sdu->drop; the owner takes the
 *	cookie, the descriptor goes back to the pool by itself
 * @rate_changed: a configuration of a bearer took effect at a time; called for
 *	each one, whether the rate differs or not
 * @channel_changed: the state of a bearer's own channel or, where the bearer is
 *	NULL, of the link's was seen to differ at a time, which for a twostate
 *	channel may be later than now by less than a TTI
 */
struct wl_link_ops {
	void (*dropped)(struct wl_link *link, const struct wl_sdu *sdu);
	void (*rate_changed)(struct wl_link *link, const struct wl_bearer *b,
			     u64 at_ns, u64 old_bps, u64 new_bps);
	void (*channel_changed)(struct wl_link *link,
				const struct wl_bearer *b, u64 at_ns, bool bad);
};

/**
 * struct wl_link - the engine: one direction of a radio link
 * @ops: whom to tell
 * @first: bearer 1, which the link always has; its configuration holds the
 *	link's tti, seed and sched
 * @bearers: how many there are
 * @all: all but the first, in no order
 * @gone: counters of bearers that have been deleted
 * @cfg_at_ns: when configurations that wait take effect, WL_NEVER_NS when none
 *	does
 * @reseed: one of them brings a new seed
 * @generation: configurations applied since init
 * @seq: number of the next arrival
 * @work_max: steps that one wl_link_advance() may take
 * @phase: event that is being handled
 * @inbox: arrivals that the engine has not reached yet
 * @out: SDUs that are due on the far side, in order
 * @pool: free descriptors
 * @slots: descriptors in all
 * @held: SDUs in the link
 * @held_bytes: their bytes
 * @air: the channel of the link
 * @start_ns: next start of a TTI, or of a PDU where it is 0 and shared;
 *	WL_NEVER_NS when nobody has something to send
 * @origin_ns: start of a TTI; all others are whole TTIs away
 * @filling: a TTI has been started and may still take PDUs
 * @cursor: dedicated: bearer that is served next in it
 * @sender: shared, TTI 0: whose PDU is on the air
 * @over: shared, TTI 0: as in struct wl_bearer
 * @over_bps: rate that @over belongs to
 * @credit_ns: shared, with a TTI: airtime not used yet
 * @turns: shared: turns taken
 * @busy: bearers with something to send
 * @events: bearers by the time of their next event
 * @turn: shared: busy bearers by whose turn it is
 * @slot1: memory of both heaps while there is one bearer
 */
struct wl_link {
	const struct wl_link_ops *ops;
	struct wl_bearer first;
	u32 bearers;
	struct wl_bearer *all;
	struct wl_stats gone;
	u64 cfg_at_ns;
	bool reseed;
	u32 generation;
	u64 seq;
	u32 work_max;
	enum wl_event phase;
	struct wl_fifo inbox;
	struct wl_fifo out;
	struct wl_sdu *pool;
	u32 slots;
	u64 held;
	u64 held_bytes;
	struct wl_air air;
	u64 start_ns;
	u64 origin_ns;
	bool filling;
	struct wl_bearer *cursor;
	struct wl_bearer *sender;
	u64 over;
	u64 over_bps;
	u64 credit_ns;
	u64 turns;
	struct wl_bearer *busy;
	struct wl_heap events;
	struct wl_heap turn;
	struct wl_node *slot1[4];
};

#define WL_LINK_WORK_MAX	4096U

/**
 * wl_link_init() - make a link; it owns no memory of its own
 * @link: zeroed or old
 * @cfg: checked configuration of the link and its bearer 1, in force at once;
 *	unless the mode is TM, wl_bearer_give() must follow for link->first
 * @now_ns: origin of the TTI grid
 * @ops: whom to tell; outlives the link
 *
 * Add descriptors with wl_link_add_slots() before the first arrival.
 */
void wl_link_init(struct wl_link *link, const struct wl_cfg *cfg, u64 now_ns,
		  const struct wl_link_ops *ops);

/**
 * wl_link_add_slots() - give the link descriptors
 * @link: link
 * @sdus: zeroed array that stays until the link is no longer used
 * @count: how many
 *
 * May be called at any time; there is no taking back.
 */
void wl_link_add_slots(struct wl_link *link, struct wl_sdu *sdus, u32 count);

/**
 * wl_link_chain_slots() - the slow half of wl_link_add_slots(), outside a lock
 * @sdus: zeroed array
 * @count: how many
 */
void wl_link_chain_slots(struct wl_sdu *sdus, u32 count);

/**
 * wl_link_attach_slots() - the other half; takes the same time for any number
 * @link: link
 * @sdus: chained array that stays until the link is no longer used
 * @count: how many
 */
void wl_link_attach_slots(struct wl_link *link, struct wl_sdu *sdus, u32 count);

/**
 * wl_link_give_slots() - make room for more bearers
 * @link: link
 * @slots: array of 2 * (@bearers + 1) pointers; stays until the next call or the
 *	end of the link
 * @bearers: how many, not below link->bearers
 *
 * Return: the array of the call before, now the caller's; NULL for the first.
 */
struct wl_node **wl_link_give_slots(struct wl_link *link,
				    struct wl_node **slots, u32 bearers);

/**
 * wl_link_add_bearer() - a new bearer, with the link's tti, seed and sched
 * @link: link with room for it, advanced to @now_ns
 * @b: zeroed but for its room, which wl_bearer_give() has brought to what @cfg
 *	needs
 * @number: its number, 2 to WLINK_BEARERS_MAX, that no other has
 * @cfg: checked configuration
 * @now_ns: now
 */
void wl_link_add_bearer(struct wl_link *link, struct wl_bearer *b, u16 number,
			const struct wl_cfg *cfg, u64 now_ns);

/**
 * wl_link_del_bearer() - forget a bearer and drop what it holds
 * @link: link, advanced to @now_ns
 * @b: one that wl_link_add_bearer() has added
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
 * Return: true when nothing up to @now_ns is left; false when work_max steps
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
 *
 * The arrival takes effect when the engine reaches it: call wl_link_advance()
 * after it. From then on the cookie comes back once, by wl_link_pop() or
 * ops->dropped().
 *
 * Return: true, or false when no descriptor is free; the arrival and the drop
 * are counted then, ops->dropped() has been called.
 */
bool wl_link_enqueue(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		     void *cookie, u32 bytes);

/**
 * wl_link_pop() - next SDU that is due on the far side
 * @link: link, advanced to @now_ns
 * @now_ns: now
 * @out: its whole story, when there is one
 *
 * Return: true when @out holds a SDU that now belongs to the caller.
 */
bool wl_link_pop(struct wl_link *link, u64 now_ns, struct wl_sdu *out);

/**
 * wl_link_next_ns() - when to come back
 * @link: link
 *
 * Return: a time not later than the next hand-over, drop or configuration;
 * WL_NEVER_NS when nothing is to come. 0 when arrivals wait that the engine has
 * not reached. With one dedicated bearer in TM it is exact if no configuration
 * comes before it, the channel is none and a TTI holds whole bits.
 */
u64 wl_link_next_ns(const struct wl_link *link);

/**
 * wl_link_configure() - change a bearer, and the link if it is the first
 * @link: link, advanced to @now_ns
 * @b: bearer; its room fits
 * @now_ns: when it is asked for
 * @cfg: checked configuration; replaces one that waits
 * @reseed: the first: start the random streams anew from cfg->seed
 *
 * In force at @now_ns where the TTI is 0 (the rest of the PDU on the air goes
 * at the new rate), else at the first start of a TTI after it. The queue stays;
 * see wl_cfg_reestablishes().
 */
void wl_link_configure(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		       const struct wl_cfg *cfg, bool reseed);

/**
 * wl_link_flush() - drop all that is held, apply what waits
 * @link: link
 * @now_ns: new origin of the TTI grid
 *
 * Counters stay.
 */
void wl_link_flush(struct wl_link *link, u64 now_ns);

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
 * wl_link_touch() - the next event of a bearer may have changed
 * @b: bearer
 */
void wl_link_touch(struct wl_bearer *b);

/**
 * wl_link_out() - a SDU is due on the far side
 * @link: link
 * @sdu: SDU; deliver_ns is not before that of any earlier one
 */
void wl_link_out(struct wl_link *link, struct wl_sdu *sdu);

/**
 * wl_link_dropped() - count a dropped SDU and tell the owner
 * @sdu: SDU
 * @now_ns: when
 * @reason: why
 */
void wl_link_dropped(struct wl_sdu *sdu, u64 now_ns, enum wlink_drop reason);

/**
 * wl_link_recycle() - a descriptor is free
 * @link: link
 * @sdu: descriptor
 */
void wl_link_recycle(struct wl_link *link, struct wl_sdu *sdu);

#endif
