/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RING_PAGE_H
#define _WLINKCTL_RING_PAGE_H

/* The pages of the kernel's ring buffer. */

#include "ring/format.h"

/**
 * struct ring_record - a record on its way out
 * @ts_ns: when it was written
 * @cpu: number of the processor, known to ring_next()
 * @data: its bytes
 * @len: how many
 */
struct ring_record {
	uint64_t ts_ns;
	size_t cpu;
	const void *data;
	size_t len;
};

/**
 * struct ring_page - events of a page, of which some have been read
 * @next: page of the same processor that comes behind it
 * @ts_ns: time of the event that was read last
 * @at: offset of the next event
 * @end: offset behind the last
 * @bytes: of the events; where ring_page_make() kept them, behind this
 */
struct ring_page {
	struct ring_page *next;
	uint64_t ts_ns;
	size_t at;
	size_t end;
	const unsigned char *bytes;
};

/**
 * ring_page_open() - begin to read a page where it is
 * @page: result
 * @layout: of pages
 * @bytes: of the page
 * @len: how many
 * @missed: as for ring_page_make()
 *
 * Return: 0, or -1 if the page is damaged.
 */
int ring_page_open(struct ring_page *page, const struct ring_layout *layout, const void *bytes,
		   size_t len, uint64_t *missed);

/**
 * ring_page_make() - keep what a page has
 * @layout: of pages
 * @page: its bytes
 * @len: how many
 * @missed: events that were overwritten before it are added; 1 if the page does
 *	not tell how many
 *
 * Return: copy, for free(); NULL with errno set, EBADMSG if the page is damaged.
 */
struct ring_page *ring_page_make(const struct ring_layout *layout,
				 const void *page, size_t len,
				 uint64_t *missed);

/**
 * ring_page_next() - read the next record
 * @page: page
 * @record: result, good as long as the page
 *
 * Return: 1; 0 if there is none; -1 if the rest of the page is damaged.
 */
int ring_page_next(struct ring_page *page, struct ring_record *record);

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
