// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of each bearer: windows and what is on its way, got where one may sleep, then given
 * under the lock. Whoever is root in a namespace may ask for it, so it is accounted.
 */
#include <linux/mm.h>

#include "../netlink/attr.h"
#include "memory.h"

/* Fail rather than invoke the OOM killer. */
#define GFP_RINGS	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN | __GFP_RETRY_MAYFAIL)

void wl_memory_settle(struct wl_class *cl)
{
	if (cl->era == cl->q->era)
		return;
	cl->era = cl->q->era;
	cl->descs = cl->target_descs;
	cl->delay_ns = cl->target.delay_ns;
}

noinline_for_stack
int wl_memory_need(struct wl_class *cl, const struct wl_cfg *cfg,
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
	wl_memory_settle(cl);
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

int wl_memory_get(struct wl_class *cl, struct wl_rings *need, struct netlink_ext_ack *extack)
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
	err = wl_memory_need(cl, cfg, NULL, &need, extack);
	sch_tree_unlock(cl->q->sch);
	return err ?: wl_memory_get(cl, &need, extack);
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
