// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The end of a SDU's life: released by the sender, delivered or dropped, and its
 * descriptor back in the pool.
 */
#include "../impair/impair.h"
#include "sdu.h"

/* Descriptors that go back together: how long that takes must not depend on what
 * the call has done before.
 */
#define REAP_MAX	64U

void wl_sdu_reap_first(struct wl_bearer *b)
{
	if (b->passed == b->queue.head)
		b->passed = NULL;
	wl_sdu_recycle(b->link, wl_fifo_pop(&b->queue));
}

void wl_sdu_reap_listed(struct wl_bearer *b)
{
	u32 left = REAP_MAX;

	while (left-- && wl_sdu_is_over(b->queue.head))
		wl_sdu_reap_first(b);
	if (!wl_sdu_is_over(b->queue.head))
		return;
	b->again = true;
	wl_bearer_touch(b);
}

void wl_sdu_release(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (sdu->flags & WL_SDU_RELEASED)
		return;
	wl_sdu_give_up(b, sdu);
	sdu->flags |= WL_SDU_RELEASED;
	wl_sdu_reap(b, sdu);
}

void wl_sdu_deliver(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	sdu->deliver_ns = now_ns;
	sdu->drop = WLINK_DROP_NONE;
	sdu->generation = b->link->generation;
	wl_sdu_received(b, sdu);
}

/* Without acknowledgements it has left the buffer with its last bit, though that is
 * lost; else it is in there until it is dropped.
 */
static void sdu_end(struct wl_sdu *sdu, u64 now_ns, enum wlink_drop reason)
{
	const struct wl_mode_ops *ops = sdu->owner->ops;

	if (sdu->end_ns > now_ns || (ops && !ops->unacknowledged))
		sdu->end_ns = now_ns;
	sdu->deliver_ns = now_ns;
	sdu->drop = reason;
}

void wl_sdu_count_drop(struct wl_sdu *sdu, u64 now_ns, enum wlink_drop reason)
{
	struct wl_stats *stats = &sdu->owner->stats;
	struct wl_link *link = sdu->owner->link;

	sdu_end(sdu, now_ns, reason);
	sdu->generation = link->generation;
	stats->drops[reason]++;
	stats->v[WLINK_STAT_BYTES_DROPPED] += sdu->bytes;
	stats->v[WLINK_STAT_SDUS_HELD]--;
	stats->v[WLINK_STAT_BYTES_HELD] -= sdu->bytes;
	link->ops->dropped(link, sdu);
}

void wl_sdu_drop(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
		 enum wlink_drop reason)
{
	wl_sdu_count_drop(sdu, now_ns, reason);
	wl_sdu_gone(b, sdu);
}

void wl_sdu_drop_out(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	sdu->flags &= ~WL_SDU_OUT;
	wl_sdu_drop(b, sdu, now_ns, WLINK_DROP_FLUSH);
}

/* It goes out with what is due, and is counted when it is handed over. */
static void sdu_forward(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	sdu_end(sdu, now_ns, WLINK_DROP_FORWARD);
	sdu->generation = b->link->generation;
	wl_sdu_out(b->link, sdu);
}

void wl_sdu_let_go(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
		   enum wlink_drop reason)
{
	bool done = wl_sdu_done(sdu);

	if (done && sdu->flags & WL_SDU_RELEASED)
		wl_sdu_reap(b, sdu);
	else
		wl_sdu_release(b, sdu);
	if (done)
		return;
	if (reason == WLINK_DROP_FORWARD)
		sdu_forward(b, sdu, now_ns);
	else
		wl_sdu_drop(b, sdu, now_ns, reason);
}
