// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record_out.h"
#include "wlinkctl.h"

#define MUCH	65536

int record_out_open(struct record_out *out, const char *path,
		    const volatile sig_atomic_t *stop, const sigset_t *signals)
{
	memset(out, 0, sizeof(*out));
	out->stop = stop;
	out->signals = signals;
	out->name = "standard output";
	out->fd = STDOUT_FILENO;
	if (!strcmp(path, "-"))
		return EXIT_DONE;
	out->name = path;
	out->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (out->fd >= 0)
		return EXIT_DONE;
	complain("%s: %s", path, strerror(errno));
	return EXIT_USAGE;
}

FILE *record_out_line(struct record_out *out)
{
	if (!out->stream)
		out->stream = open_memstream(&out->text, &out->len);
	return out->stream;
}

static uint64_t lines_in(const char *text, size_t len)
{
	uint64_t n = 0;
	size_t i;

	for (i = 0; i < len; i++)
		n += text[i] == '\n';
	return n;
}

/* Return: bytes that are in the file; errno says why it is not all. */
static size_t write_some(const struct record_out *out)
{
	sigset_t blocked;
	size_t done = 0;
	int err = 0;
	ssize_t n;

	sigprocmask(SIG_SETMASK, out->signals, &blocked);
	while (done < out->len) {
		n = write(out->fd, out->text + done, out->len - done);
		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno != EINTR)
			err = errno;
		if (err || *out->stop > 1)
			break;
	}
	sigprocmask(SIG_SETMASK, &blocked, NULL);
	errno = err;
	return done;
}

/* Half a line behind the last whole one goes; a pipe cannot take it back. */
static void cut(struct record_out *out, size_t done)
{
	size_t whole = done;
	struct stat st;
	off_t end;

	while (whole && out->text[whole - 1] != '\n')
		whole--;
	out->len = whole;
	if (whole == done || fstat(out->fd, &st) || !S_ISREG(st.st_mode))
		return;
	end = lseek(out->fd, 0, SEEK_CUR) - (off_t)(done - whole);
	if (ftruncate(out->fd, end) || lseek(out->fd, end, SEEK_SET) < 0)
		complain("%s ends in half a line: %s", out->name,
			 strerror(errno));
}

static void write_all(struct record_out *out)
{
	size_t done = write_some(out);

	if (done < out->len) {
		if (!out->failed)
			complain("%s: %s", out->name, errno ? strerror(errno) :
				 "given up, nobody reads it");
		cut(out, done);
		out->failed = true;
	}
	out->lines += lines_in(out->text, out->len);
}

void record_out_flush(struct record_out *out)
{
	bool bad;

	if (!out->stream)
		return;
	bad = ferror(out->stream);
	bad |= fclose(out->stream) != 0;
	out->stream = NULL;
	if (bad) {
		complain("%s: no memory for a line", out->name);
		out->failed = true;
	} else {
		write_all(out);
	}
	free(out->text);
	out->text = NULL;
}

void record_out_end(struct record_out *out)
{
	if (ftello(out->stream) >= MUCH)
		record_out_flush(out);
}

void record_out_close(struct record_out *out)
{
	if (out->fd == STDOUT_FILENO || out->fd < 0)
		return;
	/* Some file systems tell only now that there was no room. */
	if (close(out->fd) && !out->failed) {
		complain("%s: %s", out->name, strerror(errno));
		out->failed = true;
	}
}
