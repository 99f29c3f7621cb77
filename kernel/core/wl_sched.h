/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SCHED_H
#define _WL_SCHED_H

#include "wl_link.h"

/**
 * wl_sched_add() - a bearer of a shared link has something to send
 * @b: bearer, in the link's turn or not; its place follows what it has to send
 */
void wl_sched_add(struct wl_bearer *b);

/**
 * wl_sched_first() - whose turn it is
 * @link: shared link
 *
 * Return: a bearer with something to send, or NULL. One that has nothing is
 * taken out on the way.
 */
struct wl_bearer *wl_sched_first(struct wl_link *link);

/**
 * wl_sched_sent() - a bearer has sent
 * @b: bearer whose turn it was
 * @bits: how much
 */
void wl_sched_sent(struct wl_bearer *b, u64 bits);

/**
 * wl_sched_tti() - pf: a TTI begins
 * @link: shared link
 * @now_ns: when
 */
void wl_sched_tti(struct wl_link *link, u64 now_ns);

#endif
