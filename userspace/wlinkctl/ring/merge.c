// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "ring/merge.h"

#define FIRST_ROOM	65536

/**
 * struct head - what stands before a record in a queue
 * @ts_ns: when it was written
 * @len: its bytes, without those that fill up the last word
 */
struct head {
	uint64_t ts_ns;
	uint64_t len;
};

static size_t padded(size_t len)
{
	return (len + 7) & ~(size_t)7;
}

/* Move what there is to the front, or to a larger place. */
static int make_room(struct ring_queue *queue, size_t need)
{
	size_t used = queue->end - queue->begin;
	size_t room = queue->room ? queue->room : FIRST_ROOM;
	unsigned char *bytes;

	if (queue->begin) {
		memmove(queue->bytes, queue->bytes + queue->begin, used);
		queue->begin = 0;
		queue->end = used;
	}
	/* At least half of it is free afterwards: few moves. */
	while (room / 2 < used + need)
		room *= 2;
	if (room == queue->room)
		return 0;
	bytes = realloc(queue->bytes, room);
	if (!bytes)
		return -1;
	queue->bytes = bytes;
	queue->room = room;
	return 0;
}

int ring_queue_put(struct ring_queue *queue, uint64_t ts_ns, const void *data,
		   size_t len)
{
	struct head head = { ts_ns, len };
	size_t need = sizeof(head) + padded(len);

	if (queue->room - queue->end < need && make_room(queue, need))
		return -1;
	memcpy(queue->bytes + queue->end, &head, sizeof(head));
	memcpy(queue->bytes + queue->end + sizeof(head), data, len);
	queue->end += need;
	queue->last_ns = ts_ns;
	return 0;
}

bool ring_merge_next(struct ring_queue *queues, size_t n, uint64_t until_ns,
		     struct ring_record *record)
{
	struct ring_queue *first = NULL;
	struct head best = { UINT64_MAX, 0 };
	size_t i;

	for (i = 0; i < n; i++) {
		struct head head;

		if (queues[i].begin == queues[i].end)
			continue;
		memcpy(&head, queues[i].bytes + queues[i].begin, sizeof(head));
		if (head.ts_ns > until_ns || (first &&
					      head.ts_ns >= best.ts_ns))
			continue;
		first = &queues[i];
		best = head;
	}
	if (!first)
		return false;
	record->ts_ns = best.ts_ns;
	record->cpu = (size_t)(first - queues);
	record->data = first->bytes + first->begin + sizeof(best);
	record->len = (size_t)best.len;
	first->begin += sizeof(best) + padded(record->len);
	return true;
}

void ring_queue_free(struct ring_queue *queue)
{
	free(queue->bytes);
	memset(queue, 0, sizeof(*queue));
}
