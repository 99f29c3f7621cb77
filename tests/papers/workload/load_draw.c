// SPDX-License-Identifier: GPL-2.0
/* The web model against the figures published of the data that ns-2 has of
 * Mah's, and exponential times against theory. A bound of 5 standard errors is
 * missed once in a million; seeds are fixed all the same.
 */
#include <math.h>
#include <stdlib.h>

#include "flow/empirical.h"
#include "rng.h"
#include "ut.h"

#define GRID 1000000
#define DRAWS 200000
#define ERRORS 5

struct published {
	const char *what;
	const struct empirical *e;
	double mean;
	double deviation;
	double max;
	struct {
		double p;
		double value;
	} quantiles[8];
};

static const struct published published[] = {
	{ "request", &web_request_bytes, 337.3, 293.5, 1373,
	  { { .10, 148 }, { .50, 231 }, { .90, 1057 }, { .99, 1134 } } },
	{ "reply", &web_reply_bytes, 7231, 44070, 1636039,
	  { { .10, 110 }, { .25, 560 }, { .50, 2112 }, { .75, 4797 },
	    { .90, 12581 }, { .95, 23332 }, { .99, 67379 } } },
	{ "objects", &web_objects, 2.838, 4.1, 65,
	  { { .50, 1 }, { .75, 3 }, { .90, 6 }, { .95, 9 }, { .99, 19 } } },
};

#define KINDS (sizeof(published) / sizeof(published[0]))

/* Mean and deviation by quadrature over the quantiles. */
static void moments(const struct empirical *e, double *mean, double *deviation)
{
	double sum = 0, squares = 0, x;
	int i;

	for (i = 0; i < GRID; i++) {
		x = (double)empirical_at(e, (i + 0.5) / GRID);
		sum += x;
		squares += x * x;
	}
	*mean = sum / GRID;
	*deviation = sqrt(squares / GRID - *mean * *mean);
}

static void quantiles(const struct published *p)
{
	uint64_t before = 0, x;
	size_t i;

	ut_begin("%s: quantiles as published, rising, up to the maximum",
		 p->what);
	for (i = 0; i < 8 && p->quantiles[i].p > 0; i++)
		CHECK_EQ(empirical_at(p->e, p->quantiles[i].p),
			 (uint64_t)p->quantiles[i].value);
	CHECK_EQ(empirical_at(p->e, 1), (uint64_t)p->max);
	for (i = 0; i <= 10000; i++) {
		x = empirical_at(p->e, (double)i / 10000);
		CHECK(x >= before);
		before = x;
	}
}

static void means(const struct published *p)
{
	double mean, deviation;

	moments(p->e, &mean, &deviation);
	ut_begin("%s: mean %.4g within a tenth of %.4g, deviation %.4g within a fifth of %.4g",
		 p->what, mean, p->mean, deviation, p->deviation);
	CHECK_NEAR(mean, p->mean, p->mean / 10);
	CHECK_NEAR(deviation, p->deviation, p->deviation / 5);
}

static void draws(const struct published *p)
{
	struct rng rng = { .state = 42 };
	unsigned int below[8] = { 0 }, i, k;
	double mean, deviation, sum = 0;

	ut_begin("%s: %d draws have the mean and the quantiles", p->what, DRAWS);
	for (i = 0; i < DRAWS; i++) {
		double x = (double)empirical_draw(p->e, &rng);

		sum += x;
		for (k = 0; k < 8; k++)
			below[k] += x <= p->quantiles[k].value;
	}
	moments(p->e, &mean, &deviation);
	CHECK_NEAR(sum / DRAWS, mean, ERRORS * deviation / sqrt(DRAWS));
	for (k = 0; k < 8 && p->quantiles[k].p > 0; k++) {
		double q = p->quantiles[k].p;

		CHECK_NEAR((double)below[k] / DRAWS, q,
			   ERRORS * sqrt(q * (1 - q) / DRAWS));
	}
}

/* HTTP Archive's means of 15 August 2011: 76 requests and 735 kB a page, of which the
 * document has some 33, between 31 in January and 34 a year later.
 */
static void pages_of_2011(void)
{
	double page, object, objects, deviation;

	moments(&web_2011_page_bytes, &page, &deviation);
	moments(&web_2011_object_bytes, &object, &deviation);
	moments(&web_2011_objects, &objects, &deviation);
	ut_begin("pages of 2011: requests and bytes as HTTP Archive's means");
	CHECK_NEAR(1 + objects, 76, 0.76);
	CHECK_NEAR(page, 33e3, 1e3);
	CHECK_NEAR(page + objects * object, 735e3, 7e3);
}

/* The numbers that the algorithm's authors' own program prints. */
static void known(void)
{
	static const uint64_t wanted[] = {
		6457827717110365317u, 3203168211198807973u,
		9817491932198370423u, 4593380528125082431u,
		16408922859458223821u,
	};
	struct rng rng = { .state = 1234567 };
	size_t i;

	ut_begin("SplitMix64 as published");
	for (i = 0; i < 5; i++)
		CHECK_EQ(rng_next(&rng), wanted[i]);
}

static void logarithm(void)
{
	struct rng a = { .state = 7 }, b = { .state = 7 };
	const uint64_t mean = 1000000000000;
	int i;

	ut_begin("exponential times are -ln(u) of the uniform numbers");
	for (i = 0; i < 100000; i++) {
		double wanted = -log(rng_unit(&a)) * (double)mean;

		CHECK_NEAR(rng_exponential_ns(&b, mean), wanted,
			   1 + wanted / 1e13);
	}
}

static void exponential(void)
{
	const double mean = 1e9;
	struct rng rng = { .state = 3 };
	double sum = 0, squares = 0, products = 0, last = 0, x;
	unsigned int above[] = { 0, 0, 0 };
	int i, k;

	ut_begin("%d exponential times: moments, tail, no memory", DRAWS);
	for (i = 0; i < DRAWS; i++) {
		x = (double)rng_exponential_ns(&rng, 1000000000) / mean;
		sum += x;
		squares += x * x;
		products += (x - 1) * (last - 1);
		last = x;
		for (k = 0; k < 3; k++)
			above[k] += x > k + 1;
	}
	/* E X = 1, E X^2 = 2, Var X = 1, Var X^2 = 24 - 4. */
	CHECK_NEAR(sum / DRAWS, 1, ERRORS / sqrt(DRAWS));
	CHECK_NEAR(squares / DRAWS, 2, ERRORS * sqrt(20) / sqrt(DRAWS));
	CHECK_NEAR(products / DRAWS, 0, ERRORS / sqrt(DRAWS));
	for (k = 0; k < 3; k++) {
		double q = exp(-(k + 1));

		CHECK_NEAR((double)above[k] / DRAWS, q,
			   ERRORS * sqrt(q * (1 - q) / DRAWS));
	}
}

TEST(draw)
{
	size_t i;

	for (i = 0; i < KINDS; i++) {
		quantiles(&published[i]);
		means(&published[i]);
		draws(&published[i]);
	}
	pages_of_2011();
	known();
	logarithm();
	exponential();
}
