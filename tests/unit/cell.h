/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _CELL_H
#define _CELL_H

/*
 * A link with several bearers, and what becomes of each SDU on it. Rooms and
 * slots come from malloc() here, as they come from the glue in the kernel.
 */
#include "wl_case.h"

#define CELL_BEARERS	1100
#define CELL_SDUS	20000

/**
 * struct cell_sdu - what became of one
 * @sdu: its record; cookie is 0 before it is over
 * @over: how often it came out; 1 in the end
 * @order: when it came out, counted over all
 */
struct cell_sdu {
	struct wl_sdu sdu;
	u32 over;
	u32 order;
};

/**
 * struct cell - the link
 * @link: must be first
 * @bearer: by number, from 1
 * @slots: memory of the heaps
 * @sdus: descriptors
 * @done: by number of arrival
 * @sent: SDUs sent into it
 * @count: SDUs that came out
 * @now_ns: time of the last call
 */
struct cell {
	struct wl_link link;
	struct wl_bearer *bearer[CELL_BEARERS];
	struct wl_node **slots;
	struct wl_sdu *sdus;
	struct cell_sdu done[CELL_SDUS];
	u32 sent;
	u32 count;
	u64 now_ns;
};

/** cell_init() - a link whose bearer 1 has a configuration */
void cell_init(struct cell *cell, const struct wl_cfg *cfg, u64 now_ns);

/** cell_free() - give all memory back */
void cell_free(struct cell *cell);

/** cell_add() - bearers from one number to another */
void cell_add(struct cell *cell, u32 from, u32 to, const struct wl_cfg *cfg);

/** cell_del() - delete a bearer */
void cell_del(struct cell *cell, u32 number);

/** cell_configure() - change a bearer, with the room that it needs */
void cell_configure(struct cell *cell, u32 number, const struct wl_cfg *cfg);

/** cell_send() - SDUs into a bearer, now */
void cell_send(struct cell *cell, u32 number, u32 bytes, u32 count);

/** cell_call() - one call at a time, and all that is due popped
 *
 * Return: as wl_link_advance().
 */
bool cell_call(struct cell *cell, u64 now_ns);

/** cell_run() - call at each wl_link_next_ns() up to a time, and at that */
void cell_run(struct cell *cell, u64 until_ns);

/** cell_check() - conservation, of each bearer and of the link */
void cell_check(const struct cell *cell);

/** cell_bits() - bits delivered of a bearer */
u64 cell_bits(const struct cell *cell, u32 number);

#endif
