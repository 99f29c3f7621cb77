/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_LINK_H
#define _WL_LINK_H

#include "air/rings.h"
#include "rrc/bearer.h"
#include "rrc/check.h"
#include "rrc/schedule.h"

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

#endif
