// SPDX-License-Identifier: GPL-2.0
/*
 * What wlinkctl record does, without a kernel:
 *
 *   seetool record FOLDER [FILTER]
 *	FOLDER stands for a tracing instance whose TAI is ahead by 37 s; prints what
 *	record would write
 *   seetool clock
 *	clocks that standard input sets; prints the lines that record would write:
 *	read MONO NS_A_READ TAI-MONO STATE STATUS OFFSET MAXERROR ESTERROR TAI-UTC
 *	refused ERRNO	adjtimex() from now on; 0 for not
 *	write UNTIL	prints the lines, and the offset of events behind them
 */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <unistd.h>

#include "record/clock.h"
#include "record/json.h"
#include "ring/ring.h"

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

static int do_record(const char *folder, const char *filter)
{
	const struct ring_format *format;
	struct ring_record record;
	struct line line = { 0 };
	struct ring ring = { 0 };
	uint64_t until = 0;

	ring.fs.root = -1;
	ring.fs.dir = open(folder, O_RDONLY | O_DIRECTORY);
	if (ring_open_in(&ring, TRACE_KB, filter)) {
		ring_close(&ring);
		return 2;
	}
	do {
		until = ring_drain(&ring);
		/* At the end all that is left is due. */
		if (ring.all)
			until = UINT64_MAX;
		while (ring_next(&ring, until, &record, &format))
			if (format)
				record_json(&line, &record, format,
					    record.ts_ns + TAI_AHEAD_NS);
		print(&line);
	} while (!ring.all);
	line_free(&line);
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

int main(int argc, char **argv)
{
	if (argc >= 3 && !strcmp(argv[1], "record"))
		return do_record(argv[2], argc > 3 ? argv[3] : NULL);
	if (argc == 2 && !strcmp(argv[1], "clock"))
		return do_clock();
	return 1;
}
