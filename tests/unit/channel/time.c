// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <string.h>

#include "ut.h"
#include "core/channel/channel.h"
#include "core/lib/exp.h"

#define SEC	WL_NSEC_PER_SEC
#define HOUR	(3600 * SEC)

static u64 hazard(double ber)
{
	return (u64)(-log1p(-ber) * 0x1p56);
}

static struct wl_chan_cfg twostate(u64 good_ns, u64 bad_ns)
{
	struct wl_chan_cfg cfg = {
		.kind = WLINK_CHANNEL_TWOSTATE,
		.mean_good_ns = good_ns,
		.mean_bad_ns = bad_ns,
		.hazard_good_q56 = hazard(0.000001),
		.hazard_bad_q56 = hazard(0.01),
	};

	return cfg;
}

static void start(struct wl_chan *chan, const struct wl_chan_cfg *cfg, u64 seed, u64 now_ns)
{
	memset(chan, 0, sizeof(*chan));
	wl_chan_seed(chan, seed, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
	wl_chan_set(chan, cfg, now_ns);
}

/* -ln(bits / 2^64) in long double; its x87 log1p is exact next to 1, too. */
static long double minus_ln(u64 bits)
{
	if (bits >> 63)
		return -log1pl(-(long double)~bits / 0x1p64L);
	return -logl((long double)bits / 0x1p64L);
}

CASE(chan_time, "exp: -ln differs from that of libm")
{
	struct wl_rng rng = { .state = 41 };

	for (int i = 0; i < 200000; i++) {
		u64 bits = wl_rng_next(&rng);
		unsigned int cut = wl_rng_next(&rng) % 63;
		u64 low = max(bits >> cut, 1ULL);

		CHECK_NEAR(wl_exp_q56(low) / 0x1p56, minus_ln(low), 0.00000000001);
		/* Next to 1 the error falls with the result. */
		low = ~(bits >> 8 >> (cut & 31));
		CHECK_NEAR(wl_exp_q56(low) / 0x1p56, minus_ln(low),
			   minus_ln(low) * 0.000000001 + 1 / 0x1p55);
	}
	CHECK_EQ(wl_exp_q56(U64_MAX), 0);
	CHECK_EQ(wl_exp_q56(0), wl_exp_q56(1));
	/* 64 ln 2 */
	CHECK_NEAR(wl_exp_q56(1) / 0x1p56, 44.3614195558365, 0.00000000001);
	CHECK_NEAR(wl_exp_q56(1ULL << 63) / 0x1p56, 0.693147180559945, 0.00000000001);
}

/* Where the interval of the table changes, the result must not jump. */
CASE(chan_time, "exp: rises with the bits")
{
	unsigned int i, k;

	for (k = 0; k < 48; k++)
		for (i = 128; i < 256; i++) {
			u64 edge = (u64)i << 56 >> k;

			CHECK(wl_exp_q56(edge - 1) >= wl_exp_q56(edge));
			CHECK(wl_exp_q56(edge) >= wl_exp_q56(edge + 1));
		}
}

/* Mean 1, variance 1; the variance of (x - 1)^2 is 8. */
CASE(chan_time, "exp: mean or variance is not 1")
{
	struct wl_rng rng = { .state = 43 };
	double sum = 0, squares = 0;
	const int n = 1000000;

	for (int i = 0; i < n; i++) {
		double x = wl_exp_q56(wl_rng_next(&rng)) / 0x1p56;

		sum += x;
		squares += (x - 1) * (x - 1);
	}
	CHECK_NEAR(sum / n, 1, 3 / sqrt(n));
	CHECK_NEAR(squares / n, 1, 3 * sqrt(8.0 / n));
}

/*
 * 250 bytes back to back at 64 kbit/s over 50,000 s. The rates are
 * 1 - pi exp((Q + D) T) 1 with Q the generator of the states and D the rates of
 * bit errors in them.
 */
static void published(u64 bad_ns, double wanted)
{
	struct wl_chan_cfg cfg = twostate(10 * SEC, bad_ns);
	const u64 frame_ns = 31250000, end_ns = 50000 * SEC;
	double cycles = (double)end_ns / (10 * SEC + bad_ns);
	u64 now_ns, frames = 0, lost = 0, mark_ns = 0;
	struct wl_chan chan;

	ut_begin("twostate: loss at mean bad %g s", bad_ns / 1e9);
	start(&chan, &cfg, 47, 0);
	for (now_ns = frame_ns; now_ns <= end_ns; now_ns += frame_ns) {
		u64 bad_until_ns = wl_chan_bad_until_ns(&chan, now_ns);

		lost += wl_chan_hit(&chan, 2000, bad_until_ns - mark_ns, frame_ns);
		mark_ns = bad_until_ns;
		frames++;
	}
	CHECK_EQ(frames, 1600000);
	CHECK_NEAR((double)lost / frames, wanted, 3 * wanted * sqrt(2 / cycles));
}

/* Sojourns one by one: exponential with the means that were asked for. */
static void sojourns(u64 good_ns, u64 bad_ns)
{
	struct wl_chan_cfg cfg = twostate(good_ns, bad_ns);
	double sum[2] = { 0 }, squares[2] = { 0 };
	const int n = 100000;
	struct wl_chan chan;

	ut_begin("twostate: sojourns of %llu and %llu ns", good_ns, bad_ns);
	start(&chan, &cfg, 53, 7);
	wl_chan_bad_until_ns(&chan, chan.turn_ns + 1);
	for (int i = 0; i < 2 * n; i++) {
		u64 from_ns = chan.at_ns - 1;
		u64 for_ns = chan.turn_ns - from_ns;
		double mean_ns = chan.bad ? bad_ns : good_ns;
		u64 bad_before_ns = chan.bad_ns;
		bool bad = chan.bad;

		/* 1 ns of it has been counted. */
		wl_chan_bad_until_ns(&chan, chan.turn_ns);
		CHECK(chan.bad == bad);
		CHECK_EQ(chan.bad_ns - bad_before_ns, bad ? for_ns - 1 : 0);
		wl_chan_bad_until_ns(&chan, chan.turn_ns + 1);
		/* A sojourn of 1 ns is over at once. */
		CHECK(chan.bad != bad);
		sum[bad] += for_ns / mean_ns;
		squares[bad] += for_ns / mean_ns * for_ns / mean_ns;
	}
	for (int i = 0; i < 2; i++) {
		CHECK_NEAR(sum[i] / n, 1, 3 / sqrt(n));
		/* The mean of squares is 2, their variance 24 - 4. */
		CHECK_NEAR(squares[i] / n, 2, 3 * sqrt(20.0 / n));
	}
}

CASE(chan_time, "twostate: the first state or its rest is not stationary")
{
	struct wl_chan_cfg cfg = twostate(9 * SEC, SEC);
	const int seeds = 100000;
	struct wl_chan chan;
	double left_ns = 0;
	int bad = 0;
	u64 seed;

	for (seed = 0; seed < seeds; seed++) {
		start(&chan, &cfg, seed, HOUR);
		bad += chan.bad;
		left_ns += chan.bad ? chan.turn_ns - HOUR : 0;
		CHECK_EQ(chan.at_ns, HOUR);
	}
	CHECK_NEAR(bad, 0.1 * seeds, 3 * sqrt(0.09 * seeds));
	CHECK_NEAR(left_ns / bad, SEC, 3 * SEC / sqrt(bad));
}

CASE(chan_time, "twostate: calls for times in between change the path")
{
	struct wl_chan_cfg cfg = twostate(3 * SEC, SEC);
	struct wl_rng dice = { .state = 59 };
	struct wl_chan a, b;
	u64 now_ns = 5;
	int i, j;

	start(&a, &cfg, 61, now_ns);
	start(&b, &cfg, 61, now_ns);
	for (i = 0; i < 2000; i++) {
		u64 from_ns = now_ns;

		now_ns += wl_rng_next(&dice) % (20 * SEC);
		for (j = 1; j < 16; j++)
			wl_chan_bad_until_ns(&b, from_ns + (now_ns - from_ns) / 16 * j);
		CHECK_EQ(wl_chan_bad_until_ns(&a, now_ns), wl_chan_bad_until_ns(&b, now_ns));
		/* Once more for the same time. */
		CHECK_EQ(wl_chan_bad_until_ns(&b, now_ns), a.bad_ns);
		CHECK(a.bad == b.bad);
		CHECK_EQ(a.turn_ns, b.turn_ns);
		CHECK_EQ(a.state_rng.state, b.state_rng.state);
	}
}

/* Draws of SplitMix64 can be counted by what they add to its state. */
static u64 draws(u64 from, u64 to)
{
	const u64 step = 0x9e3779b97f4a7c15ULL;
	u64 n;

	for (n = 0; from != to && n < 100000; n++)
		from += step;
	return n;
}

static void idle_day(u64 good_ns, u64 bad_ns)
{
	struct wl_chan_cfg cfg = twostate(good_ns, bad_ns);
	double share = (double)bad_ns / (good_ns + bad_ns);
	const int days = 2000;
	struct wl_chan chan;
	int i, bad = 0;
	u64 now_ns = 0;

	ut_begin("twostate: an idle day at %llu and %llu ns", good_ns, bad_ns);
	start(&chan, &cfg, 67, 0);
	for (i = 1; i <= days; i++) {
		u64 before = chan.state_rng.state;
		u64 was_ns = chan.bad_ns;

		now_ns += 24 * HOUR;
		wl_chan_bad_until_ns(&chan, now_ns);
		bad += chan.bad;
		/* 1000 cycles of 2 draws each, 9 standard deviations. */
		CHECK(draws(before, chan.state_rng.state) < 2600);
		CHECK_EQ(chan.at_ns, now_ns);
		CHECK(chan.turn_ns >= now_ns);
		CHECK(chan.bad_ns - was_ns <= 24 * HOUR);
	}
	CHECK_NEAR(bad, share * days, 3.5 * sqrt(share * (1 - share) * days));
	CHECK_NEAR((double)chan.bad_ns / now_ns, share,
		   3.5 * share * sqrt(2.0 / days / 1000) + 0.000001);
}

static void lost_share(double h, u64 bits, u64 bad_ns, u64 span_ns, const struct wl_chan_cfg *cfg)
{
	double wanted = -expm1(-h);
	const int n = 100000;
	int i, lost = 0;
	struct wl_chan chan;

	start(&chan, cfg, 71 + bits, 0);
	for (i = 0; i < n; i++)
		lost += wl_chan_hit(&chan, bits, bad_ns, span_ns);
	CHECK_NEAR(lost, wanted * n, 4 * sqrt(n * wanted * (1 - wanted)) + 1);
}

CASE(chan_time, "twostate: a PDU is not lost with 1 - exp(-hazard)")
{
	const double bers[] = { 0.000000001, 0.000001, 0.0001, 0.01, 0.5 };
	const u64 bits[] = { 1, 8, 2000, 12000, 524280, 1ULL << 33 };
	const u64 spans[] = { 1, 3, 31250000, 1ULL << 33, 600000000000000ULL };
	struct wl_chan_cfg cfg = twostate(SEC, SEC);
	unsigned int i, j, k;

	for (i = 0; i < ARRAY_SIZE(bers); i++)
		for (j = 0; j < ARRAY_SIZE(bits); j++)
			for (k = 0; k < ARRAY_SIZE(spans); k++) {
				u64 bad_ns = spans[k] / 3;
				double part = (double)bad_ns / spans[k];
				double h = log1p(-0.0000001) * (1 - part) +
					   log1p(-bers[i]) * part;

				cfg.hazard_good_q56 = hazard(0.0000001);
				cfg.hazard_bad_q56 = hazard(bers[i]);
				lost_share(-h * bits[j], bits[j], bad_ns, spans[k], &cfg);
			}
	/* Ends of the span. */
	lost_share(0.0000001 * 12000, 12000, 0, SEC, &cfg);
	lost_share(0.0000001 * 12000, 12000, 0, 0, &cfg);
	cfg.hazard_bad_q56 = hazard(0.00001);
	lost_share(0.00001 * 12000, 12000, SEC, SEC, &cfg);
}

CASE(chan_time, "twostate: without errors or without hope")
{
	struct wl_chan_cfg cfg = twostate(SEC, SEC);
	struct wl_chan chan;
	u64 before;

	cfg.hazard_good_q56 = 0;
	cfg.hazard_bad_q56 = WLINK_HAZARD_MAX;
	start(&chan, &cfg, 73, 0);
	before = chan.loss_rng.state;
	CHECK(!wl_chan_certain(&chan));
	for (int i = 0; i < 1000; i++)
		CHECK(!wl_chan_hit(&chan, 1ULL << 33, 0, SEC));
	CHECK(!wl_chan_hit(&chan, 0, SEC, SEC));
	CHECK_EQ(chan.loss_rng.state, before);
	for (int i = 0; i < 1000; i++) {
		CHECK(wl_chan_hit(&chan, 1ULL << 33, SEC, SEC));
		CHECK(wl_chan_hit(&chan, 1, SEC, SEC));
	}
	CHECK_EQ(draws(before, chan.loss_rng.state), 2000);
}

/* What is left of a sojourn is drawn anew only if a mean is another. */
CASE(chan_time, "twostate: set once more forgets its state, or keeps it")
{
	struct wl_chan_cfg cfg = twostate(1000 * SEC, 1000 * SEC);
	struct wl_chan_cfg other = twostate(SEC, SEC);
	struct wl_chan_cfg none = { .kind = WLINK_CHANNEL_NONE };
	struct wl_chan_cfg slower = twostate(SEC, 2 * SEC);
	struct wl_chan_cfg slowest = twostate(3 * SEC, 2 * SEC);
	double left_ns = 0;
	struct wl_chan chan, old;
	const int seeds = 20000;
	int seed;

	for (seed = 0; seed < seeds; seed++) {
		start(&chan, &cfg, seed, 0);
		wl_chan_bad_until_ns(&chan, SEC);
		old = chan;
		cfg.hazard_bad_q56++;
		wl_chan_set(&chan, &cfg, SEC);
		CHECK_EQ(chan.turn_ns, old.turn_ns);
		CHECK_EQ(chan.state_rng.state, old.state_rng.state);
		CHECK(chan.bad == old.bad);
		CHECK_EQ(chan.cfg.hazard_bad_q56, cfg.hazard_bad_q56);
		/* The path was looked ahead at up to SEC: that part stays. */
		wl_chan_set(&chan, &other, SEC / 2);
		CHECK(chan.bad == old.bad);
		CHECK(chan.turn_ns > SEC);
		CHECK_EQ(chan.bad_ns, old.bad_ns);
		left_ns += chan.turn_ns - SEC;
		old = chan;
		wl_chan_set(&chan, &slower, SEC);
		CHECK(chan.state_rng.state != old.state_rng.state);
		CHECK_EQ(chan.turns, old.turns + 1);
		old = chan;
		wl_chan_set(&chan, &slowest, SEC);
		CHECK(chan.state_rng.state != old.state_rng.state);
		wl_chan_set(&chan, &none, chan.turn_ns);
		CHECK(!chan.bad);
	}
	CHECK_NEAR(left_ns / seeds, SEC, 3 * SEC / sqrt(seeds));
	/* Time in bad stands still while it is of another kind. */
	old = chan;
	CHECK_EQ(wl_chan_bad_until_ns(&chan, 9 * HOUR), old.bad_ns);
	wl_chan_set(&chan, &cfg, 10 * HOUR);
	CHECK_EQ(chan.bad_ns, old.bad_ns);
	CHECK_EQ(chan.at_ns, 10 * HOUR);
}

/* The sojourn that ends after the change has lasted up to it. */
CASE(chan_time, "twostate: time before a change goes by the new means")
{
	struct wl_chan_cfg cfg = twostate(WLINK_SOJOURN_MIN, WLINK_SOJOURN_MAX);
	struct wl_chan_cfg other = twostate(SEC, SEC);
	struct wl_chan chan;

	start(&chan, &cfg, 79, 0);
	CHECK(chan.bad);
	CHECK(chan.turn_ns > 2 * SEC);
	wl_chan_set(&chan, &other, 2 * SEC);
	CHECK(chan.bad);
	CHECK_EQ(chan.at_ns, 2 * SEC);
	CHECK_EQ(chan.bad_ns, 2 * SEC);
}

/* What is left of the sojourn is known, though thousands of cycles after it are skipped. */
CASE(chan_time, "twostate: a sojourn before a skip is left out")
{
	struct wl_chan_cfg cfg = twostate(SEC, SEC / 1000);
	struct wl_chan chan;

	start(&chan, &cfg, 83, 0);
	chan.bad = true;
	chan.turn_ns = HOUR;
	/* The 3600 cycles after it are bad for 3.6 s, six deviations are below a second. */
	CHECK_NEAR(wl_chan_bad_until_ns(&chan, 2 * HOUR), HOUR + 3.6 * SEC, 1.0 * SEC);
}

CASE(chan_time, "twostate: a mean outside of its bounds is taken")
{
	static const char *const names[] = {
		"channel mean_good", "rev_channel mean_good",
		"channel mean_bad", "rev_channel mean_bad",
	};
	const u64 least = WLINK_SOJOURN_MIN, most = WLINK_SOJOURN_MAX;
	const u64 bad[] = { least - 1, most + 1 };
	struct wl_refusal why;
	u32 i, back;

	for (back = 0; back < 2; back++) {
		struct wl_chan_cfg cfg = twostate(least, most);

		CHECK_EQ(wl_chan_check(&cfg, back, &why), 0);
		cfg = twostate(most, least);
		CHECK_EQ(wl_chan_check(&cfg, back, &why), 0);
		for (i = 0; i < 4; i++) {
			cfg = i < 2 ? twostate(bad[i % 2], SEC) : twostate(SEC, bad[i % 2]);
			CHECK(wl_chan_check(&cfg, back, &why) < 0);
			CHECK(!strcmp(why.what, names[(i & 2) + back]));
			CHECK_EQ(why.value, bad[i % 2]);
			CHECK_EQ(why.min, least);
			CHECK_EQ(why.max, most);
		}
	}
}

TEST(chan_time)
{
	published(SEC / 10, 0.01462);
	published(SEC / 5, 0.02430);
	published(SEC / 2, 0.05218);
	published(SEC, 0.09527);
	sojourns(10 * SEC, SEC / 10);
	sojourns(WLINK_SOJOURN_MIN, WLINK_SOJOURN_MAX);
	idle_day(SEC, SEC / 10);
	idle_day(WLINK_SOJOURN_MIN, WLINK_SOJOURN_MIN);
}
