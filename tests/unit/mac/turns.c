// SPDX-License-Identifier: GPL-2.0
/* Schedulers to the TTI: means of pf, what is guaranteed, fractions of blocks, background. */
#include <math.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

static struct cell cell;

static u64 stat(u32 number, enum wlink_stat which)
{
	return cell.bearer[number]->stats.v[which];
}

static double airtime_ms(u32 number)
{
	return 8e3 * stat(number, WLINK_STAT_AIR_BYTES) / cell.bearer[number]->cfg.rate_bps;
}

static struct wl_cfg pf_of(u32 window)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PF, 1000000, WL_MS, 0);

	say(&cfg, "pf_window %u pf_exponent 2", window);
	return cfg;
}

/* The mean throughput of a bearer in bit/TTI, in doubles: with a window a plain mean of as
 * many TTIs at most, then one that forgets 1/window a TTI; without one 1/128.
 */
struct mean {
	double bits;
	u32 ttis;
};

static void follow(struct mean *mean, u32 window, double bits)
{
	mean->ttis++;
	mean->bits += (bits - mean->bits) / (window ? min(mean->ttis, window) : 128);
}

/* Bearer 1 gets nothing new in TTIs [from, to); a SDU is what a TTI carries. */
static void means(u32 window, u32 from, u32 to)
{
	struct wl_cfg cfg = pf_of(window);
	struct wl_cfg other = cell_class(&cfg, 1280000);
	/* 1 bit/s more: so who has sent nothing yet goes by its rate. */
	const double least = 0.001;
	struct mean mean[2] = { };
	u32 i, wins, sent[2] = { }, given = 0;

	ut_begin("turns: pf, window %u, silent from %u to %u: another mean", window, from, to);
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 2, 160, 600);
	for (i = 1; i <= 400; i++) {
		if (sent[0] == given && (i < from || i >= to)) {
			cell_send(&cell, 1, 125, 1);
			given++;
		}
		cell_run(&cell, i * WL_MS);
		wins = sent[0] == given || 1.28 * pow(mean[0].bits + least, 2) >
				 pow(mean[1].bits + least, 2);
		sent[wins]++;
		CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), sent[0]);
		if (!CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), sent[1]))
			break;
		follow(&mean[0], window, wins ? 0 : 1000);
		follow(&mean[1], window, wins ? 1280 : 0);
		cell_run(&cell, i * WL_MS + WL_MS / 2);
	}
}

/* What was before a window does not count once there is one. */
CASE(turns, "turns: pf: a window does not begin anew")
{
	struct wl_cfg cfg = pf_of(0), other = cell_class(&cfg, 1000000);

	cell_share(&cell, &cfg, 2, &other);
	cell_carry(&cell, 1, 125, 400, 200 * WL_MS + WL_MS / 2);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 200);
	cfg.cell.pf_window = 100;
	cell_configure(&cell, 1, &cfg);
	cell_carry(&cell, 2, 125, 100, 201 * WL_MS);
	/* Both are 0, and the lower number is first. */
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 201);
	CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), 0);
}

/* Two of 10 Gbit/s, 25 SDUs a TTI: means that are large do not run over. */
CASE(turns, "turns: pf: two of a high rate do not take turns")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PF, 10000000000ULL, WL_MS, 0);
	struct wl_cfg other = cell_class(&cfg, 10000000000ULL);

	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 50000, 5000);
	for (u32 i = 1; i <= 200; i++) {
		cell_run(&cell, 2 * i * WL_MS);
		CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 25 * i);
		if (!CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), 25 * i))
			break;
	}
}

/* Its part of the airtime, in ms, where another with a better priority takes all else. */
static double sure_ms(u64 rate_bps, u64 gbr_bps, u64 tti_ns, u64 time_ns, u32 sdus)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PRIO, rate_bps, tti_ns, 25);
	struct wl_cfg other = cell_class(&cfg, rate_bps);
	double ms;

	say(&other, "gbr %llubit prio 7", gbr_bps);
	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 500, sdus);
	cell_run(&cell, time_ns);
	CHECK(stat(1, WLINK_STAT_BUFFER_SDUS) && stat(2, WLINK_STAT_BUFFER_SDUS));
	ms = airtime_ms(2);
	return ms;
}

CASE(turns, "turns: what is guaranteed in a long TTI, or in fractions of a bit, is lost")
{
	/* A quarter of 20 s: a TTI is owed whole, though it is longer than the bucket. */
	CHECK_NEAR(sure_ms(1000000, 250000, 200 * WL_MS, 20 * WL_SEC, 8000), 5000, 51);
	/* 1.5 bits a TTI, 30 kbit in 20 s: 30 ms, to a PDU. */
	CHECK_NEAR(sure_ms(1000000, 1500, WL_MS, 20 * WL_SEC, 8000), 30, 0.2);
}

/* Bearer 3 keeps bearer 2 from what it is owed, which is forgotten with its guarantee. */
CASE(turns, "turns: what was owed is owed by another guarantee")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 4000000, WL_MS, 25);
	struct wl_cfg other = cell_class(&cfg, 4000000);
	double was;

	cell_init(&cell, &cfg, 0);
	say(&other, "gbr 3mbit prio 2");
	cell_add(&cell, 2, 2, &other);
	say(&other, "gbr 4mbit prio 1");
	cell_add(&cell, 3, 3, &other);
	cell_send_all(&cell, 3, 500, 1000);
	cell_run(&cell, 200 * WL_MS + WL_MS / 2);
	CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), 0);
	cell_del(&cell, 3);
	other.gbr_bps = 0;
	cell_configure(&cell, 2, &other);
	cell_run(&cell, 201 * WL_MS + WL_MS / 2);
	CHECK_EQ(cell.link.guarantees, 0);
	was = airtime_ms(1);
	other.gbr_bps = 3000000;
	cell_configure(&cell, 2, &other);
	cell_run(&cell, 221 * WL_MS);
	/* 100 ms of 3 of 4 Mbit/s would have left nothing to others for 300 ms. */
	CHECK(airtime_ms(1) - was > 2);
}

/* Priorities differ by their highest bit, beside one that is guaranteed something. */
CASE(turns, "turns: a guarantee makes priorities equal")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PRIO, 4000000, WL_MS, 25);
	struct wl_cfg other = cell_class(&cfg, 4000000);

	cfg.prio = 128;
	cell_init(&cell, &cfg, 0);
	other.prio = 0;
	cell_add(&cell, 2, 2, &other);
	other.gbr_bps = 1000000;
	cell_add(&cell, 3, 3, &other);
	cell_send_all(&cell, 3, 500, 100);
	cell_run(&cell, 50 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 0);
	CHECK(stat(2, WLINK_STAT_PDUS_SENT) > 100);
}

/* The beginning of a TTI looks at each bearer, and no call at more than it may; the one
 * that is next goes meanwhile. The last to come is the first.
 */
CASE(turns, "turns: a TTI begins in one call, or with a bearer that is gone")
{
	struct wl_cfg cfg = pf_of(0), other = cell_class(&cfg, 1000000);

	cell_share(&cell, &cfg, 4, &other);
	for (u32 i = 1; i <= 4; i++)
		cell_send(&cell, i, 125, 10);
	cell_run(&cell, WL_MS / 2);
	cell.link.budget_max = 1;
	while (cell.link.cursor != cell.bearer[2] && !cell_call(&cell, WL_MS))
		;
	CHECK(cell.link.cursor == cell.bearer[2]);
	wl_cell_del(&cell, 2);
	CHECK(cell.link.cursor == cell.bearer[1]);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	cell_run(&cell, WL_SEC);
	for (u32 i = 1; i <= 4; i++)
		if (i != 2)
			CHECK_EQ(stat(i, WLINK_STAT_SDUS_DELIVERED), 10);
}

/* 1 byte takes 1 us. Half a SDU of bearer 2 has been sent when its rate becomes 0, bearer 1
 * has an older one; both can send again while bearer 3 does.
 */
CASE(turns, "turns: fifo: the rest of a PDU waits for an older one")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_FIFO, 8000000, 0, 0);
	struct wl_cfg silent, other = cell_class(&cfg, 8000000);
	const u64 us = 1000;

	silent = cfg;
	silent.rate_bps = 0;
	cell_share(&cell, &silent, 3, &other);
	cell_run(&cell, 100 * us);
	cell_carry(&cell, 1, 1000, 1, 1000 * us);
	cell_carry(&cell, 2, 1000, 1, 1500 * us);
	silent = other;
	silent.rate_bps = 0;
	cell_configure(&cell, 2, &silent);
	cell_run(&cell, 2000 * us);
	cell_carry(&cell, 3, 1000, 1, 2200 * us);
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 2400 * us);
	cell_configure(&cell, 2, &other);
	cell_run(&cell, WL_SEC);
	FATE(&cell, 2, 3000 * us, WLINK_DROP_NONE);
	FATE(&cell, 1, 3500 * us, WLINK_DROP_NONE);
	FATE(&cell, 0, 4500 * us, WLINK_DROP_NONE);
}

/* --- Resource blocks. --- */

/* 1000.1 bits in three blocks, for 10 s. */
CASE(turns, "turns: fractions of bits of a block are lost")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 1000100, WL_MS, 25);

	cfg.cell.rb = 3;
	cell_play(&cell, &cfg, 500, 3000, 10 * WL_SEC);
	CHECK_NEAR(8.0 * stat(1, WLINK_STAT_AIR_BYTES), 10001000, 200);
}

/* 275 blocks for two: in turn 137 and 138. A block is a PDU. */
CASE(turns, "turns: of many blocks some are nobody's")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 55000000, WL_MS, 25);
	struct wl_cfg other;

	cfg.cell.rb = 275;
	other = cell_class(&cfg, 55000000);
	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 500, 100);
	cell_run(&cell, WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 138);
	CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), 137);
	cell_run(&cell, 2 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 275);
	CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), 275);
}

/* What two of three need, and what the other does, are all blocks. It leaves their order as it
 * was: of the next blocks, one more than each can have, the first has that. A block is a PDU.
 */
static void order_stays(u32 many, u32 few)
{
	const u32 rb = 2 * many + few;
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, rb * 200000, WL_MS, 25);
	struct wl_cfg other;

	ut_begin("turns: who needs %u of %u blocks is first in the next TTI", few, rb);
	CHECK_EQ(rb % 3, 1);
	cfg.cell.rb = rb;
	other = cell_class(&cfg, cfg.rate_bps);
	cell_share(&cell, &cfg, 3, &other);
	cell_send(&cell, 1, 500, 20);
	cell_send(&cell, 2, 25 * few, 1);
	cell_send(&cell, 3, 500, 20);
	cell_run(&cell, WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), many);
	CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), few);
	cell_carry(&cell, 2, 500, 20, 2 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), many + rb / 3 + 1);
	CHECK_EQ(stat(2, WLINK_STAT_PDUS_SENT), few + rb / 3);
	CHECK_EQ(stat(3, WLINK_STAT_PDUS_SENT), many + rb / 3);
}

/* With prio users in the background have what bearer 1 leaves, a half. They bring a load of
 * a quarter of the link: one is there in the mean, rho / (1 - rho), of 256 at most.
 */
CASE(turns, "turns: prio: users in the background have nothing of what is left")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PRIO, 10000000, WL_MS, 25);
	double sum = 0;

	say(&cfg, "rb 50 background 256 background_arrival 10ms");
	say(&cfg, "background_size 3125 background_cv 1");
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < 10000; i++) {
		cell_run(&cell, i * WL_MS + WL_MS / 2);
		cell_send(&cell, 1, 625, 1);
		sum += cell.link.users.on;
	}
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 25 * 9999);
	/* 1000 come; the mean follows some 300 ms. */
	CHECK_NEAR(sum / 10000, 1, 0.7);
}

/* Every 50 ms bearer 1 has a TTI for itself, with prio; for the rest they have all, and are a
 * load of 1/2: one is there in the mean, and hardly more for that TTI.
 */
CASE(turns, "turns: a TTI without users stops them until something else happens")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PRIO, 10000000, WL_MS, 25);
	const u32 samples = 4000;
	double sum = 0;

	say(&cfg, "rb 50 background 256 background_arrival 100ms");
	say(&cfg, "background_size 62500 background_cv 1");
	cell_init(&cell, &cfg, 0);
	for (u32 i = 1; i <= samples; i++) {
		cell_carry(&cell, 1, 1250, 1, 50ULL * i * WL_MS);
		sum += cell.link.users.on;
	}
	/* A variance of 2; a sample in ten is one of its own. */
	CHECK_NEAR(sum / samples, 1, 5 * sqrt(2 * 10.0 / samples));
}

/* Each has 1 of 10 Mbit/s at most, of a load of 3: hardly ever they wait for each other, and
 * three are there in the mean, M/G/infinity.
 */
CASE(turns, "turns: users that come and go are faster than they may")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 10000000, WL_MS, 25);
	const u32 samples = 1000;
	double sum = 0;

	say(&cfg, "rb 50 background 256 background_arrival 100ms");
	say(&cfg, "background_size 37500 background_cv 1 background_rate 1mbit");
	cell_init(&cell, &cfg, 0);
	for (u32 i = 1; i <= samples; i++) {
		cell_carry(&cell, 1, 20, 1, i * WL_SEC);
		sum += cell.link.users.on;
	}
	/* Five standard deviations. */
	CHECK_NEAR(sum / samples, 3, 5 * sqrt(3.0 / samples));
}

/* Of 256 that have come and stay for long, short ones are a part of
 * p = (1 + sqrt((c^2 - 1) / (c^2 + 1))) / 2, to four standard deviations.
 */
static void kinds(u32 cv_milli)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 10000000, WL_MS, 25);
	const double square = cv_milli / 1000.0 * (cv_milli / 1000.0);
	const double p = (1 + sqrt((square - 1) / (square + 1))) / 2;

	ut_begin("turns: cv %u: too many users are of one kind", cv_milli);
	say(&cfg, "rb 50 background 256 background_arrival 1ms background_size 1000000000");
	cfg.cell.size_cv_milli = cv_milli;
	cell_play(&cell, &cfg, 20, 1, 100 * WL_MS);
	CHECK_EQ(cell.link.users.on, 256);
	CHECK_NEAR(cell.link.users.transfers[0], 256 * p, 4 * sqrt(256 * p * (1 - p)));
}

/* Long after the last time each of 256 is on with on / (on + off), and what was meanwhile is
 * not gone through.
 */
static void forgotten(u64 on_ns, u64 off_ns, u64 pause_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 10000000, WL_MS, 25);
	const double p = (double)on_ns / (on_ns + off_ns);
	const u32 pauses = 100;
	u32 i, calls, most = 0;
	double sum = 0;

	ut_begin("turns: users that are on for %.2f do not begin so, or all that was is played", p);
	say(&cfg, "rb 50 background 256 background_on %lluns background_off %lluns", on_ns, off_ns);
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = 100;
	for (i = 1; i <= pauses && most < 10; i++) {
		cell_run(&cell, i * pause_ns);
		cell_send(&cell, 1, 20, 1);
		for (calls = 1; calls < 10 && !cell_call(&cell, i * pause_ns + 2 * WL_MS); calls++)
			;
		most = max(most, calls);
		sum += cell.link.users.on;
	}
	CHECK(most < 10);
	CHECK_NEAR(sum / pauses, 256 * p, 5);
}

/* With another TTI, numbers of TTIs begin anew, and the mean goes on. */
CASE(turns, "turns: pf: the mean is lost as another TTI begins")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PF, 1000000, WL_MS, 125);
	u64 mean_bps;

	cell_play(&cell, &cfg, 125, 200, 100 * WL_MS + WL_MS / 2);
	mean_bps = cell.bearer[1]->share.mean_bps;
	CHECK(mean_bps);
	cfg.tti_ns = 2 * WL_MS;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 102 * WL_MS + WL_MS / 2);
	CHECK_EQ(cell.bearer[1]->share.mean_bps, mean_bps);
}

/* 100 Gbit/s in 200 ms are more than 2^34 bits. */
CASE(turns, "turns: pf: the mean misses a TTI with the most that there is")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PF, 100000000000, 200 * WL_MS, 65535);

	cell_play(&cell, &cfg, 2400000000U, 2, 500 * WL_MS);
	CHECK_NEAR(cell.bearer[1]->share.mean_bps, 100e9 / 128, 1e7);
}

TEST(turns)
{
	means(0, 400, 400);
	means(0, 40, 140);
	means(100, 400, 400);
	means(100, 10, 40);
	means(50, 20, 160);
	order_stays(10, 5);
	order_stays(100, 74);
	kinds(1000);
	kinds(2000);
	forgotten(100 * WL_MS, 300 * WL_MS, 10 * WL_SEC);
	forgotten(100 * WL_MS, 10 * WL_MS, 900 * WL_MS);
}
