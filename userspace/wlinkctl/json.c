// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>

#include "json.h"

static bool need_comma;

static void escaped(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			printf("\\%c", c);
		else if (c < 0x20)
			printf("\\u%04x", c);
		else
			putchar(c);
	}
	putchar('"');
}

static void before(const char *key)
{
	if (need_comma)
		putchar(',');
	if (key) {
		escaped(key);
		putchar(':');
	}
	need_comma = true;
}

static void object(const char *key)
{
	before(key);
	putchar('{');
	need_comma = false;
}

static void end(void)
{
	putchar('}');
	need_comma = true;
}

static void u64(const char *key, uint64_t value)
{
	before(key);
	printf("%" PRIu64, value);
}

static void string(const char *key, const char *text)
{
	before(key);
	escaped(text);
}

static void number(const char *key, const char *text)
{
	before(key);
	fputs(text, stdout);
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

void json_start(void)
{
	need_comma = false;
}

void json_finish(void)
{
	putchar('\n');
	fflush(stdout);
}

void json_open_array(const char *key)
{
	before(key);
	putchar('[');
	need_comma = false;
}

void json_end_array(void)
{
	putchar(']');
	need_comma = true;
}
