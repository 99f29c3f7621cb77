// SPDX-License-Identifier: GPL-2.0
/* JENS: kbit/s, one value per line, ten lines a second if no header says else. */

#include <inttypes.h>
#include <string.h>

#include "trace/kinds.h"
#include "trace/num.h"
#include "trace/trace.h"

/* As JENS spells it; and as others may. */
static const char *const rate_words[] = {
	":recommended_freqeuncy=",
	":recommended_frequency=",
};

void trace_jens_begin(struct trace *trace)
{
	trace->step_ns = TRACE_JENS_NS;
}

static int read_comment(struct trace *trace, const char *line)
{
	uint64_t per_s;
	size_t i;

	for (i = 0; i < 2; i++) {
		const char *at = strstr(line, rate_words[i]);

		if (!at)
			continue;
		at += strlen(rate_words[i]);
		if (trace_count(&at, &per_s) || *at || !per_s ||
		    1000000000 % per_s)
			return trace_not(trace, line,
					 "a header with a number of lines per second that divides a second into whole ns");
		if (trace->steps)
			return trace_error(trace,
					   "the number of lines per second comes after the first line");
		trace->step_ns = 1000000000 / per_s;
	}
	return 0;
}

int trace_jens_line(struct trace *trace, char *line, struct trace_step *step)
{
	uint64_t bps;

	if (*line == '#')
		return read_comment(trace, line);
	if (!*line)
		return 0;
	if (*line == '-')
		return trace_not(trace, line, "a rate, which is 0 or more kbit/s");
	if (trace_decimal(line, 3, &bps))
		return trace_not(trace, line, "a rate in kbit/s, one on each line");
	step->line = trace->text.number;
	step->offset_ns = trace->steps * trace->step_ns;
	step->value[WLINK_COLUMN_RATE] = bps;
	return 1;
}

int trace_jens_finish(struct trace *trace, struct trace_step *step)
{
	(void)step;
	trace->length_ns = trace->steps * trace->step_ns;
	return 0;
}
