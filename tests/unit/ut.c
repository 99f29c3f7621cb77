// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ut.h"

/* Failed checks of one case that are printed. */
#define FAILURES_SHOWN	5

static char name[128];
static unsigned int failures, cases, cases_failed;
static struct {
	void (*end)(void *what);
	void *what;
} deferred[8];
static unsigned int count;
static struct ut_part *parts, **last = &parts;

unsigned int ut_stories = 500;

void ut_add(struct ut_part *part)
{
	*last = part;
	last = &part->next;
}

bool ut_run(const char *test)
{
	const struct ut_part *part;
	bool found = false;

	for (part = parts; part; part = part->next) {
		if (test && strcmp(part->test, test))
			continue;
		found = true;
		if (part->name)
			ut_begin("%s", part->name);
		part->run();
	}
	return found;
}

void ut_defer(void (*end)(void *what), void *what)
{
	assert(count < sizeof(deferred) / sizeof(*deferred));
	deferred[count].end = end;
	deferred[count++].what = what;
}

void ut_release(void (*end)(void *what), void *what)
{
	for (unsigned int i = 0; i < count; i++) {
		if (deferred[i].end == end && deferred[i].what == what) {
			for (count--; i < count; i++)
				deferred[i] = deferred[i + 1];
			end(what);
		}
	}
}

static void end_case(void)
{
	while (count) {
		count--;
		deferred[count].end(deferred[count].what);
	}
	if (!name[0])
		return;
	cases++;
	if (failures)
		cases_failed++;
	printf("%sok %u - %s\n", failures ? "not " : "", cases, name);
	fflush(stdout);
	name[0] = '\0';
}

void ut_begin(const char *format, ...)
{
	va_list args;

	end_case();
	va_start(args, format);
	vsnprintf(name, sizeof(name), format, args);
	va_end(args);
	failures = 0;
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
	end_case();
	printf("%u passed, %u failed, 0 skipped\n", cases - cases_failed,
	       cases_failed);
	return cases_failed > 0;
}
