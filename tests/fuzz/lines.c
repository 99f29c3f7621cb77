// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "lines.h"
#include "words/pair.h"

static const char *text_of(const struct wl_row *row, unsigned int which, char *text)
{
	size_t names = 0;

	/* Those that are files: one that is there wherever tc is, and none. */
	if (row == &wl_rows[WL_PROFILE])
		return "none";
	if (row == &wl_rows[WL_JITTER_TABLE])
		return "normal";
	while (row->names && row->names[names])
		names++;
	if (names)
		return row->names[which % names];
	if (!which && row->other)
		return row->other;
	return wl_num_print(row->unit == WL_UNIT_AMOUNT ? WL_UNIT_COUNT : row->unit,
			    which == 2 ? row->max : row->min, text);
}

static size_t put(char *line, size_t len, const struct wl_row *row, const char *text)
{
	return len + (size_t)snprintf(line + len, FUZZ_LINE - len, "%s%s %s", len ? " " : "",
				      row->keyword, text);
}

/* A channel, a mode or an AQM that has the word. */
static size_t put_owner(char *line, size_t len, const struct wl_row *row)
{
	const struct wl_row *owner = &wl_rows[row->owner];
	char text[WL_NUM_TEXT];
	unsigned int kind = 0;

	while (!(row->kinds & 1U << kind))
		kind++;
	return put(line, len, owner, owner->names ? wl_pair_kind_name(owner, kind) :
		   wl_num_print(owner->unit, kind, text));
}

/* What the word is a part of is off without its first. */
static size_t put_first(char *line, size_t len, const struct wl_row *row)
{
	char text[WL_NUM_TEXT];
	enum wl_word first = 0;

	while (wl_rows[first].nest != row->nest)
		first++;
	if (&wl_rows[first] == row || !wl_rows[first].other)
		return len;
	return put(line, len, &wl_rows[first], text_of(&wl_rows[first], 1, text));
}

size_t fuzz_line(enum wl_word word, unsigned int which, char *line)
{
	const struct wl_row *row = &wl_rows[word];
	char text[WL_NUM_TEXT];
	size_t len = 0;

	if (row->untyped)
		return 0;
	if (row->kinds)
		len = put_owner(line, len, row);
	else if (row->nest)
		len = put_first(line, len, row);
	return put(line, len, row, text_of(row, which, text));
}
