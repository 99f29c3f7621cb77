/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CELL_H
#define _WL_CELL_H

/*
 * A link with several bearers, and what becomes of each SDU on it; shared by
 * the KUnit module and the unit tests in user space. Rooms and slots come from
 * wl_mem.h, as they come from the glue in the real thing. The first rule that
 * is broken stays in cell->bad.
 */
#include "wl_case.h"

#define CELL_BEARERS	1100
#define CELL_NOTES	512
/* Bearers whose rings move: those of stories. */
#define CELL_MOVED	5

/**
 * enum cell_kind - what a note is about
 * @CELL_APPLIED: a transaction; first: its id, second: its parts
 * @CELL_RATE: a configuration; first: the rate, second: the old one
 * @CELL_GRANTED: an opportunity; first: its bytes, second: those used
 * @CELL_SCHEDULE: a schedule; first: its state, second: passes that are over
 */
enum cell_kind {
	CELL_APPLIED,
	CELL_RATE,
	CELL_GRANTED,
	CELL_SCHEDULE,
};

/**
 * struct cell_note - what the engine has told
 * @kind: of what
 * @at_ns: when it was
 * @generation: of the link then
 * @number: of the bearer, 0 for CELL_APPLIED
 * @first: see enum cell_kind
 * @second: the same
 */
struct cell_note {
	enum cell_kind kind;
	u64 at_ns;
	u32 generation;
	u16 number;
	u64 first;
	u64 second;
};

/**
 * struct cell_sdu - what became of one
 * @sdu: its record; cookie is 0 before it is over
 * @over: how often it came out; 1 in the end
 * @order: when it came out, counted over all
 * @number: of its bearer
 * @ecn: as it was sent
 * @copies: how often its copy came out
 * @copy: record of that
 */
struct cell_sdu {
	struct wl_sdu sdu;
	struct wl_sdu copy;
	u32 copies;
	u32 over;
	u32 order;
	u16 number;
	u8 ecn;
};

/**
 * struct cell - the link
 * @link: must be first
 * @bearer: by number, from 1
 * @slots: memory of the heaps
 * @sdus: descriptors
 * @done: by number of arrival
 * @limit: SDUs that there is memory for
 * @sent: SDUs sent into it
 * @count: SDUs that came out
 * @notes: what was told, as far as there is room
 * @noted: how many of these
 * @told: all that was told, in one number
 * @rrc_changes: how often a receiver has changed its state
 * @cancelled: transactions that were taken back
 * @background_ns: airtime that users in the background took
 * @now_ns: time of the last call
 * @event_ns: of the last event that was told
 * @peer: the other link of a pair
 * @due_ns: when the link has asked to be called; nothing is delivered earlier. 0 in other calls
 * @moves: before each call so many records of each ring of a bearer move to other memory
 * @moving: number of that bearer, or of the one that was the last
 * @wider: that memory
 * @sum: of all bearers, too large for a kernel's stack
 * @scratch: of one bearer, the same
 * @bad: the first thing that is not as it must be
 */
struct cell {
	struct wl_link link;
	struct wl_bearer *bearer[CELL_BEARERS];
	struct wl_node **slots;
	struct wl_sdu *sdus;
	struct cell_sdu *done;
	u32 limit;
	u32 sent;
	u32 count;
	struct cell_note notes[CELL_NOTES];
	u32 noted;
	u64 told;
	u32 rrc_changes;
	u32 cancelled;
	u64 background_ns;
	u64 now_ns;
	u64 event_ns;
	u64 due_ns;
	u32 moves;
	u32 moving;
	struct wl_rings wider;
	struct wl_stats sum;
	struct wl_cfg scratch;
	struct wl_mismatch bad;
	struct cell *peer;
};

/**
 * wl_mismatch_is() - note a figure that is not as it must be
 * @bad: keeps the first one
 * @what: its name
 * @seq: of which SDU
 * @is: what it is
 * @wanted: what it must be
 *
 * Return: whether it is as it must be.
 */
bool wl_mismatch_is(struct wl_mismatch *bad, const char *what, u64 seq, u64 is, u64 wanted);

/**
 * wl_cell_init() - a link whose bearer 1 has a configuration
 * @cell: where; what was there is forgotten
 * @cfg: configuration
 * @now_ns: time
 * @limit: SDUs that will be sent at most
 *
 * To be freed also when @cell->bad says that there was no memory.
 */
void wl_cell_init(struct cell *cell, const struct wl_cfg *cfg, u64 now_ns, u32 limit);

/**
 * wl_cell_free() - give all memory back
 * @cell: link
 */
void wl_cell_free(struct cell *cell);

/**
 * wl_cell_add() - a bearer
 * @cell: link
 * @number: its number
 * @cfg: its configuration
 */
void wl_cell_add(struct cell *cell, u32 number, const struct wl_cfg *cfg);

/**
 * wl_cell_forward() - empty a bearer for another link
 * @cell: link
 * @number: which
 */
void wl_cell_forward(struct cell *cell, u32 number);

/**
 * wl_cell_refuse() - a SDU comes that is dropped at once
 * @cell: link
 * @number: of its bearer
 * @bytes: its size
 */
void wl_cell_refuse(struct cell *cell, u32 number, u32 bytes);

/**
 * wl_cell_clear() - let go of all that a bearer holds, which is to be deleted
 * @cell: link
 * @number: which
 */
void wl_cell_clear(struct cell *cell, u32 number);

/**
 * wl_cell_del() - delete a bearer
 * @cell: link
 * @number: which; nothing of it waits for the engine, or to be handed over
 */
void wl_cell_del(struct cell *cell, u32 number);

/**
 * wl_cell_configure() - change a bearer, with the room that it needs
 * @cell: link
 * @number: which
 * @cfg: how
 */
void wl_cell_configure(struct cell *cell, u32 number, const struct wl_cfg *cfg);

/**
 * wl_cell_commit() - commit a transaction, with the room that it needs
 * @cell: link; where @at_ns is WLINK_AT_NOW, now_ns may be ahead of the engine
 * @at_ns: see wl_link_commit()
 * @txn: of wl_ask_new(), the cell's from then on
 */
void wl_cell_commit(struct cell *cell, u64 at_ns, struct wl_pending *txn);

/**
 * wl_cell_cancel() - take back all transactions that wait, and commit them for the next TTI
 * @cell: link
 */
void wl_cell_cancel(struct cell *cell);

/**
 * wl_cell_flush() - drop all that is held
 * @cell: link, advanced to its now_ns
 */
void wl_cell_flush(struct cell *cell);

/**
 * wl_cell_schedule() - start a schedule, with the room that it needs
 * @cell: link
 * @number: bearer
 * @schedule: of wl_schedules_new(), the cell's from then on
 */
void wl_cell_schedule(struct cell *cell, u32 number, struct wl_schedule *schedule);

/**
 * wl_cell_stop() - stop the schedule of a bearer
 * @cell: link
 * @number: bearer
 */
void wl_cell_stop(struct cell *cell, u32 number);

/**
 * wl_cell_send_ecn() - SDUs into a bearer, now
 * @cell: link
 * @number: bearer
 * @bytes: size of each
 * @count: how many
 * @ecn: their ECN field
 */
void wl_cell_send_ecn(struct cell *cell, u32 number, u32 bytes, u32 count, u8 ecn);

/**
 * wl_cell_send() - SDUs into a bearer, now
 * @cell: link
 * @number: bearer
 * @bytes: size of each
 * @count: how many
 */
void wl_cell_send(struct cell *cell, u32 number, u32 bytes, u32 count);

/**
 * wl_cell_call() - one call at a time, and all that is due popped
 * @cell: link
 * @now_ns: time
 *
 * Return: as wl_link_advance().
 */
bool wl_cell_call(struct cell *cell, u64 now_ns);

/**
 * wl_cell_run() - call at each wl_link_next_ns() up to a time, and at it
 * @cell: link
 * @until_ns: time
 */
void wl_cell_run(struct cell *cell, u64 until_ns);

/**
 * wl_cell_check() - conservation, of each bearer and of the link
 * @cell: link
 */
void wl_cell_check(struct cell *cell);

#endif
