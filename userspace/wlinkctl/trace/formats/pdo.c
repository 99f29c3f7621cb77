// SPDX-License-Identifier: GPL-2.0
/*
 * Mahimahi: each line is a time in ms at which a packet of 1500 bytes may be sent.
 * The last time is the period.
 */

#include <inttypes.h>
#include <string.h>

#include "trace/kinds.h"
#include "trace/num.h"
#include "trace/trace.h"

#define MS_NS	1000000ULL

void trace_pdo_begin(struct trace *trace)
{
	memset(&trace->pdo, 0, sizeof(trace->pdo));
}

/* All opportunities of one ms are one step. */
static int flush(struct trace *trace, struct trace_step *step)
{
	const struct trace_pdo *pdo = &trace->pdo;

	if (!pdo->packets)
		return 0;
	step->line = pdo->line;
	step->offset_ns = pdo->ms * MS_NS;
	step->value[WLINK_COLUMN_GRANT] = pdo->packets * TRACE_PACKET_BYTES;
	return 1;
}

static int not_a_stamp(struct trace *trace, const char *line)
{
	if (!trace_is_number(line))
		return trace_not(trace, line,
				 "a time in whole ms, one on each line");
	if (strchr(line, ','))
		return trace_error(trace,
				   "a row of several columns; mahimahi has one");
	return trace_not(trace, line, strpbrk(line, ".eE") ?
			 "a time in whole ms; are these seconds?" :
			 "a time in whole ms");
}

static int backwards(struct trace *trace, uint64_t ms)
{
	return trace_error(trace,
			   "time goes backwards: %" PRIu64 " ms after %" PRIu64 " ms%s",
			   ms, trace->pdo.ms, trace->why ?
			   "; if these are rates, say format jens" : "");
}

int trace_pdo_line(struct trace *trace, char *line, struct trace_step *step)
{
	struct trace_pdo *pdo = &trace->pdo;
	const char *rest = line;
	uint64_t ms;
	int got = 0;

	if (*line == '#' || !*line)
		return 0;
	if (trace_count(&rest, &ms) || *rest)
		return not_a_stamp(trace, line);
	if (ms > WLINK_SCHEDULE_LENGTH_MAX / MS_NS)
		return trace_error(trace,
				   "%" PRIu64 " ms is past the greatest length of %llu ms",
				   ms, WLINK_SCHEDULE_LENGTH_MAX / MS_NS);
	if (pdo->packets && ms < pdo->ms)
		return backwards(trace, ms);
	if (!pdo->packets || ms > pdo->ms) {
		got = flush(trace, step);
		pdo->ms = ms;
		pdo->line = trace->text.number;
		pdo->packets = 0;
	}
	pdo->packets++;
	if (pdo->packets > WLINK_GRANT_MAX / TRACE_PACKET_BYTES) {
		trace->keep_going = false;
		return trace_error(trace, "more than %llu lines of %" PRIu64 " ms",
				   WLINK_GRANT_MAX / TRACE_PACKET_BYTES * 1ULL,
				   ms);
	}
	return got;
}

int trace_pdo_finish(struct trace *trace, struct trace_step *step)
{
	struct trace_pdo *pdo = &trace->pdo;
	int got = flush(trace, step);

	pdo->packets = 0;
	if (got && !pdo->ms)
		return trace_error(trace,
				   "the last time, which is the period, is 0");
	trace->length_ns = pdo->ms * MS_NS;
	return got;
}
