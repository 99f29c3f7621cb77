// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "trace/column.h"
#include "trace/trace.h"
#include "wlinkctl.h"

#define TEXT_SAID	512
#define WORD_SAID	40

enum trace_format trace_format_of(const char *name)
{
	unsigned int i;

	if (!name) {
		complain("format has no value");
		return TRACE_GUESS;
	}
	for (i = TRACE_GUESS + 1; i < TRACE_FORMATS; i++)
		if (!strcmp(trace_kinds[i].name, name))
			return (enum trace_format)i;
	complain("format \"%s\" is unknown: schedule, mahimahi, jens, theaterq or csv",
		 name);
	return TRACE_GUESS;
}

static void say(struct trace *trace, enum trace_grade grade, uint64_t line,
		const char *format, va_list ap)
{
	static const char *const grades[] = {
		[TRACE_NOTE] = "note: ",
		[TRACE_WARNING] = "warning: ",
		[TRACE_ERROR] = "",
	};
	char text[TEXT_SAID];

	if (trace->quiet && grade != TRACE_ERROR)
		return;
	vsnprintf(text, sizeof(text), format, ap);
	if (grade == TRACE_ERROR)
		trace->errors++;
	if (trace->say)
		trace->say(trace->ctx, trace, grade, line, text);
	else if (line)
		complain("%s:%" PRIu64 ": %s%s", trace->name, line,
			 grades[grade], text);
	else
		complain("%s: %s%s", trace->name, grades[grade], text);
}

/* There is no line 0: of an empty file it is the first. */
static uint64_t this_line(const struct trace *trace)
{
	return trace->text.number ? trace->text.number : 1;
}

void trace_say(struct trace *trace, enum trace_grade grade, uint64_t line,
	       const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(trace, grade, line ? line : this_line(trace), format, ap);
	va_end(ap);
}

int trace_error(struct trace *trace, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(trace, TRACE_ERROR, this_line(trace), format, ap);
	va_end(ap);
	return -1;
}

int trace_not(struct trace *trace, const char *word, const char *what)
{
	char shown[WORD_SAID + 4];
	bool binary = false;
	size_t i;

	for (i = 0; word[i] && i < WORD_SAID; i++) {
		bool plain = word[i] >= ' ' && word[i] <= '~';

		binary |= !plain && word[i] != '\t';
		shown[i] = plain ? word[i] : '?';
	}
	strcpy(shown + i, word[i] ? "..." : "");
	return trace_error(trace, "\"%s\" is not %s%s", shown, what,
			   binary ? "; it is binary: is this a trace?" : "");
}

/* Nothing has been read, so there is no line. */
static void cannot_open(struct trace *trace, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	say(trace, TRACE_ERROR, 0, format, ap);
	va_end(ap);
}

static int text_error(struct trace *trace, enum text_result result)
{
	trace->keep_going = false;
	switch (result) {
	case TEXT_BINARY:
		return trace_error(trace, "binary: there is a byte 0");
	case TEXT_LONG:
		return trace_error(trace,
				   "the line is longer than %u bytes: no trace has such lines",
				   TEXT_LINE_MAX);
	case TEXT_MANY:
		return trace_error(trace, "more than %llu lines",
				   TEXT_LINES_MAX);
	default:
		return trace_error(trace, "cannot be read: %s",
				   strerror(errno));
	}
}

static void begin(struct trace *trace)
{
	const struct trace_kind *kind = &trace_kinds[trace->format];

	trace->columns = kind->columns;
	trace->width = 0;
	trace->end = -1;
	trace->length_ns = 0;
	trace->steps = 0;
	trace->last_ns = 0;
	if (kind->begin)
		kind->begin(trace);
}

int trace_open(struct trace *trace)
{
	if (text_open(&trace->text, trace->name)) {
		cannot_open(trace, "%s", strerror(errno));
		return -1;
	}
	if (trace->format == TRACE_GUESS &&
	    (trace_guess(trace) || text_rewind(&trace->text))) {
		text_close(&trace->text);
		return -1;
	}
	begin(trace);
	return 0;
}

int trace_again(struct trace *trace)
{
	if (text_rewind(&trace->text))
		return trace_error(trace, "cannot be read again: %s",
				   strerror(errno));
	trace->quiet = true;
	begin(trace);
	return 0;
}

void trace_close(struct trace *trace)
{
	text_close(&trace->text);
}

static void list_columns(struct trace *trace)
{
	unsigned int i;

	for (i = 0; i < __WLINK_COLUMN_MAX; i++)
		if (trace->columns & 1U << i)
			trace->column[trace->width++] = i;
}

static int bad_time(struct trace *trace, uint64_t offset_ns)
{
	if (offset_ns < trace->last_ns)
		return trace_error(trace,
				   "time goes backwards: %" PRIu64 " ns after %" PRIu64 " ns",
				   offset_ns, trace->last_ns);
	return trace_error(trace,
			   "%" PRIu64 " s is past the greatest length of %llu s",
			   offset_ns / 1000000000,
			   WLINK_SCHEDULE_LENGTH_MAX / 1000000000);
}

/* What holds for a step of any format. */
static int check_step(struct trace *trace, const struct trace_step *step)
{
	unsigned int i;

	if (!trace->width)
		list_columns(trace);
	if (step->offset_ns < trace->last_ns ||
	    step->offset_ns > WLINK_SCHEDULE_LENGTH_MAX)
		return bad_time(trace, step->offset_ns);
	for (i = 0; i < trace->width; i++) {
		const unsigned int column = trace->column[i];
		const uint64_t value = step->value[column];

		if ((value < trace_columns[column].min ||
		     value > trace_columns[column].max) &&
		    trace_column_check(trace, column, value))
			return -1;
	}
	if (trace->steps == WLINK_STEPS_MAX) {
		trace->keep_going = false;
		return trace_error(trace,
				   "more than %u steps, the most of one schedule",
				   WLINK_STEPS_MAX);
	}
	trace->last_ns = step->offset_ns;
	trace->steps++;
	return 1;
}

static int check_end(struct trace *trace)
{
	if (!trace->steps && !trace->errors)
		return trace_error(trace, trace->text.number ?
				   "there is no step in it" :
				   "the file is empty");
	if (!trace->errors && trace->length_ns > WLINK_SCHEDULE_LENGTH_MAX)
		return trace_error(trace,
				   "its length of %" PRIu64 " s is above %llu s",
				   trace->length_ns / 1000000000,
				   WLINK_SCHEDULE_LENGTH_MAX / 1000000000);
	if (!trace->errors && trace->length_ns < WLINK_TIMER_MIN)
		return trace_error(trace,
				   "its length of %" PRIu64 " ns is below %llu ns",
				   trace->length_ns, WLINK_TIMER_MIN);
	return trace->errors ? -1 : 0;
}

/* Return: 1 with a step, 0 at the end, -1 after an error, 2 to go on. */
static int next(struct trace *trace, struct trace_step *step)
{
	const struct trace_kind *kind = &trace_kinds[trace->format];
	enum text_result result;
	char *line;
	int got;

	result = text_line(&trace->text, &line);
	if (result == TEXT_END) {
		trace->keep_going = false;
		if (!kind->finish)
			return check_end(trace);
		got = kind->finish(trace, step);
		if (got > 0)
			got = check_step(trace, step);
		return got ? got : check_end(trace);
	}
	if (result)
		return text_error(trace, result);
	got = kind->line(trace, line, step);
	if (got > 0)
		return check_step(trace, step);
	return got ? got : 2;
}

int trace_next(struct trace *trace, struct trace_step *step)
{
	int got;

	do {
		got = next(trace, step);
		if (got < 0 && trace->errors >= TRACE_ERRORS_MAX)
			trace->keep_going = false;
	} while (got == 2 || (got < 0 && trace->keep_going));
	return got;
}
