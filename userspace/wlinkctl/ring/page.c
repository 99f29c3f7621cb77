// SPDX-License-Identifier: GPL-2.0
/* A page: a time stamp (u64), the length of the data with two flags (long), the
 * data. Each event starts with a u32: 5 bits of type or length, 27 bits of time
 * since the event before; in the other order where the machine is big-endian.
 */
#include <string.h>

#include "ring/page.h"

#define MISSED		(1ULL << 31)
#define MISSED_STORED	(1ULL << 30)
#define COMMIT_MASK	(MISSED_STORED - 1)

#define TYPE_BITS	5
#define TIME_BITS	27
#define STAMP_BITS	59

/* Up to 28 it is the length, in words. */
#define TYPE_LONG	0
#define TYPE_PADDING	29
#define TYPE_EXTEND	30
#define TYPE_STAMP	31

/**
 * struct cursor - where in a page a reader is
 * @at: next byte
 * @left: bytes up to the end of the data
 * @ts_ns: time of the last event
 */
struct cursor {
	const unsigned char *at;
	size_t left;
	uint64_t ts_ns;
};

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

static void skip(struct cursor *cur, size_t bytes)
{
	cur->at += bytes;
	cur->left -= bytes;
}

/* The time is in two words: 27 bits, then those above. */
static void time_read(struct cursor *cur, uint32_t type, uint64_t low)
{
	uint64_t time = low | (uint64_t)u32_at(cur->at + 4) << TIME_BITS;

	if (type == TYPE_EXTEND)
		cur->ts_ns += time;
	else
		cur->ts_ns = (cur->ts_ns & ~((1ULL << STAMP_BITS) - 1)) | time;
	skip(cur, 8);
}

/* Return: bytes of an event behind its first word, 0 if they are not there. */
static size_t body_bytes(const struct cursor *cur, uint32_t type)
{
	size_t bytes;

	if (type == TYPE_EXTEND || type == TYPE_STAMP)
		bytes = 4;
	else if (type != TYPE_LONG && type != TYPE_PADDING)
		bytes = type * 4U;
	else
		bytes = cur->left < 8 ? 0 : u32_at(cur->at + 4);
	return bytes <= cur->left - 4 && bytes >= 4 ? bytes : 0;
}

/* Return: 1 to go on, 0 at the end of the page, -1 if it is damaged. */
static int event_read(struct cursor *cur, ring_record_fn each, void *ctx)
{
	const unsigned char *data = cur->at + 4;
	uint32_t type;
	uint64_t time;
	size_t bytes;

	head_split(u32_at(cur->at), &type, &time);
	/* Padding without a time fills the rest of the page. */
	if (type == TYPE_PADDING && !time)
		return 0;
	bytes = body_bytes(cur, type);
	if (!bytes)
		return -1;
	if (type == TYPE_EXTEND || type == TYPE_STAMP) {
		time_read(cur, type, time);
		return 1;
	}
	cur->ts_ns += time;
	/* A length of its own stands before the record and counts itself. */
	if (type == TYPE_LONG)
		each(ctx, cur->ts_ns, data + 4, bytes - 4);
	else if (type != TYPE_PADDING)
		each(ctx, cur->ts_ns, data, bytes);
	skip(cur, 4 + bytes);
	return 1;
}

static void missed_read(const struct ring_layout *layout,
			const unsigned char *page, size_t len,
			struct ring_missed *missed)
{
	uint64_t commit = long_at(page + layout->commit, layout->commit_size);
	size_t end = layout->data + (size_t)(commit & COMMIT_MASK);

	missed->any = commit & MISSED;
	missed->count = 0;
	/* The number stands behind the data, where there was room for it. */
	if (missed->any && commit & MISSED_STORED &&
	    end + layout->commit_size <= len)
		missed->count = long_at(page + end, layout->commit_size);
}

int ring_page_read(const struct ring_layout *layout, const void *page,
		   size_t len, struct ring_missed *missed, ring_record_fn each,
		   void *ctx)
{
	const unsigned char *bytes = page;
	struct cursor cur;
	uint64_t commit;
	int more;

	memset(missed, 0, sizeof(*missed));
	if (len < layout->data)
		return -1;
	commit = long_at(bytes + layout->commit, layout->commit_size) &
		 COMMIT_MASK;
	if (commit > len - layout->data)
		return -1;
	missed_read(layout, bytes, len, missed);
	cur.at = bytes + layout->data;
	cur.left = (size_t)commit;
	memcpy(&cur.ts_ns, bytes, sizeof(cur.ts_ns));
	for (more = 1; cur.left && more > 0;)
		more = cur.left < 4 ? -1 : event_read(&cur, each, ctx);
	return more < 0 ? -1 : 0;
}

size_t ring_page_bytes(const struct ring_layout *layout, const void *page,
		       size_t len)
{
	uint64_t commit;
	size_t used;

	if (len < layout->data)
		return len;
	commit = long_at((const char *)page + layout->commit,
			 layout->commit_size);
	used = layout->data + (size_t)(commit & COMMIT_MASK);
	if (commit & MISSED_STORED)
		used += layout->commit_size;
	return used < len ? used : len;
}
