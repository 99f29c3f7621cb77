// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Which bearers have something to send, and whose turn it is where they share a
 * transmitter: a heap of them by a key that each scheduler makes from what it goes
 * by. Another one is a struct wl_sched_ops, in a file of its own if it is more than
 * a key, and a line in the table below.
 */
#include "../3gpp.h"
#include "grid.h"
#include "sched.h"
#include "submit.h"

#define PRIO_SHIFT	56
#define GUARANTEED_SHIFT	54

/* Of a PDU of LTE or NR with a segment, at most. */
#define HEADERS_BYTES	4U

static u64 sched_fifo_key(const struct wl_bearer *b)
{
	/* What waits with the rest of a PDU has had its turn. */
	if (b->unit.on)
		return 0;
	if (wl_submit_on(b))
		return wl_submit_key_ns(b);
	if (b->ops)
		return b->ops->key_ns(b);
	return b->queue.head->arrival_ns;
}

static u64 sched_rr_key(const struct wl_bearer *b)
{
	return b->share.turns;
}

static u64 sched_prio_key(const struct wl_bearer *b)
{
	return (u64)b->cfg.prio << PRIO_SHIFT | b->share.turns;
}

/* Bj is at most what is guaranteed in so long: bucketSizeDuration of TS 36.331. */
#define BUCKET_NS	(100 * WL_NSEC_PER_MSEC)

/* Those with something guaranteed that they have not sent come before all others. */
#define NOT_OWED	(1ULL << 63)

/* Bits that are owed less than nothing, as far as one looks ahead. */
#define OWED_MAX	(1ULL << 33)

bool wl_sched_guaranteed(const struct wl_bearer *b)
{
	return b->cfg.gbr_bps && b->share.owed_bits > 0;
}

static void sched_owe(struct wl_bearer *b, u64 now_ns)
{
	struct wl_share *share = &b->share;
	u64 tti_ns = wl_link_tti_ns(b->link);
	u64 rest, most = wl_cfg_bits_in(b->cfg.gbr_bps, max(BUCKET_NS, tti_ns), &rest);
	u64 passed_ns = min(now_ns - share->owed_ns, 3600 * WL_NSEC_PER_SEC);

	share->owed_ns = now_ns;
	share->owed_bits += wl_cfg_bits_in(b->cfg.gbr_bps, passed_ns, &rest);
	share->owed_rest += rest;
	if (share->owed_rest >= WL_NSEC_PER_SEC) {
		share->owed_rest -= WL_NSEC_PER_SEC;
		share->owed_bits++;
	}
	share->owed_bits = min_t(s64, share->owed_bits, most);
}

static const struct wl_sched_ops fifo_ops = {
	.key = sched_fifo_key, .moves = true,
};

static const struct wl_sched_ops rr_ops = { .key = sched_rr_key };
static const struct wl_sched_ops prio_ops = { .key = sched_prio_key };

static const struct wl_sched_ops *const scheds[] = {
	/* Nobody takes turns. */
	[WLINK_SCHED_DEDICATED] = &rr_ops,
	[WLINK_SCHED_FIFO] = &fifo_ops,
	[WLINK_SCHED_RR] = &rr_ops,
	[WLINK_SCHED_PRIO] = &prio_ops,
	[WLINK_SCHED_PF] = &wl_pf_ops,
};

static const struct wl_sched_ops *sched_of(const struct wl_link *link)
{
	return scheds[link->first.cfg.sched];
}

static void sched_list(struct wl_bearer *b)
{
	struct wl_link *link = b->link;

	b->busy = true;
	b->busy_prev = NULL;
	b->busy_next = link->busy;
	if (link->busy)
		link->busy->busy_prev = b;
	link->busy = b;
}

static void sched_unlist(struct wl_bearer *b)
{
	struct wl_link *link = b->link;

	if (link->cursor == b)
		link->cursor = b->busy_next;
	if (b->busy_prev)
		b->busy_prev->busy_next = b->busy_next;
	else
		link->busy = b->busy_next;
	if (b->busy_next)
		b->busy_next->busy_prev = b->busy_prev;
	b->busy = false;
}

void wl_sched_pause(struct wl_bearer *b)
{
	if (b->busy)
		sched_unlist(b);
	wl_heap_remove(&b->link->turn, &b->share.turn);
	b->start_ns = WL_NEVER_NS;
}

void wl_sched_idle(struct wl_bearer *b)
{
	wl_sched_pause(b);
	b->over = 0;
	b->credit.bits = 0;
	b->credit.rest = 0;
	b->share.saved_ns = 0;
	b->share.time_rest = 0;
	if (b->access.on)
		wl_3gpp->access_idle(b);
}

static u64 sched_owed_key(const struct wl_bearer *b)
{
	return (u64)b->cfg.prio << GUARANTEED_SHIFT | b->share.turns;
}

static u64 sched_key(const struct wl_bearer *b)
{
	u64 key = sched_of(b->link)->key(b);

	if (!b->link->guarantees)
		return key;
	if (wl_sched_guaranteed(b))
		return sched_owed_key(b);
	return NOT_OWED | key >> 1;
}

void wl_sched_place(struct wl_bearer *b)
{
	wl_heap_set(&b->link->turn, &b->share.turn, sched_key(b), b->number);
}

/* Only what wants to send has a key: that may go by what it would send. */
static void sched_place_again(struct wl_bearer *b)
{
	if (wl_sched_wants(b))
		wl_sched_place(b);
	else
		wl_sched_idle(b);
}

/* What goes by TTIs keeps its place until the next one. */
static void sched_add(struct wl_bearer *b)
{
	if (!b->share.turn.at || !sched_of(b->link)->tti || b->link->guarantees)
		wl_sched_place(b);
}

void wl_sched_wake(struct wl_bearer *b, u64 now_ns)
{
	struct wl_link *link = b->link;

	if (wl_submit_on(b) && !b->changing)
		wl_submit_all(b, now_ns);
	if (!b->cfg.rate_bps || b->granted || !wl_sched_wants(b))
		return;
	if (b->access.on && !wl_3gpp->access_ask(b, now_ns))
		return;
	if (!wl_link_tti_ns(link) && !wl_link_shared(link)) {
		if (b->start_ns == WL_NEVER_NS)
			b->start_ns = now_ns;
		wl_bearer_touch(b);
		return;
	}
	if (!b->busy)
		sched_list(b);
	if (wl_link_shared(link))
		sched_add(b);
	if (link->start_ns == WL_NEVER_NS && !link->sender)
		link->start_ns = wl_grid_next_start_ns(link, now_ns);
}

struct wl_bearer *wl_sched_first(struct wl_link *link)
{
	const struct wl_sched_ops *ops = sched_of(link);
	struct wl_node *node;

	while ((node = wl_heap_first(&link->turn))) {
		struct wl_bearer *b = node->bearer;

		if (!wl_sched_wants(b))
			wl_sched_idle(b);
		else if (ops->moves && node->key != sched_key(b))
			/* What it would send has become younger meanwhile. */
			wl_sched_place(b);
		else
			return b;
	}
	return NULL;
}

struct wl_bearer *wl_sched_lasting_first(const struct wl_link *link)
{
	const struct wl_node *node = wl_heap_first(&link->turn);
	const struct wl_sched_ops *ops = sched_of(link);

	if (!node || ops->tti || link->first.cfg.cell.rb ||
	    !wl_sched_wants(node->bearer) ||
	    (ops->moves && node->key != sched_key(node->bearer)))
		return NULL;
	return node->bearer;
}

/* From when on a bearer is owed something if it sends nothing, or from before that. */
static u64 sched_owed_ns(const struct wl_bearer *b)
{
	const struct wl_share *share = &b->share;
	u64 bits = min_t(u64, 1 - share->owed_bits, OWED_MAX);

	return share->owed_ns + DIV64_U64_ROUND_UP(bits * WL_NSEC_PER_SEC - share->owed_rest,
						   b->cfg.gbr_bps);
}

u64 wl_sched_lasting_ttis(const struct wl_bearer *first, u32 most)
{
	const struct wl_link *link = first->link;
	u64 owed_ns, from_ns = WL_NEVER_NS;
	const struct wl_bearer *b;

	for (b = link->guarantees ? link->busy : NULL; b; b = b->busy_next) {
		if (!most--)
			return 0;
		if (b == first || !b->cfg.gbr_bps || wl_sched_guaranteed(b) ||
		    sched_owed_key(b) > first->share.turn.key)
			continue;
		owed_ns = sched_owed_ns(b);
		from_ns = min(from_ns, owed_ns);
	}
	if (from_ns == WL_NEVER_NS)
		return U64_MAX;
	return DIV64_U64_ROUND_UP(max(from_ns, link->start_ns) - link->start_ns,
				  wl_link_tti_ns(link));
}

void wl_sched_sent(struct wl_bearer *b, u64 bits)
{
	/* Even ones, whose order stays where keys lose a bit. */
	b->link->turns += 2;
	b->share.turns = b->link->turns;
	b->share.tti_bits += bits;
	if (!wl_sched_wanted(b))
		wl_sched_idle(b);
	else
		sched_add(b);
}

static void sched_take_out(struct wl_bearer *b)
{
	struct wl_share *share = &b->share;
	struct wl_link *link = b->link;

	if (share->given_prev)
		share->given_prev->share.given_next = share->given_next;
	else
		link->given = share->given_next;
	if (share->given_next)
		share->given_next->share.given_prev = share->given_prev;
	else
		link->given_last = share->given_prev;
}

void wl_sched_give(struct wl_bearer *b)
{
	struct wl_share *share = &b->share;
	struct wl_link *link = b->link;

	if (share->given)
		sched_take_out(b);
	share->given = true;
	share->given_next = NULL;
	share->given_prev = link->given_last;
	if (link->given_last)
		link->given_last->share.given_next = b;
	else
		link->given = b;
	link->given_last = b;
}

void wl_sched_take_back(struct wl_bearer *b)
{
	if (!b->share.given)
		return;
	sched_take_out(b);
	b->share.given = false;
	b->share.rbs = 0;
	b->share.rbs_more = 0;
}

u64 wl_sched_pending_bytes(const struct wl_bearer *b)
{
	const struct wl_sdu *front = b->ops ? b->fresh : b->queue.head;
	u64 bytes = b->unbegun_bytes;

	if (front && front->start_ns != WL_NEVER_NS)
		bytes += front->left_bytes;
	if (b->ops && b->ops->fits)
		bytes += HEADERS_BYTES * (b->unbegun_sdus + 2);
	if (b->ops && b->ops->retx_bytes)
		bytes += b->ops->retx_bytes(b);
	bytes += b->submit.bytes;
	return max_t(u64, bytes, wl_sched_wanted(b));
}

void wl_sched_guarantee(struct wl_bearer *b, u64 now_ns, u64 old_bps)
{
	struct wl_link *link = b->link;
	struct wl_bearer *other, *next;
	bool any = link->guarantees;

	link->guarantees += !!b->cfg.gbr_bps;
	link->guarantees -= !!old_bps;
	if (!old_bps) {
		/* TS 36.321 clause 5.4.3.1: it is 0 when the channel is established. */
		b->share.owed_bits = 0;
		b->share.owed_ns = now_ns;
	}
	if (!b->cfg.gbr_bps == !old_bps || !wl_link_shared(link))
		return;
	if (any == !!link->guarantees) {
		if (b->share.turn.at)
			sched_place_again(b);
		return;
	}
	/* The first or the last one: keys of one kind must not meet those of the other. */
	for (other = link->busy; other; other = next) {
		next = other->busy_next;
		wl_link_spend(link, 1);
		if (other->share.turn.at)
			sched_place_again(other);
	}
}

static void sched_begin_tti(struct wl_bearer *b, u64 tti, u64 now_ns)
{
	const struct wl_sched_ops *ops = sched_of(b->link);

	if (ops->tti)
		ops->tti(b, tti);
	if (b->cfg.gbr_bps)
		sched_owe(b, now_ns);
}

bool wl_sched_tti(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;
	u64 tti;

	if (!sched_of(link)->tti && !link->guarantees)
		return true;
	tti = div64_u64(now_ns - link->origin_ns, wl_link_tti_ns(link));
	while ((b = link->cursor)) {
		if (!link->budget)
			return false;
		sched_begin_tti(b, tti, now_ns);
		link->cursor = b->busy_next;
		if (link->guarantees)
			sched_place_again(b);
		else
			wl_sched_place(b);
		wl_link_spend(link, 1);
	}
	return true;
}

bool wl_sched_by_ttis(const struct wl_link *link)
{
	return sched_of(link)->tti;
}

struct wl_bearer *wl_sched_turn_of(const struct wl_link *link, u64 now_ns)
{
	u64 tti = div64_u64(now_ns - link->origin_ns, wl_link_tti_ns(link));
	u64 key, least = U64_MAX;
	struct wl_bearer *b, *first = NULL;

	for (b = link->busy; b; b = b->busy_next) {
		sched_begin_tti(b, tti, now_ns);
		if (b->share.foreseen || !wl_sched_wants(b))
			continue;
		key = sched_key(b);
		if (first && (key > least || (key == least && b->number > first->number)))
			continue;
		first = b;
		least = key;
	}
	return first;
}
