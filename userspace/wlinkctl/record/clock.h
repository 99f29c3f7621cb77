/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_CLOCK_H
#define _WLINKCTL_RECORD_CLOCK_H

/* The lines of a recording that tell of the clocks, among those of its events. */

#include "lib/clocks.h"
#include "lib/line.h"

/* Backlog of events that is waited for: a minute of it. */
#define RECORD_CLOCKS	64

/**
 * struct record_clock - the clocks of a recording
 * @calls: where they are read
 * @machine: whose they are, as it stands in the first line
 * @waiting: samples that belong behind events that are not written yet
 * @first: of @waiting
 * @n: how many wait
 * @last: sample that was read last
 * @written: the last one in the file
 * @offset_ns: CLOCK_TAI without CLOCK_MONOTONIC for what is written now; it only
 *	changes when the clock is set
 * @reads: samples that were read
 * @lines: of them, those that are written
 */
struct record_clock {
	const struct clock_calls *calls;
	struct line machine;
	struct clock_sample waiting[RECORD_CLOCKS];
	size_t first;
	size_t n;
	struct clock_sample last;
	struct clock_sample written;
	int64_t offset_ns;
	uint64_t reads;
	uint64_t lines;
};

/**
 * record_clock_open() - find out whose clocks they are
 * @clock: result
 * @calls: where they are read
 */
void record_clock_open(struct record_clock *clock,
		       const struct clock_calls *calls);

/**
 * record_clock_put() - add a sample that was taken elsewhere
 * @clock: clocks
 * @sample: it
 *
 * Return: is there room?
 */
bool record_clock_put(struct record_clock *clock,
		      const struct clock_sample *sample);

/**
 * record_clock_next() - take away the sample that waits longest
 * @clock: clocks
 * @sample: result
 *
 * Return: is there one?
 */
bool record_clock_next(struct record_clock *clock, struct clock_sample *sample);

/**
 * record_clock_read() - take a sample
 * @clock: clocks
 *
 * Nothing happens while too many samples wait.
 *
 * Return: 0, or -1 with errno if there is no CLOCK_TAI.
 */
int record_clock_read(struct record_clock *clock);

/**
 * record_clock_first() - when the sample was taken that waits longest
 * @clock: clocks, of which one waits
 *
 * Return: CLOCK_MONOTONIC in ns.
 */
uint64_t record_clock_first(const struct record_clock *clock);

/**
 * record_clock_due() - when the next sample is due
 * @clock: clocks
 *
 * Return: CLOCK_MONOTONIC in ns.
 */
uint64_t record_clock_due(const struct record_clock *clock);

/**
 * record_clock_write() - write the lines of samples
 * @clock: clocks
 * @line: where to
 * @until_ns: those up to this time of CLOCK_MONOTONIC
 */
void record_clock_write(struct record_clock *clock, struct line *line,
			uint64_t until_ns);

/**
 * record_clock_close() - forget all
 * @clock: clocks
 */
void record_clock_close(struct record_clock *clock);

#endif
