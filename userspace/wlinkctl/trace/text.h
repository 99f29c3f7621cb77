/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_TEXT_H
#define _TRACE_TEXT_H

/* Lines of a file of any length, through a buffer of fixed size. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TEXT_LINE_MAX	4096U
#define TEXT_LINES_MAX	67108864ULL	/* 16 for each step there may be */
#define TEXT_BLOCK	131072U

/**
 * enum text_result - what came of reading a line
 * @TEXT_LINE: there is one
 * @TEXT_END: there is none left
 * @TEXT_BINARY: it holds a byte 0
 * @TEXT_LONG: it is longer than TEXT_LINE_MAX
 * @TEXT_MANY: there have been TEXT_LINES_MAX of them
 * @TEXT_FAILED: errno says why
 */
enum text_result {
	TEXT_LINE,
	TEXT_END,
	TEXT_BINARY,
	TEXT_LONG,
	TEXT_MANY,
	TEXT_FAILED,
};

/**
 * struct text - a file on its way
 * @fd: file, can be read again from its begin
 * @number: of the line read last, from 1 on
 * @cut: the last line has no end
 * @at: what comes next, in @buf
 * @end: end of what has been read, in @buf
 * @over: there is nothing to read after that
 * @nul: first byte 0 from @at on, NULL for none
 * @buf: a block and room to end its last line
 */
struct text {
	int fd;
	uint64_t number;
	bool cut;
	char *at;
	char *end;
	bool over;
	char *nul;
	char buf[TEXT_BLOCK + 1];
};

/**
 * text_open() - open a file
 * @text: result
 * @name: of the file, "-" for standard input; what cannot be read twice is copied
 *	to a temporary file
 *
 * Return: 0, or -1 with errno set.
 */
int text_open(struct text *text, const char *name);

/**
 * text_rewind() - go back to the begin
 * @text: file
 *
 * Return: 0, or -1 with errno set.
 */
int text_rewind(struct text *text);

/**
 * text_line() - read a line
 * @text: file
 * @line: result, without its end and blanks before that; may be changed, holds
 *	until the next call
 *
 * Return: enum text_result.
 */
enum text_result text_line(struct text *text, char **line);

/**
 * text_close() - close the file
 * @text: file, or one that could not be opened
 */
void text_close(struct text *text);

#endif
