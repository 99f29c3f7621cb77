/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_JSON_H
#define _WLINKCTL_JSON_H

/* A small JSON writer in the shape the printers want. */

#include "wl_show.h"

extern const struct wl_json json_writer;

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
