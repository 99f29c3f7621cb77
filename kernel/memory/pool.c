// SPDX-License-Identifier: GPL-2.0
/* Descriptors that all bearers share: a block of a page at a time, given back when none of it is
 * in use. Whoever is root in a namespace may ask for it, so it is accounted.
 */
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "pool.h"

/* A power of two is aligned to itself. */
#define BLOCK_BYTES	SZ_4K

/**
 * struct wl_block - descriptors that are got and given back together
 * @all: in wl_pool.blocks
 * @spare: in wl_pool.spare while @taken is not empty
 * @taken: those that the link does not have
 * @takens: how many these are
 * @count: how many there are
 * @sdus: they
 */
struct wl_block {
	struct list_head all;
	struct list_head spare;
	struct wl_sdu *taken;
	u32 takens;
	u32 count;
	struct wl_sdu sdus[];
};

#define BLOCK_SDUS	((BLOCK_BYTES - sizeof(struct wl_block)) / \
			 sizeof(struct wl_sdu))

static struct wl_block *block_of(const struct wl_sdu *sdu)
{
	return (struct wl_block *)((unsigned long)sdu & ~(BLOCK_BYTES - 1UL));
}

void wl_pool_init(struct wl_pool *pool)
{
	INIT_LIST_HEAD(&pool->blocks);
	INIT_LIST_HEAD(&pool->spare);
	pool->memcg = get_mem_cgroup_from_mm(current->mm);
}

static void pool_free_block(struct wl_pool *pool, struct wl_block *block)
{
	list_del(&block->all);
	pool->bytes -= BLOCK_BYTES;
	kfree(block);
}

static void pool_take_sdu(struct wl_pool *pool, struct wl_sdu *sdu)
{
	struct wl_block *block = block_of(sdu);

	if (!block->taken)
		list_add(&block->spare, &pool->spare);
	sdu->next = block->taken;
	block->taken = sdu;
	if (++block->takens < block->count)
		return;
	list_del(&block->spare);
	pool_free_block(pool, block);
}

/* What has been taken from a block that is still in use. */
static void pool_give_spare(struct wl_pool *pool, struct wl_link *link)
{
	struct wl_block *block = list_first_entry(&pool->spare, struct wl_block, spare);
	struct wl_sdu *sdu;

	while (link->descriptors < pool->most && (sdu = block->taken)) {
		block->taken = sdu->next;
		block->takens--;
		wl_link_add_sdus(link, sdu, 1);
	}
	if (!block->taken)
		list_del(&block->spare);
}

void wl_pool_grow(struct wl_pool *pool, struct wl_link *link, gfp_t gfp)
{
	struct mem_cgroup *memcg;
	struct wl_block *block;

	if (link->descriptors >= pool->most)
		return;
	if (!list_empty(&pool->spare)) {
		pool_give_spare(pool, link);
		return;
	}
	memcg = set_active_memcg(pool->memcg);
	block = kzalloc(BLOCK_BYTES, gfp | __GFP_ACCOUNT | __GFP_NOWARN);
	set_active_memcg(memcg);
	if (!block)
		return;
	block->count = min_t(u64, BLOCK_SDUS, pool->most - link->descriptors);
	list_add(&block->all, &pool->blocks);
	pool->bytes += BLOCK_BYTES;
	wl_link_add_sdus(link, block->sdus, block->count);
}

bool wl_pool_shrink(struct wl_pool *pool, struct wl_link *link, u32 most)
{
	while (wl_pool_is_large(pool, link)) {
		if (!most--)
			return true;
		pool_take_sdu(pool, wl_link_take_sdu(link));
	}
	return false;
}

void wl_pool_free(struct wl_pool *pool)
{
	struct wl_block *block, *next;

	list_for_each_entry_safe(block, next, &pool->blocks, all)
		pool_free_block(pool, block);
	mem_cgroup_put(pool->memcg);
}
