// SPDX-License-Identifier: GPL-2.0
/*
 * What wlinkctl record and wlinkctl top do, without a kernel:
 *
 *   seetool record FOLDER [FILTER]
 *	FOLDER stands for a tracing instance whose TAI is ahead by 37 s; prints what
 *	record would write
 *   seetool clock
 *	clocks that standard input sets; prints the lines that record would write:
 *	read MONO NS_A_READ TAI-MONO STATE STATUS OFFSET MAXERROR ESTERROR TAI-UTC
 *	refused ERRNO	adjtimex() from now on; 0 for not
 *	write UNTIL	prints the lines, and the offset of events behind them
 *   seetool top WIDTH HEIGHT NS [BEARER OPTIONS STATS]... / NS [BEARER ...]...
 *	two looks at bearers, numbers and attributes in hexadecimal; prints the JSON
 *	and the table
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include "attr/attr.h"
#include "record/clock.h"
#include "record/json.h"
#include "ring/ring.h"
#include "top/top.h"

#define TRACE_KB	4
#define TAI_AHEAD_NS	37000000000ULL

void complain(const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vprintf(format, ap);
	va_end(ap);
	putchar('\n');
}

static void print(struct line *line)
{
	if (line->len)
		fwrite(line->text, 1, line->len, stdout);
	line->len = 0;
}

static struct record_kind *kinds;

static void write_event(struct line *line, const struct ring *ring,
			const struct ring_record *record,
			const struct ring_format *format)
{
	size_t i = (size_t)(format - ring->formats);

	record_json(line, record, record_kind_at(kinds, i),
		    record->ts_ns + TAI_AHEAD_NS);
}

static int do_record(const char *folder, const char *filter)
{
	const struct ring_format *format;
	struct ring_record record;
	struct record_kind *made;
	struct line line = { 0 };
	struct ring ring = { 0 };
	uint64_t until = 0;

	ring.fs.root = -1;
	ring.fs.dir = open(folder, O_RDONLY | O_DIRECTORY);
	if (ring_open_in(&ring, TRACE_KB, filter)) {
		ring_close(&ring);
		return 2;
	}
	made = record_kinds_make(ring.formats, ring.n_formats);
	kinds = made;
	do {
		until = ring_drain(&ring);
		/* At the end all that is left is due. */
		if (ring.all)
			until = UINT64_MAX;
		while (ring_next(&ring, until, &record, &format))
			if (format)
				write_event(&line, &ring, &record, format);
		print(&line);
	} while (!ring.all);
	line_free(&line);
	free(made);
	printf("{\"lost\": %" PRIu64 ", \"damaged\": %" PRIu64 "}\n",
	       ring_lost(&ring), ring.damaged);
	ring_close(&ring);
	return 0;
}

static struct timex fake_state;
static int fake_result;
static int fake_errno;
static uint64_t fake_mono;
static uint64_t fake_cost;
static uint64_t fake_ahead;

static int fake_gettime(clockid_t clock, struct timespec *ts)
{
	uint64_t ns = fake_mono + (clock == CLOCK_TAI ? fake_ahead : 0);

	ts->tv_sec = (time_t)(ns / 1000000000);
	ts->tv_nsec = (long)(ns % 1000000000);
	fake_mono += fake_cost;
	return 0;
}

static int fake_adjtimex(struct timex *tx)
{
	if (tx->modes)
		abort();
	*tx = fake_state;
	errno = fake_errno;
	return fake_errno ? -1 : fake_result;
}

static int do_clock(void)
{
	static const struct clock_calls calls = { fake_gettime, fake_adjtimex };
	struct record_clock clock;
	struct line line = { 0 };
	char text[256];
	uint64_t until;

	record_clock_open(&clock, &calls);
	while (fgets(text, sizeof(text), stdin)) {
		struct timex *tx = &fake_state;

		if (sscanf(text, "refused %d", &fake_errno) == 1)
			continue;
		if (sscanf(text, "read %" SCNu64 " %" SCNu64 " %" SCNu64 " %d %d %ld %ld %ld %d",
			   &fake_mono, &fake_cost, &fake_ahead, &fake_result,
			   &tx->status, &tx->offset, &tx->maxerror,
			   &tx->esterror, &tx->tai) == 9) {
			if (record_clock_read(&clock))
				return 2;
		} else if (sscanf(text, "write %" SCNu64, &until) == 1) {
			record_clock_write(&clock, &line, until);
			print(&line);
			printf("%" PRId64 "\n", clock.offset_ns);
		} else {
			return 1;
		}
	}
	line_free(&line);
	record_clock_close(&clock);
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
	static unsigned char buf[16384];
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
		wl_xstats_decode_all(&link->stats, buf,
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
	if (argc == 2 && !strcmp(argv[1], "clock"))
		return do_clock();
	if (argc >= 5 && !strcmp(argv[1], "top"))
		return do_top(argc - 2, argv + 2);
	return 1;
}
