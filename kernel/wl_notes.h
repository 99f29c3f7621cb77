/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NOTES_H
#define _WL_NOTES_H

#include <linux/llist.h>
#include <linux/mutex.h>
#include <linux/workqueue.h>

#include "core/wl_internal.h"

struct Qdisc;

/**
 * struct wl_note - something that has taken effect and is to be told
 * @node: among those that have come
 * @next: among those that are settled
 * @cmd: enum wlink_cmd: WLINK_CMD_APPLIED: part of a struct wl_change,
 *	WLINK_CMD_PLAY: of a struct wl_schedule
 * @state: WLINK_CMD_PLAY: the state come to, and the note's place in its schedule
 * @at_ns: when, in the model
 * @generation: of the link from then on
 */
struct wl_note {
	struct llist_node node;
	struct wl_note *next;
	enum wlink_cmd cmd;
	enum wlink_play_state state;
	u64 at_ns;
	u32 generation;
};

/**
 * struct wl_notes - from the engine, under a spinlock, to whom it concerns
 * @sch: the qdisc
 * @come: notes that nobody has looked at
 * @mutex: held by whoever looks at or frees what notes belong to; inside RTNL,
 *	outside the root qdisc lock
 * @first: settled, to be sent; under @mutex
 * @last: the last of them
 * @work: sends and frees
 * @lost: notifications that could not be sent
 */
struct wl_notes {
	struct Qdisc *sch;
	struct llist_head come;
	struct mutex mutex;	/* of what notes belong to */
	struct wl_note *first;
	struct wl_note *last;
	struct work_struct work;
	u64 lost;
};

/**
 * wl_notes_init() - before anything else
 * @notes: zeroed
 * @sch: a wlink qdisc
 */
void wl_notes_init(struct wl_notes *notes, struct Qdisc *sch);

/**
 * wl_notes_destroy() - send what has not been sent; may sleep
 * @notes: initialised; nothing comes any more
 */
void wl_notes_destroy(struct wl_notes *notes);

/**
 * wl_notes_add() - something has taken effect; neither allocates nor sleeps
 * @notes: notes
 * @note: cmd, at_ns and generation are set; the notes' own until it is freed
 */
void wl_notes_add(struct wl_notes *notes, struct wl_note *note);

/**
 * wl_notes_settle() - let what has come change what the owner knows
 * @notes: notes; the mutex is held
 */
void wl_notes_settle(struct wl_notes *notes);

#endif
