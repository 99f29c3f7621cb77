// SPDX-License-Identifier: GPL-2.0
/*
 * Our own format, all that a schedule is:
 *   wlink schedule
 *   columns rate delay
 *   length 2.5s
 *   end loop
 *   0 384kbit 25ms
 *   1s 128kbit -
 * Numbers are written as for tc, "-" leaves a value as it is; # begins a comment.
 */

#include <string.h>

#include "trace/column.h"
#include "trace/formats/own.h"
#include "trace/kinds.h"
#include "trace/num.h"
#include "trace/trace.h"

const char *const trace_end_names[__WLINK_SCHEDULE_END_MAX] = {
	[WLINK_SCHEDULE_END_HOLD] = "hold",
	[WLINK_SCHEDULE_END_LOOP] = "loop",
	[WLINK_SCHEDULE_END_STOP] = "stop",
};

int trace_end_of(const char *name)
{
	int i;

	for (i = 0; i < __WLINK_SCHEDULE_END_MAX; i++)
		if (!strcmp(trace_end_names[i], name))
			return i;
	return -1;
}

void trace_own_begin(struct trace *trace)
{
	memset(&trace->own, 0, sizeof(trace->own));
}

static int read_columns(struct trace *trace, char *rest)
{
	struct trace_own *own = &trace->own;
	char *word;
	int column;

	if (own->width)
		return trace_error(trace, "columns are given twice");
	while ((word = trace_field(&rest, ' '))) {
		column = trace_column_of(word);
		if (column < 0)
			return trace_not(trace, word,
					 "a column: rate, delay, loss, limit_packets, limit_bytes, grant or bler");
		if (trace->columns & 1U << column)
			return trace_error(trace, "column %s is given twice",
					   word);
		trace->columns |= 1U << column;
		own->column[own->width++] = (enum wlink_column)column;
	}
	return own->width ? 0 : trace_error(trace, "columns names none");
}

static int read_length(struct trace *trace, const char *word)
{
	if (trace_time(word, -1, &trace->length_ns) || !trace->length_ns)
		return trace_not(trace, word, "a length with ns, us, ms or s");
	if (trace->length_ns > WLINK_SCHEDULE_LENGTH_MAX)
		return trace_not(trace, word, "up to 864000s, which is 10 days");
	return 0;
}

static int read_header(struct trace *trace, char *word, char *rest)
{
	const char *value = rest ? rest + strspn(rest, " \t") : "";

	if (!strcmp(word, "columns"))
		return read_columns(trace, rest);
	if (!strcmp(word, "length"))
		return read_length(trace, value);
	if (strcmp(word, "end"))
		return trace_not(trace, word,
				 "columns, length, end or a time with ns, us, ms or s");
	trace->end = trace_end_of(value);
	return trace->end < 0 ? trace_not(trace, value, "hold, loop or stop") :
				0;
}

/* Most steps: whole numbers, usual units, one blank. */
static bool take_step(const struct trace *trace, const char *line,
		      struct trace_step *step)
{
	const struct trace_own *own = &trace->own;
	unsigned int i;

	if (!trace->steps || !trace_take_time(&line, &step->offset_ns))
		return false;
	for (i = 0; i < own->width; i++) {
		uint64_t *value = &step->value[own->column[i]];
		bool taken;

		if (*line++ != ' ')
			return false;
		if (own->column[i] == WLINK_COLUMN_DELAY)
			taken = trace_take_time(&line, value);
		else if (own->column[i] == WLINK_COLUMN_RATE)
			taken = trace_take_rate(&line, value);
		else
			taken = trace_columns[own->column[i]].unit !=
					WL_UNIT_PROB &&
				!trace_count(&line, value);
		if (!taken)
			return false;
	}
	step->line = trace->text.number;
	return !*line && step->offset_ns <= trace->length_ns;
}

static int read_step(struct trace *trace, char *rest, struct trace_step *step)
{
	const struct trace_own *own = &trace->own;
	unsigned int i;

	if (!own->width || !trace->length_ns) {
		trace->keep_going = false;
		return trace_error(trace,
				   "there is no line \"%s\" before the first step",
				   own->width ? "length TIME" :
						"columns NAME ...");
	}
	if (step->offset_ns > trace->length_ns)
		return trace_error(trace, "the step is after the end of the schedule");
	for (i = 0; i < own->width; i++) {
		const char *word = trace_field(&rest, ' ');

		if (!word)
			return trace_error(trace, "%u values for %u columns",
					   i, own->width);
		if (trace_column_read(own->column[i], word,
				      &step->value[own->column[i]]))
			return trace_not(trace, word,
					 trace_columns[own->column[i]].name);
	}
	if (rest)
		return trace_error(trace, "more values than the %u columns",
				   own->width);
	step->line = trace->text.number;
	return 1;
}

int trace_own_line(struct trace *trace, char *line, struct trace_step *step)
{
	char *rest, *word;

	if (take_step(trace, line, step))
		return 1;
	rest = strchr(line, '#');
	if (rest)
		*rest = '\0';
	while (rest && rest > line && (rest[-1] == ' ' || rest[-1] == '\t'))
		*--rest = '\0';
	if (!*line)
		return 0;
	if (!trace->own.begun) {
		if (strcmp(line, TRACE_OWN_TITLE))
			return trace_not(trace, line,
					 "\"wlink schedule\", the first line of one");
		trace->own.begun = true;
		return 0;
	}
	rest = line;
	word = trace_field(&rest, ' ');
	if (!trace_time(word, -1, &step->offset_ns))
		return read_step(trace, rest, step);
	if (trace_is_number(word))
		return trace_not(trace, word, "a time with ns, us, ms or s");
	return read_header(trace, word, rest);
}

int trace_own_finish(struct trace *trace, struct trace_step *step)
{
	(void)step;
	if (!trace->length_ns)
		return trace_error(trace, "there is no line \"length TIME\"");
	return 0;
}
