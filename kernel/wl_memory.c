// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of bearers: provided first, where one may sleep, given under the lock
 * then. Whoever is root in a namespace may ask for it, so it is accounted.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "wl_memory.h"
#include "wl_schedule.h"

static void *more(const struct wl_room *need, struct netlink_ext_ack *extack)
{
	void *mem;

	mem = kvzalloc(need->bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!mem)
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: no memory for %llu bytes of windows and PDUs on their way",
				   need->bytes);
	return mem;
}

int wl_memory_prepare(struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack)
{
	const struct wl_room *there = cl->spare.mem ? &cl->spare :
						      &cl->bearer->room;
	struct wl_cfg most = *cfg;
	struct wl_room need;
	void *mem;

	wl_schedule_most(cl, &most);
	most.delay_ns = max(most.delay_ns, cl->walk.delay_ns);
	wl_bearer_need(cl->bearer, &most, &need);
	if (wl_room_fits(there, &need))
		return 0;
	wl_room_join(&need, there);
	mem = more(&need, extack);
	if (!mem)
		return -ENOMEM;
	kvfree(cl->spare.mem);
	cl->spare = need;
	wl_room_place(&cl->spare, mem);
	return 0;
}

void wl_memory_give(struct wl_class *cl)
{
	if (!cl->spare.mem)
		return;
	cl->spent = wl_bearer_give(cl->bearer, &cl->spare);
	cl->spare.mem = NULL;
}

void wl_memory_finish(struct wl_class *cl)
{
	kvfree(cl->spare.mem);
	cl->spare.mem = NULL;
	kvfree(cl->spent);
	cl->spent = NULL;
}

u32 wl_memory_slots(const struct wl_class *cl, const struct wl_cfg *cfg)
{
	struct wl_cfg most = *cfg;

	wl_schedule_most(cl, &most);
	return wl_cfg_slots(&most);
}
