// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "lib/line.h"

#define FIRST_ROOM	4096

/* 00 to 99. */
#define TEN(d) d "0" d "1" d "2" d "3" d "4" d "5" d "6" d "7" d "8" d "9"

static const char pairs[] = TEN("0") TEN("1") TEN("2") TEN("3") TEN("4")
			    TEN("5") TEN("6") TEN("7") TEN("8") TEN("9");

static bool make_room(struct line *line, size_t n)
{
	size_t room = line->room ? line->room : FIRST_ROOM;
	char *text;

	while (room - line->len < n)
		room *= 2;
	text = room == line->room ? line->text : realloc(line->text, room);
	if (!text) {
		line->failed = true;
		return false;
	}
	line->text = text;
	line->room = room;
	return true;
}

void line_add(struct line *line, const char *bytes, size_t n)
{
	/* A line without text has no place to copy from. */
	if (!n || (line->room - line->len < n && !make_room(line, n)))
		return;
	memcpy(line->text + line->len, bytes, n);
	line->len += n;
}

void line_put(struct line *line, const char *text)
{
	line_add(line, text, strlen(text));
}

char *line_room(struct line *line, size_t n)
{
	if (line->room - line->len < n && !make_room(line, n))
		return NULL;
	return line->text + line->len;
}

void line_end(struct line *line, const char *end)
{
	line->len = (size_t)(end - line->text);
}

static char *put_pair(char *at, uint32_t value)
{
	memcpy(at, pairs + value * 2, 2);
	return at + 2;
}

void line_eight(char *at, uint32_t value)
{
	uint32_t high = value / 10000;
	uint32_t low = value - high * 10000;

	put_pair(at, high / 100);
	put_pair(at + 2, high % 100);
	put_pair(at + 4, low / 100);
	put_pair(at + 6, low % 100);
}

static char *put_short(char *at, uint32_t value)
{
	uint32_t high = value / 100;

	/* Most numbers of an event are short: counts, sizes, ports. */
	if (value < 10) {
		*at = (char)('0' + value);
		return at + 1;
	}
	return put_pair(high ? put_short(at, high) : at, value - high * 100);
}

char *line_digits(char *at, uint64_t value)
{
	uint64_t high = value / LINE_E8;

	if (!high)
		return put_short(at, (uint32_t)value);
	at = line_digits(at, high);
	line_eight(at, (uint32_t)(value - high * LINE_E8));
	return at + 8;
}

void line_u64(struct line *line, uint64_t value)
{
	char *at = line_room(line, LINE_NUMBER);

	if (at)
		line_end(line, line_digits(at, value));
}

void line_s64(struct line *line, int64_t value)
{
	if (value < 0)
		line_add(line, "-", 1);
	line_u64(line, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void line_string(struct line *line, const char *string)
{
	char piece[JSON_PIECE];
	const char *plain;
	size_t n;

	line_add(line, "\"", 1);
	while (*string) {
		/* Most characters stand for themselves. */
		for (plain = string; *string >= 0x20 && *string < 0x7f &&
		     *string != '"' && *string != '\\';)
			string++;
		line_add(line, plain, (size_t)(string - plain));
		if (*string) {
			string += json_escape(string, piece, &n);
			line_add(line, piece, n);
		}
	}
	line_add(line, "\"", 1);
}

void line_free(struct line *line)
{
	free(line->text);
	*line = (struct line){ 0 };
}
