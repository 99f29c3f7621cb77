// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/clocks.h"
#include "ring/ring.h"
#include "wlinkctl.h"

/* Between taking its time and being readable an event may be interrupted. */
#define SLACK_NS	10000000ULL

int ring_switch(struct ring *ring, bool on)
{
	if (!tracefs_write(&ring->fs, "tracing_on", on ? "1" : "0"))
		return EXIT_DONE;
	complain("tracing_on: %s", strerror(errno));
	return EXIT_REFUSED;
}

int ring_add_format(struct ring *ring, char *text)
{
	if (ring->n_formats == RING_FORMATS ||
	    ring_format_read(&ring->formats[ring->n_formats], text))
		return -1;
	ring->n_formats++;
	return 0;
}

int ring_add_cpu(struct ring *ring, unsigned int number, int fd)
{
	struct ring_cpu *cpus;

	cpus = realloc(ring->cpus, (ring->n + 1) * sizeof(*cpus));
	if (!cpus) {
		if (fd >= 0)
			close(fd);
		return -1;
	}
	ring->cpus = cpus;
	cpus[ring->n++] = (struct ring_cpu){ .number = number, .fd = fd };
	return 0;
}

void ring_take_page(struct ring *ring, size_t i, const void *page, size_t len)
{
	struct ring_cpu *cpu = &ring->cpus[i];
	struct ring_page *made;

	made = ring_page_make(&ring->layout, page, len, &cpu->missed);
	if (!made) {
		ring->failed |= errno == ENOMEM;
		ring->damaged += errno == EBADMSG;
		return;
	}
	if (cpu->first)
		cpu->last->next = made;
	else
		cpu->first = made;
	cpu->last = made;
}

/* Return: was there a page? */
static bool read_page(struct ring *ring, size_t i)
{
	struct ring_cpu *cpu = &ring->cpus[i];
	ssize_t got = read(cpu->fd, ring->page, ring->layout.bytes);

	if (got <= 0)
		return false;
	if (ring->pass_on)
		ring->pass_on(ring->pass_ctx, cpu->number, ring->page,
			      ring_page_bytes(&ring->layout, ring->page,
					      (size_t)got));
	else
		ring_take_page(ring, i, ring->page, (size_t)got);
	/* All up to its first record, which its time stamp stands for. */
	if ((size_t)got >= sizeof(cpu->reached_ns))
		memcpy(&cpu->reached_ns, ring->page, sizeof(cpu->reached_ns));
	return true;
}

uint64_t ring_drain(struct ring *ring)
{
	uint64_t from = clock_now();
	uint64_t until;
	size_t at, i;

	until = from > SLACK_NS ? from - SLACK_NS : 0;
	ring->all = true;
	for (at = 0; at < ring->n; at++) {
		struct ring_cpu *cpu = &ring->cpus[at];

		/* Others want their turn, too. */
		for (i = 0; i < ring->pages; i++)
			if (!read_page(ring, at))
				break;
		if (i < ring->pages)
			continue;
		ring->all = false;
		if (cpu->reached_ns < until)
			until = cpu->reached_ns;
	}
	return until;
}

/* Return: does a record of the processor wait? */
static bool look_at(struct ring *ring, struct ring_cpu *cpu)
{
	while (!cpu->held && cpu->first) {
		struct ring_page *page = cpu->first;
		int got = ring_page_next(page, &cpu->record);

		cpu->held = got > 0;
		if (cpu->held)
			break;
		ring->damaged += got < 0;
		cpu->first = page->next;
		free(page);
	}
	return cpu->held;
}

bool ring_next(struct ring *ring, uint64_t until_ns, struct ring_record *record,
	       const struct ring_format **format)
{
	struct ring_cpu *best = NULL;
	uint16_t id = 0;
	size_t i;

	for (i = 0; i < ring->n; i++) {
		struct ring_cpu *cpu = &ring->cpus[i];

		if (look_at(ring, cpu) && cpu->record.ts_ns <= until_ns &&
		    (!best || cpu->record.ts_ns < best->record.ts_ns))
			best = cpu;
	}
	if (!best)
		return false;
	/* Its page stays until the next is looked for. */
	best->held = false;
	*record = best->record;
	record->cpu = best->number;
	if (record->len >= sizeof(id))
		memcpy(&id, record->data, sizeof(id));
	*format = NULL;
	for (i = 0; i < ring->n_formats; i++)
		if (ring->formats[i].id == id)
			*format = &ring->formats[i];
	return true;
}

/* Return: the number behind a key, 0 if there is none. */
static uint64_t stat_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoull(at + strlen(key), NULL, 10) : 0;
}

static int stats_read(const struct ring *ring, const struct ring_cpu *cpu,
		      char *text, size_t size)
{
	char path[64];

	snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", cpu->number);
	return tracefs_read(&ring->fs, path, text, size);
}

static uint64_t lost_of(const struct ring *ring, const struct ring_cpu *cpu)
{
	uint64_t overrun;
	char text[1024];

	if (stats_read(ring, cpu, text, sizeof(text)))
		return cpu->missed;
	overrun = stat_of(text, "\noverrun: ");
	/* Both tell of the same events. */
	if (overrun < cpu->missed)
		overrun = cpu->missed;
	return overrun + stat_of(text, "\ncommit overrun: ") +
	       stat_of(text, "\ndropped events: ");
}

uint64_t ring_lost(const struct ring *ring)
{
	uint64_t lost = 0;
	size_t i;

	for (i = 0; i < ring->n; i++)
		lost += lost_of(ring, &ring->cpus[i]);
	return lost;
}

uint64_t ring_read(const struct ring *ring)
{
	uint64_t events = 0;
	char text[1024];
	size_t i;

	for (i = 0; i < ring->n; i++)
		if (!stats_read(ring, &ring->cpus[i], text, sizeof(text)))
			events += stat_of(text, "\nread events: ");
	return events;
}

void ring_close(struct ring *ring)
{
	size_t i;

	for (i = 0; i < ring->n; i++) {
		struct ring_page *page, *next;

		if (ring->cpus[i].fd >= 0)
			close(ring->cpus[i].fd);
		for (page = ring->cpus[i].first; page; page = next) {
			next = page->next;
			free(page);
		}
	}
	free(ring->cpus);
	free(ring->page);
	ring->n = 0;
	tracefs_close(&ring->fs);
}
