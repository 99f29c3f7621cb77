// SPDX-License-Identifier: GPL-2.0
/* The pages of the kernel's ring buffers, one buffer of each processor, as a kernel of 64 bits
 * has them.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "log.h"
#include "ring/page.h"

#define CPUS_MAX 1024U

static const struct ring_layout pages = {
	.commit = 8, .commit_size = 8, .data = 16, .bytes = 4096,
};

/**
 * struct stream - the events of one processor
 * @page: the next page
 * @end: end of the last page
 * @current: the page being read
 * @next: the next event
 */
struct stream {
	const unsigned char *page;
	const unsigned char *end;
	struct ring_page current;
	struct record next;
};

static void damaged(void)
{
	fail("a page of the trace is damaged");
}

static void take(struct stream *s, const struct layout *layouts, const struct ring_record *r)
{
	uint16_t id;
	int kind;

	if (r->len < sizeof(id))
		damaged();
	memcpy(&id, r->data, sizeof(id));
	for (kind = 0; kind < LOG_KINDS && layouts[kind].id != id; kind++)
		;
	if (kind == LOG_KINDS)
		fail("event of unknown type %u in the trace", id);
	if (r->len < layouts[kind].bytes)
		damaged();
	s->next = (struct record){
		.kind = (enum log_kind)kind, .ts_ns = r->ts_ns, .data = r->data,
		.bytes = r->len, .layout = &layouts[kind],
	};
}

/* Reads the next event into @next; false at the end. */
static bool stream_next(struct stream *s, const struct layout *layouts)
{
	struct ring_record record;
	uint64_t missed = 0;
	int got;

	while (!(got = ring_page_next(&s->current, &record))) {
		if (s->page == s->end)
			return false;
		if (ring_page_open(&s->current, &pages, s->page, pages.bytes, &missed))
			damaged();
		if (missed)
			fail("events are missing from the trace");
		s->page += pages.bytes;
	}
	if (got < 0)
		damaged();
	take(s, layouts, &record);
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
	if (st.st_size % pages.bytes)
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
