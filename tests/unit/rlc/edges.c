// SPDX-License-Identifier: GPL-2.0
/*
 * What modes of RLC have in common at their bounds. One PDU of 125 bytes, or in LTE and NR a
 * block, each ms: what is sent in the TTI that starts at i ms is there at i + 6.
 */
#include "cell.h"
#include "say.h"
#include "ut.h"

/* Fills a block of LTE, and a PDU with its length indicator. */
#define BYTES	123

static const enum wlink_mode modes[] = {
	WLINK_MODE_UM, WLINK_MODE_AM, WLINK_MODE_LTE_UM, WLINK_MODE_LTE_AM, WLINK_MODE_NR_AM,
};

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);

	if (mode == WLINK_MODE_UM || mode == WLINK_MODE_AM)
		cfg.pdu_bytes = 125;
	cfg.reverse.rate_bps = 10 * cfg.rate_bps;
	return cfg;
}

/* Up to the middle of a TTI. */
static void run(u32 ms)
{
	cell_run(&cell, ms * WL_MS + WL_MS / 2);
}

static void end(void)
{
	cell_run(&cell, 30 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* Nothing fits, so nothing else happens when the time is over, between two TTIs. */
static void discard_alone(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);

	ut_begin("edges: mode %u: a SDU is discarded late where nothing else happens", mode);
	say(&cfg, "rate 10bit discard timer discard_timer 20ms");
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, WL_MS / 4);
	cell_carry(&cell, 1, BYTES, 1, 15 * WL_SEC);
	FATE(&cell, 0, 20 * WL_MS + WL_MS / 4, WLINK_DROP_TIMER);
	end();
}

/* Ten SDUs are older than the new time, and twice as many as the new limit. */
static void discard_first(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);

	ut_begin("edges: mode %u: a change drops for the limit what is too old", mode);
	say(&cfg, "rate 10bit discard timer discard_timer 20s");
	cell_fill(&cell, &cfg, BYTES, 10);
	run(10);
	say(&cfg, "discard_timer 5ms limit 5");
	cell_configure(&cell, 1, &cfg);
	run(11);
	CHECK_EQ(cell.bearer[1]->stats.drops[WLINK_DROP_TIMER], 10);
	end();
}

/* 150 SDUs have room in one PDU. */
static void sdus_in_pdu(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);

	ut_begin("edges: mode %u: a PDU has more than 128 SDUs", mode);
	cfg.rate_bps = 100000000;
	if (cfg.pdu_bytes)
		cfg.pdu_bytes = 4000;
	cell_fill(&cell, &cfg, 20, 150);
	run(2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), mode == WLINK_MODE_NR_AM ? 150 : 2);
	end();
}

/* Two SDUs go into a PDU, or a TTI. */
static void all_asked(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);

	ut_begin("edges: mode %u: a SDU at the front is not shown to the AQM", mode);
	wl_aqm_default(&cfg.aqm, WLINK_AQM_CODEL);
	cell_play(&cell, &cfg, 60, 20, 10 * WL_SEC);
	for (u32 i = 0; i < 20; i++)
		CHECK(cell.done[i].sdu.flags & WL_SDU_FRONT);
	end();
}

static struct wl_cfg losing(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);

	say(&cfg, "missing on poll_last on poll_pdu off poll_byte off poll_timer 4s");
	say(&cfg, "reorder_timer 5ms status_prohibit off");
	return cfg;
}

/* Return: the TTI in which what TTI 1 has lost goes again. */
static u32 again_ms(const struct wl_cfg *cfg)
{
	u32 ms = 1;

	cell_fill(&cell, cfg, BYTES, 60);
	cell_lose(&cell, cfg, 1, 1);
	while (!cell_stat(&cell, WLINK_STAT_PDUS_RETX) && ms < 60)
		run(++ms);
	return ms;
}

/* In the TTI in which it would wait for longer than the target a PDU goes again, so the SDU at
 * the front has not its turn.
 */
static void not_asked(enum wlink_mode mode)
{
	struct wl_cfg cfg = losing(mode);
	u32 ms;

	ut_begin("edges: mode %u: the AQM is asked about a SDU that is not next", mode);
	ms = again_ms(&cfg);
	wl_aqm_default(&cfg.aqm, WLINK_AQM_CODEL);
	cfg.aqm.target_ns = ms * WL_MS - WL_MS / 2;
	CHECK_EQ(again_ms(&cfg), ms);
	CHECK_EQ(cell.bearer[1]->aqm.codel.first_above_ns, 0);
	run(ms + 1);
	CHECK_EQ(cell.bearer[1]->aqm.codel.first_above_ns, (ms + 1) * WL_MS + cfg.aqm.interval_ns);
	end();
}

/* The first of three is sent for a third time shortly before the second comes; 50 ms later,
 * when that copy comes, the record of its number is that of the fifth, which is lost.
 */
static void late_copy(enum wlink_mode mode)
{
	struct wl_cfg cfg = losing(mode);
	u32 ms = 1;

	ut_begin("edges: mode %u: a late copy is taken for another PDU", mode);
	say(&cfg, "delay 50ms rev_delay 1ms window 3");
	if (mode == WLINK_MODE_AM)
		cfg.rlc.status_periodic_ns = 45 * WL_MS;
	else
		cfg.rlc.poll_ns = 40 * WL_MS;
	cell_fill(&cell, &cfg, BYTES, 6);
	cell_lose(&cell, &cfg, 1, 1);
	while (cell_stat(&cell, WLINK_STAT_PDUS_SENT) < 7 && ms < 200)
		run(++ms);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 3);
	cell_lose(&cell, &cfg, ms + 1, ms + 1);
	cell_run(&cell, 10 * WL_SEC);
	CHECK(cell_stat(&cell, WLINK_STAT_DUPLICATES) >= 1);
	CHECK(cell.done[4].sdu.deliver_ns > (ms + 101) * WL_MS);
	end();
}

/* The poll timer sends the first SDU again, twice, and HARQ repeats that for 50 ms. Meanwhile it
 * has been acknowledged, and its descriptor is the second SDU's, of which nothing but its one PDU
 * counts.
 */
static void sent_late(enum wlink_mode mode)
{
	struct wl_cfg cfg = losing(mode);

	ut_begin("edges: mode %u: a copy of what is acknowledged counts for another SDU", mode);
	cfg.rlc.poll_ns = 5 * WL_MS;
	cfg.harq = (struct wl_harq_cfg){
		.processes = 8, .transmissions = 2, .factor_q32 = WLINK_PROB_ONE,
		.rtt_ns = 50 * WL_MS,
	};
	cell_fill(&cell, &cfg, BYTES, 1);
	run(5);
	cfg.harq.bler_q32 = WLINK_PROB_ONE;
	cell_configure(&cell, 1, &cfg);
	run(10);
	cfg.harq.bler_q32 = 0;
	cell_configure(&cell, 1, &cfg);
	run(20);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 2);
	cfg.rlc.poll_ns = WL_NEVER_NS;
	cell_configure(&cell, 1, &cfg);
	cell_send(&cell, 1, BYTES, 1);
	run(100);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 1);
	CHECK_EQ(cell.done[1].sdu.pdus, 1);
	end();
}

/* A resource block has 42 bytes: what goes again of ten SDUs of 41 bytes, lost together, goes in
 * one TTI.
 */
static void again_together(enum wlink_mode mode)
{
	bool am = mode == WLINK_MODE_AM;
	struct wl_cfg cfg = losing(mode);
	u32 ms = 1;

	ut_begin("edges: mode %u: resource blocks do not suffice for what goes again", mode);
	say(&cfg, "sched rr rb 25 rate 8400kbit");
	if (am)
		cfg.pdu_bytes = 42;
	cell_fill(&cell, &cfg, 41, 10);
	cell_lose(&cell, &cfg, 1, 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 10);
	cell_send(&cell, 1, 41, 1);
	while (!cell_stat(&cell, WLINK_STAT_PDUS_RETX) && ms < 60)
		run(++ms);
	run(ms + 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 10);
	end();
}

/* What is sent again passes the 30 PDUs that wait. */
CASE(edges, "edges: start head: what is sent again waits behind all")
{
	struct wl_cfg cfg = losing(WLINK_MODE_AM);

	cfg.rlc.start = WLINK_START_HANDOVER_HEAD;
	cell_fill(&cell, &cfg, BYTES, 60);
	cell_lose(&cell, &cfg, 1, 1);
	cell_run(&cell, 10 * WL_SEC);
	CHECK(cell_stat(&cell, WLINK_STAT_PDUS_RETX));
	CHECK(cell.done[0].sdu.deliver_ns < 30 * WL_MS);
	end();
}

/* PDUs of 10 ms. The third brings a report, and as SN 1 may not go again a MRW begins. Its timer
 * and that of the RESET end before it is sent, so the bearer begins anew: the RESET does not go,
 * and the MRW does nothing to what begins then, be its SDU's number that of the epoch.
 */
CASE(edges, "edges: a bearer that begins anew sends a RESET, or heeds the MRW on the air")
{
	struct wl_cfg cfg = losing(WLINK_MODE_AM), lossy;

	say(&cfg, "tti 0 rate 32kbit pdu 40 start handover discard mrw maxdat 2 maxmrw 1 maxrst 2");
	say(&cfg, "mrw_timer 1ms reset_timer 1ms");
	cell_fill(&cell, &cfg, 39, 3);
	run(5);
	lossy = cfg;
	cell_uniform(&lossy.channel, WLINK_PROB_ONE);
	cell_configure(&cell, 1, &lossy);
	run(15);
	cell_configure(&cell, 1, &cfg);
	while (!cell_stat(&cell, WLINK_STAT_UNRECOVERABLE) && cell.now_ns < WL_SEC)
		cell_run(&cell, cell.now_ns + WL_MS);
	CHECK(cell.bearer[1]->unit.on);
	cell_carry(&cell, 1, 39, 3, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_SDUS_DELIVERED), 4);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 7);
	end();
}

/* A PDU of 40 bytes is full, and one has 10, a length indicator and that of the padding. */
CASE(edges, "edges: um: padding is not counted")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM);

	cfg.pdu_bytes = 40;
	cell_fill(&cell, &cfg, 50, 1);
	run(20);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_LI_BYTES), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PAD_BYTES), 28);
	end();
}

/* A PDU has 65535 bytes with its header, and a number as many without: there is a segment of two
 * between the PDU that is full and what is left.
 */
CASE(edges, "edges: nr-am: a SDU of 70000 bytes has one number")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_NR_AM);

	cfg.rate_bps = 1000000000;
	cell_fill(&cell, &cfg, 70000, 1);
	run(20);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 3);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_SDUS_DELIVERED), 1);
	end();
}

/* 50 PDUs of a SDU are lost, which is handed over with as many errors as there may be. */
CASE(edges, "edges: tm: a SDU has more errors than it may")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, WL_MS, 40);

	say(&cfg, "corrupt_lost on channel uniform loss 1");
	cell_play(&cell, &cfg, 2000, 1, WL_SEC);
	CHECK_EQ(cell.done[0].sdu.errors, WLINK_ERRORS_MAX);
	end();
}

TEST(edges)
{
	for (u32 i = 0; i < ARRAY_SIZE(modes); i++) {
		discard_alone(modes[i]);
		discard_first(modes[i]);
		sdus_in_pdu(modes[i]);
		all_asked(modes[i]);
		if (modes[i] == WLINK_MODE_UM || modes[i] == WLINK_MODE_LTE_UM)
			continue;
		not_asked(modes[i]);
		late_copy(modes[i]);
		sent_late(modes[i]);
		if (modes[i] != WLINK_MODE_LTE_AM)
			again_together(modes[i]);
	}
}
