// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "wl_show.h"

/* Words of other modes and members of other kinds of channel may be there; they
 * say nothing.
 */
static bool is_shown(const struct wl_values *values, enum wl_word word)
{
	const struct wl_row *row = &wl_rows[word];
	uint64_t kind = values->value[row->owner];

	if (!values->set[word])
		return false;
	if (!row->kinds)
		return true;
	return is_shown(values, row->owner) && kind < 32 &&
	       row->kinds & 1U << kind;
}

static bool is_other(const struct wl_row *row, uint64_t value)
{
	return row->other && value == row->other_value;
}

static const char *as_typed(const struct wl_row *row, uint64_t value,
			    char *text)
{
	if (row->names)
		return wl_row_name(row, value);
	if (is_other(row, value))
		return row->other;
	return wl_num_print(row->unit, value, text);
}

void wl_show_text(FILE *f, const struct wl_values *values)
{
	char text[WL_NUM_TEXT];
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (is_shown(values, word))
			fprintf(f, "%s %s ", wl_rows[word].keyword,
				as_typed(&wl_rows[word], values->value[word],
					 text));
}

static void show_member(const struct wl_json *json, const struct wl_row *row,
			uint64_t value)
{
	char text[WL_NUM_TEXT];

	switch (row->unit) {
	case WL_UNIT_NAME:
		json->string(row->json, wl_row_name(row, value));
		return;
	case WL_UNIT_SWITCH:
		json->number(row->json, value ? "true" : "false");
		return;
	case WL_UNIT_PROB:
	case WL_UNIT_MILLI:
	case WL_UNIT_BER:
		json->number(row->json,
			     wl_num_print(row->unit, value, text));
		return;
	default:
		if (is_other(row, value) && strcmp(row->other, "0"))
			json->number(row->json, "null");
		else
			json->u64(row->json, value);
	}
}

/* The limit and the words of the mode stand among the others. */
static int depth_of(const struct wl_row *row)
{
	if (row->nest != TCA_WLINK_CHANNEL && row->nest != TCA_WLINK_REVERSE)
		return 0;
	return row->inner ? 2 : 1;
}

void wl_show_json(const struct wl_json *json, const struct wl_values *values)
{
	uint16_t nest = 0;
	enum wl_word word;
	int depth = 0;

	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];
		int wanted = depth_of(row);

		if (!is_shown(values, word))
			continue;
		for (; depth && (depth > wanted || nest != row->nest); depth--)
			json->end();
		if (!depth && wanted)
			json->object(row->nest == TCA_WLINK_CHANNEL ?
				     "channel" : "reverse");
		if (depth < 2 && wanted == 2)
			json->object("channel");
		depth = wanted;
		nest = row->nest;
		show_member(json, row, values->value[word]);
	}
	for (; depth; depth--)
		json->end();
}
