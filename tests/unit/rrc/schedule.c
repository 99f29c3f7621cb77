// SPDX-License-Identifier: GPL-2.0
/* Schedules: when a step takes effect, and what it sets. */
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "wl_schedules.h"

#define RATE	(1U << WLINK_COLUMN_RATE)
#define DELAY	(1U << WLINK_COLUMN_DELAY)
#define LOSS	(1U << WLINK_COLUMN_LOSS)
#define PACKETS	(1U << WLINK_COLUMN_LIMIT_PACKETS)
#define BYTES	(1U << WLINK_COLUMN_LIMIT_BYTES)
#define BLER	(1U << WLINK_COLUMN_BLER)
#define KEEP	WLINK_STEP_KEEP
#define MS(n)	((n) * WL_MS)

static struct cell cell;

static struct wl_cfg link_of(u64 rate_bps, u64 tti_ns)
{
	return cell_link(WLINK_SCHED_DEDICATED, rate_bps, tti_ns, 0);
}

/* 8 bit a ms, and 16 from 100 to 150 ms. */
CASE(schedule, "schedule: a step changes the rate off its time")
{
	struct wl_cfg cfg = link_of(4000, 0);

	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 8000, MS(100), 16000, MS(150), 8000));
	NOTE(&cell, 0, CELL_RATE, 0, 1, 1, 4000, 4000);
	NOTE(&cell, 1, CELL_SCHEDULE, 0, 1, 1, WLINK_SCHEDULE_STATE_PLAYS, 0);
	NOTE(&cell, 2, CELL_RATE, 0, 2, 1, 8000, 4000);
	cell_send(&cell, 1, 200, 1);
	cell_send(&cell, 1, 100, 1);
	CHECK_EQ(cell.link.first.cfg.rate_bps, 8000);
	cell_call(&cell, 0);
	CHECK_EQ(wl_link_next_ns(&cell.link), MS(100));
	/* A late call does not make it late. */
	cell_call(&cell, WL_SEC);
	FATE(&cell, 0, MS(150), WLINK_DROP_NONE);
	FATE(&cell, 1, MS(250), WLINK_DROP_NONE);
	NOTE(&cell, 3, CELL_RATE, MS(100), 3, 1, 16000, 8000);
	NOTE(&cell, 4, CELL_RATE, MS(150), 4, 1, 8000, 16000);
	NOTE(&cell, 5, CELL_SCHEDULE, MS(150), 4, 1, WLINK_SCHEDULE_STATE_HOLDS, 1);
	CHECK_EQ(cell.noted, 6);
	CHECK_EQ(cell.done[0].sdu.generation, 3);
	CHECK_EQ(cell.done[1].sdu.generation, 4);
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
}

/* A SDU of 1000 bytes is 1 ms on the air. */
CASE(schedule, "schedule: a step of the delay lets a SDU overtake, or is late")
{
	struct wl_cfg cfg = link_of(8000000, 0);

	cfg.delay_ns = MS(10);
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(DELAY, MS(2), MS(50), MS(5), MS(5),
					 MS(60), KEEP, MS(61), MS(7)));
	for (u32 i = 0; i < 3; i++)
		cell_carry(&cell, 1, 1000, 1, MS(3) * (i + 1));
	cell_run(&cell, MS(60));
	cell_carry(&cell, 1, 1000, 2, WL_SEC);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, MS(11));
	CHECK_EQ(cell.done[1].sdu.deliver_ns, MS(54));
	CHECK_EQ(cell.done[2].sdu.due_ns, MS(12));
	CHECK_EQ(cell.done[2].sdu.deliver_ns, MS(54));
	/* It ends when the step comes, and the end comes first. */
	CHECK_EQ(cell.done[3].sdu.deliver_ns, MS(66));
	CHECK_EQ(cell.done[4].sdu.deliver_ns, MS(69));
}

CASE(schedule, "schedule: a step of the loss is not that of its time")
{
	struct wl_cfg cfg = link_of(8000000, 0);

	cfg.channel.kind = WLINK_CHANNEL_GILBERT;
	cfg.channel.p_q32 = 1;
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(LOSS, MS(10), WLINK_PROB_ONE, MS(20), 0));
	for (u32 i = 0; i < 40; i++)
		cell_carry(&cell, 1, 500, 1, MS(i + 1));
	for (u32 i = 0; i < 40; i++)
		FATE(&cell, i, i * WL_MS + 500 * WL_US, i >= 10 && i < 20 ?
		     WLINK_DROP_CHANNEL : WLINK_DROP_NONE);
	CHECK_EQ(cell.link.first.cfg.channel.kind, WLINK_CHANNEL_UNIFORM);
	CHECK_EQ(cell.link.first.cfg.channel.p_q32, 0);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_PDUS_LOST], 10);
	cell_stop(&cell, 1);
	CHECK_EQ(cell.link.first.cfg.channel.kind, WLINK_CHANNEL_GILBERT);
	CHECK_EQ(cell.link.first.cfg.channel.p_q32, 1);
}

/* A block of 100 bytes each ms, from 10 to 20 ms lost twice before it is given up. */
CASE(schedule, "schedule: a step of the BLER is not that of its time, or resets HARQ")
{
	struct wl_cfg cfg = link_of(800000, MS(1));
	struct wl_refusal why;
	struct wl_schedule s;

	wl_schedule_init(&s, BLER);
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), -ERANGE);
	CHECK(!strcmp(why.what, "harq with bler"));
	say(&cfg, "harq 8 harq_max 2 harq_bler 0 harq_factor 1");
	cfg.harq.rtt_ns = MS(2);
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), 0);
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(BLER, MS(10), WLINK_PROB_ONE, MS(20), 0));
	for (u32 i = 0; i < 40; i++)
		cell_carry(&cell, 1, 100, 1, MS(i + 1));
	cell_run(&cell, MS(100));
	CHECK_EQ(cell.link.first.cfg.harq.bler_q32, 0);
	CHECK(cell.link.first.stats.v[WLINK_STAT_HARQ_LOST] > 0);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_HARQ_LOST],
		 cell.link.first.stats.v[WLINK_STAT_PDUS_LOST]);
	for (u32 i = 0; i < 9; i++)
		FATE(&cell, i, MS(i + 2), WLINK_DROP_NONE);
}

/* Eight SDUs of 100 bytes, of which the first is on the air for 100 ms. */
CASE(schedule, "schedule: a step of the limit does not take what is too much")
{
	struct wl_cfg cfg = link_of(8000, 0);

	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(PACKETS, 0, 8, MS(50), 3, MS(60), 4));
	cell_carry(&cell, 1, 100, 9, MS(55));
	FATE(&cell, 8, 0, WLINK_DROP_OVERFLOW);
	FATE(&cell, 3, MS(50), WLINK_DROP_OVERFLOW);
	FATE(&cell, 7, MS(50), WLINK_DROP_OVERFLOW);
	CHECK_EQ(cell.count, 6);
	cell_carry(&cell, 1, 100, 1, MS(70));
	FATE(&cell, 9, MS(55), WLINK_DROP_OVERFLOW);
	cell_carry(&cell, 1, 100, 2, MS(80));
	FATE(&cell, 11, MS(70), WLINK_DROP_OVERFLOW);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], 4);
	cell_schedule(&cell, 1, SCHEDULE(BYTES, MS(5), 299, MS(10), 400));
	cell_run(&cell, MS(86));
	FATE(&cell, 2, MS(85), WLINK_DROP_OVERFLOW);
	FATE(&cell, 10, MS(85), WLINK_DROP_OVERFLOW);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.link.first.cfg.limit.kind, WL_LIMIT_BYTES);
	CHECK_EQ(cell.link.first.cfg.limit.value, 400);
	cell_stop(&cell, 1);
	CHECK_EQ(cell.link.first.cfg.limit.kind, WL_LIMIT_PACKETS);
	CHECK_EQ(cell.link.first.cfg.limit.value, WLINK_LIMIT_PACKETS_MAX);
}

/* A SDU counts as 64 bytes at least, so 6400 bytes are 100. */
CASE(schedule, "schedule: of a limit and those of the steps, the one with more descriptors")
{
	static const struct {
		enum wl_limit_kind kind;
		u32 value;
		u32 column;
		u64 most;
		enum wl_limit_kind kind_most;
		u64 value_most;
	} rows[] = {
		{ WL_LIMIT_BYTES, 6400, WLINK_COLUMN_LIMIT_PACKETS, 100, WL_LIMIT_BYTES, 6400 },
		{ WL_LIMIT_BYTES, 6400, WLINK_COLUMN_LIMIT_PACKETS, 101, WL_LIMIT_PACKETS, 101 },
		{ WL_LIMIT_PACKETS, 100, WLINK_COLUMN_LIMIT_BYTES, 6463, WL_LIMIT_PACKETS, 100 },
		{ WL_LIMIT_PACKETS, 100, WLINK_COLUMN_LIMIT_BYTES, 6464, WL_LIMIT_BYTES, 6464 },
		{ WL_LIMIT_PACKETS, 100, WLINK_COLUMN_LIMIT_PACKETS, 0, WL_LIMIT_PACKETS, 100 },
	};
	struct wl_cfg cfg = link_of(8000, 0);
	struct wl_schedule s;

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		cfg.limit.kind = rows[i].kind;
		cfg.limit.value = rows[i].value;
		wl_schedule_init(&s, 1U << rows[i].column);
		s.most[rows[i].column] = rows[i].most;
		wl_schedule_most(&s, &cfg);
		CHECK_EQ(cfg.limit.kind, rows[i].kind_most);
		CHECK_EQ(cfg.limit.value, rows[i].value_most);
	}
}

/* Started at 5 ms; of those that are due at one start of a TTI the last counts.
 */
CASE(schedule, "schedule: a step is in force off the start of a TTI")
{
	struct wl_cfg cfg = link_of(64000, MS(10));

	cell_init(&cell, &cfg, 0);
	cell_call(&cell, MS(5));
	cell_schedule(&cell, 1, SCHEDULE(RATE, 0, 1000, MS(12), 2000, MS(15),
					 3000, MS(16), 4000, MS(19), 5000, MS(25), KEEP,
					 MS(40), 6000));
	CHECK_EQ(wl_link_next_ns(&cell.link), MS(10));
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 1, CELL_SCHEDULE, MS(10), 1, 1, WLINK_SCHEDULE_STATE_PLAYS, 0);
	NOTE(&cell, 2, CELL_RATE, MS(10), 2, 1, 1000, 64000);
	NOTE(&cell, 3, CELL_RATE, MS(20), 3, 1, 3000, 1000);
	NOTE(&cell, 4, CELL_RATE, MS(30), 4, 1, 5000, 3000);
	NOTE(&cell, 5, CELL_RATE, MS(50), 5, 1, 6000, 5000);
	NOTE(&cell, 6, CELL_SCHEDULE, MS(50), 5, 1, WLINK_SCHEDULE_STATE_HOLDS, 1);
	CHECK_EQ(cell.noted, 7);
}

/* A pass of 10 ms with 8 bit/ms and 10 ms with 16 is 30 bytes. */
static void loops(u32 budget_max)
{
	struct wl_cfg cfg = link_of(64000, 0);
	struct wl_schedule *schedule;

	ut_begin("schedule: a loop drifts, a budget of %u a call", budget_max);
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = budget_max;
	schedule = SCHEDULE(RATE, 0, 8000, MS(10), 16000);
	schedule->end = WLINK_SCHEDULE_END_LOOP;
	schedule->length_ns = MS(20);
	cell_schedule(&cell, 1, schedule);
	cell_carry(&cell, 1, 30, 5000, 101 * WL_SEC);
	for (u32 i = 0; i < 5000 && !ut_failed(); i++)
		FATE(&cell, i, (i + 1) * MS(20), WLINK_DROP_NONE);
	CHECK_EQ(cell.link.first.schedule->pass, 5050);
	CHECK_EQ(cell.link.first.schedule->step, 1);
}

/* The last step and the first of the next pass come together. */
CASE(schedule, "schedule: a loop as long as its last offset skips a step")
{
	struct wl_cfg cfg = link_of(64000, 0);
	struct wl_schedule *schedule;

	cell_init(&cell, &cfg, 0);
	schedule = SCHEDULE(RATE, 0, 1000, MS(10), 2000, MS(20), 3000);
	schedule->end = WLINK_SCHEDULE_END_LOOP;
	cell_schedule(&cell, 1, schedule);
	cell_run(&cell, MS(45));
	NOTE(&cell, 3, CELL_RATE, MS(10), 3, 1, 2000, 1000);
	NOTE(&cell, 4, CELL_RATE, MS(20), 4, 1, 3000, 2000);
	NOTE(&cell, 5, CELL_RATE, MS(20), 5, 1, 1000, 3000);
	NOTE(&cell, 6, CELL_RATE, MS(30), 6, 1, 2000, 1000);
	NOTE(&cell, 7, CELL_RATE, MS(40), 7, 1, 3000, 2000);
	NOTE(&cell, 8, CELL_RATE, MS(40), 8, 1, 1000, 3000);
	CHECK_EQ(cell.noted, 9);
}

/* A pass of 25 ms on a grid of 10 ms begins 0, 25, 50, 75, 100 ms from the
 * start.
 */
CASE(schedule, "schedule: rounding to a TTI adds up in a loop")
{
	static const u64 at_ms[] = { 0, 10, 30, 40, 50, 60, 80, 90, 100, 110 };
	struct wl_cfg cfg = link_of(64000, MS(10));
	struct wl_schedule *schedule;

	cell_init(&cell, &cfg, 0);
	schedule = SCHEDULE(RATE, 0, 8000, MS(10), 16000);
	schedule->end = WLINK_SCHEDULE_END_LOOP;
	schedule->length_ns = MS(25);
	schedule->start_ns = MS(40);
	cell_schedule(&cell, 1, schedule);
	cell_run(&cell, MS(155));
	CHECK_EQ(cell.noted, 2 + ARRAY_SIZE(at_ms));
	for (u32 i = 0; i < ARRAY_SIZE(at_ms); i++)
		NOTE(&cell, i + 2, CELL_RATE, MS(40 + at_ms[i]), i + 2, 1, i % 2 ? 16000 : 8000,
		     !i ? 64000 : i % 2 ? 8000 : 16000);
}

/* 8 bit and 24 bit in turns of 1 us are 1000 bytes in 500 us. */
CASE(schedule, "schedule: a million steps are not as exact as one")
{
	struct wl_cfg cfg = link_of(64000, 0);
	static u64 words[2 * 10000];
	struct wl_schedule *schedule;
	u32 i, j;

	cell_init(&cell, &cfg, 0);
	schedule = wl_schedules_new(RATE);
	for (i = 0; i < 100; i++) {
		for (j = 0; j < 10000; j++) {
			words[2 * j] = (10000ULL * i + j) * WL_US;
			words[2 * j + 1] = j % 2 ? 24000000 : 8000000;
		}
		CHECK_EQ(wl_schedules_add(schedule, 10000, words), 10000);
	}
	CHECK_EQ(schedule->steps, 1000000);
	schedule->length_ns = WL_SEC;
	cell_schedule(&cell, 1, schedule);
	cell_send(&cell, 1, 1000, 2000);
	while (!cell_call(&cell, WL_SEC))
		;
	for (i = 0; i < 2000 && !ut_failed(); i++)
		FATE(&cell, i, (i + 1) * 500 * WL_US, WLINK_DROP_NONE);
	CHECK_EQ(cell.link.generation, 1000001);
	CHECK_EQ(schedule->step, 1000000);
	CHECK_EQ(schedule->state, WLINK_SCHEDULE_STATE_HOLDS);
}

/* The second of two steps of one column. */
static void bound(u32 column, u64 value, const char *what, const char *unit, u64 min, u64 max)
{
	const u64 word[] = { 5, KEEP, 7, value };
	struct wl_refusal why = { };
	struct wl_steps *steps;
	struct wl_schedule schedule;
	u32 good;

	steps = calloc(1, sizeof(*steps) + sizeof(word));
	steps->count = 2;
	memcpy(steps->word, word, sizeof(word));
	wl_schedule_init(&schedule, 1U << column);
	good = wl_schedule_check(&schedule, steps, &why);
	CHECK_EQ(good, what ? 1 : 2);
	if (what && why.what) {
		CHECK(!strcmp(why.what, what) && !strcmp(why.unit, unit));
		CHECK_EQ(why.value, value);
		CHECK_EQ(why.min, min);
		CHECK_EQ(why.max, max);
	}
	CHECK_EQ(!why.what, !what);
	free(steps);
}

/* Each column at its bounds, and past them. */
CASE(schedule, "schedule: a step out of bounds is taken, or one within refused")
{
	static const struct {
		u32 column;
		const char *what;
		const char *unit;
		u64 min;
		u64 max;
	} all[] = {
		{ WLINK_COLUMN_RATE, "rate", "bit/s", 0, 100000000000ULL },
		{ WLINK_COLUMN_DELAY, "delay", "ns", 0, 2592000 * WL_SEC },
		{ WLINK_COLUMN_LOSS, "loss", "of 2^32", 0, 4294967295ULL },
		{ WLINK_COLUMN_LIMIT_PACKETS, "limit", "packets", 1, 1000000 },
		{ WLINK_COLUMN_LIMIT_BYTES, "limit", "bytes", 1, 1U << 30 },
		{ WLINK_COLUMN_GRANT, "opportunity", "bytes", 0, 1U << 30 },
		{ WLINK_COLUMN_BLER, "bler", "of 2^32", 0, 4294967295ULL },
		{ WLINK_COLUMN_BACKGROUND, "background", "bit/s", 0, 100000000000ULL },
	};

	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		bound(all[i].column, all[i].min, NULL, NULL, 0, 0);
		bound(all[i].column, all[i].max, NULL, NULL, 0, 0);
		if (all[i].min)
			bound(all[i].column, all[i].min - 1, all[i].what,
			      all[i].unit, all[i].min, all[i].max);
		bound(all[i].column, all[i].max + 1, all[i].what, all[i].unit,
		      all[i].min, all[i].max);
		bound(all[i].column, KEEP - 1, all[i].what, all[i].unit, all[i].min, all[i].max);
	}
}

/* 1 and 2 are added; what comes before 2, or after 10 days, is not. */
CASE(schedule, "schedule: time goes backwards, or past the longest schedule")
{
	static const u64 good[] = { 1, 1000, 2, 1000 };
	static const u64 early[] = { 2, 1000, 1, 1000 };
	static const u64 late[] = { 3, 1000, 864000 * WL_SEC, 1000,
				    864000 * WL_SEC + 1, 1000 };
	struct wl_schedule *schedule = wl_schedules_new(RATE);

	CHECK_EQ(wl_schedules_add(schedule, 2, early), 1);
	CHECK_EQ(wl_schedules_add(schedule, 2, good), 2);
	CHECK_EQ(wl_schedules_add(schedule, 2, good), 0);
	CHECK_EQ(wl_schedules_add(schedule, 2, early), 1);
	CHECK_EQ(wl_schedules_add(schedule, 3, late), 2);
	CHECK_EQ(schedule->steps, 2);
	CHECK_EQ(schedule->last_ns, 2);
	wl_schedules_put(schedule);
}

/* Not the last step but the highest; 2^20 PDUs of 40 bytes in 1 s are 335 Mbit/s. */
CASE(schedule, "schedule: a bearer is judged by another rate than its highest")
{
	const u64 word[] = { 5, 340000000, 7, 10 };
	struct wl_cfg cfg = link_of(1000, 0);
	struct wl_refusal why = { };
	struct wl_steps *steps;
	struct wl_schedule s;

	steps = calloc(1, sizeof(*steps) + sizeof(word));
	steps->count = 2;
	memcpy(steps->word, word, sizeof(word));
	steps->next = steps;
	wl_schedule_init(&s, RATE);
	wl_schedule_add(&s, steps);
	CHECK(!steps->next);
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), 0);
	say(&cfg, "mode um pdu 40");
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), 0);
	cfg.delay_ns = WL_SEC;
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), -ERANGE);
	CHECK(!strcmp(why.what, "PDUs in flight"));
	wl_schedule_most(&s, &cfg);
	CHECK_EQ(cfg.rate_bps, 340000000);
	wl_schedule_init(&s, 1U << WLINK_COLUMN_DELAY);
	wl_schedule_add(&s, steps);
	wl_schedule_most(&s, &cfg);
	CHECK_EQ(cfg.delay_ns, WL_SEC);
	cfg.delay_ns = 0;
	wl_schedule_most(&s, &cfg);
	CHECK_EQ(cfg.delay_ns, 340000000);
	free(steps);
}

/* What plays the background is on bearer 1 of a cell that has some. */
CASE(schedule, "schedule: the background of a link that has none, or of another bearer")
{
	struct wl_cfg cfg = link_of(800000, MS(1));
	struct wl_bearer second = { .number = 2 };
	struct wl_bearer first = { .number = 1 };
	struct wl_refusal why;
	struct wl_schedule s;

	wl_schedule_init(&s, 1U << WLINK_COLUMN_BACKGROUND);
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), -ERANGE);
	CHECK(!strcmp(why.what, "background of bearer 1"));
	say(&cfg, "background 4 rb 10 sched rr");
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), 0);
	s.bearer = &first;
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), 0);
	s.bearer = &second;
	CHECK_EQ(wl_schedule_fits(&s, &cfg, &why), -ERANGE);
	CHECK(!strcmp(why.what, "background of bearer 1"));
}

TEST(schedule)
{
	loops(WL_LINK_BUDGET_MAX);
	loops(1);
}
