// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/text.h"

/* More than the longest trace there may be, in lines of 16 bytes. */
#define SPOOL_MAX	1073741824LL

static ssize_t read_some(int fd, void *buf, size_t len)
{
	ssize_t got;

	do {
		got = read(fd, buf, len);
	} while (got < 0 && errno == EINTR);
	return got;
}

static int write_all(int fd, const char *buf, size_t len)
{
	while (len) {
		ssize_t put = write(fd, buf, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return -1;
		buf += put;
		len -= (size_t)put;
	}
	return 0;
}

/* Return: a file without name that holds all there is in @fd, or -1. */
static int spool(int fd, char *buf)
{
	char name[] = "/tmp/wlinkctl-XXXXXX";
	long long sum = 0;
	ssize_t got;
	int to;

	to = mkostemp(name, O_CLOEXEC);
	if (to < 0)
		return -1;
	unlink(name);
	while ((got = read_some(fd, buf, TEXT_BLOCK)) > 0) {
		sum += got;
		if (sum > SPOOL_MAX)
			errno = EFBIG;
		if (sum > SPOOL_MAX || write_all(to, buf, (size_t)got))
			break;
	}
	if (!got)
		return to;
	close(to);
	return -1;
}

/* A folder is refused here, not at the first read. */
static int check_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	return 0;
}

int text_open(struct text *text, const char *name)
{
	int fd = STDIN_FILENO;
	int to;

	if (strcmp(name, "-"))
		fd = open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	to = fd;
	if (check_file(fd))
		to = -1;
	else if (fd == STDIN_FILENO || lseek(fd, 0, SEEK_SET) < 0)
		to = spool(fd, text->buf);
	if (to != fd && fd != STDIN_FILENO) {
		int err = errno;

		close(fd);
		errno = err;
	}
	text->fd = to;
	return to < 0 ? -1 : text_rewind(text);
}

int text_rewind(struct text *text)
{
	text->number = 0;
	text->cut = false;
	text->at = text->buf;
	text->end = text->buf;
	text->over = false;
	text->nul = NULL;
	return lseek(text->fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

void text_close(struct text *text)
{
	if (text->fd >= 0)
		close(text->fd);
	text->fd = -1;
}

/* Move what is left to the front of the buffer and read on behind it. */
static enum text_result fill(struct text *text)
{
	size_t left = (size_t)(text->end - text->at);
	ssize_t got;

	if (text->nul)
		return TEXT_BINARY;
	if (left > TEXT_LINE_MAX)
		return TEXT_LONG;
	memmove(text->buf, text->at, left);
	text->at = text->buf;
	text->end = text->buf + left;
	got = read_some(text->fd, text->end, TEXT_BLOCK - left);
	if (got < 0)
		return TEXT_FAILED;
	text->over = !got;
	text->nul = memchr(text->end, 0, (size_t)got);
	text->end += got;
	return TEXT_LINE;
}

static bool is_blank(char c)
{
	return c == '\r' || c == ' ' || c == '\t';
}

/* An editor's mark at the begin of a file. */
static char *skip_mark(char *line)
{
	return strncmp(line, "\xef\xbb\xbf", 3) ? line : line + 3;
}

enum text_result text_line(struct text *text, char **line)
{
	enum text_result result;
	char *end;

	for (;;) {
		end = memchr(text->at, '\n', (size_t)(text->end - text->at));
		if (end || text->over)
			break;
		result = fill(text);
		if (result) {
			text->number++;
			return result;
		}
	}
	if (!end && text->at == text->end)
		return TEXT_END;
	text->number++;
	text->cut = !end;
	if (!end)
		end = text->end;
	*line = text->at;
	if (text->nul && text->nul < end)
		return TEXT_BINARY;
	if (end - text->at > TEXT_LINE_MAX)
		return TEXT_LONG;
	if (text->number > TEXT_LINES_MAX)
		return TEXT_MANY;
	text->at = text->cut ? end : end + 1;
	while (end > *line && end[-1] <= ' ' && is_blank(end[-1]))
		end--;
	*end = '\0';
	if (text->number == 1)
		*line = skip_mark(*line);
	return TEXT_LINE;
}
