// SPDX-License-Identifier: GPL-2.0
/* Writes lines of a table. A run has some million columns, and printf takes four
 * fifths of the time of all that wlab-log does with them.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

#include "log.h"

void put_text(FILE *f, const char *text)
{
	fwrite_unlocked(text, 1, strlen(text), f);
}

/* Writes the digits at the end of the buffer; returns the first one. */
static char *digits(char *end, uint64_t v)
{
	do {
		end--;
		*end = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	return end;
}

void put_first(FILE *f, int64_t value)
{
	char text[24], *end = text + sizeof(text), *at;

	/* The negative of the least value is no int64_t. */
	at = digits(end, value < 0 ? -(uint64_t)value : (uint64_t)value);
	if (value < 0)
		*--at = '-';
	fwrite_unlocked(at, 1, (size_t)(end - at), f);
}

void put_next(FILE *f, int64_t value)
{
	putc_unlocked('\t', f);
	put_first(f, value);
}

void put_next_text(FILE *f, const char *text)
{
	putc_unlocked('\t', f);
	put_text(f, text);
}

void put_end(FILE *f)
{
	putc_unlocked('\n', f);
}

FILE *out_open(const struct log *log, const char *folder, const char *name,
	       const char *suffix)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", log->out, folder);
	if (mkdir(path, 0777) && errno != EEXIST)
		fail("%s: %s", path, strerror(errno));
	snprintf(path, sizeof(path), "%s/%s/%s%s", log->out, folder, name,
		 suffix);
	f = fopen(path, "w");
	if (!f)
		fail("%s: %s", path, strerror(errno));
	return f;
}

void out_close(FILE *f)
{
	char link[64], path[4096];
	ssize_t len;
	int err;

	if (!f)
		return;
	/* fclose() also reports errors of earlier writes. */
	err = fflush(f) ? errno : ferror(f) ? EIO : 0;
	if (err) {
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fileno(f));
		len = readlink(link, path, sizeof(path) - 1);
		path[len > 0 ? len : 0] = '\0';
		fail("%s: %s", path, strerror(err));
	}
	fclose(f);
}
