/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_JSON_H
#define _WLINKCTL_JSON_H

/* A small JSON writer on standard output, in the shape the printers want. */

#include "wl_show.h"

extern const struct wl_json json_writer;

/**
 * json_start() - begin a document
 */
void json_start(void);

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
