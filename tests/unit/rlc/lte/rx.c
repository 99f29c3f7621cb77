// SPDX-License-Identifier: GPL-2.0
/*
 * The receiver of lte-am and nr-am: when it reports, what a report takes, and what it does
 * with segments. A block of 125 bytes each ms; what is sent in the TTI that starts at i ms is
 * there at i + 6.
 */
#include "cell.h"
#include "core/impair/dist.h"
#include "say.h"
#include "ut.h"

/* Fills a block of LTE. */
#define BYTES	123

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode, u32 reorder_ms, u32 poll_ms)
{
	struct wl_cfg cfg = cell_blocks(mode);

	cfg.reverse.rate_bps = cfg.rate_bps;
	say(&cfg, "poll_pdu off poll_byte off");
	cfg.rlc.poll_ns = poll_ms * WL_MS;
	cfg.rlc.reorder_ns = reorder_ms * WL_MS;
	cfg.rlc.status_prohibit_ns = WL_NEVER_NS;
	return cfg;
}

static u64 timer_ns(void)
{
	return cell.bearer[1]->mode.lte.reorder_at_ns;
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
	CHECK_EQ(cell.bearer[1]->mode.lte.spans, 0);
}

/* The first PDU is lost, each fourth polls. t-Reordering runs from 8 to 18 ms, and again from
 * 19 to 29, for VR(H) is above VR(R) still (clause 5.1.3.2.3). Reports of 18, 22, 26 and 29 ask
 * for it, before what the first of them has sent again, in TTI 24, is there at 30; so it goes
 * in TTIs 28, 32 and 35, too.
 */
CASE(lte_rx, "lte: a report acknowledges what came after it was made")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 10, 4000);

	cfg.rlc.poll_pdu = 4;
	cell_fill(&cell, &cfg, BYTES, 60);
	cell_lose(&cell, &cfg, 1, 1);
	run(50);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_PDUS_RETX), 4);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_DUPLICATES), 3);
	end();
}

/* A PDU of 123 bytes is lost in TTI 1. Of its second time, in blocks of 75 bytes from TTI 21
 * on, 71 bytes are lost and 52 come at 28: t-Reordering runs, for that PDU is the last there
 * is and lacks something. Its poll and that of TTI 23 wait for it until 38.
 */
CASE(lte_rx, "lte: a gap in the last PDU is not waited for, or polls do not wait for it")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 10, 20);

	cell_fill(&cell, &cfg, BYTES, 1);
	cell_lose(&cell, &cfg, 1, 1);
	run(20);
	cfg.rate_bps = 600000;
	cfg.reverse.rate_bps = cfg.rate_bps;
	cell_configure(&cell, 1, &cfg);
	cell_lose(&cell, &cfg, 21, 21);
	run(22);
	cell_send(&cell, 1, 70, 1);
	run(28);
	CHECK_EQ(timer_ns(), 38 * WL_MS);
	run(37);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 0);
	run(38);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	CHECK_EQ(timer_ns(), WL_NEVER_NS);
	end();
}

/* The same with a longer t-Reordering: at 42 t-PollRetransmit sends all of the PDU again, in
 * two segments. The first, at 48, brings what is missing, which ends t-Reordering and answers
 * the poll of TTI 22. The second is a duplicate and polls: answered at once.
 */
CASE(lte_rx, "lte: t-Reordering runs on, or a poll waits on, though nothing is missing")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 200, 20);

	cell_fill(&cell, &cfg, BYTES, 1);
	cell_lose(&cell, &cfg, 1, 1);
	run(20);
	cfg.rate_bps = 600000;
	cfg.reverse.rate_bps = cfg.rate_bps;
	cell_configure(&cell, 1, &cfg);
	cell_lose(&cell, &cfg, 21, 21);
	run(47);
	CHECK_EQ(timer_ns(), 228 * WL_MS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 0);
	run(48);
	CHECK_EQ(timer_ns(), WL_NEVER_NS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	run(49);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_DUPLICATES), 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 2);
	end();
}

/* The second of two polls, and t-PollRetransmit sends it again in TTI 22: discarded at 28, and
 * its poll answered then, while the first is still waited for.
 */
CASE(lte_rx, "lte: the poll of a duplicate waits")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 60, 20);

	cell_fill(&cell, &cfg, BYTES, 2);
	cell_lose(&cell, &cfg, 1, 1);
	run(27);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 0);
	run(28);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_DUPLICATES), 1);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	CHECK_EQ(timer_ns(), 68 * WL_MS);
	end();
}

/* The report of 18, when t-Reordering has expired, answers the poll of TTI 2, too, and nothing
 * is waited for after it. What comes at 26 does not poll.
 */
CASE(lte_rx, "lte: the expiry of t-Reordering leaves a poll, or begins again")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 10, 4000);

	cell_fill(&cell, &cfg, BYTES, 2);
	cell_lose(&cell, &cfg, 1, 1);
	run(18);
	CHECK_EQ(timer_ns(), WL_NEVER_NS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	run(19);
	cell_send(&cell, 1, BYTES, 2);
	run(26);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 1);
	end();
}

/* 20 SDUs of a block each are lost, or 19 and the first segment of one of 200 bytes. A report
 * of NR has 24 bits, 24 for a range, and 48 for a NACK with a SO (TS 38.322 6.2.2.5).
 */
static void range(bool partly)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_NR_AM, 10, 4000);

	ut_begin("lte: nr-am: a range of NACKs ends early, or %s",
		 partly ? "late" : "costs nothing");
	cell_fill(&cell, &cfg, BYTES, partly ? 19 : 20);
	cell_send(&cell, 1, partly ? 200 : BYTES, 1);
	cell_lose(&cell, &cfg, 1, 20);
	run(45);
	CHECK(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT));
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_BYTES),
		 cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT) * (partly ? 12 : 6));
	end();
}

/* 15 bits and a header of three bytes. */
CASE(lte_rx, "lte: a report goes without its header")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 10, 4000);

	cfg.header_bytes = 3;
	cell_fill(&cell, &cfg, 50, 1);
	run(20);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_BYTES), 2 + 3);
	end();
}

/* A report of two bytes takes 16 ms at 1000 bit/s: what polls come from 7 to 26 ms are answered
 * at 7 and 23.
 */
CASE(lte_rx, "lte: reports queue before the reverse transmitter")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 10, 4000);

	cfg.reverse.rate_bps = 1000;
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < 20; i++) {
		cell_run(&cell, i * WL_MS);
		cell_send(&cell, 1, 50, 1);
	}
	run(30);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_POLLS), 20);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 2);
	end();
}

/* SDUs of 50 and 71 bytes fill a block with a LI, which is lost. In blocks of 54 bytes the first
 * segment ends as the first SDU does: delivered with it, at 27, clause 5.1.3.2.3; the other one
 * with the third, at 29.
 */
CASE(lte_rx, "lte: a SDU that ends with a segment waits for the next one")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 60, 20);

	cell_fill(&cell, &cfg, 50, 1);
	cell_send(&cell, 1, 71, 1);
	cell_lose(&cell, &cfg, 1, 1);
	run(20);
	cfg.rate_bps = 432000;
	cell_configure(&cell, 1, &cfg);
	run(40);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, 27 * WL_MS);
	CHECK_EQ(cell.done[1].sdu.deliver_ns, 29 * WL_MS);
	end();
}

/* Jitter holds the first SDU, which came with a segment at 27 ms, when the next segment comes
 * at 28, after which a third one is missing still.
 */
CASE(lte_rx, "lte: a SDU that is held comes again with the next segment")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_AM, 60, 20);
	static u64 room[(sizeof(struct wl_dist) + 2 * sizeof(struct wlink_point)) / 8 + 1];
	struct wl_dist *late = (struct wl_dist *)room;

	late->unit_ns = WL_MS;
	late->count = 2;
	late->point[0] = (struct wlink_point){ 0, 20 };
	late->point[1] = (struct wlink_point){ ~0U, 20 };
	cfg.impair.jitter = late;
	cell_fill(&cell, &cfg, 40, 1);
	cell_send(&cell, 1, 81, 1);
	cell_lose(&cell, &cfg, 1, 1);
	run(20);
	cfg.rate_bps = 400000;
	cell_configure(&cell, 1, &cfg);
	run(60);
	CHECK_EQ(cell.done[0].sdu.whole_ns, 27 * WL_MS);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, 47 * WL_MS);
	CHECK_EQ(cell.done[1].sdu.whole_ns, 29 * WL_MS);
	end();
}

TEST(lte_rx)
{
	range(false);
	range(true);
}
