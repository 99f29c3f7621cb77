/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SCHEDULE_FILE_H
#define _SCHEDULE_FILE_H

/* Files of schedules, wlink-schedule(7). Other formats are wlablib/trace's to convert. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <linux/pkt_sch_wlink.h>

#define SCHEDULE_LINE_MAX	4096
#define SCHEDULE_LINES_MAX	(1UL << 26)	/* with those of comments */

/**
 * struct schedule_file - a file that is being read
 * @name: of it
 * @f: where it comes from
 * @number: of the line read last, from 1 on
 * @line: this line, without its comment
 * @begun: its title has been read
 * @columns: mask of enum wlink_column; right from the first step on
 * @width: how many they are
 * @order: they, in the file's order
 * @end: enum wlink_schedule_end, -1 if the file says none
 * @length_ns: when it is over
 * @steps: read so far
 * @last_ns: offset of the last
 */
struct schedule_file {
	const char *name;
	FILE *f;
	unsigned long number;
	char line[SCHEDULE_LINE_MAX + 1];
	bool begun;
	uint32_t columns;
	unsigned int width;
	enum wlink_column order[__WLINK_COLUMN_MAX];
	int end;
	uint64_t length_ns;
	uint64_t steps;
	uint64_t last_ns;
};

/**
 * schedule_end_of() - look up what follows the end of a schedule
 * @name: hold, loop or stop
 *
 * Return: enum wlink_schedule_end, or -1.
 */
int schedule_end_of(const char *name);

extern const char *const schedule_end_names[__WLINK_SCHEDULE_END_MAX];

/**
 * schedule_file_open() - open a file
 * @file: result
 * @name: of it, "-" for standard input
 *
 * Return: 0, or -1 after a complaint.
 */
int schedule_file_open(struct schedule_file *file, const char *name);

/**
 * schedule_file_next() - read a step
 * @file: file
 * @words: result: its offset in ns, then a value for each of @columns, in the order of
 *	enum wlink_column
 *
 * Return: 1 with a step, 0 after the last one, -1 after a complaint.
 */
int schedule_file_next(struct schedule_file *file, uint64_t *words);

/**
 * schedule_file_close() - close the file
 * @file: file
 */
void schedule_file_close(struct schedule_file *file);

#endif
