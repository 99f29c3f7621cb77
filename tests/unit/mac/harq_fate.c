// SPDX-License-Identifier: GPL-2.0
/*
 * HARQ: what is counted of a block, and what decides its fate; where the times of harq.c
 * say nothing. As there, a TTI of 1 ms carries 1000 bits, and what comes at 0 goes in the
 * TTI that starts at 1 ms.
 */
#include <math.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

#define BYTES		125U
#define HALF		(1U << 31)

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode, u32 bler_q32, u32 transmissions)
{
	struct wl_cfg cfg = cell_blocks(mode);

	say(&cfg, "pdu %u harq 8", BYTES);
	cfg.harq.bler_q32 = bler_q32;
	say(&cfg, "harq_factor 1 harq_max %u", transmissions);
	return cfg;
}

/* Sent in TTI i; the process is free 8 ms later, which only matters where one waits. */
CASE(harq_fate, "harq: a free process is waited for by nobody")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0, 4);

	cell_play(&cell, &cfg, BYTES, 1, 2 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), 1);
	CHECK_EQ(cell.bearer[1]->harq.next_ns, WL_NEVER_NS);
}

/* Of two processes and a round trip of 8 ms: two blocks each 8 ms. */
CASE(harq_fate, "harq: two processes are taken for one, or for more")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0, 4);

	cfg.harq.processes = 2;
	cell_play(&cell, &cfg, BYTES, 10, WL_SEC);
	for (u32 i = 0; i < 10; i++)
		FATE(&cell, i, (8 * (i / 2) + i % 2 + 2) * WL_MS, WLINK_DROP_NONE);
}

/* Both processes wait for their second transmission, in TTIs 9 and 10, and for its
 * feedback, a round trip later: nothing new goes before 17.
 */
CASE(harq_fate, "harq: a process whose block goes again is given to another")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 2);

	cfg.harq.processes = 2;
	cell_play(&cell, &cfg, BYTES, 4, 16 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), 2);
	cell_run(&cell, WL_SEC);
	for (u32 i = 0; i < 4; i++)
		FATE(&cell, i, (16 * (i / 2) + i % 2 + 10) * WL_MS, WLINK_DROP_CHANNEL);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 4);
}

/* Five PDUs of 25 bytes and a header of 3 each, four times. */
CASE(harq_fate, "harq: what goes again goes without its headers")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 4);

	say(&cfg, "pdu 25 header 3");
	cell_play(&cell, &cfg, BYTES, 1, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 4 * 5 * (25 + 3));
}

/* SDUs of 300 bytes in blocks of 125: the first block has nothing but a part of one, the
 * third the end of it and the begin of another.
 */
CASE(harq_fate, "harq: a part of a SDU in a block that arrives is lost")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0, 4);

	cfg.pdu_bytes = 25;
	cell_play(&cell, &cfg, 300, 5, WL_SEC);
	for (u32 i = 0; i < 5; i++) {
		CHECK_EQ(cell.done[i].sdu.drop, WLINK_DROP_NONE);
		CHECK_EQ(cell.done[i].sdu.pdus_lost, 0);
	}
}

/* A block of SDUs of one, two and two PDUs, all lost. */
CASE(harq_fate, "harq: the PDUs of a SDU inside of a block are those of the first one")
{
	static const u32 pdus[] = { 1, 2, 2 };
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 1);

	cfg.pdu_bytes = 25;
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < ARRAY_SIZE(pdus); i++)
		cell_send(&cell, 1, pdus[i] * 25, 1);
	cell_run(&cell, WL_SEC);
	for (u32 i = 0; i < ARRAY_SIZE(pdus); i++)
		CHECK_EQ(cell.done[i].sdu.pdus_lost, pdus[i]);
}

/* A ring that is smaller than it ever is holds two PDUs of five, which are lost with
 * their block; the others were before.
 */
CASE(harq_fate, "harq: a PDU without room is lost twice, or arrives")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM, WLINK_PROB_ONE, 1);

	cfg.pdu_bytes = 25;
	cell_init(&cell, &cfg, 0);
	cell.bearer[1]->rings.txs = 2;
	cell_carry(&cell, 1, 5 * 25 - 2, 1, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_LOST), 5);
	CHECK_EQ(cell.done[0].sdu.pdus_lost, 5);
}

/* Certain with a factor of 1 stays certain: no number is drawn for it. */
CASE(harq_fate, "harq: a factor of 1 makes a certain loss uncertain")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 4);
	u64 state;

	cell_init(&cell, &cfg, 0);
	state = cell.bearer[1]->harq.rng.state;
	cell_carry(&cell, 1, BYTES, 3, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 9);
	CHECK_EQ(cell.bearer[1]->harq.rng.state, state);
}

/* A channel that loses nothing does not help what HARQ itself loses. */
CASE(harq_fate, "harq: a channel overrules the loss of a transmission")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 1);

	cfg.channel.kind = WLINK_CHANNEL_UNIFORM;
	cell_play(&cell, &cfg, BYTES, 8, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_LOST), 8);
}

/* Good and bad in turn. Seven TTIs after a bad one is a good one, which holds nothing
 * but the repeated block. So what is lost goes once more, whatever came last before it.
 */
static void frames_pass(u32 blocks)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0, 4);

	ut_begin("harq: the channel stands still for what goes again, %u blocks", blocks);
	cfg.harq.rtt_ns = 7 * WL_MS;
	cfg.channel = (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_GILBERT, .p_q32 = WLINK_PROB_ONE,
		.r_q32 = WLINK_PROB_ONE, .loss_bad_q32 = WLINK_PROB_ONE,
	};
	cell_play(&cell, &cfg, BYTES, blocks, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), blocks);
	CHECK(cell_stat(&cell, WLINK_STAT_HARQ_RETX) >= blocks / 2);
	CHECK(cell_stat(&cell, WLINK_STAT_HARQ_RETX) <= (blocks + 1) / 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_SDUS_DELIVERED), blocks);
}

/* exp(-1000 hazard) is 1/2: half of the blocks of 1000 bits are hit. */
CASE(harq_fate, "harq: a block is hit as if it had more bits, or fewer")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0, 1);
	const u32 of = 4000;

	cfg.channel = (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_TWOSTATE, .mean_good_ns = WL_SEC,
		.mean_bad_ns = WL_SEC, .hazard_good_q56 = M_LN2 / 1000 * 0x1p56,
		.hazard_bad_q56 = M_LN2 / 1000 * 0x1p56,
	};
	cell_play(&cell, &cfg, BYTES, of, 10 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), of);
	CHECK_NEAR(cell_stat(&cell, WLINK_STAT_HARQ_LOST), of / 2, 5 * sqrt(of / 4));
}

/* Sent in TTI 1 and lost; what changes at 4 ms decides whether it goes again in 9. */
static void changed(bool factor)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM, WLINK_PROB_ONE, 4);
	struct wl_cfg next = cfg;

	ut_begin("harq: %s", factor ? "another factor empties the processes" :
				      "what begins anew keeps its blocks");
	if (factor)
		next.harq.factor_q32 = 0;
	else
		wl_cfg_set_mode(&next, WLINK_MODE_AM);
	next.pdu_bytes = cfg.pdu_bytes;
	cell_fill(&cell, &cfg, BYTES - 2, 1);
	cell_ask(&cell, 4 * WL_MS, 1, 1, &next);
	cell_run(&cell, 8 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_LOST), !factor);
	cell_run(&cell, 100 * WL_MS);
	if (factor) {
		CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 1);
		CHECK_EQ(cell.done[0].sdu.drop, WLINK_DROP_NONE);
	}
}

/* The only process has a block that is lost in TTI 1, would go again in 9, and goes in 17,
 * for the rate is 0 from 5 to 12 ms. What has come meanwhile waits for it until 25.
 */
CASE(harq_fate, "harq: a silent bearer gives the process of a waiting block away")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 4);
	struct wl_cfg away;

	say(&cfg, "harq_factor 0 harq 1");
	away = cfg;
	away.rate_bps = WLINK_RATE_SILENT;
	cell_fill(&cell, &cfg, BYTES, 2);
	cell_ask(&cell, 5 * WL_MS, 1, 1, &away);
	cell_ask(&cell, 12 * WL_MS, 2, 1, &cfg);
	cell_run(&cell, WL_SEC);
	FATE(&cell, 0, 2 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 1, 26 * WL_MS, WLINK_DROP_NONE);
}

/* A block of 500 bytes goes in TTI 4 and again in 12, which takes four TTIs. Without
 * HARQ from 12.5 ms on what comes then goes at once: in TTI 13.
 */
CASE(harq_fate, "harq: what is paid for after a reset of MAC")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 2);
	struct wl_cfg off;

	cfg.pdu_bytes = 0;
	off = cfg;
	off.harq.processes = 0;
	cell_play(&cell, &cfg, 500, 1, 12500000);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 1);
	cell_ask(&cell, 12500000, 1, 1, &off);
	cell_carry(&cell, 1, BYTES, 1, WL_SEC);
	FATE(&cell, 1, 14 * WL_MS, WLINK_DROP_NONE);
}

TEST(harq_fate)
{
	frames_pass(2);
	frames_pass(3);
	changed(true);
	changed(false);
}
