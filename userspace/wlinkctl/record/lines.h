/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_LINES_H
#define _WLINKCTL_RECORD_LINES_H

/* Events and clocks in order of time, as lines of JSON. */

#include "record/clock.h"
#include "record/json.h"
#include "record/out.h"
#include "ring/ring.h"

/**
 * struct record_lines - what lines are made of
 * @ring: where events come from
 * @clock: what time it is
 * @out: where lines go
 */
struct record_lines {
	struct ring *ring;
	struct record_clock clock;
	struct record_out *out;
};

/**
 * record_lines_until() - write all there is up to a time
 * @lines: where from and where to
 * @until_ns: what ring_drain() has returned; UINT64_MAX at the end
 */
void record_lines_until(struct record_lines *lines, uint64_t until_ns);

/**
 * record_lines_link() - write lines of bearers, behind the clocks that wait
 * @lines: where to
 * @text: of record_links_write()
 * @len: its bytes
 */
void record_lines_link(struct record_lines *lines, const char *text, size_t len);

/**
 * record_lines_sum() - write the last line, to standard error, too
 * @lines: where to
 * @lost: events that are in no buffer
 * @events: those that are in the file
 */
void record_lines_sum(struct record_lines *lines, uint64_t lost,
		      uint64_t events);

/**
 * record_lines_close() - forget all
 * @lines: what lines were made of
 */
void record_lines_close(struct record_lines *lines);

#endif
