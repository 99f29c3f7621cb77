/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_COLUMN_H
#define _TRACE_COLUMN_H

/* What a step may set: names, units and bounds. */

#include "trace/trace.h"
#include "numbers/num.h"

/**
 * struct trace_column - one column
 * @name: in our own format
 * @unit: how its values are written
 * @min: least value
 * @max: greatest value
 */
struct trace_column {
	const char *name;
	enum wl_unit unit;
	uint64_t min;
	uint64_t max;
};

extern const struct trace_column trace_columns[__WLINK_COLUMN_MAX];

/**
 * trace_column_of() - look up a column
 * @name: as written
 *
 * Return: column, or -1.
 */
int trace_column_of(const char *name);

/**
 * trace_column_check() - judge a value
 * @trace: file
 * @column: column
 * @value: its value
 *
 * Return: 0, or -1 after trace_error().
 */
int trace_column_check(struct trace *trace, unsigned int column,
		       uint64_t value);

/**
 * trace_column_read() - read a value
 * @column: column
 * @text: as written; "-" leaves it alone
 * @value: result
 *
 * Return: 0, or -1 if it is none.
 */
int trace_column_read(unsigned int column, const char *text, uint64_t *value);

/**
 * trace_column_print() - write a value so that it is read as the same
 * @column: column
 * @value: value
 * @text: result, at least WL_NUM_TEXT bytes
 *
 * Return: @text.
 */
const char *trace_column_print(unsigned int column, uint64_t value,
			       char *text);

#endif
