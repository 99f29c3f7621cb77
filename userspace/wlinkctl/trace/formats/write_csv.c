// SPDX-License-Identifier: GPL-2.0
/* Writers of rates: time,rate and JENS. */

#include <inttypes.h>

#include "trace/write.h"

#define S_NS	UINT64_C(1000000000)
#define RATE	(1U << WLINK_COLUMN_RATE)
#define GRANT	(1U << WLINK_COLUMN_GRANT)

static int need_rate(struct trace_writer *writer)
{
	struct trace *trace = writer->trace;

	if (trace->columns & GRANT && !writer->bin_ns)
		return trace_error(trace,
				   "opportunities are no rates; say bin 100ms, or another time, to average them");
	if (!(trace->columns & (RATE | GRANT)))
		return trace_error(trace, "there is no column rate in it");
	return 0;
}

static int row_limit(struct trace_writer *writer)
{
	if (writer->rows++ < WLINK_STEPS_MAX)
		return 0;
	return trace_error(writer->trace,
			   "more than %u rows; take longer bins",
			   WLINK_STEPS_MAX);
}

/* Seconds with as many decimals as it takes. */
static void put_time(FILE *out, uint64_t time_ns)
{
	uint64_t rest = time_ns % S_NS;
	int places = 9;

	fprintf(out, "%" PRIu64, time_ns / S_NS);
	if (!rest)
		return;
	for (; !(rest % 10); rest /= 10)
		places--;
	fprintf(out, ".%0*" PRIu64, places, rest);
}

static int csv_row(struct trace_writer *writer,
		   const struct trace_piece *piece)
{
	if (need_rate(writer) || row_limit(writer))
		return -1;
	if (piece->value[WLINK_COLUMN_RATE] == WLINK_STEP_KEEP)
		return trace_error(writer->trace, "there is no rate yet");
	if (writer->rows == 1) {
		fputs("# length ", writer->out);
		put_time(writer->out, writer->length_ns);
		fputs("\ntime,rate\n", writer->out);
	}
	put_time(writer->out, piece->begin_ns);
	fprintf(writer->out, ",%" PRIu64 "\n",
		piece->value[WLINK_COLUMN_RATE]);
	return 0;
}

int trace_write_csv(struct trace_writer *writer)
{
	if (trace_pieces(writer, csv_row))
		return -1;
	if (!writer->bin_ns)
		trace_write_left(writer, RATE);
	return 0;
}

static int jens_row(struct trace_writer *writer,
		    const struct trace_piece *piece)
{
	if (need_rate(writer) || row_limit(writer))
		return -1;
	if (writer->rows == 1)
		fprintf(writer->out,
			"# kbit/s\n# :recommended_freqeuncy=%" PRIu64 "\n",
			S_NS / writer->bin_ns);
	fprintf(writer->out, "%" PRIu64 "\n",
		piece->value[WLINK_COLUMN_RATE] / 1000);
	return 0;
}

/* Rows of equal length: without a bin, steps must come at their begins. */
static int jens_piece(struct trace_writer *writer,
		      const struct trace_piece *piece)
{
	if (need_rate(writer))
		return -1;
	if (piece->value[WLINK_COLUMN_RATE] == WLINK_STEP_KEEP)
		return trace_error(writer->trace, "there is no rate yet");
	if (piece->end_ns % TRACE_JENS_NS)
		return trace_error(writer->trace,
				   "%" PRIu64
				   " ns is no multiple of 100 ms; say bin 100ms to average",
				   piece->end_ns);
	if (piece->value[WLINK_COLUMN_RATE] % 1000)
		trace_write_once(writer, 0,
				 "rates are rounded to kbit/s; what is cut from a row goes to the next");
	return 0;
}

int trace_write_jens(struct trace_writer *writer)
{
	struct trace *trace = writer->trace;

	if (writer->bin_ns && S_NS % writer->bin_ns)
		return trace_error(trace,
				   "a bin of jens must divide a second");
	if (!writer->bin_ns) {
		bool quiet = trace->quiet;

		if (trace_pieces(writer, jens_piece) || trace_again(trace))
			return -1;
		trace->quiet = quiet;
		writer->bin_ns = TRACE_JENS_NS;
	}
	writer->unit_bps = 1000;
	if (trace_pieces(writer, jens_row))
		return -1;
	if (trace->length_ns % writer->bin_ns)
		trace_write_once(writer, 1,
				 "the last row is longer than what is left of the trace");
	return 0;
}
