// SPDX-License-Identifier: GPL-2.0
/*
 * The sender of lte-am and nr-am: which PDU polls, what is sent again and what is not, where
 * the times of lte.c say nothing. A block of 125 bytes each ms; what is sent in the TTI that
 * starts at i ms is there at i + 6, and its report 5 ms and its own airtime later.
 */
#include <string.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

/* Fills a block of LTE. */
#define BYTES	123

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);

	/* Reports come while the bearer all but rests. */
	cfg.reverse.rate_bps = cfg.rate_bps;
	say(&cfg, "poll_pdu off poll_byte off poll_timer 4s reorder_timer 10ms");
	say(&cfg, "status_prohibit off");
	return cfg;
}

static const struct wl_lte *lte(void)
{
	return &cell.bearer[1]->mode.lte;
}

static void run_us(u64 us)
{
	cell_run(&cell, us * 1000);
}

/* From half a ms before some TTI to half a ms before another nothing fits. */
static void rest(const struct wl_cfg *cfg, u32 from, u32 to)
{
	struct wl_cfg slow = *cfg;

	slow.rate_bps = 10;
	run_us(from * 1000 - 500);
	cell_configure(&cell, 1, &slow);
	run_us(to * 1000 - 500);
	cell_configure(&cell, 1, cfg);
}

static void end(void)
{
	cell_run(&cell, 30 * WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 0);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_UNRECOVERABLE), 0);
	CHECK_EQ(lte()->retx_bytes, 0);
	CHECK_EQ(lte()->spans, 0);
}

/* The PDU that makes 70, or 70 * 123 bytes of data, polls, and neither one before nor after. */
static void counts(bool bytes)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	ut_begin("lte: not the PDU that reaches %s polls", bytes ? "pollByte" : "pollPDU");
	if (bytes)
		cfg.rlc.poll_byte = 70 * BYTES;
	else
		cfg.rlc.poll_pdu = 70;
	cell_fill(&cell, &cfg, BYTES, 200);
	run_us(69500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 0);
	run_us(70500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 1);
	run_us(71500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 1);
	end();
}

/* Of 100 PDUs one is sent again, which does not count: 99 / 4. */
CASE(lte_tx, "lte: what is sent again counts for pollPDU")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	cfg.rlc.poll_pdu = 4;
	/* Reports at 10, 60 and 110 ms: one asks for it. */
	cfg.rlc.status_prohibit_ns = 50 * WL_MS;
	cell_fill(&cell, &cfg, BYTES, 200);
	cell_lose(&cell, &cfg, 5, 5);
	run_us(100500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 100);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 24);
	end();
}

/* The first three of ten are asked for by one report; the last of those three polls. */
CASE(lte_tx, "lte: not the last that is sent again polls")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	cell_fill(&cell, &cfg, BYTES, 10);
	cell_lose(&cell, &cfg, 1, 3);
	run_us(100000);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 3);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 2);
	for (u32 i = 0; i < 10; i++)
		CHECK_EQ(cell.done[i].sdu.retx, i < 3);
	end();
}

/* The poll of TTI 1 is lost; t-PollRetransmit ends at 21 ms. What has come just before is
 * sent instead of it: its first PDU polls, as its last does, and no other.
 */
CASE(lte_tx, "lte: the poll that t-PollRetransmit wants is not in the next PDU")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	say(&cfg, "poll_timer 20ms reorder_timer 40ms");
	cell_fill(&cell, &cfg, BYTES, 1);
	cell_lose(&cell, &cfg, 1, 1);
	run_us(20900);
	cell_send(&cell, 1, BYTES, 10);
	run_us(21500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 2);
	run_us(25500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_TIMEOUTS), 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 0);
	end();
}

/* The same where the window has no room for what has come: the lost one goes again. */
CASE(lte_tx, "lte: what t-PollRetransmit sends again waits for the window")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	say(&cfg, "window 1 poll_timer 20ms");
	cell_fill(&cell, &cfg, BYTES, 2);
	cell_lose(&cell, &cfg, 1, 1);
	run_us(21500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 1);
	end();
}

/* Nothing is lost. The report of TTI 1, 30 ms there and 30 back, comes while the bearer is
 * at rest and what t-PollRetransmit has asked for waits: nothing is sent again, and of what
 * comes at 200 ms only the last polls.
 */
CASE(lte_tx, "lte: what has been acknowledged while it waits is sent again")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	say(&cfg, "delay 30ms poll_timer 20ms");
	cell_fill(&cell, &cfg, BYTES, 1);
	rest(&cfg, 10, 200);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_TIMEOUTS), 1);
	CHECK_EQ(lte()->retx_bytes, 0);
	CHECK_EQ(lte()->retx.count, 0);
	CHECK_EQ(lte()->spans, 0);
	cell_send(&cell, 1, BYTES, 10);
	run_us(205500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 1);
	run_us(212000);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 2);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 0);
	end();
}

/* Polls of each fourth PDU bring several reports that ask for the lost one while it waits:
 * RETX_COUNT is about the first. With maxRetxThreshold 1 a second one would be too many.
 */
CASE(lte_tx, "lte: what waits to be sent again counts again")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	say(&cfg, "poll_pdu 4 maxretx 1");
	cell_fill(&cell, &cfg, BYTES, 40);
	cell_lose(&cell, &cfg, 1, 1);
	rest(&cfg, 22, 60);
	CHECK_EQ(lte()->retx.count, 1);
	CHECK_EQ(lte()->retx_bytes, BYTES);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_UNRECOVERABLE), 0);
	end();
}

/* The third segment of a SDU of 600 bytes waits for long. Its first one is lost: of
 * what has not been sent nothing is sent again, though the report knows no better.
 */
CASE(lte_tx, "lte: nr-am sends again what it has not sent")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_NR_AM);

	cell_fill(&cell, &cfg, 600, 1);
	cell_lose(&cell, &cfg, 1, 1);
	rest(&cfg, 3, 40);
	CHECK_EQ(lte()->retx_bytes, 123);
	run_us(100000);
	/* 123 + 121, once more 123, and 121 + 121 + 114. */
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 6);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_DUPLICATES), 0);
	end();
}

/* With a window of one each segment polls, and t-PollRetransmit ends while the third waits
 * for a rate: that one polls, nothing is sent again.
 */
CASE(lte_tx, "lte: nr-am: t-PollRetransmit sends segments again in the middle of a SDU")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_NR_AM);

	say(&cfg, "window 1 poll_timer 5ms");
	cell_fill(&cell, &cfg, 600, 1);
	rest(&cfg, 3, 20);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_TIMEOUTS), 1);
	CHECK_EQ(lte()->retx.count, 0);
	run_us(22500);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_SENT), 5);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 0);
	end();
}

/* Four PDUs of a SDU of 1000 bytes are acknowledged, and it is not over. */
CASE(lte_tx, "lte: a SDU leaves the buffer before all of it has been sent")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	cfg.rlc.poll_pdu = 4;
	cell_fill(&cell, &cfg, 1000, 1);
	rest(&cfg, 6, 40);
	CHECK_EQ(lte()->vt_a, 4);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 1);
	end();
}

/* SDUs of 200 and 60 bytes: 2 + 123; 4 + 77 + 44, lost in TTI 2; 2 + 16, which polls. What is
 * asked for at 19 goes again from TTI 25 on (TS 36.322 clauses 6.2.1.4, 6.2.1.5):
 * - in blocks of 125 bytes as it was, 4 + 121;
 * - of 81: 4 + 77, for a byte more takes two of a LI; 4 + 44;
 * - of 60: 4 + 56; with a LI 6 + 21 + 33; 4 + 11.
 */
static void parts(u32 block_bytes, u32 again, u32 li_bytes, u32 first_ms, u32 second_ms)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	ut_begin("lte: a PDU of two SDUs is not cut to blocks of %u bytes", block_bytes);
	cell_fill(&cell, &cfg, 200, 1);
	cell_send(&cell, 1, 60, 1);
	cell_lose(&cell, &cfg, 2, 2);
	run_us(20500);
	cfg.rate_bps = block_bytes * 8000;
	cell_configure(&cell, 1, &cfg);
	run_us(50000);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), again);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_LI_BYTES), 2 + 4 + 2 + li_bytes);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, first_ms * WL_MS);
	CHECK_EQ(cell.done[1].sdu.deliver_ns, second_ms * WL_MS);
	end();
}

/* The first of the three, 56 bytes of 121, is lost again: each time it is a segment. */
CASE(lte_tx, "lte: a segment from the start on goes as a whole PDU")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM);

	cell_fill(&cell, &cfg, 200, 1);
	cell_send(&cell, 1, 60, 1);
	cell_lose(&cell, &cfg, 2, 2);
	run_us(20500);
	cfg.rate_bps = 480000;
	cell_configure(&cell, 1, &cfg);
	cell_lose(&cell, &cfg, 25, 25);
	run_us(200000);
	CHECK(cell_stat(&cell, WLINK_STAT_PDUS_RETX) > 3);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_LI_BYTES),
		 2 + 4 + 2 + 14 + 4 * (cell_stat(&cell, WLINK_STAT_PDUS_RETX) - 3));
	end();
}

static void refused(const struct wl_cfg *cfg, const char *what)
{
	struct wl_refusal why = { };

	CHECK(wl_cfg_check(cfg, &why) < 0);
	CHECK(why.what && !strcmp(why.what, what));
}

/* The least of each, and what LTE has and NR has not. */
CASE(lte_tx, "lte: less than TS 36.331 has is taken, or more refused")
{
	struct wl_cfg good = bearer(WLINK_MODE_LTE_AM), bad;
	struct wl_refusal why;

	say(&good, "poll_pdu 4 poll_byte 1000 maxretx 1 reorder_timer 1600ms");
	CHECK_EQ(wl_cfg_check(&good, &why), 0);
	bad = good;
	bad.rlc.poll_byte = 999;
	refused(&bad, "poll_byte");
	bad = good;
	bad.rlc.maxretx = 0;
	refused(&bad, "maxretx");
	bad = bearer(WLINK_MODE_LTE_UM);
	bad.rlc.window = 0;
	refused(&bad, "window");
}

TEST(lte_tx)
{
	counts(false);
	counts(true);
	parts(125, 1, 4, 31, 31);
	parts(81, 2, 4 + 4, 31, 32);
	parts(60, 3, 4 + 6 + 4, 32, 33);
}
