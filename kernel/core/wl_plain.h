/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PLAIN_H
#define _WL_PLAIN_H

#include "wl_link.h"

/**
 * wl_plain_can() - whether a bearer's configuration is a plain one
 * @b: bearer
 *
 * Return: true for mode tm without a TTI, on a transmitter of its own, without
 * an AQM or a discard timer, and with a channel that goes by PDUs.
 */
bool wl_plain_can(const struct wl_bearer *b);

/**
 * wl_plain_begin() - wl_unit_begin() for a plain bearer, quick where a SDU is a PDU
 * @b: bearer
 * @now_ns: when
 */
void wl_plain_begin(struct wl_bearer *b, u64 now_ns);

/**
 * wl_plain_finish() - wl_unit_finish(), the same
 * @b: bearer
 * @now_ns: b->unit.end_ns
 */
void wl_plain_finish(struct wl_bearer *b, u64 now_ns);

/**
 * wl_plain() - whether wl_plain_advance() may take the place of the events
 * @link: link
 *
 * Return: true where there is one bearer, a plain one, and nothing else to come
 * than its SDUs.
 */
static inline bool wl_plain(const struct wl_link *link)
{
	const struct wl_bearer *b = &link->first;

	return b->plain && link->bearers == 1 &&
	       link->cfg_at_ns == WL_NEVER_NS && b->start_ns == WL_NEVER_NS &&
	       !b->play && !b->next_play && !b->air_sdus.head;
}

/**
 * wl_plain_advance() - wl_link_advance() for a plain link
 * @link: link for which wl_plain() holds
 * @now_ns: now
 *
 * It does what the events would, at the same times, without a heap: there are
 * three places to look at. Whoever looks at the heap afterwards has to call
 * wl_link_touch() before.
 *
 * Return: as wl_link_advance().
 */
bool wl_plain_advance(struct wl_link *link, u64 now_ns);

/**
 * wl_plain_next_ns() - wl_link_next_ns() for a plain link
 * @link: link for which wl_plain() holds, without arrivals that wait; what is on
 *	the air, if anything, is the rest of a SDU
 *
 * Return: time.
 */
u64 wl_plain_next_ns(const struct wl_link *link);

#endif
