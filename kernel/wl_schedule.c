// SPDX-License-Identifier: GPL-2.0
/*
 * Schedules as the kernel keeps them: their memory, what they ask of a bearer,
 * and how they end. One that has been started ends with its last note; the work
 * that sends it frees the schedule.
 */
#include <linux/mm.h>
#include <linux/slab.h>

#include "wl_refuse.h"
#include "wl_schedule.h"

struct wl_schedule *wl_schedule_of(const struct wl_note *note)
{
	return container_of(note - note->state, struct wl_schedule, notes[0]);
}

/* Dumps read it with the root qdisc lock only. */
void wl_schedule_count(struct wl_sched *q, s64 bytes)
{
	WRITE_ONCE(q->steps_bytes, q->steps_bytes + bytes);
}

struct wl_schedule *wl_schedule_new(u32 columns, u32 number)
{
	struct wl_schedule *schedule;
	enum wlink_play_state state;

	schedule = kzalloc(sizeof(*schedule), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!schedule)
		return NULL;
	wl_play_init(&schedule->play, columns);
	schedule->number = number;
	for (state = 0; state < __WLINK_PLAY_STATE_MAX; state++) {
		schedule->notes[state].cmd = WLINK_CMD_PLAY;
		schedule->notes[state].state = state;
	}
	return schedule;
}

static void free_steps(struct wl_steps *steps)
{
	struct wl_steps *next;

	for (; steps; steps = next) {
		next = steps->next;
		kvfree(steps);
		cond_resched();
	}
}

void wl_schedule_free(struct wl_schedule *schedule)
{
	free_steps(schedule->play.first);
	kfree(schedule);
}

void wl_schedule_most(const struct wl_class *cl, struct wl_cfg *cfg)
{
	const struct wl_schedule *schedule;

	for (schedule = cl->schedules; schedule; schedule = schedule->next)
		wl_play_most(&schedule->play, cfg);
	wl_play_most(cl->candidate, cfg);
}

static int fits(const struct wl_play *play, const struct wl_cfg *cfg,
		struct netlink_ext_ack *extack)
{
	struct wl_refusal why;

	if (wl_play_fits(play, cfg, &why))
		return wl_refuse(&why, extack, "schedule: ");
	return 0;
}

int wl_schedule_judge(const struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack)
{
	const struct wl_schedule *schedule;
	int err = 0;

	for (schedule = cl->schedules; !err && schedule;
	     schedule = schedule->next)
		err = fits(&schedule->play, cfg, extack);
	if (!err && cl->candidate)
		err = fits(cl->candidate, cfg, extack);
	return err;
}

/* The root qdisc lock is held. Of each state there is one note: none comes
 * twice.
 */
static void tell(struct wl_sched *q, struct wl_schedule *schedule, u64 at_ns)
{
	enum wlink_play_state state = schedule->play.state;
	struct wl_note *note = &schedule->notes[state];

	schedule->over = state == WLINK_PLAY_STATE_NONE;
	note->at_ns = at_ns;
	note->generation = q->link.generation;
	wl_notes_add(&q->notes, note);
}

void wl_schedule_changed(struct wl_sched *q, struct wl_play *play, u64 at_ns)
{
	tell(q, container_of(play, struct wl_schedule, play), at_ns);
}

void wl_schedule_stop(struct wl_sched *q, struct wl_schedule *schedule,
		      u64 at_ns)
{
	if (schedule->over)
		return;
	schedule->play.state = WLINK_PLAY_STATE_NONE;
	tell(q, schedule, at_ns);
}

void wl_schedule_know(struct wl_sched *q, struct wl_class *cl,
		      struct wl_schedule *schedule)
{
	schedule->cl = cl;
	schedule->next = cl->schedules;
	cl->schedules = schedule;
}

void wl_schedule_unknow(struct wl_sched *q, struct wl_schedule *schedule)
{
	struct wl_schedule **from;

	wl_schedule_count(q, -schedule->bytes);
	if (!schedule->cl)
		return;
	for (from = &schedule->cl->schedules; *from != schedule;)
		from = &(*from)->next;
	*from = schedule->next;
}

void wl_schedule_settle(struct Qdisc *sch, struct wl_note *note)
{
	if (note->state == WLINK_PLAY_STATE_NONE)
		wl_schedule_unknow(qdisc_priv(sch), wl_schedule_of(note));
}

void wl_schedule_forget(struct wl_note *note)
{
	if (note->state == WLINK_PLAY_STATE_NONE)
		wl_schedule_free(wl_schedule_of(note));
}

void wl_schedule_leave(struct wl_sched *q, struct wl_class *cl, u64 now_ns)
{
	struct wl_schedule *schedule, *next;

	for (schedule = cl->schedules; schedule; schedule = next) {
		next = schedule->next;
		schedule->cl = NULL;
		wl_schedule_stop(q, schedule, now_ns);
	}
	cl->schedules = NULL;
}

void wl_schedule_unload(struct wl_sched *q, struct wl_class *cl)
{
	struct wl_schedule *schedule;

	if (!cl->loading)
		return;
	schedule = container_of(cl->loading, struct wl_schedule, play);
	WRITE_ONCE(cl->loading, NULL);
	wl_schedule_count(q, -schedule->bytes);
	wl_schedule_free(schedule);
}
