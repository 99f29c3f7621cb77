// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "wl_show.h"

static const char *channel_name(uint64_t kind)
{
	return kind < __WLINK_CHANNEL_MAX ? wl_channels[kind] : "unknown";
}

/* Members of other kinds may be there; they say nothing. */
static bool is_shown(const struct wl_values *values, enum wl_word word)
{
	uint64_t kind = values->value[WL_CHANNEL];

	if (!values->set[word])
		return false;
	if (!wl_rows[word].kinds)
		return true;
	return kind < __WLINK_CHANNEL_MAX && wl_rows[word].kinds & 1U << kind;
}

void wl_show_text(FILE *f, const struct wl_values *values)
{
	char text[WL_NUM_TEXT];
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];
		uint64_t value = values->value[word];

		if (!is_shown(values, word))
			continue;
		fprintf(f, "%s %s ", row->keyword,
			word == WL_CHANNEL ? channel_name(value) :
			wl_num_print(row->unit, value, text));
	}
}

void wl_show_json(const struct wl_json *json, const struct wl_values *values)
{
	char text[WL_NUM_TEXT];
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];
		uint64_t value = values->value[word];

		if (!is_shown(values, word))
			continue;
		if (word == WL_CHANNEL) {
			json->object("channel");
			json->string(row->json, channel_name(value));
		} else if (row->unit == WL_UNIT_PROB) {
			json->number(row->json,
				     wl_num_print(row->unit, value, text));
		} else {
			json->u64(row->json, value);
		}
	}
	if (values->set[WL_CHANNEL])
		json->end();
}
