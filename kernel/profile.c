// SPDX-License-Identifier: GPL-2.0
/* The profiles that a qdisc keeps. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "profile.h"
#include "qdisc.h"

u64 wl_profile_bytes(const struct wl_sched *q)
{
	const struct wl_kept_profile *kept;
	u64 bytes = 0;

	for (kept = q->profiles; kept; kept = kept->next)
		bytes += struct_size(kept, profile.row, kept->profile.count);
	return bytes;
}

static void profile_mark(const struct wl_cfg *cfg)
{
	if (cfg->profile)
		wl_profile_kept(cfg->profile)->known = true;
}

/* All that the engine has or will get, and what classes are to be in the end. */
static void profile_mark_all(struct wl_sched *q)
{
	const struct wl_bearer *b;
	const struct wl_pending *pending;
	struct wl_class *cl;
	u32 i;

	list_for_each_entry(cl, &q->order, order) {
		b = cl->bearer;
		profile_mark(&cl->target);
		profile_mark(&b->cfg);
		if (b->schedule)
			profile_mark(&b->schedule->base);
	}
	for (pending = q->link.pending; pending; pending = pending->next)
		for (i = 0; i < pending->count; i++)
			profile_mark(&pending->part[i].cfg);
}

void wl_profile_sweep(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_kept_profile **at, *kept;

	if (!q->profiles)
		return;
	for (kept = q->profiles; kept; kept = kept->next)
		kept->known = false;
	sch_tree_lock(sch);
	profile_mark_all(q);
	sch_tree_unlock(sch);
	for (at = &q->profiles; (kept = *at);) {
		if (kept->known) {
			at = &kept->next;
			continue;
		}
		*at = kept->next;
		kvfree(kept);
	}
}

void wl_profile_free_all(struct wl_sched *q)
{
	struct wl_kept_profile *kept;

	while ((kept = q->profiles)) {
		q->profiles = kept->next;
		kvfree(kept);
	}
}
