// SPDX-License-Identifier: GPL-2.0
/* Writer of TheaterQ's simple rows: KEEP,LATENCY,RATE,LOSS,LIMIT. */

#include <inttypes.h>

#include "trace/write.h"

#define LIMIT_DEFAULT	1000U	/* of TheaterQ itself */
#define RATE		(1U << WLINK_COLUMN_RATE)
#define GRANT		(1U << WLINK_COLUMN_GRANT)

enum {
	TOLD_LIMIT,
	TOLD_BYTES,
	TOLD_RATE,
};

static uint64_t limit_of(struct trace_writer *writer,
			 const struct trace_piece *piece)
{
	uint64_t packets = piece->value[WLINK_COLUMN_LIMIT_PACKETS];
	uint64_t bytes = piece->value[WLINK_COLUMN_LIMIT_BYTES];

	if (packets != WLINK_STEP_KEEP)
		return packets;
	if (bytes != WLINK_STEP_KEEP) {
		trace_write_once(writer, TOLD_BYTES,
				 "LIMIT is in bytes: give TheaterQ the word byteqlen");
		return bytes;
	}
	trace_write_once(writer, TOLD_LIMIT,
			 "there is no limit: 1000 packets are written, which is TheaterQ's own");
	return LIMIT_DEFAULT;
}

static uint64_t value_or_0(const struct trace_piece *piece,
			   enum wlink_column column)
{
	uint64_t value = piece->value[column];

	return value == WLINK_STEP_KEEP ? 0 : value;
}

static int check_piece(struct trace_writer *writer,
		       const struct trace_piece *piece)
{
	struct trace *trace = writer->trace;

	if (trace->columns & GRANT && !writer->bin_ns)
		return trace_error(trace,
				   "opportunities are no rates; say bin 100ms, or another time, to average them");
	if (piece->value[WLINK_COLUMN_RATE] == WLINK_STEP_KEEP)
		return trace_error(trace, "there is no rate yet; TheaterQ would have no limit");
	if (piece->end_ns % 1000)
		return trace_error(trace,
				   "%" PRIu64 " ns is no whole us, as TheaterQ has them",
				   piece->end_ns);
	if (writer->rows++ >= WLINK_STEPS_MAX)
		return trace_error(trace,
				   "more than %u rows; take longer bins",
				   WLINK_STEPS_MAX);
	return 0;
}

static int row(struct trace_writer *writer, const struct trace_piece *piece)
{
	uint64_t bps = piece->value[WLINK_COLUMN_RATE];

	if (check_piece(writer, piece))
		return -1;
	if (!bps)
		trace_write_once(writer, TOLD_RATE,
				 "rate 0 is no limit in TheaterQ: 1 bit/s is written");
	fprintf(writer->out,
		"%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
		(piece->end_ns - piece->begin_ns) / 1000,
		value_or_0(piece, WLINK_COLUMN_DELAY), bps ? bps : 1,
		value_or_0(piece, WLINK_COLUMN_LOSS),
		limit_of(writer, piece));
	return 0;
}

int trace_write_theaterq(struct trace_writer *writer)
{
	return trace_pieces(writer, row);
}
