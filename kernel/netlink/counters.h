/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COUNTERS_H
#define _WL_COUNTERS_H

#include "../core/types.h"

/**
 * wl_counters_add() - add what a bearer has counted, its window and its memory
 * @sum: to which; zeroed before the first
 * @b: bearer
 */
void wl_counters_add(struct wl_stats *sum, const struct wl_bearer *b);

/**
 * wl_counters_now() - set what is true of a bearer now: its rate, its states
 * @sum: where
 * @b: bearer
 * @chan: its channel, or that of its link
 */
void wl_counters_now(struct wl_stats *sum, const struct wl_bearer *b, const struct wl_chan *chan);

/**
 * wl_counters_end() - set what follows from all that has been added
 * @sum: drops by reason, parts of the delay and quantiles among its numbers
 */
void wl_counters_end(struct wl_stats *sum);

#endif
