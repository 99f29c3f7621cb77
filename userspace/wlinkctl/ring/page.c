// SPDX-License-Identifier: GPL-2.0
/* A page: a time stamp (u64), the length of the data with two flags (long), the
 * data. Each event starts with a u32: 5 bits of type or length, 27 bits of time
 * since the event before; in the other order where the machine is big-endian.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ring/page.h"

#define MISSED		(1ULL << 31)
#define MISSED_STORED	(1ULL << 30)
#define COMMIT_MASK	(MISSED_STORED - 1)

#define TYPE_BITS	5
#define TIME_BITS	27
#define STAMP_MASK	((1ULL << 59) - 1)

/* Up to 28 it is the length, in words. */
#define TYPE_LONG	0
#define TYPE_PADDING	29
#define TYPE_EXTEND	30
#define TYPE_STAMP	31

static uint32_t u32_at(const void *from)
{
	uint32_t v;

	memcpy(&v, from, sizeof(v));
	return v;
}

static uint64_t long_at(const void *from, uint32_t size)
{
	uint64_t v;

	if (size == sizeof(uint32_t))
		return u32_at(from);
	memcpy(&v, from, sizeof(v));
	return v;
}

static void head_split(uint32_t head, uint32_t *type, uint64_t *time)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	*type = head >> TIME_BITS;
	*time = head & ((1U << TIME_BITS) - 1);
#else
	*type = head & ((1U << TYPE_BITS) - 1);
	*time = head >> TYPE_BITS;
#endif
}

/* Return: bytes of an event behind its first word, 0 if they are not there. */
static size_t body_bytes(const unsigned char *at, size_t left, uint32_t type)
{
	size_t bytes;

	if (type == TYPE_EXTEND || type == TYPE_STAMP)
		bytes = 4;
	else if (type != TYPE_LONG && type != TYPE_PADDING)
		bytes = type * 4U;
	else
		bytes = left < 8 ? 0 : u32_at(at + 4);
	return bytes <= left - 4 && bytes >= 4 ? bytes : 0;
}

int ring_page_next(struct ring_page *page, struct ring_record *record)
{
	while (page->at < page->end) {
		const unsigned char *at = page->bytes + page->at;
		size_t left = page->end - page->at;
		size_t bytes, own;
		uint32_t type;
		uint64_t time;

		if (left < 4)
			return -1;
		head_split(u32_at(at), &type, &time);
		/* Padding without a time fills the rest of the page. */
		if (type == TYPE_PADDING && !time)
			return 0;
		bytes = body_bytes(at, left, type);
		if (!bytes)
			return -1;
		page->at += 4 + bytes;
		/* A longer time is in two words: 27 bits, then those above. */
		if (type == TYPE_EXTEND || type == TYPE_STAMP)
			time |= (uint64_t)u32_at(at + 4) << TIME_BITS;
		if (type == TYPE_STAMP)
			page->ts_ns = (page->ts_ns & ~STAMP_MASK) | time;
		else
			page->ts_ns += time;
		if (type >= TYPE_PADDING)
			continue;
		/* A length of its own stands before the record and counts itself. */
		own = type == TYPE_LONG ? 4 : 0;
		*record = (struct ring_record){ page->ts_ns, 0, at + 4 + own,
						bytes - own };
		return 1;
	}
	return 0;
}

static uint64_t commit_of(const struct ring_layout *layout, const void *page)
{
	return long_at((const char *)page + layout->commit,
		       layout->commit_size);
}

int ring_page_open(struct ring_page *page, const struct ring_layout *layout, const void *bytes,
		   size_t len, uint64_t *missed)
{
	uint64_t commit, count = 0;
	size_t end;

	if (len < layout->data)
		return -1;
	commit = commit_of(layout, bytes);
	end = layout->data + (size_t)(commit & COMMIT_MASK);
	if (end > len)
		return -1;
	/* The number stands behind the data, where there was room for it. */
	if (commit & MISSED_STORED && layout->commit_size <= len - end)
		count = long_at((const char *)bytes + end, layout->commit_size);
	if (commit & MISSED)
		*missed += count ? count : 1;
	*page = (struct ring_page){ .end = end - layout->data };
	memcpy(&page->ts_ns, bytes, sizeof(page->ts_ns));
	page->bytes = (const unsigned char *)bytes + layout->data;
	return 0;
}

struct ring_page *ring_page_make(const struct ring_layout *layout,
				 const void *page, size_t len,
				 uint64_t *missed)
{
	struct ring_page seen, *made;

	errno = EBADMSG;
	if (ring_page_open(&seen, layout, page, len, missed))
		return NULL;
	made = malloc(sizeof(*made) + seen.end);
	if (!made)
		return NULL;
	*made = seen;
	made->bytes = memcpy(made + 1, seen.bytes, seen.end);
	return made;
}

size_t ring_page_bytes(const struct ring_layout *layout, const void *page,
		       size_t len)
{
	uint64_t commit;
	size_t used;

	if (len < layout->data)
		return len;
	commit = commit_of(layout, page);
	used = layout->data + (size_t)(commit & COMMIT_MASK);
	if (commit & MISSED_STORED)
		used += layout->commit_size;
	return used < len ? used : len;
}
