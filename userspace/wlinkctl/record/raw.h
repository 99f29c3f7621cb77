/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_RAW_H
#define _WLINKCTL_RECORD_RAW_H

/* A recording as the kernel has it, to be made into lines when there is time:
 * RECORD_RAW_MAGIC, then blocks, each a head and its bytes. Numbers are those of
 * the machine that recorded.
 */

#include <stdint.h>

#include "lib/clocks.h"
#include "lib/line.h"
#include "ring/ring.h"

#define RECORD_RAW_MAGIC	"wlink raw 1\n"

/**
 * enum record_raw_kind - what a block has
 * @RAW_MACHINE: whose it is, as in the first clock line
 * @RAW_HEADER: the kernel's events/header_page
 * @RAW_FORMAT: the kernel's description of an event
 * @RAW_CPU: nothing; @cpu of its head is one whose pages may come
 * @RAW_CLOCK: struct clock_sample
 * @RAW_PAGE: of the buffer of @cpu
 * @RAW_ROUND: u64, time up to which all pages have come
 * @RAW_END: u64, events lost
 * @RAW_LINK: the line of a bearer, behind all lines that have come
 */
enum record_raw_kind {
	RAW_MACHINE = 1,
	RAW_HEADER,
	RAW_FORMAT,
	RAW_CPU,
	RAW_CLOCK,
	RAW_PAGE,
	RAW_ROUND,
	RAW_END,
	RAW_LINK,
};

/**
 * struct record_raw_head - what stands before a block
 * @kind: enum record_raw_kind
 * @cpu: number of a processor, else 0
 * @len: bytes of the block
 */
struct record_raw_head {
	uint32_t kind;
	uint32_t cpu;
	uint64_t len;
};

/**
 * record_raw_begin() - write all that stands before the first page
 * @line: where to
 * @ring: instance, open
 * @machine: whose it is
 *
 * Return: 0, or -1 with errno set.
 */
int record_raw_begin(struct line *line, const struct ring *ring,
		     const struct line *machine);

/**
 * record_raw_put() - write a block
 * @line: where to
 * @kind: enum record_raw_kind
 * @cpu: number of a processor, else 0
 * @bytes: of the block
 * @len: how many
 */
void record_raw_put(struct line *line, enum record_raw_kind kind,
		    unsigned int cpu, const void *bytes, size_t len);

#endif
