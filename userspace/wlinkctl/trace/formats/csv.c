// SPDX-License-Identifier: GPL-2.0
/*
 * time,rate: seconds and bit/s, or with units of tc. Times count from that of the
 * first row. The last row lasts as long as the one before it, if no comment
 * "# length TIME" says else.
 */

#include <inttypes.h>
#include <string.h>

#include "trace/kinds.h"
#include "trace/num.h"
#include "trace/trace.h"

#define ALONE_NS	1000000000ULL	/* how long the only row lasts */

void trace_csv_begin(struct trace *trace)
{
	memset(&trace->csv, 0, sizeof(trace->csv));
}

/* A header that names other units than ours is worth a word. */
static int read_header(struct trace *trace, const char *line)
{
	static const char *const units[] = {
		"ms", "us", "msec", "usec", "kbit", "mbit", "kbps", "mbps",
	};
	char word[16];
	size_t i, n;

	trace->csv.header = true;
	while (*line) {
		n = strcspn(line, " \t,_()[]/\"");
		if (n && n < sizeof(word)) {
			memcpy(word, line, n);
			word[n] = '\0';
			for (i = 0; i < sizeof(units) / sizeof(*units); i++)
				if (!strcasecmp(word, units[i]))
					trace_say(trace, TRACE_WARNING, 0,
						  "the header says \"%s\", but bare times are read as s and bare rates as bit/s",
						  word);
		}
		line += n + (line[n] != '\0');
	}
	return 0;
}

static int read_comment(struct trace *trace, const char *line)
{
	static const char word[] = "length ";

	line += strspn(line, "# \t");
	if (strncmp(line, word, strlen(word)))
		return 0;
	line += strlen(word);
	if (trace_time(line, 9, &trace->csv.length_ns) ||
	    !trace->csv.length_ns)
		return trace_not(trace, line, "a length, such as 12.5s");
	return 0;
}

/* Most rows: whole numbers or with a point, no blank, no unit. */
static bool take_row(const char *line, uint64_t *time_ns, uint64_t *bps)
{
	return trace_take_decimal(&line, 9, time_ns) && *line++ == ',' &&
	       trace_take_decimal(&line, 0, bps) && !*line;
}

static int read_row(struct trace *trace, char *line, uint64_t *time_ns,
		    uint64_t *bps)
{
	char *rest = line;
	char *time = trace_field(&rest, ',');
	char *rate = trace_field(&rest, ',');

	if (!rate || rest)
		return trace_error(trace, "%s; a row is time,rate",
				   rate ? "more than two columns" :
				   "one column");
	if (*time == '-')
		return trace_not(trace, time, "a time from 0 on");
	if (trace_time(time, 9, time_ns))
		return trace_not(trace, time, "a time in s, or with ns, us, ms or s");
	if (*rate == '-')
		return trace_not(trace, rate, "a rate, which is 0 or more");
	if (trace_rate(rate, bps))
		return trace_not(trace, rate,
				 "a rate in bit/s, or with bit, kbit, mbit or gbit");
	return 0;
}

static int time_went_back(struct trace *trace, uint64_t time_ns)
{
	uint64_t last_ns = trace->csv.first_ns + trace->last_ns;

	return trace_error(trace,
			   "time goes backwards: %" PRIu64 ".%09" PRIu64
			   " s after %" PRIu64 ".%09" PRIu64 " s",
			   time_ns / 1000000000, time_ns % 1000000000,
			   last_ns / 1000000000, last_ns % 1000000000);
}

int trace_csv_line(struct trace *trace, char *line, struct trace_step *step)
{
	struct trace_csv *csv = &trace->csv;
	uint64_t time_ns;
	uint64_t bps;

	if (!take_row(line, &time_ns, &bps)) {
		if (*line == '#')
			return read_comment(trace, line);
		if (!*line)
			return 0;
		if (!trace->steps && !csv->header && !trace_is_number(line))
			return read_header(trace, line);
		if (read_row(trace, line, &time_ns, &bps))
			return -1;
	}
	if (!trace->steps)
		csv->first_ns = time_ns;
	if (time_ns < csv->first_ns + trace->last_ns)
		return time_went_back(trace, time_ns);
	step->line = trace->text.number;
	step->offset_ns = time_ns - csv->first_ns;
	step->value[WLINK_COLUMN_RATE] = bps;
	if (step->offset_ns > trace->last_ns)
		csv->gap_ns = step->offset_ns - trace->last_ns;
	return 1;
}

int trace_csv_finish(struct trace *trace, struct trace_step *step)
{
	const struct trace_csv *csv = &trace->csv;

	(void)step;
	if (csv->first_ns)
		trace_say(trace, TRACE_NOTE, 0,
			  "times count from that of the first row, %" PRIu64 ".%09" PRIu64 " s",
			  csv->first_ns / 1000000000,
			  csv->first_ns % 1000000000);
	trace->length_ns = trace->last_ns +
			   (csv->gap_ns ? csv->gap_ns : ALONE_NS);
	if (csv->length_ns && csv->length_ns < trace->last_ns)
		return trace_error(trace,
				   "its length is before its last row");
	if (csv->length_ns)
		trace->length_ns = csv->length_ns;
	return 0;
}
