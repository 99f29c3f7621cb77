/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_WRITE_H
#define _TRACE_WRITE_H

/* Writing a trace in another format, as far as that can say it. */

#include <stdio.h>

#include "trace/bins.h"
#include "trace/trace.h"

/**
 * struct trace_piece - a stretch of time in which nothing changes
 * @line: of the file
 * @begin_ns: its begin
 * @end_ns: its end, later than that
 * @value: of each column what has been set last, WLINK_STEP_KEEP if nothing has
 */
struct trace_piece {
	uint64_t line;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t value[__WLINK_COLUMN_MAX];
};

/**
 * struct trace_writer - a file that is being written
 * @trace: what it comes from
 * @out: where it goes
 * @bin_ns: rates are averaged over this, 0 if not
 * @length_ns: of the trace, known when it is read for the second time
 * @rows: written so far
 * @carry: bits that have not been written for rounding, times TRACE_BIT
 * @unit_bps: rates are multiples of this
 * @last_ms: Mahimahi: the last time written
 * @told: what has been told once, by the writer
 */
struct trace_writer {
	struct trace *trace;
	FILE *out;
	uint64_t bin_ns;
	uint64_t length_ns;
	uint64_t rows;
	trace_bits carry;
	uint64_t unit_bps;
	uint64_t last_ms;
	unsigned int told;
};

/**
 * typedef trace_piece_fn - called for each piece
 * @writer: file
 * @piece: piece
 *
 * Return: 0, or -1 after trace_error().
 */
typedef int (*trace_piece_fn)(struct trace_writer *writer,
			      const struct trace_piece *piece);

/**
 * trace_pieces() - take a trace to pieces
 * @writer: file; with its @bin_ns each piece is one, and only its rate is set
 * @fn: called for each
 *
 * Return: 0, or -1 after trace_error().
 */
int trace_pieces(struct trace_writer *writer, trace_piece_fn fn);

/**
 * trace_write() - write a trace
 * @trace: file, open
 * @format: of what is written
 * @bin_ns: average rates over this, 0 if not
 *
 * It is read twice, so that nothing is written of what cannot be written whole.
 *
 * Return: 0, or -1 after trace_error().
 */
int trace_write(struct trace *trace, enum trace_format format,
		uint64_t bin_ns);

/* Writers, one for each format. Return: 0, or -1 after trace_error(). */
int trace_write_own(struct trace_writer *writer);
int trace_write_pdo(struct trace_writer *writer);
int trace_write_jens(struct trace_writer *writer);
int trace_write_csv(struct trace_writer *writer);
int trace_write_theaterq(struct trace_writer *writer);

/**
 * trace_write_once() - tell of something only once
 * @writer: file
 * @what: bit of @told
 * @text: a sentence
 */
void trace_write_once(struct trace_writer *writer, unsigned int what,
		      const char *text);

/**
 * trace_write_left() - tell of columns that the format has not
 * @writer: file
 * @columns: that it has
 */
void trace_write_left(struct trace_writer *writer, uint32_t columns);

#endif
