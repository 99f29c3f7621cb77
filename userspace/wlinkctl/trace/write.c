// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "trace/column.h"
#include "trace/formats/own.h"
#include "trace/write.h"

typedef int (*write_fn)(struct trace_writer *writer);

static const write_fn writers[TRACE_FORMATS] = {
	[TRACE_SCHEDULE] = trace_write_own,
	[TRACE_MAHIMAHI] = trace_write_pdo,
	[TRACE_JENS] = trace_write_jens,
	[TRACE_THEATERQ] = trace_write_theaterq,
	[TRACE_CSV] = trace_write_csv,
};

void trace_write_once(struct trace_writer *writer, unsigned int what,
		      const char *text)
{
	if (writer->told & 1U << what)
		return;
	writer->told |= 1U << what;
	trace_say(writer->trace, TRACE_WARNING, 0, "%s", text);
}

void trace_write_left(struct trace_writer *writer, uint32_t columns)
{
	struct trace *trace = writer->trace;
	unsigned int i;

	for (i = 0; i < __WLINK_COLUMN_MAX; i++)
		if (trace->columns & ~columns & 1U << i)
			trace_say(trace, TRACE_WARNING, 0,
				  "column %s has no place in this format and is left out",
				  trace_columns[i].name);
}

static int write_step(struct trace_writer *writer,
		      const struct trace_step *step)
{
	struct trace *trace = writer->trace;
	char text[WL_NUM_TEXT];
	unsigned int i;

	fputs(step->offset_ns ?
	      wl_num_print(WL_UNIT_TIME, step->offset_ns, text) : "0s",
	      writer->out);
	for (i = 0; i < __WLINK_COLUMN_MAX; i++) {
		if (!(trace->columns & 1U << i))
			continue;
		putc(' ', writer->out);
		fputs(trace_column_print(i, step->value[i], text),
		      writer->out);
	}
	putc('\n', writer->out);
	return 0;
}

static void write_header(struct trace_writer *writer)
{
	const struct trace *trace = writer->trace;
	char text[WL_NUM_TEXT];
	unsigned int i;

	fprintf(writer->out, "%s\ncolumns", TRACE_OWN_TITLE);
	for (i = 0; i < __WLINK_COLUMN_MAX; i++)
		if (trace->columns & 1U << i)
			fprintf(writer->out, " %s", trace_columns[i].name);
	fprintf(writer->out, "\nlength %s\n",
		wl_num_print(WL_UNIT_TIME, writer->length_ns, text));
	if (trace->end >= 0)
		fprintf(writer->out, "end %s\n", trace_end_names[trace->end]);
	else if (trace->format == TRACE_MAHIMAHI)
		fprintf(writer->out, "end loop\n");
}

int trace_write_own(struct trace_writer *writer)
{
	struct trace_step step;
	bool begun = false;
	int got;

	while ((got = trace_next(writer->trace, &step)) > 0) {
		if (!begun)
			write_header(writer);
		begun = true;
		write_step(writer, &step);
	}
	return got;
}

static int write_pass(struct trace *trace, enum trace_format format,
		      uint64_t bin_ns, uint64_t length_ns, FILE *out)
{
	struct trace_writer writer = {
		.trace = trace,
		.out = out,
		.bin_ns = bin_ns,
		.length_ns = length_ns,
		.unit_bps = 1,
	};

	return writers[format](&writer);
}

int trace_write(struct trace *trace, enum trace_format format, uint64_t bin_ns)
{
	FILE *nowhere = fopen("/dev/null", "we");
	uint64_t length_ns;
	int err;

	if (!nowhere)
		return trace_error(trace, "/dev/null: %s", strerror(errno));
	err = write_pass(trace, format, bin_ns, 0, nowhere);
	fclose(nowhere);
	length_ns = trace->length_ns;
	if (err || trace_again(trace))
		return -1;
	return write_pass(trace, format, bin_ns, length_ns, stdout);
}
