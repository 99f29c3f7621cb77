// SPDX-License-Identifier: GPL-2.0
/*
 * Distributions of jitter: what user space makes of a name, against closed forms, and what the
 * engine draws of it, alone and depending on the draw before.
 */
#include <math.h>
#include <stdlib.h>

#include "core/impair/dist.h"
#include "numbers/dist.h"
#include "ut.h"

#define MEAN	20000000.0
#define DEV	8000000.0
#define DRAWS	200000

static struct wl_points points;
static double draws[DRAWS];

static struct wl_dist *dist_of(const struct wl_points *from)
{
	struct wl_dist *dist = malloc(sizeof(*dist) + sizeof(from->point));

	dist->unit_ns = from->unit_ns;
	dist->count = from->count;
	memcpy(dist->point, from->point, sizeof(from->point));
	return dist;
}

static double below(enum wlink_dist dist, double x)
{
	double ratio = DEV / MEAN, s, power, half = sqrt(3) * DEV;

	switch (dist) {
	case WLINK_DIST_UNIFORM:
		return fmin(fmax((x - MEAN + half) / (2 * half), 0), 1);
	case WLINK_DIST_NORMAL:
		return erfc((MEAN - x) / DEV / M_SQRT2) / 2;
	case WLINK_DIST_EXPONENTIAL:
		return -expm1(-x / MEAN);
	case WLINK_DIST_LOGNORMAL:
		s = sqrt(log1p(ratio * ratio));
		return x > 0 ? erfc((log(MEAN) - s * s / 2 - log(x)) / s / M_SQRT2) / 2 : 0;
	default:
		power = 1 + sqrt(1 + 1 / (ratio * ratio));
		s = MEAN * (power - 1) / power;
		return x > s ? 1 - pow(s / x, power) : 0;
	}
}

static const char *const names[] = {
	"constant", "uniform", "normal", "pareto", "lognormal", "exponential",
};

/* What user space promises: no probability is wrong by more than 0.0006. */
static void points_are(enum wlink_dist kind)
{
	bool fixed = kind == WLINK_DIST_EXPONENTIAL;
	double mean = 0, worst = 0, off;
	struct wl_refusal why;
	struct wl_dist *dist;
	const u32 steps = 1 << 16;

	ut_begin("dist: %s: points are not the distribution", names[kind]);
	CHECK(!wl_points_make(&points, kind, MEAN, fixed ? 0 : DEV));
	dist = dist_of(&points);
	CHECK(!wl_dist_check(dist, &why));
	for (u32 i = 0; i < steps; i++) {
		double u = (i + 0.5) / steps, x = wl_dist_quantile_ns(dist, u * 4294967296.0);

		mean += x / steps;
		off = fabs(below(kind, x) - u);
		/* What would be below 0 is 0. */
		if (x > 0 && off > worst)
			worst = off;
	}
	CHECK(worst < 0.0006);
	/* 0.6 % of a normal one are below 0: its mean is that of the rest. */
	off = kind == WLINK_DIST_NORMAL ?
	      DEV * exp(-MEAN * MEAN / DEV / DEV / 2) / sqrt(2 * M_PI) -
	      MEAN * below(WLINK_DIST_NORMAL, 0) : 0;
	CHECK_NEAR(mean, MEAN + off, 0.001 * MEAN);
	free(dist);
}

/* Of 50 values that are equally likely; 85.4 is what chi-square with 49 degrees is above with
 * a probability of 0.1 %.
 */
static double chi_square(enum wlink_dist kind, u32 step)
{
	double counts[50] = { 0 }, chi = 0, want = DRAWS / step / 50.0;

	for (u32 i = 0; i < DRAWS; i += step)
		counts[(u32)fmin(below(kind, draws[i]) * 50, 49)]++;
	for (u32 i = 0; i < 50; i++)
		chi += (counts[i] - want) * (counts[i] - want) / want;
	return chi;
}

static void drawn(enum wlink_dist kind, u32 rho_q32)
{
	struct wl_chain chain = { };
	struct wl_dist *dist;
	struct wl_rng rng;

	ut_begin("dist: %s, correlation %.2f: draws are not from the distribution", names[kind],
		 rho_q32 / 4294967296.0);
	wl_points_make(&points, kind, MEAN, kind == WLINK_DIST_EXPONENTIAL ? 0 : DEV);
	dist = dist_of(&points);
	wl_rng_seed(&rng, 1, WL_RNG_JITTER, kind);
	for (u32 i = 0; i < DRAWS; i++) {
		struct wl_rng same = rng;

		draws[i] = wl_dist_draw_ns(dist, &chain, rho_q32, &rng);
		/* Alone it is the quantile of a number that is drawn. */
		if (!rho_q32)
			CHECK_EQ(draws[i], wl_dist_quantile_ns(dist, wl_rng_next(&same) >> 32));
		/* Spread what is 0 over what it stands for. */
		if (kind == WLINK_DIST_NORMAL && draws[i] < 1)
			draws[i] = -1;
	}
	/* Draws that are 40 apart depend on each other by 0.9^40, 1.5 %. */
	CHECK(chi_square(kind, rho_q32 ? 40 : 1) < 85.4);
	free(dist);
}

/* Of normal values the correlation is that of the driver: rho^k. */
static void chained(u32 rho_q32)
{
	double rho = rho_q32 / 4294967296.0, mean = 0, square = 0, lag[4] = { 0 };
	struct wl_chain chain = { };
	struct wl_dist *dist;
	struct wl_rng rng;
	u32 i, k;

	ut_begin("dist: correlation %.2f is another one", rho);
	wl_points_make(&points, WLINK_DIST_NORMAL, MEAN, MEAN / 8);
	dist = dist_of(&points);
	wl_rng_seed(&rng, 2, WL_RNG_JITTER, 1);
	for (i = 0; i < DRAWS; i++) {
		draws[i] = wl_dist_draw_ns(dist, &chain, rho_q32, &rng);
		mean += draws[i] / DRAWS;
	}
	for (i = 0; i < DRAWS; i++) {
		square += (draws[i] - mean) * (draws[i] - mean);
		for (k = 1; k < 4 && i + k < DRAWS; k++)
			lag[k] += (draws[i] - mean) * (draws[i + k] - mean);
	}
	/* Bartlett: the deviation is at most sqrt((1 + 2 sum rho^2k) / n), 4 times. */
	for (k = 1; k < 4; k++)
		CHECK_NEAR(lag[k] / square, pow(rho, k),
			   4 * sqrt((1 + rho * rho) / (1 - rho * rho) / DRAWS) + 0.002);
	free(dist);
}

/* By hand: half of 10..20, an atom of a quarter at 40, a quarter of 100..300. */
CASE(dist, "dist: a histogram with an atom and gaps by hand")
{
	static const struct wl_points by_hand = {
		.unit_ns = 1000, .count = 6,
		.point = { { 0, 10 }, { 1U << 31, 20 }, { 1U << 31, 40 }, { 3U << 30, 40 },
			   { 3U << 30, 100 }, { ~0U, 300 } },
	};
	struct wl_dist *dist = dist_of(&by_hand);
	struct wl_chain chain = { }, other = { };
	struct wl_refusal why;
	struct wl_rng rng;
	u64 first;

	CHECK(!wl_dist_check(dist, &why));
	CHECK_EQ(wl_dist_quantile_ns(dist, 0), 10000);
	CHECK_EQ(wl_dist_quantile_ns(dist, 1U << 30), 15000);
	CHECK_EQ(wl_dist_quantile_ns(dist, (1U << 31) - 1), 19999);
	CHECK_EQ(wl_dist_quantile_ns(dist, 1U << 31), 40000);
	CHECK_EQ(wl_dist_quantile_ns(dist, (3U << 30) - 1), 40000);
	CHECK_EQ(wl_dist_quantile_ns(dist, 3U << 30), 100000);
	CHECK_NEAR(wl_dist_quantile_ns(dist, 7U << 29), 200000, 1);
	CHECK_NEAR(wl_dist_quantile_ns(dist, ~0U), 300000, 1);
	CHECK_EQ(wl_dist_most_ns(dist), 300000);
	CHECK_EQ(wl_dist_most_ns(NULL), 0);
	/* With a correlation of 1 the first draw is for ever. */
	wl_rng_seed(&rng, 5, WL_RNG_JITTER, 1);
	first = wl_dist_draw_ns(dist, &chain, WLINK_PROB_ONE, &rng);
	for (u32 i = 0; i < 100; i++)
		CHECK_EQ(wl_dist_draw_ns(dist, &chain, WLINK_PROB_ONE, &rng), first);
	CHECK(wl_dist_draw_ns(dist, &other, WLINK_PROB_ONE, &rng) != first);
	/* An atom that nothing is above. */
	dist->point[3].cum = ~0U;
	dist->point[4].cum = ~0U;
	CHECK(!wl_dist_check(dist, &why));
	CHECK_EQ(wl_dist_quantile_ns(dist, ~0U - 1), 40000);
	CHECK_EQ(wl_dist_quantile_ns(dist, ~0U), 300000);
	free(dist);
}

CASE(dist, "dist: what is no distribution is taken")
{
	static const struct wl_points by_hand = {
		.unit_ns = 1, .count = 4,
		.point = { { 0, 1 }, { 5, 2 }, { 6, 3 }, { ~0U, 4 } },
	};
	const struct wlink_point *good = by_hand.point;
	const size_t bytes = 4 * sizeof(*good);
	struct wl_dist *dist = dist_of(&by_hand);
	struct wl_refusal why;

	CHECK(!wl_dist_check(dist, &why));
	dist->point[0].cum = 1;
	CHECK_EQ(-wl_dist_check(dist, &why), EINVAL);
	CHECK_EQ(why.value, 1);
	memcpy(dist->point, good, bytes);
	dist->point[3].cum--;
	CHECK_EQ(-wl_dist_check(dist, &why), EINVAL);
	CHECK_EQ(why.value, 4);
	memcpy(dist->point, good, bytes);
	dist->point[2].cum = 4;
	CHECK_EQ(-wl_dist_check(dist, &why), EINVAL);
	CHECK_EQ(why.value, 3);
	memcpy(dist->point, good, bytes);
	dist->point[2].value = 1;
	CHECK_EQ(-wl_dist_check(dist, &why), EINVAL);
	CHECK_EQ(why.value, 3);
	memcpy(dist->point, good, bytes);
	dist->unit_ns = WLINK_JITTER_MAX / 4 + 1;
	CHECK_EQ(-wl_dist_check(dist, &why), ERANGE);
	CHECK_EQ(why.max, WLINK_JITTER_MAX);
	/* 2^64 ns, which is 0 in 64 bits. */
	dist->unit_ns = 1ULL << 35;
	dist->point[dist->count - 1].value = 1ULL << 29;
	CHECK_EQ(-wl_dist_check(dist, &why), ERANGE);
	CHECK_EQ(why.value, U64_MAX);
	memcpy(dist->point, good, bytes);
	dist->unit_ns = 0;
	CHECK_EQ(-wl_dist_check(dist, &why), ERANGE);
	dist->unit_ns = 1;
	dist->count = 1;
	CHECK_EQ(-wl_dist_check(dist, &why), ERANGE);
	dist->count = WLINK_POINTS_MAX + 1;
	CHECK_EQ(-wl_dist_check(dist, &why), ERANGE);
	CHECK(wl_points_make(&points, WLINK_DIST_UNIFORM, MEAN, MEAN));
	CHECK(wl_points_make(&points, WLINK_DIST_NORMAL, MEAN, 0));
	free(dist);
}

TEST(dist)
{
	enum wlink_dist kind;

	for (kind = WLINK_DIST_UNIFORM; kind < WLINK_DIST_TABLE; kind++) {
		points_are(kind);
		drawn(kind, 0);
		drawn(kind, 3865470566U);
	}
	chained(1U << 31);
	chained(3865470566U);
}
