// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the engine: windows and what is on its way, of each bearer, and the
 * descriptors that all of a link share. Whoever is root in a namespace may ask for
 * it, so it is accounted.
 */
#include <linux/list.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "netlink/attr.h"
#include "change.h"
#include "memory.h"

/* --- Bearers: got where one may sleep, then given under the lock. --- */

/* Fail rather than invoke the OOM killer. */
#define GFP_RINGS	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)

/* The root qdisc lock is held. @need is enlarged. */
static noinline_for_stack
int memory_need(struct wl_class *cl, const struct wl_cfg *cfg,
		const struct wl_schedule *added, struct wl_rings *need,
		struct netlink_ext_ack *extack)
{
	const struct wl_schedule *over[] = {
		cl->bearer->schedule, cl->bearer->next_schedule, added,
	};
	struct wl_cfg most = *cfg;
	struct wl_refusal why;
	struct wl_rings rings;
	int i;

	for (i = 0; i < ARRAY_SIZE(over); i++) {
		if (over[i] && wl_schedule_fits(over[i], cfg, &why))
			return wl_refuse_value(&why, extack, "schedule: ");
		wl_schedule_most(over[i], &most);
	}
	wl_class_settle(cl);
	most.delay_ns = max(most.delay_ns, cl->delay_ns);
	wl_bearer_need(cl->bearer, &most, &rings);
	wl_rings_join(need, &rings);
	return 0;
}

static int memory_allocate(struct wl_class *cl, const struct wl_rings *need,
			   void **mem, struct netlink_ext_ack *extack)
{
	u64 bytes = cl->q->rings_bytes + need->bytes;

	if (bytes > WLINK_ROOM_BYTES_MAX)
		return wl_refuse(extack, NULL, -ENOBUFS,
				 "wlink: windows of all bearers, %llu bytes, are more than %u",
				 bytes, WLINK_ROOM_BYTES_MAX);
	*mem = kvzalloc(need->bytes, GFP_RINGS);
	if (!*mem)
		return wl_refuse(extack, NULL, -ENOMEM,
				 "wlink: no memory for %llu bytes of windows and PDUs on their way",
				 need->bytes);
	cl->q->rings_bytes = bytes;
	return 0;
}

static void memory_release(struct wl_class *cl, void *mem, u64 bytes)
{
	if (!mem)
		return;
	cl->q->rings_bytes -= bytes;
	kvfree(mem);
}

/* Allocate @need if it is more than the class has. */
static int memory_get(struct wl_class *cl, struct wl_rings *need,
		      struct netlink_ext_ack *extack)
{
	const struct wl_rings *there = cl->spare.mem ? &cl->spare :
						      &cl->bearer->rings;
	void *mem;
	int err;

	if (wl_rings_fits(there, need))
		return 0;
	wl_rings_join(need, there);
	err = memory_allocate(cl, need, &mem, extack);
	if (err)
		return err;
	memory_release(cl, cl->spare.mem, cl->spare.bytes);
	cl->spare = *need;
	wl_rings_place(&cl->spare, mem);
	return 0;
}

int wl_memory_prepare(struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack)
{
	struct wl_rings need = { };
	int err;

	wl_tree_lock(cl->q->sch);
	err = memory_need(cl, cfg, NULL, &need, extack);
	sch_tree_unlock(cl->q->sch);
	return err ?: memory_get(cl, &need, extack);
}

noinline_for_stack
u32 wl_memory_descs(const struct wl_class *cl, const struct wl_cfg *cfg,
		    const struct wl_schedule *added)
{
	struct wl_cfg most = *cfg;

	wl_schedule_most(added, &most);
	wl_schedule_most(cl->bearer->schedule, &most);
	wl_schedule_most(cl->bearer->next_schedule, &most);
	return wl_cfg_sdus(&most);
}

/* What judging a configuration, with its profile, counts for. */
#define JUDGED_LOOKS	16U

/* The root qdisc lock is held. @need and @descs are enlarged. */
static int memory_judge(struct wl_class *cl, const struct wl_cfg *cfg,
			const struct wl_schedule *added, struct wl_rings *need, u32 *descs,
			struct netlink_ext_ack *extack)
{
	struct wl_refusal why;

	wl_look(cl->q, JUDGED_LOOKS);
	*descs = max(*descs, wl_memory_descs(cl, cfg, added));
	if (!added && wl_cfg_check(cfg, &why))
		return wl_class_refuse(cl, &why, extack);
	return memory_need(cl, cfg, added, need, extack);
}

int wl_memory_prepare_all(struct wl_class *cl, const struct wl_cfg *cfg,
			  const struct wl_schedule *added, u32 *descs,
			  struct netlink_ext_ack *extack)
{
	const struct wl_pending *pending;
	struct wl_sched *q = cl->q;
	struct wl_rings need = { };
	struct wl_cfg next;
	bool concerns;
	u64 applied;
	int err;

	*descs = 0;
	wl_tree_lock(q->sch);
again:
	pending = NULL;
	concerns = true;
	applied = q->applied.cookie;
	if (cfg)
		next = *cfg;
	else
		wl_class_base(cl, &next);
	wl_cfg_copy_link(&next, &q->link.first.cfg);
	do {
		err = 0;
		if (concerns)
			err = memory_judge(cl, &next, added, &need, descs, extack);
		/* Those that wait have become fewer. */
		if (!err && wl_walk_on(q->sch) && q->applied.cookie != applied)
			goto again;
		pending = wl_change_next(cl, pending, &next, &concerns);
	} while (!err && pending);
	sch_tree_unlock(q->sch);
	return err ?: memory_get(cl, &need, extack);
}

bool wl_memory_give(struct wl_class *cl)
{
	struct wl_rings old = cl->bearer->rings;
	bool let_go = false;

	/* Spare memory is more than the bearer has, unless it is what it had. */
	if (!cl->spare.mem || wl_rings_fits(&old, &cl->spare))
		return false;
	while (!wl_bearer_move(cl->bearer, &cl->spare, WL_RINGS_MOVED)) {
		/* Enough for once. */
		wl_look(cl->q, WL_WALK_MAX - 1);
		let_go |= wl_walk_on(cl->q->sch);
	}
	wl_look(cl->q, WL_WALK_MAX - 1);
	cl->spare = old;
	return let_go;
}

void wl_memory_finish(struct wl_class *cl)
{
	memory_release(cl, cl->spare.mem, cl->spare.bytes);
	cl->spare.mem = NULL;
}

void wl_memory_free(struct wl_class *cl)
{
	memory_release(cl, cl->bearer->rings.mem, cl->bearer->rings.bytes);
}

/* --- Descriptors: a block of a page at a time, given back when none of it is in use. --- */

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
