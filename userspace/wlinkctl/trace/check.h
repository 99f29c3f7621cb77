/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_CHECK_H
#define _TRACE_CHECK_H

/* What a trace comes to, and what looks wrong in it. */

#include "trace/bins.h"
#include "trace/trace.h"

#define TRACE_CHECK_BIN_NS	100000000ULL
#define TRACE_GAP_NS		1000000000ULL

/**
 * struct trace_check - figures of a trace
 * @gap_ns: longer times without sending are told of, 0 for none
 * @gaps: how many there are
 * @gap_max_ns: the longest
 * @min_bps: rates: the least one; opportunities: in the emptiest bin
 * @max_bps: the same for the highest
 * @mean_bps: over the whole length
 * @bits: all that is offered, times TRACE_BIT
 * @warnings: found so far
 * @bins: that the figures come from
 * @idle_ns: since when nothing has been sent
 * @idle_line: where that begins
 * @idle: nothing is being sent
 * @delay_max_ns: the longest delay
 * @odd_ms: a time that is not a multiple of 1000 ms has been seen
 */
struct trace_check {
	uint64_t gap_ns;
	uint64_t gaps;
	uint64_t gap_max_ns;
	uint64_t min_bps;
	uint64_t max_bps;
	uint64_t mean_bps;
	trace_bits bits;
	unsigned int warnings;
	struct trace_bins bins;
	uint64_t idle_ns;
	uint64_t idle_line;
	bool idle;
	uint64_t delay_max_ns;
	bool odd_ms;
};

/**
 * trace_check() - read a trace to its end
 * @trace: file, open; what is found is told of as trace_say() does
 * @check: result; its @gap_ns is filled in
 *
 * Return: 0, or -1 if there are errors.
 */
int trace_check(struct trace *trace, struct trace_check *check);

#endif
