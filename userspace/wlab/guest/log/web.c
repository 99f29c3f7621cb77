// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "log.h"

/* Copies the guest's lines, two of whose words are the begin and the end of a time that a
 * flow remembers; no end is none.
 */
static void spans_read(const struct log *log, const struct name_flow *f, const char *from,
		       const char *to, const char *format, struct delays *spans)
{
	char path[4096], line[256];
	int64_t begin, end;
	FILE *in, *out;

	snprintf(path, sizeof(path), "%s/%s%s", log->in, f->name, from);
	in = fopen(path, "r");
	if (!in)
		fail("%s: %s", path, strerror(errno));
	out = out_open(log, "series", f->name, to);
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, format, &begin, &end) != 2)
			fail("%s: a bad line: %s", path, line);
		if (end >= begin)
			delay_add(log, spans, begin, (uint64_t)(end - begin));
		fputs(line, out);
	}
	fclose(in);
	out_close(out);
}

/* Lines with begin, end, objects, bytes of requests and of replies, as written
 * by web/web.c.
 */
void web_read(const struct log *log, struct name_flow *f)
{
	spans_read(log, f, ".web", ".web.tsv", "%" SCNd64 "\t%" SCNd64, &f->transactions);
}

/* Lines with number, begin, end of a request, as written by flow/ping.c. */
void ping_read(const struct log *log, struct name_flow *f)
{
	spans_read(log, f, ".ping", ".rtt.tsv", "%*d\t%" SCNd64 "\t%" SCNd64, &f->e2e);
}
