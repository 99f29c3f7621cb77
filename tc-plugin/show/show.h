/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SHOW_H
#define _WL_SHOW_H

/* Printing of a link's parameters and statistics, as text and as JSON. */

#include <stdio.h>

#include "words/words.h"

/**
 * struct wl_json - where JSON goes: tc's writer or wlinkctl's
 * @object: open an object, @key may be NULL in an array
 * @end: close it
 * @u64: a whole number
 * @string: a string
 * @number: a number already written out
 * @array: an array of whole numbers
 */
struct wl_json {
	void (*object)(const char *key);
	void (*end)(void);
	void (*u64)(const char *key, uint64_t value);
	void (*string)(const char *key, const char *text);
	void (*number)(const char *key, const char *text);
	void (*array)(const char *key, const uint64_t *values, size_t n);
};

/**
 * wl_show_text() - write parameters as they would be typed
 * @f: where to
 * @values: parameters
 *
 * Each word is followed by one space.
 */
void wl_show_text(FILE *f, const struct wl_values *values);

/**
 * wl_show_aqm() - write an AQM as in a line of a profile, without "aqm"
 * @f: where to
 * @values: parameters
 *
 * Each word follows a space.
 */
void wl_show_aqm(FILE *f, const struct wl_values *values);

/**
 * wl_show_json() - write parameters as members of the open object
 * @json: where to
 * @values: parameters
 */
void wl_show_json(const struct wl_json *json, const struct wl_values *values);

#endif
