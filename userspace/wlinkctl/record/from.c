// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/clocks.h"
#include "record/from.h"
#include "record/lines.h"
#include "record/raw.h"
#include "wlinkctl.h"

/* A page, or a text of the kernel with a 0 behind it. */
#define BLOCK_MAX	(RING_PAGE_MAX + 65536U)

/* Who waits longer than so is told, and again as often. */
#define PROGRESS_NS	500000000U

/**
 * struct from - a raw recording that is being read
 * @f: it
 * @name: for complaints
 * @at: byte at which its block begins
 * @bytes: of all, 0 if they are not known
 * @told_ns: when somebody was told how far it is
 * @told: that somebody has been told
 * @ring: layout, formats and pages, without a kernel
 * @lines: what is made of it
 * @block: bytes of the block
 * @head: of the block
 * @lost: what its end says
 * @ended: it has an end
 */
struct from {
	FILE *f;
	const char *name;
	uint64_t at;
	uint64_t bytes;
	uint64_t told_ns;
	bool told;
	struct ring ring;
	struct record_lines lines;
	char *block;
	struct record_raw_head head;
	uint64_t lost;
	bool ended;
};

static void end_progress(const struct from *from)
{
	if (from->told)
		fputs("\r\033[K", stderr);
}

static int bad(const struct from *from, const char *what)
{
	end_progress(from);
	complain("%s, byte %" PRIu64 ": %s", from->name, from->at, what);
	return EXIT_USAGE;
}

static int take_page(struct from *from)
{
	size_t i;

	if (!from->ring.layout.bytes || !from->ring.n)
		return bad(from, "a page before its description");
	for (i = 0; i < from->ring.n; i++)
		if (from->ring.cpus[i].number == from->head.cpu)
			break;
	if (i == from->ring.n)
		return bad(from, "a page of an unknown processor");
	ring_take_page(&from->ring, i, from->block, from->head.len);
	return from->ring.failed ? bad(from, "no memory for events") :
				   EXIT_DONE;
}

static int take_clock(struct from *from)
{
	struct clock_sample sample;

	if (from->head.len != sizeof(sample))
		return bad(from, "a clock of another machine or version");
	memcpy(&sample, from->block, sizeof(sample));
	/* Where events lag behind by a minute the first does not wait on. */
	if (!record_clock_put(&from->lines.clock, &sample)) {
		record_clock_write(&from->lines.clock, &from->lines.out->line,
				   record_clock_first(&from->lines.clock));
		record_clock_put(&from->lines.clock, &sample);
	}
	return EXIT_DONE;
}

static int take_format(struct from *from)
{
	return ring_add_format(&from->ring, from->block) ?
	       bad(from, "a description of an event that makes no sense") :
	       EXIT_DONE;
}

static int number(const struct from *from, uint64_t *value)
{
	if (from->head.len != sizeof(*value))
		return bad(from, "no number");
	memcpy(value, from->block, sizeof(*value));
	return EXIT_DONE;
}

static int take_block(struct from *from)
{
	uint64_t until_ns;
	int code;

	switch (from->head.kind) {
	case RAW_MACHINE:
		line_put(&from->lines.clock.machine, from->block);
		return EXIT_DONE;
	case RAW_HEADER:
		return ring_layout_read(&from->ring.layout, from->block) ?
		       bad(from, "a description of pages that makes no sense") :
		       EXIT_DONE;
	case RAW_FORMAT:
		return take_format(from);
	case RAW_CPU:
		return ring_add_cpu(&from->ring, from->head.cpu, -1) ?
		       bad(from, "no memory") : EXIT_DONE;
	case RAW_CLOCK:
		return take_clock(from);
	case RAW_PAGE:
		return take_page(from);
	case RAW_ROUND:
		code = number(from, &until_ns);
		if (!code)
			record_lines_until(&from->lines, until_ns);
		return code;
	case RAW_LINK:
		record_lines_link(&from->lines, from->block, from->head.len);
		return EXIT_DONE;
	case RAW_END:
		from->ended = true;
		return number(from, &from->lost);
	default:
		return bad(from, "no block of a recording");
	}
}

/* Return: is there one, whole? */
static bool read_block(struct from *from, int *code)
{
	size_t got = fread(&from->head, 1, sizeof(from->head), from->f);

	if (got < sizeof(from->head))
		return false;
	if (from->head.len >= BLOCK_MAX) {
		*code = bad(from, "a block longer than any");
		return false;
	}
	got = fread(from->block, 1, from->head.len, from->f);
	from->block[got] = '\0';
	return got == from->head.len;
}

static void show_progress(struct from *from)
{
	uint64_t now = clock_now();

	if (now - from->told_ns < PROGRESS_NS || !from->bytes ||
	    !isatty(STDERR_FILENO))
		return;
	from->told_ns = now;
	from->told = true;
	fprintf(stderr, "\rmaking lines: %" PRIu64 " of %" PRIu64 " MB ",
		from->at / 1000000, from->bytes / 1000000);
}

static int read_all(struct from *from)
{
	char magic[sizeof(RECORD_RAW_MAGIC) - 1];
	int code = EXIT_DONE;

	if (fread(magic, 1, sizeof(magic), from->f) != sizeof(magic) ||
	    memcmp(magic, RECORD_RAW_MAGIC, sizeof(magic)))
		return bad(from, "no raw recording of wlinkctl record --raw");
	from->at = sizeof(magic);
	from->told_ns = clock_now();
	while (!code && !from->ended && !from->lines.out->failed &&
	       read_block(from, &code)) {
		code = take_block(from);
		from->at += sizeof(from->head) + from->head.len;
		record_out_signals(from->lines.out);
		show_progress(from);
		if (!code && from->lines.out->stop)
			code = bad(from, "interrupted");
	}
	end_progress(from);
	/* What is whole before the damage is kept. */
	record_lines_until(&from->lines, UINT64_MAX);
	if (!code && !from->ended && !from->lines.out->failed)
		code = bad(from, "the recording has no end; what it lost is not known");
	return code;
}

static int finish(struct from *from)
{
	record_lines_sum(&from->lines, from->lost, from->lines.out->events);
	if (!from->ring.damaged)
		return EXIT_DONE;
	complain("%" PRIu64 " pages of the kernel's buffer could not be read",
		 from->ring.damaged);
	return EXIT_USAGE;
}

static uint64_t bytes_of(FILE *f)
{
	struct stat st;

	return fstat(fileno(f), &st) || !S_ISREG(st.st_mode) ? 0 :
	       (uint64_t)st.st_size;
}

int record_from(const char *path, struct record_out *out)
{
	static char block[BLOCK_MAX + 1];
	struct from from = { .name = path, .lines.out = out };
	int code;

	from.ring.fs.root = -1;
	from.ring.fs.dir = -1;
	from.lines.ring = &from.ring;
	from.block = block;
	from.f = strcmp(path, "-") ? fopen(path, "re") : stdin;
	if (!from.f) {
		complain("%s: %s", path, strerror(errno));
		code = EXIT_USAGE;
	} else {
		from.bytes = bytes_of(from.f);
		code = read_all(&from);
	}
	if (!code)
		code = finish(&from);
	if (from.f && from.f != stdin)
		fclose(from.f);
	record_lines_close(&from.lines);
	ring_close(&from.ring);
	return out->failed ? EXIT_USAGE : code;
}
