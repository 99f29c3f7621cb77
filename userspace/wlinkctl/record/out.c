// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/out.h"
#include "wlinkctl.h"

#define MUCH	65536

static int open_file(struct record_out *out, const char *path,
		     const struct signals *signals, int flag)
{
	struct stat st;

	out->signals = signals;
	out->name = "standard output";
	out->fd = STDOUT_FILENO;
	if (strcmp(path, "-")) {
		out->name = path;
		out->fd = open(path, O_WRONLY | O_CREAT | flag | O_CLOEXEC,
			       0644);
	}
	if (out->fd < 0 || fstat(out->fd, &st)) {
		complain("%s: %s", out->name, strerror(errno));
		return EXIT_USAGE;
	}
	out->regular = S_ISREG(st.st_mode);
	return EXIT_DONE;
}

int record_out_open(struct record_out *out, const char *path,
		    const struct signals *signals)
{
	return open_file(out, path, signals, O_TRUNC);
}

int record_out_create(struct record_out *out, const char *path,
		      const struct signals *signals)
{
	return open_file(out, path, signals, O_EXCL);
}

void record_out_signals(struct record_out *out)
{
	int number;

	while ((number = signals_next(out->signals)))
		out->stop += number != SIGPIPE;
}

/* Of whole lines. */
static uint64_t events_in(const char *text, size_t len)
{
	static const char head[] = "{\"event\"";
	const char *end = text + len;
	uint64_t n = 0;

	while (text < end) {
		n += !strncmp(text, head, sizeof(head) - 1);
		text = memchr(text, '\n', (size_t)(end - text));
		text = text ? text + 1 : end;
	}
	return n;
}

/* Wait for a reader who is slow, but not against his will who waits for us. */
static bool may_write(struct record_out *out)
{
	struct pollfd fds[] = {
		{ .fd = out->fd, .events = POLLOUT },
		{ .fd = out->signals->fd, .events = POLLIN },
	};

	if (out->regular)
		return true;
	while (out->stop < 2) {
		fds[0].revents = 0;
		poll(fds, 2, -1);
		if (fds[0].revents)
			return true;
		record_out_signals(out);
	}
	errno = 0;
	return false;
}

/* Return: bytes that are in the file; errno says why it is not all. */
static size_t write_some(struct record_out *out)
{
	size_t done = 0;

	while (done < out->line.len && may_write(out)) {
		size_t part = out->line.len - done;
		ssize_t n;

		/* A pipe that is ready takes so much without waiting. */
		if (!out->regular && part > PIPE_BUF)
			part = PIPE_BUF;
		n = write(out->fd, out->line.text + done, part);
		if (n > 0)
			done += (size_t)n;
		else if (n < 0 && errno != EINTR)
			break;
	}
	return done;
}

/* Half a line behind the last whole one goes; a pipe cannot take it back. */
static void cut(struct record_out *out, size_t done)
{
	size_t whole = done;
	off_t end;

	while (whole && out->line.text[whole - 1] != '\n')
		whole--;
	out->line.len = whole;
	if (whole == done || !out->regular)
		return;
	end = lseek(out->fd, 0, SEEK_CUR) - (off_t)(done - whole);
	if (ftruncate(out->fd, end) || lseek(out->fd, end, SEEK_SET) < 0)
		complain("%s ends in half a line: %s", out->name,
			 strerror(errno));
}

static void write_all(struct record_out *out)
{
	size_t done = write_some(out);
	bool whole = done == out->line.len;

	if (!whole) {
		if (!out->failed)
			complain("%s: %s", out->name, errno ? strerror(errno) :
				 "given up, nobody reads it");
		if (!out->is_raw)
			cut(out, done);
		out->failed = true;
	}
	if (!out->is_raw)
		out->events += whole ? out->pending :
			       events_in(out->line.text, out->line.len);
	out->pending = 0;
	out->line.len = 0;
}

void record_out_flush(struct record_out *out)
{
	if (out->line.failed && !out->failed) {
		complain("%s: no memory for a line", out->name);
		out->failed = true;
		out->line.len = 0;
	}
	if (out->line.len)
		write_all(out);
}

void record_out_end(struct record_out *out)
{
	if (out->line.len >= MUCH)
		record_out_flush(out);
}

void record_out_close(struct record_out *out)
{
	line_free(&out->line);
	if (out->fd == STDOUT_FILENO || out->fd < 0)
		return;
	/* Some file systems tell only now that there was no room. */
	if (close(out->fd) && !out->failed) {
		complain("%s: %s", out->name, strerror(errno));
		out->failed = true;
	}
}
