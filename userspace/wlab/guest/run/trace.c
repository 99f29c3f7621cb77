// SPDX-License-Identifier: GPL-2.0
/* The kernel's event buffers, one for each processor, copied page by page unchanged:
 * the host parses them, outside virtual time.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "capture.h"
#include "plan.h"
#include "trace.h"

#define TRACEFS "/sys/kernel/tracing/"
#define PAGE_BYTES 4096U
#define PAGES 256U
#define CPUS_MAX 1024U
#define PACKETS "wlink_data/wlink_packet"

/**
 * struct buffer - the buffer of one processor
 * @raw: its descriptor for reading
 * @file: the file for its pages
 */
struct buffer {
	int raw;
	int file;
};

static char folder[128];
static int switch_fd = -1;
static struct buffer buffers[CPUS_MAX];
static unsigned int buffer_count;
/* Whether packets are captured. */
static bool packets;

static void put(const char *name, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s%s", folder, name);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_TRUNC);
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
		snprintf(path, sizeof(path), "events/%s/filter", event->name);
		put(path, event->filter);
	}
	snprintf(path, sizeof(path), "%sevents/%s/format", folder, event->name);
	snprintf(to, sizeof(to), "%s/%s.format", plan->out, event->name);
	slash = strrchr(to, '/');
	*slash = '.';
	copy_file(path, to);
	snprintf(path, sizeof(path), "events/%s/enable", event->name);
	put(path, "1");
}

static void find_buffers(void)
{
	char path[256];
	int fd;

	for (; buffer_count < CPUS_MAX; buffer_count++) {
		snprintf(path, sizeof(path), "%sper_cpu/cpu%u/trace_pipe_raw",
			 folder, buffer_count);
		fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		if (fd < 0)
			break;
		buffers[buffer_count].raw = fd;
	}
	if (!buffer_count)
		fail("%s: %s", path, strerror(errno));
}

static void first_time(const struct plan *plan)
{
	char path[256];

	snprintf(folder, sizeof(folder), TRACEFS);
	if (plan->instance) {
		snprintf(folder, sizeof(folder), TRACEFS "instances/%s/",
			 plan->instance);
		if (mkdir(folder, 0700) && errno != EEXIST)
			fail("%s: %s", folder, strerror(errno));
	}
	snprintf(path, sizeof(path), "%stracing_on", folder);
	switch_fd = open(path, O_WRONLY | O_CLOEXEC);
	trace_off();
	put("trace_clock", "mono");
	put("options/overwrite", "0");
	find_buffers();
}

/* Of a capture that would fill the disk no more comes, before it is in the way of the rest. */
static void spare_disk(void)
{
	if (!packets || capture_has_room(buffers[0].file))
		return;
	put("events/" PACKETS "/enable", "0");
	packets = false;
}

void trace_open(const struct plan *plan)
{
	static const char *size;
	char path[256];
	unsigned int n;
	size_t i;

	if (switch_fd < 0)
		first_time(plan);
	if (!size || strcmp(size, plan->buffer_kb))
		put("buffer_size_kb", plan->buffer_kb);
	size = plan->buffer_kb;
	put("trace", "\n");
	for (n = 0; n < buffer_count; n++) {
		snprintf(path, sizeof(path), "%s/trace.raw.%u", plan->out, n);
		buffers[n].file = open(path, O_WRONLY | O_CREAT | O_TRUNC |
				       O_CLOEXEC, 0644);
		if (buffers[n].file < 0)
			fail("%s: %s", path, strerror(errno));
	}
	packets = false;
	for (i = 0; i < plan->event_count; i++) {
		event_enable(plan, &plan->events[i]);
		packets |= !strcmp(plan->events[i].name, PACKETS);
	}
	spare_disk();
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
 * Reads all available pages, each by a read of its own, in one system call: each call
 * costs a switch of the host's processes.
 */
static size_t read_pages(int fd, char pages[PAGES][PAGE_BYTES])
{
	static struct iovec each[PAGES];
	ssize_t got;
	size_t i;

	for (i = 0; i < PAGES; i++)
		each[i] = (struct iovec){ pages[i], PAGE_BYTES };
	got = readv(fd, each, PAGES);
	if (got < 0 && errno != EAGAIN)
		fail("trace_pipe_raw: %s", strerror(errno));
	if (got <= 0)
		return 0;
	i = ((size_t)got + PAGE_BYTES - 1) / PAGE_BYTES;
	memset(pages[0] + got, 0, i * PAGE_BYTES - (size_t)got);
	return i;
}

/* On a full disk the first call writes a part, and only the next one fails. */
static void write_all(int fd, const char *data, size_t len)
{
	ssize_t done;

	for (; len; data += done, len -= (size_t)done) {
		done = write(fd, data, len);
		if (done < 0)
			fail("write trace: %s", strerror(errno));
	}
}

void trace_drain(void)
{
	static char pages[PAGES][PAGE_BYTES];
	unsigned int i;
	size_t n;

	for (i = 0; i < buffer_count; i++)
		while ((n = read_pages(buffers[i].raw, pages)) > 0)
			write_all(buffers[i].file, pages[0], n * PAGE_BYTES);
	spare_disk();
}

static void check_lost(unsigned int cpu)
{
	unsigned long long count;
	char line[128], path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%sper_cpu/cpu%u/stats", folder, cpu);
	f = fopen(path, "re");
	if (!f)
		fail("trace statistics: %s", strerror(errno));
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "overrun: %llu", &count) != 1 &&
		    sscanf(line, "commit overrun: %llu", &count) != 1 &&
		    sscanf(line, "dropped events: %llu", &count) != 1)
			continue;
		if (count)
			fail("the trace buffer was too small: %.*s; send fewer packets at a time",
			     (int)strcspn(line, "\n"), line);
	}
	fclose(f);
}

void trace_close(const struct plan *plan)
{
	char path[256];
	unsigned int n;
	size_t i;

	trace_off();
	trace_drain();
	for (i = 0; i < plan->event_count; i++) {
		snprintf(path, sizeof(path), "events/%s/enable",
			 plan->events[i].name);
		put(path, "0");
	}
	for (n = 0; n < buffer_count; n++) {
		check_lost(n);
		if (close(buffers[n].file))
			fail("close trace: %s", strerror(errno));
	}
}
