// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "trace/write.h"

/**
 * struct averages - bins that become pieces
 * @writer: file
 * @fn: called for each
 * @piece: the one that is made
 */
struct averages {
	struct trace_writer *writer;
	trace_piece_fn fn;
	struct trace_piece piece;
};

/* What rounding takes from one bin goes to the next. */
static int average(void *ctx, uint64_t begin_ns, uint64_t end_ns,
		   trace_bits bits)
{
	struct averages *av = ctx;
	struct trace_writer *writer = av->writer;
	trace_bits part;
	trace_bits n;

	if (writer->unit_bps > 1)	/* rows of equal length */
		end_ns = begin_ns + writer->bin_ns;
	part = (trace_bits)writer->unit_bps * (end_ns - begin_ns);
	bits += writer->carry;
	n = bits / part;
	writer->carry = bits - n * part;
	av->piece.line = writer->trace->text.number;
	av->piece.begin_ns = begin_ns;
	av->piece.end_ns = end_ns;
	av->piece.value[WLINK_COLUMN_RATE] = (uint64_t)n * writer->unit_bps;
	return av->fn(writer, &av->piece);
}

static int averaged(struct trace_writer *writer, trace_piece_fn fn)
{
	struct averages av = { .writer = writer, .fn = fn };
	struct trace *trace = writer->trace;
	struct trace_step step;
	struct trace_bins bins;
	int got;

	memset(av.piece.value, 0xff, sizeof(av.piece.value));
	trace_bins_init(&bins, trace, writer->bin_ns, average, &av);
	while ((got = trace_next(trace, &step)) > 0) {
		bins.grants = trace->columns & 1U << WLINK_COLUMN_GRANT;
		if (trace_bins_step(&bins, &step))
			return -1;
	}
	if (got || trace_bins_finish(&bins, trace->length_ns))
		return -1;
	trace_write_left(writer, 1U << WLINK_COLUMN_RATE |
				 1U << WLINK_COLUMN_GRANT);
	return 0;
}

static int end_piece(struct trace_writer *writer, trace_piece_fn fn,
		     struct trace_piece *piece, uint64_t end_ns)
{
	int err = 0;

	piece->end_ns = end_ns;
	if (end_ns > piece->begin_ns)
		err = fn(writer, piece);
	piece->begin_ns = end_ns;
	return err;
}

int trace_pieces(struct trace_writer *writer, trace_piece_fn fn)
{
	struct trace *trace = writer->trace;
	struct trace_piece piece = { 0 };
	struct trace_step step;
	unsigned int i;
	int got;

	if (writer->bin_ns)
		return averaged(writer, fn);
	memset(piece.value, 0xff, sizeof(piece.value));
	while ((got = trace_next(trace, &step)) > 0) {
		if (!piece.line && step.offset_ns)
			return trace_error(trace,
					   "the first step is not at 0; this format begins there");
		if (end_piece(writer, fn, &piece, step.offset_ns))
			return -1;
		piece.line = step.line;
		for (i = 0; i < __WLINK_COLUMN_MAX; i++)
			if (trace->columns & 1U << i &&
			    step.value[i] != WLINK_STEP_KEEP)
				piece.value[i] = step.value[i];
	}
	return got ? got : end_piece(writer, fn, &piece, trace->length_ns);
}
