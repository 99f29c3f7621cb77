// SPDX-License-Identifier: GPL-2.0
/*
 * RED: how often, how far apart and at which average. Of chance, intervals hold
 * 99.9 % and the seeds are fixed.
 */
#include <math.h>

#include "ut.h"
#include "core/aqm/aqm.h"

#define Z_999		3.2905
/* Twice the greatest 1/p of the tests. */
#define GAPS		160

struct bench {
	struct wl_aqm_cfg cfg;
	struct wl_aqm aqm;
	struct wl_aqm_at at;
};

static struct bench t;

static u32 q32(double p)
{
	return p < 1 ? (u32)(p * 4294967296.0) : WLINK_PROB_ONE;
}

/* A buffer of 40 SDUs. */
static void bench(u32 minth, double maxp, u32 count)
{
	memset(&t, 0, sizeof(t));
	wl_aqm_default(&t.cfg, WLINK_AQM_RED);
	t.cfg.minth = minth;
	t.cfg.maxp_q32 = q32(maxp);
	t.cfg.count = count;
	t.at.cfg = &t.cfg;
	t.at.maxth = 40;
	t.at.rate_bps = 384000;
	wl_rng_seed(&t.aqm.rng, 4711, WL_RNG_AQM, 1);
	wl_aqm_start(&t.aqm, &t.at);
}

/* A SDU finds bo others. */
static bool arrive(u64 bo)
{
	t.at.arriving = t.cfg.unit == WLINK_UNIT_BYTES ? 1500 : 1;
	t.at.bo = bo + t.at.arriving;
	return t.aqm.ops->arrived(&t.aqm, &t.at);
}

static void is_share(u64 bo, double p, u32 n)
{
	u32 i, hits = 0;

	for (i = 0; i < n; i++)
		hits += arrive(bo);
	CHECK_NEAR((double)hits / n, p, Z_999 * sqrt(p * (1 - p) / n));
}

/* The paper's Table 5; facts.md 4.1 has what comes of it. */
static const struct proposal {
	u32 kbit, minth;
	double maxp;
	double p[4];
} table5[] = {
	{ 384, 20, .05, { .0125, .025, .0375, .0475 } },
	{ 256, 15, .06, { .024, .036, .048, .0576 } },
	{ 128, 10, .2, { .1, .13333, .16667, .19333 } },
	{ 64, 10, .3, { .15, .2, .25, .29 } },
};

static void proposals(void)
{
	static const u32 bo[] = { 25, 30, 35, 39 };
	const struct proposal *row;

	for (row = table5; row < table5 + ARRAY_SIZE(table5); row++) {
		ut_begin("red: p at %u kbit/s is not that of the paper", row->kbit);
		for (unsigned int i = 0; i < ARRAY_SIZE(bo); i++) {
			bench(row->minth, row->maxp, 0);
			is_share(bo[i], row->p[i], 400000);
		}
	}
}

/* Where p is certain, nothing is drawn. */
static void is_certain(u64 bo, bool hit)
{
	struct wl_rng rng = t.aqm.rng;

	for (u32 i = 0; i < 1000; i++)
		CHECK(arrive(bo) == hit);
	CHECK_EQ(rng.state, t.aqm.rng.state);
}

CASE(red, "red: it drops below minth or spares at maxth")
{
	bench(20, .5, 0);
	is_certain(0, false);
	is_certain(19, false);
	is_certain(20, false);
	is_certain(40, true);
	is_certain(1000, true);
	is_share(39, .475, 100000);
	bench(20, 1, 0);
	is_share(30, .5, 100000);
	is_certain(40, true);
}

CASE(red, "red: gentle does not lead from maxp to 1 at twice maxth")
{
	bench(20, .1, 0);
	t.cfg.gentle = 1;
	is_share(30, .05, 100000);
	is_share(40, .1, 100000);
	is_share(60, .55, 100000);
	is_share(70, .775, 100000);
	is_certain(80, true);
	bench(20, 1, 0);
	t.cfg.gentle = 1;
	is_certain(40, true);
}

/* Wilson and Hilferty: the value that 1 in 1000 of chi-square is above. */
static double chi2_999(u32 freedom)
{
	double k = freedom;

	return k * pow(1 - 2 / (9 * k) + 3.0902 * sqrt(2 / (9 * k)), 3);
}

struct gaps {
	u32 n;
	double sum;
	u32 of[GAPS + 1];
};

/* Gaps between drops at a fixed occupancy; the last bin takes all longer ones. */
static void collect(u64 bo, u32 n, struct gaps *gaps)
{
	u32 gap;

	memset(gaps, 0, sizeof(*gaps));
	for (gaps->n = 0; gaps->n < n; gaps->n++) {
		gap = 1;
		while (!arrive(bo))
			gap++;
		gaps->sum += gap;
		gaps->of[min_t(u32, gap, GAPS)]++;
	}
}

static double chi2(const struct gaps *gaps, const double *share, u32 bins)
{
	double sum = 0, wanted;

	for (u32 i = 1; i <= bins; i++) {
		wanted = share[i] * gaps->n;
		sum += pow(gaps->of[i] - wanted, 2) / wanted;
	}
	return sum;
}

#define DROPS	40000

/* 1/p is the count of gaps that can be. */
static void uniform(double maxp, u64 bo, u32 most)
{
	double share[GAPS + 1];
	struct gaps gaps;
	u32 i;

	ut_begin("red: with count, gaps at p 1/%u are not uniform", most);
	bench(20, maxp, 1);
	collect(bo, DROPS, &gaps);
	CHECK_NEAR(gaps.sum / DROPS, most / 2.0 + .5,
		   Z_999 * sqrt(((double)most * most - 1) / 12 / DROPS));
	for (i = 1; i <= most; i++)
		share[i] = 1.0 / most;
	if (most > 1)
		CHECK(chi2(&gaps, share, most) < chi2_999(most - 1));
	for (; i <= GAPS; i++)
		CHECK_EQ(gaps.of[i], 0);
}

static void geometric(double maxp, u64 bo, double p)
{
	double share[GAPS + 1];
	struct gaps gaps;

	ut_begin("red: without count, gaps at p %g are not geometric", p);
	bench(20, maxp, 0);
	collect(bo, DROPS, &gaps);
	CHECK_NEAR(gaps.sum / DROPS, 1 / p, Z_999 * sqrt((1 - p) / (p * p) / DROPS));
	for (u32 i = 1; i < GAPS; i++)
		share[i] = p * pow(1 - p, i - 1);
	share[GAPS] = pow(1 - p, GAPS - 1);
	CHECK(chi2(&gaps, share, GAPS) < chi2_999(GAPS - 1));
}

/* Half of 20 arrivals in a row have none to tell of the 40 that one is due in,
 * if each row begins from 0.
 */
CASE(red, "red: count goes on below minth")
{
	u32 row, i, hits = 0, rows = 20000;
	bool hit;

	bench(20, .05, 1);
	for (row = 0; row < rows; row++) {
		CHECK(!arrive(19));
		/* Until the first drop; the next row begins from 0 itself. */
		for (i = 0, hit = false; i < 20 && !hit; i++)
			hit = arrive(30);
		hits += hit;
	}
	CHECK_NEAR((double)hits / rows, .5, Z_999 * sqrt(.25 / rows));
}

static void average(double weight, u32 seed)
{
	double avg = 0, low = 4294967296.0, m;
	struct wl_rng rng = { seed };

	ut_begin("red: the average with weight %g is off", weight);
	bench(20, .05, 1);
	t.cfg.weight_q32 = q32(weight);
	weight = t.cfg.weight_q32 / low;
	for (u32 i = 0; i < 20000; i++) {
		u64 bo = wl_rng_next(&rng) % 60;

		t.at.idle_ns = 0;
		/* Each 100th finds it empty, for up to 100 SDUs of 31.25 ms. */
		if (!(i % 100)) {
			bo = 0;
			t.at.idle_ns = wl_rng_next(&rng) % 3125000000;
		}
		m = floor(t.at.idle_ns / 31250000.0);
		avg *= pow(1 - weight, m);
		avg += weight * (bo - avg);
		arrive(bo);
		/* Each step cuts a unit at most, of which the weight is kept. */
		CHECK_NEAR(t.aqm.red.avg_q24 / 16777216.0, avg, 2 / weight / 16777216);
	}
}

CASE(red, "red: the average of an empty buffer stays")
{
	bench(20, .05, 1);
	t.at.bo = 20;
	wl_aqm_start(&t.aqm, &t.at);
	CHECK_EQ(wl_aqm_level(&t.aqm), 20000);
	t.cfg.weight_q32 = q32(.1);
	/* Ten SDUs of 31.25 ms and the one that arrives: 20 * .9^11. */
	t.at.idle_ns = 10 * 31250000;
	arrive(0);
	CHECK_EQ(wl_aqm_level(&t.aqm), 6276);
	/* One ns less is nine; 6.2762 * .9^10. */
	t.at.idle_ns--;
	arrive(0);
	CHECK_EQ(wl_aqm_level(&t.aqm), 2188);
	t.at.idle_ns = WL_NEVER_NS;
	arrive(0);
	CHECK_EQ(wl_aqm_level(&t.aqm), 0);
}

/* At weight 1/2: 0 30 30 30 is 0 15 22.5 26.25, so p leaves 0 at the third. */
CASE(red, "red: the occupancy counts, not its average")
{
	bench(20, 1, 0);
	t.cfg.weight_q32 = q32(.5);
	CHECK(!arrive(0));
	CHECK(!arrive(30));
	CHECK_EQ(wl_aqm_level(&t.aqm), 15000);
	arrive(30);
	CHECK_EQ(wl_aqm_level(&t.aqm), 22500);
	arrive(30);
	CHECK_EQ(wl_aqm_level(&t.aqm), 26250);
	t.cfg.weight_q32 = WLINK_PROB_ONE;
	arrive(39);
	CHECK_EQ(wl_aqm_level(&t.aqm), 39000);
}

CASE(red, "red: thresholds in bytes count something else")
{
	bench(30000, .05, 0);
	t.cfg.unit = WLINK_UNIT_BYTES;
	t.at.maxth = 60000;
	is_certain(29999, false);
	is_certain(60000, true);
	is_share(45000, .025, 400000);
}

/* Thresholds that a later change has put in another order, and the greatest. */
CASE(red, "red: thresholds that no longer fit divide by zero")
{
	u64 maxth;

	for (maxth = 0; maxth <= 20; maxth++) {
		bench(20, .05, 1);
		t.at.maxth = maxth;
		if (maxth)
			is_certain(maxth - 1, false);
		is_certain(maxth, true);
		t.cfg.gentle = 1;
		is_certain(2 * maxth, true);
		arrive(maxth);
	}
	bench(0, .5, 0);
	t.cfg.unit = WLINK_UNIT_BYTES;
	t.at.maxth = U32_MAX;
	is_share(U32_MAX / 2, .25, 100000);
	t.cfg.minth = U32_MAX - 1;
	is_certain(U32_MAX - 2, false);
	is_certain(U32_MAX, true);
	t.cfg.gentle = 1;
	is_share(U32_MAX + U32_MAX / 2ULL, .75, 100000);
	is_certain(1ULL << 50, true);
	t.cfg.weight_q32 = WLINK_PROB_ONE - 1;
	is_certain(1ULL << 50, true);
	t.cfg.sdu_bytes = 0;
	t.at.rate_bps = WLINK_RATE_MAX;
	t.at.idle_ns = WL_NEVER_NS;
	is_certain(0, false);
}

/* After this long the fastest link has sent 2^64 bits, and a few more. */
CASE(red, "red: a long idle time overflows")
{
	bench(20, .05, 1);
	t.at.bo = 20;
	wl_aqm_start(&t.aqm, &t.at);
	t.cfg.weight_q32 = q32(.00000001);
	t.at.rate_bps = WLINK_RATE_MAX;
	t.at.idle_ns = 184467441 * WL_NSEC_PER_SEC;
	arrive(0);
	CHECK_EQ(wl_aqm_level(&t.aqm), 0);
}

/* As many as 2^32 that p spared weigh no more than fit. */
CASE(red, "red: a long count overflows")
{
	bench(20, .05, 1);
	t.aqm.red.count = U32_MAX;
	arrive(20);
	CHECK_EQ(t.aqm.red.count, U32_MAX);
	CHECK(arrive(21));
	CHECK_EQ(t.aqm.red.count, 0);
	t.aqm.red.count = U32_MAX;
	CHECK(arrive(40));
	bench(20, 1, 1);
	t.aqm.red.count = U32_MAX;
	CHECK(arrive(39));
}

TEST(red)
{
	proposals();
	uniform(.05, 25, 80);
	uniform(.05, 30, 40);
	uniform(.2, 30, 10);
	uniform(1, 30, 2);
	uniform(1, 40, 1);
	geometric(.05, 30, .025);
	geometric(.05, 35, .0375);
	geometric(.2, 35, .15);
	average(.002, 1);
	average(.1, 2);
	average(.5, 3);
	average(.00001, 4);
}
