// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "record/lines.h"
#include "wlinkctl.h"

static void write_event(struct record_lines *lines,
			const struct ring_record *record,
			const struct ring_format *format)
{
	lines->out->pending++;
	record_json(&lines->out->line, record, format,
		    record->ts_ns + (uint64_t)lines->clock.offset_ns);
}

void record_lines_until(struct record_lines *lines, uint64_t until_ns)
{
	struct record_out *out = lines->out;
	const struct ring_format *format;
	struct ring_record record;

	while (!out->failed &&
	       ring_next(lines->ring, until_ns, &record, &format)) {
		record_clock_write(&lines->clock, &out->line, record.ts_ns);
		/* Of a module that has been loaded anew since we began. */
		if (format)
			write_event(lines, &record, format);
		record_out_end(out);
	}
	if (!out->failed)
		record_clock_write(&lines->clock, &out->line, until_ns);
	record_out_flush(out);
}

void record_lines_link(struct record_lines *lines, const char *text, size_t len)
{
	record_clock_write(&lines->clock, &lines->out->line, UINT64_MAX);
	line_add(&lines->out->line, text, len);
	record_out_end(lines->out);
}

void record_lines_sum(struct record_lines *lines, uint64_t lost,
		      uint64_t events)
{
	struct record_out *out = lines->out;
	char sum[80];

	snprintf(sum, sizeof(sum),
		 "{\"lost\": %" PRIu64 ", \"events\": %" PRIu64 "}\n", lost,
		 events);
	/* Where half a line was cut off there may be room for this one. */
	if (out->stop < 2 && !out->is_raw) {
		line_put(&out->line, sum);
		record_out_flush(out);
	}
	fputs(sum, stderr);
	if (lost)
		complain("%" PRIu64 " events were lost; a larger --buffer may help",
			 lost);
}

void record_lines_close(struct record_lines *lines)
{
	record_clock_close(&lines->clock);
}
