// SPDX-License-Identifier: GPL-2.0
/*
 * The plain link, which most links are that only delay and lose: one bearer in
 * TM without a TTI. What happens next is one of three things, each the first of a
 * list: the end of what is on the air, a delivery, an arrival. At one time that is
 * their order, and where something ends the next begins at once.
 */
#include "wl_air.h"
#include "wl_buffer.h"
#include "wl_plain.h"
#include "wl_serve.h"
#include "wl_unit.h"

bool wl_plain_can(const struct wl_bearer *b)
{
	const struct wl_cfg *cfg = &b->cfg;

	return cfg->mode == WLINK_MODE_TM && !wl_link_tti_ns(b->link) &&
	       !wl_link_shared(b->link) &&
	       cfg->aqm.kind == WLINK_AQM_DROPTAIL &&
	       cfg->aqm.ramp_to_ns == WL_NEVER_NS &&
	       cfg->rlc.discard_ns == WL_NEVER_NS &&
	       cfg->channel.kind != WLINK_CHANNEL_TWOSTATE;
}

static __always_inline void begin(struct wl_bearer *b, u64 now_ns)
{
	struct wl_chan *chan = &b->air->chan;
	struct wl_sdu *sdu = b->queue.head;
	struct wl_unit *unit = &b->unit;

	if ((b->cfg.pdu_bytes && b->cfg.pdu_bytes < sdu->left_bytes) ||
	    chan->cfg.kind == WLINK_CHANNEL_TWOSTATE) {
		wl_unit_begin(b, now_ns);
		return;
	}
	unit->mark_ns = chan->bad_ns;
	unit->lost = 0;
	if (chan->cfg.kind != WLINK_CHANNEL_NONE) {
		unit->mark_ns = wl_air_begin(b->link, b->air, now_ns);
		unit->lost = wl_chan_lost(chan, 1);
	}
	sdu->flags |= WL_SDU_BEGUN;
	wl_buffer_begin(b, sdu, now_ns);
	unit->on = true;
	unit->sdu = sdu;
	unit->bytes = sdu->left_bytes;
	unit->pdu_bytes = sdu->left_bytes;
	unit->header_bytes = b->cfg.header_bytes;
	unit->from_ns = now_ns;
	unit->work_at_ns = now_ns;
	unit->work = (s64)(unit->bytes * WL_WORK_PER_BYTE) - (s64)b->over;
	unit->end_ns = now_ns;
	if (unit->work > 0)
		unit->end_ns += wl_rate_ns(b, unit->work);
}

/* wl_bearer_sent() for a SDU that has come through. */
static void sent(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	struct wl_stats *stats = &b->stats;

	sdu->end_ns = now_ns;
	sdu->generation = b->link->generation;
	sdu->due_ns = now_ns + b->cfg.delay_ns;
	sdu->whole_ns = sdu->due_ns;
	sdu->deliver_ns = max(sdu->due_ns, b->last_deliver_ns);
	b->last_deliver_ns = sdu->deliver_ns;
	wl_fifo_push(&b->pipe, sdu);
	sdu->flags |= WL_SDU_GIVEN_UP | WL_SDU_RELEASED;
	stats->buffer_bytes -= sdu->bytes;
	if (!--stats->buffer_sdus)
		b->empty_ns = now_ns;
}

static __always_inline void finish(struct wl_bearer *b, u64 now_ns)
{
	struct wl_stats *stats = &b->stats;
	struct wl_unit *unit = &b->unit;
	struct wl_sdu *sdu = unit->sdu;

	if (!sdu || unit->bytes != sdu->left_bytes ||
	    unit->bytes != unit->pdu_bytes ||
	    b->air->chan.cfg.kind == WLINK_CHANNEL_TWOSTATE) {
		wl_unit_finish(b, now_ns);
		return;
	}
	b->over = wl_unit_over(b);
	stats->pdus_sent++;
	stats->pdus_lost += unit->lost;
	stats->air_bytes += (u64)unit->bytes + unit->header_bytes;
	wl_air_count(b->air, 1);
	unit->on = false;
	unit->end_ns = WL_NEVER_NS;
	sdu->left_bytes = 0;
	sdu->pdus++;
	sdu->pdus_lost += unit->lost;
	wl_fifo_pop(&b->queue);
	if (sdu->pdus_lost)
		wl_bearer_sent(b, sdu, now_ns);
	else
		sent(b, sdu, now_ns);
}

void wl_plain_begin(struct wl_bearer *b, u64 now_ns)
{
	begin(b, now_ns);
}

void wl_plain_finish(struct wl_bearer *b, u64 now_ns)
{
	finish(b, now_ns);
}

static __always_inline void end(struct wl_bearer *b, u64 at_ns)
{
	finish(b, at_ns);
	if (b->queue.head)
		wl_plain_begin(b, at_ns);
	else
		b->over = 0;
}

static __always_inline void arrive(struct wl_bearer *b, struct wl_sdu *sdu,
				   u64 at_ns)
{
	if (b->cfg.limit.kind == WL_LIMIT_PACKETS &&
	    b->stats.buffer_sdus < b->cfg.limit.value) {
		wl_buffer_count_in(b, sdu);
		wl_fifo_push(&b->queue, sdu);
	} else if (!wl_buffer_take(b, sdu, at_ns)) {
		return;
	}
	if (!b->unit.on)
		begin(b, at_ns);
}

u64 wl_plain_next_ns(const struct wl_link *link)
{
	const struct wl_bearer *b = &link->first;
	const struct wl_unit *unit = &b->unit;
	u64 next_ns = WL_NEVER_NS;

	if (link->out.head)
		return link->out.head->deliver_ns;
	if (b->pipe.head)
		next_ns = b->pipe.head->deliver_ns;
	if (!unit->on)
		return next_ns;
	/* Whether the one on the air is lost is known; of those behind it, it
	 * is not.
	 */
	if (unit->lost || unit->sdu->pdus_lost ||
	    (b->air->chan.cfg.kind != WLINK_CHANNEL_NONE &&
	     unit->sdu->next))
		return min(next_ns, unit->end_ns);
	return min(next_ns, max(unit->end_ns + b->cfg.delay_ns,
				b->last_deliver_ns));
}

/* Return: time of the last delivery, 0 for none. */
static u64 deliver(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;
	u64 at_ns = 0;

	while ((sdu = b->pipe.head) && sdu->deliver_ns <= now_ns) {
		at_ns = sdu->deliver_ns;
		wl_link_out(b->link, wl_fifo_pop(&b->pipe));
	}
	return at_ns;
}

bool wl_plain_advance(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b = &link->first;
	u32 work = link->work_max;
	u64 out_ns;

	if (!work)
		return false;
	do {
		struct wl_sdu *sdu = link->inbox.head;
		u64 at_ns = b->unit.end_ns;

		if (sdu && sdu->arrival_ns < at_ns) {
			if (sdu->arrival_ns > now_ns)
				break;
			link->event_ns = sdu->arrival_ns;
			arrive(b, wl_fifo_pop(&link->inbox), link->event_ns);
		} else {
			if (at_ns > now_ns || at_ns == WL_NEVER_NS)
				break;
			link->event_ns = at_ns;
			end(b, at_ns);
		}
	} while (--work);
	if (!b->pipe.head)
		return work;
	/* Deliveries change nothing that the others look at. When steps have run
	 * out some of them would be too early.
	 */
	out_ns = deliver(b, work ? now_ns : link->event_ns);
	link->event_ns = max(link->event_ns, out_ns);
	return work;
}
