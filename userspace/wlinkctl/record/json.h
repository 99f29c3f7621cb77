/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_JSON_H
#define _WLINKCTL_RECORD_JSON_H

#include "lib/line.h"
#include "ring/page.h"

/* struct record_kind - what is known of an event before it comes */
struct record_kind;

/**
 * record_kinds_make() - prepare kinds of events
 * @formats: they
 * @n: how many
 *
 * Return: as many, for free(); NULL if there is no memory.
 */
struct record_kind *record_kinds_make(const struct ring_format *formats,
				      size_t n);

/**
 * record_kind_at() - find a kind
 * @kinds: of record_kinds_make()
 * @i: number of its format
 *
 * Return: it.
 */
struct record_kind *record_kind_at(struct record_kind *kinds, size_t i);

/**
 * record_json() - write an event as one line of JSON
 * @line: where to
 * @record: event
 * @kind: its kind, which remembers it
 * @tai_ns: CLOCK_TAI of the event
 *
 * First come event, ts_ns, tai_ns and cpu, then its fields by the names that the
 * kernel has for them.
 */
void record_json(struct line *line, const struct ring_record *record,
		 struct record_kind *kind, uint64_t tai_ns);

#endif
