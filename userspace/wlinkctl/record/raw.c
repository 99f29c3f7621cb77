// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "record/raw.h"

#define TEXT_BYTES	65536

void record_raw_put(struct line *line, enum record_raw_kind kind,
		    unsigned int cpu, const void *bytes, size_t len)
{
	const struct record_raw_head head = { kind, cpu, len };

	line_add(line, (const char *)&head, sizeof(head));
	line_add(line, bytes, len);
}

static int put_text(struct line *line, enum record_raw_kind kind,
		    const struct ring *ring, const char *path)
{
	static char text[TEXT_BYTES];

	if (tracefs_read(&ring->fs, path, text, sizeof(text)))
		return -1;
	record_raw_put(line, kind, 0, text, strlen(text));
	return 0;
}

int record_raw_begin(struct line *line, const struct ring *ring,
		     const struct line *machine)
{
	char path[RING_NAME + 32];
	size_t i;

	line_put(line, RECORD_RAW_MAGIC);
	record_raw_put(line, RAW_MACHINE, 0, machine->text, machine->len);
	if (put_text(line, RAW_HEADER, ring, "events/header_page"))
		return -1;
	for (i = 0; i < ring->n_formats; i++) {
		snprintf(path, sizeof(path), "events/wlink/%s/format",
			 ring->formats[i].name);
		if (put_text(line, RAW_FORMAT, ring, path))
			return -1;
	}
	for (i = 0; i < ring->n; i++)
		record_raw_put(line, RAW_CPU, ring->cpus[i].number, "", 0);
	return 0;
}
