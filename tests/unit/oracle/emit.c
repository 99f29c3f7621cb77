// SPDX-License-Identifier: GPL-2.0
/* Plays scenarios without chance and prints them with what came of them, for
 * oracle.py: emit FIRST-SEED COUNT
 */
#include <stdlib.h>

#include "scenario.h"
#include "ut.h"

int main(int argc, char **argv)
{
	static const struct manner plain;
	static struct scenario story;
	static struct outcome out;
	u64 seed, end;

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	end = seed + strtoull(argv[2], NULL, 10);
	for (; seed < end; seed++) {
		scenario_random(&story, seed, true);
		scenario_play(&story, &plain, &out);
		if (ut_failed())
			return 1;
		printf("seed %llu\n", seed);
		scenario_print(&story, out.bad0, stdout);
		outcome_print(&out, stdout);
	}
	return 0;
}
