// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "json.h"

static bool need_comma;
static FILE *out;

static void escaped(const char *text)
{
	putc('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			putc(c, out);
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
