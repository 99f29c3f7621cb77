/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_RING_H
#define _WLINKCTL_RING_H

/* The events of the tracepoints wlink:*, from the kernel's ring buffers. */

#include "lib/tracefs.h"
#include "ring/format.h"
#include "ring/page.h"

#define RING_FORMATS	32
#define RING_KB		2048U
#define RING_KB_MAX	1048576U

/**
 * struct ring_cpu - buffer of one processor
 * @number: of the processor
 * @fd: its trace_pipe_raw
 * @missed: events that its pages tell of as overwritten
 * @reached_ns: all before it has been read
 * @first: page that its next record is in, NULL if none waits
 * @last: page that came last
 * @held: there is a @record
 * @record: the earliest that waits
 */
struct ring_cpu {
	unsigned int number;
	int fd;
	uint64_t missed;
	uint64_t reached_ns;
	struct ring_page *first;
	struct ring_page *last;
	bool held;
	struct ring_record record;
};

/**
 * typedef ring_page_fn - called for each page, where nobody wants records
 * @ctx: of the caller
 * @cpu: number of the processor
 * @page: its bytes
 * @len: how many
 */
typedef void (*ring_page_fn)(void *ctx, unsigned int cpu, const void *page,
			     size_t len);

/**
 * struct ring - all buffers
 * @fs: tracing instance
 * @layout: of pages
 * @formats: of the events
 * @n_formats: how many
 * @cpus: buffers
 * @n: how many
 * @page: room for a page
 * @pass_on: pages go there and are not kept; NULL to keep them
 * @pass_ctx: handed to @pass_on
 * @pages: that a buffer holds
 * @all: the last round has left nothing in any buffer
 * @failed: there was no memory for all records
 * @damaged: pages that could not be read to their end
 */
struct ring {
	struct tracefs fs;
	struct ring_layout layout;
	struct ring_format formats[RING_FORMATS];
	size_t n_formats;
	struct ring_cpu *cpus;
	size_t n;
	void *page;
	ring_page_fn pass_on;
	void *pass_ctx;
	size_t pages;
	bool all;
	bool failed;
	uint64_t damaged;
};

/**
 * ring_open() - make an instance that does not record yet
 * @ring: result; ring_close() it, whatever is returned
 * @kb: size of the buffer of a processor
 * @filter: which events, in the kernel's words; NULL for all
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int ring_open(struct ring *ring, unsigned int kb, const char *filter);

/**
 * ring_open_in() - the same with an instance that is there already
 * @ring: all 0 but for the instance
 * @kb: as for ring_open()
 * @filter: as for ring_open()
 *
 * Return: as ring_open().
 */
int ring_open_in(struct ring *ring, unsigned int kb, const char *filter);

/**
 * ring_switch() - record, or record no more
 * @ring: instance
 * @on: which
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int ring_switch(struct ring *ring, bool on);

/**
 * ring_add_format() - read the description of an event
 * @ring: instance
 * @text: the kernel's file format; changed
 *
 * Return: 0, or -1 if it makes no sense or there are too many.
 */
int ring_add_format(struct ring *ring, char *text);

/**
 * ring_add_cpu() - add the buffer of a processor
 * @ring: instance
 * @number: of the processor
 * @fd: its trace_pipe_raw, which is the ring's now; -1 for none
 *
 * Return: 0, or -1 if there is no memory.
 */
int ring_add_cpu(struct ring *ring, unsigned int number, int fd);

/**
 * ring_take_page() - keep the records of a page
 * @ring: instance
 * @i: which of its buffers
 * @page: page
 * @len: its bytes
 */
void ring_take_page(struct ring *ring, size_t i, const void *page, size_t len);

/**
 * ring_drain() - take pages from the kernel
 * @ring: instance
 *
 * Reads what is there and does not wait for more.
 *
 * Return: time up to which all there is and ever will be has come.
 */
uint64_t ring_drain(struct ring *ring);

/**
 * ring_next() - take the earliest record
 * @ring: instance
 * @until_ns: what ring_drain() has returned; UINT64_MAX at the end
 * @record: result, good until the next call of ring_next() or ring_drain()
 * @format: result; NULL if it is of an unknown kind
 *
 * Return: is there one?
 */
bool ring_next(struct ring *ring, uint64_t until_ns, struct ring_record *record,
	       const struct ring_format **format);

/**
 * ring_lost() - count events that are in no buffer
 * @ring: instance
 *
 * Return: how many so far.
 */
uint64_t ring_lost(const struct ring *ring);

/**
 * ring_read() - count events that were read
 * @ring: instance
 *
 * Return: how many so far.
 */
uint64_t ring_read(const struct ring *ring);

/**
 * ring_close() - remove the instance
 * @ring: instance
 */
void ring_close(struct ring *ring);

#endif
