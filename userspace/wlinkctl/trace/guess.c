// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "trace/formats/own.h"
#include "trace/kinds.h"
#include "trace/num.h"
#include "trace/trace.h"

#define COLUMN(name)	(1U << WLINK_COLUMN_ ## name)
#define GUESS_LINES	4096
#define EARLY_MS	1000	/* where a file of times begins */

const struct trace_kind trace_kinds[TRACE_FORMATS] = {
	[TRACE_GUESS] = { "unknown", 0, NULL, NULL, NULL },
	[TRACE_SCHEDULE] = { "schedule", 0, trace_own_begin, trace_own_line,
			     trace_own_finish },
	[TRACE_MAHIMAHI] = { "mahimahi", COLUMN(GRANT), trace_pdo_begin,
			     trace_pdo_line, trace_pdo_finish },
	[TRACE_JENS] = { "jens", COLUMN(RATE), trace_jens_begin,
			 trace_jens_line, trace_jens_finish },
	[TRACE_THEATERQ] = { "theaterq", 0, trace_theaterq_begin,
			     trace_theaterq_line, trace_theaterq_finish },
	[TRACE_CSV] = { "csv", COLUMN(RATE), trace_csv_begin, trace_csv_line,
			trace_csv_finish },
};

/**
 * struct sample - what the first lines of a file look like
 * @rows: lines with a number and nothing else
 * @falls: of these, lower than the one before
 * @first: the first number
 * @last: the last one
 * @fraction: one has a fraction
 * @comments: lines that begin with #
 * @blank: lines with nothing in them
 */
struct sample {
	uint64_t rows;
	uint64_t falls;
	uint64_t first;
	uint64_t last;
	bool fraction;
	uint64_t comments;
	uint64_t blank;
};

static enum trace_format decide(struct trace *trace, enum trace_format format,
				const char *why)
{
	trace->why = why;
	return format;
}

/* Two columns are ours; TheaterQ has five or more. */
static enum trace_format by_columns(struct trace *trace, const char *line)
{
	unsigned int commas = 0;

	for (; *line; line++)
		commas += *line == ',';
	if (commas == 1)
		return decide(trace, TRACE_CSV, "two columns");
	if (commas >= 4)
		return decide(trace, TRACE_THEATERQ,
			      "five or more columns");
	return TRACE_GUESS;
}

/* Times never fall, rates do; a broken file of times falls once or so. */
static enum trace_format by_numbers(struct trace *trace,
				    const struct sample *s)
{
	if (!s->rows)
		return TRACE_GUESS;
	if (s->comments)
		return decide(trace, TRACE_JENS,
			      "one number per line under a header");
	if (s->fraction && (s->falls || s->first >= EARLY_MS))
		return decide(trace, TRACE_JENS, "numbers with fractions");
	if (s->falls * 16 > s->rows &&
	    (s->falls > 2 || s->first >= EARLY_MS))
		return decide(trace, TRACE_JENS, "numbers that rise and fall");
	return decide(trace, TRACE_MAHIMAHI, "whole numbers that do not fall");
}

/* Return: 0 if the line is one number and nothing else. */
static int take_number(struct sample *s, const char *line)
{
	uint64_t value;

	if (trace_decimal(line, 0, &value))
		return -1;
	if (!s->rows)
		s->first = value;
	s->fraction |= !!strpbrk(line, ".eE");
	s->falls += s->rows && value < s->last;
	s->last = value;
	s->rows++;
	return 0;
}

static int unknown(struct trace *trace, const char *line)
{
	return trace_not(trace, line,
			 "a line of a trace that is known here; if it is, say format mahimahi, jens, theaterq or csv");
}

/* Return: 1 when it is clear, 0 to look at more lines, -1 after an error. */
static int look(struct trace *trace, const char *line, struct sample *s)
{
	if (*line == '#' || !*line) {
		s->comments += *line == '#';
		s->blank += !*line;
		return 0;
	}
	if (!strcmp(line, TRACE_OWN_TITLE)) {
		trace->format = decide(trace, TRACE_SCHEDULE, "first line");
		return 1;
	}
	if (!take_number(s, line))
		return 0;
	if (s->rows)	/* the reader of numbers will say what is wrong */
		return 1;
	trace->format = by_columns(trace, line);
	return trace->format ? 1 : unknown(trace, line);
}

int trace_guess(struct trace *trace)
{
	enum text_result result = TEXT_LINE;
	struct sample s = { 0 };
	char *line;
	int got = 0;

	while (!got && s.rows < GUESS_LINES) {
		result = text_line(&trace->text, &line);
		if (result)
			break;
		got = look(trace, line, &s);
	}
	if (got < 0)
		return -1;
	if (result == TEXT_FAILED)
		return trace_error(trace, "cannot be read: %s",
				   strerror(errno));
	if (result == TEXT_BINARY && !s.rows)
		return trace_error(trace, "binary: there is a byte 0");
	if (result == TEXT_LONG && !s.rows)
		return trace_error(trace,
				   "the line is longer than %u bytes: no trace has such lines",
				   TEXT_LINE_MAX);
	if (!trace->format)
		trace->format = by_numbers(trace, &s);
	if (!trace->format)
		return trace_error(trace, trace->text.number ?
				   "there is no step in it" :
				   "the file is empty");
	return 0;
}
