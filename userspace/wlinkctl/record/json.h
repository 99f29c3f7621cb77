/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_JSON_H
#define _WLINKCTL_RECORD_JSON_H

#include "lib/line.h"
#include "ring/page.h"

/**
 * record_json() - write an event as one line of JSON
 * @line: where to
 * @record: event
 * @format: its kind
 * @tai_ns: CLOCK_TAI of the event
 *
 * First come event, ts_ns, tai_ns and cpu, then its fields by the names that the
 * kernel has for them.
 */
void record_json(struct line *line, const struct ring_record *record,
		 const struct ring_format *format, uint64_t tai_ns);

#endif
