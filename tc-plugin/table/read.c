// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>

#include "table/read.h"
#include "table/value.h"

int wl_read_line(FILE *f, char *line, size_t size, char *error)
{
	size_t n = 0;
	int c;

	errno = 0;
	while ((c = getc_unlocked(f)) != EOF && c && c != '\n' && n < size - 1)
		line[n++] = (char)c;
	line[n] = '\0';
	if (c == '\n')
		return 1;
	if (c == EOF)
		return ferror(f) ? wl_refuse(error, "cannot be read: %s", strerror(errno)) : !!n;
	return c ? wl_refuse(error, "the line is longer than %zu bytes", n) :
		   wl_refuse(error, "binary: there is a byte 0");
}
