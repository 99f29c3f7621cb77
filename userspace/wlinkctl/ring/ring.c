// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/clocks.h"
#include "ring/page.h"
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

static void take(void *ctx, uint64_t ts_ns, const void *data, size_t len)
{
	struct ring *ring = ctx;

	if (ring_queue_put(&ring->queues[ring->at], ts_ns, data, len))
		ring->failed = true;
}

void ring_take_page(struct ring *ring, size_t i, const void *page, size_t len)
{
	struct ring_cpu *cpu = &ring->cpus[i];
	struct ring_missed missed;

	ring->at = i;
	if (ring_page_read(&ring->layout, page, len, &missed, take, ring))
		ring->damaged++;
	if (missed.any)
		cpu->missed += missed.count ? missed.count : 1;
}

/* All up to its first record has been read, which is all that a page tells. */
static void pass_page(struct ring *ring, size_t i, size_t len)
{
	ring->pass_on(ring->pass_ctx, ring->cpus[i].number, ring->page,
		      ring_page_bytes(&ring->layout, ring->page, len));
	if (len >= sizeof(uint64_t))
		memcpy(&ring->queues[i].last_ns, ring->page, sizeof(uint64_t));
}

/* Return: was there a page? */
static bool read_page(struct ring *ring, size_t i)
{
	ssize_t got = read(ring->cpus[i].fd, ring->page, ring->layout.bytes);

	if (got <= 0)
		return false;
	if (ring->pass_on)
		pass_page(ring, i, (size_t)got);
	else
		ring_take_page(ring, i, ring->page, (size_t)got);
	return true;
}

uint64_t ring_drain(struct ring *ring)
{
	uint64_t from = clock_now();
	uint64_t until;
	size_t at, i;

	until = from > SLACK_NS ? from - SLACK_NS : 0;
	for (at = 0; at < ring->n; at++) {
		struct ring_cpu *cpu = &ring->cpus[at];

		/* Others want their turn, too. */
		for (i = 0; i < ring->pages; i++)
			if (!read_page(ring, at))
				break;
		cpu->all = i < ring->pages;
		if (!cpu->all && ring->queues[at].last_ns < until)
			until = ring->queues[at].last_ns;
	}
	return until;
}

bool ring_next(struct ring *ring, uint64_t until_ns, struct ring_record *record,
	       const struct ring_format **format)
{
	uint16_t id = 0;
	size_t i;

	if (!ring_merge_next(ring->queues, ring->n, until_ns, record))
		return false;
	if (record->len >= sizeof(id))
		memcpy(&id, record->data, sizeof(id));
	*format = NULL;
	for (i = 0; i < ring->n_formats; i++)
		if (ring->formats[i].id == id)
			*format = &ring->formats[i];
	record->cpu = ring->cpus[record->cpu].number;
	return true;
}

/* Return: the number behind a key at the start of a line, 0 if there is none. */
static uint64_t stat_of(const char *text, const char *key)
{
	size_t len = strlen(key);
	const char *line = text;

	while (line && strncmp(line, key, len)) {
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	return line ? strtoull(line + len, NULL, 10) : 0;
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
	overrun = stat_of(text, "overrun: ");
	/* Both tell of the same events. */
	if (overrun < cpu->missed)
		overrun = cpu->missed;
	return overrun + stat_of(text, "commit overrun: ") +
	       stat_of(text, "dropped events: ");
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
			events += stat_of(text, "read events: ");
	return events;
}

void ring_close(struct ring *ring)
{
	size_t i;

	for (i = 0; i < ring->n; i++) {
		if (ring->cpus[i].fd >= 0)
			close(ring->cpus[i].fd);
		if (ring->queues)
			ring_queue_free(&ring->queues[i]);
	}
	free(ring->cpus);
	free(ring->queues);
	free(ring->page);
	ring->n = 0;
	tracefs_close(&ring->fs);
}
