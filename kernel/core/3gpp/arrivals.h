/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_ARRIVALS_H
#define _WL_ARRIVALS_H

#include "../types.h"

/**
 * wl_arrivals_go_on() - users in the background come and go up to a time
 * @link: link with some that do
 * @now_ns: start of a TTI
 *
 * Return: false when link->budget did not suffice: call again for the same TTI.
 */
bool wl_arrivals_go_on(struct wl_link *link, u64 now_ns);

/**
 * wl_arrivals_share() - what they have of a TTI
 * @link: link
 * @blocks_q32: resource blocks, times 2^32
 *
 * Who comes while it lasts gets nothing of it but what those that go leave.
 */
void wl_arrivals_share(struct wl_link *link, u64 blocks_q32);

#endif
