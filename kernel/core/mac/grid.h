/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_GRID_H
#define _WL_GRID_H

/*
 * The grid of TTIs: all starts are whole TTIs away from one origin, which a change
 * of the TTI or of the scheduler, and a flush, set anew.
 */
#include "../link.h"

/**
 * wl_grid_next_start_ns() - when what wants to be sent may be
 * @link: link
 * @now_ns: now
 *
 * Return: now without a TTI, else the start of one.
 */
u64 wl_grid_next_start_ns(const struct wl_link *link, u64 now_ns);

/**
 * wl_grid_ns() - when what is asked for a time takes effect
 * @link: link
 * @from_ns: time
 *
 * Return: that time without a TTI, else the first start of one not before it.
 */
u64 wl_grid_ns(const struct wl_link *link, u64 from_ns);

#endif
