// SPDX-License-Identifier: GPL-2.0
/* Profiles that a qdisc keeps. */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "wl_nl.h"
#include "wl_profile.h"
#include "wl_qdisc.h"
#include "wl_walk.h"

/* Rows never change; what is around them belongs to this file. */
static struct wl_kept_profile *kept_of(const struct wl_profile *profile)
{
	return container_of((struct wl_profile *)profile,
			    struct wl_kept_profile, profile);
}

struct wl_kept_profile *wl_profile_new(u32 rows)
{
	struct wl_kept_profile *kept;

	kept = kvzalloc(struct_size(kept, profile.row, rows),
			GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (kept)
		kept->profile.count = rows;
	return kept;
}

static bool same(const struct wl_kept_profile *a,
		 const struct wl_kept_profile *b)
{
	const struct wl_profile *pa = &a->profile, *pb = &b->profile;
	u32 i;

	if (strcmp(a->name, b->name) || pa->count != pb->count)
		return false;
	for (i = 0; i < pa->count; i++)
		if (pa->row[i].rate_bps != pb->row[i].rate_bps ||
		    !wl_nl_same_aqm(&pa->row[i].aqm, &pb->row[i].aqm))
			return false;
	return true;
}

const struct wl_profile *wl_profile_keep(struct wl_kept_profile **profiles,
					 struct wl_kept_profile *kept)
{
	struct wl_kept_profile *old;

	for (old = *profiles; old; old = old->next) {
		if (same(old, kept)) {
			kvfree(kept);
			return &old->profile;
		}
	}
	kept->next = *profiles;
	*profiles = kept;
	return &kept->profile;
}

const char *wl_profile_name(const struct wl_profile *profile)
{
	return kept_of(profile)->name;
}

u64 wl_profile_bytes(const struct wl_sched *q)
{
	const struct wl_kept_profile *kept;
	u64 bytes = 0;

	for (kept = q->profiles; kept; kept = kept->next)
		bytes += struct_size(kept, profile.row, kept->profile.count);
	return bytes;
}

static void mark(const struct wl_cfg *cfg, void *data)
{
	if (cfg->profile)
		kept_of(cfg->profile)->known = true;
}

static bool all_known(const struct wl_sched *q)
{
	const struct wl_kept_profile *kept;

	for (kept = q->profiles; kept; kept = kept->next)
		if (!kept->known)
			return false;
	return true;
}

/* What the engine has. */
static void mark_bearer(const struct wl_bearer *b)
{
	mark(&b->cfg, NULL);
	if (b->play)
		mark(&b->play->base, NULL);
	if (b->next_play)
		mark(&b->next_play->base, NULL);
}

static void mark_bearers(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;

	sch_tree_lock(sch);
	list_for_each_entry(cl, &q->order, order)
		mark_bearer(cl->bearer);
	sch_tree_unlock(sch);
}

void wl_profile_sweep(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_kept_profile **at, *kept;

	if (!q->profiles)
		return;
	for (kept = q->profiles; kept; kept = kept->next)
		kept->known = false;
	/* What has been replaced meanwhile need not wait for the next change. */
	wl_notes_settle(&q->notes);
	/* What the engine gets from here on, it gets from these. */
	wl_walk_known(q, mark, NULL);
	if (all_known(q))
		return;
	mark_bearers(sch);
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
