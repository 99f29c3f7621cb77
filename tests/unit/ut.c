// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "ut.h"

/* Failed checks of one case that are printed. */
#define FAILURES_SHOWN	5

static char name[128];
static unsigned int failures, cases, cases_failed;

void ut_begin(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	failures = 0;
}

void ut_end(void)
{
	cases++;
	if (failures)
		cases_failed++;
	printf("%sok %u - %s\n", failures ? "not " : "", cases, name);
	fflush(stdout);
}

bool ut_check(bool good, const char *where, const char *format, ...)
{
	va_list args;

	if (good || ++failures > FAILURES_SHOWN)
		return good;
	printf("# %s: ", where);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
	return false;
}

bool ut_failed(void)
{
	return failures;
}

int ut_summary(void)
{
	printf("%u passed, %u failed, 0 skipped\n", cases - cases_failed,
	       cases_failed);
	return cases_failed > 0;
}
