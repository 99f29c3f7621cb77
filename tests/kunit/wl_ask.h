/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_ASK_H
#define _WL_ASK_H

/*
 * Transactions for tests: their memory, and what is asked of one bearer at a
 * time. Shared by the KUnit module and the unit tests in user space.
 */
#include "core/link.h"

/**
 * struct wl_asked - a transaction
 * @txn: must be first
 * @id: what the test calls it, 0 for one of wl_ask()
 */
struct wl_asked {
	struct wl_pending txn;
	u32 id;
};

/**
 * wl_ask_new() - a transaction without parts
 * @parts: room for so many
 * @id: what the test calls it
 *
 * Return: it, to be given back by wl_ask_applied() or wl_ask_free(); NULL
 * without memory.
 */
struct wl_pending *wl_ask_new(u32 parts, u32 id);

/**
 * wl_ask_part() - one more part
 * @txn: transaction with room for it; bearer 1 comes first
 * @b: bearer
 * @cfg: what it is to be
 */
void wl_ask_part(struct wl_pending *txn, struct wl_bearer *b, const struct wl_cfg *cfg);

/**
 * wl_ask() - change a bearer at the next start of a TTI, or now without one
 * @link: link, advanced to @now_ns
 * @b: bearer, whose room fits
 * @now_ns: now
 * @cfg: what it is to be
 * @reseed: see struct wl_pending
 *
 * What waits for the same start of a TTI is joined, and a configuration of the
 * same bearer replaced, so that they are one transaction: the stories of
 * wl_story.h are about that.
 *
 * Return: false without memory.
 */
bool wl_ask(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
	    const struct wl_cfg *cfg, bool reseed);

/**
 * wl_ask_put() - give one back that no link knows
 * @txn: transaction
 */
void wl_ask_put(struct wl_pending *txn);

/**
 * wl_ask_applied() - for struct wl_link_ops
 * @link: link
 * @txn: of wl_ask_new() or wl_ask()
 * @at_ns: when
 */
void wl_ask_applied(struct wl_link *link, struct wl_pending *txn, u64 at_ns);

/**
 * wl_ask_free() - give back what waits when a link is used no longer
 * @link: link
 */
void wl_ask_free(struct wl_link *link);

/**
 * wl_ask_granted() - for struct wl_link_ops where there are no opportunities
 * @link: link
 * @b: bearer
 * @at_ns: when
 * @bytes: of the opportunity
 * @used_bytes: of these, used
 */
void wl_ask_granted(struct wl_link *link, const struct wl_bearer *b, u64 at_ns,
		    u64 bytes, u64 used_bytes);

/**
 * wl_ask_schedule_changed() - for struct wl_link_ops where there are no schedules
 * @link: link
 * @b: bearer
 * @schedule: schedule
 * @at_ns: when
 */
void wl_ask_schedule_changed(struct wl_link *link, struct wl_bearer *b,
			     struct wl_schedule *schedule, u64 at_ns);

/**
 * wl_ask_rate_changed() - for struct wl_link_ops where nobody wants to hear of it
 * @link: link
 * @b: bearer
 * @at_ns: when
 * @old_bps: rate before
 * @new_bps: rate from then on
 */
void wl_ask_rate_changed(struct wl_link *link, const struct wl_bearer *b,
			 u64 at_ns, u64 old_bps, u64 new_bps);

/**
 * wl_ask_channel_changed() - the same
 * @link: link
 * @b: bearer, NULL for the link's channel
 * @at_ns: when
 * @bad: state from then on
 */
void wl_ask_channel_changed(struct wl_link *link, const struct wl_bearer *b, u64 at_ns, bool bad);

/**
 * wl_link_pop() - next SDU that is due on the far side
 * @link: link
 * @out: its whole story, when there is one
 *
 * Return: true when @out holds a SDU that now belongs to the caller.
 */
static inline bool wl_link_pop(struct wl_link *link, struct wl_sdu *out)
{
	struct wl_sdu *sdu = wl_link_due(link);

	if (!sdu)
		return false;
	*out = *sdu;
	wl_link_hand_over(link, sdu);
	return true;
}

#endif
