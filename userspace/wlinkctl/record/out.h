/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_OUT_H
#define _WLINKCTL_RECORD_OUT_H

/* A file of lines that never ends in half a line. */

#include <stdbool.h>
#include <stdint.h>

#include "lib/line.h"
#include "lib/signals.h"

/**
 * struct record_out - the file
 * @fd: it
 * @name: for complaints
 * @regular: it is on a disk
 * @is_raw: it has no lines
 * @signals: that ask for the end
 * @stop: how many there were
 * @line: what is not in the file yet
 * @pending: whole lines in @line that tell of events
 * @events: those in the file
 * @failed: it takes no more
 */
struct record_out {
	int fd;
	const char *name;
	bool regular;
	bool is_raw;
	const struct signals *signals;
	unsigned int stop;
	struct line line;
	uint64_t pending;
	uint64_t events;
	bool failed;
};

/**
 * record_out_open() - open a file, whose old contents are lost
 * @out: result
 * @path: file, or - for standard output
 * @signals: that ask for the end; the second of them gives up a reader who does
 *	not read
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int record_out_open(struct record_out *out, const char *path,
		    const struct signals *signals);

/**
 * record_out_create() - the same with a file that must not be there yet
 * @out: result
 * @path: file
 * @signals: as for record_out_open()
 *
 * Return: as record_out_open().
 */
int record_out_create(struct record_out *out, const char *path,
		      const struct signals *signals);

/**
 * record_out_end() - end a line of @line, whose newline is written
 * @out: file
 *
 * What there is goes to the file when it has become much.
 */
void record_out_end(struct record_out *out);

/**
 * record_out_flush() - write all there is to the file
 * @out: file
 *
 * If that fails the file is cut behind its last whole line and @failed is set,
 * after a complaint.
 */
void record_out_flush(struct record_out *out);

/**
 * record_out_signals() - count the signals that have come
 * @out: file
 */
void record_out_signals(struct record_out *out);

/**
 * record_out_close() - close the file
 * @out: file
 */
void record_out_close(struct record_out *out);

#endif
