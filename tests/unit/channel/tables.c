// SPDX-License-Identifier: GPL-2.0
/* The tables that KUnit holds the channel of two states against. */
#include <math.h>

#include "ut.h"
#include "wl_times.h"

static long double minus_ln(u64 bits)
{
	if (bits >> 63)
		return -log1pl(-(long double)(~bits + 1) / 0x1p64L);
	return -logl((long double)bits / 0x1p64L);
}

CASE(times, "times: -ln is not that of the table, or the table's not libm's")
{
	for (u32 i = 0; i < ARRAY_SIZE(wl_exp_rows); i++) {
		const struct wl_exp_row *row = &wl_exp_rows[i];
		double wanted = minus_ln(row->bits) * 0x1p56L;

		/* A double holds 2^-53 of the largest, 45. */
		CHECK_NEAR(row->exp_q56, wanted, 512);
		CHECK_NEAR(wl_exp_q56(row->bits), wanted, WL_EXP_SLACK);
	}
}

static void walk(const struct wl_walk_row *row)
{
	long double cycle_ns = row->mean_good_ns + row->mean_bad_ns;
	long double at_ns = 0, bad_ns = 0;
	u64 slack_ns = wl_walk_slack_ns(row, WL_WALK_SOJOURNS);
	struct wl_rng rng = { .state = row->state };
	struct wl_chan chan;
	bool bad;

	bad = wl_rng_next(&rng) / 0x1p64L * cycle_ns < row->mean_bad_ns;
	CHECK_EQ(row->bad, bad);
	for (u32 i = 0; i < WL_WALK_SOJOURNS; i++, bad = !bad) {
		long double stay_ns = minus_ln(wl_rng_next(&rng));

		stay_ns *= bad ? row->mean_bad_ns : row->mean_good_ns;
		at_ns += stay_ns;
		bad_ns += bad ? stay_ns : 0;
		if (!i)
			CHECK_NEAR(row->turn_ns, at_ns, 1);
	}
	CHECK_NEAR(row->end_ns, at_ns, 1);
	CHECK_NEAR(row->bad_ns, bad_ns, 1);

	wl_walk_begin(&chan, row);
	CHECK_EQ(chan.bad, row->bad);
	CHECK_NEAR(chan.turn_ns, row->turn_ns, wl_walk_slack_ns(row, 1));
	wl_walk(&chan);
	CHECK_NEAR(chan.turn_ns, row->end_ns, slack_ns);
	CHECK_NEAR(wl_chan_bad_until_ns(&chan, chan.turn_ns), row->bad_ns, slack_ns);
}

CASE(times, "times: a PDU is hit below the bits of the table, or not above")
{
	for (u32 i = 0; i < ARRAY_SIZE(wl_hit_rows); i++) {
		long double part, per_bit, bits;
		const struct wl_hit_row *row = &wl_hit_rows[i];
		struct wl_rng rng = { .state = row->state };

		part = (long double)row->bad_ns / row->span_ns;
		per_bit = row->hazard_good_q56 * (1 - part) +
			  row->hazard_bad_q56 * part;
		bits = minus_ln(wl_rng_next(&rng)) * 0x1p56L / per_bit;
		CHECK(row->miss_bits <= bits && row->hit_bits >= bits);
		CHECK_NEAR(row->hit_bits - row->miss_bits, 1, 1 + 0.000002 * bits);
		CHECK(!wl_hit(row, row->miss_bits));
		CHECK(wl_hit(row, row->hit_bits));
	}
}

TEST(times)
{
	for (u32 i = 0; i < ARRAY_SIZE(wl_walk_rows); i++) {
		ut_begin("times: a path of sojourns, %u", i);
		walk(&wl_walk_rows[i]);
	}
}
