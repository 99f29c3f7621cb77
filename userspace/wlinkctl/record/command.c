// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clocks.h"
#include "link/link.h"
#include "link/target.h"
#include "record/from.h"
#include "record/later.h"
#include "record/lines.h"
#include "record/links.h"
#include "record/raw.h"
#include "wlinkctl.h"

/* The first event wakes us, then more may gather: few wake-ups under load. */
#define GATHER_NS	50000000U

/**
 * struct record - one run of the command
 * @ctl: the program
 * @dev: device, NULL for all
 * @ifindex: of it
 * @path: file, or -
 * @for_ns: how long, 0 for no end
 * @kb: buffer of a processor
 * @until_ns: CLOCK_MONOTONIC to stop at, UINT64_MAX for never
 * @signals: that ask for the end
 * @ring: where events come from
 * @fds: of @signals and of @ring, to wait for
 * @from: raw recording to make lines of, NULL to record
 * @raw: write what the kernel has, not lines
 * @live: write lines at once, to a file, too
 * @began: the kernel has been told to record
 * @later: file that gets its lines in the end
 * @lines: events and clocks
 * @out: where they go
 */
struct record {
	struct wlinkctl *ctl;
	const char *dev;
	int ifindex;
	const char *path;
	uint64_t for_ns;
	unsigned int kb;
	uint64_t until_ns;
	struct signals signals;
	struct ring ring;
	struct pollfd *fds;
	const char *from;
	bool raw;
	bool live;
	bool began;
	struct record_later later;
	struct record_lines lines;
	struct record_out out;
};

static bool is_over(const struct record *rec)
{
	return rec->out.stop || rec->out.failed || rec->ring.failed ||
	       clock_now() >= rec->until_ns;
}

/* Wait for a signal, and for events, at most until a time. */
static void wait_for(struct record *rec, bool events, uint64_t until_ns)
{
	if (rec->until_ns < until_ns)
		until_ns = rec->until_ns;
	clock_poll(rec->fds, events ? rec->ring.n + 1 : 1, until_ns);
	record_out_signals(&rec->out);
}

static void read_clock(struct record *rec)
{
	if (!record_clock_read(&rec->lines.clock))
		return;
	complain("no CLOCK_TAI: %s", strerror(errno));
	rec->out.failed = true;
}

static void pass_page(void *ctx, unsigned int cpu, const void *page, size_t len)
{
	struct record *rec = ctx;

	record_raw_put(&rec->out.line, RAW_PAGE, cpu, page, len);
	record_out_end(&rec->out);
}

static void put_clocks(struct record *rec)
{
	struct clock_sample sample;

	while (record_clock_next(&rec->lines.clock, &sample))
		record_raw_put(&rec->out.line, RAW_CLOCK, 0, &sample,
			       sizeof(sample));
}

/* What has come up to a time, all of it. */
static void write_until(struct record *rec, uint64_t until_ns)
{
	if (!rec->raw) {
		record_lines_until(&rec->lines, until_ns);
		return;
	}
	put_clocks(rec);
	record_raw_put(&rec->out.line, RAW_ROUND, 0, &until_ns,
		       sizeof(until_ns));
	record_out_flush(&rec->out);
}

/* A block has one line, since blocks have a bound. What is little waits for the first events. */
static int write_links(struct record *rec)
{
	struct line text = { 0 };
	int code = record_links_write(rec->ctl, rec->ifindex, &text);
	const char *end, *at = text.text;

	if (rec->raw)
		put_clocks(rec);
	else
		record_lines_link(&rec->lines, text.text, text.len);
	for (; rec->raw && at < text.text + text.len; at = end + 1) {
		end = memchr(at, '\n', text.text + text.len - at);
		record_raw_put(&rec->out.line, RAW_LINK, 0, at, end + 1 - at);
	}
	record_out_end(&rec->out);
	line_free(&text);
	return code;
}

static bool holds_some(const struct record *rec)
{
	size_t i;

	for (i = 0; i < rec->ring.n; i++)
		if (rec->ring.cpus[i].first)
			return true;
	return false;
}

static void record_some(struct record *rec)
{
	/* What the last round has kept back must not wait for news. */
	if (!holds_some(rec))
		wait_for(rec, true, record_clock_due(&rec->lines.clock));
	if (!is_over(rec))
		wait_for(rec, false, clock_now() + GATHER_NS);
	if (clock_now() >= record_clock_due(&rec->lines.clock))
		read_clock(rec);
	write_until(rec, ring_drain(&rec->ring));
}

static void record_rest(struct record *rec)
{
	ring_switch(&rec->ring, false);
	if (!rec->out.failed)
		read_clock(rec);
	do {
		ring_drain(&rec->ring);
		if (!rec->ring.all)
			write_until(rec, 0);
	} while (!rec->ring.all && !rec->out.failed && !rec->ring.failed);
	write_until(rec, UINT64_MAX);
	if (!rec->out.failed && rec->out.stop < 2)
		write_links(rec);
}

static int finish(struct record *rec)
{
	struct record_out *out = &rec->out;
	uint64_t lost = ring_lost(&rec->ring);
	uint64_t events = rec->raw ? ring_read(&rec->ring) : out->events;

	if (rec->raw && !out->failed) {
		record_raw_put(&out->line, RAW_END, 0, &lost, sizeof(lost));
		record_out_flush(out);
	}
	if (rec->raw && out->failed)
		complain("%s is cut off; record --from converts its records",
			 out->name);
	else if (!rec->later.raw_path)
		record_lines_sum(&rec->lines, lost, events);
	record_out_close(out);
	if (rec->ring.damaged)
		complain("%" PRIu64 " pages of the kernel's buffer could not be read",
			 rec->ring.damaged);
	if (rec->ring.failed)
		complain("no memory for events");
	return out->failed || rec->ring.failed || rec->ring.damaged ?
	       EXIT_USAGE : EXIT_DONE;
}

static int prepare_raw(struct record *rec)
{
	rec->ring.pass_on = pass_page;
	rec->ring.pass_ctx = rec;
	rec->out.is_raw = true;
	if (!record_raw_begin(&rec->out.line, &rec->ring,
			      &rec->lines.clock.machine))
		return EXIT_DONE;
	complain("the kernel's description of its events: %s", strerror(errno));
	return EXIT_REFUSED;
}

static int open_files(struct record *rec)
{
	if (rec->raw || rec->live || !record_later_can(rec->path))
		return record_out_open(&rec->out, rec->path, &rec->signals);
	rec->raw = true;
	return record_later_open(&rec->later, &rec->out, rec->path,
				 &rec->signals);
}

static int prepare(struct record *rec)
{
	char filter[64 + IF_NAMESIZE];
	size_t i;
	int code;

	/* Devices of two namespaces may share the number or the name. */
	if (rec->dev)
		snprintf(filter, sizeof(filter),
			 strpbrk(rec->dev, "\"\\") ? "ifindex == %d" :
			 "ifindex == %d && dev == \"%s\"", rec->ifindex,
			 rec->dev);
	code = ring_open(&rec->ring, rec->kb, rec->dev ? filter : NULL);
	if (code)
		return code;
	rec->fds = calloc(rec->ring.n + 1, sizeof(*rec->fds));
	record_clock_open(&rec->lines.clock, &clock_calls);
	rec->lines.ring = &rec->ring;
	rec->lines.out = &rec->out;
	if (!rec->fds) {
		complain("%s", strerror(errno));
		return EXIT_REFUSED;
	}
	for (i = 0; i <= rec->ring.n; i++) {
		rec->fds[i].fd = i ? rec->ring.cpus[i - 1].fd : rec->signals.fd;
		rec->fds[i].events = POLLIN;
	}
	return open_files(rec);
}

static int run(struct record *rec)
{
	int code = prepare(rec);

	if (!code && clock_is_shifted()) {
		complain("events' CLOCK_MONOTONIC is not that of this time namespace; leave it");
		code = EXIT_REFUSED;
	}
	if (!code && rec->raw)
		code = prepare_raw(rec);
	/* Before the first event, so that each has a clock line before it. */
	if (!code && record_clock_read(&rec->lines.clock)) {
		complain("no CLOCK_TAI: %s", strerror(errno));
		code = EXIT_REFUSED;
	}
	if (!code)
		code = ring_switch(&rec->ring, true);
	/* After the first event that may be: what changes meanwhile is not missed. */
	if (!code)
		code = write_links(rec);
	if (code)
		return code;
	rec->began = true;
	if (rec->for_ns)
		rec->until_ns = clock_now() + rec->for_ns;
	while (!is_over(rec))
		record_some(rec);
	record_rest(rec);
	return finish(rec);
}

/* Return: words used, -1 after a complaint. */
static int parse_option(struct record *rec, const char *name, const char *text)
{
	static const struct number lasts = {
		WL_UNIT_TIME, 1, INT64_MAX / 2, "a time above 0 with ns, us, ms or s",
	};
	static const struct number sizes = {
		WL_UNIT_SIZE, 1024, RING_KB_MAX * 1024ULL + 1023,
		"a size from 1kib to 1024mib with its unit",
	};
	bool is_for = !strcmp(name, "--for");
	bool is_from = !strcmp(name, "--from");
	uint64_t value;

	_Static_assert(RING_KB_MAX == 1024 * 1024, "as in the text");
	rec->raw |= !strcmp(name, "--raw");
	rec->live |= !strcmp(name, "--live");
	if (!strcmp(name, "--raw") || !strcmp(name, "--live"))
		return 1;
	if (!is_for && !is_from && strcmp(name, "--buffer")) {
		complain("record knows no option \"%s\"", name);
		return -1;
	}
	if (is_from && text)
		rec->from = text;
	else if (number_parse(is_for ? &lasts : &sizes, name, text, &value))
		return -1;
	else if (is_for)
		rec->for_ns = value;
	else
		rec->kb = (unsigned int)(value / 1024);
	return 2;
}

static bool is_file(const char *word)
{
	return !strcmp(word, "-") || strpbrk(word, "/.");
}

/* A word alone is a device if there is one of this name. */
static int parse_words(struct record *rec, char **words, int n)
{
	bool is_dev = n && !strcmp(words[0], "dev");

	words += is_dev;
	n -= is_dev;
	if (n > 2 || (is_dev && !n)) {
		complain("record takes a device and a file, but got %s",
			 n ? words[2] : "no device");
		return EXIT_USAGE;
	}
	if (n == 2 || is_dev || (n && (!is_file(words[0]) ||
				       if_nametoindex(words[0])))) {
		rec->dev = *words++;
		n--;
		rec->ifindex = (int)if_nametoindex(rec->dev);
		if (!rec->ifindex) {
			complain("no device \"%s\"; a file alone needs a / or a . in its name",
				 rec->dev);
			return EXIT_NOT_FOUND;
		}
	}
	if (n)
		rec->path = words[0];
	return EXIT_DONE;
}

/* Of a raw recording: the file to write. */
static int parse_file(struct record *rec, char **words, int n)
{
	if (n > 1 || rec->for_ns || rec->raw || rec->live ||
	    rec->kb != RING_KB) {
		complain("record --from takes a file to write and nothing else");
		return EXIT_USAGE;
	}
	if (n)
		rec->path = words[0];
	return EXIT_DONE;
}

static int parse(struct record *rec, int argc, char **argv)
{
	char *words[4];
	int i, used;
	int n = 0;

	for (i = 0; i < argc; i += used) {
		used = 1;
		if (argv[i][0] == '-' && argv[i][1])
			used = parse_option(rec, argv[i],
					    i + 1 < argc ? argv[i + 1] : NULL);
		else if (n < 4)
			words[n++] = argv[i];
		if (used < 0)
			return EXIT_USAGE;
	}
	if (rec->from)
		return parse_file(rec, words, n);
	if (rec->raw && rec->live) {
		complain("record takes --raw or --live, not both");
		return EXIT_USAGE;
	}
	return parse_words(rec, words, n);
}

/* Of what was recorded before: no kernel is asked. */
static int convert(struct record *rec)
{
	int code = record_out_open(&rec->out, rec->path, &rec->signals);

	if (!code)
		code = record_from(rec->from, &rec->out);
	record_out_close(&rec->out);
	return rec->out.failed ? EXIT_USAGE : code;
}

int cmd_record(struct wlinkctl *ctl, int argc, char **argv)
{
	/* A reader that goes away is an error like any other. */
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGPIPE };
	struct record rec = { .ctl = ctl, .path = "-", .kb = RING_KB, .out.fd = -1,
			      .until_ns = UINT64_MAX,
			      .later.file.fd = -1 };
	int code, later;

	code = parse(&rec, argc, argv);
	if (!code)
		code = signals_open(&rec.signals, numbers, ARRAY_SIZE(numbers));
	if (code)
		return code;
	fflush(stdout);
	if (rec.from) {
		code = convert(&rec);
	} else {
		code = run(&rec);
		record_lines_close(&rec.lines);
		ring_close(&rec.ring);
		if (!rec.began)
			record_out_close(&rec.out);
		later = record_later_end(&rec.later, &rec.out, rec.began);
		code = code ? code : later;
	}
	free(rec.fds);
	signals_close(&rec.signals);
	return code;
}
