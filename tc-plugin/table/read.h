/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TC_READ_H
#define _WL_TC_READ_H

#include <stddef.h>
#include <stdio.h>

/**
 * wl_read_line() - read a line of a text, with a bound
 * @f: file
 * @line: result, without its end, also where it is too long
 * @size: room for it and a 0
 * @error: on error what is wrong with the line, at least WL_ERROR_TEXT bytes
 *
 * Return: 1 with a line, 0 at the end, -1 if it is too long, has a byte 0 or cannot be read.
 */
int wl_read_line(FILE *f, char *line, size_t size, char *error);

/* Twice the words of the longest sensible command. */
#define WL_LINE_WORDS	192
#define WL_LINE_TOO_LONG "more than %d words", WL_LINE_WORDS

/**
 * wl_split_line() - split a line into words
 * @line: line; changed
 * @words: result, room for WL_LINE_WORDS
 * @comment: a character that ends the line where a word begins with it, or 0
 *
 * Return: how many; -1 if there are more.
 */
int wl_split_line(char *line, char **words, char comment);

/* Longest line and longest file of profiles and presets. */
#define WL_TEXT_LINE	1000U
#define WL_TEXT_FILE	262144U

/**
 * wl_take_line - take a line of a text
 * @to: whose text it is
 * @line: its number, from 1 on
 * @text: line without its end; it may be taken apart
 * @error: on error a plain sentence without file and number
 *
 * Return: 0, or -1 with @error set.
 */
typedef int wl_take_line(void *to, unsigned int line, char *text, char *error);

/**
 * wl_read_file() - read a text line by line
 * @kind: what it is to be, for messages
 * @path: the file, or a name for messages
 * @known: the text itself, NULL for that of the file
 * @take: takes its lines
 * @to: for @take
 * @error: on error "PATH:LINE: " and a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: number of lines, or -1 with @error set.
 */
int wl_read_file(const char *kind, const char *path, const char *known, wl_take_line *take,
		 void *to, char *error);

#endif
