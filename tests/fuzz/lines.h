/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _FUZZ_LINES_H
#define _FUZZ_LINES_H

/* Each word of the table, typed; so that nobody has to list them for the fuzzers. */

#include <stddef.h>

#include "table/table.h"

/* Values of a word that are worth a line of their own. */
#define FUZZ_VALUES	3

#define FUZZ_LINE	400

/**
 * fuzz_line() - the least of words among which a word can stand
 * @word: of the table
 * @which: of its values, below FUZZ_VALUES
 * @line: result, FUZZ_LINE bytes: keywords and values
 *
 * Return: its length, 0 for a word that is not typed.
 */
size_t fuzz_line(enum wl_word word, unsigned int which, char *line);

#endif
