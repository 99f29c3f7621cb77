/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RECORD_JSON_H
#define _WLINKCTL_RECORD_JSON_H

#include <stdio.h>

#include "ring_format.h"
#include "ring_merge.h"

/**
 * record_json() - write an event as one line of JSON
 * @f: where to
 * @record: event
 * @format: its kind
 *
 * First come event, ts_ns and cpu, then its fields by the names that the kernel
 * has for them.
 */
void record_json(FILE *f, const struct ring_record *record,
		 const struct ring_format *format);

#endif
