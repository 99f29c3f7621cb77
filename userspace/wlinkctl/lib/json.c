// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "lib/json.h"

/* A document of standard output, up to its end. */
static struct line document;
static struct line *to = &document;
static bool need_comma;

static void before(const char *key)
{
	if (need_comma)
		line_put(to, ",");
	if (key) {
		line_string(to, key);
		line_put(to, ":");
	}
	need_comma = true;
}

static void object(const char *key)
{
	before(key);
	line_put(to, "{");
	need_comma = false;
}

static void end(void)
{
	line_put(to, "}");
	need_comma = true;
}

static void u64(const char *key, uint64_t value)
{
	before(key);
	line_u64(to, value);
}

static void string(const char *key, const char *text)
{
	before(key);
	line_string(to, text);
}

static void number(const char *key, const char *text)
{
	before(key);
	line_put(to, text);
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

void json_s64(const char *key, int64_t value)
{
	before(key);
	if (value < 0)
		line_put(to, "-");
	line_u64(to, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void json_bool(const char *key, bool value)
{
	number(key, value ? "true" : "false");
}

void json_begin_in(struct line *line)
{
	to = line;
	need_comma = false;
	object(NULL);
}

void json_end_in(void)
{
	line_put(to, "}\n");
	to = &document;
}

static void finish(void)
{
	line_put(to, "\n");
	fwrite(to->text, 1, to->len, stdout);
	fflush(stdout);
	to->len = 0;
}

bool json_failed(void)
{
	return document.failed;
}

void json_begin(void)
{
	need_comma = false;
	object(NULL);
}

void json_end(void)
{
	end();
	finish();
}

void json_begin_list(void)
{
	need_comma = false;
	json_open_array(NULL);
}

void json_end_list(void)
{
	json_end_array();
	finish();
}

void json_open_array(const char *key)
{
	before(key);
	line_put(to, "[");
	need_comma = false;
}

void json_end_array(void)
{
	line_put(to, "]");
	need_comma = true;
}
