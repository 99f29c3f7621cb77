// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "log.h"

/* Lines with begin, end, objects, bytes of requests and of replies, as written
 * by web/web.c.
 */
void web_read(const struct log *log, struct name_flow *f)
{
	char path[4096], line[256];
	int64_t begin, end;
	FILE *in, *out;

	snprintf(path, sizeof(path), "%s/%s.web", log->in, f->name);
	in = fopen(path, "r");
	if (!in)
		fail("%s: %s", path, strerror(errno));
	out = out_open(log, "series", f->name, ".web.tsv");
	while (fgets(line, sizeof(line), in)) {
		if (sscanf(line, "%" SCNd64 "\t%" SCNd64, &begin, &end) != 2)
			fail("%s: a bad line: %s", path, line);
		delay_add(log, &f->transactions, begin, (uint64_t)(end - begin));
		fputs(line, out);
	}
	fclose(in);
	out_close(out);
}
