/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SLOTS_H
#define _WL_SLOTS_H

#include <linux/gfp.h>

#include "core/wl_link.h"

/**
 * struct wl_slots - a block of descriptors
 * @next: next block
 * @sdus: the descriptors
 */
struct wl_slots {
	struct wl_slots *next;
	struct wl_sdu sdus[];
};

/**
 * struct wl_pool - memory of the descriptors of a link
 * @blocks: what there is; none is given back before the end
 * @bytes: size of all blocks
 * @most: descriptors that there may be: what the bearers' limits, rates and
 *	delays account for
 */
struct wl_pool {
	struct wl_slots *blocks;
	u64 bytes;
	u64 most;
};

/**
 * wl_slots_more() - a few more descriptors for a link that has none left
 * @pool: memory of @link
 * @link: link
 * @gfp: how to ask for memory
 *
 * Asks for no more than a page, so that there is a fair chance to get it, and
 * does not complain: without it the next SDU is dropped and counted.
 *
 * Return: whether there are more now.
 */
bool wl_slots_more(struct wl_pool *pool, struct wl_link *link, gfp_t gfp);

/**
 * wl_slots_free() - free all
 * @pool: memory of a link that is used no longer
 */
void wl_slots_free(struct wl_pool *pool);

#endif
