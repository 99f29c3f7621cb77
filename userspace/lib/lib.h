/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _LIB_H
#define _LIB_H

/* Between link.c, which includes the module's headers, and words.c, which has the plugin's. */
#include <stdbool.h>
#include <stdint.h>

#include "wlink.h"

/**
 * lib_words() - words to attributes
 * @text: words
 * @is_class: of a bearer other than 1
 * @is_new: nothing is there that they change
 * @error: on failure why
 *
 * Return: TCA_OPTIONS, to be freed; NULL on failure.
 */
void *lib_words(const char *text, bool is_class, bool is_new, char *error);

/**
 * struct lib_schedule - a schedule as its text has it
 * @columns: mask of enum wlink_column
 * @end: enum wlink_schedule_end
 * @length_ns: when that is
 * @words: how many
 * @word: steps: of each the offset in ns and a value for each column; to be freed
 */
struct lib_schedule {
	uint32_t columns;
	unsigned int end;
	uint64_t length_ns;
	uint32_t words;
	uint64_t *word;
};

/**
 * lib_schedule() - read a schedule
 * @text: as a file of wlink-schedule(7)
 * @to: set
 * @error: on failure why
 *
 * Return: 0, -1 on failure.
 */
int lib_schedule(const char *text, struct lib_schedule *to, char *error);

/**
 * lib_name_stats() - numbers with their names
 * @value: numbers, by enum wlink_stat
 * @aqm: enum wlink_aqm
 * @stats: set
 * @room: of @stats
 *
 * Return: how many there are.
 */
unsigned int lib_name_stats(const uint64_t *value, unsigned int aqm, struct wlink_counter *stats,
			    unsigned int room);

#endif
