// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The engine of one direction of a radio link: the total order of events, the
 * arrivals and departures of SDUs, and the life of a configuration. What a
 * bearer does is in rrc/bearer.c, how its bits get on the air in mac/serve.c, what
 * becomes of them there in air/air.c and channel/channel.c.
 */
#include "air/air.h"
#include "air/reverse.h"
#include "buffer/buffer.h"
#include "buffer/sdu.h"
#include "link.h"
#include "mac/grid.h"
#include "mac/quiet.h"
#include "mac/sched.h"
#include "mac/serve.h"
#include "mac/submit.h"
#include "plain.h"

#define EVENT_SHIFT	16

/* Bearers whose next event is a step of a schedule, that are looked at: a power of 2. */
#define STEPS_SEEN	16U

void wl_link_add_sdus(struct wl_link *link, struct wl_sdu *sdus, u32 count)
{
	u32 i;

	for (i = 0; i < count; i++)
		wl_sdu_recycle(link, &sdus[count - 1 - i]);
	link->descriptors += count;
}

struct wl_sdu *wl_link_take_sdu(struct wl_link *link)
{
	struct wl_sdu *sdu = link->pool;

	if (!sdu)
		return NULL;
	link->pool = sdu->next;
	link->descriptors--;
	return sdu;
}

/* What arrives now waits with those before it; b->plain says that nothing but its
 * bearer's limit, its bits and the delay decide what becomes of it.
 */
static u64 link_wait_ns(const struct wl_link *link, const struct wl_bearer *b,
			u64 now_ns)
{
	const struct wl_sdu *first = link->inbox.head;
	u64 waiting, until_ns;

	if (!b->plain || !b->cfg.delay_ns || b->cfg.limit.kind != WL_LIMIT_PACKETS)
		return 0;
	waiting = first ? link->seq - first->seq : 1;
	if (waiting > WL_LINK_WAIT_SDUS ||
	    b->stats.v[WLINK_STAT_BUFFER_SDUS] + waiting > b->cfg.limit.value)
		return 0;
	until_ns = now_ns + min(b->cfg.delay_ns, WL_LINK_WAIT_NS);
	return first ? min(link->wait_ns, until_ns) : until_ns;
}

static void link_make(struct wl_link *link, struct wl_bearer *b, struct wl_sdu *sdu,
		      u64 now_ns, void *cookie, u32 bytes)
{
	*sdu = (struct wl_sdu){
		.owner = b, .cookie = cookie, .seq = link->seq++,
		.arrival_ns = now_ns, .start_ns = WL_NEVER_NS,
		.end_ns = WL_NEVER_NS,
		.bytes = bytes, .left_bytes = bytes,
		.flags = WL_SDU_RELEASED,
	};
	b->stats.v[WLINK_STAT_SDUS_IN]++;
	b->stats.v[WLINK_STAT_BYTES_IN] += bytes;
	b->stats.v[WLINK_STAT_SDUS_HELD]++;
	b->stats.v[WLINK_STAT_BYTES_HELD] += bytes;
}

void wl_link_refuse(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		    void *cookie, u32 bytes, enum wlink_drop reason)
{
	struct wl_sdu refused;

	link_make(link, b, &refused, now_ns, cookie, bytes);
	wl_sdu_count_drop(&refused, now_ns, reason);
}

bool wl_link_enqueue(struct wl_link *link, struct wl_bearer *b, u64 now_ns,
		     void *cookie, u32 bytes, u8 ecn)
{
	struct wl_sdu *sdu = link->pool;

	if (!sdu) {
		wl_link_refuse(link, b, now_ns, cookie, bytes,
			       WLINK_DROP_SLOTS);
		return false;
	}
	link->pool = sdu->next;
	link_make(link, b, sdu, now_ns, cookie, bytes);
	sdu->ecn = ecn & WL_ECN_MASK;
	link->wait_ns = link_wait_ns(link, b, now_ns);
	wl_fifo_push(&link->inbox, sdu);
	return true;
}

static void link_count_delivered(struct wl_bearer *b, const struct wl_sdu *sdu)
{
	struct wl_stats *stats = &b->stats;

	stats->v[WLINK_STAT_SDUS_HELD]--;
	stats->v[WLINK_STAT_BYTES_HELD] -= sdu->bytes;
	if (sdu->drop == WLINK_DROP_FORWARD) {
		stats->drops[WLINK_DROP_FORWARD]++;
		stats->v[WLINK_STAT_BYTES_DROPPED] += sdu->bytes;
		return;
	}
	stats->v[WLINK_STAT_SDUS_DELIVERED]++;
	stats->v[WLINK_STAT_BYTES_DELIVERED] += sdu->bytes;
	wl_stats_why(stats, WLINK_WHY_QUEUE, wl_sdu_queue_ns(sdu));
	wl_stats_why(stats, WLINK_WHY_SERIAL, wl_sdu_serial_ns(sdu));
	wl_stats_why(stats, WLINK_WHY_PROP, wl_sdu_prop_ns(sdu));
	wl_stats_why(stats, WLINK_WHY_RETX, wl_sdu_retx_ns(sdu));
	wl_stats_why(stats, WLINK_WHY_HOL, wl_sdu_hol_ns(sdu));
	wl_stats_why(stats, WLINK_WHY_TOTAL, sdu->deliver_ns - sdu->arrival_ns);
	if (b->access.on)
		wl_stats_why(stats, WLINK_WHY_ACCESS, wl_sdu_access_ns(sdu));
	if (b->impair.on)
		wl_stats_why(stats, WLINK_WHY_JITTER, sdu->jitter_ns);
}

void wl_link_hand_over(struct wl_link *link, struct wl_sdu *sdu)
{
	struct wl_bearer *b = sdu->owner;

	link->out.head = sdu->out_next;
	link_count_delivered(b, sdu);
	wl_sdu_gone(b, sdu);
}

/* Bring the places of touched bearers among the events up to date. */
static void link_place(struct wl_bearer *b)
{
	struct wl_heap *events = &b->link->events;
	enum wl_event kind = WL_EVENT_END;
	u64 at_ns = wl_serve_end_ns(b);
	u64 next_ns = wl_bearer_event_ns(b);

	if (next_ns < at_ns) {
		at_ns = next_ns;
		kind = WL_EVENT_PROTOCOL;
	}
	next_ns = wl_schedule_next_ns(b);
	if (next_ns < at_ns) {
		at_ns = next_ns;
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

static void link_place_touched(struct wl_link *link)
{
	struct wl_bearer *b;

	while ((b = link->touched)) {
		link->touched = b->touched_next;
		b->touched = false;
		link_place(b);
	}
}

static void link_arrive(struct wl_link *link)
{
	struct wl_sdu *sdu = wl_fifo_pop(&link->inbox);
	struct wl_bearer *b = sdu->owner;

	wl_schedule_arrival(b, sdu->arrival_ns);
	wl_buffer_arrive(b, sdu, link->event_ns);
	wl_sched_wake(b, link->event_ns);
	wl_bearer_touch(b);
}

static u64 link_mail_ns(const struct wl_link *link)
{
	if (link->mail.head == link->mail.tail)
		return WL_NEVER_NS;
	return link->mails[link->mail.head % WL_MAIL_MAX].at_ns;
}

/* What comes next: a bearer's own event, or one of the link. */
static u64 link_next_event(const struct wl_link *link, enum wl_event *kind,
			   struct wl_bearer **b)
{
	const struct wl_node *first = wl_heap_first(&link->events);
	u64 pending_ns = link->pending ? wl_pending_next_ns(link) : WL_NEVER_NS;
	u64 at_ns = WL_NEVER_NS;

	if (link->rest.on) {
		*kind = link->rest.kind;
		*b = link->rest.b;
		return link->event_ns;
	}
	*b = NULL;
	/* A change is one event. */
	if (link->news || (link->pending && link->pending->done)) {
		*kind = WL_EVENT_CONFIGURE;
		return link->event_ns;
	}
	*kind = WL_EVENT_ARRIVAL;
	if (link->inbox.head)
		at_ns = link->inbox.head->arrival_ns;
	at_ns = min(at_ns, link_mail_ns(link));
	if (link->start_ns <= at_ns) {
		at_ns = link->start_ns;
		*kind = WL_EVENT_START;
	}
	if (pending_ns <= at_ns) {
		at_ns = pending_ns;
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

/* What comes next but for the start of a TTI. */
static u64 link_other_event_ns(const struct wl_link *link)
{
	const struct wl_node *first = wl_heap_first(&link->events);
	u64 at_ns = link->pending ? wl_pending_next_ns(link) : WL_NEVER_NS;

	if (link->inbox.head)
		at_ns = min(at_ns, link->inbox.head->arrival_ns);
	if (first)
		at_ns = min(at_ns, first->key);
	return min(at_ns, link_mail_ns(link));
}

/* Feedback of the other link, in the order in which it came. */
static void link_read_mail(struct wl_link *link)
{
	struct wl_message message = link->mails[link->mail.head++ % WL_MAIL_MAX];

	wl_submit_carry(link, message.b, link->event_ns, &message);
	if (!message.b)
		return;
	wl_sched_wake(message.b, link->event_ns);
	wl_bearer_touch(message.b);
}

/* Return: whether it has been handled whole. */
static bool link_handle(struct wl_link *link, enum wl_event kind,
			struct wl_bearer *b, u64 at_ns)
{
	bool whole = true;

	switch (kind) {
	case WL_EVENT_END:
		wl_serve_end(b, at_ns);
		break;
	case WL_EVENT_PROTOCOL:
		wl_bearer_event(b, at_ns);
		whole = !b->again;
		break;
	case WL_EVENT_CONFIGURE:
		if (b)
			whole = wl_schedule_event(b, at_ns);
		else if (link->news)
			wl_bearer_tell(link);
		else
			wl_pending_apply(link, at_ns);
		break;
	case WL_EVENT_START:
		if (b)
			wl_serve_start_own(b, at_ns);
		else
			whole = wl_serve_start(link, at_ns);
		break;
	case WL_EVENT_ARRIVAL:
		if (link_mail_ns(link) <= at_ns)
			link_read_mail(link);
		else
			link_arrive(link);
		break;
	}
	if (b)
		wl_bearer_touch(b);
	return whole;
}

static noinline bool link_advance(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;
	enum wl_event kind;
	u64 at_ns;

	link->budget = link->budget_max;
	for (;;) {
		link_place_touched(link);
		at_ns = link_next_event(link, &kind, &b);
		if (at_ns > now_ns || at_ns == WL_NEVER_NS)
			return true;
		if (!link->budget)
			return false;
		if (kind != WL_EVENT_START || b)
			link->quiet = false;
		else if (wl_quiet_pass(link, min(link_other_event_ns(link), now_ns + 1)))
			continue;
		link->phase = kind;
		link->event_ns = at_ns;
		link->rest.on = !link_handle(link, kind, b, at_ns);
		link->rest.kind = kind;
		link->rest.b = b;
		wl_link_spend(link, 1);
		link->phase = WL_EVENT_ARRIVAL;
	}
}

bool wl_link_advance(struct wl_link *link, u64 now_ns)
{
	link->now_ns = max(link->now_ns, now_ns);
	if (wl_plain(link) && !link->paired)
		return wl_plain_advance(link, now_ns);
	return link_advance(link, now_ns);
}

/* What becomes of the first SDU that is not whole yet, and when: a lost one is due
 * when it ends, a good one a delay later. Where SDUs may be lost, one behind the
 * first may be due before it.
 */
static noinline u64 link_first_due_ns(const struct wl_bearer *b,
				      const struct wl_sdu *first)
{
	const struct wl_unit *unit = &b->unit;
	enum wlink_channel kind = b->air->chan.cfg.kind;
	bool certain = kind == WLINK_CHANNEL_NONE;
	bool lost = first->pdus_lost;
	u64 end_ns;

	if (b->air_sdus.head) {
		end_ns = first->end_ns;
	} else if (unit->on && unit->bytes == first->left_bytes) {
		end_ns = unit->end_ns;
		lost |= unit->lost;
		certain |= !first->next && kind != WLINK_CHANNEL_TWOSTATE;
	} else {
		end_ns = wl_serve_first_done_ns(b);
		lost |= unit->on && unit->lost;
	}
	if (!lost && certain)
		end_ns = max(end_ns + b->cfg.delay_ns, b->last_deliver_ns);
	return end_ns;
}

/* A link with one bearer in TM need not be woken for every PDU and TTI: what it
 * does is known ahead.
 */
static u64 link_next_tm_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *first = b->air_sdus.head ?: b->queue.head;
	u64 next_ns = wl_bearer_event_ns(b);

	if (!first || (!b->air_sdus.head && !b->cfg.rate_bps))
		return next_ns;
	return min(next_ns, link_first_due_ns(b, first));
}

/* The same of a plain one: its events are deliveries, and it has a rate. */
static u64 link_next_plain_ns(const struct wl_bearer *b)
{
	u64 next_ns = b->pipe.head ? b->pipe.head->deliver_ns : WL_NEVER_NS;

	return b->queue.head ? min(next_ns, link_first_due_ns(b, b->queue.head)) : next_ns;
}

static bool link_is_step(const struct wl_node *node)
{
	return node->sub >> EVENT_SHIFT == WL_EVENT_CONFIGURE;
}

/* The first event of a bearer that may have something to tell: not each step of a
 * schedule has. All others come after one of those that are looked at.
 */
static u64 link_seen_ns(const struct wl_heap *events)
{
	const struct wl_node *first = wl_heap_first(events);
	u64 next_ns = first ? first->key : WL_NEVER_NS;
	u32 i;

	if (!first || !link_is_step(first))
		return next_ns;
	for (i = 1, next_ns = WL_NEVER_NS; i <= events->count && i < 2 * STEPS_SEEN; i++) {
		const struct wl_node *node = events->node[i];

		next_ns = min(next_ns, i < STEPS_SEEN && link_is_step(node) ?
			      wl_schedule_seen_ns(node->bearer) : node->key);
	}
	return next_ns;
}

static noinline u64 link_next_place_ns(struct wl_link *link)
{
	u64 next_ns, start_ns = link->start_ns;

	link_place_touched(link);
	next_ns = link_seen_ns(&link->events);
	/* What a TTI carries is complete at its end at the earliest. */
	if (start_ns != WL_NEVER_NS && !link->filling)
		start_ns += (1 + wl_quiet_ttis(link)) * wl_link_tti_ns(link);
	return min(next_ns, start_ns);
}

static noinline u64 link_next_ns(struct wl_link *link)
{
	const struct wl_bearer *b = &link->first;
	u64 next_ns;

	if (link->bearers == 1 && !b->ops && !wl_link_shared(link) &&
	    !b->cfg.harq.processes && !b->access.on && !b->impair.on &&
	    !b->schedule && !b->next_schedule &&
	    !(b->aqm.ops && b->aqm.ops->front))
		next_ns = link_next_tm_ns(b);
	else
		next_ns = link_next_place_ns(link);
	return link->pending ? min(next_ns, wl_pending_next_ns(link)) : next_ns;
}

u64 wl_link_next_ns(struct wl_link *link)
{
	if (link->inbox.head || link->news || link->mail.head != link->mail.tail)
		return 0;
	return wl_plain(link) ? link_next_plain_ns(&link->first) : link_next_ns(link);
}

void wl_link_pair(struct wl_link *link, struct wl_message *mails)
{
	struct wl_bearer *b;

	link->paired = mails;
	link->mails = mails;
	link->mail = (struct wl_ring){ };
	wl_reverse_part(&link->first);
	for (b = link->all; b; b = b->next)
		wl_reverse_part(b);
}

void wl_link_post(struct wl_link *link, struct wl_bearer *b,
		  const struct wl_message *message)
{
	struct wl_message *last;
	u64 at_ns = max(message->at_ns, link->now_ns);

	if (message->back) {
		if (b)
			wl_reverse_back(b, message);
		return;
	}
	/* It is lost; the timers of who has sent it see to the rest. */
	if (link->mail.tail - link->mail.head == WL_MAIL_MAX)
		return;
	if (link->mail.head != link->mail.tail)
		at_ns = max(at_ns, link->mails[(link->mail.tail - 1) % WL_MAIL_MAX].at_ns);
	last = &link->mails[link->mail.tail++ % WL_MAIL_MAX];
	*last = *message;
	last->at_ns = at_ns;
	last->b = b;
}

struct wl_node **wl_link_give_heaps(struct wl_link *link,
				    struct wl_node **nodes, u32 bearers)
{
	struct wl_node **old = link->events.node;
	u32 i;

	for (i = 1; i <= link->events.count; i++)
		nodes[i] = link->events.node[i];
	for (i = 1; i <= link->turn.count; i++)
		nodes[bearers + 1 + i] = link->turn.node[i];
	link->events.node = nodes;
	link->turn.node = nodes + bearers + 1;
	return old == link->heap1 ? NULL : old;
}

void wl_link_add_bearer(struct wl_link *link, struct wl_bearer *b, u16 number,
			const struct wl_cfg *cfg, u64 now_ns)
{
	wl_bearer_init(b, link, number, cfg, now_ns);
	b->next = link->all;
	link->all = b;
	link->bearers++;
}

/* Its TTIs may have been the ones that carried nothing. */
static void link_leave(struct wl_bearer *b, u64 now_ns, enum wlink_drop reason)
{
	b->link->quiet = false;
	wl_bearer_leave(b, now_ns, reason);
	wl_bearer_touch(b);
}

void wl_link_forward(struct wl_link *link, struct wl_bearer *b, u64 now_ns)
{
	link_leave(b, now_ns, WLINK_DROP_FORWARD);
}

void wl_link_clear(struct wl_link *link, struct wl_bearer *b, u64 now_ns)
{
	link_leave(b, now_ns, WLINK_DROP_FLUSH);
}

static void link_flush_bearer(struct wl_bearer *b, u64 now_ns)
{
	wl_bearer_flush(b, now_ns);
	wl_bearer_touch(b);
}

void wl_link_del_bearer(struct wl_link *link, struct wl_bearer *b, u64 now_ns)
{
	struct wl_bearer **from = &link->all;
	u64 gbr_bps = b->cfg.gbr_bps;
	u32 i;

	for (i = link->mail.head; i != link->mail.tail; i++)
		if (link->mails[i % WL_MAIL_MAX].b == b)
			link->mails[i % WL_MAIL_MAX].b = NULL;
	wl_pending_forget(link, b);
	link_flush_bearer(b, now_ns);
	link_place_touched(link);
	wl_heap_remove(&link->events, &b->event);
	while (*from != b)
		from = &(*from)->next;
	*from = b->next;
	if (link->untold == b)
		link->untold = b->next;
	if (!link->all)
		link->news = 0;
	if (link->rest.b == b)
		link->rest.on = false;
	link->bearers--;
	b->cfg.gbr_bps = 0;
	wl_sched_guarantee(b, now_ns, gbr_bps);
	wl_sched_take_back(b);
	wl_stats_add(&link->gone, &b->stats);
	b->link = NULL;
}

static void link_flush_arrived(struct wl_fifo *arrived, u64 now_ns)
{
	struct wl_sdu *sdu;

	while ((sdu = wl_fifo_pop(arrived)))
		wl_sdu_let_go(sdu->owner, sdu, now_ns, WLINK_DROP_FLUSH);
}

static void link_flush_out(struct wl_sdu *sdu, u64 now_ns)
{
	struct wl_sdu *next;

	for (; sdu; sdu = next) {
		next = sdu->out_next;
		wl_sdu_drop_out(sdu->owner, sdu, now_ns);
	}
}

void wl_link_flush(struct wl_link *link, u64 now_ns)
{
	struct wl_sdu *out = link->out.head, *sifted = link->sifted;
	struct wl_bearer *b;

	link->event_ns = now_ns;
	link->rest.on = false;
	link->quiet = false;
	link_flush_arrived(&link->passed, now_ns);
	link_flush_arrived(&link->inbox, now_ns);
	link->out.head = NULL;
	link->sifted = NULL;
	link_flush_out(out, now_ns);
	link_flush_out(sifted, now_ns);
	link_flush_bearer(&link->first, now_ns);
	for (b = link->all; b; b = b->next)
		link_flush_bearer(b, now_ns);
	wl_serve_grid(link, now_ns);
}

void wl_link_init(struct wl_link *link, const struct wl_cfg *cfg, u64 now_ns,
		  const struct wl_link_ops *ops)
{
	memset(link, 0, sizeof(*link));
	link->ops = ops;
	link->budget_max = WL_LINK_BUDGET_MAX;
	link->phase = WL_EVENT_ARRIVAL;
	link->start_ns = WL_NEVER_NS;
	link->event_ns = now_ns;
	link->bearers = 1;
	link->events.node = link->heap1;
	link->turn.node = link->heap1 + 2;
	link->first.cfg = *cfg;
	link->origin_ns = wl_grid_origin_ns(link, now_ns);
	link->begun_ns = WL_NEVER_NS;
	wl_air_init(link, &link->air, NULL, now_ns);
	wl_rng_seed(&link->users.rng, cfg->seed, WL_RNG_USERS, 0);
	wl_bearer_init(&link->first, link, 1, cfg, now_ns);
}
