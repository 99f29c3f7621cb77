// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

static void flow_line(struct log *log, const char *line)
{
	struct name_flow *f = &log->flows[log->flow_count];
	char kind[16];

	if (log->flow_count == MAX_FLOWS)
		fail("more than %d flows", MAX_FLOWS);
	if (sscanf(line, "flow %u %127s %15s %ms %ms", &f->port, f->name, kind,
		   &f->sent_at, &f->come_at) != 5)
		fail("bad line in names: %s", line);
	f->web = !strcmp(kind, "web");
	f->ping = !strncmp(kind, "ping", 4);
	f->icmp = !strcmp(kind, "ping/icmp");
	f->tcp = f->web || !strcmp(kind, "tcp") || !strcmp(kind, "ping/tcp");
	log->flow_count++;
}

static void link_line(struct log *log, const char *line)
{
	struct name_link *l = &log->links[log->link_count];
	ENTRY *at, entry = { .key = l->device, .data = l };

	if (log->link_count == MAX_LINKS)
		fail("more than %d links", MAX_LINKS);
	if (sscanf(line, "link %15s %31s", l->device, l->name) != 2)
		fail("bad line in names: %s", line);
	if (!hsearch_r(entry, ENTER, &at, &log->by_device))
		fail("out of memory");
	log->link_count++;
}

/* "leg PORT NUMBER DEVICE", after the flow's own line and those of links. */
static void leg_line(struct log *log, const char *line)
{
	unsigned int port, number;
	char device[16];
	size_t i;

	if (sscanf(line, "leg %u %u %15s", &port, &number, device) != 3)
		fail("bad line in names: %s", line);
	for (i = 0; i < log->flow_count; i++) {
		struct name_flow *f = &log->flows[i];

		if (f->port != port)
			continue;
		if (!f->legs)
			f->legs = calloc(log->link_count, sizeof(*f->legs));
		if (!f->legs)
			fail("out of memory");
		f->legs[link_of(log, device) - log->links] = number;
	}
}

/* "capture DEVICE", after the lines of links. */
static void capture_line(struct log *log, const char *line)
{
	char device[16];

	if (sscanf(line, "capture %15s", device) != 1)
		fail("bad line in names: %s", line);
	capture_open(log, link_of(log, device));
}

void names_read(struct log *log)
{
	char path[4096], *line = NULL;
	size_t size = 0;
	FILE *f;

	if (!hcreate_r(2UL * MAX_LINKS, &log->by_device))
		fail("out of memory");
	snprintf(path, sizeof(path), "%s/names", log->in);
	f = fopen(path, "r");
	if (!f)
		fail("%s: %s", path, strerror(errno));
	while (getline(&line, &size, f) > 0) {
		if (!strncmp(line, "flow ", 5))
			flow_line(log, line);
		else if (!strncmp(line, "leg ", 4))
			leg_line(log, line);
		else if (!strncmp(line, "capture ", 8))
			capture_line(log, line);
		else
			link_line(log, line);
	}
	free(line);
	fclose(f);
}

struct name_link *link_of(struct log *log, char *device)
{
	ENTRY *at, entry = { .key = device };

	if (!hsearch_r(entry, FIND, &at, &log->by_device))
		fail("event of a device that is not ours: %s", device);
	return at->data;
}

struct name_flow *flow_of(struct log *log, unsigned int sport,
			  unsigned int dport, bool *back)
{
	size_t i;

	for (i = 0; i < log->flow_count; i++) {
		if (log->flows[i].port == sport || log->flows[i].port == dport) {
			*back = log->flows[i].port == dport;
			return &log->flows[i];
		}
	}
	return NULL;
}

struct conn *conn_of(struct name_flow *f, unsigned int port)
{
	size_t i;

	/* Most packets belong to recent connections. */
	for (i = f->conn_count; i-- > 0;)
		if (f->conns[i].port == port)
			return &f->conns[i];
	f->conns = longer(f->conns, f->conn_count, sizeof(*f->conns));
	f->conns[f->conn_count] = (struct conn){ .port = port };
	return &f->conns[f->conn_count++];
}

void *longer(void *list, size_t count, size_t size)
{
	/* It grows at powers of two. */
	if (count & (count - 1))
		return list;
	list = realloc(list, (count ? count * 2 : 1) * size);
	if (!list)
		fail("out of memory");
	return list;
}

void delay_add(const struct log *log, struct delays *d, int64_t from_ns,
	       uint64_t ns)
{
	const int last = from_ns >= (int64_t)log->warmup_ns ? WARM : WHOLE;
	/* Without a warm-up there is only one list. */
	int i = log->warmup_ns ? WHOLE : WARM;

	for (; i <= last; i++) {
		d->list[i] = longer(d->list[i], d->count[i], sizeof(ns));
		d->list[i][d->count[i]++] = ns;
	}
}
