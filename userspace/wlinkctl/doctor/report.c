// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/report.h"
#include "lib/json.h"

const char *const verdict_names[VERDICTS] = {
	[VERDICT_OK] = "ok",
	[VERDICT_NOTE] = "note",
	[VERDICT_WARN] = "warn",
	[VERDICT_FAIL] = "fail",
};

void report_add(struct report *report, enum verdict verdict, const char *check,
		const char *why, const char *format, ...)
{
	struct finding *more, *one;
	va_list ap;

	more = realloc(report->findings, (report->n + 1) * sizeof(*more));
	if (!more) {
		report->failed = true;
		return;
	}
	report->findings = more;
	one = &more[report->n++];
	memset(one, 0, sizeof(*one));
	one->verdict = verdict;
	one->check = check;
	one->why = why;
	if (report->dev)
		snprintf(one->dev, sizeof(one->dev), "%s", report->dev);
	va_start(ap, format);
	vsnprintf(one->what, sizeof(one->what), format, ap);
	va_end(ap);
}

void report_change(struct report *report, const char *format, ...)
{
	struct finding *one;
	va_list ap;

	if (!report->n || report->failed)
		return;
	one = &report->findings[report->n - 1];
	va_start(ap, format);
	vsnprintf(one->change, sizeof(one->change), format, ap);
	va_end(ap);
}

size_t report_count(const struct report *report, enum verdict verdict)
{
	size_t n = 0;
	size_t i;

	for (i = 0; i < report->n; i++)
		n += report->findings[i].verdict == verdict;
	return n;
}

/* What is as it should be takes one line. */
void report_text(const struct report *report)
{
	const struct finding *one;
	size_t i;

	for (i = 0; i < report->n; i++) {
		one = &report->findings[i];
		printf("%-4s  %s%s%s: %s\n", verdict_names[one->verdict],
		       one->dev, one->dev[0] ? " " : "", one->check,
		       one->what);
		if (one->verdict == VERDICT_OK)
			continue;
		printf("      why: %s\n", one->why);
		if (one->change[0])
			printf("      change: %s\n", one->change);
	}
}

static void finding_json(const struct finding *one)
{
	json_writer.object(NULL);
	json_writer.string("verdict", verdict_names[one->verdict]);
	json_writer.string("check", one->check);
	if (one->dev[0])
		json_writer.string("dev", one->dev);
	json_writer.string("what", one->what);
	json_writer.string("why", one->why);
	if (one->change[0])
		json_writer.string("change", one->change);
	json_writer.end();
}

void report_json(const struct report *report)
{
	size_t i;

	json_open_array("findings");
	for (i = 0; i < report->n; i++)
		finding_json(&report->findings[i]);
	json_end_array();
	for (i = 0; i < VERDICTS; i++)
		json_writer.u64(verdict_names[i],
				report_count(report, (enum verdict)i));
}

void report_free(struct report *report)
{
	free(report->findings);
	memset(report, 0, sizeof(*report));
}

const char *report_time(uint64_t ns, char *text)
{
	static const char *const units[] = { "ns", "us", "ms", "s" };
	double value = (double)ns;
	size_t unit = 0;

	while (unit < 3 && value >= 999.5) {
		value /= 1000;
		unit++;
	}
	snprintf(text, REPORT_TIME, "%.*f %s",
		 !unit || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2, value,
		 units[unit]);
	return text;
}
