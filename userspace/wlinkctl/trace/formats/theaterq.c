// SPDX-License-Identifier: GPL-2.0
/*
 * TheaterQ, github.com/cs7org/TheaterQ, README.md at 0afe866:
 *   simple:   KEEP,LATENCY,RATE,LOSS,LIMIT
 *   extended: KEEP,LATENCY,JITTER,RATE,LOSS,LIMIT,DUP_PROB,DUP_DELAY[,ROUTE_ID]
 * KEEP is how long a row holds in us, not 0; LATENCY, JITTER and DUP_DELAY are ns;
 * RATE is bit/s, 0 for none; LOSS and DUP_PROB are p * 2^32; LIMIT is packets, or
 * bytes if its qdisc is told so. Rows that do not begin with a digit say nothing.
 */

#include <inttypes.h>
#include <string.h>

#include "trace/kinds.h"
#include "trace/num.h"
#include "trace/trace.h"

#define FIELDS_SIMPLE	5
#define FIELDS_MOST	9

enum field {
	KEEP,
	LATENCY,
	JITTER,
	RATE,
	LOSS,
	LIMIT,
	DUP_PROB,
	DUP_DELAY,
	ROUTE_ID,
};

static const char *const field_names[] = {
	"KEEP", "LATENCY", "JITTER", "RATE", "LOSS", "LIMIT", "DUP_PROB",
	"DUP_DELAY", "ROUTE_ID",
};

static const enum field simple[FIELDS_SIMPLE] = {
	KEEP, LATENCY, RATE, LOSS, LIMIT,
};

void trace_theaterq_begin(struct trace *trace)
{
	memset(&trace->theaterq, 0, sizeof(trace->theaterq));
	trace->columns = 1U << WLINK_COLUMN_RATE | 1U << WLINK_COLUMN_DELAY |
			 1U << WLINK_COLUMN_LOSS |
			 1U << (trace->bytes_limit ? WLINK_COLUMN_LIMIT_BYTES :
						     WLINK_COLUMN_LIMIT_PACKETS);
}

/* All rows have as many as the first. */
static int count_fields(struct trace *trace, const char *line)
{
	unsigned int n = 1;

	for (; *line; line++)
		n += *line == ',';
	if (n != FIELDS_SIMPLE && n != FIELDS_MOST && n != FIELDS_MOST - 1)
		return trace_error(trace,
				   "%u columns; TheaterQ has 5, or 8 or 9 if extended",
				   n);
	if (!trace->theaterq.fields)
		trace->theaterq.fields = n;
	if (n != trace->theaterq.fields)
		return trace_error(trace, "%u columns after rows of %u", n,
				   trace->theaterq.fields);
	return 0;
}

static int read_fields(struct trace *trace, char *line, uint64_t *value)
{
	unsigned int n = trace->theaterq.fields;
	char *rest = line;
	unsigned int i;

	for (i = 0; i < n; i++) {
		enum field field = n == FIELDS_SIMPLE ? simple[i] : i;
		const char *word = trace_field(&rest, ',');
		const char *at = word;

		if (trace_count(&at, &value[field]) || *at) {
			trace_not(trace, word, field_names[field]);
			return -1;
		}
	}
	return 0;
}

static int check_fields(struct trace *trace, const uint64_t *value)
{
	if (!value[KEEP])
		return trace_error(trace, "KEEP 0: a row must last");
	if (value[KEEP] > WLINK_SCHEDULE_LENGTH_MAX / 1000)
		return trace_error(trace,
				   "KEEP %" PRIu64 " us is above %llu us",
				   value[KEEP], WLINK_SCHEDULE_LENGTH_MAX / 1000);
	if (!value[RATE])
		return trace_error(trace,
				   "RATE 0 is no limit in TheaterQ; a wlink has one: write it, up to %llu",
				   WLINK_RATE_MAX);
	if (value[LOSS] > WLINK_PROB_ONE)
		return trace_error(trace, "LOSS %" PRIu64 " is above %u",
				   value[LOSS], WLINK_PROB_ONE);
	return 0;
}

static void leave_out(struct trace *trace, enum trace_left_out what,
		      uint64_t value)
{
	struct trace_theaterq *tq = &trace->theaterq;

	if (!value)
		return;
	if (!tq->lines[what]++)
		tq->first[what] = trace->text.number;
}

int trace_theaterq_line(struct trace *trace, char *line,
			struct trace_step *step)
{
	uint64_t value[FIELDS_MOST] = { 0 };

	if (*line < '0' || *line > '9')
		return 0;
	if (count_fields(trace, line) || read_fields(trace, line, value) ||
	    check_fields(trace, value))
		return -1;
	leave_out(trace, TRACE_LEFT_JITTER, value[JITTER]);
	leave_out(trace, TRACE_LEFT_DUPLICATES, value[DUP_PROB]);
	leave_out(trace, TRACE_LEFT_ROUTE, value[ROUTE_ID]);
	step->line = trace->text.number;
	step->offset_ns = trace->theaterq.at_ns;
	step->value[WLINK_COLUMN_RATE] = value[RATE];
	step->value[WLINK_COLUMN_DELAY] = value[LATENCY];
	step->value[WLINK_COLUMN_LOSS] = value[LOSS];
	step->value[WLINK_COLUMN_LIMIT_PACKETS] = value[LIMIT];
	step->value[WLINK_COLUMN_LIMIT_BYTES] = value[LIMIT];
	trace->theaterq.at_ns += 1000 * value[KEEP];
	return 1;
}

int trace_theaterq_finish(struct trace *trace, struct trace_step *step)
{
	static const char *const names[TRACE_LEFT_OUT] = {
		[TRACE_LEFT_JITTER] = "JITTER",
		[TRACE_LEFT_DUPLICATES] = "DUP_PROB, duplicates,",
		[TRACE_LEFT_ROUTE] = "ROUTE_ID, reordering,",
	};
	struct trace_theaterq *tq = &trace->theaterq;
	unsigned int i;

	(void)step;
	for (i = 0; i < TRACE_LEFT_OUT; i++)
		if (tq->lines[i])
			trace_say(trace, TRACE_WARNING, tq->first[i],
				  "%s has no counterpart in a wlink and is left out, here and in %"
				  PRIu64 " further rows",
				  names[i], tq->lines[i] - 1);
	trace->length_ns = tq->at_ns;
	return 0;
}
