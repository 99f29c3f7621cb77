// SPDX-License-Identifier: GPL-2.0
/*
 * unit [STORIES] [NAME]...: how many random scenarios are played in each manner, and
 * the tests to run, all without a name.
 */
#include <stdio.h>
#include <stdlib.h>

#include "ut.h"

int main(int argc, char **argv)
{
	if (argc > 1)
		ut_stories = atoi(argv[1]);
	for (int i = 2; i < argc; i++) {
		if (!ut_run(argv[i])) {
			fprintf(stderr, "unit: no test %s\n", argv[i]);
			return 2;
		}
	}
	if (argc <= 2)
		ut_run(NULL);
	return ut_summary();
}
