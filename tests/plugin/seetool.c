// SPDX-License-Identifier: GPL-2.0
/*
 * What wlinkctl record and wlinkctl top do, without a kernel:
 *
 *   seetool record FOLDER [FILTER]
 *	FOLDER stands for a tracing instance; prints what record would write
 *   seetool top WIDTH HEIGHT NS [BEARER OPTIONS STATS]... / NS [BEARER ...]...
 *	two looks at bearers, numbers and attributes in hexadecimal; prints the JSON
 *	and the table
 */

#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record_json.h"
#include "ring.h"
#include "top.h"
#include "wl_attr.h"

#define TRACE_KB	4

void complain(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

static int do_record(const char *folder, const char *filter)
{
	const struct ring_format *format;
	struct ring_record record;
	struct ring ring = { 0 };
	uint64_t until = 0;
	size_t i;
	bool all;

	ring.fs.root = -1;
	ring.fs.dir = open(folder, O_RDONLY | O_DIRECTORY);
	if (ring_open_in(&ring, TRACE_KB, filter)) {
		ring_close(&ring);
		return 2;
	}
	do {
		until = ring_drain(&ring);
		all = true;
		for (i = 0; i < ring.n; i++)
			all &= ring.cpus[i].all;
		/* At the end all that is left is due. */
		if (all)
			until = UINT64_MAX;
		while (ring_next(&ring, until, &record, &format))
			if (format)
				record_json(stdout, &record, format);
	} while (!all);
	printf("{\"lost\": %" PRIu64 ", \"damaged\": %" PRIu64 "}\n",
	       ring_lost(&ring), ring.damaged);
	ring_close(&ring);
	return 0;
}

static size_t unhex(const char *text, unsigned char *to, size_t room)
{
	size_t n = 0;
	unsigned int byte;

	while (n < room && sscanf(text + 2 * n, "%2x", &byte) == 1)
		to[n++] = (unsigned char)byte;
	return n;
}

/* Return: words used. */
static int read_look(struct top_look *look, int argc, char **argv)
{
	static unsigned char buf[8192];
	struct link *link;
	int i;

	look->at_ns = strtoull(argv[0], NULL, 10);
	look->bearers.links = calloc((size_t)argc, sizeof(*link));
	for (i = 1; i + 2 < argc && strcmp(argv[i], "/"); i += 3) {
		link = &look->bearers.links[look->bearers.n++];
		link->ifindex = 1;
		link->handle = 0x10000;
		link->bearer = (uint32_t)strtoul(argv[i], NULL, 16);
		wl_attr_decode(&link->values, buf,
			       unhex(argv[i + 1], buf, sizeof(buf)));
		wl_xstats_decode(&link->stats, buf,
				 unhex(argv[i + 2], buf, sizeof(buf)));
		link->stats.aqm = link->values.value[WL_AQM];
		link->has_stats = true;
	}
	return i;
}

static int do_top(int argc, char **argv)
{
	size_t width = (size_t)atoi(argv[0]), height = (size_t)atoi(argv[1]);
	struct top_look before = { 0 }, now = { 0 };
	struct top_row *rows;
	size_t n;
	int used;

	used = 2 + read_look(&before, argc - 2, argv + 2);
	if (used + 1 < argc)
		read_look(&now, argc - used - 1, argv + used + 1);
	rows = top_rows(&before, &now, &n);
	if (!rows)
		return 2;
	top_json(&now, rows, n);
	top_text(stdout, rows, n, width, height, "|\n");
	free(rows);
	top_look_free(&before);
	top_look_free(&now);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc >= 3 && !strcmp(argv[1], "record"))
		return do_record(argv[2], argc > 3 ? argv[3] : NULL);
	if (argc >= 5 && !strcmp(argv[1], "top"))
		return do_top(argc - 2, argv + 2);
	return 1;
}
