// SPDX-License-Identifier: GPL-2.0
/* The channel of two states in the kernel's arithmetic. */
#include <kunit/test.h>

#include "wl_times.h"

static void expect_near(struct kunit *test, u64 is, u64 wanted, u64 slack)
{
	KUNIT_EXPECT_LE(test, max(is, wanted) - min(is, wanted), slack);
}

static void exp_differs_from_libm(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(wl_exp_rows); i++)
		expect_near(test, wl_exp_q56(wl_exp_rows[i].bits),
			    wl_exp_rows[i].exp_q56, WL_EXP_SLACK);
	/* Next to 0 the error falls with the result. */
	expect_near(test, wl_exp_q56(~0ULL - (1ULL << 20)), 4096, 2);
	KUNIT_EXPECT_EQ(test, wl_exp_q56(0), wl_exp_q56(1));
	KUNIT_EXPECT_EQ(test, wl_exp_q56(~0ULL), 0ULL);
}

static void sojourns_take_other_times(struct kunit *test)
{
	struct wl_chan chan;
	int i;

	for (i = 0; i < ARRAY_SIZE(wl_walk_rows); i++) {
		const struct wl_walk_row *row = &wl_walk_rows[i];

		wl_walk_begin(&chan, row);
		KUNIT_EXPECT_EQ(test, chan.bad, row->bad);
		expect_near(test, chan.turn_ns, row->turn_ns, wl_walk_slack_ns(row, 1));
		wl_walk(&chan);
		expect_near(test, chan.turn_ns, row->end_ns,
			    wl_walk_slack_ns(row, WL_WALK_SOJOURNS));
		expect_near(test, wl_chan_bad_until_ns(&chan, chan.turn_ns), row->bad_ns,
			    wl_walk_slack_ns(row, WL_WALK_SOJOURNS));
	}
}

static void hazard_is_off(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(wl_hit_rows); i++) {
		const struct wl_hit_row *row = &wl_hit_rows[i];

		KUNIT_EXPECT_FALSE(test, wl_hit(row, row->miss_bits));
		KUNIT_EXPECT_TRUE(test, wl_hit(row, row->hit_bits));
	}
}

static struct kunit_case times_cases[] = {
	KUNIT_CASE(exp_differs_from_libm),
	KUNIT_CASE(sojourns_take_other_times),
	KUNIT_CASE(hazard_is_off),
	{}
};

static struct kunit_suite times_suite = {
	.name = "wlink_times",
	.test_cases = times_cases,
};

kunit_test_suite(times_suite);
