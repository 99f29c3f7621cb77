// SPDX-License-Identifier: GPL-2.0
/*
 * Selective repeat on a whole link: what gets through, and how much of it.
 */
#include <math.h>

#include "cell.h"
#include "sr/sr.h"
#include "say.h"
#include "ut.h"
#include "core/rlc/mode.h"

static struct cell cell;

static void lose(struct wl_chan_cfg *chan, u32 permille)
{
	chan->kind = WLINK_CHANNEL_UNIFORM;
	chan->loss_q32 = (u64)permille * WLINK_PROB_ONE / 1000;
}

/* W frames per round trip of 132.25 ms, whatever the rate would allow. */
CASE(sr_link, "sr: a small window allows its size per round trip")
{
	struct wl_cfg cfg;
	u32 window;

	for (window = 1; window < 4; window++) {
		sr_cfg(&cfg, WLINK_MODE_FSR);
		cfg.rlc.window = window;
		cell_fill(&cell, &cfg, 250, 101 * window);
		/* The window of round trip 100 begins to arrive 81.25 later. */
		cell_run(&cell, 13225 * WL_MS + 81249 * WL_US);
		CHECK_EQ(cell.count, 100 * window);
		cell_run(&cell, 13225 * WL_MS + 81250 * WL_US);
		CHECK_EQ(cell.count, 100 * window + 1);
		cell_run(&cell, 20 * WL_SEC);
		CHECK_EQ(cell.count, 101 * window);
		CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_PDUS_RETX], 0);
	}
}

/* With NACKs that always get through and a timer that never comes in, each loss
 * costs one transmission and nothing else.
 */
static void goodput(u32 permille)
{
	const u64 span_ns = 600 * WL_SEC;
	const struct wl_stats *stats;
	double f = permille / 1000.0;
	double frames = 600 / .03125;
	struct wl_cfg cfg;
	double share;

	ut_begin("sr: goodput at a loss of %u/1000", permille);
	sr_cfg(&cfg, WLINK_MODE_ASR);
	cfg.rlc.window = WLINK_SR_WINDOW_MAX;
	say(&cfg, "rto 300s alpha 16 beta 16 seed %u", permille);
	lose(&cfg.channel, permille);
	cell_play(&cell, &cfg, 250, CELL_SDUS - 1, span_ns);
	stats = &cell.link.first.stats;
	share = cell_bits(&cell, 1) / (64000 * 600.);
	/* Never more than the frames that were not lost. */
	CHECK(stats->v[WLINK_STAT_SDUS_DELIVERED] <=
	      stats->v[WLINK_STAT_PDUS_SENT] - stats->v[WLINK_STAT_PDUS_LOST]);
	CHECK(share <= 1 - f + 4 * sqrt(f * (1 - f) / frames));
	/* What is held back at the end: some round trips of 4.2 frames. */
	CHECK(share >= 1 - f - 4 * sqrt(f * (1 - f) / frames) - 60 / frames);
	CHECK(stats->v[WLINK_STAT_PDUS_LOST] > f * frames / 2);
	CHECK_EQ(stats->v[WLINK_STAT_TIMEOUTS], 0);
	CHECK_EQ(stats->v[WLINK_STAT_DUPLICATES], 0);
	cell_run(&cell, 2 * span_ns);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED], CELL_SDUS - 1);
	/* Every loss is repaired, and only losses. */
	CHECK_EQ(stats->v[WLINK_STAT_PDUS_RETX], stats->v[WLINK_STAT_PDUS_LOST]);
	CHECK(!cell.link.first.queue.head);
}

struct trial {
	const char *name;
	u32 out;
	u32 back;
	u64 tti_ns;
	u64 rto_ns;
	u32 window;
	u64 ack_delay_ns;
};

static const struct trial trials[] = {
	{ "both ways lose a half", 500, 500, 0, 400 * WL_MS, 128 },
	{ "no way back but one in ten", 100, 900, 0, 400 * WL_MS, 16 },
	{ "timers that are too short", 100, 100, 0, WL_MS, 128 },
	{ "a TTI", 300, 300, 100 * WL_MS, 700 * WL_MS, 128 },
	{ "a window of one", 300, 300, 0, 500 * WL_MS, 1, 20 * WL_MS },
};

static void reliable(const struct trial *trial, enum wlink_mode mode, u64 seed)
{
	struct wl_cfg cfg;

	sr_cfg(&cfg, mode);
	cfg.tti_ns = trial->tti_ns;
	cfg.rlc.rto_ns = trial->rto_ns;
	cfg.rlc.window = trial->window;
	cfg.rlc.ack_delay_ns = trial->ack_delay_ns;
	cfg.seed = seed;
	lose(&cfg.channel, trial->out);
	lose(&cfg.reverse.channel, trial->back);
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < 100; i++) {
		cell_run(&cell, i * 30 * WL_MS);
		cell_send(&cell, 1, 1 + i * 7919 % 1500, 1);
	}
	cell_run(&cell, 10000 * WL_SEC);
	CHECK_EQ(cell.count, 100);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_SDUS_DELIVERED], 100);
	for (u32 i = 0; i < 100; i++)
		CHECK_EQ(cell.done[i].order, i);
	CHECK_EQ(cell.link.first.mode.sr.una, cell.link.first.mode.sr.next);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], 0);
}

/* 31.25 ms on the air, then a second on its way. */
CASE(sr_link, "sr: a frame overtakes what the bearer has sent in TM")
{
	struct wl_cfg cfg;

	sr_cfg(&cfg, WLINK_MODE_TM);
	cfg.delay_ns = WL_SEC;
	cell_play(&cell, &cfg, 250, 1, 100 * WL_MS);
	sr_cfg(&cfg, WLINK_MODE_FSR);
	cfg.delay_ns = 0;
	cell_configure(&cell, 1, &cfg);
	cell_carry(&cell, 1, 250, 1, 10 * WL_SEC);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, WL_SEC + 31250 * WL_US);
	CHECK_EQ(cell.done[1].sdu.deliver_ns, WL_SEC + 31250 * WL_US);
}

TEST(sr_link)
{
	static const u32 permilles[] = { 15, 54, 98, 300 };
	u64 seed;

	for (u32 i = 0; i < ARRAY_SIZE(permilles); i++)
		goodput(permilles[i]);
	for (u32 i = 0; i < ARRAY_SIZE(trials); i++) {
		ut_begin("sr: nothing is lost or out of order: %s", trials[i].name);
		for (seed = 1; seed <= 5 && !ut_failed(); seed++) {
			reliable(&trials[i], WLINK_MODE_FSR, seed);
			reliable(&trials[i], WLINK_MODE_ASR, seed);
		}
	}
}
