/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RING_PAGE_H
#define _WLINKCTL_RING_PAGE_H

/* The pages of the kernel's ring buffer. */

#include "ring/format.h"

/**
 * typedef ring_record_fn - called for each record of a page
 * @ctx: of the caller
 * @ts_ns: when it was written
 * @record: its bytes
 * @len: how many
 */
typedef void (*ring_record_fn)(void *ctx, uint64_t ts_ns, const void *record,
			       size_t len);

/**
 * struct ring_missed - events that were overwritten before a page
 * @any: there were some
 * @count: how many, 0 if the page does not tell
 */
struct ring_missed {
	bool any;
	uint64_t count;
};

/**
 * ring_page_read() - read a page
 * @layout: of pages
 * @page: its bytes
 * @len: how many
 * @missed: result
 * @each: called for each record, in order of time
 * @ctx: handed to @each
 *
 * Return: 0, or -1 if the page is damaged; records before the damage have been
 * handed to @each.
 */
int ring_page_read(const struct ring_layout *layout, const void *page,
		   size_t len, struct ring_missed *missed, ring_record_fn each,
		   void *ctx);

/**
 * ring_page_bytes() - find out how much of a page is used
 * @layout: of pages
 * @page: its bytes
 * @len: how many
 *
 * Return: bytes up to the end of the data, or of the number of events missed.
 */
size_t ring_page_bytes(const struct ring_layout *layout, const void *page,
		       size_t len);

#endif
