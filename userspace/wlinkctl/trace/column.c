// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "trace/column.h"
#include "trace/num.h"

/* A rate of 0 is known to files only: wlinkctl plays it as the least there is. */
const struct trace_column trace_columns[__WLINK_COLUMN_MAX] = {
	[WLINK_COLUMN_RATE] = { "rate", WL_UNIT_RATE, 0, WLINK_RATE_MAX },
	[WLINK_COLUMN_DELAY] = { "delay", WL_UNIT_TIME, 0, WLINK_DELAY_MAX },
	[WLINK_COLUMN_LOSS] = { "loss", WL_UNIT_PROB, 0, WLINK_PROB_ONE },
	[WLINK_COLUMN_LIMIT_PACKETS] = { "limit_packets", WL_UNIT_COUNT, 1,
					 WLINK_LIMIT_PACKETS_MAX },
	[WLINK_COLUMN_LIMIT_BYTES] = { "limit_bytes", WL_UNIT_BYTES, 1,
				       WLINK_LIMIT_BYTES_MAX },
	[WLINK_COLUMN_GRANT] = { "grant", WL_UNIT_BYTES, 0, WLINK_GRANT_MAX },
	[WLINK_COLUMN_BLER] = { "bler", WL_UNIT_PROB, 0, WLINK_PROB_ONE },
};

int trace_column_of(const char *name)
{
	int i;

	for (i = 0; i < __WLINK_COLUMN_MAX; i++)
		if (!strcmp(trace_columns[i].name, name))
			return i;
	return -1;
}

int trace_column_check(struct trace *trace, unsigned int column,
		       uint64_t value)
{
	const struct trace_column *col = &trace_columns[column];
	char least[WL_NUM_TEXT];
	char most[WL_NUM_TEXT];
	char text[WL_NUM_TEXT];

	if (value == WLINK_STEP_KEEP ||
	    (value >= col->min && value <= col->max))
		return 0;
	return trace_error(trace, "%s %s is outside %s..%s", col->name,
			   wl_num_print(col->unit, value, text),
			   wl_num_print(col->unit, col->min, least),
			   wl_num_print(col->unit, col->max, most));
}

int trace_column_read(unsigned int column, const char *text, uint64_t *value)
{
	const char *rest = text;

	if (text[0] == '-' && !text[1]) {
		*value = WLINK_STEP_KEEP;
		return 0;
	}
	if (column == WLINK_COLUMN_RATE)
		return trace_rate(text, value);
	if (column == WLINK_COLUMN_DELAY)
		return trace_time(text, -1, value);
	if (trace_columns[column].unit != WL_UNIT_PROB && !trace_count(&rest, value) &&
	    !*rest)
		return 0;
	return wl_num_parse(trace_columns[column].unit, text, value) ? -1 : 0;
}

const char *trace_column_print(unsigned int column, uint64_t value,
			       char *text)
{
	if (value != WLINK_STEP_KEEP)
		return wl_num_print(trace_columns[column].unit, value, text);
	strcpy(text, "-");
	return text;
}
