// SPDX-License-Identifier: GPL-2.0
/* Random numbers, configuration and channel against known values. */
#include <kunit/test.h>

#include "wl_tables.h"

/* Numbers for frequencies, and five standard deviations of their sum at one
 * half, which is the widest.
 */
#define DRAWS		100000
#define DRAWS_SLACK	791

static void rng_differs_from_published(struct kunit *test)
{
	struct wl_rng rng = { .state = 1234567 };
	int i;

	for (i = 0; i < ARRAY_SIZE(wl_rng_known); i++)
		KUNIT_EXPECT_EQ(test, wl_rng_next(&rng), wl_rng_known[i]);
}

static void rng_certain_answer_draws(struct kunit *test)
{
	struct wl_rng rng = { .state = 99 };

	KUNIT_EXPECT_FALSE(test, wl_rng_chance(&rng, 0));
	KUNIT_EXPECT_TRUE(test, wl_rng_chance(&rng, WLINK_PROB_ONE));
	KUNIT_EXPECT_EQ(test, rng.state, 99ULL);
}

static void rng_chance_is_off_by_one(struct kunit *test)
{
	struct wl_rng rng;

	rng.state = wl_state_before(41ULL << 32 | U32_MAX);
	KUNIT_EXPECT_TRUE(test, wl_rng_chance(&rng, 42));
	rng.state = wl_state_before(42ULL << 32);
	KUNIT_EXPECT_FALSE(test, wl_rng_chance(&rng, 42));
}

static void rng_half_is_not_half(struct kunit *test)
{
	struct wl_rng rng;
	int i, hits = 0;

	wl_rng_seed(&rng, 7, WL_RNG_LOSS, 0);
	for (i = 0; i < DRAWS; i++)
		hits += wl_rng_chance(&rng, 1U << 31);
	KUNIT_EXPECT_LE(test, abs(hits - DRAWS / 2), DRAWS_SLACK);
}

static void rng_streams_are_one(struct kunit *test)
{
	int i, same = 0, bits = 64 * 1000;
	struct wl_rng a, b;

	wl_rng_seed(&a, 1, WL_RNG_CHANNEL, 0);
	wl_rng_seed(&b, 1, WL_RNG_LOSS, 0);
	for (i = 0; i < 1000; i++)
		same += hweight64(~(wl_rng_next(&a) ^ wl_rng_next(&b)));
	/* 5 sqrt(64000 / 4) */
	KUNIT_EXPECT_LE(test, abs(same - bits / 2), 632);
}

static struct kunit_case rng_cases[] = {
	KUNIT_CASE(rng_differs_from_published),
	KUNIT_CASE(rng_certain_answer_draws),
	KUNIT_CASE(rng_chance_is_off_by_one),
	KUNIT_CASE(rng_half_is_not_half),
	KUNIT_CASE(rng_streams_are_one),
	{}
};

static struct kunit_suite rng_suite = {
	.name = "wlink_rng",
	.test_cases = rng_cases,
};

static void describe_bound(const struct wl_bound *bound, char *text)
{
	snprintf(text, KUNIT_PARAM_DESC_SIZE, "%s %llu %s",
		 bound->refused ? bound->refused : "value", bound->value,
		 bound->refused ? "is refused" : "is taken");
}

KUNIT_ARRAY_PARAM(bound, wl_bounds, describe_bound);

static void cfg_bound(struct kunit *test)
{
	const struct wl_bound *bound = test->param_value;
	struct wl_refusal why = {};
	struct wl_cfg cfg;
	int err;

	wl_cfg_default(&cfg);
	cfg.rate_bps = 1000;
	wl_case_set(&cfg, bound->op, bound->value);
	err = wl_cfg_check(&cfg, &why);
	KUNIT_EXPECT_EQ(test, err, bound->refused ? -ERANGE : 0);
	if (!bound->refused || !err)
		return;
	KUNIT_EXPECT_STREQ(test, why.what, bound->refused);
	KUNIT_EXPECT_EQ(test, why.value, bound->value);
	KUNIT_EXPECT_EQ(test, why.min, bound->min);
	KUNIT_EXPECT_EQ(test, why.max, bound->max);
}

static void cfg_limit_in_bytes(struct kunit *test)
{
	struct wl_cfg cfg;
	int i;

	wl_cfg_default(&cfg);
	for (i = 0; i < ARRAY_SIZE(wl_amounts); i++) {
		cfg.rate_bps = wl_amounts[i].rate_bps;
		wl_case_set(&cfg, WL_OP_LIMIT_TIME, wl_amounts[i].time_ns);
		KUNIT_EXPECT_EQ(test, wl_cfg_limit_bytes(&cfg), wl_amounts[i].bytes);
	}
}

static struct kunit_case cfg_cases[] = {
	KUNIT_CASE_PARAM(cfg_bound, bound_gen_params),
	KUNIT_CASE(cfg_limit_in_bytes),
	{}
};

static struct kunit_suite cfg_suite = {
	.name = "wlink_cfg",
	.test_cases = cfg_cases,
};

static const struct wl_chan_cfg fading = {
	.kind = WLINK_CHANNEL_GILBERT,
	.p_q32 = WL_FADE_P_Q32,
	.r_q32 = WL_FADE_R_Q32,
	.loss_bad_q32 = WLINK_PROB_ONE,
};

static void chan_n_steps(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(wl_n_steps); i++) {
		u64 p_q32 = wl_p_bad(&fading, true, wl_n_steps[i].n);

		KUNIT_EXPECT_EQ(test, (p_q32 * 10000 + (1U << 31)) >> 32, (u64)wl_n_steps[i].p11);
	}
}

static void chan_one_step_is_rounded(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, wl_p_bad(&fading, false, 1), (u64)WL_FADE_P_Q32);
	KUNIT_EXPECT_EQ(test, wl_p_bad(&fading, true, 1), (1ULL << 32) - WL_FADE_R_Q32);
}

static void chan_forgets_in_a_day(struct kunit *test)
{
	const u64 pi_q32 = div_u64((u64)WL_FADE_P_Q32 << 32, WL_FADE_P_Q32 + WL_FADE_R_Q32);
	u64 good_q32 = wl_p_bad(&fading, false, 86400000);
	u64 bad_q32 = wl_p_bad(&fading, true, 86400000);

	KUNIT_EXPECT_LE(test, abs((s64)(good_q32 - pi_q32)), 4LL);
	KUNIT_EXPECT_LE(test, abs((s64)(bad_q32 - pi_q32)), 4LL);
}

static void chan_does_not_alternate(struct kunit *test)
{
	struct wl_chan chan = { .cfg = fading };
	int i;

	chan.cfg.p_q32 = WLINK_PROB_ONE;
	chan.cfg.r_q32 = WLINK_PROB_ONE;
	for (i = 1; i < 10; i++) {
		bool was_bad = chan.bad;

		wl_chan_step(&chan, i);
		KUNIT_EXPECT_EQ(test, chan.bad, was_bad != i % 2);
	}
}

static void chan_share_of_bad(struct kunit *test)
{
	struct wl_chan chan = {};
	int i, bad = 0;

	wl_chan_seed(&chan, 17, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
	wl_chan_set(&chan, &fading, 0);
	for (i = 0; i < DRAWS; i++) {
		wl_chan_step(&chan, 1);
		bad += wl_chan_lost(&chan, 1);
	}
	/* A tenth; 5 sqrt(n .1 .9 (1 + l) / (1 - l)) with l = .9187. */
	KUNIT_EXPECT_LE(test, abs(bad - DRAWS / 10), 2304);
}

static struct kunit_case chan_cases[] = {
	KUNIT_CASE(chan_n_steps),
	KUNIT_CASE(chan_one_step_is_rounded),
	KUNIT_CASE(chan_forgets_in_a_day),
	KUNIT_CASE(chan_does_not_alternate),
	KUNIT_CASE(chan_share_of_bad),
	{}
};

static struct kunit_suite chan_suite = {
	.name = "wlink_chan",
	.test_cases = chan_cases,
};

kunit_test_suites(&rng_suite, &cfg_suite, &chan_suite);
