// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/json.h"

static bool need_comma;
static FILE *out;

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

size_t json_escape(const char *text, char piece[JSON_PIECE], size_t *len)
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

static void escaped(const char *string)
{
	char piece[JSON_PIECE];
	size_t n;

	putc('"', out);
	while (*string) {
		string += json_escape(string, piece, &n);
		fwrite(piece, 1, n, out);
	}
	putc('"', out);
}

static void before(const char *key)
{
	if (need_comma)
		putc(',', out);
	if (key) {
		escaped(key);
		putc(':', out);
	}
	need_comma = true;
}

static void object(const char *key)
{
	before(key);
	putc('{', out);
	need_comma = false;
}

static void end(void)
{
	putc('}', out);
	need_comma = true;
}

static void u64(const char *key, uint64_t value)
{
	before(key);
	fprintf(out, "%" PRIu64, value);
}

static void string(const char *key, const char *text)
{
	before(key);
	escaped(text);
}

static void number(const char *key, const char *text)
{
	before(key);
	fputs(text, out);
}

static void array(const char *key, const uint64_t *values, size_t n)
{
	size_t i;

	json_open_array(key);
	for (i = 0; i < n; i++)
		u64(NULL, values[i]);
	json_end_array();
}

const struct wl_json json_writer = {
	.object = object,
	.end = end,
	.u64 = u64,
	.string = string,
	.number = number,
	.array = array,
};

void json_start_in(FILE *f)
{
	out = f;
	need_comma = false;
}

void json_start(void)
{
	json_start_in(stdout);
}

void json_finish(void)
{
	putc('\n', out);
	fflush(out);
}

void json_open_array(const char *key)
{
	before(key);
	putc('[', out);
	need_comma = false;
}

void json_end_array(void)
{
	putc(']', out);
	need_comma = true;
}
