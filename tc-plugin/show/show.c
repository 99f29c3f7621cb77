// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <string.h>

#include "show/show.h"
#include "table/path.h"

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

/* Thresholds are in SDUs or in bytes. */
static enum wl_unit unit_of(const struct wl_values *values, enum wl_word word)
{
	enum wl_unit unit = wl_rows[word].unit;

	if (unit != WL_UNIT_AMOUNT)
		return unit;
	return values->value[WL_AQM_UNIT] == WLINK_UNIT_BYTES ? WL_UNIT_SIZE :
								WL_UNIT_COUNT;
}

static bool is_other(const struct wl_row *row, uint64_t value)
{
	return row->other && value == row->other_value;
}

static const char *as_typed(const struct wl_values *values, enum wl_word word,
			    char *text)
{
	const struct wl_row *row = &wl_rows[word];
	uint64_t value = values->value[word];

	if (row->names)
		return wl_row_name(row, value);
	if (is_other(row, value))
		return row->other;
	return wl_num_print(unit_of(values, word), value, text);
}

/* A profile says it all of the AQM, none says nothing, and off is off at both ends of the ramp. */
static bool is_silent(const struct wl_values *values, enum wl_word word)
{
	const struct wl_row *row = &wl_rows[word];

	if (row->untyped || !row->json)
		return true;
	if (word == WL_PROFILE)
		return !values->profile[0];
	/* Who come and go have no times of being on, and who do not have no sizes. */
	if (word == WL_BACKGROUND_ON || word == WL_BACKGROUND_OFF)
		return values->value[WL_BACKGROUND_ARRIVAL];
	if (word >= WL_BACKGROUND_ARRIVAL && word <= WL_BACKGROUND_CV)
		return !values->value[WL_BACKGROUND_ARRIVAL];
	/* What says no more than that there is none. */
	if (word == WL_JITTER_TABLE)
		return !values->table[0];
	if (word == WL_JITTER_DEV || word == WL_JITTER_CORRELATION ||
	    word == WL_JITTER_REORDER || row->nest == TCA_WLINK_IMPAIR)
		return !values->value[word];
	if (row->nest == TCA_WLINK_AQM && values->profile[0])
		return true;
	return word == WL_RAMP_TO && is_other(row, values->value[word]);
}

void wl_show_text(FILE *f, const struct wl_values *values)
{
	char text[WL_NUM_TEXT];
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++) {
		if (!is_shown(values, word) || is_silent(values, word))
			continue;
		fprintf(f, "%s %s ", wl_rows[word].keyword,
			word == WL_PROFILE ? values->profile :
			word == WL_JITTER_TABLE ? values->table :
			as_typed(values, word, text));
	}
}

void wl_show_aqm(FILE *f, const struct wl_values *values)
{
	char text[WL_NUM_TEXT];
	enum wl_word word;

	for (word = WL_AQM; word <= WL_RAMP_TO; word++) {
		if (!is_shown(values, word) || is_silent(values, word))
			continue;
		if (word != WL_AQM)
			fprintf(f, " %s", wl_rows[word].keyword);
		fprintf(f, " %s", as_typed(values, word, text));
	}
}

static void show_member(const struct wl_json *json, const struct wl_row *row,
			uint64_t value)
{
	char text[WL_NUM_TEXT];

	switch (row->unit) {
	case WL_UNIT_NAME:
		json->string(row->json, wl_row_name(row, value));
		return;
	case WL_UNIT_SLOTS:
		json->string(row->json, wl_num_print(row->unit, value, text));
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

/* The limit and the words of the mode stand among the others. Return: the object
 * that others stand in, or NULL.
 */
static const char *object_of(const struct wl_row *row)
{
	if (!row->nest || row->nest == TCA_WLINK_LIMIT || row->nest == TCA_WLINK_RLC)
		return NULL;
	return wl_path_nest((struct wl_path){ 0, 0 }, row->nest)->name;
}

static int depth_of(const struct wl_row *row)
{
	if (!object_of(row))
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

		if (!is_shown(values, word) || !row->json)
			continue;
		for (; depth && (depth > wanted || nest != row->nest); depth--)
			json->end();
		if (!depth && wanted)
			json->object(object_of(row));
		if (depth < 2 && wanted == 2)
			json->object("channel");
		depth = wanted;
		nest = row->nest;
		if (word == WL_JITTER_TABLE)
			json->string(row->json, values->table);
		else if (word != WL_PROFILE)
			show_member(json, row, values->value[word]);
		else if (values->profile[0])
			json->string(row->json, values->profile);
		else
			json->number(row->json, "null");
	}
	for (; depth; depth--)
		json->end();
}
