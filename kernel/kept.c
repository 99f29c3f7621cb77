// SPDX-License-Identifier: GPL-2.0
/* The profiles and distributions that a qdisc keeps. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>

#include "change.h"
#include "kept.h"
#include "qdisc.h"

u64 wl_kept_bytes(struct wl_sched *q)
{
	const struct wl_kept *kept;
	u64 bytes = 0;

	for (kept = q->kept; kept; kept = kept->next) {
		wl_walk_on(q->sch);
		wl_look(q, 1);
		bytes += kept->bytes;
	}
	return bytes;
}

static void kept_mark(const struct wl_cfg *cfg)
{
	if (cfg->profile)
		wl_kept_profile(cfg->profile)->known = true;
	if (cfg->impair.jitter)
		wl_kept_dist(cfg->impair.jitter)->known = true;
}

/* All that the engine has or will get, and what classes are to be in the end. What a bearer
 * gets while others have the lock is of a change that has been looked at before.
 */
static void kept_mark_all(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_bearer *b;
	struct wl_class *cl;

	wl_change_each(sch, kept_mark);
	list_for_each_entry(cl, &q->order, order) {
		wl_walk_on(sch);
		wl_look(q, 1);
		b = cl->bearer;
		kept_mark(&cl->target);
		kept_mark(&b->cfg);
		if (b->schedule)
			kept_mark(&b->schedule->base);
	}
}

void wl_kept_sweep(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_kept **at, *kept;

	if (!q->kept)
		return;
	for (kept = q->kept; kept; kept = kept->next)
		kept->known = false;
	wl_tree_lock(sch);
	kept_mark_all(sch);
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
