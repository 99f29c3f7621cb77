/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_QUIET_H
#define _WL_QUIET_H

#include "../types.h"

/**
 * wl_quiet_work() - TTIs that give too little
 * @need: what is needed
 * @have: what there is
 * @each: what a TTI gives, not 0
 *
 * Return: how many in a row do not suffice.
 */
static inline u64 wl_quiet_work(u64 need, u64 have, u64 each)
{
	return need > have ? DIV64_U64_ROUND_UP(need - have, each) - 1 : 0;
}

/**
 * wl_quiet_bits() - the same of a bearer that collects bits
 * @b: bearer, with a transmitter of its own or resource blocks
 * @bits: needed
 * @rate_bps: what it sends at, not 0
 *
 * Return: TTIs.
 */
u64 wl_quiet_bits(const struct wl_bearer *b, u64 bits, u64 rate_bps);

/**
 * wl_quiet_ttis() - TTIs from link->start_ns on that cannot carry anything
 * @link: link with something to send
 *
 * Return: not more than there are, as long as nothing but TTIs and steps of schedules
 * happens, of which those of a shared link count as well.
 */
u64 wl_quiet_ttis(struct wl_link *link);

/**
 * wl_quiet_pass() - such TTIs pass together, as if each had been an event
 * @link: link whose next event is the start of a TTI
 * @until_ns: those before this time; nothing else happens before
 *
 * Return: whether any has passed.
 */
bool wl_quiet_pass(struct wl_link *link, u64 until_ns);

/**
 * wl_quiet_top_bps() - the highest rate that a bearer has without a change
 * @b: bearer
 *
 * Return: bit/s.
 */
static inline u64 wl_quiet_top_bps(const struct wl_bearer *b)
{
	const struct wl_schedule *s = b->schedule;

	return s ? max3(s->most[WLINK_COLUMN_RATE], s->base.rate_bps, b->cfg.rate_bps) :
		   b->cfg.rate_bps;
}

#endif
