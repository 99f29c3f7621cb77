// SPDX-License-Identifier: GPL-2.0
/*
 * Whenever, however often and in however small steps the engine is called, and
 * whenever SDUs are popped: what becomes of each SDU is the same.
 */
#include "oracle/scenario.h"
#include "ut.h"

static struct scenario story;
static struct outcome plain, other;
static u32 story_count;

static void same_sdu(const struct wl_sdu *a, const struct wl_sdu *b)
{
	CHECK_EQ(b->arrival_ns, a->arrival_ns);
	CHECK_EQ(b->start_ns, a->start_ns);
	CHECK_EQ(b->end_ns, a->end_ns);
	CHECK_EQ(b->drop, a->drop);
	CHECK_EQ(b->bytes, a->bytes);
	CHECK_EQ(b->left_bytes, a->left_bytes);
	CHECK_EQ(b->pdus, a->pdus);
	CHECK_EQ(b->pdus_lost, a->pdus_lost);
	CHECK_EQ(b->generation, a->generation);
	if (!a->drop)
		CHECK_EQ(b->deliver_ns, a->deliver_ns);
}

static void same_outcome(const struct outcome *a, const struct outcome *b)
{
	CHECK_EQ(b->count, a->count);
	for (u32 i = 0; i < a->count; i++)
		same_sdu(&a->done[i], &b->done[i]);
	CHECK_EQ(b->note_count, a->note_count);
	for (u32 i = 0; i < a->note_count && !ut_failed(); i++) {
		CHECK_EQ(b->notes[i].at_ns, a->notes[i].at_ns);
		CHECK_EQ(b->notes[i].what, a->notes[i].what);
		CHECK_EQ(b->notes[i].value, a->notes[i].value);
	}
	for (u32 i = 0; i < __WLINK_STAT_MAX; i++)
		CHECK_EQ(b->link.first.stats.v[i], a->link.first.stats.v[i]);
	for (u32 i = 0; i < __WLINK_WHY_MAX; i++)
		CHECK_EQ(b->link.first.stats.why_ns[i],
			 a->link.first.stats.why_ns[i]);
	CHECK_EQ(b->link.air.chan.frames, a->link.air.chan.frames);
	CHECK_EQ(b->link.air.chan.frames_bad, a->link.air.chan.frames_bad);
	CHECK_EQ(b->link.air.chan.bad, a->link.air.chan.bad);
}

/* Delivered in the order of arrival, at times that never go back. */
static void fifo(const struct outcome *out)
{
	u64 deliver_ns = 0;
	s64 last = -1;

	for (u32 i = 0; i < out->count; i++) {
		const struct wl_sdu *sdu = &out->done[out->order[i]];

		if (sdu->drop)
			continue;
		CHECK((s64)sdu->seq > last);
		CHECK(sdu->deliver_ns >= deliver_ns);
		CHECK(sdu->start_ns >= sdu->arrival_ns);
		CHECK(sdu->end_ns >= sdu->start_ns);
		CHECK(sdu->deliver_ns >= sdu->end_ns);
		CHECK_EQ(sdu->left_bytes, 0);
		CHECK_EQ(sdu->pdus_lost, 0);
		last = (s64)sdu->seq;
		deliver_ns = sdu->deliver_ns;
	}
}

/* Who calls only when told to must miss nothing. */
static void on_time(const struct outcome *out)
{
	for (u32 i = 0; i < out->count; i++)
		CHECK_EQ(out->handed_ns[i], out->done[i].deliver_ns);
	for (u32 i = 0; i < out->note_count; i++)
		if (out->notes[i].what == 'r')
			CHECK_EQ(out->notes[i].heard_ns, out->notes[i].at_ns);
}

static void compare(const char *what, const struct manner *how, bool certain)
{
	static const struct manner none;
	struct manner mine = *how;
	u64 seed;

	ut_begin("calls: %s changes what becomes of a SDU", what);
	for (seed = 1; seed <= story_count && !ut_failed(); seed++) {
		scenario_random(&story, seed + 1000000, certain);
		scenario_play(&story, &none, &plain);
		fifo(&plain);
		mine.seed = seed;
		scenario_play(&story, &mine, &other);
		same_outcome(&plain, &other);
		fifo(&other);
		if (mine.wakes && !mine.lazy)
			on_time(&other);
		if (ut_failed())
			ut_check(false, UT_WHERE, "seed %llu", seed + 1000000);
	}
}

/* On a link that loses nothing and whose TTI holds whole bits, a call at the
 * stated time always yields something: no idle wake-ups.
 */
static void exact_wakes(void)
{
	static const u64 ttis[] = { 0, 0, 10 * WL_MS, 2 * WL_MS };
	static const u32 pdus[] = { 0, 40, 1, 1000 };
	struct wl_cfg cfg;
	u32 i, j, sent, wakes;

	ut_begin("calls: wl_link_next_ns() wakes for nothing");
	for (i = 0; i < ARRAY_SIZE(ttis); i++)
		for (j = 0; j < ARRAY_SIZE(pdus); j++) {
			wl_cfg_default(&cfg);
			cfg.rate_bps = 384000;
			cfg.tti_ns = ttis[i];
			cfg.delay_ns = i % 2 ? 0 : 123456789;
			cfg.pdu_bytes = pdus[j];
			outcome_init(&plain, &cfg, 0);
			for (sent = 0; sent < 50; sent++)
				/* 8 TTIs of 480 and a byte now and then: what
				 * an estimate with a bit too much gets wrong.
				 */
				outcome_send(&plain, 0, sent % 7 ?
					     1 + sent * 31 : 3841);
			outcome_call(&plain, 0);
			for (wakes = 0; plain.count < sent && wakes < 60;
			     wakes++) {
				u32 was = plain.count;

				outcome_call(&plain,
					     wl_link_next_ns(&plain.link));
				CHECK(plain.count > was);
			}
			CHECK_EQ(plain.count, sent);
			CHECK_EQ(wl_link_next_ns(&plain.link), WL_NEVER_NS);
		}
}

TEST(calls)
{
	const struct manner wakes = { .wakes = true };
	const struct manner often = { .often = 6 };
	const struct manner steps = { .budget_max = 1 };
	const struct manner few = { .often = 3, .budget_max = 5 };
	const struct manner lazy = { .often = 4, .lazy = true, .budget_max = 1 };
	const struct manner behind = { .lazy = true, .budget_max = 3 };

	story_count = ut_stories;
	compare("waking when told", &wakes, false);
	compare("waking when told, without chance,", &wakes, true);
	compare("calling at odd times", &often, false);
	compare("a budget of 1 a call", &steps, false);
	compare("a budget of 5 at odd times", &few, false);
	compare("a budget of 1, never up to date,", &lazy, false);
	compare("a budget of 3, always behind,", &behind, false);
	exact_wakes();
}
