// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "trace/bins.h"

void trace_bins_init(struct trace_bins *bins, const struct trace *trace,
		     uint64_t width_ns, trace_bin_fn fn, void *ctx)
{
	memset(bins, 0, sizeof(*bins));
	bins->width_ns = width_ns;
	bins->grants = trace->columns & 1U << WLINK_COLUMN_GRANT;
	bins->fn = fn;
	bins->ctx = ctx;
}

static void send(struct trace_bins *bins, uint64_t to_ns)
{
	if (!bins->grants)
		bins->bits += (trace_bits)bins->bps * (to_ns - bins->at_ns);
	bins->at_ns = to_ns;
}

static void take_grant(struct trace_bins *bins)
{
	bins->bits += (trace_bits)bins->grant * 8 * TRACE_BIT;
	bins->grant = 0;
}

static int end_bin(struct trace_bins *bins, uint64_t end_ns)
{
	uint64_t begin_ns = bins->begin_ns;
	trace_bits bits = bins->bits;

	bins->begin_ns = end_ns;
	bins->bits = 0;
	bins->total += bits;
	return bins->fn(bins->ctx, begin_ns, end_ns, bits);
}

/* End the bins that are over at @to_ns. */
static int advance(struct trace_bins *bins, uint64_t to_ns)
{
	while (to_ns - bins->begin_ns >= bins->width_ns) {
		uint64_t end_ns = bins->begin_ns + bins->width_ns;

		send(bins, end_ns);
		if (end_bin(bins, end_ns))
			return -1;
	}
	send(bins, to_ns);
	return 0;
}

/* Bins that end at a step's time are left open until the next step: it may have
 * been the last, at the very end.
 */
static int close_until(struct trace_bins *bins, uint64_t to_ns)
{
	if (to_ns == bins->at_ns)
		return 0;
	if (advance(bins, bins->at_ns))
		return -1;
	take_grant(bins);
	return advance(bins, to_ns - 1);
}

int trace_bins_step(struct trace_bins *bins, const struct trace_step *step)
{
	if (close_until(bins, step->offset_ns))
		return -1;
	send(bins, step->offset_ns);
	if (bins->grants &&
	    step->value[WLINK_COLUMN_GRANT] != WLINK_STEP_KEEP)
		bins->grant += step->value[WLINK_COLUMN_GRANT];
	if (!bins->grants && step->value[WLINK_COLUMN_RATE] != WLINK_STEP_KEEP)
		bins->bps = step->value[WLINK_COLUMN_RATE];
	return 0;
}

int trace_bins_finish(struct trace_bins *bins, uint64_t length_ns)
{
	if (close_until(bins, length_ns))
		return -1;
	send(bins, length_ns);
	take_grant(bins);
	return length_ns > bins->begin_ns ? end_bin(bins, length_ns) : 0;
}

uint64_t trace_bits_bytes(trace_bits bits)
{
	return (uint64_t)(bits / (8 * TRACE_BIT));
}

uint64_t trace_bits_bps(trace_bits bits, uint64_t time_ns)
{
	return time_ns ? (uint64_t)((bits + time_ns / 2) / time_ns) : 0;
}
