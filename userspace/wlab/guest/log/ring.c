// SPDX-License-Identifier: GPL-2.0
/* The pages of the kernel's ring buffers, one buffer of each processor. Layout: a time stamp
 * (u64), the length of the data with two flags (u64), the data. Each event starts with a
 * u32: 5 bits of type or length, 27 bits of time since the previous event.
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
#define CPUS_MAX 1024U

static uint32_t u32_at(const unsigned char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return v;
}

/**
 * struct stream - the events of one processor
 * @page: the next page
 * @end: end of the last page
 * @at: the next event in the current page
 * @stop: end of its last event
 * @ts_ns: time of the previous event
 * @next: the next event
 */
struct stream {
	const unsigned char *page;
	const unsigned char *end;
	const unsigned char *at;
	const unsigned char *stop;
	uint64_t ts_ns;
	struct record next;
};

/* Each event is whole in its page, whatever its own lengths are. */
static void whole(const unsigned char *from, size_t bytes, const unsigned char *end)
{
	if (from > end || (size_t)(end - from) < bytes)
		fail("a page of the trace is damaged");
}

/* @data is the record of the event that ends at @s->at. */
static void data_event(const struct layout *layouts, struct stream *s,
		       const unsigned char *data)
{
	uint16_t id;
	int kind;

	whole(data, sizeof(id), s->at);
	memcpy(&id, data, sizeof(id));
	for (kind = 0; kind < LOG_KINDS; kind++) {
		if (layouts[kind].id != id)
			continue;
		whole(data, layouts[kind].bytes, s->at);
		s->next = (struct record){
			.kind = (enum log_kind)kind,
			.ts_ns = s->ts_ns,
			.data = data,
			.bytes = (size_t)(s->at - data),
			.layout = &layouts[kind],
		};
		return;
	}
	fail("event of unknown type %u in the trace", id);
}

static void page_begin(struct stream *s)
{
	const uint32_t commit = u32_at(s->page + 8);

	memcpy(&s->ts_ns, s->page, sizeof(s->ts_ns));
	if (commit & MISSED)
		fail("events are missing from the trace");
	if (commit > PAGE_BYTES - PAGE_HEADER)
		fail("a page of the trace is damaged");
	s->at = s->page + PAGE_HEADER;
	s->stop = s->at + commit;
	s->page += PAGE_BYTES;
}

/* Reads the next event of the page into @next; false at its end. */
static bool page_next(struct stream *s, const struct layout *layouts)
{
	while (s->at < s->stop) {
		const unsigned char *p = s->at;
		uint32_t head, type, delta, more = 0;
		uint64_t bytes = 4, span;

		whole(p, 4, s->stop);
		head = u32_at(p);
		type = head & 31;
		delta = head >> 5;
		/* Some have a second u32: a length, or the rest of a time. */
		if (type == TYPE_PADDING && !delta)
			return false;
		if (!type || type >= TYPE_PADDING) {
			whole(p, 8, s->stop);
			more = u32_at(p + 4);
		}
		if (type == TYPE_EXTEND || type == TYPE_STAMP)
			bytes = 8;
		else
			bytes += type && type != TYPE_PADDING ? type * 4 : more;
		whole(p, bytes, s->stop);
		s->at += bytes;
		span = delta | (uint64_t)more << 27;
		if (type == TYPE_EXTEND) {
			s->ts_ns += span;
		} else if (type == TYPE_STAMP) {
			s->ts_ns = (s->ts_ns & ~((1ULL << 59) - 1)) | span;
		} else if (type != TYPE_PADDING) {
			s->ts_ns += delta;
			data_event(layouts, s, p + (type ? 4 : 8));
			return true;
		}
	}
	return false;
}

static bool stream_next(struct stream *s, const struct layout *layouts)
{
	while (!page_next(s, layouts)) {
		if (s->page == s->end)
			return false;
		page_begin(s);
	}
	return true;
}

/* Returns false if there is no such processor. */
static bool stream_open(const struct log *log, struct stream *s, unsigned int n)
{
	const unsigned char *map = NULL;
	char path[4096];
	struct stat st;
	int fd;

	snprintf(path, sizeof(path), "%s/trace.raw.%u", log->in, n);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 && errno == ENOENT && n)
		return false;
	if (fd < 0 || fstat(fd, &st))
		fail("%s: %s", path, strerror(errno));
	if (st.st_size % PAGE_BYTES)
		fail("%s: not whole pages", path);
	if (st.st_size) {
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
			   0);
		if (map == MAP_FAILED)
			fail("%s: %s", path, strerror(errno));
	}
	close(fd);
	*s = (struct stream){ .page = map, .end = map + st.st_size };
	return true;
}

void ring_read(struct log *log,
	       void (*each)(struct log *log, const struct record *r))
{
	static struct stream streams[CPUS_MAX];
	struct layout layouts[LOG_KINDS];
	unsigned int n, count = 0, first;

	layouts_read(log->in, layouts);
	for (n = 0; n < CPUS_MAX && stream_open(log, &streams[count], n); n++)
		count += stream_next(&streams[count], layouts);
	while (count) {
		for (first = 0, n = 1; n < count; n++)
			if (streams[n].next.ts_ns < streams[first].next.ts_ns)
				first = n;
		each(log, &streams[first].next);
		if (!stream_next(&streams[first], layouts))
			streams[first] = streams[--count];
	}
}
