/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_IMPAIR_TYPES_H
#define _WL_IMPAIR_TYPES_H

#include "dist.h"

struct wl_sdu;

/**
 * struct wl_impair - what happens to SDUs behind the receiver
 * @on: something may
 * @jitter_rng: what delays are drawn from
 * @corrupt_rng: the same of which SDUs get an error
 * @duplicate_rng: the same of which come twice
 * @chain: state of correlated draws of the delay
 * @delayed: heap of SDUs that wait for their time, the earliest first; see
 *	impair/delayed.h
 * @next_ns: when the earliest is due, WL_NEVER_NS for none
 * @order: number of the next SDU that waits
 * @last_ns: latest time of delivery that a SDU has been given
 */
struct wl_impair {
	bool on;
	struct wl_rng jitter_rng;
	struct wl_rng corrupt_rng;
	struct wl_rng duplicate_rng;
	struct wl_chain chain;
	struct wl_sdu *delayed;
	u64 next_ns;
	u32 order;
	u64 last_ns;
};

#endif
