/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_BINS_H
#define _TRACE_BINS_H

/*
 * What a trace offers in equal stretches of time, exactly: bits are counted in
 * 10^-9, so that a rate times any time in ns is whole.
 */

#include "trace/trace.h"

#define TRACE_BIT	1000000000ULL

typedef unsigned __int128 trace_bits;

/**
 * typedef trace_bin_fn - called for each bin when it is over
 * @ctx: of the caller
 * @begin_ns: its begin
 * @end_ns: its end; the last bin may be shorter
 * @bits: offered in it, times TRACE_BIT
 *
 * Return: 0, or -1 to stop.
 */
typedef int (*trace_bin_fn)(void *ctx, uint64_t begin_ns, uint64_t end_ns,
			    trace_bits bits);

/**
 * struct trace_bins - bins on their way
 * @width_ns: of a bin
 * @grants: opportunities count, not rates
 * @begin_ns: of the bin that is being filled
 * @at_ns: filled up to here
 * @bits: in it so far
 * @bps: rate since @at_ns
 * @grant: an opportunity at @at_ns that is not in @bits yet, bytes
 * @total: of all bins
 * @fn: called for each
 * @ctx: handed to @fn
 */
struct trace_bins {
	uint64_t width_ns;
	bool grants;
	uint64_t begin_ns;
	uint64_t at_ns;
	trace_bits bits;
	uint64_t bps;
	uint64_t grant;
	trace_bits total;
	trace_bin_fn fn;
	void *ctx;
};

/**
 * trace_bins_init() - before the first step
 * @bins: result
 * @trace: what the steps come from, open
 * @width_ns: of a bin
 * @fn: called for each bin
 * @ctx: handed to @fn
 */
void trace_bins_init(struct trace_bins *bins, const struct trace *trace,
		     uint64_t width_ns, trace_bin_fn fn, void *ctx);

/**
 * trace_bins_step() - take a step
 * @bins: bins
 * @step: step
 *
 * Return: 0, or -1 as @fn did.
 */
int trace_bins_step(struct trace_bins *bins, const struct trace_step *step);

/**
 * trace_bins_finish() - after the last step
 * @bins: bins
 * @length_ns: of the trace; an opportunity then belongs to the last bin
 *
 * Return: 0, or -1 as @fn did.
 */
int trace_bins_finish(struct trace_bins *bins, uint64_t length_ns);

/**
 * trace_bits_bytes() - whole bytes
 * @bits: times TRACE_BIT
 */
uint64_t trace_bits_bytes(trace_bits bits);

/**
 * trace_bits_bps() - mean rate, rounded to the nearest
 * @bits: times TRACE_BIT
 * @time_ns: sent in that time
 */
uint64_t trace_bits_bps(trace_bits bits, uint64_t time_ns);

#endif
