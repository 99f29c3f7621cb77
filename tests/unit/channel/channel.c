// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "ut.h"
#include "wl_tables.h"

#define ONE	WLINK_PROB_ONE

/* 2^-29: the sum of what is cut off. */
#define SLACK	(8 / 0x1p32)

static double as_real(u32 prob_q32)
{
	return prob_q32 == ONE ? 1 : prob_q32 / 0x1p32;
}

static void seed_chan(struct wl_chan *chan, u64 seed)
{
	wl_chan_seed(chan, seed, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
}

static struct wl_chan_cfg gilbert(u32 p_q32, u32 r_q32)
{
	struct wl_chan_cfg cfg = {
		.kind = WLINK_CHANNEL_GILBERT,
		.p_q32 = p_q32,
		.r_q32 = r_q32,
		.loss_bad_q32 = ONE,
	};

	return cfg;
}

CASE(chan, "chan: n frames of fading differ from the check values")
{
	struct wl_chan_cfg cfg = gilbert(WL_FADE_P_Q32, WL_FADE_R_Q32);

	for (unsigned int i = 0; i < ARRAY_SIZE(wl_n_steps); i++)
		CHECK_NEAR(wl_p_bad(&cfg, true, wl_n_steps[i].n) / 0x1p32,
			   wl_n_steps[i].p11 / 1e4, 0.00005);
}

/* pi + (s - pi) (1 - p - r)^n in long double, against the integers. */
static void formula(const struct wl_chan_cfg *cfg, long double p, long double r, u64 n)
{
	long double power = powl(fabsl(1 - p - r), n), pi = p / (p + r);

	if (p + r > 1 && n % 2)
		power = -power;
	CHECK_NEAR(wl_p_bad(cfg, true, n) / 0x1p32, pi + (1 - pi) * power, SLACK);
	CHECK_NEAR(wl_p_bad(cfg, false, n) / 0x1p32, pi - pi * power, SLACK);
}

static void n_step_formula(void)
{
	const u32 probs[] = { 0, 1, 1000, 0x01000000, WL_FADE_P_Q32,
			      0x40000000, 0x80000000, 0xc0000000, 0xfffffff0,
			      ONE - 1, ONE };
	const u64 ns[] = { 1, 2, 3, 4, 7, 100, 101, 65536, 1000003, 86400000,
			   864000000000ULL, U64_MAX - 1, U64_MAX };
	unsigned int i, j, k;

	for (i = 0; i < ARRAY_SIZE(probs); i++) {
		ut_begin("chan: n steps at p = %.10g", as_real(probs[i]));
		for (j = 0; j < ARRAY_SIZE(probs); j++) {
			struct wl_chan_cfg cfg = gilbert(probs[i], probs[j]);

			if (!probs[i] && !probs[j])
				continue;
			for (k = 0; k < ARRAY_SIZE(ns); k++)
				formula(&cfg, as_real(probs[i]), as_real(probs[j]), ns[k]);
		}
	}
}

/* One step is p and 1 - r to the last bit, not by a formula that rounds. */
CASE(chan, "chan: one step is rounded")
{
	const u32 probs[] = { 1, 2, 3, 12345, 0x7fffffff, ONE - 2 };
	unsigned int i, j;

	for (i = 0; i < ARRAY_SIZE(probs); i++)
		for (j = 0; j < ARRAY_SIZE(probs); j++) {
			struct wl_chan_cfg cfg = gilbert(probs[i], probs[j]);
			u64 stay_q32 = (1ULL << 32) - probs[j];

			CHECK_EQ(wl_p_bad(&cfg, false, 1), probs[i]);
			CHECK_EQ(wl_p_bad(&cfg, true, 1), stay_q32);
		}
}

CASE(chan, "chan: p = r = 1 does not alternate")
{
	struct wl_chan_cfg cfg = gilbert(ONE, ONE);
	struct wl_chan chan = { .cfg = cfg };
	u64 n;

	for (n = 1; n < 100; n++) {
		chan.bad = false;
		wl_chan_step(&chan, n);
		CHECK_EQ(chan.bad, n % 2);
		chan.bad = true;
		wl_chan_step(&chan, n);
		CHECK_EQ(chan.bad, n % 2 == 0);
	}
	chan.bad = false;
	wl_chan_step(&chan, U64_MAX);
	CHECK(chan.bad);
	CHECK_EQ(chan.state_rng.state, 0);
}

CASE(chan, "chan: p or r of 0 does not hold the state")
{
	struct wl_chan keeps = { .cfg = gilbert(0, 0), .bad = true };
	struct wl_chan bad = { .cfg = gilbert(ONE, 0), .bad = false };
	struct wl_chan good = { .cfg = gilbert(0, ONE), .bad = true };
	u64 n;

	for (n = 1; n < 1000; n *= 3) {
		wl_chan_step(&keeps, n);
		wl_chan_step(&bad, n);
		wl_chan_step(&good, n);
		CHECK(keeps.bad && bad.bad && !good.bad);
	}
	keeps.bad = false;
	wl_chan_step(&keeps, U64_MAX);
	CHECK(!keeps.bad);
	CHECK_EQ(keeps.state_rng.state + bad.state_rng.state + good.state_rng.state, 0);
}

/* A day of TTIs costs one number, as a single frame does. */
CASE(chan, "chan: idle frames draw more than one number")
{
	struct wl_chan chan = { .cfg = gilbert(WL_FADE_P_Q32, WL_FADE_R_Q32) };
	struct wl_rng rng;
	u64 n;

	seed_chan(&chan, 3);
	rng = chan.state_rng;
	for (n = 1; n < U64_MAX / 7; n *= 7) {
		wl_chan_step(&chan, n);
		wl_rng_next(&rng);
		CHECK_EQ(chan.state_rng.state, rng.state);
	}
	wl_chan_step(&chan, 0);
	CHECK_EQ(chan.state_rng.state, rng.state);
}

/* Lengths of bursts are geometric with mean 1/r, of gaps with mean 1/p. */
static void bursts_and_gaps(u32 p_q32, u32 r_q32)
{
	double p = as_real(p_q32), r = as_real(r_q32), pi = p / (p + r);
	struct wl_chan_cfg cfg = gilbert(p_q32, r_q32);
	struct wl_chan chan = { 0 };
	double lambda = 1 - p - r;
	const int frames = 400000;
	int i, bad = 0, bursts = 0;

	ut_begin("chan: bursts, gaps or share of bad at p %.3g r %.3g", p, r);
	seed_chan(&chan, 17);
	wl_chan_set(&chan, &cfg, 0);
	for (i = 0; i < frames; i++) {
		bool was_bad = chan.bad;

		wl_chan_step(&chan, 1);
		bad += chan.bad;
		bursts += chan.bad && !was_bad;
	}
	/* Variance of the share of a two-state chain. */
	CHECK_NEAR((double)bad / frames, pi,
		   4.5 * sqrt(pi * (1 - pi) * (1 + lambda) / (1 - lambda) / frames));
	CHECK_NEAR((double)bad / bursts, 1 / r,
		   4.5 * sqrt((1 - r) / r / r / bursts) + 2.0 / bursts);
	CHECK_NEAR((double)(frames - bad) / bursts, 1 / p,
		   4.5 * sqrt((1 - p) / p / p / bursts) + 2 / p / bursts);
}

CASE(chan, "chan: the first state is not stationary")
{
	struct wl_chan_cfg cfg = gilbert(WL_FADE_P_Q32, WL_FADE_R_Q32);
	const int seeds = 100000;
	int bad = 0;
	u64 seed;

	for (seed = 0; seed < seeds; seed++) {
		struct wl_chan chan = { 0 };

		seed_chan(&chan, seed);
		wl_chan_set(&chan, &cfg, 0);
		bad += chan.bad;
	}
	CHECK_NEAR(bad, 0.1 * seeds, 4.5 * sqrt(0.09 * seeds));
}

CASE(chan, "chan: new parameters forget the state, or another kind not")
{
	struct wl_chan_cfg bad = gilbert(ONE, 0), other = gilbert(1, 1);
	struct wl_chan_cfg none = { .kind = WLINK_CHANNEL_NONE };
	struct wl_chan_cfg still = gilbert(0, 0);
	struct wl_chan chan = { 0 };

	wl_chan_set(&chan, &bad, 0);
	CHECK(chan.bad);
	wl_chan_set(&chan, &other, 0);
	CHECK(chan.bad);
	wl_chan_set(&chan, &none, 0);
	CHECK(!chan.bad);
	wl_chan_set(&chan, &still, 0);
	CHECK(!chan.bad);
}

CASE(chan, "chan: certain fate draws, or is not known")
{
	struct wl_chan_cfg cfg = { .kind = WLINK_CHANNEL_UNIFORM };
	struct wl_chan chan = { .cfg = cfg };

	CHECK(wl_chan_certain(&chan));
	CHECK_EQ(wl_chan_lost(&chan, U32_MAX), 0);
	chan.cfg.loss_q32 = ONE;
	CHECK(wl_chan_certain(&chan));
	CHECK_EQ(wl_chan_lost(&chan, U32_MAX), U32_MAX);
	chan.cfg = gilbert(1, 1);
	CHECK(wl_chan_certain(&chan));
	CHECK_EQ(wl_chan_lost(&chan, 7), 0);
	chan.bad = true;
	CHECK_EQ(wl_chan_lost(&chan, 7), 7);
	chan.cfg.loss_bad_q32 = ONE - 1;
	CHECK(!wl_chan_certain(&chan));
	chan.cfg.kind = WLINK_CHANNEL_NONE;
	CHECK(wl_chan_certain(&chan));
	CHECK_EQ(wl_chan_lost(&chan, 7), 0);
	CHECK_EQ(chan.loss_rng.state, 0);
}

static void loss_frequency(void)
{
	const double wanted[] = { 0.001, 0.01, 0.1, 0.5, 0.99 };
	const int pdus = 300000;
	struct wl_chan chan = { 0 };
	u32 lost;

	seed_chan(&chan, 23);
	for (unsigned int i = 0; i < ARRAY_SIZE(wanted); i++) {
		double p = wanted[i], slack = 4.5 * sqrt(pdus * p * (1 - p));

		ut_begin("chan: loss %g in uniform, good or bad", p);
		chan.cfg = (struct wl_chan_cfg){
			.kind = WLINK_CHANNEL_UNIFORM,
			.loss_q32 = (u32)(p * 0x1p32),
		};
		lost = wl_chan_lost(&chan, pdus);
		CHECK_NEAR(lost, p * pdus, slack);
		chan.cfg = gilbert(0, 0);
		chan.cfg.loss_good_q32 = (u32)(p * 0x1p32);
		chan.cfg.loss_bad_q32 = (u32)((1 - p) * 0x1p32);
		chan.bad = false;
		lost = wl_chan_lost(&chan, pdus);
		CHECK_NEAR(lost, p * pdus, slack);
		chan.bad = true;
		lost = wl_chan_lost(&chan, pdus);
		CHECK_NEAR(lost, (1 - p) * pdus, slack);
	}
}

/* The fate of PDUs must not shift the states, or the states the fates. */
CASE(chan, "chan: drawing fates shifts the states")
{
	struct wl_chan_cfg cfg = gilbert(WL_FADE_P_Q32, WL_FADE_R_Q32);
	struct wl_chan a = { 0 }, b = { 0 };

	cfg.loss_good_q32 = 0x1000000;
	cfg.loss_bad_q32 = 0x80000000;
	seed_chan(&a, 29);
	seed_chan(&b, 29);
	wl_chan_set(&a, &cfg, 0);
	wl_chan_set(&b, &cfg, 0);
	for (int i = 0; i < 5000; i++) {
		wl_chan_step(&a, 1);
		wl_chan_step(&b, 1);
		wl_chan_lost(&b, 3);
		CHECK_EQ(a.bad, b.bad);
	}
}

/* Bearers and directions must not fade together. */
CASE(chan, "chan: bearers or directions share a stream")
{
	const enum wl_rng_use back = WL_RNG_REVERSE_CHANNEL;
	struct wl_chan chans[4] = { 0 };
	unsigned int i, j;

	wl_chan_seed(&chans[0], 3, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
	wl_chan_seed(&chans[1], 3, WL_RNG_CHANNEL, WL_RNG_LOSS, 2);
	wl_chan_seed(&chans[2], 3, back, WL_RNG_REVERSE_LOSS, 0);
	wl_chan_seed(&chans[3], 3, back, WL_RNG_REVERSE_LOSS, 2);
	for (i = 0; i < ARRAY_SIZE(chans); i++)
		for (j = 0; j < ARRAY_SIZE(chans); j++) {
			CHECK(i == j || chans[i].state_rng.state != chans[j].state_rng.state);
			CHECK(i == j || chans[i].loss_rng.state != chans[j].loss_rng.state);
			CHECK(chans[i].state_rng.state != chans[j].loss_rng.state);
		}
}

TEST(chan)
{
	n_step_formula();
	bursts_and_gaps(WL_FADE_P_Q32, WL_FADE_R_Q32);
	bursts_and_gaps(0x04000000, 0x40000000);
	bursts_and_gaps(0xa0000000, 0xc0000000);
	loss_frequency();
}
