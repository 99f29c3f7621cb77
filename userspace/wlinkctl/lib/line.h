/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_LINE_H
#define _WLINKCTL_LINE_H

/* Lines of JSON in memory. With fprintf() an event of 25 fields takes 50000
 * instructions, which a link on the same processor feels; see record_json.c.
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

/* Digits of the largest number, and its sign. */
#define LINE_NUMBER	21

/**
 * line_room() - make room for bytes that the caller writes himself
 * @line: text
 * @n: how many at most
 *
 * Return: where they go, for line_end(); NULL if there is no memory.
 */
char *line_room(struct line *line, size_t n);

/**
 * line_end() - say how many they were
 * @line: text
 * @end: behind the last of them
 */
void line_end(struct line *line, const char *end);

/**
 * line_digits() - write a number
 * @at: where to, LINE_NUMBER bytes
 * @value: number
 *
 * Return: behind its last digit.
 */
char *line_digits(char *at, uint64_t value);

/* The first number of nine digits. */
#define LINE_E8		100000000U

/**
 * line_eight() - write a number as eight digits
 * @at: where to
 * @value: number below LINE_E8
 */
void line_eight(char *at, uint32_t value);

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
 * line_s64() - add a number with a sign
 * @line: text
 * @value: number
 */
void line_s64(struct line *line, int64_t value);

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
