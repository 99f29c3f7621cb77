// SPDX-License-Identifier: GPL-2.0
/* Idle time costs nothing and one call is bounded. */
#include <math.h>

#include "oracle/scenario.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"
#include "wl_tables.h"

#define DAY_NS	(86400 * WL_SEC)

static struct outcome out;

static struct wl_cfg fading(void)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	say(&cfg, "rate 384kbit tti 1ms");
	wl_case_set(&cfg, WL_OP_P, WL_FADE_P_Q32);
	wl_case_set(&cfg, WL_OP_R, WL_FADE_R_Q32);
	cfg.seed = 77;
	return cfg;
}

/* Numbers drawn from a stream: each moves its state by the same amount. */
static u64 draws(u64 before, u64 after)
{
	/* The amount's inverse modulo 2^64. */
	return (after - before) * 0xf1de83e19937733dULL;
}

CASE(idle, "idle: a link without SDUs has something to do")
{
	struct wl_cfg cfg = fading();

	outcome_init(&out, &cfg, 0);
	CHECK_EQ(wl_link_next_ns(&out.link), WL_NEVER_NS);
	out.link.budget_max = 0;
	CHECK(outcome_call(&out, DAY_NS));
	CHECK(outcome_call(&out, 365 * DAY_NS));
	CHECK(outcome_call(&out, WL_NEVER_NS));
	CHECK_EQ(wl_link_next_ns(&out.link), WL_NEVER_NS);
}

/* Days alternate with single SDUs; the states found form a fair sample. */
static void day_then_sdu(u64 idle_ns, double p_stay)
{
	const double pi = WL_FADE_P_Q32 /
			  ((double)WL_FADE_P_Q32 + WL_FADE_R_Q32);
	int i, from_bad = 0, stayed = 0, from_good = 0, turned = 0;
	double p_turn = pi / (1 - pi) * (1 - p_stay);
	struct wl_cfg cfg = fading();
	const int days = 40000;
	u64 now_ns = 500 * WL_US;

	ut_begin("idle: %llu ms idle take many steps or wrong states",
		 idle_ns / WL_MS);
	outcome_init(&out, &cfg, 0);
	out.link.budget_max = 4;
	for (i = 0; i < days; i++) {
		bool was_bad = out.link.air.chan.bad;
		u64 state = out.link.air.chan.state_rng.state;
		struct wl_sdu sdu;

		/* Straight, as the record of an outcome is too short. */
		now_ns += idle_ns;
		out.now_ns = now_ns + WL_MS;
		out.over[0] = false;
		out.count = 0;
		out.note_count = 0;
		out.link.seq = 0;
		wl_link_enqueue(&out.link, &out.link.first, now_ns, (void *)1,
				40, WL_ECN_NOT_ECT);
		CHECK(wl_link_advance(&out.link, now_ns + WL_MS));
		CHECK(wl_link_advance(&out.link, now_ns + 2 * WL_MS));
		wl_link_pop(&out.link, &sdu);
		CHECK_EQ(out.link.first.stats.v[WLINK_STAT_SDUS_HELD], 0);
		CHECK_EQ(draws(state, out.link.air.chan.state_rng.state), 1);
		if (was_bad) {
			from_bad++;
			stayed += out.link.air.chan.bad;
		} else {
			from_good++;
			turned += out.link.air.chan.bad;
		}
	}
	CHECK_NEAR(stayed, p_stay * from_bad,
		   4.5 * sqrt(from_bad * p_stay * (1 - p_stay)));
	CHECK_NEAR(turned, p_turn * from_good,
		   4.5 * sqrt(from_good * p_turn * (1 - p_turn)));
}

/* Each PDU of one byte is a draw: 64 draws a call, and all of them drawn. */
static void work_is_bounded(u64 tti_ns)
{
	struct wl_cfg cfg = fading();
	u64 calls = 0, state, all;
	bool done;

	ut_begin("idle: one call with tti %llu is not bounded", tti_ns);
	cfg.rate_bps = WLINK_RATE_MAX;
	say(&cfg, "tti %lluns pdu 1", tti_ns);
	wl_case_set(&cfg, WL_OP_UNIFORM, 1000);
	outcome_init(&out, &cfg, 0);
	out.link.budget_max = 64;
	all = out.link.air.chan.loss_rng.state;
	for (int i = 0; i < 20; i++)
		outcome_send(&out, 0, 1500);
	do {
		state = out.link.air.chan.loss_rng.state;
		done = outcome_call(&out, WL_SEC);
		CHECK(draws(state, out.link.air.chan.loss_rng.state) <= 64);
		calls++;
	} while (!done && calls < 100000);
	CHECK(calls >= 20 * 1500 / 64);
	CHECK_EQ(draws(all, out.link.air.chan.loss_rng.state), 20 * 1500);
	CHECK_EQ(out.count, 20);
}

/* A SDU takes 1000 ns and is there 1 ms later: two calls' worth of ends, and then of deliveries. */
CASE(idle, "idle: one call of a plain link is not bounded, or has no time")
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	say(&cfg, "rate 8gbit delay 1ms");
	outcome_init(&out, &cfg, 0);
	for (int i = 0; i < 6; i++)
		outcome_send(&out, 0, 1000);
	out.link.budget_max = 0;
	CHECK(!outcome_call(&out, 0));
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], 0);
	out.link.budget_max = 4;
	while (!outcome_call(&out, 10 * WL_US))
		;
	CHECK_EQ(out.link.event_ns, 6 * WL_US);
	CHECK(!outcome_call(&out, 2 * WL_MS));
	CHECK_EQ(out.count, 4);
	CHECK(outcome_call(&out, 2 * WL_MS));
	CHECK_EQ(out.count, 6);
	CHECK_EQ(out.link.event_ns, WL_MS + 6 * WL_US);
}

/* Where fate is certain a run of PDUs is one step, however many. */
static void certain_runs_are_short(u64 tti_ns, u32 loss_q32)
{
	struct wl_cfg cfg = fading();

	ut_begin("idle: 1.3 million equal PDUs take a step each, tti %llu",
		 tti_ns);
	cfg.rate_bps = WLINK_RATE_MAX;
	say(&cfg, "tti %lluns pdu 1", tti_ns);
	wl_case_set(&cfg, WL_OP_UNIFORM, loss_q32);
	outcome_init(&out, &cfg, 0);
	out.link.budget_max = 100;
	for (int i = 0; i < 20; i++)
		outcome_send(&out, 0, 65535);
	CHECK(outcome_call(&out, WL_SEC));
	CHECK_EQ(out.count, 20);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_PDUS_SENT], 20 * 65535);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_PDUS_LOST], loss_q32 ? 20 * 65535 : 0);
}

/* A slow TTI link that nobody called for long: bounded calls, same end. */
static void catching_up(bool fades, u64 in_calls)
{
	struct wl_cfg cfg = fading();
	u64 calls = 1;

	ut_begin("idle: catching up is lost or never ends, fading %d", fades);
	cfg.rate_bps = 1000;
	if (!fades)
		wl_case_set(&cfg, WL_OP_NONE, 0);
	outcome_init(&out, &cfg, 0);
	outcome_send(&out, 0, 1500);
	while (!outcome_call(&out, DAY_NS) && calls < 100)
		calls++;
	/* A bit a TTI: TTIs at 1 to 12000 ms, in steps of 1024 where each has a state. */
	CHECK_EQ(calls, in_calls);
	CHECK_EQ(out.done[0].end_ns, 12001 * WL_MS);
}

TEST(idle)
{
	day_then_sdu(DAY_NS, 0.1);
	day_then_sdu(10 * WL_MS, 0.4856);
	day_then_sdu(25 * WL_MS, 0.2081);
	work_is_bounded(0);
	work_is_bounded(10 * WL_MS);
	certain_runs_are_short(0, 0);
	certain_runs_are_short(0, WLINK_PROB_ONE);
	certain_runs_are_short(1 * WL_MS, 0);
	certain_runs_are_short(1 * WL_MS, WLINK_PROB_ONE);
	catching_up(true, 12);
	catching_up(false, 1);
}
