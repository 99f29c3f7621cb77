// SPDX-License-Identifier: GPL-2.0
/* The profiles and distributions that a qdisc keeps. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "kept.h"
#include "qdisc.h"

u64 wl_kept_bytes(const struct wl_sched *q)
{
	const struct wl_kept *kept;
	u64 bytes = 0;

	for (kept = q->kept; kept; kept = kept->next)
		bytes += kept->bytes;
	return bytes;
}

static void kept_mark(const struct wl_cfg *cfg)
{
	if (cfg->profile)
		wl_kept_profile(cfg->profile)->known = true;
	if (cfg->impair.jitter)
		wl_kept_dist(cfg->impair.jitter)->known = true;
}

/* All that the engine has or will get, and what classes are to be in the end. */
static void kept_mark_all(struct wl_sched *q)
{
	const struct wl_bearer *b;
	const struct wl_pending *pending;
	struct wl_class *cl;
	u32 i;

	list_for_each_entry(cl, &q->order, order) {
		b = cl->bearer;
		kept_mark(&cl->target);
		kept_mark(&b->cfg);
		if (b->schedule)
			kept_mark(&b->schedule->base);
	}
	for (pending = q->link.pending; pending; pending = pending->next)
		for (i = 0; i < pending->count; i++)
			kept_mark(&pending->part[i].cfg);
}

void wl_kept_sweep(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_kept **at, *kept;

	if (!q->kept)
		return;
	for (kept = q->kept; kept; kept = kept->next)
		kept->known = false;
	sch_tree_lock(sch);
	kept_mark_all(q);
	sch_tree_unlock(sch);
	for (at = &q->kept; (kept = *at);) {
		if (kept->known) {
			at = &kept->next;
			continue;
		}
		*at = kept->next;
		kvfree(kept);
	}
}

void wl_kept_free_all(struct wl_sched *q)
{
	struct wl_kept *kept;

	while ((kept = q->kept)) {
		q->kept = kept->next;
		kvfree(kept);
	}
}
