// SPDX-License-Identifier: GPL-2.0
/*
 * Writer of Mahimahi's opportunities. A rate becomes opportunities of 1500 bytes by
 * exact accumulation: each comes at the first whole ms at which its last bit could
 * have been sent.
 */

#include <inttypes.h>

#include "trace/write.h"

#define MS_NS		1000000ULL
#define PACKET		((trace_bits)TRACE_PACKET_BYTES * 8 * TRACE_BIT)
#define RATE		(1U << WLINK_COLUMN_RATE)
#define GRANT		(1U << WLINK_COLUMN_GRANT)

static int put(struct trace_writer *writer, uint64_t ms)
{
	if (++writer->rows > TEXT_LINES_MAX)
		return trace_error(writer->trace, "more than %llu lines",
				   TEXT_LINES_MAX);
	writer->last_ms = ms;
	fprintf(writer->out, "%" PRIu64 "\n", ms);
	return 0;
}

static int put_rate(struct trace_writer *writer,
		    const struct trace_piece *piece)
{
	uint64_t bps = piece->value[WLINK_COLUMN_RATE];
	uint64_t at_ns = piece->begin_ns;
	uint64_t step_ns;

	if (bps == WLINK_STEP_KEEP)
		return trace_error(writer->trace, "there is no rate yet");
	while (bps) {
		step_ns = (uint64_t)((PACKET - writer->carry + bps - 1) / bps);
		if (step_ns > piece->end_ns - at_ns)
			break;
		at_ns += step_ns;
		writer->carry += (trace_bits)bps * step_ns - PACKET;
		if (put(writer, (at_ns + MS_NS - 1) / MS_NS))
			return -1;
	}
	writer->carry += (trace_bits)bps * (piece->end_ns - at_ns);
	return 0;
}

static int put_grant(struct trace_writer *writer,
		     const struct trace_step *step)
{
	uint64_t bytes = step->value[WLINK_COLUMN_GRANT];

	if (bytes == WLINK_STEP_KEEP)
		return 0;
	if (step->offset_ns % MS_NS)
		return trace_error(writer->trace,
				   "%" PRIu64 " ns is no whole ms, as Mahimahi has them",
				   step->offset_ns);
	if (bytes % TRACE_PACKET_BYTES)
		return trace_error(writer->trace,
				   "%" PRIu64 " bytes are no multiple of Mahimahi's %u",
				   bytes, TRACE_PACKET_BYTES);
	for (; bytes; bytes -= TRACE_PACKET_BYTES)
		if (put(writer, step->offset_ns / MS_NS))
			return -1;
	return 0;
}

static int check_period(struct trace_writer *writer)
{
	struct trace *trace = writer->trace;

	if (!writer->last_ms)
		return trace_error(trace,
				   "there is no opportunity after 0 in it, so no period");
	if (writer->last_ms * MS_NS != trace->length_ns)
		trace_say(trace, TRACE_WARNING, 0,
			  "the last opportunity is at %" PRIu64
			  " ms, which is Mahimahi's period; the trace has %" PRIu64 " ns",
			  writer->last_ms, trace->length_ns);
	return 0;
}

int trace_write_pdo(struct trace_writer *writer)
{
	struct trace *trace = writer->trace;
	struct trace_step step;
	int got;

	if (writer->bin_ns)
		return trace_error(trace,
				   "a bin is for rates; mahimahi has opportunities");
	got = trace_next(trace, &step);
	if (got <= 0)
		return got;
	if (!(trace->columns & (RATE | GRANT)))
		return trace_error(trace,
				   "there is no column rate or grant in it");
	if (trace->columns & GRANT) {
		do {
			if (put_grant(writer, &step))
				return -1;
		} while ((got = trace_next(trace, &step)) > 0);
	} else {
		bool quiet = trace->quiet;

		if (trace_again(trace))
			return -1;
		trace->quiet = quiet;
		got = trace_pieces(writer, put_rate);
	}
	if (got)
		return -1;
	trace_write_left(writer, trace->columns & GRANT ? GRANT : RATE);
	return check_period(writer);
}
