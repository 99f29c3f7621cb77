/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_USERS_H
#define _WL_USERS_H

#include "../types.h"

/**
 * wl_users_go_on() - users in the background go on and off up to a time
 * @link: link with some
 * @now_ns: start of a TTI
 *
 * Return: false when link->budget did not suffice: call again for the same TTI.
 */
bool wl_users_go_on(struct wl_link *link, u64 now_ns);

/**
 * wl_users_take() - they have their share of the resource blocks that are left
 * @link: link with some; what is guaranteed has been given
 * @bearers: that want the others
 *
 * Return: whole blocks; of the rest more than one another time.
 */
u32 wl_users_take(struct wl_link *link, u32 bearers);

#endif
