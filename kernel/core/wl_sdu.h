/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SDU_H
#define _WL_SDU_H

#include "wl_internal.h"

/* The work for more, in 10^-9 bit, would not fit 63 bits. */
#define WL_SDU_BYTES_MAX	(1U << 30)

/**
 * struct wl_sdu - one SDU from arrival to hand-over or drop
 * @next: next in the list it is on
 * @cookie: the packet, opaque to the core
 * @seq: number of its arrival on this link, from 0
 * @arrival_ns: when it came
 * @start_ns: when its first bit got the radio, or the start of the first TTI
 *	with capacity for it
 * @end_ns: when its last bit has been sent (the end of that TTI), or when it
 *	was dropped
 * @deliver_ns: when it is due on the far side
 * @bytes: size
 * @left_bytes: not yet sent
 * @pdus: PDUs sent for it
 * @pdus_lost: of these, lost on the air
 * @generation: of the configuration in force when it ended
 * @bearer: number of its bearer
 * @drop: why it was dropped
 */
struct wl_sdu {
	struct wl_sdu *next;
	void *cookie;
	u64 seq;
	u64 arrival_ns;
	u64 start_ns;
	u64 end_ns;
	u64 deliver_ns;
	u32 bytes;
	u32 left_bytes;
	u32 pdus;
	u32 pdus_lost;
	u32 generation;
	u16 bearer;
	u8 drop;
};

/**
 * struct wl_fifo - SDUs in order
 * @head: first, NULL when empty
 * @tail: last, undefined when empty
 */
struct wl_fifo {
	struct wl_sdu *head;
	struct wl_sdu *tail;
};

static inline void wl_fifo_push(struct wl_fifo *fifo, struct wl_sdu *sdu)
{
	sdu->next = NULL;
	if (fifo->head)
		fifo->tail->next = sdu;
	else
		fifo->head = sdu;
	fifo->tail = sdu;
}

static inline struct wl_sdu *wl_fifo_pop(struct wl_fifo *fifo)
{
	struct wl_sdu *sdu = fifo->head;

	if (sdu)
		fifo->head = sdu->next;
	return sdu;
}

#endif
