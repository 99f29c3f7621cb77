// SPDX-License-Identifier: GPL-2.0
/*
 * unit [STORIES] [NAME]...: how many random scenarios are played in each manner, and
 * the tests to run, all without a name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ut.h"

#define STORIES	500

static unsigned int stories = STORIES;

static void run_fuzz(void)
{
	test_fuzz(stories);
}

static void run_pairs(void)
{
	test_pairs(stories);
}

static void run_calls(void)
{
	test_calls(stories);
}

#define TEST(name)	{ #name, test_##name }

static const struct test {
	const char *name;
	void (*run)(void);
} tests[] = {
	TEST(rng), TEST(cfg), TEST(chan), TEST(chan_time), TEST(times), TEST(rayleigh), TEST(air),
	TEST(cases), TEST(aqm), TEST(red), TEST(sbd), TEST(sbd_printed), TEST(codel),
	TEST(link), TEST(idle), TEST(rate), TEST(bearer), TEST(bearer_change),
	TEST(bearer_forward), TEST(budget), TEST(rests), TEST(txn), TEST(profile), TEST(buffer),
	TEST(trim),
	TEST(grant), TEST(schedule), TEST(schedule_life), TEST(um), TEST(sr), TEST(sr_link),
	TEST(handover), TEST(reverse), TEST(am), TEST(am_rate), TEST(drawn), { "fuzz", run_fuzz },
	{ "calls", run_calls }, { "pairs", run_pairs }, TEST(plain), TEST(unlimited),
	TEST(silence), TEST(wakes), TEST(left), TEST(harq), TEST(harq_fate), TEST(access),
	TEST(drx),
	TEST(share), TEST(fair), TEST(turns), TEST(tdd), TEST(mix), TEST(dist), TEST(impair),
	TEST(pair), TEST(span), TEST(lte), TEST(lte_tx), TEST(lte_rx), TEST(edges),
	TEST(lib),
};

#define COUNT	((int)(sizeof(tests) / sizeof(tests[0])))

static const struct test *find(const char *name)
{
	int i;

	for (i = 0; i < COUNT; i++)
		if (!strcmp(tests[i].name, name))
			return &tests[i];
	return NULL;
}

int main(int argc, char **argv)
{
	int i;

	if (argc > 1)
		stories = atoi(argv[1]);
	for (i = 2; i < argc; i++) {
		if (!find(argv[i])) {
			fprintf(stderr, "unit: no test %s\n", argv[i]);
			return 2;
		}
	}
	for (i = 2; i < argc; i++)
		find(argv[i])->run();
	for (i = 0; argc <= 2 && i < COUNT; i++)
		tests[i].run();
	return ut_summary();
}
