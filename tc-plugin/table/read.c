// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
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

int wl_split_line(char *line, char **words, char comment)
{
	char *save = NULL, *word;
	int n = 0;

	for (word = strtok_r(line, " \t\r\n", &save); word && (!comment || *word != comment);
	     word = strtok_r(NULL, " \t\r\n", &save)) {
		if (n == WL_LINE_WORDS)
			return -1;
		words[n++] = word;
	}
	return n;
}

static bool is_text(unsigned char c)
{
	return (c >= ' ' && c != 0x7f) || c == '\t' || c == '\r';
}

static int take_line(const char *kind, const char *text, size_t len, wl_take_line *take, void *to,
		     unsigned int number, char *error)
{
	char line[WL_TEXT_LINE + 1];
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_text((unsigned char)text[i]))
			return wl_refuse(error, "byte %zu is 0x%02x; this is no text, hence no %s",
					 i + 1, (unsigned char)text[i], kind);
	if (len > WL_TEXT_LINE)
		return wl_refuse(error, "longer than %u bytes", WL_TEXT_LINE);
	memcpy(line, text, len);
	line[len] = '\0';
	return take(to, number, line, error);
}

static int read_text(const char *kind, const char *name, const char *text, size_t len,
		     wl_take_line *take, void *to, char *error)
{
	char why[WL_ERROR_TEXT];
	unsigned int number = 0;
	size_t at = 0;

	while (at < len) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;

		if (take_line(kind, text + at, n, take, to, ++number, why))
			return wl_refuse(error, "%s:%u: %s", name, number, why);
		at += n + 1;
	}
	return (int)number;
}

int wl_read_file(const char *kind, const char *path, const char *known, wl_take_line *take,
		 void *to, char *error)
{
	char *text = known ? NULL : malloc(WL_TEXT_FILE + 1);
	FILE *f = text ? fopen(path, "re") : NULL;
	size_t len = 0;
	int n = -1;

	if (known)
		return read_text(kind, path, known, strlen(known), take, to, error);
	if (f)
		len = fread(text, 1, WL_TEXT_FILE + 1, f);
	if (!f || ferror(f))
		wl_refuse(error, "%s %s: %s", kind, path, strerror(errno));
	else if (len > WL_TEXT_FILE)
		wl_refuse(error, "%s: above %u bytes, which no %s needs", path, WL_TEXT_FILE, kind);
	else
		n = read_text(kind, path, text, len, take, to, error);
	if (f)
		fclose(f);
	free(text);
	return n;
}
