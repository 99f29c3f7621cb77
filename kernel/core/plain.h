/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_PLAIN_H
#define _WL_PLAIN_H

#include "types.h"

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

	return b->plain && link->bearers == 1 && !link->pending &&
	       b->start_ns == WL_NEVER_NS && !b->schedule && !b->next_schedule &&
	       !b->air_sdus.head && !b->again;
}

/**
 * wl_plain_advance() - wl_link_advance() for a plain link
 * @link: link for which wl_plain() holds
 * @now_ns: now
 *
 * It does what the events would, at the same times, without a heap: there are
 * three places to look at.
 *
 * Return: as wl_link_advance().
 */
bool wl_plain_advance(struct wl_link *link, u64 now_ns);

#endif
