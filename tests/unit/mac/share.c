// SPDX-License-Identifier: GPL-2.0
/*
 * Users of a cell: what each gets of it, by resource blocks or not, against closed
 * forms.
 */
#include <math.h>

#include "cell.h"
#include "say.h"
#include "ut.h"
#include "wl_schedules.h"

static struct cell cell;

static struct wl_cfg link_of(enum wlink_sched sched, u64 rate_bps, u32 rb)
{
	struct wl_cfg cfg = cell_link(sched, rate_bps, WL_MS, 25);

	cfg.cell.rb = rb;
	return cfg;
}

static u64 stat(u32 number, enum wlink_stat which)
{
	return cell.bearer[number]->stats.v[which];
}

/* Airtime in ms that what a bearer has sent took at its rate. */
static double airtime_ms(u32 number)
{
	return 8e3 * stat(number, WLINK_STAT_AIR_BYTES) / cell.bearer[number]->cfg.rate_bps;
}

/* Airtime in ms that users in the background are told to have taken. */
static double background_ms(void)
{
	return cell.background_ns / 1e6;
}

/* Rates r and mean throughputs x r, x1 + x2 = 1: r1 / (x1 r1)^e = r2 / (x2 r2)^e. */
static void fixed_point(u32 exponent_milli, u32 rb)
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_PF, 8000000, rb);
	const double e = exponent_milli / 1000.0;
	const double ratio = pow(8.0 / 2, (1 - e) / e);
	struct wl_cfg other;

	ut_begin("share: pf, exponent %u/1000, %u blocks: not at its fixed point",
		 exponent_milli, rb);
	cfg.cell.pf_exponent_milli = exponent_milli;
	cfg.cell.pf_window = 100;
	other = cell_class(&cfg, 2000000);
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 1, 500, 9000);
	cell_send(&cell, 2, 500, 4000);
	cell_run(&cell, 4 * WL_SEC);
	/* A TTI in a hundred is how exactly the mean follows. */
	CHECK_NEAR(airtime_ms(1), 4000 * ratio / (1 + ratio), 40);
	CHECK_NEAR(airtime_ms(1) + airtime_ms(2), 4000, 4);
}

/* The mean of the first TTIs is a plain one: worked out in doubles. Bearer 2 comes 10
 * TTIs after bearer 1. With an exponent of 2 and rates of 1 to 1.6 nothing is equal.
 */
CASE(share, "share: pf does not begin with the plain mean")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_PF, 1000000, 0);
	double sent[2] = { 10, 0 }, ttis[2] = { 10, 0 };
	struct wl_cfg other;

	say(&cfg, "pf_window 100 pf_exponent 2 pdu 0");
	other = cell_class(&cfg, 1600000);
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 1, 125, 60);
	/* TTIs 1 to 10 are over when 11 starts. */
	cell_run(&cell, 10 * WL_MS + WL_MS / 2);
	cell_send(&cell, 2, 200, 60);
	for (u32 i = 11; i < 50; i++) {
		u32 wins = sqrt(1.6) * sent[1] / fmax(ttis[1], 1) < sent[0] / ttis[0];

		cell_run(&cell, i * WL_MS + WL_MS / 2);
		sent[wins]++;
		ttis[0]++;
		ttis[1]++;
		CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), sent[0]);
		CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), sent[1]);
	}
}

/* 4 Mbit/s for three; one needs 1.5, and the others have the rest. */
static void guaranteed(enum wlink_sched sched, u32 rb)
{
	struct wl_cfg cfg = link_of(sched, 4000000, rb);
	struct wl_cfg other, sure;

	ut_begin("share: sched %u, %u blocks: a guaranteed rate is not kept", sched, rb);
	other = cell_class(&cfg, 4000000);
	sure = other;
	sure.gbr_bps = 1500000;
	/* Last by all else. */
	sure.prio = 7;
	cell_share(&cell, &cfg, 2, &other);
	cell_add(&cell, 3, 3, &sure);
	cell_send_all(&cell, 3, 500, 4000);
	cell_run(&cell, 2 * WL_SEC);
	/* With rr it has its turn, too; with pf its mean is too high for that. */
	if (sched == WLINK_SCHED_RR)
		CHECK(airtime_ms(3) >= 2000 * 1.5 / 4 - 1);
	else
		CHECK_NEAR(airtime_ms(3), 2000 * 1.5 / 4, 4);
	CHECK_NEAR(airtime_ms(1) + airtime_ms(2) + airtime_ms(3), 2000, 4);
	if (sched == WLINK_SCHED_RR || sched == WLINK_SCHED_PF)
		CHECK_NEAR(airtime_ms(1), airtime_ms(2), 20);
}

/* Where the link became too slow for all that is guaranteed, the lowest prio keeps its
 * own.
 */
static void overload(u32 rb)
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 4000000, rb);
	struct wl_cfg other = cell_class(&cfg, 4000000);

	ut_begin("share: %u blocks: guaranteed rates do not go by priority", rb);
	say(&other, "gbr 3mbit prio 2");
	cell_share(&cell, &cfg, 2, &other);
	other.prio = 1;
	cell_add(&cell, 3, 3, &other);
	cell_send_all(&cell, 3, 500, 3000);
	cell_run(&cell, 2 * WL_SEC);
	CHECK_NEAR(airtime_ms(3), 2000 * 3.0 / 4, 4);
	CHECK_NEAR(airtime_ms(2), 2000 - airtime_ms(3), 4);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 0);
}

/* What it has not used for 100 ms and more it does not have afterwards: a talker of
 * 1 Mbit/s that was silent goes first for 100 kbit, then by what is guaranteed.
 */
CASE(share, "share: what was guaranteed long ago is owed")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_PRIO, 4000000, 0);
	struct wl_cfg other = cell_class(&cfg, 4000000);

	say(&other, "gbr 1mbit prio 1");
	cell_share(&cell, &cfg, 2, &other);
	cell_carry(&cell, 1, 500, 4000, WL_SEC);
	cell_carry(&cell, 2, 500, 4000, WL_SEC + 200 * WL_MS);
	CHECK_NEAR(stat(2, WLINK_STAT_AIR_BYTES), (100000 + 200000) / 8, 500);
}

/* Alone it has sent far more than it is guaranteed: that is not held against it when
 * others come. Of 4 Mbit/s it is guaranteed 3.
 */
static void surplus(u32 rb)
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 4000000, rb);
	struct wl_cfg other = cell_class(&cfg, 4000000);
	u64 was;

	ut_begin("share: %u blocks: who has sent more is guaranteed nothing", rb);
	other.gbr_bps = 3000000;
	cell_share(&cell, &cfg, 2, &other);
	cell_carry(&cell, 2, 500, 4000, 2 * WL_SEC);
	was = stat(2, WLINK_STAT_AIR_BYTES);
	CHECK_NEAR(was, 1000000, 1000);
	cell_carry(&cell, 1, 500, 4000, 2 * WL_SEC + 400 * WL_MS);
	CHECK(stat(2, WLINK_STAT_AIR_BYTES) - was >= 400 * 3000 / 8 - 500);
}

/* The only bearer with something guaranteed goes; the two others share as before. */
static void none_left(enum wlink_sched sched)
{
	struct wl_cfg cfg = link_of(sched, 4000000, 0);
	struct wl_cfg other = cell_class(&cfg, 4000000);

	ut_begin("share: sched %u: one starves once nothing is guaranteed", sched);
	cell_share(&cell, &cfg, 2, &other);
	other.gbr_bps = 1000000;
	cell_add(&cell, 3, 3, &other);
	cell_send_all(&cell, 3, 500, 4000);
	cell_run(&cell, 100 * WL_MS);
	cell_del(&cell, 3);
	cell_run(&cell, WL_SEC + 100 * WL_MS);
	CHECK_NEAR(airtime_ms(1), airtime_ms(2), 1);
}

/* A call ends while bearers fill their blocks, and there are no blocks any more. */
CASE(share, "share: a TTI in two calls ends without blocks, and bearers starve")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 5000000, 25);
	struct wl_cfg other = cell_class(&cfg, 5000000);

	cell_share(&cell, &cfg, 3, &other);
	cell_send_all(&cell, 3, 500, 20);
	cell_run(&cell, WL_MS - 1);
	cell.link.budget_max = 4;
	while (!cell.link.given)
		wl_link_advance(&cell.link, WL_MS);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	cfg.cell.rb = 0;
	cell_ask(&cell, WL_MS, 1, 1, &cfg);
	cell_run(&cell, WL_SEC);
	CHECK(!cell.link.given);
	CHECK_EQ(stat(1, WLINK_STAT_BUFFER_SDUS), 0);
	CHECK_EQ(stat(2, WLINK_STAT_BUFFER_SDUS), 0);
	CHECK_EQ(stat(3, WLINK_STAT_BUFFER_SDUS), 0);
}

/* 25 blocks for two: 12 and 13 in turn. With one that needs little it is what that
 * needs, in whole blocks, and the rest.
 */
CASE(share, "share: rr does not divide the blocks equally")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 5000000, 25);
	struct wl_cfg other;

	/* A block has 200 bits, a PDU. */
	other = cell_class(&cfg, 5000000);
	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 500, 200);
	for (u32 i = 1; i <= 40; i++) {
		cell_run(&cell, i * WL_MS);
		CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT) + stat(2, WLINK_STAT_PDUS_SENT),
			 25 * i);
		CHECK_NEAR(stat(1, WLINK_STAT_PDUS_SENT), 12.5 * i, 0.5);
	}
	/* 30 bytes need two. */
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 1, 500, 200);
	for (u32 i = 1; i <= 40; i++) {
		cell_carry(&cell, 2, 30, 1, i * WL_MS);
		CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 23 * i);
		CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), 2 * i);
		cell_run(&cell, i * WL_MS + 1);
	}
}

/* In the middle of a TTI, blocks given and nothing sent yet, a bearer is deleted that is
 * the first, one in between or the last of those that have some; or all SDUs go.
 */
static void taken_back(u32 number)
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 800000, 8);
	struct wl_cfg other = cell_class(&cfg, 800000);
	u32 i, given = 0;
	const struct wl_bearer *b;

	ut_begin("share: blocks of a bearer that is gone, %u", number);
	cell_share(&cell, &cfg, 4, &other);
	for (i = 1; i <= 4; i++)
		cell_send(&cell, i, 500, 4);
	cell.link.budget_max = 1;
	while (given < 4) {
		CHECK(!cell_call(&cell, WL_MS));
		for (b = cell.link.given, given = 0; b; b = b->share.given_next)
			given++;
	}
	if (number)
		wl_cell_del(&cell, number);
	else
		wl_link_flush(&cell.link, WL_MS);
	for (b = cell.link.given, given = 0; b; b = b->share.given_next)
		given++;
	CHECK_EQ(given, number ? 3 : 0);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	for (i = 1; i <= 4; i++)
		if (i != number)
			cell_send(&cell, i, 500, 1);
	cell_run(&cell, 2 * WL_SEC);
	for (i = 1; i <= 4; i++)
		if (i != number)
			CHECK_EQ(stat(i, WLINK_STAT_SDUS_DELIVERED), number ? 5 : 1);
}

/* More bearers than blocks: each has its turn. */
CASE(share, "share: with fewer blocks than bearers some starve")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 600000, 3);
	struct wl_cfg other = cell_class(&cfg, 600000);

	cell_share(&cell, &cfg, 7, &other);
	for (u32 i = 1; i <= 7; i++)
		cell_send(&cell, i, 500, 20);
	cell_run(&cell, 70 * WL_MS);
	for (u32 i = 1; i <= 7; i++)
		CHECK_NEAR(stat(i, WLINK_STAT_PDUS_SENT), 30, 2);
}

/* Blocks that go again take theirs before any is shared: bearer 1 has each twice. */
CASE(share, "share: retransmissions of HARQ do not go first")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 5000000, 25);
	struct wl_cfg other;
	u64 first, retx;

	other = cell_class(&cfg, 5000000);
	say(&cfg, "harq 16 harq_bler 1 harq_factor 0");
	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 500, 4000);
	cell_run(&cell, 2 * WL_SEC);
	first = stat(1, WLINK_STAT_AIR_BYTES);
	retx = first - 25 * stat(1, WLINK_STAT_PDUS_SENT);
	/* All is used, and the two share what retransmissions leave. */
	CHECK_NEAR(first + stat(2, WLINK_STAT_AIR_BYTES), 2000 * 625, 625);
	CHECK_NEAR(retx, first - retx, 9 * 625);
	CHECK_NEAR(first - retx, stat(2, WLINK_STAT_AIR_BYTES), 625);
}

/* Users in the background with full buffers, always on: each bearer has its part of all,
 * to a block.
 */
static void background(enum wlink_sched sched)
{
	struct wl_cfg cfg = link_of(sched, 10000000, 50);
	struct wl_cfg other, sure;
	u64 was[2];

	ut_begin("share: sched %u: users in the background take other than their share", sched);
	cfg.cell.users = 3;
	other = cell_class(&cfg, 10000000);
	cell_share(&cell, &cfg, 3, &other);
	cell_carry(&cell, 1, 500, 8000, WL_SEC);
	/* A block is a PDU. 999 TTIs and the one that starts now. */
	CHECK_NEAR(stat(1, WLINK_STAT_PDUS_SENT), 1000 * 50 / 4.0, 1);
	CHECK_NEAR(background_ms(), 1000 * 3 / 4.0, 0.02);
	/* Who is always on is not drawn: no walk over users. */
	CHECK(!cell.link.users.begun);
	cell_send(&cell, 2, 500, 8000);
	/* Until means of pf are what they stay. */
	cell_run(&cell, 2 * WL_SEC);
	was[0] = stat(1, WLINK_STAT_PDUS_SENT);
	was[1] = stat(2, WLINK_STAT_PDUS_SENT);
	cell_run(&cell, 3 * WL_SEC);
	CHECK_NEAR(stat(1, WLINK_STAT_PDUS_SENT) - was[0], 1000 * 50 / 5.0, 40);
	CHECK_NEAR(stat(2, WLINK_STAT_PDUS_SENT) - was[1], 1000 * 50 / 5.0, 40);
	/* What is guaranteed comes before them: 4 of 10 Mbit/s, then 1 of 4 parts of the rest. */
	sure = other;
	sure.gbr_bps = 4000000;
	cell_share(&cell, &cfg, 2, &sure);
	cell_carry(&cell, 2, 500, 8000, WL_SEC);
	CHECK_NEAR(airtime_ms(2), 1000 * (0.4 + 0.6 / 4), 2);
	CHECK_NEAR(background_ms(), 1000 * 0.6 * 3 / 4, 2);
	/* 1 Mbit/s each at most. */
	cfg.cell.users_bps = 1000000;
	cell_play(&cell, &cfg, 500, 8000, WL_SEC);
	CHECK_NEAR(airtime_ms(1), 1000 * 0.7, 1);
	CHECK_NEAR(background_ms(), 1000 * 0.3, 0.3);
	/* One slot in four, and half of another one. */
	cfg.cell.users_bps = WLINK_RATE_UNLIMITED;
	cfg.tdd.pattern = WLINK_SLOT_DOWNLINK | WLINK_SLOT_SPECIAL << 2 | WLINK_SLOT_UPLINK << 4 |
			  WLINK_SLOT_UPLINK << 6;
	say(&cfg, "tdd_direction downlink tdd_special 7");
	cell_play(&cell, &cfg, 500, 8000, WL_SEC);
	CHECK_NEAR(background_ms(), 1000 * 1.5 / 4 * 3 / 4, 1.5);
}

/* Users that come and go: M/G/1 with processor sharing, whose mean number is rho / (1 - rho)
 * and which leaves a bearer that always sends 1 - rho, whatever the sizes are like. By hand:
 * 10 Mbit/s, one of 62500 bytes each 100 ms are a load of 1/2.
 */
static void come_and_go(u32 cv_milli, double load)
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 10000000, 50);
	const u32 samples = 6000;
	u32 i, none = 0;
	double sum = 0;

	ut_begin("share: users that come and go, load %.1f, cv %u: not so many", load, cv_milli);
	say(&cfg, "background 256 background_arrival 100ms");
	cfg.cell.size_bytes = 125000 * load;
	cfg.cell.size_cv_milli = cv_milli;
	cell_init(&cell, &cfg, 0);
	for (i = 1; i <= samples; i++) {
		cell_carry(&cell, 1, 20, 1, 5ULL * i * WL_SEC);
		sum += cell.link.users.on;
		none += !cell.link.users.on;
	}
	/* P(0) = 1 - rho, the variance rho / (1 - rho)^2; samples depend on each other, most
	 * where sizes differ most: three times as many are worth one.
	 */
	CHECK_NEAR(sum / samples, load / (1 - load),
		   4 * sqrt(3 * load / (1 - load) / (1 - load) / samples));
	CHECK_NEAR((double)none / samples, 1 - load, 4 * sqrt(3 * load * (1 - load) / samples));
}

static void leave(enum wlink_sched sched, u32 cv_milli, u64 most_bps)
{
	struct wl_cfg cfg = link_of(sched, 10000000, 50);
	const double load = 0.4, seconds = 60;
	double cv = cv_milli / 1000.0, arrivals = seconds / 0.01;

	ut_begin("share: sched %u, cv %u, at most %llu: users that come and go leave another share",
		 sched, cv_milli, most_bps);
	say(&cfg, "background 256 background_arrival 10ms");
	cfg.cell.size_bytes = 12500 * load;
	cfg.cell.size_cv_milli = cv_milli;
	cfg.cell.users_bps = most_bps;
	cell_play(&cell, &cfg, 5000, 16000, seconds * WL_SEC);
	/* What has come: n sizes of a variation of cv, n itself Poisson. */
	CHECK_NEAR(airtime_ms(1) / seconds / 1000, sched == WLINK_SCHED_PRIO ? 1 : 1 - load,
		   4 * load * sqrt((1 + cv * cv) / arrivals) + 0.003);
	/* What they are told to take is what bearer 1 does not get. */
	CHECK_NEAR(background_ms(), 1000 * seconds - airtime_ms(1), 2);
}

/* What each takes of a load that is played: the share of bearer 1 follows it. */
CASE(share, "share: a load that is played is another one")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 10000000, 50);
	struct wl_schedule *s = wl_schedules_new(1U << WLINK_COLUMN_BACKGROUND);
	static const u64 steps[] = { 0, 0, WL_SEC, 2000000, 2 * WL_SEC, 4000000 };
	double was = 0;

	cfg.cell.users = 1;
	cell_init(&cell, &cfg, 0);
	CHECK_EQ(wl_schedules_add(s, 3, steps), 3);
	cell_schedule(&cell, 1, s);
	cell_send(&cell, 1, 5000, 8000);
	for (u32 i = 0; i < 3; i++) {
		cell_run(&cell, (i + 1) * WL_SEC - 1);
		CHECK_NEAR(airtime_ms(1) - was, 1000 - steps[2 * i + 1] / 10000.0, 2);
		was = airtime_ms(1);
	}
}

/* Of N users each is on with p = on / (on + off): the mean of 1 / (1 + how many are) is
 * (1 - (1 - p)^(N + 1)) / ((N + 1) p).
 */
static void on_and_off(u32 users, double p, bool pauses)
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 10000000, 50);
	double mean = (1 - pow(1 - p, users + 1)) / ((users + 1) * p);

	ut_begin("share: %u users that are on for %.2f: not the mean of what they leave",
		 users, p);
	say(&cfg, "background %u background_on 100ms", users);
	cfg.cell.users_off_ns = 100 * WL_MS * (1 - p) / p;
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < 200; i++) {
		cell_run(&cell, cell.now_ns + (pauses ? 50 * WL_SEC : 0));
		cell_send(&cell, 1, 1250, 20);
		/* Until all is gone: at most 20 TTIs for each user and one. */
		cell_run(&cell, cell.now_ns + 25 * (users + 1) * WL_MS);
		CHECK_EQ(stat(1, WLINK_STAT_BUFFER_SDUS), 0);
	}
	cfg.pdu_bytes = 1250;
	cell_play(&cell, &cfg, 12500, 18500, 180 * WL_SEC);
	/* Five standard deviations, of 0.22 at most: what is on is another after twice
	 * 1 / (1/on + 1/off), at most 90 ms.
	 */
	CHECK_NEAR(airtime_ms(1) / 180000, mean, 5 * 0.22 / sqrt(180 / 0.18));
}

/* They are on and off for so long that nobody changes in the test: how many of the 200 are on
 * is what was drawn for them, 100 within five deviations.
 */
CASE(share, "share: other users in the background are as many as those before them")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 10000000, WL_MS, 25);

	say(&cfg, "rb 50 background 1 background_on 1000s background_off 1000s");
	cell_init(&cell, &cfg, 0);
	cell_carry(&cell, 1, 1000, 100, 10 * WL_MS);
	CHECK(cell.link.users.on <= 1);
	cfg.cell.users = 200;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 20 * WL_MS);
	CHECK_NEAR(cell.link.users.on, 100, 36);
}

/* 256 users go on and off some 2300 times while nothing is sent: more than a call may do,
 * which comes again, and not more often than it must.
 */
CASE(share, "share: users that have gone on and off make a call long")
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 10000000, 50);
	u32 calls = 1;

	say(&cfg, "background 256 background_on 10ms background_off 10ms");
	cell_play(&cell, &cfg, 500, 1, 80 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_BUFFER_SDUS), 0);
	cell_run(&cell, cell_end_ns(&cell, 0) + 89 * WL_MS);
	cell_send(&cell, 1, 500, 1);
	cell.link.budget_max = 100;
	while (!wl_link_advance(&cell.link, cell_end_ns(&cell, 0) + 91 * WL_MS))
		calls++;
	CHECK(calls > 15 && calls < 40);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	cell_run(&cell, WL_SEC);
}

/* --- However it is called, and whatever changes under way. --- */

static u64 play(u32 seed, u32 budget_max)
{
	struct wl_cfg cfg = link_of(WLINK_SCHED_RR, 2000000, 10);
	u64 i, sum = 0, number;
	struct wl_rng rng;

	wl_rng_seed(&rng, seed, WL_RNG_LOSS, 1);
	cfg.rlc.poll_window = 1;
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = budget_max;
	cell_add(&cell, 2, 4, &cfg);
	for (i = 1; i < 500; i++) {
		struct wl_cfg next = cfg;

		number = 1 + wl_rng_next(&rng) % 4;
		cell_run(&cell, i * 1300 * 1000);
		cell_send(&cell, number, 1 + wl_rng_next(&rng) % 600, 3);
		if (wl_rng_next(&rng) % 4)
			continue;
		wl_cfg_set_mode(&next, wl_rng_next(&rng) % __WLINK_MODE_MAX);
		next.rate_bps = wl_rng_next(&rng) % 5 * 500000;
		next.gbr_bps = wl_rng_next(&rng) % 3 * 400000;
		next.prio = wl_rng_next(&rng) % 3;
		next.harq.processes = wl_rng_next(&rng) % 9;
		next.harq.bler_q32 = wl_rng_next(&rng);
		if (number == 1) {
			next.cell.rb = wl_rng_next(&rng) % 3 * 5;
			next.cell.pf_window = wl_rng_next(&rng) % 2 * 50;
			next.cell.users = wl_rng_next(&rng) % 3 * 4;
			next.cell.users_on_ns = 20 * WL_MS;
			next.cell.users_off_ns = wl_rng_next(&rng) % 2 * 30 * WL_MS;
			next.sched = WLINK_SCHED_RR + wl_rng_next(&rng) % 3;
			cfg.cell = next.cell;
			cfg.sched = next.sched;
		}
		cell_configure(&cell, number, &next);
		if (wl_rng_next(&rng) % 8 == 0)
			wl_cell_forward(&cell, number);
		cell_check(&cell);
	}
	for (number = 1; number <= 4; number++)
		cell_configure(&cell, number, &cfg);
	cell_run(&cell, 60 * WL_SEC);
	for (number = 1; number <= 4; number++)
		CHECK_EQ(stat(number, WLINK_STAT_SDUS_HELD), 0);
	for (i = 0; i < cell.sent; i++)
		sum = sum * 31 + cell.done[i].sdu.end_ns + cell.done[i].sdu.drop;
	cell_check(&cell);
	return sum;
}

static void anything(u32 seed)
{
	ut_begin("share: seed %u: a change under way loses count, or a small budget differs",
		 seed);
	CHECK_EQ(play(seed, 3), play(seed, WL_LINK_BUDGET_MAX));
}

static void refuse(const struct wl_cfg *cfg, const char *what)
{
	struct wl_refusal why = { .what = "nothing" };

	if (!ut_check(wl_cfg_check(cfg, &why) && !strcmp(why.what, what), UT_WHERE,
		      "%s is refused, not %s", why.what, what))
		return;
}

CASE(share, "share: what has no sense is taken")
{
	struct wl_cfg good = link_of(WLINK_SCHED_PF, 50000000, 50), bad;
	struct wl_refusal why;

	say(&good, "gbr 50mbit pf_window 100");
	CHECK_EQ(wl_cfg_check(&good, &why), 0);
	bad = good;
	bad.sched = WLINK_SCHED_RR;
	refuse(&bad, "sched with pf_exponent or pf_window");
	bad.cell.pf_window = 0;
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	bad.sched = WLINK_SCHED_FIFO;
	refuse(&bad, "sched with rb");
	bad.cell.rb = 0;
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	bad.sched = WLINK_SCHED_DEDICATED;
	refuse(&bad, "sched with gbr");
	bad = good;
	bad.cell.users = 5;
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	bad.cell.rb = 0;
	refuse(&bad, "background needs rb:");
	say(&bad, "rb 50 pf_exponent 2");
	refuse(&bad, "pf_exponent with background");
	say(&bad, "pf_exponent 1 background_arrival 1s");
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	bad.cell.users_off_ns = WL_SEC;
	refuse(&bad, "background_off with background_arrival");
	bad.cell.users_off_ns = 0;
	bad.tdd.pattern = WLINK_SLOT_DOWNLINK | WLINK_SLOT_UPLINK << 2;
	refuse(&bad, "tdd with background_arrival");
	bad = good;
	bad.gbr_bps++;
	refuse(&bad, "gbr");
	bad = good;
	/* 50 blocks of 10752 bits in 1 ms. */
	bad.rate_bps = 537600000;
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	bad.rate_bps += 1000;
	refuse(&bad, "TTI at this rate with rb");
	bad = good;
	say(&bad, "sched rr pf_window off tti 0");
	refuse(&bad, "tti with rb");
	bad.cell.rb = 0;
	refuse(&bad, "tti with gbr");
}

TEST(share)
{
	u32 seed;

	fixed_point(1000, 0);
	fixed_point(2000, 0);
	fixed_point(500, 0);
	fixed_point(1500, 50);
	fixed_point(1000, 50);
	guaranteed(WLINK_SCHED_RR, 0);
	guaranteed(WLINK_SCHED_RR, 40);
	guaranteed(WLINK_SCHED_PF, 0);
	guaranteed(WLINK_SCHED_PF, 40);
	guaranteed(WLINK_SCHED_PRIO, 40);
	guaranteed(WLINK_SCHED_FIFO, 0);
	overload(0);
	overload(40);
	surplus(0);
	surplus(40);
	none_left(WLINK_SCHED_RR);
	none_left(WLINK_SCHED_PRIO);
	for (seed = 2; seed <= 4; seed++)
		taken_back(seed);
	taken_back(0);
	background(WLINK_SCHED_RR);
	background(WLINK_SCHED_PF);
	come_and_go(1000, 0.5);
	come_and_go(1000, 0.8);
	come_and_go(3000, 0.5);
	leave(WLINK_SCHED_RR, 1000, WLINK_RATE_UNLIMITED);
	leave(WLINK_SCHED_RR, 3000, WLINK_RATE_UNLIMITED);
	leave(WLINK_SCHED_PF, 1000, WLINK_RATE_UNLIMITED);
	leave(WLINK_SCHED_PRIO, 1000, WLINK_RATE_UNLIMITED);
	leave(WLINK_SCHED_RR, 1000, 3000000);
	on_and_off(1, 0.25, false);
	on_and_off(10, 0.25, true);
	on_and_off(100, 0.1, false);
	for (seed = 1; seed <= 6; seed++)
		anything(seed);
}
