// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "ut.h"
#include "wl_tables.h"

CASE(rng, "rng: numbers differ from the published ones")
{
	struct wl_rng rng = { .state = 1234567 };

	for (unsigned int i = 0; i < ARRAY_SIZE(wl_rng_known); i++)
		CHECK_EQ(wl_rng_next(&rng), wl_rng_known[i]);
}

CASE(rng, "rng: a seed does not repeat its stream")
{
	struct wl_rng a, b;

	wl_rng_seed(&a, 42, WL_RNG_LOSS, 0);
	wl_rng_seed(&b, 42, WL_RNG_LOSS, 0);
	for (int i = 0; i < 1000; i++)
		CHECK_EQ(wl_rng_next(&a), wl_rng_next(&b));
}

/* Bits in which two streams agree: binomial with n = 64 * count. */
static void apart(struct wl_rng a, struct wl_rng b, int shift)
{
	const int count = 4096;
	double same = 0;

	for (int i = 0; i < shift; i++)
		wl_rng_next(&a);
	for (int i = 0; i < count; i++)
		same += 64 - __builtin_popcountll(wl_rng_next(&a) ^ wl_rng_next(&b));
	CHECK_NEAR(same, 32.0 * count, 5 * sqrt(16.0 * count));
}

CASE(rng, "rng: streams of two uses, bearers or seeds are correlated")
{
	const u64 seeds[] = { 0, 1, 2, 0x9e3779b97f4a7c15ULL, U64_MAX };
	struct wl_rng a, b;
	int shift;

	for (unsigned int i = 0; i < ARRAY_SIZE(seeds); i++)
		for (shift = 0; shift < 4; shift++) {
			wl_rng_seed(&a, seeds[i], WL_RNG_CHANNEL, 0);
			wl_rng_seed(&b, seeds[i], WL_RNG_LOSS, 0);
			apart(a, b, shift);
			apart(b, a, shift);
			wl_rng_seed(&b, seeds[i], WL_RNG_CHANNEL, 1);
			apart(a, b, shift);
			wl_rng_seed(&b, seeds[i] + 1, WL_RNG_CHANNEL, 0);
			apart(a, b, shift);
		}
}

CASE(rng, "rng: a certain answer draws a number")
{
	struct wl_rng rng = { .state = 99 };

	for (int i = 0; i < 1000; i++) {
		CHECK(!wl_rng_chance(&rng, 0));
		CHECK(wl_rng_chance(&rng, WLINK_PROB_ONE));
		CHECK_EQ(rng.state, 99);
	}
}

CASE(rng, "rng: an uncertain answer does not draw just one number")
{
	struct wl_rng a = { .state = 5 }, b = { .state = 5 };

	wl_rng_chance(&a, 1);
	wl_rng_next(&b);
	CHECK_EQ(a.state, b.state);
	wl_rng_chance(&a, WLINK_PROB_ONE - 1);
	wl_rng_next(&b);
	CHECK_EQ(a.state, b.state);
}

CASE(rng, "rng: chance is off by one number")
{
	const u32 prob_q32 = 0x12345678;
	struct wl_rng rng;

	rng.state = wl_state_before((u64)(prob_q32 - 1) << 32 | U32_MAX);
	CHECK(wl_rng_chance(&rng, prob_q32));
	rng.state = wl_state_before((u64)prob_q32 << 32);
	CHECK(!wl_rng_chance(&rng, prob_q32));
	rng.state = wl_state_before(0);
	CHECK(wl_rng_chance(&rng, 1));
	rng.state = wl_state_before(1ULL << 32);
	CHECK(!wl_rng_chance(&rng, 1));
}

static void chance_frequency(void)
{
	const double probs[] = { 0.001, 0.01, 0.1, 0.5, 0.9, 0.999 };
	const int count = 200000;
	struct wl_rng rng;
	int n, hits;

	wl_rng_seed(&rng, 7, WL_RNG_LOSS, 0);
	for (unsigned int i = 0; i < ARRAY_SIZE(probs); i++) {
		double p = probs[i];

		ut_begin("rng: chance %g comes too often or too seldom", p);
		for (hits = 0, n = 0; n < count; n++)
			hits += wl_rng_chance(&rng, (u32)(p * 0x1p32));
		CHECK_NEAR(hits, p * count, 4.5 * sqrt(count * p * (1 - p)));
	}
}

TEST(rng)
{
	chance_frequency();
}
