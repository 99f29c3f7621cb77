// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/line.h"
#include "table/value.h"

#define FIRST_ROOM	4096

/* Longest form of a character, with room for a 0. */
#define PIECE		8

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

void line_u64(struct line *line, uint64_t value)
{
	char digits[20];
	char *at = digits + sizeof(digits);

	do {
		*--at = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	line_add(line, at, (size_t)(digits + sizeof(digits) - at));
}

/* Return: bytes of the text that its first character was; U+FFFD for what is no UTF-8. */
static size_t escape(const char *text, char piece[PIECE], size_t *len)
{
	const unsigned char *at = (const unsigned char *)text;
	int n = wl_utf8_bytes(text);

	if (*at == '"' || *at == '\\')
		*len = (size_t)sprintf(piece, "\\%c", *at);
	else if (*at < 0x20)
		*len = (size_t)sprintf(piece, "\\u%04x", *at);
	else if (n)
		memcpy(piece, at, *len = (size_t)n);
	else
		*len = (size_t)sprintf(piece, "\\ufffd");
	return n ? (size_t)n : 1;
}

void line_string(struct line *line, const char *string)
{
	char piece[PIECE];
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
			string += escape(string, piece, &n);
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
