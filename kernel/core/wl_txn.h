/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TXN_H
#define _WL_TXN_H

#include "wl_link.h"

/**
 * wl_txn_apply() - the first transaction that waits takes effect
 * @link: link with one
 * @at_ns: link->cfg_at_ns
 * @work: steps of the engine left; reduced by what it takes
 */
void wl_txn_apply(struct wl_link *link, u64 at_ns, u32 *work);

/**
 * wl_txn_arm() - the grid of TTIs or the first transaction has changed
 * @link: link; cfg_at_ns is set
 */
void wl_txn_arm(struct wl_link *link);

/**
 * wl_txn_put() - put a configuration in force, below the schedule that plays
 * @b: bearer
 * @at_ns: when
 * @base: configuration
 * @reseed: see struct wl_txn
 */
void wl_txn_put(struct wl_bearer *b, u64 at_ns, const struct wl_cfg *base,
		bool reseed);

#endif
