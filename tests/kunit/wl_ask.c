// SPDX-License-Identifier: GPL-2.0
#include "wl_ask.h"
#include "wl_mem.h"

struct wl_pending *wl_ask_new(u32 parts, u32 id)
{
	struct wl_asked *asked = wl_mem_get(sizeof(*asked));

	if (!asked)
		return NULL;
	asked->id = id;
	asked->txn.part = wl_mem_get(parts * sizeof(*asked->txn.part));
	if (asked->txn.part)
		return &asked->txn;
	wl_mem_put(asked);
	return NULL;
}

void wl_ask_put(struct wl_pending *txn)
{
	wl_mem_put(txn->part);
	wl_mem_put(txn);
}

void wl_ask_part(struct wl_pending *txn, struct wl_bearer *b, const struct wl_cfg *cfg)
{
	struct wl_pending_part *part = &txn->part[txn->count++];

	part->b = b;
	part->cfg = *cfg;
}

static const struct wl_cfg *part_of(const struct wl_pending *txn, const struct wl_bearer *b)
{
	u32 i;

	for (i = 0; i < txn->count; i++)
		if (txn->part[i].b == b)
			return &txn->part[i].cfg;
	return NULL;
}

static void keep(struct wl_pending *txn, const struct wl_pending *old, struct wl_bearer *b)
{
	const struct wl_cfg *cfg = part_of(old, b);

	if (cfg)
		wl_ask_part(txn, b, cfg);
}

/* Bearer 1, then the others as the link has them: so they were always put in
 * force, and the digests know.
 */
static bool join(struct wl_link *link, struct wl_pending *txn, struct wl_bearer *b,
		 const struct wl_cfg *cfg)
{
	struct wl_pending *both = wl_ask_new(link->bearers, 0);
	struct wl_bearer *other = &link->first;

	if (!both)
		return false;
	for (; other; other = other == &link->first ? link->all : other->next) {
		if (other == b)
			wl_ask_part(both, b, cfg);
		else
			keep(both, txn, other);
	}
	wl_mem_put(txn->part);
	txn->part = both->part;
	txn->count = both->count;
	wl_mem_put(both);
	return true;
}

bool wl_ask(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
	    const struct wl_cfg *cfg, bool reseed)
{
	struct wl_pending *txn = link->pending;

	if (!txn) {
		txn = wl_ask_new(1, 0);
		if (!txn)
			return false;
		wl_ask_part(txn, b, cfg);
		txn->reseed = reseed;
		wl_link_commit(link, now_ns, WLINK_AT_NEXT, txn);
		return true;
	}
	txn->reseed = txn->reseed || reseed;
	return join(link, txn, b, cfg);
}

void wl_ask_applied(struct wl_link *link, struct wl_pending *txn, u64 at_ns)
{
	(void)link;
	(void)at_ns;
	wl_ask_put(txn);
}

void wl_ask_free(struct wl_link *link)
{
	while (link->pending) {
		struct wl_pending *txn = link->pending;

		link->pending = txn->next;
		wl_ask_put(txn);
	}
}

void wl_ask_granted(struct wl_link *link, const struct wl_bearer *b, u64 at_ns,
		    u64 bytes, u64 used_bytes)
{
	(void)link;
	(void)b;
	(void)at_ns;
	(void)bytes;
	(void)used_bytes;
}

void wl_ask_schedule_changed(struct wl_link *link, struct wl_bearer *b,
			     struct wl_schedule *schedule, u64 at_ns)
{
	(void)link;
	(void)b;
	(void)schedule;
	(void)at_ns;
}

void wl_ask_rate_changed(struct wl_link *link, const struct wl_bearer *b,
			 u64 at_ns, u64 old_bps, u64 new_bps)
{
}

void wl_ask_channel_changed(struct wl_link *link, const struct wl_bearer *b, u64 at_ns, bool bad)
{
}
