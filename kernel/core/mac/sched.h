/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_SCHED_H
#define _WL_SCHED_H

#include "submit.h"

/**
 * struct wl_sched_ops - how bearers take turns on a transmitter that they share
 * @key: the bearer with the least one is next, that with the lowest number of
 *	several; asked for one that has something to send
 * @moves: the key may become greater while the bearer waits
 * @tti: a TTI begins, by number; keys change only then, or when the bearer was idle;
 *	not there: they change with each turn
 */
struct wl_sched_ops {
	u64 (*key)(const struct wl_bearer *b);
	bool moves;
	void (*tti)(struct wl_bearer *b, u64 tti);
};

extern const struct wl_sched_ops wl_pf_ops;

/**
 * wl_sched_wants() - whether a bearer has something that a turn is needed for
 * @b: bearer
 *
 * Return: true for a PDU to begin, or the rest of one that a silence has stopped.
 */
static inline bool wl_sched_wants(const struct wl_bearer *b)
{
	return b->unit.on ? b->unit.waits : wl_sched_wanted(b);
}

/**
 * wl_sched_wake() - a bearer may have got something to send
 * @b: bearer; harmless when it has nothing or is awake
 * @now_ns: now
 */
void wl_sched_wake(struct wl_bearer *b, u64 now_ns);

/**
 * wl_sched_pause() - a bearer does not send for now
 * @b: bearer; what it has collected for its next PDU stays
 */
void wl_sched_pause(struct wl_bearer *b);

/**
 * wl_sched_idle() - a bearer has nothing to send
 * @b: bearer
 */
void wl_sched_idle(struct wl_bearer *b);

/**
 * wl_sched_place() - a bearer's key has changed
 * @b: bearer with something to send, of a shared link
 */
void wl_sched_place(struct wl_bearer *b);

/**
 * wl_sched_guaranteed() - whether a bearer has sent less than it is guaranteed
 * @b: bearer
 *
 * Return: whether it has; then it comes before all that have not.
 */
bool wl_sched_guaranteed(const struct wl_bearer *b);

/**
 * wl_sched_guarantee() - what is guaranteed has changed
 * @b: bearer; cfg is the new one
 * @now_ns: when
 * @old_bps: what was
 */
void wl_sched_guarantee(struct wl_bearer *b, u64 now_ns, u64 old_bps);

/**
 * wl_sched_give() - a bearer becomes the last of those that have resource blocks
 * @b: bearer, among them or not
 */
void wl_sched_give(struct wl_bearer *b);

/**
 * wl_sched_take_back() - a bearer loses the resource blocks that it has been given
 * @b: bearer, with any or none
 */
void wl_sched_take_back(struct wl_bearer *b);

/**
 * wl_sched_pending_bytes() - what a bearer has to send, as it would report it
 * @b: bearer with something to send
 *
 * Return: bytes, at least those of the next PDU.
 */
u64 wl_sched_pending_bytes(const struct wl_bearer *b);

/**
 * wl_sched_first() - whose turn it is
 * @link: shared link
 *
 * Return: a bearer with something to send, or NULL. One that has nothing is
 * taken out on the way.
 */
struct wl_bearer *wl_sched_first(struct wl_link *link);

/**
 * wl_sched_lasting_first() - whose turn it is, until something is sent or happens
 * @link: link
 *
 * Return: a bearer with something to send; NULL where the link is not shared or the next
 * TTI may bring another one for another reason than that it is owed something.
 */
struct wl_bearer *wl_sched_lasting_first(const struct wl_link *link);

/**
 * wl_sched_lasting_ttis() - how long that lasts until another one is owed something
 * @first: bearer whose turn it is
 * @most: bearers that are looked at
 *
 * Return: TTIs from link->start_ns on; 0 with more bearers than that.
 */
u64 wl_sched_lasting_ttis(const struct wl_bearer *first, u32 most);

/**
 * wl_sched_sent() - a bearer has sent
 * @b: bearer whose turn it was
 * @bits: how much
 */
void wl_sched_sent(struct wl_bearer *b, u64 bits);

/**
 * wl_sched_tti() - a TTI begins
 * @link: link; where its scheduler goes by TTIs, cursor is the first of its busy
 *	bearers, and goes on to the end, NULL
 * @now_ns: when
 *
 * Return: false when link->budget did not suffice.
 */
bool wl_sched_tti(struct wl_link *link, u64 now_ns);

/**
 * wl_sched_by_ttis() - whether each TTI has an order of its own
 * @link: shared link
 */
bool wl_sched_by_ttis(const struct wl_link *link);

/**
 * wl_sched_turn_of() - whose turn it would be first in a TTI
 * @link: link on which nothing is sent until then; the shares of its bearers become what
 *	they are in that TTI
 * @now_ns: its start
 *
 * Return: a bearer with something to send, not marked in share.foreseen; or NULL.
 */
struct wl_bearer *wl_sched_turn_of(const struct wl_link *link, u64 now_ns);

/**
 * wl_sched_airtime_ns() - what bits take of a shared TTI
 * @b: bearer
 * @bits: how many
 * @rest: set: what this pays in advance of its next PDU, as share.time_rest
 *
 * Return: airtime, rounded up to a ns.
 */
static inline u64 wl_sched_airtime_ns(const struct wl_bearer *b, u64 bits, u64 *rest)
{
	u64 need = bits * WL_NSEC_PER_SEC;
	u64 time_ns;

	if (need <= b->share.time_rest) {
		*rest = b->share.time_rest - need;
		return 0;
	}
	need -= b->share.time_rest;
	time_ns = DIV64_U64_ROUND_UP(need, b->cfg.rate_bps);
	*rest = time_ns * b->cfg.rate_bps - need;
	return time_ns;
}

#endif
