/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RING_MERGE_H
#define _WLINKCTL_RING_MERGE_H

/* Records of several processors, put in order of time. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct ring_queue - records of one processor, in order of time
 * @bytes: they, one behind the other
 * @begin: offset of the first
 * @end: offset behind the last
 * @room: bytes there are
 * @last_ns: time of the last
 */
struct ring_queue {
	unsigned char *bytes;
	size_t begin;
	size_t end;
	size_t room;
	uint64_t last_ns;
};

/**
 * struct ring_record - a record on its way out
 * @ts_ns: when it was written
 * @cpu: index of its queue
 * @data: its bytes
 * @len: how many
 */
struct ring_record {
	uint64_t ts_ns;
	size_t cpu;
	const void *data;
	size_t len;
};

/**
 * ring_queue_put() - add a record at the end
 * @queue: queue
 * @ts_ns: when it was written
 * @data: its bytes
 * @len: how many
 *
 * Return: 0, or -1 if there is no memory.
 */
int ring_queue_put(struct ring_queue *queue, uint64_t ts_ns, const void *data,
		   size_t len);

/**
 * ring_merge_next() - take the earliest record of all queues
 * @queues: queues
 * @n: how many
 * @until_ns: leave records that are later
 * @record: result, good until the next call of any function here
 *
 * Return: is there one?
 */
bool ring_merge_next(struct ring_queue *queues, size_t n, uint64_t until_ns,
		     struct ring_record *record);

/**
 * ring_queue_free() - forget a queue's records
 * @queue: queue
 */
void ring_queue_free(struct ring_queue *queue);

#endif
