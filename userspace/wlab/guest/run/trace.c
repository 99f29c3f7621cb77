// SPDX-License-Identifier: GPL-2.0
/* The kernel's event buffer, copied page by page as it is: the host reads it,
 * outside virtual time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/uio.h>

#include "plan.h"
#include "trace.h"

#define TRACEFS "/sys/kernel/tracing/"
#define PAGE_BYTES 4096U
#define PAGES 256U

static int switch_fd = -1;
static int raw_fd = -1;
static int file_fd = -1;

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		fail("%s: cannot write '%s': %s", path, text, strerror(errno));
	close(fd);
}

static void copy_file(const char *from, const char *to)
{
	static char text[65536];
	ssize_t len;
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (in < 0 || out < 0)
		fail("copy %s to %s: %s", from, to, strerror(errno));
	while ((len = read(in, text, sizeof(text))) > 0)
		if (write(out, text, (size_t)len) != len)
			fail("write %s: %s", to, strerror(errno));
	close(in);
	close(out);
}

static void event_enable(const struct plan *plan, const struct event *event)
{
	char path[256], to[256], *slash;

	if (event->filter) {
		snprintf(path, sizeof(path), TRACEFS "events/%s/filter",
			 event->name);
		put(path, event->filter);
	}
	snprintf(path, sizeof(path), TRACEFS "events/%s/format", event->name);
	snprintf(to, sizeof(to), "%s/%s.format", plan->out, event->name);
	slash = strrchr(to, '/');
	*slash = '.';
	copy_file(path, to);
	snprintf(path, sizeof(path), TRACEFS "events/%s/enable", event->name);
	put(path, "1");
}

void trace_open(const struct plan *plan)
{
	static const char *size;
	char path[256];
	size_t i;

	if (switch_fd < 0) {
		switch_fd = open(TRACEFS "tracing_on", O_WRONLY | O_CLOEXEC);
		trace_off();
		put(TRACEFS "trace_clock", "mono");
		put(TRACEFS "options/overwrite", "0");
		raw_fd = open(TRACEFS "per_cpu/cpu0/trace_pipe_raw",
			      O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (raw_fd < 0)
			fail("trace_pipe_raw: %s", strerror(errno));
	}
	if (!size || strcmp(size, plan->buffer_kb))
		put(TRACEFS "buffer_size_kb", plan->buffer_kb);
	size = plan->buffer_kb;
	put(TRACEFS "trace", "\n");
	snprintf(path, sizeof(path), "%s/trace.raw", plan->out);
	file_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (file_fd < 0)
		fail("%s: %s", path, strerror(errno));
	for (i = 0; i < plan->event_count; i++)
		event_enable(plan, &plan->events[i]);
}

void trace_on(void)
{
	if (write(switch_fd, "1", 1) != 1)
		fail("tracing_on: %s", strerror(errno));
}

void trace_off(void)
{
	if (switch_fd < 0 || write(switch_fd, "0", 1) != 1)
		fail("tracing_on: %s", strerror(errno));
}

/*
 * As many pages as there are, each a read of its own, in one system call: each call
 * takes a switch of the host's processes.
 */
static size_t read_pages(char pages[PAGES][PAGE_BYTES])
{
	static struct iovec each[PAGES];
	ssize_t got;
	size_t i;

	for (i = 0; i < PAGES; i++)
		each[i] = (struct iovec){ pages[i], PAGE_BYTES };
	got = readv(raw_fd, each, PAGES);
	if (got < 0 && errno != EAGAIN)
		fail("trace_pipe_raw: %s", strerror(errno));
	if (got <= 0)
		return 0;
	i = ((size_t)got + PAGE_BYTES - 1) / PAGE_BYTES;
	memset(pages[0] + got, 0, i * PAGE_BYTES - (size_t)got);
	return i;
}

/* Of a full disk the first call writes a part, and only the next one tells. */
static void write_all(const char *data, size_t len)
{
	ssize_t done;

	for (; len; data += done, len -= (size_t)done) {
		done = write(file_fd, data, len);
		if (done < 0)
			fail("write trace: %s", strerror(errno));
	}
}

void trace_drain(void)
{
	static char pages[PAGES][PAGE_BYTES];
	size_t n;

	while ((n = read_pages(pages)) > 0)
		write_all(pages[0], n * PAGE_BYTES);
}

static void check_lost(void)
{
	FILE *f = fopen(TRACEFS "per_cpu/cpu0/stats", "r");
	unsigned long long count;
	char line[128];

	if (!f)
		fail("trace statistics: %s", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "overrun: %llu", &count) != 1 &&
		    sscanf(line, "commit overrun: %llu", &count) != 1 &&
		    sscanf(line, "dropped events: %llu", &count) != 1)
			continue;
		if (count)
			fail("the trace buffer was too small: %.*s",
			     (int)strcspn(line, "\n"), line);
	}
	fclose(f);
}

void trace_close(const struct plan *plan)
{
	char path[256];
	size_t i;

	trace_off();
	trace_drain();
	check_lost();
	for (i = 0; i < plan->event_count; i++) {
		snprintf(path, sizeof(path), TRACEFS "events/%s/enable",
			 plan->events[i].name);
		put(path, "0");
	}
	if (close(file_fd))
		fail("close trace: %s", strerror(errno));
}
