// SPDX-License-Identifier: GPL-2.0
/*
 * Transactions: configurations of one or several bearers that take effect at one
 * start of a TTI, in the order in which they were asked for.
 */
#include "wl_grid.h"
#include "wl_play.h"
#include "wl_serve.h"
#include "wl_txn.h"

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

void wl_txn_arm(struct wl_link *link)
{
	link->cfg_at_ns = WL_NEVER_NS;
	if (link->txns)
		link->cfg_at_ns = wl_grid_ns(link, link->txns->from_ns);
}

void wl_link_commit(struct wl_link *link, u64 now_ns, u64 at_ns,
		    struct wl_txn *txn)
{
	struct wl_txn **to = &link->txns;

	txn->from_ns = wl_link_from_ns(link, now_ns, at_ns);
	while (*to && (*to)->from_ns <= txn->from_ns)
		to = &(*to)->next;
	txn->next = *to;
	*to = txn;
	wl_txn_arm(link);
}

void wl_txn_put(struct wl_bearer *b, u64 at_ns, const struct wl_cfg *base,
		bool reseed)
{
	struct wl_link *link = b->link;
	u64 old_bps = b->cfg.rate_bps;
	struct wl_cfg cfg = *base;

	if (b->play) {
		b->play->base = *base;
		wl_play_over(b->play, &cfg);
	}
	wl_cfg_follow(&cfg);
	wl_bearer_configure(b, at_ns, &cfg, reseed);
	wl_link_touch(b);
	link->ops->rate_changed(link, b, at_ns, old_bps, b->cfg.rate_bps);
}

void wl_txn_apply(struct wl_link *link, u64 at_ns, u32 *work)
{
	u64 origin_ns = link->origin_ns;
	struct wl_txn *txn = link->txns;
	u32 i;

	link->txns = txn->next;
	link->generation++;
	for (i = 0; i < txn->count; i++)
		if (txn->part[i].b)
			wl_txn_put(txn->part[i].b, at_ns, &txn->part[i].cfg,
				   txn->reseed);
	*work -= min(*work, txn->count);
	if (link->origin_ns != origin_ns)
		*work -= min(*work, link->bearers);
	wl_txn_arm(link);
	link->ops->applied(link, txn, at_ns);
}
