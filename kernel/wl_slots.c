// SPDX-License-Identifier: GPL-2.0
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "wl_slots.h"

#define BLOCK_SLOTS	((PAGE_SIZE - sizeof(struct wl_slots)) / \
			 sizeof(struct wl_sdu))

bool wl_slots_more(struct wl_pool *pool, struct wl_link *link, gfp_t gfp)
{
	struct wl_slots *block;
	size_t bytes;
	u32 count;

	if (link->slots >= pool->most)
		return false;
	count = min_t(u64, BLOCK_SLOTS, pool->most - link->slots);
	bytes = struct_size(block, sdus, count);
	block = kzalloc(bytes, gfp | __GFP_NOWARN);
	if (!block)
		return false;
	block->next = pool->blocks;
	pool->blocks = block;
	pool->bytes += bytes;
	wl_link_add_slots(link, block->sdus, count);
	return true;
}

void wl_slots_free(struct wl_pool *pool)
{
	struct wl_slots *block;

	while ((block = pool->blocks)) {
		pool->blocks = block->next;
		kfree(block);
	}
}
