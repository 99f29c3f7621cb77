/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_RB_H
#define _WL_RB_H

#include "../types.h"

/**
 * wl_rb_start() - a TTI begins
 * @link: shared link whose TTIs have resource blocks
 * @now_ns: when
 */
void wl_rb_start(struct wl_link *link, u64 now_ns);

/**
 * wl_rb_share() - give the resource blocks of a TTI to bearers
 * @link: link
 * @now_ns: start of the TTI
 *
 * link->given is then the list of those that have some, with the bits of these in
 * b->credit.
 *
 * Return: false when link->budget did not suffice.
 */
bool wl_rb_share(struct wl_link *link, u64 now_ns);

/**
 * wl_rb_foresee() - the same for a TTI that may come
 * @link: link without users in the background, on which nothing is sent until then; its
 *	debt, and shares and credits of its bearers, become what they are in that TTI
 * @now_ns: its start
 *
 * The turns stay as they are; who has had its own is marked in share.foreseen.
 */
void wl_rb_foresee(struct wl_link *link, u64 now_ns);

#endif
