// SPDX-License-Identifier: GPL-2.0
/*
 * The engine of one direction of a radio link: where SDUs wait, the total order
 * of events, and the life of a configuration. How bits get on the air is in
 * wl_serve.c, what becomes of them there in wl_chan.c.
 *
 * A SDU moves inbox -> queue -> air (or unit) -> pipe -> the far side. It is in
 * the buffer, for the limit and the occupancy, until its last bit is sent.
 */
#include "wl_link.h"
#include "wl_serve.h"

static struct wl_sdu *slot_get(struct wl_link *link)
{
	struct wl_sdu *sdu = link->pool;

	if (sdu)
		link->pool = sdu->next;
	return sdu;
}

static void slot_put(struct wl_link *link, struct wl_sdu *sdu)
{
	sdu->next = link->pool;
	link->pool = sdu;
}

void wl_link_chain_slots(struct wl_sdu *sdus, u32 count)
{
	u32 i;

	for (i = 1; i < count; i++)
		sdus[i - 1].next = &sdus[i];
}

void wl_link_attach_slots(struct wl_link *link, struct wl_sdu *sdus, u32 count)
{
	if (!count)
		return;
	link->slots += count;
	sdus[count - 1].next = link->pool;
	link->pool = sdus;
}

void wl_link_add_slots(struct wl_link *link, struct wl_sdu *sdus, u32 count)
{
	wl_link_chain_slots(sdus, count);
	wl_link_attach_slots(link, sdus, count);
}

static void tell_dropped(struct wl_link *link, struct wl_sdu *sdu, u64 at_ns,
			 enum wlink_drop drop)
{
	sdu->end_ns = at_ns;
	sdu->drop = drop;
	sdu->generation = link->generation;
	link->stats.drops[drop]++;
	link->stats.bytes_dropped += sdu->bytes;
	link->ops->dropped(link, sdu);
}

static void unhold(struct wl_link *link, struct wl_sdu *sdu)
{
	link->held--;
	link->held_bytes -= sdu->bytes;
	slot_put(link, sdu);
}

static void drop(struct wl_link *link, struct wl_sdu *sdu, u64 at_ns,
		 enum wlink_drop reason)
{
	tell_dropped(link, sdu, at_ns, reason);
	unhold(link, sdu);
}

bool wl_link_enqueue(struct wl_link *link, u64 now_ns, void *cookie, u32 bytes)
{
	struct wl_sdu *sdu = slot_get(link);
	struct wl_sdu refused;

	link->stats.sdus_in++;
	link->stats.bytes_in += bytes;
	if (!sdu)
		sdu = &refused;
	memset(sdu, 0, sizeof(*sdu));
	sdu->cookie = cookie;
	sdu->seq = link->seq++;
	sdu->arrival_ns = now_ns;
	sdu->start_ns = WL_NEVER_NS;
	sdu->bytes = bytes;
	sdu->left_bytes = bytes;
	sdu->bearer = 1;
	if (sdu == &refused) {
		tell_dropped(link, sdu, now_ns, WLINK_DROP_SLOTS);
		return false;
	}
	link->held++;
	link->held_bytes += bytes;
	wl_fifo_push(&link->inbox, sdu);
	return true;
}

/* A limit below one SDU must not make the link dead, so an empty buffer takes
 * any SDU.
 */
static bool buffer_full(const struct wl_link *link, u32 bytes)
{
	const struct wl_stats *stats = &link->stats;

	if (link->cfg.limit.kind == WL_LIMIT_PACKETS)
		return stats->buffer_sdus >= link->cfg.limit.value;
	return stats->buffer_sdus &&
	       stats->buffer_bytes + bytes > wl_cfg_limit_bytes(&link->cfg);
}

static void arrive(struct wl_link *link)
{
	struct wl_sdu *sdu = wl_fifo_pop(&link->inbox);
	struct wl_stats *stats = &link->stats;
	u64 at_ns = sdu->arrival_ns;

	if (buffer_full(link, sdu->bytes)) {
		drop(link, sdu, at_ns, WLINK_DROP_OVERFLOW);
		return;
	}
	stats->buffer_sdus++;
	stats->buffer_bytes += sdu->bytes;
	stats->buffer_sdus_max = max(stats->buffer_sdus_max,
				     stats->buffer_sdus);
	stats->buffer_bytes_max = max(stats->buffer_bytes_max,
				      stats->buffer_bytes);
	wl_fifo_push(&link->queue, sdu);
	if (link->start_ns == WL_NEVER_NS && !link->unit.sdu)
		wl_serve_wake(link, at_ns);
}

static void sent(struct wl_link *link, struct wl_sdu *sdu, u64 at_ns)
{
	link->stats.buffer_sdus--;
	link->stats.buffer_bytes -= sdu->bytes;
	if (sdu->pdus_lost) {
		drop(link, sdu, at_ns, WLINK_DROP_CHANNEL);
		return;
	}
	sdu->end_ns = at_ns;
	sdu->generation = link->generation;
	/* A shorter delay must not let a SDU overtake the one before it. */
	sdu->deliver_ns = max(at_ns + link->cfg.delay_ns,
			      link->last_deliver_ns);
	link->last_deliver_ns = sdu->deliver_ns;
	wl_fifo_push(&link->pipe, sdu);
}

static void configure(struct wl_link *link, u64 at_ns)
{
	u64 old_bps = link->cfg.rate_bps;
	bool reseed = link->reseed;

	link->cfg_at_ns = WL_NEVER_NS;
	link->reseed = false;
	link->generation++;
	wl_serve_configure(link, at_ns, &link->next_cfg, reseed);
	link->ops->rate_changed(link, at_ns, old_bps, link->cfg.rate_bps);
}

bool wl_link_advance(struct wl_link *link, u64 now_ns)
{
	u32 work = link->work_max;

	for (;;) {
		u64 end_ns = wl_serve_end_ns(link);
		u64 at_ns = min3(end_ns, link->cfg_at_ns, link->start_ns);
		struct wl_sdu *sdu;

		if (link->inbox.head)
			at_ns = min(at_ns, link->inbox.head->arrival_ns);
		if (at_ns > now_ns || at_ns == WL_NEVER_NS)
			return true;
		if (!work)
			return false;
		work--;
		/* The order of these four is the order of events at one time. */
		if (at_ns == end_ns) {
			sdu = wl_serve_end(link, at_ns);
			if (sdu)
				sent(link, sdu, at_ns);
		} else if (at_ns == link->cfg_at_ns) {
			configure(link, at_ns);
		} else if (at_ns == link->start_ns) {
			wl_serve_start(link, at_ns, &work);
		} else {
			arrive(link);
		}
	}
}

bool wl_link_pop(struct wl_link *link, u64 now_ns, struct wl_sdu *out)
{
	struct wl_sdu *sdu = link->pipe.head;
	struct wl_stats *stats = &link->stats;

	if (!sdu || sdu->deliver_ns > now_ns)
		return false;
	wl_fifo_pop(&link->pipe);
	*out = *sdu;
	stats->sdus_delivered++;
	stats->bytes_delivered += sdu->bytes;
	stats->queue_ns += sdu->start_ns - sdu->arrival_ns;
	stats->serial_ns += sdu->end_ns - sdu->start_ns;
	stats->prop_ns += sdu->deliver_ns - sdu->end_ns;
	unhold(link, sdu);
	return true;
}

/* A lost SDU is due when it ends, a good one a delay later. Where SDUs may be
 * lost, one behind the first may be due before it.
 */
static u64 due_ns(const struct wl_link *link, u64 end_ns, bool lost)
{
	if (lost || link->chan.cfg.kind != WLINK_CHANNEL_NONE)
		return end_ns;
	return max(end_ns + link->cfg.delay_ns, link->last_deliver_ns);
}

u64 wl_link_next_ns(const struct wl_link *link)
{
	const struct wl_sdu *first = link->queue.head;
	const struct wl_unit *unit = &link->unit;
	u64 next_ns = link->cfg_at_ns;

	if (link->inbox.head)
		return 0;
	if (link->pipe.head)
		next_ns = min(next_ns, link->pipe.head->deliver_ns);
	if (link->air.head)
		return min(next_ns, due_ns(link, wl_serve_end_ns(link),
					   link->air.head->pdus_lost));
	if (!first)
		return next_ns;
	return min(next_ns, due_ns(link, wl_serve_first_done_ns(link),
				   first->pdus_lost ||
				   (unit->sdu && unit->lost)));
}

void wl_link_configure(struct wl_link *link, u64 now_ns,
		       const struct wl_cfg *cfg, bool reseed)
{
	bool waits = link->cfg_at_ns != WL_NEVER_NS;

	link->next_cfg = *cfg;
	link->reseed = reseed || (waits && link->reseed);
	if (!link->cfg.tti_ns)
		link->cfg_at_ns = now_ns;
	else if (!waits)
		link->cfg_at_ns = wl_serve_boundary_ns(link, now_ns);
}

static void start_over(struct wl_link *link, u64 now_ns)
{
	link->cfg_at_ns = WL_NEVER_NS;
	link->start_ns = WL_NEVER_NS;
	link->last_deliver_ns = 0;
	link->unit.sdu = NULL;
	link->unit.end_ns = WL_NEVER_NS;
	link->over = 0;
	link->credit_bits = 0;
	link->credit_rest = 0;
	link->filling = false;
	link->origin_ns = now_ns;
}

static void flush_fifo(struct wl_link *link, struct wl_fifo *fifo, u64 now_ns)
{
	struct wl_sdu *sdu;

	while ((sdu = wl_fifo_pop(fifo)))
		drop(link, sdu, now_ns, WLINK_DROP_FLUSH);
}

void wl_link_flush(struct wl_link *link, u64 now_ns)
{
	bool waits = link->cfg_at_ns != WL_NEVER_NS;

	flush_fifo(link, &link->pipe, now_ns);
	flush_fifo(link, &link->air, now_ns);
	flush_fifo(link, &link->queue, now_ns);
	flush_fifo(link, &link->inbox, now_ns);
	link->stats.buffer_sdus = 0;
	link->stats.buffer_bytes = 0;
	start_over(link, now_ns);
	if (waits)
		configure(link, now_ns);
}

void wl_link_init(struct wl_link *link, const struct wl_cfg *cfg, u64 now_ns,
		  const struct wl_link_ops *ops)
{
	memset(link, 0, sizeof(*link));
	link->ops = ops;
	link->work_max = WL_LINK_WORK_MAX;
	start_over(link, now_ns);
	wl_serve_configure(link, now_ns, cfg, true);
}
