/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_JSON_H
#define _WLINKCTL_JSON_H

/* A small JSON writer in the shape the printers want, into memory. */

#include "lib/line.h"
#include "show/show.h"

extern const struct wl_json json_writer;

/**
 * json_s64() - write a whole number with a sign
 * @key: its name
 * @value: it
 */
void json_s64(const char *key, int64_t value);

/**
 * json_bool() - write true or false
 * @key: its name
 * @value: which
 */
void json_bool(const char *key, bool value);

/**
 * json_begin_in() - begin an object that is a line of a text
 * @line: text, up to json_end_in()
 */
void json_begin_in(struct line *line);

/**
 * json_end_in() - end it, with a newline
 */
void json_end_in(void);

/**
 * json_failed() - find out if a document is not whole
 *
 * Return: whether there was no memory for one of those of standard output.
 */
bool json_failed(void);

/**
 * json_begin() - begin an object that is a line of standard output
 */
void json_begin(void);

/**
 * json_end() - end it: a newline, and out with it
 */
void json_end(void);

/**
 * json_begin_list() - begin an array that is a line of standard output
 */
void json_begin_list(void);

/**
 * json_end_list() - end it: a newline, and out with it
 */
void json_end_list(void);

/**
 * json_open_array() - open an array of objects
 * @key: in an object, NULL elsewhere
 */
void json_open_array(const char *key);

/**
 * json_end_array() - close it
 */
void json_end_array(void);

#endif
