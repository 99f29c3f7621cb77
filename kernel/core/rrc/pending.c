// SPDX-License-Identifier: GPL-2.0
/*
 * Pending changes: configurations of one or several bearers that take effect at one
 * start of a TTI, in the order in which they were asked for.
 */
#include "../mac/grid.h"
#include "bearer.h"
#include "pending.h"

u64 wl_link_from_ns(const struct wl_link *link, u64 now_ns, u64 at_ns)
{
	if (at_ns != WLINK_AT_NEXT && at_ns > now_ns)
		return at_ns;
	if (!wl_link_tti_ns(link))
		return now_ns;
	/* Too late for a TTI that the engine has begun already. */
	return at_ns == WLINK_AT_NEXT || link->now_ns >= now_ns ? now_ns + 1 :
								  now_ns;
}

void wl_link_commit(struct wl_link *link, u64 now_ns, u64 at_ns,
		    struct wl_pending *txn)
{
	struct wl_pending **to = &link->pending;

	txn->from_ns = wl_link_from_ns(link, now_ns, at_ns);
	while (*to && (*to)->from_ns <= txn->from_ns)
		to = &(*to)->next;
	txn->next = *to;
	*to = txn;
}

struct wl_pending *wl_link_cancel(struct wl_link *link)
{
	struct wl_pending **from = &link->pending;
	struct wl_pending *off;

	if (*from && (*from)->done)
		from = &(*from)->next;
	off = *from;
	*from = NULL;
	return off;
}

u64 wl_pending_next_ns(const struct wl_link *link)
{
	return wl_grid_ns(link, link->pending->from_ns);
}

void wl_pending_put(struct wl_bearer *b, u64 at_ns, const struct wl_cfg *base,
		    bool reseed)
{
	struct wl_link *link = b->link;
	u64 old_bps = b->cfg.rate_bps;
	struct wl_cfg cfg = *base;

	if (b->schedule)
		wl_schedule_over(b->schedule, &cfg);
	cfg.usual_bps = wl_cfg_usual_bps(cfg.rate_bps ? &cfg : &b->cfg);
	wl_cfg_follow(&cfg);
	wl_bearer_configure(b, at_ns, &cfg, reseed);
	wl_bearer_touch(b);
	link->ops->rate_changed(link, b, at_ns, old_bps, b->cfg.rate_bps);
}

void wl_pending_apply(struct wl_link *link, u64 at_ns)
{
	struct wl_pending *txn = link->pending;
	const struct wl_pending_part *part;

	if (!txn->done)
		link->generation++;
	while (txn->done < txn->count) {
		part = &txn->part[txn->done++];
		if (part->b && part->b->schedule)
			part->b->schedule->base = part->cfg;
		if (part->b)
			wl_pending_put(part->b, at_ns, &part->cfg, txn->reseed);
		if ((!wl_link_charge(link, 4) || link->unset) &&
		    txn->done < txn->count)
			return;
	}
	link->pending = txn->next;
	link->ops->applied(link, txn, at_ns);
}

void wl_pending_forget(struct wl_link *link, const struct wl_bearer *b)
{
	struct wl_pending *txn;
	u32 i;

	for (txn = link->pending; txn; txn = txn->next)
		for (i = 0; i < txn->count; i++)
			if (txn->part[i].b == b)
				txn->part[i].b = NULL;
}
