// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "trace/check.h"
#include "trace/column.h"
#include "trace/report.h"

#define S_NS	UINT64_C(1000000000)

static void say_json(void *ctx, const struct trace *trace,
		     enum trace_grade grade, uint64_t line, const char *text)
{
	static const char *const grades[] = {
		[TRACE_NOTE] = "note",
		[TRACE_WARNING] = "warning",
		[TRACE_ERROR] = "error",
	};
	unsigned int *warnings = ctx;

	(void)trace;
	*warnings += grade == TRACE_WARNING;
	json_writer.object(NULL);
	json_writer.string("grade", grades[grade]);
	if (line)
		json_writer.u64("line", line);
	json_writer.string("text", text);
	json_writer.end();
}

static void say_text(void *ctx, const struct trace *trace,
		     enum trace_grade grade, uint64_t line, const char *text)
{
	static const char *const grades[] = {
		[TRACE_NOTE] = "note: ",
		[TRACE_WARNING] = "warning: ",
		[TRACE_ERROR] = "",
	};
	unsigned int *warnings = ctx;

	*warnings += grade == TRACE_WARNING;
	if (line)
		complain("%s:%" PRIu64 ": %s%s", trace->name, line,
			 grades[grade], text);
	else
		complain("%s: %s%s", trace->name, grades[grade], text);
}

static void put_seconds(const char *key, uint64_t time_ns)
{
	char text[40];

	snprintf(text, sizeof(text), "%" PRIu64 ".%09" PRIu64,
		 time_ns / S_NS, time_ns % S_NS);
	json_writer.number(key, text);
}

static void put_columns(const struct trace *trace)
{
	unsigned int i;

	json_open_array("columns");
	for (i = 0; i < __WLINK_COLUMN_MAX; i++)
		if (trace->columns & 1U << i)
			json_writer.string(NULL, trace_columns[i].name);
	json_end_array();
}

static void figures_json(const struct trace *trace,
			 const struct trace_check *check)
{
	json_writer.string("format", trace_kinds[trace->format].name);
	if (trace->why)
		json_writer.string("guessed_from", trace->why);
	put_columns(trace);
	json_writer.u64("lines", trace->text.number);
	json_writer.u64("steps", trace->steps);
	put_seconds("seconds", trace->length_ns);
	json_writer.u64("length_ns", trace->length_ns);
	json_writer.u64("bytes", trace_bits_bytes(check->bits));
	json_writer.u64("mean_bps", check->mean_bps);
	json_writer.u64("min_bps", check->min_bps);
	json_writer.u64("max_bps", check->max_bps);
	json_writer.u64("gaps", check->gaps);
	put_seconds("longest_gap", check->gap_max_ns);
}

static void figures_text(const struct trace *trace,
			 const struct trace_check *check)
{
	bool grants = trace->columns & 1U << WLINK_COLUMN_GRANT;
	bool rates = trace->columns & 1U << WLINK_COLUMN_RATE;

	printf("%s: %s", trace->name, trace_kinds[trace->format].name);
	if (trace->why)
		printf(" (guessed: %s)", trace->why);
	printf(", %" PRIu64 " steps, %" PRIu64 ".%03" PRIu64 " s\n",
	       trace->steps, trace->length_ns / S_NS,
	       trace->length_ns % S_NS / 1000000);
	if (!grants && !rates)
		return;
	printf("  offers %" PRIu64 " bytes; rate%s mean %.3f, min %.3f, max %.3f kbit/s\n",
	       trace_bits_bytes(check->bits), grants ? " in 100 ms" : "",
	       (double)check->mean_bps / 1e3, (double)check->min_bps / 1e3,
	       (double)check->max_bps / 1e3);
	if (check->gap_ns)
		printf("  %" PRIu64
		       " times without sending for more than %.3f s, the longest %.3f s\n",
		       check->gaps, (double)check->gap_ns / 1e9,
		       (double)check->gap_max_ns / 1e9);
}

/* Return: 0 if the trace can be used. */
static int examine(struct trace *trace, struct trace_check *check)
{
	if (trace_open(trace))
		return -1;
	trace->keep_going = true;
	if (!trace_check(trace, check))
		return 0;
	return -1;
}

static int report_json(struct trace *trace, struct trace_check *check)
{
	unsigned int warnings = 0;
	bool ok;
	int err;

	trace->say = say_json;
	trace->ctx = &warnings;
	json_start();
	json_writer.object(NULL);
	json_writer.string("file", trace->name);
	json_open_array("findings");
	err = examine(trace, check);
	json_end_array();
	ok = !err && !warnings;
	json_writer.number("ok", ok ? "true" : "false");
	json_writer.u64("errors", trace->errors);
	json_writer.u64("warnings", warnings);
	if (!err)
		figures_json(trace, check);
	json_writer.end();
	json_finish();
	return ok ? EXIT_DONE : EXIT_USAGE;
}

static int report_text(struct trace *trace, struct trace_check *check)
{
	unsigned int warnings = 0;

	trace->say = say_text;
	trace->ctx = &warnings;
	if (examine(trace, check))
		return EXIT_USAGE;
	figures_text(trace, check);
	return warnings ? EXIT_USAGE : EXIT_DONE;
}

int trace_report(struct wlinkctl *ctl, const char *name,
		 const struct trace_args *args)
{
	struct trace_check check = { .gap_ns = args->gap_ns };
	static struct trace trace;
	int code;

	memset(&trace, 0, sizeof(trace));
	trace.name = name;
	trace.format = args->format;
	trace.bytes_limit = args->bytes_limit;
	trace.text.fd = -1;
	code = ctl->json ? report_json(&trace, &check) :
			   report_text(&trace, &check);
	trace_close(&trace);
	return code;
}
