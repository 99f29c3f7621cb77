// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/buffer/buffer.h"
#include "peers.h"
#include "ut.h"
#include "wl_ask.h"
#include "wl_case.h"
#include "core/rlc/mode.h"
#include "core/sr/sr.h"

/* A case that never ends is wrong. */
#define ROUNDS_MAX	100000

static void note(struct peers *p, u64 at_ns, const char *format, ...)
{
	size_t left = sizeof(p->log) - p->log_used;
	va_list args;
	int used;

	used = snprintf(p->log + p->log_used, left, "%llu ", at_ns / WL_US);
	va_start(args, format);
	used += vsnprintf(p->log + p->log_used + used, left - used, format, args);
	va_end(args);
	p->log_used += used;
	if (p->log_used + 1 >= sizeof(p->log))
		abort();
	p->log[p->log_used++] = '\n';
	p->log[p->log_used] = '\0';
}

static void dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	struct peers *p = (struct peers *)link;

	note(p, p->now_ns, "drop %llu %u", sdu->seq, sdu->drop);
}

static const struct wl_link_ops link_ops = {
	.dropped = dropped,
	.rate_changed = wl_ask_rate_changed,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_schedule_changed,
	.channel_changed = wl_ask_channel_changed,
};

static void peers_end(void *what)
{
	struct peers *p = what;

	free(p->mem);
}

void peers_init(struct peers *p, const struct wl_cfg *cfg)
{
	struct wl_rings rings;

	ut_release(peers_end, p);
	memset(p, 0, sizeof(*p));
	wl_rings_need(cfg, &rings);
	p->mem = calloc(1, rings.bytes);
	wl_rings_place(&rings, p->mem);
	wl_link_init(&p->link, cfg, 0, &link_ops);
	p->b = &p->link.first;
	wl_bearer_move(p->b, &rings, WL_RINGS_RECORDS_MAX);
	ut_defer(peers_end, p);
}

/* What the event just handled has made. */
static void look(struct peers *p)
{
	struct wl_bearer *b = p->b;
	u64 timeouts = b->stats.v[WLINK_STAT_TIMEOUTS] - p->timeouts;
	u64 lost = b->stats.v[WLINK_STAT_FEEDBACK_LOST] - p->feedback_lost;
	u32 i, made = b->stats.v[WLINK_STAT_FEEDBACK_SENT] - p->feedback_sent - lost;
	struct wl_sdu sdu;

	while (wl_link_pop(&p->link, &sdu)) {
		note(p, p->now_ns, "out %llu", sdu.seq);
		p->story[sdu.seq] = sdu;
	}
	for (i = 0; i < made; i++) {
		const struct wl_feedback *feedback =
			&b->rings.feedback[(b->feedback.tail - made + i) &
					  (b->rings.feedbacks - 1)];

		note(p, p->now_ns, "%s %u", feedback->kind == WL_SR_ACK ?
		     "ack" : "nack", feedback->lsn);
	}
	if (lost)
		note(p, p->now_ns, "unheard %llu", lost);
	if (timeouts)
		note(p, p->now_ns, "timeout %llu", timeouts);
	p->timeouts = b->stats.v[WLINK_STAT_TIMEOUTS];
	p->feedback_sent = b->stats.v[WLINK_STAT_FEEDBACK_SENT];
	p->feedback_lost = b->stats.v[WLINK_STAT_FEEDBACK_LOST];
}

static void end(struct peers *p)
{
	bool lost = p->sent <= 64 && p->lose >> (p->sent - 1) & 1;

	p->sending = false;
	if (lost)
		note(p, p->now_ns, "lost %u", p->tx.sn);
	p->b->ops->sent(p->b, p->now_ns, &p->tx, p->now_ns, lost);
}

static void begin(struct peers *p)
{
	u32 wanted = p->b->ops->wanted(p->b);

	if (p->sending || p->hold || !wanted)
		return;
	p->b->ops->send(p->b, p->now_ns, &p->tx);
	CHECK_EQ(p->tx.bytes, wanted);
	p->sending = true;
	p->sent++;
	p->end_ns = p->now_ns + wanted * 8 * WL_SEC / p->b->cfg.rate_bps;
	note(p, p->now_ns, "%s %u", p->tx.kind == WL_TX_NEW ? "new" : "again", p->tx.sn);
}

void peers_run(struct peers *p, u64 until_ns)
{
	struct wl_bearer *b = p->b;
	u32 rounds = 0;
	u64 next_ns;

	look(p);
	for (;;) {
		if (!CHECK(++rounds < ROUNDS_MAX))
			return;
		next_ns = b->ops->next_ns(b);
		if (p->sending)
			next_ns = min(next_ns, p->end_ns);
		if (next_ns > until_ns)
			break;
		CHECK(next_ns >= p->now_ns);
		p->now_ns = next_ns;
		if (p->sending && p->end_ns == p->now_ns)
			end(p);
		p->link.budget = WL_LINK_BUDGET_MAX;
		while (b->ops->next_ns(b) == p->now_ns && ++rounds < ROUNDS_MAX)
			CHECK(b->ops->event(b, p->now_ns));
		look(p);
		begin(p);
	}
	p->now_ns = until_ns;
}

void peers_arrive(struct peers *p, u64 now_ns, u32 bytes)
{
	struct wl_sdu *sdu = &p->sdus[p->arrived];

	peers_run(p, now_ns);
	memset(sdu, 0, sizeof(*sdu));
	sdu->owner = p->b;
	sdu->seq = p->arrived++;
	sdu->arrival_ns = now_ns;
	sdu->start_ns = WL_NEVER_NS;
	sdu->bytes = bytes;
	sdu->left_bytes = bytes;
	sdu->flags = WL_SDU_RELEASED;
	p->b->stats.v[WLINK_STAT_SDUS_IN]++;
	wl_buffer_arrive(p->b, sdu, now_ns);
	begin(p);
}

void peers_hold(struct peers *p, bool hold)
{
	p->hold = hold;
	begin(p);
}

void peers_feed(struct peers *p, u64 arrive_ns, u32 sn)
{
	struct wl_bearer *b = p->b;
	struct wl_flight *flight =
		&b->rings.flight[b->flight.tail++ & (b->rings.flights - 1)];

	memset(flight, 0, sizeof(*flight));
	flight->arrive_ns = arrive_ns;
	flight->sn = sn;
}

void peers_expect(struct peers *p, const char *where, const char *wanted)
{
	ut_check(!strcmp(p->log, wanted), where, "log is\n%snot\n%s", p->log, wanted);
	p->log_used = 0;
	p->log[0] = '\0';
}
