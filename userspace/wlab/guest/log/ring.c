// SPDX-License-Identifier: GPL-2.0
/* The kernel's ring buffer pages. Layout: a time stamp (u64), the length of the
 * data with two flags (u64), the data. Each event starts with a u32: 5 bits of
 * type or length, 27 bits of time since the event before.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "log.h"

#define PAGE_BYTES 4096U
#define PAGE_HEADER 16U
#define MISSED (1U << 31 | 1U << 30)
#define TYPE_PADDING 29U
#define TYPE_EXTEND 30U
#define TYPE_STAMP 31U

static uint32_t u32_at(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

static void data_event(struct log *log, const struct layout *layouts,
		       uint64_t ts_ns, const unsigned char *data,
		       void (*each)(struct log *log, const struct record *r))
{
	struct record r = { .ts_ns = ts_ns, .data = data };
	uint16_t id;
	int kind;

	memcpy(&id, data, sizeof(id));
	for (kind = 0; kind < LOG_KINDS; kind++) {
		if (layouts[kind].id != id)
			continue;
		r.kind = (enum log_kind)kind;
		r.layout = &layouts[kind];
		each(log, &r);
		return;
	}
	fail("event of unknown type %u in the trace", id);
}

static void page_read(struct log *log, const struct layout *layouts,
		      const unsigned char *page,
		      void (*each)(struct log *log, const struct record *r))
{
	const unsigned char *p = page + PAGE_HEADER, *end;
	uint64_t ts;
	uint32_t commit = u32_at(page + 8);

	memcpy(&ts, page, sizeof(ts));
	if (commit & MISSED)
		fail("events are missing from the trace");
	if (commit > PAGE_BYTES - PAGE_HEADER)
		fail("a page of the trace is damaged");
	for (end = p + commit; p < end;) {
		uint32_t head = u32_at(p), type = head & 31, delta = head >> 5;
		uint32_t len;

		if (type == TYPE_PADDING) {
			if (!delta)
				return;
			p += 4 + u32_at(p + 4);
			continue;
		}
		if (type == TYPE_EXTEND || type == TYPE_STAMP) {
			uint64_t span = delta | (uint64_t)u32_at(p + 4) << 27;

			if (type == TYPE_EXTEND)
				ts += span;
			else
				ts = (ts & ~((1ULL << 59) - 1)) | span;
			p += 8;
			continue;
		}
		ts += delta;
		len = type ? type * 4 : u32_at(p + 4);
		data_event(log, layouts, ts, p + (type ? 4 : 8), each);
		p += 4 + len;
	}
}

void ring_read(struct log *log,
	       void (*each)(struct log *log, const struct record *r))
{
	struct layout layouts[LOG_KINDS];
	const unsigned char *map;
	char path[4096];
	struct stat st;
	size_t at;
	int fd;

	layouts_read(log->in, layouts);
	snprintf(path, sizeof(path), "%s/trace.raw", log->in);
	fd = open(path, O_RDONLY);
	if (fd < 0 || fstat(fd, &st))
		fail("%s: %s", path, strerror(errno));
	if (st.st_size % PAGE_BYTES)
		fail("%s: not whole pages", path);
	if (!st.st_size)
		return;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (map == MAP_FAILED)
		fail("%s: %s", path, strerror(errno));
	for (at = 0; at < (size_t)st.st_size; at += PAGE_BYTES)
		page_read(log, layouts, map + at, each);
	close(fd);
}
