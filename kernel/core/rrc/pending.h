/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PENDING_H
#define _WL_PENDING_H

#include "../link.h"

/**
 * wl_pending_next_ns() - when the first change takes effect
 * @link: link with one
 *
 * Return: time.
 */
u64 wl_pending_next_ns(const struct wl_link *link);

/**
 * wl_pending_apply() - the first change takes effect
 * @link: link with one
 * @at_ns: wl_pending_next_ns()
 *
 * When link->budget runs out the next call goes on.
 */
void wl_pending_apply(struct wl_link *link, u64 at_ns);

/**
 * wl_pending_put() - put a configuration in force, below the schedule that plays
 * @b: bearer
 * @at_ns: when
 * @base: configuration
 * @reseed: see struct wl_pending
 */
void wl_pending_put(struct wl_bearer *b, u64 at_ns, const struct wl_cfg *base,
		    bool reseed);

/**
 * wl_pending_forget() - a bearer is deleted
 * @link: link
 * @b: bearer
 */
void wl_pending_forget(struct wl_link *link, const struct wl_bearer *b);

#endif
