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
