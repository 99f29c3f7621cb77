// SPDX-License-Identifier: GPL-2.0
/*
 * What is left of one thing does not reach the next: of a TTI, of a turn, of a bearer, of
 * what a receiver has told. And nobody comes later than something is to be seen.
 */
#include "core/air/reverse.h"
#include "cell.h"
#include "say.h"
#include "ut.h"

/* 400 bits take 1333.33 ns and end at a whole ns, in which the next has begun: 400 or 424 bits
 * behind them take a ns less, 1333 and 1413.
 */
#define RATE_BPS	300000000
#define PDU_NS		1334

static struct cell cell;
static struct wl_message mails[WL_MAIL_MAX];

static struct wl_cfg one(enum wlink_sched sched, u64 rate_bps, u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(sched, rate_bps, tti_ns, 0);

	cfg.delay_ns = 0;
	return cfg;
}

/* Bearer 1 collects bits for 0.8 s; feedback of the other link comes meanwhile for bearer 2. */
CASE(left, "left: TTIs pass together with what comes from the other link")
{
	struct wl_message message = { .at_ns = 5 * WL_MS, .bytes = 8, .number = 2 };
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 1000, WL_MS), other;

	cell_init(&cell, &cfg, 0);
	other = cell_class(&cfg, 1000000);
	say(&other, "mode fsr pdu 40 start handover");
	cell_add(&cell, 2, 2, &other);
	wl_link_pair(&cell.link, mails);
	cell_send(&cell, 1, 100, 1);
	cell_call(&cell, 2 * WL_MS);
	wl_link_post(&cell.link, cell.bearer[2], &message);
	cell_call(&cell, 20 * WL_MS);
	CHECK_EQ(cell.bearer[2]->stats.v[WLINK_STAT_PDUS_CONTROL], 1);
	wl_link_pair(&cell.link, NULL);
}

/* Its end is to be seen, whatever becomes of it there. */
static void end_is_seen(bool codel)
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 8000, 0);

	ut_begin("left: nobody comes for the end of a SDU that may %s", codel ?
		 "make the next one go" : "be lost at its end");
	cfg.delay_ns = 50 * WL_MS;
	if (codel)
		wl_aqm_default(&cfg.aqm, WLINK_AQM_CODEL);
	else
		say(&cfg, "channel twostate mean_good 1s mean_bad 1s loss_bad 1");
	cell_fill(&cell, &cfg, 10, 1);
	cell_call(&cell, 0);
	CHECK_EQ(wl_link_next_ns(&cell.link), 10 * WL_MS);
	cell_run(&cell, WL_SEC);
}

/* The next event of each but the last is a step, which nobody need see soon. */
static void behind_steps(u32 bearers)
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 1000000, 0);

	ut_begin("left: nobody comes for what is behind the steps of %u bearers", bearers - 1);
	cell_share(&cell, &cfg, bearers, &cfg);
	for (u32 i = 1; i < bearers; i++) {
		struct wl_schedule *s = SCHEDULE(1U << WLINK_COLUMN_RATE,
						 0, 1000000, WL_US, 2000000);

		s->length_ns = 2 * WL_US;
		s->end = WLINK_SCHEDULE_END_LOOP;
		cell_schedule(&cell, i, s);
	}
	cell_call(&cell, 0);
	cell_send(&cell, bearers, 4, 1);
	cell_call(&cell, 0);
	CHECK(wl_link_next_ns(&cell.link) <= 32 * WL_US);
}

CASE(left, "left: what waited of a class goes the way of the pair")
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 64000, 0), silent;
	struct wl_feedback feedback = { };

	cell_init(&cell, &cfg, 0);
	silent = cell_class(&cfg, 64000);
	wl_cfg_set_mode(&silent, WLINK_MODE_FSR);
	cell_add(&cell, 2, 2, &silent);
	silent.rate_bps = 0;
	cell_configure(&cell, 2, &silent);
	wl_reverse_send(cell.bearer[2], 0, 8, &feedback);
	CHECK_EQ(cell.bearer[2]->feedback.tail - cell.bearer[2]->feedback.head, 1);
	wl_link_pair(&cell.link, mails);
	CHECK_EQ(cell.bearer[2]->feedback.tail - cell.bearer[2]->feedback.head, 0);
	CHECK_EQ(cell.bearer[2]->stats.v[WLINK_STAT_FEEDBACK_LOST], 1);
	wl_link_pair(&cell.link, NULL);
}

/* A change of the TTI has not come to all of them when the next one is deleted. */
CASE(left, "left: news wait for a bearer that is deleted")
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 64000, WL_MS);
	u32 calls = 0, number;

	cell_share(&cell, &cfg, 40, &cfg);
	cell.link.budget_max = 1;
	cfg.tti_ns = 2 * WL_MS;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &cfg);
	while (!cell.link.untold && calls++ < 100)
		cell_call(&cell, WL_MS);
	if (CHECK(cell.link.untold)) {
		number = cell.link.untold->number;
		wl_cell_del(&cell, number);
	}
	while (!cell_call(&cell, WL_MS) && calls++ < 1000)
		;
	CHECK(!cell.link.news && !cell.link.untold);
}

/* 20 SDUs are due at one time, and a call has come to the first of them. */
CASE(left, "left: an event goes on of a bearer that is deleted")
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 1000000, 10 * WL_MS);
	u32 calls = 0;

	cfg.delay_ns = 5 * WL_MS;
	cell_share(&cell, &cfg, 2, &cfg);
	cell_send(&cell, 2, 10, 20);
	cell_call(&cell, 24 * WL_MS);
	cell.link.budget_max = 1;
	while (!cell.link.rest.on && calls++ < 100)
		cell_call(&cell, 25 * WL_MS);
	CHECK(cell.link.rest.on && cell.link.rest.b == cell.bearer[2]);
	wl_cell_del(&cell, 2);
	CHECK(!cell.link.rest.on);
	while (!cell_call(&cell, 30 * WL_MS) && calls++ < 1000)
		;
	CHECK_EQ(cell.count, 20);
}

/* 8 bytes take 8 ms on the way back. */
CASE(left, "left: feedback waits behind that of a bearer that has been emptied")
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 64000, 0);
	struct wl_feedback feedback = { };

	say(&cfg, "mode fsr rev_rate 8kbit");
	cell_init(&cell, &cfg, 0);
	wl_reverse_send(cell.bearer[1], 0, 8, &feedback);
	CHECK_EQ(feedback.end_ns, 8 * WL_MS);
	wl_cell_forward(&cell, 1);
	wl_reverse_send(cell.bearer[1], 0, 8, &feedback);
	CHECK_EQ(feedback.end_ns, 8 * WL_MS);
}

/* With the weight 1 the average is the occupancy that the last arrival has seen. */
CASE(left, "left: an AQM knows a buffer that has been emptied")
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 64000, 0);
	const struct wl_aqm *aqm;
	u64 fresh;

	wl_aqm_default(&cfg.aqm, WLINK_AQM_RED);
	cell_init(&cell, &cfg, 0);
	aqm = &cell.bearer[1]->aqm;
	fresh = aqm->red.avg_q24;
	cell_carry(&cell, 1, 100, 10, WL_SEC);
	CHECK_EQ(cell.count, 10);
	CHECK(aqm->red.avg_q24 != fresh);
	wl_cell_forward(&cell, 1);
	CHECK_EQ(aqm->red.avg_q24, fresh);
}

/* A PDU of 50 bytes has ended, and the one behind it goes away or stops before it begins. */
static void work_of_old(u64 at_ns, bool silent)
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, RATE_BPS, 0), other;

	ut_begin("left: a PDU takes a ns of one before %s", silent ?
		 "the rate was 0" : "the bearer began anew");
	say(&cfg, "mode um pdu 50");
	cell_fill(&cell, &cfg, 40, 20);
	cell_call(&cell, 0);
	other = cfg;
	if (silent)
		other.rate_bps = 0;
	else
		other.pdu_bytes = 53;
	cell_ask(&cell, at_ns, 1, 1, &other);
	cell_call(&cell, 2000);
	if (silent)
		cell_ask(&cell, 2500, 2, 1, &cfg);
	cell_call(&cell, 2500);
	CHECK(cell.bearer[1]->unit.on);
	CHECK_EQ(cell.bearer[1]->unit.end_ns, silent ? 2500 + PDU_NS : at_ns + 1414);
}

/* The turn of the second begins with another scheduler. */
CASE(left, "left: a turn takes a ns of one of another scheduler")
{
	struct wl_cfg cfg = one(WLINK_SCHED_RR, RATE_BPS, 0);

	cell_share(&cell, &cfg, 2, &cfg);
	cell_send_all(&cell, 2, 50, 1);
	cell_call(&cell, 0);
	cfg.sched = WLINK_SCHED_PRIO;
	cell_ask(&cell, PDU_NS, 1, 1, &cfg);
	cell_call(&cell, 2000);
	CHECK_EQ(cell.bearer[2]->unit.end_ns, 2 * PDU_NS);
	cell_call(&cell, 10000);
}

/* TTIs of 2 us. 320 bits leave 933 ns of the first; 1000 bits take 2934 ns at the new rate,
 * a ns more than there is with the second.
 */
CASE(left, "left: a PDU takes a ns of one at another rate")
{
	struct wl_cfg cfg = one(WLINK_SCHED_RR, RATE_BPS, 2000);

	cell_fill(&cell, &cfg, 40, 1);
	cell_send(&cell, 1, 125, 1);
	cell_call(&cell, 2000);
	cfg.rate_bps = 340940000;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &cfg);
	cell_call(&cell, 20000);
	CHECK_EQ(cell.done[1].sdu.end_ns, 8000);
}

/* A TTI carries 125 bytes; one has begun, and is flushed. 200 bytes take two of them. */
CASE(left, "left: airtime of a TTI that has been flushed")
{
	struct wl_cfg cfg = one(WLINK_SCHED_RR, 1000000, WL_MS);

	cell_fill(&cell, &cfg, 40, 3);
	cell_call(&cell, 0);
	cell.link.budget_max = 1;
	CHECK(!cell_call(&cell, WL_MS));
	CHECK(cell.link.filling && cell.link.credit_ns);
	wl_cell_flush(&cell);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	cell_send(&cell, 1, 200, 1);
	cell_call(&cell, 10 * WL_MS);
	CHECK_EQ(cell.done[3].sdu.end_ns, 4 * WL_MS);
}

/* 100 ms on the air, and 10 ms without a rate amid them. */
static void dedicated_anew(u32 number, u64 silent_ns, u64 dedicated_ns)
{
	struct wl_cfg link = one(WLINK_SCHED_RR, 8000, 0), own, silent;

	ut_begin("left: what is on the air waits for a turn where none is given, bearer %u",
		 number);
	cell_init(&cell, &link, 0);
	own = cell_class(&link, 8000);
	cell_add(&cell, 2, 2, &own);
	cell_send(&cell, number, 100, 1);
	cell_call(&cell, 0);
	link.sched = WLINK_SCHED_DEDICATED;
	if (number == 1)
		own = link;
	silent = own;
	silent.rate_bps = 0;
	if (dedicated_ns < silent_ns)
		cell_ask(&cell, dedicated_ns, 1, 1, &link);
	cell_ask(&cell, silent_ns, 2, number, &silent);
	if (dedicated_ns > silent_ns)
		cell_ask(&cell, dedicated_ns, 3, 1, &link);
	cell_ask(&cell, silent_ns + 10 * WL_MS, 4, number, &own);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.done[0].sdu.end_ns, 110 * WL_MS);
}

/* HARQ of a class holds blocks behind one that goes again, until another TTI ends that: its mode
 * has their SDUs then, and not when they would have been sent without HARQ.
 */
static void held_by_harq(u32 seed, u32 budget)
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_LTE_UM), class;
	u64 event_ns = 0;

	say(&cfg, "seed %u harq 8 harq_max 4 harq_rtt 8ms", seed);
	cfg.harq.bler_q32 = WLINK_PROB_ONE / 4;
	cell_init(&cell, &cfg, 0);
	class = cell_class(&cfg, cfg.rate_bps);
	cell_add(&cell, 2, 2, &class);
	cell_send(&cell, 2, 100, 10);
	cell_call(&cell, 6 * WL_MS);
	cfg.tti_ns = 2 * WL_MS;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &cfg);
	cell.link.budget_max = budget;
	while (!cell_call(&cell, 8 * WL_MS)) {
		CHECK(cell.link.event_ns >= event_ns);
		event_ns = cell.link.event_ns;
	}
}

CASE(left, "left: time runs back to what HARQ has held")
{
	u32 seed, budget;

	for (seed = 1; seed <= 10; seed++)
		for (budget = 4; budget <= 24; budget++)
			held_by_harq(seed, budget);
}

/* A RESET that nobody answers: what the receiver has told is of the connection before. */
CASE(left, "left: feedback is taken for that of a connection that has been reset")
{
	struct wl_cfg cfg = one(WLINK_SCHED_DEDICATED, 64000, 0);
	u32 was;

	say(&cfg, "mode am pdu 40 channel uniform loss 1");
	cell_init(&cell, &cfg, 0);
	was = cell.bearer[1]->connection;
	cell_carry(&cell, 1, 100, 1, 1000 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_UNRECOVERABLE), 1);
	CHECK(cell.bearer[1]->connection != was);
}

TEST(left)
{
	end_is_seen(false);
	end_is_seen(true);
	behind_steps(20);
	behind_steps(40);
	work_of_old(2000, false);
	work_of_old(PDU_NS, true);
	dedicated_anew(2, 50 * WL_MS, 55 * WL_MS);
	dedicated_anew(1, 60 * WL_MS, 50 * WL_MS);
}
