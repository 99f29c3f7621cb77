/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_JSON_H
#define _WLINKCTL_JSON_H

/* A small JSON writer in the shape the printers want. */

#include "show/show.h"

/* Longest form of a character, with room for a 0. */
#define JSON_PIECE	8

extern const struct wl_json json_writer;

/**
 * json_escape() - write a character as it stands in a string of JSON
 * @text: text that begins with it, not empty
 * @piece: result; U+FFFD for what is no UTF-8
 * @len: bytes of @piece
 *
 * Return: bytes of @text that it was.
 */
size_t json_escape(const char *text, char piece[JSON_PIECE], size_t *len);

/**
 * json_start() - begin a document on standard output
 */
void json_start(void);

/**
 * json_start_in() - begin a document
 * @f: where it goes, up to json_finish()
 */
void json_start_in(FILE *f);

/**
 * json_finish() - end a document: a newline, and out with it
 */
void json_finish(void);

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
