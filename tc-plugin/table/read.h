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

#endif
