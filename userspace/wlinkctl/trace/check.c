// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "numbers/num.h"
#include "trace/check.h"

#define GAPS_TOLD	10
#define S_NS		UINT64_C(1000000000)

static void warn_gap(struct trace *trace, struct trace_check *check,
		     uint64_t line, uint64_t to_ns)
{
	uint64_t idle_ns = to_ns - check->idle_ns;

	if (!check->gap_ns || idle_ns <= check->gap_ns)
		return;
	if (idle_ns > check->gap_max_ns)
		check->gap_max_ns = idle_ns;
	check->gaps++;
	check->warnings++;
	if (check->gaps <= GAPS_TOLD)
		trace_say(trace, TRACE_WARNING, line,
			  "nothing is sent for %" PRIu64 ".%03" PRIu64
			  " s, from %" PRIu64 ".%03" PRIu64 " s on",
			  idle_ns / S_NS, idle_ns % S_NS / 1000000,
			  check->idle_ns / S_NS,
			  check->idle_ns % S_NS / 1000000);
}

static void take_rate(struct trace *trace, struct trace_check *check,
		      const struct trace_step *step)
{
	uint64_t bps = step->value[WLINK_COLUMN_RATE];

	if (bps == WLINK_STEP_KEEP)
		return;
	if (check->idle && bps)
		warn_gap(trace, check, check->idle_line, step->offset_ns);
	if (!check->idle && !bps) {
		check->idle_ns = step->offset_ns;
		check->idle_line = step->line;
	}
	check->idle = !bps;
	if (bps < check->min_bps)
		check->min_bps = bps;
	if (bps > check->max_bps)
		check->max_bps = bps;
}

static void take_grant(struct trace *trace, struct trace_check *check,
		       const struct trace_step *step)
{
	if (!step->value[WLINK_COLUMN_GRANT] ||
	    step->value[WLINK_COLUMN_GRANT] == WLINK_STEP_KEEP)
		return;
	warn_gap(trace, check, step->line, step->offset_ns);
	check->idle_ns = step->offset_ns;
	check->odd_ms |= step->offset_ns % S_NS != 0;
}

static void take_step(struct trace *trace, struct trace_check *check,
		      const struct trace_step *step)
{
	if (check->bins.grants)
		take_grant(trace, check, step);
	else if (trace->columns & 1U << WLINK_COLUMN_RATE)
		take_rate(trace, check, step);
	if (trace->columns & 1U << WLINK_COLUMN_DELAY &&
	    step->value[WLINK_COLUMN_DELAY] != WLINK_STEP_KEEP &&
	    step->value[WLINK_COLUMN_DELAY] > check->delay_max_ns)
		check->delay_max_ns = step->value[WLINK_COLUMN_DELAY];
}

static int take_bin(void *ctx, uint64_t begin_ns, uint64_t end_ns,
		    trace_bits bits)
{
	struct trace_check *check = ctx;
	uint64_t bps = trace_bits_bps(bits, end_ns - begin_ns);

	if (!check->bins.grants)
		return 0;
	if (begin_ns && end_ns - begin_ns < TRACE_CHECK_BIN_NS)
		return 0;	/* a short rest says little of a rate */
	if (bps < check->min_bps)
		check->min_bps = bps;
	if (bps > check->max_bps)
		check->max_bps = bps;
	return 0;
}

/**
 * struct suspect - rates that no link has
 * @low_bps: below this the mean is suspicious
 * @low: what it may be instead
 * @high_bps: above this
 * @high: what it may be instead
 */
struct suspect {
	uint64_t low_bps;
	const char *low;
	uint64_t high_bps;
	const char *high;
};

static const struct suspect suspects[TRACE_FORMATS] = {
	[TRACE_MAHIMAHI] = { 10000, "are the times us, not ms?", 5000000000,
			     "are the times s, not ms?" },
	[TRACE_JENS] = { 10000, "are these Mbit/s, not kbit/s?", 10000000000,
			 "are these bit/s, not kbit/s?" },
	[TRACE_THEATERQ] = { 10000, "are the rates kbit/s, not bit/s?",
			     100000000000, "" },
	[TRACE_CSV] = { 10000, "are the rates kbit/s or Mbit/s, not bit/s?",
			50000000000, "is the second column a rate?" },
};

static void suspicious(struct trace *trace, struct trace_check *check,
		       const char *what)
{
	check->warnings++;
	trace_say(trace, TRACE_WARNING, 0, "%s", what);
}

static void check_rates(struct trace *trace, struct trace_check *check)
{
	const struct suspect *s = &suspects[trace->format];
	char text[160];
	char mean[WL_NUM_TEXT];
	bool low = check->mean_bps < s->low_bps;

	if (!s->low || !check->max_bps ||
	    (!low && check->mean_bps <= s->high_bps))
		return;
	snprintf(text, sizeof(text),
		 "the mean rate is %s, implausibly %s: %s",
		 wl_num_print(WL_UNIT_RATE, check->mean_bps, mean),
		 low ? "low" : "high", low ? s->low : s->high);
	suspicious(trace, check, text);
}

static void check_times(struct trace *trace, struct trace_check *check)
{
	uint64_t mean_ns = trace->length_ns / trace->steps;

	if (trace->format == TRACE_MAHIMAHI && trace->steps > 2 &&
	    !check->odd_ms)
		suspicious(trace, check,
			   "all times are multiples of 1000 ms: are they us, not ms?");
	if (trace->format == TRACE_CSV && trace->steps > 2 &&
	    mean_ns >= 50 * S_NS)
		suspicious(trace, check,
			   "a row lasts 50 s and more on average: are the times ms, not s?");
	if (trace->format == TRACE_THEATERQ && mean_ns > 3600 * S_NS)
		suspicious(trace, check,
			   "a row lasts an hour and more on average: is KEEP in ns, not us?");
	if (trace->format == TRACE_THEATERQ && check->delay_max_ns &&
	    check->delay_max_ns < 1000)
		suspicious(trace, check,
			   "no LATENCY reaches 1 us: are they ms or us, not ns?");
}

static void check_whole(struct trace *trace, struct trace_check *check)
{
	bool rates = trace->columns & 1U << WLINK_COLUMN_RATE;
	uint64_t line = check->idle ? check->idle_line : 0;

	if (check->bins.grants || (rates && check->idle))
		warn_gap(trace, check, line, trace->length_ns);
	if (check->gaps > GAPS_TOLD)
		trace_say(trace, TRACE_WARNING, 0,
			  "%" PRIu64 " further times without sending",
			  check->gaps - GAPS_TOLD);
	if (!check->bins.grants && !rates)
		return;
	if (!check->max_bps)
		suspicious(trace, check, "nothing is ever sent");
	check_rates(trace, check);
	check_times(trace, check);
}

int trace_check(struct trace *trace, struct trace_check *check)
{
	struct trace_step step;
	int got;

	check->min_bps = UINT64_MAX;
	trace_bins_init(&check->bins, trace, TRACE_CHECK_BIN_NS, take_bin,
			check);
	while ((got = trace_next(trace, &step)) > 0) {
		/* Our own format says its columns in the file. */
		check->bins.grants = trace->columns & 1U << WLINK_COLUMN_GRANT;
		take_step(trace, check, &step);
		trace_bins_step(&check->bins, &step);
	}
	if (check->min_bps == UINT64_MAX)
		check->min_bps = 0;
	if (got < 0)
		return -1;
	trace_bins_finish(&check->bins, trace->length_ns);
	check->bits = check->bins.total;
	check->mean_bps = trace_bits_bps(check->bits, trace->length_ns);
	check_whole(trace, check);
	if (trace->text.cut)
		trace_say(trace, TRACE_NOTE, 0,
			  "the last line has no end; it is read all the same");
	return 0;
}
