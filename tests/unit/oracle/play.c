// SPDX-License-Identifier: GPL-2.0
#include "scenario.h"
#include "ut.h"
#include "wl_ask.h"

/* Calls that a link may take to come to rest. */
#define CALLS_MAX	20000000

/* One call, or as many as the engine says that it needs. */
static void call(struct outcome *out, u64 now_ns, bool lazy)
{
	u64 calls = 0;

	while (!outcome_call(out, now_ns) && !lazy)
		if (!CHECK(++calls < CALLS_MAX))
			return;
}

static void wander(struct outcome *out, const struct manner *how,
		   struct wl_rng *dice, u64 until_ns)
{
	u64 span_ns = until_ns - out->now_ns;

	for (u32 i = 0; i < how->often && out->now_ns < until_ns; i++) {
		u64 at_ns = out->now_ns +
			    wl_rng_next(dice) % (span_ns / how->often + 2);

		call(out, min(at_ns, until_ns), how->lazy);
	}
}

static void approach(struct outcome *out, const struct manner *how,
		     struct wl_rng *dice, u64 until_ns)
{
	if (how->wakes)
		outcome_run(out, until_ns);
	else if (how->often)
		wander(out, how, dice, until_ns);
}

static void act(struct outcome *out, const struct manner *how,
		const struct event *event)
{
	/* A change or a flush wants an engine that is up to date. */
	if (event->kind != EVENT_SEND)
		call(out, event->at_ns, false);
	else if (!how->lazy)
		call(out, event->at_ns, false);
	out->now_ns = event->at_ns;
	switch (event->kind) {
	case EVENT_SEND:
		outcome_send(out, event->at_ns, event->bytes);
		break;
	case EVENT_CONFIGURE:
		wl_ask(&out->link, &out->link.first, event->at_ns, &event->cfg,
		       event->reseed);
		break;
	case EVENT_FLUSH:
		wl_link_flush(&out->link, event->at_ns);
		break;
	}
	/* Two changes at one time are two only if the first is put in force. */
	call(out, event->at_ns, how->lazy && event->kind == EVENT_SEND);
}

void scenario_play(const struct scenario *story, const struct manner *how,
		   struct outcome *out)
{
	struct wl_rng dice = { .state = how->seed };

	outcome_init(out, &story->cfg, story->origin_ns);
	if (how->budget_max)
		out->link.budget_max = how->budget_max;
	for (u32 i = 0; i < story->count && !ut_failed(); i++) {
		approach(out, how, &dice, story->events[i].at_ns);
		act(out, how, &story->events[i]);
	}
	if (how->wakes)
		outcome_run(out, WL_NEVER_NS - 1);
	/* Far beyond all that a story holds, but not beyond 64 bits. */
	call(out, 1ULL << 62, false);
	CHECK_EQ(out->link.first.stats.v[WLINK_STAT_SDUS_HELD], 0);
	CHECK_EQ(out->count, out->sent);
}

void scenario_print(const struct scenario *story, bool bad, FILE *out)
{
	const struct wl_cfg *cfg = &story->cfg;

	fprintf(out, "origin %llu %d\n", story->origin_ns, bad);
	for (u32 i = 0; i <= story->count; i++) {
		const struct event *event = i ? &story->events[i - 1] : NULL;

		if (event && event->kind == EVENT_SEND) {
			fprintf(out, "send %llu %u\n", event->at_ns,
				event->bytes);
			continue;
		}
		if (event && event->kind == EVENT_FLUSH) {
			fprintf(out, "flush %llu\n", event->at_ns);
			continue;
		}
		cfg = event ? &event->cfg : &story->cfg;
		fprintf(out, "cfg %llu %llu %llu %llu %u %u %d %llu %d %u %u %u %u %u\n",
			event ? event->at_ns : story->origin_ns, cfg->rate_bps,
			cfg->tti_ns, cfg->delay_ns, cfg->pdu_bytes,
			cfg->header_bytes, cfg->limit.kind, cfg->limit.value,
			cfg->channel.kind, cfg->channel.loss_q32,
			cfg->channel.p_q32, cfg->channel.r_q32,
			cfg->channel.loss_good_q32, cfg->channel.loss_bad_q32);
	}
}
