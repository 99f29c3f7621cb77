// SPDX-License-Identifier: GPL-2.0
/*
 * Whose turn it is where bearers share a transmitter: a heap of those that have
 * something to send, by a key that each scheduler makes from what it goes by.
 */
#include "wl_mode.h"
#include "wl_sched.h"
#include "wl_serve.h"

#define PRIO_SHIFT	56

/* pf: the mean follows with a weight of 1/128 a TTI. */
#define MEAN_SHIFT	7
#define ONE_Q62		(1ULL << 62)

static u64 arrival_ns(const struct wl_bearer *b)
{
	if (b->ops)
		return b->ops->key_ns(b);
	return b->queue.head->arrival_ns;
}

/* What the mean has left after TTIs without service: (1 - 1/128)^n. */
static u64 fade_q62(u64 ttis)
{
	u64 base_q62 = ONE_Q62 - (ONE_Q62 >> MEAN_SHIFT);
	u64 left_q62 = ONE_Q62;

	while (ttis && left_q62) {
		if (ttis & 1)
			left_q62 = mul_u64_u64_shr(left_q62, base_q62, 62);
		base_q62 = mul_u64_u64_shr(base_q62, base_q62, 62);
		ttis >>= 1;
	}
	return left_q62;
}

/* Bring the mean to the start of a TTI: what was sent in the one that it was
 * taken in counts, all after it brought nothing.
 */
static void fade(struct wl_bearer *b, u64 tti)
{
	struct wl_share *share = &b->share;
	u64 sent_bps;

	if (tti == share->mean_tti)
		return;
	/* bits * 10^9 < 2^64 for what 100 Gbit/s send in 180 ms; longer TTIs
	 * lose the low bits of a sum that large.
	 */
	sent_bps = share->tti_bits < (1ULL << 34) ?
		div64_u64(share->tti_bits * WL_NSEC_PER_SEC,
			  wl_link_tti_ns(b->link)) :
		div64_u64(share->tti_bits, wl_link_tti_ns(b->link)) *
			WL_NSEC_PER_SEC;
	share->mean_bps -= share->mean_bps >> MEAN_SHIFT;
	share->mean_bps += sent_bps >> MEAN_SHIFT;
	share->mean_bps = mul_u64_u64_shr(share->mean_bps,
					  fade_q62(tti - share->mean_tti - 1),
					  62);
	share->mean_tti = tti;
	share->tti_bits = 0;
}

static u64 key(const struct wl_bearer *b)
{
	const struct wl_share *share = &b->share;

	switch (b->link->first.cfg.sched) {
	case WLINK_SCHED_FIFO:
		return arrival_ns(b);
	case WLINK_SCHED_PRIO:
		return (u64)b->cfg.prio << PRIO_SHIFT | share->turns;
	case WLINK_SCHED_PF:
		/* Least mean over rate first; means are below 2^37. */
		return div64_u64(share->mean_bps << 26, b->cfg.rate_bps);
	default:
		return share->turns;
	}
}

static void place(struct wl_bearer *b)
{
	wl_heap_set(&b->link->turn, &b->share.turn, key(b), b->number);
}

void wl_sched_add(struct wl_bearer *b)
{
	if (b->share.turn.at && b->link->first.cfg.sched == WLINK_SCHED_PF)
		return;
	place(b);
}

struct wl_bearer *wl_sched_first(struct wl_link *link)
{
	struct wl_node *node;

	while ((node = wl_heap_first(&link->turn))) {
		struct wl_bearer *b = node->bearer;

		if (!wl_bearer_wanted(b)) {
			wl_serve_idle(b);
			continue;
		}
		/* What it would send may have become younger meanwhile. */
		if (link->first.cfg.sched == WLINK_SCHED_FIFO &&
		    node->key != key(b)) {
			place(b);
			continue;
		}
		return b;
	}
	return NULL;
}

void wl_sched_sent(struct wl_bearer *b, u64 bits)
{
	b->share.turns = ++b->link->turns;
	b->share.tti_bits += bits;
	if (!wl_bearer_wanted(b))
		wl_serve_idle(b);
	else
		wl_sched_add(b);
}

void wl_sched_tti(struct wl_link *link, u64 now_ns)
{
	u64 tti = div64_u64(now_ns - link->origin_ns, wl_link_tti_ns(link));
	struct wl_bearer *b;

	if (link->first.cfg.sched != WLINK_SCHED_PF)
		return;
	for (b = link->busy; b; b = b->busy_next) {
		fade(b, tti);
		place(b);
	}
}
