// SPDX-License-Identifier: GPL-2.0
/* Schedules: how they start, take turns and end, and what comes back then. */
#include "cell.h"
#include "ut.h"
#include "wl_schedules.h"

#define RATE	(1U << WLINK_COLUMN_RATE)
#define DELAY	(1U << WLINK_COLUMN_DELAY)
#define MS(n)	((n) * WL_MS)

static struct cell cell, other;

static struct wl_cfg link_of(u64 rate_bps, u64 tti_ns)
{
	return cell_link(WLINK_SCHED_DEDICATED, rate_bps, tti_ns, 0);
}

/* What is configured below a schedule shows where it sets nothing, and comes
 * back when it is stopped.
 */
static void change_below(u64 tti_ns)
{
	struct wl_cfg cfg = link_of(64000, tti_ns);
	u64 stop_ns = tti_ns ? MS(60) : MS(55);

	ut_begin("schedule: a change below comes through or is forgotten, tti %llu", tti_ns);
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 8000, MS(40), 16000));
	cell_call(&cell, MS(20));
	cfg.rate_bps = 100000;
	cfg.delay_ns = MS(3);
	cell_ask(&cell, MS(30), 1, 1, &cfg);
	cell_run(&cell, MS(35));
	CHECK_EQ(cell.link.first.cfg.rate_bps, 8000);
	CHECK_EQ(cell.link.first.cfg.delay_ns, MS(3));
	cell_run(&cell, MS(45));
	CHECK_EQ(cell.link.first.cfg.rate_bps, 16000);
	CHECK_EQ(cell.link.first.cfg.delay_ns, MS(3));
	/* It holds; that is no reason to change a thing below it. */
	CHECK_EQ(cell.link.first.schedule->state, WLINK_SCHEDULE_STATE_HOLDS);
	cfg.delay_ns = MS(4);
	cell_ask(&cell, WLINK_AT_NEXT, 2, 1, &cfg);
	cell_run(&cell, MS(55));
	cell_stop(&cell, 1);
	cell_stop(&cell, 1);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.link.first.cfg.rate_bps, 100000);
	CHECK_EQ(cell.link.first.cfg.delay_ns, MS(4));
	NOTE(&cell, cell.noted - 2, CELL_RATE, stop_ns, 6, 1, 100000, 16000);
	NOTE(&cell, cell.noted - 1, CELL_SCHEDULE, stop_ns, 6, 1, WLINK_SCHEDULE_STATE_NONE, 1);
	CHECK(!cell.link.first.schedule);
}

CASE(schedule_life, "schedule: the end of one that stops is off its length")
{
	struct wl_cfg cfg = link_of(64000, 0);
	struct wl_schedule *schedule;

	cell_init(&cell, &cfg, 0);
	schedule = SCHEDULE(RATE, 0, 8000, MS(10), 16000);
	schedule->end = WLINK_SCHEDULE_END_STOP;
	schedule->length_ns = MS(25);
	cell_schedule(&cell, 1, schedule);
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 4, CELL_RATE, MS(25), 4, 1, 64000, 16000);
	NOTE(&cell, 5, CELL_SCHEDULE, MS(25), 4, 1, WLINK_SCHEDULE_STATE_NONE, 1);
	CHECK_EQ(cell.noted, 6);
	CHECK(!cell.link.first.schedule);
}

/* The one that plays goes on until the other one starts. */
CASE(schedule_life, "schedule: one that is loaded disturbs the one that plays")
{
	struct wl_cfg cfg = link_of(64000, 0);
	struct wl_schedule *schedule;

	cell_init(&cell, &cfg, 0);
	schedule = SCHEDULE(RATE, 0, 1000, MS(30), 2000, MS(90), 3000);
	schedule->end = WLINK_SCHEDULE_END_LOOP;
	cell_schedule(&cell, 1, schedule);
	cell_call(&cell, MS(20));
	schedule = SCHEDULE(RATE, 0, 9000);
	schedule->start_ns = MS(70);
	cell_schedule(&cell, 1, schedule);
	cell_call(&cell, MS(25));
	/* This one takes its place. */
	schedule = SCHEDULE(DELAY, 0, MS(5), MS(20), MS(6));
	schedule->start_ns = MS(60);
	cell_schedule(&cell, 1, schedule);
	CHECK_EQ(schedule->state, WLINK_SCHEDULE_STATE_WAITS);
	cell_run(&cell, MS(50));
	NOTE(&cell, 3, CELL_RATE, MS(30), 3, 1, 2000, 1000);
	CHECK_EQ(cell.noted, 4);
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 4, CELL_RATE, MS(60), 4, 1, 64000, 2000);
	NOTE(&cell, 5, CELL_SCHEDULE, MS(60), 4, 1, WLINK_SCHEDULE_STATE_NONE, 0);
	NOTE(&cell, 6, CELL_SCHEDULE, MS(60), 4, 1, WLINK_SCHEDULE_STATE_PLAYS, 0);
	NOTE(&cell, 7, CELL_RATE, MS(60), 5, 1, 64000, 64000);
	NOTE(&cell, 8, CELL_RATE, MS(80), 6, 1, 64000, 64000);
	CHECK_EQ(cell.link.first.cfg.delay_ns, MS(6));
	/* One that waits goes without a word. */
	schedule = SCHEDULE(RATE, 0, 9000);
	schedule->start_ns = 2 * WL_SEC;
	cell_schedule(&cell, 1, schedule);
	cell_stop(&cell, 1);
	CHECK(!cell.link.first.next_schedule);
	CHECK_EQ(cell.link.first.cfg.delay_ns, 0);
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
}

/* 100 bytes are 100 ms at the configured rate, and 50 ms at that of the step
 * which the SDU itself begins.
 */
static void first_packet(u64 tti_ns)
{
	struct wl_cfg cfg = link_of(8000, tti_ns);
	struct wl_schedule *schedule;
	u64 from_ns = tti_ns ? MS(250) : MS(245);

	ut_begin("schedule: the first packet goes by what was before, tti %llu", tti_ns);
	cell_play(&cell, &cfg, 100, 1, MS(200));
	schedule = SCHEDULE(RATE, 0, 16000, MS(50), 1000);
	schedule->start_ns = WLINK_START_PACKET;
	cell_schedule(&cell, 1, schedule);
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
	cell_run(&cell, MS(245));
	CHECK_EQ(cell.noted, 0);
	cell_carry(&cell, 1, 100, 2, 10 * WL_SEC);
	NOTE(&cell, 1, CELL_SCHEDULE, from_ns, 1, 1, WLINK_SCHEDULE_STATE_PLAYS, 0);
	NOTE(&cell, 2, CELL_RATE, from_ns, 2, 1, 16000, 8000);
	NOTE(&cell, 3, CELL_RATE, from_ns + MS(50), 3, 1, 1000, 16000);
	FATE(&cell, 1, from_ns + MS(50), WLINK_DROP_NONE);
	CHECK_EQ(cell.done[1].sdu.start_ns, from_ns);
	FATE(&cell, 2, from_ns + MS(850), WLINK_DROP_NONE);
}

/* Two links, called at different times. */
CASE(schedule_life, "schedule: up and down do not start together")
{
	struct wl_cfg cfg = link_of(64000, 0);
	struct wl_schedule *schedule;

	cell_init(&cell, &cfg, 0);
	cell_init(&other, &cfg, 7);
	CHECK_EQ(other.link.event_ns, 7);
	schedule = SCHEDULE(RATE, 0, 1000, 1, 2000, MS(50), 3000);
	schedule->start_ns = 123456789;
	cell_schedule(&cell, 1, schedule);
	cell_call(&other, 99999999);
	schedule = SCHEDULE(RATE, 0, 1000, 1, 2000, MS(50), 3000);
	schedule->start_ns = 123456789;
	cell_schedule(&other, 1, schedule);
	cell_run(&cell, WL_SEC);
	cell_call(&other, 123456790);
	cell_call(&other, WL_SEC);
	NOTE(&cell, 1, CELL_SCHEDULE, 123456789, 1, 1, WLINK_SCHEDULE_STATE_PLAYS, 0);
	NOTE(&cell, 4, CELL_RATE, 123456789 + MS(50), 4, 1, 3000, 2000);
	CHECK_EQ(cell.noted, 6);
	CHECK_EQ(other.noted, 6);
	for (u32 i = 0; i < 6; i++)
		CHECK_EQ(cell.notes[i].at_ns, other.notes[i].at_ns);
	CHECK_EQ(cell.told, other.told);
}

/* Uploaded in chunks, while it plays and when it has nothing left to play. */
CASE(schedule_life, "schedule: steps that are added while it plays are lost")
{
	static const u64 more[] = { MS(15), 3000, MS(40), 4000 };
	static const u64 last[] = { MS(60), 5000 };
	struct wl_cfg cfg = link_of(64000, 0);
	struct wl_schedule *schedule;

	cell_init(&cell, &cfg, 0);
	schedule = SCHEDULE(RATE, 0, 1000, MS(10), 2000);
	schedule->length_ns = MS(50);
	cell_schedule(&cell, 1, schedule);
	cell_call(&cell, MS(12));
	CHECK(!schedule->block);
	CHECK_EQ(wl_schedules_add(schedule, 2, more), 2);
	CHECK_EQ(schedule->length_ns, MS(50));
	cell_call(&cell, MS(13));
	CHECK_EQ(wl_schedules_add(schedule, 1, last), 1);
	CHECK_EQ(schedule->length_ns, MS(60));
	CHECK_EQ(schedule->steps, 5);
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 4, CELL_RATE, MS(15), 4, 1, 3000, 2000);
	NOTE(&cell, 5, CELL_RATE, MS(40), 5, 1, 4000, 3000);
	NOTE(&cell, 6, CELL_RATE, MS(60), 6, 1, 5000, 4000);
	NOTE(&cell, 7, CELL_SCHEDULE, MS(60), 6, 1, WLINK_SCHEDULE_STATE_HOLDS, 1);
	CHECK_EQ(schedule->step, 5);
}

/* An engine that is behind when it is asked to stop, twice, has not reached the step of
 * 20 ms. It was due.
 */
static void stopped_behind(u64 tti_ns, u64 now_ns)
{
	struct wl_cfg cfg = link_of(64000, tti_ns);
	u64 stop_ns = tti_ns ? MS(30) : now_ns;

	ut_begin("schedule: a stop at %llu takes steps that the engine owes, tti %llu",
		 now_ns, tti_ns);
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 1000, MS(10), 2000, MS(20),
					 3000, MS(30), 4000, MS(40), 5000));
	cell.link.budget_max = 1;
	CHECK(!cell_call(&cell, now_ns));
	CHECK_EQ(cell.noted, 4);
	CHECK(!wl_link_stop(&cell.link, &cell.link.first, now_ns));
	cell.now_ns = MS(45);
	cell_stop(&cell, 1);
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 2, CELL_RATE, 0, 2, 1, 1000, 64000);
	NOTE(&cell, 3, CELL_RATE, MS(10), 3, 1, 2000, 1000);
	NOTE(&cell, 4, CELL_RATE, MS(20), 4, 1, 3000, 2000);
	NOTE(&cell, 5, CELL_RATE, stop_ns, 5, 1, 64000, 3000);
	NOTE(&cell, 6, CELL_SCHEDULE, stop_ns, 5, 1, WLINK_SCHEDULE_STATE_NONE, 0);
	CHECK_EQ(cell.noted, 7);
}

/* An engine that is behind when all goes: the step of 10 ms comes when it has gone. */
CASE(schedule_life, "schedule: a step comes before a flush that was before it")
{
	struct wl_cfg cfg = link_of(64000, 0);

	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 1000, MS(10), 2000));
	wl_link_flush(&cell.link, MS(20));
	cell_run(&cell, MS(30));
	NOTE(&cell, 3, CELL_RATE, MS(20), 3, 1, 2000, 1000);
}

/* The first TTI of all has not begun when a step at its start brings a rate. */
CASE(schedule_life, "schedule: a step at 0 misses the first TTI")
{
	struct wl_cfg cfg = link_of(WLINK_RATE_SILENT, MS(10));

	cell_fill(&cell, &cfg, 1, 1);
	cell_call(&cell, 0);
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 64000));
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.done[0].sdu.start_ns, 0);
}

/* At a start of a TTI that has begun a schedule starts, and one is stopped with the next. */
CASE(schedule_life, "schedule: one stops early for the one that starts before its end")
{
	struct wl_cfg cfg = link_of(64000, MS(10));

	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 1000));
	cell_call(&cell, MS(20));
	cell_stop(&cell, 1);
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 2000));
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 4, CELL_RATE, MS(20), 3, 1, 64000, 1000);
	NOTE(&cell, 5, CELL_SCHEDULE, MS(20), 3, 1, WLINK_SCHEDULE_STATE_NONE, 1);
	NOTE(&cell, 6, CELL_SCHEDULE, MS(20), 3, 1, WLINK_SCHEDULE_STATE_PLAYS, 0);
	NOTE(&cell, 7, CELL_RATE, MS(20), 4, 1, 2000, 64000);
}

/* The first step makes room for the SDU that starts it, whatever a call may do. */
CASE(schedule_life, "schedule: the first packet comes before its step where a call does little")
{
	struct wl_cfg cfg = link_of(8000, 0);
	struct wl_schedule *schedule;

	cfg.limit.value = 1;
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = 1;
	schedule = SCHEDULE(1U << WLINK_COLUMN_LIMIT_PACKETS, 0, 2);
	schedule->start_ns = WLINK_START_PACKET;
	cell_carry(&cell, 1, 100, 1, MS(50));
	cell_schedule(&cell, 1, schedule);
	cell_carry(&cell, 1, 100, 1, WL_SEC);
	FATE(&cell, 1, MS(200), WLINK_DROP_NONE);
}

/* A bearer of its own, deleted and flushed under its schedule. */
CASE(schedule_life, "schedule: a schedule outlives its bearer, or not a flush")
{
	struct wl_cfg cfg = link_of(64000, MS(10));
	struct wl_cfg class = cell_class(&cfg, 8000);
	struct wl_schedule *schedule;

	cell_share(&cell, &cfg, 3, &class);
	schedule = SCHEDULE(RATE, 0, 1000, MS(30), 2000);
	schedule->end = WLINK_SCHEDULE_END_LOOP;
	cell_schedule(&cell, 2, schedule);
	schedule = SCHEDULE(RATE, 0, 3000, MS(30), 4000);
	cell_schedule(&cell, 3, schedule);
	cell_call(&cell, MS(15));
	schedule = SCHEDULE(RATE, 0, 5000);
	schedule->start_ns = WL_SEC;
	cell_schedule(&cell, 2, schedule);
	cell_run(&cell, MS(20));
	cell_del(&cell, 2);
	cell_carry(&cell, 3, 100, 3, MS(25));
	wl_link_flush(&cell.link, MS(25));
	CHECK_EQ(cell.count, 3);
	cell_run(&cell, 2 * WL_SEC);
	/* The flush has begun a grid at 25 ms. */
	NOTE(&cell, 6, CELL_RATE, MS(35), 5, 3, 4000, 3000);
	CHECK_EQ(cell.noted, 8);
}

TEST(schedule_life)
{
	change_below(0);
	change_below(MS(10));
	first_packet(0);
	first_packet(MS(10));
	stopped_behind(0, MS(25));
	stopped_behind(0, MS(20));
	stopped_behind(MS(10), MS(25));
}
