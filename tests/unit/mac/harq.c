// SPDX-License-Identifier: GPL-2.0
/*
 * HARQ: a transport block goes at most so often, a round trip apart, and what is
 * sent after it waits for it.
 *
 * 1 Mbit/s and 1 ms: a TTI carries 1000 bits, a SDU of 125 bytes. What comes at 0
 * goes in the TTI that starts at 1 ms, and is there 5 ms after its end. With 8
 * processes and a round trip of 8 ms nothing new waits for a process but where an old
 * block goes again.
 */
#include <math.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

#define BYTES		125U
#define SENT_MS		7	/* wait for the TTI, TTI and delay */
#define HALF		(1U << 31)

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode, u32 bler_q32, u32 factor_q32,
			    u32 transmissions)
{
	struct wl_cfg cfg = cell_blocks(mode);

	say(&cfg, "pdu %u harq 8", BYTES);
	cfg.harq.bler_q32 = bler_q32;
	cfg.harq.factor_q32 = factor_q32;
	cfg.harq.transmissions = transmissions;
	return cfg;
}

/* What fills a PDU: um and am tell its end by a length indicator of 2 bytes. */
static u32 sdu_bytes(enum wlink_mode mode)
{
	return mode == WLINK_MODE_UM || mode == WLINK_MODE_AM ? BYTES - 2 : BYTES;
}

static void delivered(u32 seq, u64 at_ms)
{
	CHECK_EQ(cell.done[seq].over, 1);
	CHECK_EQ(cell.done[seq].sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(cell.done[seq].sdu.deliver_ns, at_ms * WL_MS);
}

/* Five standard deviations of a count. */
static void near_share(u64 is, u32 of, double share)
{
	CHECK_NEAR(is, of * share, 5 * sqrt(of * share * (1 - share)));
}

/* 30 %, 15 %, 7.5 %: one in its own time, 8 ms late, 16 ms late, lost. */
CASE(harq, "harq: delays or residual losses are not as their closed form")
{
	const u32 of = 20000;
	u64 at[3] = { 0 }, lost = 0;
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 1288490189, HALF, 3);

	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < of; i++) {
		cell_run(&cell, i * 40 * WL_MS);
		cell_send(&cell, 1, BYTES, 1);
	}
	cell_run(&cell, (of + 1) * 40 * WL_MS);
	for (u32 i = 0; i < of; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;
		u64 late_ns = sdu->deliver_ns - sdu->arrival_ns - SENT_MS * WL_MS;

		if (sdu->drop == WLINK_DROP_CHANNEL)
			lost++;
		else if (CHECK(late_ns % (8 * WL_MS) == 0 && late_ns <= 16 * WL_MS))
			at[late_ns / (8 * WL_MS)]++;
	}
	near_share(at[0], of, 0.7);
	near_share(at[1], of, 0.3 * 0.85);
	near_share(at[2], of, 0.3 * 0.15 * 0.925);
	near_share(lost, of, 0.3 * 0.15 * 0.075);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), of);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), at[1] + 2 * (at[2] + lost));
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_LOST), lost);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_LOST), lost);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES),
		 BYTES * (of + cell_stat(&cell, WLINK_STAT_HARQ_RETX)));
}

/* A transmitter that is never idle sends each block 1 + 0.3 + 0.3 * 0.15 times. */
CASE(harq, "harq: retransmissions take other than their share of the rate")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 1288490189, HALF, 3);
	const double mean = 1 + 0.3 + 0.3 * 0.15;
	u32 blocks;

	cell_play(&cell, &cfg, BYTES, 15000, 13450 * WL_MS);
	blocks = cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS);
	/* Five standard deviations of what 10000 blocks need in all. */
	CHECK_NEAR(blocks, 13450 / mean, 5 * sqrt(10000 * 0.3) / mean);
	CHECK_NEAR(blocks + cell_stat(&cell, WLINK_STAT_HARQ_RETX), 13450, 1);
}

/* The first transmission of each is lost, the second arrives. Of ten, eight go in
 * TTIs 1 to 8 and again in 9 to 16; a process is free a round trip after that, so
 * the ninth goes in 17.
 */
static void in_turn(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode, WLINK_PROB_ONE, 0, 4);

	ut_begin("harq: mode %u has blocks not in their TTIs", mode);
	/* Nothing of its own accord. */
	say(&cfg, "poll_window off poll_timer off rto 10s");
	cell_play(&cell, &cfg, sdu_bytes(mode), 10, WL_SEC);
	for (u32 i = 0; i < 8; i++)
		delivered(i, 8 + i + SENT_MS);
	delivered(8, 24 + SENT_MS);
	delivered(9, 25 + SENT_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), 10);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 10);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_LOST), 0);
	for (u32 i = 0; i < 10; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		CHECK_EQ(sdu->end_ns - sdu->start_ns, WL_MS);
		CHECK_EQ(sdu->due_ns - sdu->end_ns, 5 * WL_MS);
		CHECK_EQ(sdu->whole_ns - sdu->due_ns, 8 * WL_MS);
	}
}

/* One of 500 bytes takes four TTIs to collect and goes as one block in the last of
 * them, and going again takes four more: 1 to 4, again from 12 on; 5 to 8, again
 * from 16 on. The third collects in 9, 10, 11 and, when 12 to 19 have paid for those
 * two, in 20; it goes again in 28.
 */
CASE(harq, "harq: what is longer than a TTI goes again for nothing")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 0, 4);

	cfg.pdu_bytes = 0;
	cell_play(&cell, &cfg, 500, 3, WL_SEC);
	delivered(0, 11 + SENT_MS);
	delivered(1, 15 + SENT_MS);
	delivered(2, 27 + SENT_MS);
	CHECK_EQ(cell.done[2].sdu.due_ns, (19 + SENT_MS) * WL_MS);
}

/* One process: a block each 8 ms, whatever the rate has left. */
CASE(harq, "harq: one process carries two blocks, or waits too long")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0, 0, 4);

	cfg.harq.processes = 1;
	cell_play(&cell, &cfg, BYTES, 10, WL_SEC);
	for (u32 i = 0; i < 10; i++)
		delivered(i, 8 * i + SENT_MS);
}

/* Nothing arrives: each is given up when its fourth transmission, in TTI 25 + i, is
 * over.
 */
CASE(harq, "harq: a block is given up early, late or never")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, WLINK_PROB_ONE, 4);

	cell_play(&cell, &cfg, BYTES, 8, WL_SEC);
	for (u32 i = 0; i < 8; i++)
		FATE(&cell, i, (26 + i) * WL_MS, WLINK_DROP_CHANNEL);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_LOST), 8);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 24);
}

/* SDUs of 300 bytes, of which a TTI has 125: the second block has parts of two. */
CASE(harq, "harq: a lost block takes not all that it has a part of")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, WLINK_PROB_ONE, 1);

	cfg.pdu_bytes = 25;
	cell_play(&cell, &cfg, 300, 5, WL_SEC);
	for (u32 i = 0; i < 5; i++) {
		CHECK_EQ(cell.done[i].sdu.drop, WLINK_DROP_CHANNEL);
		CHECK_EQ(cell.done[i].sdu.pdus, 12);
		CHECK_EQ(cell.done[i].sdu.pdus_lost, 12);
	}
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), 12);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_LOST), 60);
}

/* The channel decides by itself: half are lost, of three transmissions an eighth. */
CASE(harq, "harq: the channel does not decide about each transmission")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, 0, 0, 3);
	const u32 of = 15000;

	cell_uniform(&cfg.channel, HALF);
	cell_play(&cell, &cfg, BYTES, of, 60 * WL_SEC);
	near_share(cell_stat(&cell, WLINK_STAT_HARQ_LOST), of, 0.125);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_SDUS_DELIVERED),
		 of - cell_stat(&cell, WLINK_STAT_HARQ_LOST));
}

/* Sent in TTI 1 and lost; silent from 5 to 12, it goes again in 17. */
CASE(harq, "harq: a block goes again without a rate, or never")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 0, 4);
	struct wl_cfg away = cfg;

	away.rate_bps = WLINK_RATE_SILENT;
	cell_fill(&cell, &cfg, BYTES, 1);
	cell_ask(&cell, 5 * WL_MS, 1, 1, &away);
	cell_ask(&cell, 12 * WL_MS, 2, 1, &cfg);
	cell_run(&cell, WL_SEC);
	delivered(0, 16 + SENT_MS);
}

/* MAC is reset with three under way: they are lost, what has not gone is not. */
static void reset(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode, WLINK_PROB_ONE, 0, 4);
	struct wl_cfg off = cfg;

	ut_begin("harq: mode %u does not lose what a reset of MAC empties", mode);
	off.harq.processes = 0;
	cell_fill(&cell, &cfg, sdu_bytes(mode), 5);
	cell_ask(&cell, 4 * WL_MS, 1, 1, &off);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_LOST), 3);
	CHECK_EQ(cell.bearer[1]->stats.drops[WLINK_DROP_CHANNEL], 3);
	delivered(3, 3 + SENT_MS);
	delivered(4, 4 + SENT_MS);
}

/* Half of the airtime of a TTI each. Nothing is lost at first, so that both have
 * 500 bits in it; then each block of bearer 1 goes twice and takes of the airtime
 * before it is shared.
 */
CASE(harq, "harq: a shared transmitter does not let retransmissions go first")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 0, 4);
	struct wl_cfg other = cfg;
	u64 first, second, retx;

	say(&cfg, "sched rr pdu 25 harq 16");
	other = cfg;
	other.harq.processes = 0;
	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, BYTES, 4000);
	cell_run(&cell, 4 * WL_SEC);
	first = cell_stat(&cell, WLINK_STAT_AIR_BYTES);
	retx = first - 25 * cell_stat(&cell, WLINK_STAT_PDUS_SENT);
	second = cell.bearer[2]->stats.v[WLINK_STAT_AIR_BYTES];
	/* All of the time is used; a PDU of each in turn, and one more of the
	 * first. The last round trip is still to come.
	 */
	CHECK_NEAR(first + second, 4000 * BYTES, 2 * BYTES);
	CHECK_NEAR(retx, first - retx, 8 * BYTES);
	CHECK_NEAR(first - retx, second, 16 * BYTES);
}

/* Of a shared TTI, which has 5 PDUs, the block of bearer 1 that goes again takes 2. The other 3
 * are for what is new, in turn: of both bearers, so that bearer 1 has two blocks in it.
 */
CASE(harq, "harq: a block that goes again takes no airtime of a shared TTI, or all")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, WLINK_PROB_ONE, 0, 4), other;

	say(&cfg, "sched rr pdu 25 delay 0 harq_rtt 8ms");
	other = cell_class(&cfg, cfg.rate_bps);
	other.harq.processes = 0;
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 1, 50, 1);
	cell_call(&cell, 8 * WL_MS);
	cell_send(&cell, 2, 75, 1);
	cell_send(&cell, 1, 50, 1);
	cell_call(&cell, 9 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 50 + 50 + 25);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 1);
	CHECK_EQ(cell.bearer[2]->stats.v[WLINK_STAT_AIR_BYTES], 50);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, 10 * WL_MS);
	CHECK_EQ(cell.done[1].sdu.deliver_ns, 11 * WL_MS);
	CHECK_EQ(cell.done[2].sdu.deliver_ns, 19 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_BLOCKS), 3);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 3);
}

/* Modes, rates, processes and numbers of transmissions change under way, in links
 * of three bearers; nothing is lost from the books, and at the end nothing is held.
 */
static void anything(u32 seed, enum wlink_sched sched)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, HALF, HALF, 4);
	struct wl_rng rng;
	u32 number;
	u64 i;

	ut_begin("harq: sched %u, seed %u: a change under way loses count", sched, seed);
	wl_rng_seed(&rng, seed, WL_RNG_LOSS, sched);
	say(&cfg, "sched %u pdu 50", sched);
	cell_share(&cell, &cfg, 3, &cfg);
	for (i = 1; i < 600; i++) {
		struct wl_cfg next = cfg;

		number = 1 + wl_rng_next(&rng) % 3;
		cell_run(&cell, i * 1300 * 1000);
		cell_send(&cell, number, 1 + wl_rng_next(&rng) % 400, 2);
		if (wl_rng_next(&rng) % 4)
			continue;
		wl_cfg_set_mode(&next, wl_rng_next(&rng) % (WLINK_MODE_ASR + 1));
		next.rate_bps = wl_rng_next(&rng) % 5 * 500000;
		next.harq.processes = wl_rng_next(&rng) % 9;
		next.harq.transmissions = 1 + wl_rng_next(&rng) % 4;
		next.harq.bler_q32 = wl_rng_next(&rng);
		next.harq.rtt_ns = (1 + wl_rng_next(&rng) % 10) * WL_MS;
		next.rlc.poll_window = 1;
		if (number == 1 && wl_rng_next(&rng) % 4 == 0)
			next.tti_ns = WL_MS + wl_rng_next(&rng) % 2 * WL_MS;
		cell_configure(&cell, number, &next);
		if (wl_rng_next(&rng) % 8 == 0)
			wl_cell_forward(&cell, number);
		cell_check(&cell);
	}
	for (number = 1; number <= 3; number++)
		cell_configure(&cell, number, &cfg);
	cell_run(&cell, 100 * WL_SEC);
	for (number = 1; number <= 3; number++)
		CHECK_EQ(cell.bearer[number]->stats.v[WLINK_STAT_SDUS_HELD], 0);
}

/* A call ends in the middle of TTI 1, after two PDUs of five: the block is open. */
static void cut_short(bool forward)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM, 0, 0, 4);
	struct wl_cfg off;

	ut_begin("harq: %s in the middle of a TTI leaves its block open",
		 forward ? "a handover" : "a reset of MAC");
	cfg.pdu_bytes = 25;
	off = cfg;
	off.harq.processes = 0;
	cell_play(&cell, &cfg, 500, 1, 0);
	cell.link.budget_max = 2;
	CHECK(!wl_link_advance(&cell.link, WL_MS));
	CHECK(cell.bearer[1]->harq.open);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	if (forward)
		wl_link_forward(&cell.link, cell.bearer[1], WL_MS);
	else
		cell_configure(&cell, 1, &off);
	cell_run(&cell, WL_SEC);
	CHECK(!cell.bearer[1]->harq.open && !cell.link.open);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_SDUS_HELD), 0);
	/* A change comes after the TTI that has begun. */
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_LOST), 0);
	CHECK_EQ(cell.done[0].sdu.drop, forward ? WLINK_DROP_FORWARD : WLINK_DROP_NONE);
}

/* A ring that is smaller than it ever is holds two PDUs of five. */
CASE(harq, "harq: a PDU without room is neither lost nor sent")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM, 0, 0, 4);

	cfg.pdu_bytes = 25;
	cell_init(&cell, &cfg, 0);
	cell.bearer[1]->rings.txs = 2;
	cell_carry(&cell, 1, 5 * 25 - 2, 1, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 5);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_LOST), 3);
	FATE(&cell, 0, cell.done[0].sdu.end_ns, WLINK_DROP_CHANNEL);
}

/* More than can be counted in 10^-9 bit is refused. */
CASE(harq, "harq: a TTI takes more than can be counted")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM, HALF, HALF, 4);
	struct wl_refusal why;

	say(&cfg, "tti 100ms harq_rtt 100ms rate 90gbit");
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.rate_bps += 10;
	CHECK_EQ(wl_cfg_check(&cfg, &why), -ERANGE);
	CHECK_EQ(why.value, 9000000001);
}

TEST(harq)
{
	enum wlink_sched sched;
	enum wlink_mode mode;
	u32 seed;

	for (mode = WLINK_MODE_TM; mode <= WLINK_MODE_ASR; mode++)
		in_turn(mode);
	reset(WLINK_MODE_TM);
	reset(WLINK_MODE_UM);
	cut_short(true);
	cut_short(false);
	for (sched = 0; sched <= WLINK_SCHED_MAX; sched++)
		for (seed = 1; seed <= 4; seed++)
			anything(seed, sched);
}
