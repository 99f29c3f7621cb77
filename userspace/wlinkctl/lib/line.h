/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_LINE_H
#define _WLINKCTL_LINE_H

/* Text in memory, above all lines of JSON. With fprintf() an event of 25 fields takes 50000
 * instructions, which a link on the same processor feels.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct line - text that grows
 * @text: it, without a 0 at its end
 * @len: its bytes
 * @room: bytes there are
 * @failed: there was no memory; what is added then is lost
 */
struct line {
	char *text;
	size_t len;
	size_t room;
	bool failed;
};

/**
 * line_add() - add bytes
 * @line: text
 * @bytes: they
 * @n: how many
 */
void line_add(struct line *line, const char *bytes, size_t n);

/**
 * line_put() - add a text
 * @line: text
 * @text: what to add, up to its 0
 */
void line_put(struct line *line, const char *text);

/**
 * line_u64() - add a number
 * @line: text
 * @value: number
 */
void line_u64(struct line *line, uint64_t value);

/**
 * line_string() - add a text as JSON has it, in quotes
 * @line: text
 * @string: what to add; bytes that are no UTF-8 become U+FFFD
 */
void line_string(struct line *line, const char *string);

/**
 * line_free() - forget the text
 * @line: text; empty then
 */
void line_free(struct line *line);

#endif
