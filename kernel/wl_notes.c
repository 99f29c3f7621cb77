// SPDX-License-Identifier: GPL-2.0
/*
 * What has taken effect: the engine says so in softirq, and somebody has to tell
 * the listeners and to free memory, both of which may sleep. The memory of a
 * note is that of what it is about, so none is ever lost on the way.
 */
#include "wl_genl.h"
#include "wl_notes.h"
#include "wl_qdisc.h"
#include "wl_schedule.h"
#include "wl_txn.h"

void wl_notes_add(struct wl_notes *notes, struct wl_note *note)
{
	llist_add(&note->node, &notes->come);
	schedule_work(&notes->work);
}

void wl_notes_settle(struct wl_notes *notes)
{
	struct llist_node *come = llist_del_all(&notes->come);
	struct wl_note *note, *next;

	lockdep_assert_held(&notes->mutex);
	llist_for_each_entry_safe(note, next, llist_reverse_order(come), node) {
		note->next = NULL;
		if (notes->first)
			notes->last->next = note;
		else
			notes->first = note;
		notes->last = note;
		if (note->cmd == WLINK_CMD_APPLIED)
			wl_txn_settle(notes->sch, note);
		else
			wl_schedule_settle(notes->sch, note);
	}
}

static struct wl_note *take(struct wl_notes *notes)
{
	struct wl_note *first;

	mutex_lock(&notes->mutex);
	wl_notes_settle(notes);
	first = notes->first;
	notes->first = NULL;
	mutex_unlock(&notes->mutex);
	return first;
}

static void forget(struct wl_note *note)
{
	if (note->cmd == WLINK_CMD_APPLIED)
		wl_txn_forget(note);
	else
		wl_schedule_forget(note);
}

static void send(struct wl_notes *notes)
{
	struct wl_note *note, *next;

	for (note = take(notes); note; note = next) {
		next = note->next;
		if (!wl_genl_send(notes->sch, note, notes->lost))
			notes->lost++;
		forget(note);
		cond_resched();
	}
}

static void work(struct work_struct *work)
{
	send(container_of(work, struct wl_notes, work));
}

void wl_notes_init(struct wl_notes *notes, struct Qdisc *sch)
{
	notes->sch = sch;
	mutex_init(&notes->mutex);
	INIT_WORK(&notes->work, work);
}

void wl_notes_destroy(struct wl_notes *notes)
{
	cancel_work_sync(&notes->work);
	send(notes);
	mutex_destroy(&notes->mutex);
}
