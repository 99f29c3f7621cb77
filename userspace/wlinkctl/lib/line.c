// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/line.h"

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

/* Return: bytes of the character that a text begins with, 0 if it is none of
 * UTF-8 (RFC 3629).
 */
static int utf8_bytes(const unsigned char *text)
{
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

/* Return: bytes of the text that its first character was; U+FFFD for what is no UTF-8. */
static size_t escape(const char *text, char piece[PIECE], size_t *len)
{
	const unsigned char *at = (const unsigned char *)text;
	int n = utf8_bytes(at);

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
