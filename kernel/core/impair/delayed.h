/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_DELAYED_H
#define _WL_DELAYED_H

#include "../buffer/types.h"

/*
 * SDUs that wait for their time, the earliest first: a leftist heap (Crane 1972) of the
 * SDUs themselves, so that it needs no memory. What is on the right is never deeper than
 * log2 of all, which is what a call costs.
 */

/**
 * wl_delayed_push() - one more
 * @root: the earliest, NULL for none
 * @sdu: SDU; deliver_ns and order are set, and no two are equal in both
 */
void wl_delayed_push(struct wl_sdu **root, struct wl_sdu *sdu);

/**
 * wl_delayed_pop() - take the earliest
 * @root: not NULL
 *
 * Return: it.
 */
struct wl_sdu *wl_delayed_pop(struct wl_sdu **root);

#endif
