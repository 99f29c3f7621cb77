// SPDX-License-Identifier: GPL-2.0
/* wlink-sleep's arithmetic and words against cases worked out by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../../userspace/wlink-sleep/sleep.h"
#include "../../../userspace/wlink-sleep/stats.h"
#include "../../../userspace/wlink-sleep/with.h"

#define TOLERANCE (1.0 / (1LL << 40))

static int failed;

static void near(const char *what, double got, double want)
{
	if (fabs(got - want) > TOLERANCE * fmax(1, fabs(want))) {
		printf("%s is %.15g, not %.15g\n", what, got, want);
		failed = 1;
	}
}

/* 1..10 once, and a sample of one, and none. */
static void spreads(void)
{
	double ten[] = { 9, 2, 7, 4, 10, 6, 3, 8, 1, 5 }, one[] = { -3 }, hundred[100];
	struct spread s = spread_of(ten, 10);
	int i;

	near("mean of 1..10", s.mean, 5.5);
	/* Sum of squares about the mean: 82.5; by 9. */
	near("variance of 1..10", s.var, 82.5 / 9);
	near("min of 1..10", s.min, 1);
	near("max of 1..10", s.max, 10);
	near("p50 of 1..10", s.p50, 5);
	near("p99 of 1..10", s.p99, 10);
	s = spread_of(one, 1);
	near("mean of one", s.mean, -3);
	near("variance of one", s.var, 0);
	near("p50 of one", s.p50, -3);
	near("p99 of one", s.p99, -3);
	s = spread_of(one, 0);
	near("mean of none", s.mean, 0);
	near("size of none", (double)s.n, 0);
	for (i = 0; i < 100; i++)
		hundred[i] = 100 - i;
	s = spread_of(hundred, 100);
	near("p99 of 1..100", s.p99, 99);
	near("p50 of 1..100", s.p50, 50);
}

/* A large mean must not eat a small variance. */
static void far_from_zero(void)
{
	double v[] = { 1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16 };
	struct spread s = spread_of(v, 4);

	near("variance far from zero", s.var, 30);
}

/* Desired 10, 0, 40 ms; obtained 12.5, 1.25, 39.5 ms. */
static void errors(void)
{
	const int desired[] = { 10, 0, 40 };
	const int64_t obtained[] = { 12500000, 1250000, 39500000 };
	double room[3];
	struct errors e = errors_of(desired, obtained, 3, room);

	/* 2.5, 1.25, -0.5: mean 3.25/3, squares about it 4.5416666... by 2. */
	near("absolute mean", e.abs.mean, 3.25 / 3);
	near("absolute variance", e.abs.var, (8.0625 - 3.25 * 3.25 / 3) / 2);
	near("absolute min", e.abs.min, -0.5);
	/* 0.25 and -0.0125; the request of 0 has no relative error. */
	near("relative size", (double)e.rel.n, 2);
	near("relative mean", e.rel.mean, 0.11875);
	near("relative variance", e.rel.var, 2 * 0.13125 * 0.13125);
	/* 12 - 10, 1 - 0, 39 - 40. */
	near("mean in whole ms", e.whole.mean, 2.0 / 3);
	near("variance in whole ms", e.whole.var, (6 - 4.0 / 3) / 2);
}

static void words(void)
{
	static const struct {
		const char *text;
		int set;
	} cases[] = {
		{ "plain", 0 },
		{ "fifo", WITH_FIFO },
		{ "rr+mlockall", WITH_RR | WITH_MLOCKALL },
		{ "timerslack+fifo+mlockall", WITH_TIMERSLACK | WITH_FIFO | WITH_MLOCKALL },
		{ "", -1 },
		{ "fifo+", -1 },
		{ "+fifo", -1 },
		{ "fif", -1 },
		{ "fifo+rr", -1 },
		{ "plain+rr", -1 },
	};
	char name[64];
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		int set = with_parse(cases[i].text, strlen(cases[i].text));

		near(cases[i].text, set, cases[i].set);
		if (set >= 0)
			near("read back",
			     with_parse(with_name(set, name, sizeof(name)), strlen(cases[i].text)),
			     set);
	}
	near("no overrun", (double)strlen(with_name(15, name, 8)), 7);
}

int main(void)
{
	int requests[5];

	make_requests(requests, 5);
	/* 1804289383, 846930886, 1681692777, 1714636915, 1957747793 of 2147483647. */
	near("first request", requests[0], 84);
	near("second request", requests[1], 39);
	near("third request", requests[2], 78);
	near("fourth request", requests[3], 79);
	near("fifth request", requests[4], 91);
	spreads();
	far_from_zero();
	errors();
	words();
	return failed;
}
