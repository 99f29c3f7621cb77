// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "table/value.h"

int wl_refuse(char *error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(error, WL_ERROR_TEXT, format, ap);
	va_end(ap);
	return -1;
}

int wl_utf8_bytes(const char *at)
{
	const unsigned char *text = (const unsigned char *)at;
	unsigned char least = 0x80, most = 0xbf;
	unsigned char c = text[0];
	int n, i;

	if (c < 0x80)
		return 1;
	if (c < 0xc2 || c > 0xf4)
		return 0;
	n = c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	/* Nothing is written longer than it must be, or half a surrogate. */
	if (c == 0xe0 || c == 0xf0)
		least = c == 0xe0 ? 0xa0 : 0x90;
	else if (c == 0xed || c == 0xf4)
		most = c == 0xed ? 0x9f : 0x8f;
	for (i = 1; i < n; i++) {
		if (text[i] < least || text[i] > most)
			return 0;
		least = 0x80;
		most = 0xbf;
	}
	return n;
}

static int refuse_range(char *error, const struct wl_row *row,
			const char *text)
{
	char min[WL_NUM_TEXT];
	char max[WL_NUM_TEXT];

	if (row->unit == WL_UNIT_SLOTS)
		return wl_refuse(error, "%s %.80s has %zu slots, more than %u",
				 row->keyword, text, strlen(text), WLINK_TDD_SLOTS_MAX);
	wl_num_print(row->unit, row->min, min);
	wl_num_print(row->unit, row->max, max);
	if (row->other && row->other[0] != '0' && !strcmp(text, "0"))
		return wl_refuse(error, "%s 0 is refused; the word is %s, or %s..%s",
				 row->keyword, row->other, min, max);
	if (row->other)
		return wl_refuse(error, "%s %.80s is outside %s..%s, or %s",
				 row->keyword, text, min, max, row->other);
	return wl_refuse(error, "%s %.80s is outside %s..%s", row->keyword, text,
			 min, max);
}

static int refuse_units(char *error, const struct wl_row *row,
			const char *text)
{
	const char *name = row->keyword;

	if (row->nest == TCA_WLINK_LIMIT)
		return wl_refuse(error,
				 "%s \"%.80s\" has an unknown unit; type a bare number of packets, bytes in %s, or a time in %s",
				 name, text, wl_num_units(WL_UNIT_SIZE),
				 wl_num_units(WL_UNIT_TIME));
	if (row->unit == WL_UNIT_COUNT)
		return wl_refuse(error,
				 "%s \"%.80s\" is not a whole number without unit",
				 name, text);
	return wl_refuse(error, "%s \"%.80s\" has an unknown unit; it takes %s",
			 name, text, wl_num_units(row->unit));
}

static int refuse_syntax(char *error, const struct wl_row *row,
			 const char *text)
{
	const char *name = row->keyword;

	if (row->unit == WL_UNIT_SLOTS)
		return wl_refuse(error, "%s \"%.80s\" is neither a row of D, S and U nor %s",
				 name, text, row->other);
	if (row->other && row->other[0] != '0')
		return wl_refuse(error, "%s \"%.80s\" is neither a number nor %s",
				 name, text, row->other);
	if (!strcmp(text, "off"))
		return wl_refuse(error, "%s can not be off", name);
	return wl_refuse(error, "%s \"%.80s\" is not a number", name, text);
}

static int parse_number(const struct wl_row *row, const char *text,
			uint64_t *value, char *error)
{
	const char *name = row->keyword;

	if (row->other && !strcmp(text, row->other)) {
		*value = row->other_value;
		return 0;
	}
	switch (wl_num_parse(row->unit, text, value)) {
	case WL_NUM_OK:
		break;
	case WL_NUM_SYNTAX:
		return refuse_syntax(error, row, text);
	case WL_NUM_NO_UNIT:
		return wl_refuse(error, "%s \"%.80s\" needs a unit: %s", name,
				 text, wl_num_units(row->unit));
	case WL_NUM_BAD_UNIT:
		return refuse_units(error, row, text);
	case WL_NUM_NOT_WHOLE:
		if (row->unit == WL_UNIT_COUNT)
			return wl_refuse(error,
					 "%s \"%.80s\" is not a whole number",
					 name, text);
		return wl_refuse(error, "%s \"%.80s\" is not a whole number of %s",
				 name, text, wl_num_smallest(row->unit));
	case WL_NUM_RANGE:
		return refuse_range(error, row, text);
	}
	if (*value < row->min || *value > row->max)
		return refuse_range(error, row, text);
	return 0;
}

static int parse_name(const struct wl_row *row, const char *text,
		      uint64_t *value, char *error)
{
	char known[120] = "";
	size_t n = 0;
	uint64_t i;

	if (wl_row_is_channel(row) && !strcmp(text, WL_RAYLEIGH)) {
		*value = WL_KIND_RAYLEIGH;
		return 0;
	}
	for (i = 0; row->names[i]; i++) {
		if (!strcmp(row->names[i], text)) {
			*value = i;
			return 0;
		}
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
				      !i ? "" : row->names[i + 1] ||
				      wl_row_is_channel(row) ? ", " : " or ",
				      row->names[i]);
	}
	return wl_refuse(error, "%s \"%.80s\" is unknown; it is %s%s",
			 row->keyword, text, known,
			 wl_row_is_channel(row) ? " or " WL_RAYLEIGH : "");
}

/* What is bare counts SDUs; what has a unit, bytes. */
static int parse_amount(const struct wl_row *row, const char *text,
			uint64_t *value, char *error)
{
	struct wl_row as = *row;

	as.unit = wl_num_is_bare(text) ? WL_UNIT_COUNT : WL_UNIT_SIZE;
	return parse_number(&as, text, value, error);
}

int wl_value_parse(const struct wl_row *row, const char *text, uint64_t *value,
		   char *error)
{
	if (row->names)
		return parse_name(row, text, value, error);
	if (row->unit == WL_UNIT_AMOUNT)
		return parse_amount(row, text, value, error);
	return parse_number(row, text, value, error);
}
