// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a SDU in a bearer, whatever the mode.
 *
 * TM: queue -> air_sdus or unit -> pipe -> the link's out list. Modes that number
 * their PDUs keep a SDU on the queue until both peers have done with it: the
 * sender releases it, and it is gone, handed over or dropped.
 */
#include "wl_air.h"
#include "wl_buffer.h"
#include "wl_mode.h"
#include "wl_serve.h"

static const struct wl_mode_ops *ops_of(enum wlink_mode mode)
{
	switch (mode) {
	case WLINK_MODE_UM:
		return &wl_um_ops;
	case WLINK_MODE_AM:
		return &wl_am_ops;
	case WLINK_MODE_FSR:
	case WLINK_MODE_ASR:
		return &wl_sr_ops;
	default:
		return NULL;
	}
}

/* Descriptors go back in the order of the queue, so that it needs no links
 * backwards.
 */
static void reap(struct wl_bearer *b, struct wl_sdu *sdu)
{
	const u8 done = WL_SDU_RELEASED | WL_SDU_GONE;

	if (!(sdu->flags & WL_SDU_LISTED)) {
		if ((sdu->flags & done) == done)
			wl_link_recycle(b->link, sdu);
		return;
	}
	while (b->queue.head && (b->queue.head->flags & done) == done) {
		if (b->passed == b->queue.head)
			b->passed = NULL;
		wl_link_recycle(b->link, wl_fifo_pop(&b->queue));
	}
}

void wl_bearer_gone(struct wl_bearer *b, struct wl_sdu *sdu)
{
	sdu->flags |= WL_SDU_GONE;
	reap(b, sdu);
}

void wl_bearer_begin_sdu(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	sdu->flags |= WL_SDU_BEGUN;
	wl_buffer_begin(b, sdu, now_ns);
}

void wl_bearer_release(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (sdu->flags & WL_SDU_RELEASED)
		return;
	wl_bearer_give_up(b, sdu);
	sdu->flags |= WL_SDU_RELEASED;
	reap(b, sdu);
}

void wl_bearer_give_up(struct wl_bearer *b, struct wl_sdu *sdu)
{
	if (sdu->flags & WL_SDU_GIVEN_UP)
		return;
	sdu->flags |= WL_SDU_GIVEN_UP;
	b->stats.buffer_sdus--;
	b->stats.buffer_bytes -= sdu->bytes;
	if (!b->stats.buffer_sdus)
		b->empty_ns = b->link->event_ns;
	if (sdu->start_ns == WL_NEVER_NS) {
		b->unbegun_sdus--;
		b->unbegun_bytes -= sdu->bytes;
	}
}

void wl_bearer_deliver(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	sdu->deliver_ns = now_ns;
	sdu->drop = WLINK_DROP_NONE;
	sdu->generation = b->link->generation;
	wl_link_out(b->link, sdu);
}

void wl_bearer_drop(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
		    enum wlink_drop reason)
{
	wl_link_dropped(sdu, now_ns, reason);
	wl_bearer_gone(b, sdu);
}

void wl_bearer_sent(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	bool lost = sdu->pdus_lost;

	if (lost) {
		wl_bearer_release(b, sdu);
		wl_bearer_drop(b, sdu, now_ns, WLINK_DROP_CHANNEL);
		return;
	}
	sdu->end_ns = now_ns;
	sdu->generation = b->link->generation;
	sdu->due_ns = now_ns + b->cfg.delay_ns;
	sdu->whole_ns = sdu->due_ns;
	/* A shorter delay must not let a SDU overtake the one before it. */
	sdu->deliver_ns = max(sdu->due_ns, b->last_deliver_ns);
	b->last_deliver_ns = sdu->deliver_ns;
	wl_fifo_push(&b->pipe, sdu);
	wl_bearer_release(b, sdu);
}

/* TM: Timer_Discard of the first SDU that has not been begun. */
static u64 expiry_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *sdu;

	if (b->ops || b->cfg.rlc.discard_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	sdu = wl_buffer_first_unbegun(b);
	return sdu ? sdu->arrival_ns + b->cfg.rlc.discard_ns : WL_NEVER_NS;
}

u64 wl_bearer_event_ns(const struct wl_bearer *b)
{
	u64 next_ns = min(expiry_ns(b), wl_aqm_next_ns(&b->aqm));

	if (b->pipe.head)
		next_ns = min(next_ns, b->pipe.head->deliver_ns);
	if (b->ops)
		next_ns = min(next_ns, b->ops->next_ns(b));
	return next_ns;
}

void wl_bearer_event(struct wl_bearer *b, u64 now_ns)
{
	while (b->pipe.head && b->pipe.head->deliver_ns <= now_ns)
		wl_link_out(b->link, wl_fifo_pop(&b->pipe));
	/* One that arrived before the change that shortened the timer may be
	 * late.
	 */
	while (expiry_ns(b) <= now_ns)
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_TIMER);
	if (b->ops && b->ops->next_ns(b) <= now_ns)
		b->ops->event(b, now_ns);
	/* After what has been acknowledged at this time. */
	wl_buffer_event(b, now_ns);
}

u32 wl_bearer_wanted(const struct wl_bearer *b)
{
	if (b->ops)
		return b->ops->wanted(b);
	return b->queue.head ? wl_serve_pdu_bytes(b) : 0;
}

static void let_go(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns,
		   enum wlink_drop reason)
{
	bool told = sdu->flags & (WL_SDU_GONE | WL_SDU_OUT);

	if (told && sdu->flags & WL_SDU_RELEASED)
		reap(b, sdu);
	else
		wl_bearer_release(b, sdu);
	if (!told)
		wl_bearer_drop(b, sdu, now_ns, reason);
}

/* Take away what has been begun; keep what has not. */
static void drop_begun(struct wl_bearer *b, u64 now_ns)
{
	struct wl_fifo old = b->queue;
	struct wl_sdu *sdu;

	b->queue.head = NULL;
	while ((sdu = wl_fifo_pop(&old))) {
		sdu->flags &= ~WL_SDU_LISTED;
		if (sdu->flags & (WL_SDU_BEGUN | WL_SDU_GONE)) {
			let_go(b, sdu, now_ns, WLINK_DROP_REESTABLISH);
			continue;
		}
		if (b->ops)
			sdu->flags |= WL_SDU_LISTED;
		wl_buffer_unbegin(b, sdu);
		wl_fifo_push(&b->queue, sdu);
	}
}

static void start(struct wl_bearer *b, u64 now_ns)
{
	b->fresh = b->ops ? b->queue.head : NULL;
	b->passed = NULL;
	b->unended = NULL;
	b->flight.head = b->flight.tail;
	b->feedback.head = b->feedback.tail;
	memset(&b->mode, 0, sizeof(b->mode));
	if (b->ops)
		b->ops->start(b, now_ns);
}

void wl_bearer_reestablish(struct wl_bearer *b, u64 now_ns)
{
	wl_serve_abort(b, now_ns);
	b->ops = ops_of(b->cfg.mode);
	drop_begun(b, now_ns);
	start(b, now_ns);
	wl_bearer_wake(b, now_ns);
}

void wl_bearer_configure(struct wl_bearer *b, u64 now_ns,
			 const struct wl_cfg *cfg, bool reseed)
{
	struct wl_link *link = b->link;
	struct wl_cfg old = b->cfg;

	if (wl_link_tti_ns(link))
		wl_air_sync(link, b->air, now_ns);
	wl_serve_before_configure(b, now_ns, cfg);
	b->cfg = *cfg;
	wl_air_configure(b, now_ns, reseed);
	wl_serve_configure(b, now_ns, &old);
	if (wl_cfg_reestablishes(&old, cfg))
		wl_bearer_reestablish(b, now_ns);
	else if (b->ops && b->ops->configured)
		b->ops->configured(b, now_ns, &old);
	wl_buffer_configure(b, now_ns, &old);
	/* Timer_Discard may have become shorter than what has passed. */
	if (wl_bearer_event_ns(b) <= now_ns)
		wl_bearer_event(b, now_ns);
	wl_bearer_wake(b, now_ns);
}

static void flush_fifo(struct wl_bearer *b, struct wl_fifo *fifo, u64 now_ns)
{
	struct wl_sdu *sdu;

	while ((sdu = wl_fifo_pop(fifo))) {
		sdu->flags &= ~WL_SDU_LISTED;
		let_go(b, sdu, now_ns, WLINK_DROP_FLUSH);
	}
}

void wl_bearer_flush(struct wl_bearer *b, u64 now_ns)
{
	flush_fifo(b, &b->pipe, now_ns);
	flush_fifo(b, &b->air_sdus, now_ns);
	flush_fifo(b, &b->queue, now_ns);
	b->last_deliver_ns = 0;
	b->flight_last_ns = 0;
	b->reverse.free_ns = 0;
	b->reverse.last_ns = 0;
	b->reverse.air.at_ns = now_ns;
	start(b, now_ns);
	wl_buffer_start(b, now_ns);
	wl_serve_abort(b, now_ns);
	wl_serve_idle(b);
}

void wl_bearer_init(struct wl_bearer *b, struct wl_link *link, u16 number,
		    const struct wl_cfg *cfg, u64 now_ns)
{
	b->link = link;
	b->number = number;
	b->cfg = *cfg;
	wl_cfg_follow(&b->cfg);
	b->ops = ops_of(cfg->mode);
	b->empty_ns = now_ns;
	b->unit.end_ns = WL_NEVER_NS;
	b->start_ns = WL_NEVER_NS;
	b->event.bearer = b;
	b->share.turn.bearer = b;
	b->air = &link->air;
	if (number > 1 && cfg->channel.kind != WLINK_CHANNEL_LINK) {
		b->air = &b->own;
		wl_air_init(link, b->air, b, now_ns);
	}
	wl_reverse_init(b, now_ns);
	wl_rng_seed(&b->aqm.rng, link->first.cfg.seed, WL_RNG_AQM, number);
	wl_buffer_start(b, now_ns);
	wl_serve_configure(b, now_ns, NULL);
	start(b, now_ns);
}

/* Records keep their indices, which the size of a ring reduces. */
static void move_flights(const struct wl_bearer *b, const struct wl_room *to)
{
	u32 i;

	for (i = b->flight.head; i != b->flight.tail; i++)
		to->flight[i & (to->flights - 1)] =
			b->room.flight[i & (b->room.flights - 1)];
}

static void move_feedbacks(const struct wl_bearer *b, const struct wl_room *to)
{
	u32 i;

	for (i = b->feedback.head; i != b->feedback.tail; i++)
		to->feedback[i & (to->feedbacks - 1)] =
			b->room.feedback[i & (b->room.feedbacks - 1)];
}

static void move_pdus(const struct wl_bearer *b, const struct wl_room *to)
{
	u32 i;

	for (i = 0; i < b->room.pdus; i++) {
		const struct wl_pdu *pdu = &b->room.pdu[i];

		if (pdu->flags & WL_PDU_SENT)
			to->pdu[pdu->sn & (to->pdus - 1)] = *pdu;
	}
}

void wl_bearer_need(const struct wl_bearer *b, const struct wl_cfg *cfg,
		    struct wl_room *need)
{
	struct wl_cfg slow = *cfg;

	slow.delay_ns = max(slow.delay_ns, b->cfg.delay_ns);
	wl_room_need(&slow, need);
	wl_room_join(need, &b->room);
}

void *wl_bearer_give(struct wl_bearer *b, const struct wl_room *room)
{
	void *old = b->room.mem;

	move_flights(b, room);
	move_feedbacks(b, room);
	move_pdus(b, room);
	b->room = *room;
	return old;
}
