// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "doctor/read.h"

int doctor_read(const char *root, const char *path, char *text, size_t size)
{
	char whole[PATH_MAX];
	size_t len = 0;
	ssize_t got;
	int error;
	int fd;

	text[0] = 0;
	if (snprintf(whole, sizeof(whole), "%s%s", root, path) >=
	    (int)sizeof(whole)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = open(whole, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	do {
		got = read(fd, text + len, size - 1 - len);
		if (got > 0)
			len += (size_t)got;
	} while (got > 0 && len < size - 1);
	error = errno;
	close(fd);
	if (got < 0) {
		text[0] = 0;
		errno = error;
		return -1;
	}
	if (len && text[len - 1] == '\n')
		len--;
	text[len] = 0;
	return 0;
}

int doctor_number(const char *root, const char *path, int64_t *value)
{
	char text[64];
	char *end;

	if (doctor_read(root, path, text, sizeof(text)))
		return -1;
	errno = 0;
	*value = strtoll(text, &end, 10);
	if (end == text || errno) {
		errno = EBADMSG;
		return -1;
	}
	return 0;
}

const char *doctor_reason(int error, const char *path, char *text, size_t size)
{
	if (error == EACCES || error == EPERM)
		snprintf(text, size, "no permission to read %s", path);
	else if (error == ENOENT || error == ENOTDIR)
		snprintf(text, size, "there is no %s", path);
	else if (error == EBADMSG)
		snprintf(text, size, "%s has no number", path);
	else
		snprintf(text, size, "%s: %s", path, strerror(error));
	return text;
}

void doctor_unknown(struct doctor *doctor, const char *check, const char *why,
		    const char *path)
{
	char text[256];

	report_add(&doctor->report, VERDICT_NOTE, check, why, "unknown: %s",
		   doctor_reason(errno, path, text, sizeof(text)));
}

#define SPACES	" \t\n"

bool doctor_has_word(const char *text, const char *word)
{
	size_t len = strlen(word);
	size_t n;

	for (text += strspn(text, SPACES); *text; text += strspn(text, SPACES)) {
		n = strcspn(text, SPACES);
		if (n == len && !strncmp(text, word, n))
			return true;
		text += n;
	}
	return false;
}

bool doctor_word_after(const char *text, const char *begin, char *value,
		       size_t size)
{
	size_t len = strlen(begin);
	bool found = false;
	size_t n;

	for (text += strspn(text, SPACES); *text; text += strspn(text, SPACES)) {
		n = strcspn(text, SPACES);
		if (n >= len && !strncmp(text, begin, len)) {
			snprintf(value, size, "%.*s", (int)(n - len),
				 text + len);
			found = true;
		}
		text += n;
	}
	return found;
}
