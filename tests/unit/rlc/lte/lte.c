// SPDX-License-Identifier: GPL-2.0
/*
 * RLC of LTE and NR: PDUs made to fit a transport block, worked out by hand from
 * TS 36.322 and TS 38.322.
 */
#include <math.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

static struct cell cell;

static struct wl_lte *lte(void)
{
	return &cell.bearer[1]->mode.lte;
}

static void delivered(u32 seq, u64 at_ms)
{
	CHECK_EQ(cell.done[seq].over, 1);
	CHECK_EQ(cell.done[seq].sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(cell.done[seq].sdu.deliver_ns, at_ms * WL_MS);
}

/* The channel takes what goes in the TTIs that start at such ms, the others nothing; up to
 * the start of the TTI after the last of them.
 */
static void lose(const struct wl_cfg *cfg, u64 ttis)
{
	struct wl_cfg lossy = *cfg;

	cell_uniform(&lossy.channel, WLINK_PROB_ONE);
	for (u32 i = 1; i < 64 && ttis >> i; i++) {
		cell_configure(&cell, 1, ttis >> i & 1 ? &lossy : cfg);
		cell_run(&cell, i * WL_MS);
	}
	cell_configure(&cell, 1, cfg);
}

/* Four SDUs of 50 bytes. LTE, clause 6.2.1.4: a block has 125 bytes; the first PDU holds
 * 2 + 2 (one LI) + 50 + 50 bytes, and with a third part a second LI, 12 bits each: 2 + 3 +
 * 50 + 50 + 20. The second has 30 + 50: 2 + 2 + 80 bytes. NR, TS 38.322 clause 6.2.2.4: 2 +
 * 50, 2 + 50, 2 + 19; then with a SO 4 + 31, 2 + 50.
 */
static void headers(enum wlink_mode mode)
{
	bool nr = mode == WLINK_MODE_NR_AM;
	struct wl_cfg cfg = cell_blocks(mode);

	ut_begin("lte: mode %u: headers are not those of its clauses", mode);
	cell_play(&cell, &cfg, 50, 4, WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 125);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), nr ? 3 : 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_LI_BYTES), nr ? 6 : 5);
	cell_run(&cell, 2 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 125 + (nr ? 87 : 84));
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), nr ? 5 : 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_LI_BYTES), nr ? 12 : 9);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PAD_BYTES), 0);
	cell_run(&cell, WL_SEC);
	delivered(0, 7);
	delivered(1, 7);
	delivered(2, 8);
	delivered(3, 8);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* A SDU of 3000 bytes cannot be told by a LI of 11 bits: its end ends its PDU. */
CASE(lte, "lte: a length indicator tells more than 2047 bytes")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_LTE_AM);

	cfg.rate_bps = 48000000;
	cell_fill(&cell, &cfg, 3000, 1);
	cell_send(&cell, 1, 2047, 1);
	cell_send(&cell, 1, 100, 1);
	cell_run(&cell, WL_MS);
	/* 2 + 3000; 2 + 2 + 2047 + 100. */
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 3002 + 2151);
}

/* Of ten SDUs that fill a block each the channel takes the third; the rest of the time it
 * loses nothing.
 */
static void lose_third(enum wlink_mode mode, u32 bytes, u32 sdus)
{
	struct wl_cfg cfg = cell_blocks(mode), lossy;

	lossy = cfg;
	cell_uniform(&lossy.channel, WLINK_PROB_ONE);
	cell_play(&cell, &cfg, bytes, sdus, 2 * WL_MS);
	cell_configure(&cell, 1, &lossy);
	cell_run(&cell, 3 * WL_MS);
	cell_configure(&cell, 1, &cfg);
}

/* The fourth comes at 10 ms and starts t-Reordering, 50 ms; the tenth, at 16 ms, polls: its
 * report waits until then, clause 5.2.3. It has 15 + 12 bits, 4 bytes: 32 us, and is there
 * at 65.032 ms. The third goes in the TTI from 66 ms on and comes at 72 ms. NR delivers all
 * others when they come.
 */
static void reordering(enum wlink_mode mode)
{
	bool nr = mode == WLINK_MODE_NR_AM;

	ut_begin("lte: mode %u: t-Reordering, or what follows, is not in its time", mode);
	lose_third(mode, 123, 10);
	cell_run(&cell, 59 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 0);
	CHECK_EQ(lte()->vr_r, 2);
	CHECK_EQ(lte()->vr_ms, 2);
	CHECK_EQ(lte()->vr_h, 10);
	cell_run(&cell, 60 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	/* NR: 24 + 16 bits. */
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_BYTES), nr ? 5 : 4);
	CHECK_EQ(lte()->vr_ms, 10);
	cell_run(&cell, WL_SEC);
	delivered(0, 7);
	delivered(1, 8);
	delivered(2, 72);
	for (u32 i = 3; i < 10; i++)
		delivered(i, nr ? 7 + i : 72);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_DUPLICATES), 0);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* UM drops the third when t-Reordering, 45 ms, has expired, and gives what is held. It
 * has left the buffer when it was sent.
 */
CASE(lte, "lte: um holds or drops at another time")
{
	lose_third(WLINK_MODE_LTE_UM, 123, 10);
	cell_run(&cell, WL_SEC);
	delivered(1, 8);
	FATE(&cell, 2, 4 * WL_MS, WLINK_DROP_CHANNEL);
	CHECK_EQ(cell.done[2].sdu.deliver_ns, 55 * WL_MS);
	for (u32 i = 3; i < 10; i++)
		delivered(i, 55);
	cell_check(&cell);
	/* The last is lost: nothing comes after it. It would have come at 9 ms. */
	lose_third(WLINK_MODE_LTE_UM, 123, 3);
	cell_run(&cell, WL_SEC);
	FATE(&cell, 2, 4 * WL_MS, WLINK_DROP_CHANNEL);
	CHECK_EQ(cell.done[2].sdu.deliver_ns, 54 * WL_MS);
}

/* The second is lost, and nothing comes for a second. The receiver does not know of it until
 * the third has come, at 1007 ms, and t-Reordering runs from then on. The second was dropped
 * when it would have come and t-Reordering after that.
 */
CASE(lte, "lte: um: what is lost before a silence is not waited for after it")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_LTE_UM);

	cell_fill(&cell, &cfg, 123, 2);
	lose(&cfg, 1 << 2);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.done[1].sdu.drop, WLINK_DROP_CHANNEL);
	CHECK_EQ(cell.done[1].sdu.deliver_ns, (8 + 45) * WL_MS);
	cell_carry(&cell, 1, 123, 1, 1020 * WL_MS);
	/* In its time. */
	cell_carry(&cell, 1, 123, 1, 2 * WL_SEC);
	delivered(0, 7);
	delivered(2, 1007 + 45);
	delivered(3, 1007 + 45);
}

/* A PDU of 125 bytes is lost and asked for when the rate has fallen to 400 kbit/s: blocks of
 * 50 bytes. Segments have 4 bytes of header (clause 6.2.1.5): 46, 46 and 31 of its 123 bytes.
 */
static void resegmented(enum wlink_mode mode)
{
	struct wl_cfg slow = cell_blocks(mode);
	bool nr = mode == WLINK_MODE_NR_AM;

	ut_begin("lte: mode %u: what is sent again is not cut to the block", mode);
	slow.rate_bps = 400000;
	lose_third(mode, 123, 10);
	cell_run(&cell, 40 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 1250);
	cell_configure(&cell, 1, &slow);
	cell_run(&cell, 66 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 1);
	CHECK_EQ(lte()->retx_bytes, 123 - (nr ? 48 : 46));
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 3);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 1250 + 123 + (nr ? 10 : 12));
	delivered(2, 74);
	CHECK_EQ(lte()->retx_bytes, 0);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* The second of three segments is lost: the next report names its bytes. */
static void segment_lost(enum wlink_mode mode)
{
	struct wl_cfg slow = cell_blocks(mode), lossy;
	bool nr = mode == WLINK_MODE_NR_AM;
	u32 second = nr ? 46 : 46;

	ut_begin("lte: mode %u: a segment that is lost is not asked for by its bytes", mode);
	slow.rate_bps = 400000;
	lossy = slow;
	cell_uniform(&lossy.channel, WLINK_PROB_ONE);
	lose_third(mode, 123, 10);
	cell_run(&cell, 40 * WL_MS);
	cell_configure(&cell, 1, &slow);
	cell_run(&cell, 66 * WL_MS);
	cell_configure(&cell, 1, &lossy);
	cell_run(&cell, 67 * WL_MS);
	cell_configure(&cell, 1, &slow);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 4);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 1250 + 123 + (nr ? 10 : 12) + second + 4);
	/* LTE: 15 + 12, 15 + 42 and 15 bits; NR: 24 + 16, 24 + 48 and 24. */
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_BYTES), nr ? 5 + 9 + 3 : 4 + 8 + 2);
	CHECK_EQ(cell.done[2].sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_DUPLICATES), 0);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* A SDU of 600 bytes in blocks of 50: 48, then 46 twelve times. */
static void in_segments(struct wl_cfg *cfg, u64 lost)
{
	cfg->rate_bps = 400000;
	cell_fill(&cell, cfg, 600, 1);
	lose(cfg, lost);
}

/* Every second one is lost: six gaps. The third comes at 9 ms and t-Reassembly, 50 ms, makes
 * a report of 24 + 6 * 48 bits, 39 bytes: it is there at 64.78 ms, and what it names goes in
 * six TTIs from 65 ms on.
 */
CASE(lte, "lte: nr-am: of many gaps in a SDU some are not known")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_NR_AM);

	in_segments(&cfg, 1 << 2 | 1 << 4 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 12);
	cell_run(&cell, 59 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_BYTES), 39);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 6);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_AIR_BYTES), 13 * 50 + 6 * 50);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_DUPLICATES), 0);
	delivered(0, 76);
	CHECK_EQ(lte()->spans, 0);
}

/* t-Reassembly of 4 ms makes a report at 13 ms, when seven segments but the second have
 * come; another one follows at 18 ms, and a third, which the last one polls for, at 19 ms.
 * Each takes 20 ms back: what the first names is what had not come when it was made.
 */
CASE(lte, "lte: nr-am: a report names what a later one does")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_NR_AM);

	say(&cfg, "reorder_timer 4ms status_prohibit off rev_delay 20ms");
	in_segments(&cfg, 1 << 2);
	cell_run(&cell, 19 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 3);
	cell_run(&cell, 33300 * WL_US);
	CHECK_EQ(lte()->retx_bytes, 46 + 600 - 324);
	cell_run(&cell, WL_SEC);
	/* The first that is sent again is the one that was lost. */
	delivered(0, 40);
	CHECK_EQ(lte()->spans, 0);
}

/* Every PDU is lost. It polls; t-PollRetransmit, 120 ms, sends it again: RETX_COUNT is 0, 1
 * and so on, and with maxRetxThreshold 4 the fifth time that would be is a radio link
 * failure. What has begun is dropped then, and what comes after it begins anew.
 */
static void failure(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode), good;

	ut_begin("lte: mode %u: no radio link failure after maxRetxThreshold", mode);
	cfg.rlc.maxretx = 4;
	good = cfg;
	cell_uniform(&cfg.channel, WLINK_PROB_ONE);
	cell_fill(&cell, &cfg, 123, 1);
	/* What was to be done before it is over with it. */
	cell.link.first.failed = true;
	cell.link.first.restarts = true;
	cell.link.first.trim.on = true;
	cell.link.first.flight_last_ns = WL_SEC;
	cell.link.first.leave_for = WLINK_DROP_FORWARD;
	wl_link_flush(&cell.link, 0);
	CHECK(!cell.link.first.restarts);
	CHECK(!cell.link.first.trim.on);
	CHECK(!cell.link.first.leave_for);
	CHECK_EQ(cell.link.first.flight_last_ns, 0);
	cell_send(&cell, 1, 123, 1);
	/* It goes at 1, 121, 241, 361, 481 ms, and would at 601 ms. */
	cell_run(&cell, 600 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 5);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_TIMEOUTS), 4);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_UNRECOVERABLE), 0);
	cell_run(&cell, 601 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_UNRECOVERABLE), 1);
	FATE(&cell, 1, 601 * WL_MS, WLINK_DROP_REESTABLISH);
	cell_configure(&cell, 1, &good);
	cell_carry(&cell, 1, 123, 1, WL_SEC);
	delivered(2, 608);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* A SDU of 600 bytes takes five TTIs. What of it is still to come is not missing, TS 38.322
 * clause 5.2.3.2.3: t-Reassembly of 2 ms does not run, and there is one report, for the poll.
 */
CASE(lte, "lte: nr-am waits for bytes that have not been sent")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_NR_AM);

	say(&cfg, "reorder_timer 2ms status_prohibit off");
	cell_play(&cell, &cfg, 600, 1, 8 * WL_MS);
	CHECK_EQ(lte()->reorder_at_ns, WL_NEVER_NS);
	cell_run(&cell, WL_SEC);
	delivered(0, 11);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
}

/* Polls: by pollPDU, by pollByte, and with the last one; clause 5.2.2.1. */
CASE(lte, "lte: polls are not those of pollPDU and pollByte")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_LTE_AM);

	say(&cfg, "poll_pdu 8 poll_byte off");
	cell_play(&cell, &cfg, 123, 20, 50 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 3);
	cfg.rlc.poll_pdu = 0;
	/* The ninth makes 1107. */
	cfg.rlc.poll_byte = 1000;
	cell_play(&cell, &cfg, 123, 20, 50 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 3);
	CHECK_EQ(lte()->poll_sn, 19);
}

/* Reports at 7 ms and, 50 ms after it, one for all polls meanwhile. */
CASE(lte, "lte: t-StatusProhibit does not merge reports")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_LTE_AM);

	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < 40; i++) {
		cell_run(&cell, i * WL_MS);
		cell_send(&cell, 1, 50, 1);
	}
	cell_run(&cell, 56 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 40);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
	/* Where it goes off the report that it holds back goes at once. */
	cell_play(&cell, &cfg, 50, 20, 20 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	cell_carry(&cell, 1, 50, 1, 30 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	cfg.rlc.status_prohibit_ns = WL_NEVER_NS;
	cell_configure(&cell, 1, &cfg);
	/* The next TTI. */
	cell_run(&cell, 31 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 2);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* The window is full: no more than 512 PDUs, and the last polls. */
CASE(lte, "lte: the window does not stall, or for ever")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_LTE_AM);

	say(&cfg, "delay 600ms poll_pdu off poll_byte off poll_timer 4s");
	cell_play(&cell, &cfg, 123, 600, 1100 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 512);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 1);
	cell_run(&cell, 10 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 600);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* The window has four numbers, and the first two are lost: the fourth polls as it stalls the
 * window, clause 5.2.2.1, and both that are sent again while it does.
 */
static void stalled(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);

	ut_begin("lte: mode %u: not all that is sent while the window stalls polls", mode);
	cfg.rlc.window = 4;
	cell_fill(&cell, &cfg, 123, 10);
	lose(&cfg, 1 << 1 | 1 << 2);
	cell_run(&cell, 60 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 4);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 1);
	/* t-Reordering has begun at 9 ms. */
	cell_run(&cell, 70 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 3);
	cell_run(&cell, 10 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* TS 38.322 clause 5.3.3.2: no new SDU can go after any of the five segments of this one. */
CASE(lte, "lte: nr-am: segments of the last SDU of the window do not poll")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_NR_AM);

	cfg.rlc.window = 1;
	cell_play(&cell, &cfg, 600, 2, 6 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 5);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 5);
}

/* Three SDUs in a PDU of 905 bytes that is lost and polls: t-PollRetransmit, 120 ms, sends it
 * again, when blocks have 200 bytes. The first segment has 196 bytes from 121 ms on, the next
 * one 194 with a LI; 196 and 194 with a LI, and 120: the first SDU, 300 bytes, is there at 128
 * ms, the second at 130, clause 5.1.3.2.3, the third at 131.
 */
CASE(lte, "lte: am: SDUs wait for the rest of the PDU that they end in")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_LTE_AM);

	cfg.rate_bps = 8000000;
	cell_fill(&cell, &cfg, 300, 3);
	lose(&cfg, 1 << 1);
	cfg.rate_bps = 1600000;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, WL_SEC);
	delivered(0, 128);
	delivered(1, 130);
	delivered(2, 131);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 5);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* discardTimer takes what has not been begun. */
static void discarded(enum wlink_mode mode, u32 budget_max)
{
	struct wl_cfg cfg = cell_blocks(mode);

	ut_begin("lte: mode %u, a budget of %u: discardTimer takes what has begun, or nothing",
		 mode, budget_max);
	cfg.rlc.discard_ns = 10 * WL_MS;
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = budget_max;
	/* At most 123 bytes in a TTI: by 10 ms ten TTIs, and 1230 of 2000 bytes. */
	cell_carry(&cell, 1, 200, 10, WL_SEC);
	CHECK_EQ(cell.done[5].sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(cell.done[9].sdu.drop, WLINK_DROP_TIMER);
	CHECK_EQ(cell.done[9].sdu.end_ns, 10 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
}

/* Over HARQ a lost block goes again 8 ms later, and RLC sees nothing of it. */
static void over_harq(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);

	ut_begin("lte: mode %u: HARQ makes RLC ask again", mode);
	say(&cfg, "harq 8 harq_bler 1 harq_factor 0");
	cell_play(&cell, &cfg, 123, 40, WL_SEC);
	delivered(0, 15);
	CHECK_EQ(cell.done[39].sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_HARQ_RETX), 40);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 0);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_TIMEOUTS), 0);
}

/* Losses of one in five both ways, rates that change, blocks from 5 bytes on: every SDU is
 * delivered once, in LTE in order, and what each costs is what was sent.
 */
static u64 play(enum wlink_mode mode, u32 seed, u32 budget_max)
{
	struct wl_cfg cfg = cell_blocks(mode);
	u64 i, sum = 0, last_ns = 0;
	struct wl_rng rng;

	wl_rng_seed(&rng, seed, WL_RNG_LOSS, mode);
	say(&cfg, "seed %u maxretx 32 channel uniform loss 0.2", seed);
	cfg.sched = seed % 4;
	cfg.cell.rb = seed % 4 >= WLINK_SCHED_RR && seed & 4 ? 10 : 0;
	cfg.harq.processes = seed & 8;
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = budget_max;
	cell_add(&cell, 2, 2, &cfg);
	for (i = 1; i < 600; i++) {
		cell_run(&cell, i * 1300 * 1000);
		cell_send(&cell, 1 + wl_rng_next(&rng) % 2,
			  1 + wl_rng_next(&rng) % (i % 50 ? 400 : 4000), 2);
		if (wl_rng_next(&rng) % 8)
			continue;
		cfg.rate_bps = 40000 + wl_rng_next(&rng) % 3000000;
		cell_configure(&cell, 1, &cfg);
		cell_check(&cell);
	}
	cell_run(&cell, 200 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_UNRECOVERABLE), 0);
	for (i = 0; i < cell.sent; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		CHECK_EQ(cell.done[i].over, 1);
		sum = sum * 31 + sdu->deliver_ns + sdu->pdus;
		if (mode != WLINK_MODE_LTE_UM)
			CHECK_EQ(sdu->drop, WLINK_DROP_NONE);
		if (mode == WLINK_MODE_NR_AM || cell.done[i].number == 2 || sdu->drop)
			continue;
		CHECK(sdu->deliver_ns >= last_ns);
		last_ns = sdu->deliver_ns;
	}
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
	if (mode != WLINK_MODE_LTE_UM) {
		CHECK_EQ(lte()->vt_a, lte()->vt_s);
		CHECK_EQ(lte()->vr_r, lte()->vt_s);
		CHECK_EQ(lte()->retx_bytes, 0);
		CHECK_EQ(lte()->begun, 0);
	}
	cell_check(&cell);
	return sum;
}

static void anything(enum wlink_mode mode, u32 seed)
{
	ut_begin("lte: mode %u, seed %u: loses, doubles or reorders, or a small budget differs",
		 mode, seed);
	CHECK_EQ(play(mode, seed, 3), play(mode, seed, WL_LINK_BUDGET_MAX));
}

static void refuse(const struct wl_cfg *cfg, const char *what)
{
	struct wl_refusal why = { .what = "nothing" };

	ut_check(wl_cfg_check(cfg, &why) && !strcmp(why.what, what), UT_WHERE,
		 "%s is refused, not %s", why.what, what);
}

/* A member that may not have a value. */
#define REFUSED(good, member, value, what) do {				\
	struct wl_cfg bad_ = good;					\
									\
	bad_.member = (value);						\
	refuse(&bad_, what);						\
} while (0)

CASE(lte, "lte: what TS 36.331 does not have is taken")
{
	struct wl_cfg good = cell_blocks(WLINK_MODE_LTE_AM), bad = good;
	struct wl_refusal why;

	CHECK_EQ(wl_cfg_check(&good, &why), 0);
	/* Infinite, infinite, and off. */
	say(&bad, "poll_pdu off poll_byte off status_prohibit off");
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	REFUSED(good, pdu_bytes, 40, "pdu in a mode of LTE or NR");
	REFUSED(good, tti_ns, 0, "tti in a mode of LTE or NR");
	REFUSED(good, rlc.window, 513, "window");
	REFUSED(good, rlc.poll_pdu, 3, "poll_pdu");
	REFUSED(good, rlc.poll_byte, 3000001, "poll_byte");
	REFUSED(good, rlc.maxretx, 33, "maxretx");
	REFUSED(good, rlc.poll_ns, 4 * WL_MS, "poll_timer");
	REFUSED(good, rlc.reorder_ns, 1601 * WL_MS, "reorder_timer");
	REFUSED(good, rlc.status_prohibit_ns, 2401 * WL_MS, "status_prohibit");
	/* Infinite, and off. */
	say(&good, "poll_pdu off poll_byte off status_prohibit off");
	CHECK_EQ(wl_cfg_check(&good, &why), 0);
	good = cell_blocks(WLINK_MODE_NR_AM);
	good.rlc.poll_byte = 40000000;
	CHECK_EQ(wl_cfg_check(&good, &why), 0);
	good.rlc.reorder_ns = 201 * WL_MS;
	refuse(&good, "reorder_timer");
}

TEST(lte)
{
	enum wlink_mode mode;
	u32 seed;

	for (mode = WLINK_MODE_LTE_UM; mode <= WLINK_MODE_NR_AM; mode++) {
		headers(mode);
		over_harq(mode);
	}
	for (mode = WLINK_MODE_LTE_AM; mode <= WLINK_MODE_NR_AM; mode++) {
		reordering(mode);
		resegmented(mode);
		segment_lost(mode);
		failure(mode);
		stalled(mode);
	}
	for (mode = WLINK_MODE_LTE_UM; mode <= WLINK_MODE_NR_AM; mode++) {
		discarded(mode, WL_LINK_BUDGET_MAX);
		discarded(mode, 1);
	}
	for (mode = WLINK_MODE_LTE_UM; mode <= WLINK_MODE_NR_AM; mode++)
		for (seed = 1; seed <= 16; seed++)
			anything(mode, seed);
}
