// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ring/ring.h"
#include "wlinkctl.h"

#define FILE_BYTES	65536
#define EVENTS		"events/wlink"

static int trouble(const char *what)
{
	complain("%s: %s", what, strerror(errno));
	return EXIT_REFUSED;
}

static int read_layout(struct ring *ring)
{
	char text[4096];

	if (tracefs_read(&ring->fs, "events/header_page", text, sizeof(text)))
		return trouble("events/header_page");
	if (!ring_layout_read(&ring->layout, text)) {
		ring->page = malloc(ring->layout.bytes);
		return ring->page ? EXIT_DONE : trouble("a page");
	}
	complain("events/header_page of this kernel cannot be read");
	return EXIT_REFUSED;
}

static int read_format(struct ring *ring, const char *name)
{
	static char text[FILE_BYTES];
	char path[512];

	snprintf(path, sizeof(path), EVENTS "/%s/format", name);
	if (tracefs_read(&ring->fs, path, text, sizeof(text)))
		/* The folder has files of its own, too. */
		return errno == ENOENT || errno == ENOTDIR ? EXIT_DONE :
		       trouble(path);
	if (!ring_add_format(ring, text))
		return EXIT_DONE;
	complain("%s of this kernel cannot be read", path);
	return EXIT_REFUSED;
}

static int read_formats(struct ring *ring)
{
	DIR *dir = tracefs_list(ring->fs.dir, EVENTS);
	const struct dirent *entry;
	int code = EXIT_DONE;

	if (!dir) {
		if (errno != ENOENT)
			return trouble(EVENTS);
		complain("the kernel has no tracepoints of wlink; type: modprobe sch_wlink");
		return EXIT_NOT_FOUND;
	}
	while (!code && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			code = read_format(ring, entry->d_name);
	closedir(dir);
	return code;
}

static int by_number(const void *a, const void *b)
{
	const struct ring_cpu *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int open_cpu(struct ring *ring, unsigned int number)
{
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", number);
	fd = openat(ring->fs.dir, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 || ring_add_cpu(ring, number, fd) ? trouble(path) :
							  EXIT_DONE;
}

static int open_cpus(struct ring *ring)
{
	DIR *dir = tracefs_list(ring->fs.dir, "per_cpu");
	const struct dirent *entry;
	unsigned int number;
	int code = EXIT_DONE;

	if (!dir)
		return trouble("per_cpu");
	while (!code && (entry = readdir(dir)))
		if (sscanf(entry->d_name, "cpu%u", &number) == 1)
			code = open_cpu(ring, number);
	closedir(dir);
	if (ring->n)
		qsort(ring->cpus, ring->n, sizeof(*ring->cpus), by_number);
	return code;
}

static int put(const struct ring *ring, const char *path, const char *text)
{
	if (!tracefs_write(&ring->fs, path, text))
		return EXIT_DONE;
	complain("%s: cannot write \"%s\": %s", path, text, strerror(errno));
	return EXIT_REFUSED;
}

/* Return: enum wlinkctl_exit. */
static int set_up(struct ring *ring, unsigned int kb, const char *filter)
{
	char path[128];
	char size[16];
	size_t i;
	const char *const files[][2] = {
		{ "tracing_on", "0" },
		{ "trace_clock", "mono" },
		/* What is lost is lost at the end of what is there. */
		{ "options/overwrite", "0" },
		/* Readers are woken by the first event. */
		{ "buffer_percent", "0" },
		{ "buffer_size_kb", size },
	};

	snprintf(size, sizeof(size), "%u", kb);
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (put(ring, files[i][0], files[i][1]))
			return EXIT_REFUSED;
	for (i = 0; filter && i < ring->n_formats; i++) {
		snprintf(path, sizeof(path), EVENTS "/%s/filter",
			 ring->formats[i].name);
		if (put(ring, path, filter))
			return EXIT_REFUSED;
	}
	return put(ring, EVENTS "/enable", "1");
}

int ring_open_in(struct ring *ring, unsigned int kb, const char *filter)
{
	int code = read_layout(ring);

	if (!code)
		code = read_formats(ring);
	if (!code)
		code = set_up(ring, kb, filter);
	if (!code)
		code = open_cpus(ring);
	if (!code)
		ring->pages = kb * 1024UL / ring->layout.bytes + 1;
	return code;
}

int ring_open(struct ring *ring, unsigned int kb, const char *filter)
{
	int code;

	memset(ring, 0, sizeof(*ring));
	code = tracefs_open(&ring->fs);
	return code ? code : ring_open_in(ring, kb, filter);
}
