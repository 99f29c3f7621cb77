// SPDX-License-Identifier: GPL-2.0
/* The profiles and distributions that a qdisc keeps. */
#include <linux/mm.h>

#include "kept.h"

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

/* Return: the first change that waits with this number or a higher one, or NULL. */
static struct wl_pending *kept_from(struct wl_sched *q, u64 cookie)
{
	struct wl_pending *pending = q->link.pending;

	while (pending && wl_change_of(pending)->cookie < cookie)
		pending = pending->next;
	return pending;
}

/* Where a change takes effect meanwhile, the rest of it is passed over: bearers have it. */
static void kept_mark_pending(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_pending *pending = q->link.pending;
	u64 cookie;
	u32 i = 0;

	while (pending) {
		cookie = wl_change_of(pending)->cookie;
		if (wl_walk_on(sch)) {
			pending = kept_from(q, cookie);
			if (pending && wl_change_of(pending)->cookie != cookie)
				i = 0;
		} else if (i < pending->count) {
			wl_look(q, 1);
			kept_mark(&pending->part[i++].cfg);
		} else {
			pending = pending->next;
			i = 0;
		}
	}
}

/* All that the engine has or will get, and what classes are to be in the end. What a bearer
 * gets while others have the lock is of a change that has been looked at before.
 */
static void kept_mark_all(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_bearer *b;
	struct wl_class *cl;

	kept_mark_pending(sch);
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
