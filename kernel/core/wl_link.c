// SPDX-License-Identifier: GPL-2.0
/*
 * The engine of one direction of a radio link: the total order of events, the
 * arrivals and departures of SDUs, and the life of a configuration. What a
 * bearer does is in wl_bearer.c, how its bits get on the air in wl_serve.c, what
 * becomes of them there in wl_air.c and wl_chan.c.
 */
#include "wl_air.h"
#include "wl_grid.h"
#include "wl_link.h"
#include "wl_mode.h"
#include "wl_plain.h"
#include "wl_serve.h"
#include "wl_txn.h"

#define EVENT_SHIFT	16

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

void wl_link_recycle(struct wl_link *link, struct wl_sdu *sdu)
{
	sdu->next = link->pool;
	link->pool = sdu;
}

void wl_link_dropped(struct wl_sdu *sdu, u64 now_ns, enum wlink_drop reason)
{
	struct wl_stats *stats = &sdu->owner->stats;
	struct wl_link *link = sdu->owner->link;

	sdu->end_ns = now_ns;
	sdu->drop = reason;
	sdu->generation = link->generation;
	stats->drops[reason]++;
	stats->bytes_dropped += sdu->bytes;
	stats->held--;
	stats->held_bytes -= sdu->bytes;
	link->ops->dropped(link, sdu);
}

/* What arrives now waits with those before it; b->plain says that nothing but its
 * bearer's limit, its bits and the delay decide what becomes of it.
 */
static u64 wait_ns(const struct wl_link *link, const struct wl_bearer *b,
		   u64 now_ns)
{
	const struct wl_sdu *first = link->inbox.head;
	u64 waiting = first ? link->seq - first->seq : 1;
	u64 until_ns = now_ns + min(b->cfg.delay_ns, WL_LINK_WAIT_NS);

	if (!b->plain || b->cfg.limit.kind != WL_LIMIT_PACKETS ||
	    waiting > WL_LINK_WAIT_SDUS ||
	    b->stats.buffer_sdus + waiting > b->cfg.limit.value)
		return 0;
	return first ? min(link->wait_ns, until_ns) : until_ns;
}

bool wl_link_enqueue(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		     void *cookie, u32 bytes, u8 ecn)
{
	struct wl_sdu *sdu = link->pool;
	struct wl_sdu refused;
	bool free = sdu;

	if (free)
		link->pool = sdu->next;
	else
		sdu = &refused;
	memset(sdu, 0, sizeof(*sdu));
	sdu->owner = b;
	sdu->cookie = cookie;
	sdu->seq = link->seq++;
	sdu->arrival_ns = now_ns;
	sdu->start_ns = WL_NEVER_NS;
	sdu->bytes = bytes;
	sdu->left_bytes = bytes;
	sdu->ecn = ecn & WL_ECN_MASK;
	sdu->flags = WL_SDU_RELEASED;
	b->stats.sdus_in++;
	b->stats.bytes_in += bytes;
	b->stats.held++;
	b->stats.held_bytes += bytes;
	if (free) {
		link->wait_ns = wait_ns(link, b, now_ns);
		wl_fifo_push(&link->inbox, sdu);
	} else {
		wl_link_dropped(sdu, now_ns, WLINK_DROP_SLOTS);
	}
	return free;
}

void wl_link_out(struct wl_link *link, struct wl_sdu *sdu)
{
	sdu->flags |= WL_SDU_OUT;
	sdu->out_next = NULL;
	if (link->out.head)
		link->out.tail->out_next = sdu;
	else
		link->out.head = sdu;
	link->out.tail = sdu;
}

static void count_why(struct wl_stats *stats, enum wlink_why why, u64 ns)
{
	u32 bin = ns ? min_t(u32, ilog2(ns) + 1, WLINK_LATE_BINS - 1) : 0;

	stats->why_ns[why] += ns;
	stats->why_bins[why][bin]++;
}

static void count_delivered(struct wl_stats *stats, const struct wl_sdu *sdu)
{
	stats->sdus_delivered++;
	stats->bytes_delivered += sdu->bytes;
	stats->held--;
	stats->held_bytes -= sdu->bytes;
	count_why(stats, WLINK_WHY_QUEUE, sdu->start_ns - sdu->arrival_ns);
	count_why(stats, WLINK_WHY_SERIAL, sdu->end_ns - sdu->start_ns);
	count_why(stats, WLINK_WHY_PROP, sdu->due_ns - sdu->end_ns);
	count_why(stats, WLINK_WHY_RETX, sdu->whole_ns - sdu->due_ns);
	count_why(stats, WLINK_WHY_HOL, sdu->deliver_ns - sdu->whole_ns);
	count_why(stats, WLINK_WHY_TOTAL, sdu->deliver_ns - sdu->arrival_ns);
}

void wl_link_hand_over(struct wl_link *link, struct wl_sdu *sdu)
{
	link->out.head = sdu->out_next;
	count_delivered(&sdu->owner->stats, sdu);
	wl_bearer_gone(sdu->owner, sdu);
}

void wl_link_passed(struct wl_link *link, u64 sdus, u64 bytes)
{
	struct wl_stats *stats = &link->first.stats;
	u32 i;

	link->seq += sdus;
	stats->sdus_in += sdus;
	stats->bytes_in += bytes;
	stats->sdus_delivered += sdus;
	stats->bytes_delivered += bytes;
	stats->pdus_sent += sdus;
	stats->air_bytes += bytes;
	stats->buffer_sdus_max = max_t(u64, stats->buffer_sdus_max, 1);
	for (i = 0; i < __WLINK_WHY_MAX; i++)
		stats->why_bins[i][0] += sdus;
	wl_air_count(link->first.air, sdus);
}

bool wl_link_pop(struct wl_link *link, u64 now_ns, struct wl_sdu *out)
{
	struct wl_sdu *sdu = wl_link_due(link, now_ns);

	if (!sdu)
		return false;
	*out = *sdu;
	wl_link_hand_over(link, sdu);
	return true;
}

/* wl_bearer_event_ns(), which in TM is most often the next delivery. */
static u64 protocol_event_ns(const struct wl_bearer *b)
{
	if (b->ops || b->aqm.ops || b->cfg.rlc.discard_ns != WL_NEVER_NS)
		return wl_bearer_event_ns(b);
	return b->pipe.head ? b->pipe.head->deliver_ns : WL_NEVER_NS;
}

void wl_link_touch(struct wl_bearer *b)
{
	struct wl_heap *events = &b->link->events;
	enum wl_event kind = WL_EVENT_END;
	u64 play_ns = WL_NEVER_NS;
	u64 at_ns, protocol_ns;

	/* Once is enough, at the end. */
	if (b->link->handled == b)
		return;
	at_ns = wl_serve_end_ns(b);
	protocol_ns = protocol_event_ns(b);
	if (b->play || b->next_play)
		play_ns = wl_play_next_ns(b);
	if (protocol_ns < at_ns) {
		at_ns = protocol_ns;
		kind = WL_EVENT_PROTOCOL;
	}
	if (play_ns < at_ns) {
		at_ns = play_ns;
		kind = WL_EVENT_CONFIGURE;
	}
	if (b->start_ns < at_ns) {
		at_ns = b->start_ns;
		kind = WL_EVENT_START;
	}
	if (at_ns == WL_NEVER_NS)
		wl_heap_remove(events, &b->event);
	else
		wl_heap_set(events, &b->event, at_ns,
			    kind << EVENT_SHIFT | b->number);
}

/* Whether nothing comes at a time before a bearer of its own transmitter begins
 * to send: it need not go through the heap for that.
 */
static bool is_next(const struct wl_link *link, const struct wl_bearer *b,
		    u64 at_ns)
{
	const struct wl_heap *events = &link->events;
	u32 i = 1, last = 1;

	if (b->start_ns != at_ns || link->cfg_at_ns <= at_ns ||
	    link->start_ns <= at_ns || b->play || b->next_play ||
	    protocol_event_ns(b) <= at_ns)
		return false;
	/* Its own old place says nothing; what is below is not before. */
	if (b->event.at == 1) {
		i = 2;
		last = 3;
	}
	for (; i <= min(last, events->count); i++)
		if (events->slot[i]->key <= at_ns)
			return false;
	return true;
}

static void handled(struct wl_link *link, struct wl_bearer *b, u64 at_ns)
{
	if (is_next(link, b, at_ns))
		wl_serve_start_own(b, at_ns);
	link->handled = NULL;
	wl_link_touch(b);
}

static void arrive(struct wl_link *link)
{
	struct wl_sdu *sdu = wl_fifo_pop(&link->inbox);
	struct wl_bearer *b = sdu->owner;

	link->handled = b;
	wl_play_arrival(b, sdu->arrival_ns);
	wl_bearer_arrive(b, sdu, link->event_ns);
	handled(link, b, link->event_ns);
}

/* What comes next: a bearer's own event, or one of the link. */
static u64 next_event(const struct wl_link *link, enum wl_event *kind,
		      struct wl_bearer **b)
{
	const struct wl_node *first = wl_heap_first(&link->events);
	u64 at_ns = WL_NEVER_NS;

	*b = NULL;
	*kind = WL_EVENT_ARRIVAL;
	if (link->inbox.head)
		at_ns = link->inbox.head->arrival_ns;
	if (link->start_ns <= at_ns) {
		at_ns = link->start_ns;
		*kind = WL_EVENT_START;
	}
	if (link->cfg_at_ns <= at_ns) {
		at_ns = link->cfg_at_ns;
		*kind = WL_EVENT_CONFIGURE;
	}
	if (first && (first->key < at_ns || (first->key == at_ns &&
					     first->sub >> EVENT_SHIFT <=
					     *kind))) {
		at_ns = first->key;
		*kind = first->sub >> EVENT_SHIFT;
		*b = first->bearer;
	}
	return at_ns;
}

static void handle(struct wl_link *link, enum wl_event kind,
		   struct wl_bearer *b, u64 at_ns, u32 *work)
{
	link->handled = b;
	switch (kind) {
	case WL_EVENT_END:
		wl_serve_end(b, at_ns);
		break;
	case WL_EVENT_PROTOCOL:
		wl_bearer_event(b, at_ns);
		break;
	case WL_EVENT_CONFIGURE:
		if (b)
			wl_play_event(b, at_ns, work);
		else
			wl_txn_apply(link, at_ns, work);
		break;
	case WL_EVENT_START:
		if (b)
			wl_serve_start_own(b, at_ns);
		else
			wl_serve_start(link, at_ns, work);
		break;
	case WL_EVENT_ARRIVAL:
		arrive(link);
		break;
	}
	if (b)
		handled(link, b, at_ns);
}

static noinline bool advance(struct wl_link *link, u64 now_ns)
{
	u32 work = link->work_max;

	if (link->was_plain) {
		link->was_plain = false;
		wl_link_touch(&link->first);
	}
	for (;;) {
		enum wl_event kind;
		struct wl_bearer *b;
		u64 at_ns = next_event(link, &kind, &b);

		if (at_ns > now_ns || at_ns == WL_NEVER_NS)
			return true;
		if (!work)
			return false;
		work--;
		link->phase = kind;
		link->event_ns = at_ns;
		handle(link, kind, b, at_ns, &work);
		link->phase = WL_EVENT_ARRIVAL;
	}
}

bool wl_link_advance(struct wl_link *link, u64 now_ns)
{
	link->now_ns = max(link->now_ns, now_ns);
	if (!wl_plain(link))
		return advance(link, now_ns);
	link->was_plain = true;
	return wl_plain_advance(link, now_ns);
}

struct wl_node **wl_link_give_slots(struct wl_link *link,
				    struct wl_node **slots, u32 bearers)
{
	struct wl_node **old = link->events.slot;
	u32 i;

	for (i = 1; i <= link->events.count; i++)
		slots[i] = link->events.slot[i];
	for (i = 1; i <= link->turn.count; i++)
		slots[bearers + 1 + i] = link->turn.slot[i];
	link->events.slot = slots;
	link->turn.slot = slots + bearers + 1;
	return old == link->slot1 ? NULL : old;
}

void wl_link_add_bearer(struct wl_link *link, struct wl_bearer *b, u16 number,
			const struct wl_cfg *cfg, u64 now_ns)
{
	wl_link_touch(&link->first);
	wl_bearer_init(b, link, number, cfg, now_ns);
	b->next = link->all;
	link->all = b;
	link->bearers++;
}

/* SDUs of a bearer that the engine has not reached yet. */
static void empty_inbox(struct wl_link *link, struct wl_bearer *b, u64 now_ns)
{
	struct wl_fifo kept = { };
	struct wl_sdu *sdu;

	while ((sdu = wl_fifo_pop(&link->inbox))) {
		if (sdu->owner != b) {
			wl_fifo_push(&kept, sdu);
			continue;
		}
		wl_bearer_drop(b, sdu, now_ns, WLINK_DROP_FLUSH);
	}
	link->inbox = kept;
}

static void empty_out(struct wl_link *link, struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu = link->out.head;

	link->out.head = NULL;
	while (sdu) {
		struct wl_sdu *next = sdu->out_next;

		if (sdu->owner == b) {
			sdu->flags &= ~WL_SDU_OUT;
			wl_bearer_drop(b, sdu, now_ns, WLINK_DROP_FLUSH);
		} else {
			wl_link_out(link, sdu);
		}
		sdu = next;
	}
}

static void flush_bearer(struct wl_bearer *b, u64 now_ns)
{
	empty_inbox(b->link, b, now_ns);
	empty_out(b->link, b, now_ns);
	wl_bearer_flush(b, now_ns);
	wl_link_touch(b);
}

static void forget_txns(struct wl_link *link, const struct wl_bearer *b)
{
	struct wl_txn *txn;
	u32 i;

	for (txn = link->txns; txn; txn = txn->next)
		for (i = 0; i < txn->count; i++)
			if (txn->part[i].b == b)
				txn->part[i].b = NULL;
}

void wl_link_del_bearer(struct wl_link *link, struct wl_bearer *b, u64 now_ns)
{
	struct wl_bearer **from = &link->all;

	forget_txns(link, b);
	flush_bearer(b, now_ns);
	wl_heap_remove(&link->events, &b->event);
	while (*from != b)
		from = &(*from)->next;
	*from = b->next;
	link->bearers--;
	wl_stats_add(&link->gone, &b->stats);
	b->link = NULL;
}

void wl_link_flush(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	link->event_ns = now_ns;

	flush_bearer(&link->first, now_ns);
	for (b = link->all; b; b = b->next)
		flush_bearer(b, now_ns);
	wl_grid_begin(link, now_ns);
}

void wl_link_init(struct wl_link *link, const struct wl_cfg *cfg, u64 now_ns,
		  const struct wl_link_ops *ops)
{
	memset(link, 0, sizeof(*link));
	link->ops = ops;
	link->work_max = WL_LINK_WORK_MAX;
	link->phase = WL_EVENT_ARRIVAL;
	link->cfg_at_ns = WL_NEVER_NS;
	link->start_ns = WL_NEVER_NS;
	link->origin_ns = now_ns;
	link->event_ns = now_ns;
	link->bearers = 1;
	link->events.slot = link->slot1;
	link->turn.slot = link->slot1 + 2;
	link->first.cfg = *cfg;
	wl_air_init(link, &link->air, NULL, now_ns);
	wl_bearer_init(&link->first, link, 1, cfg, now_ns);
}
