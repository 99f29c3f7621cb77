/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_ARGS_H
#define _TRACE_ARGS_H

/* Words behind the name of a trace or schedule. */

#include "schedule/schedule.h"
#include "trace/trace.h"

/* Which words a command takes. */
#define ARGS_FORMAT	1U
#define ARGS_TO		2U	/* format says what is written, from what is read */
#define ARGS_BIN	4U
#define ARGS_GAP	8U
#define ARGS_SCHEDULE	16U	/* loop, hold, stop, start */
#define ARGS_LENGTH	32U

/**
 * struct trace_args - what they say
 * @format: of the file, TRACE_GUESS if it is not said
 * @to: what is written
 * @bytes_limit: limits of TheaterQ are bytes
 * @bin_ns: width of a bin, 0 if not said
 * @gap_ns: longest time without sending that is not told of
 * @end: enum wlink_schedule_end, -1 if not said
 * @start: how to start
 */
struct trace_args {
	enum trace_format format;
	enum trace_format to;
	bool bytes_limit;
	uint64_t bin_ns;
	uint64_t gap_ns;
	int end;
	struct schedule_start start;
};

/**
 * trace_args_parse() - read words
 * @args: result
 * @command: for complaints
 * @takes: mask of ARGS_*
 * @argc: number of words
 * @argv: words
 *
 * Return: 0, or -1 after a complaint.
 */
int trace_args_parse(struct trace_args *args, const char *command,
		     unsigned int takes, int argc, char **argv);

#endif
