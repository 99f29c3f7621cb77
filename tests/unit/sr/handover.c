// SPDX-License-Identifier: GPL-2.0
/*
 * start handover: PDUs get their number and their timers when the window admits them,
 * and wait in one queue. 64 kbit/s and 50 ms each way, PDUs of 250 bytes (31.25 ms),
 * ACKs of 8 (1 ms) that do not wait: of PDUs that are handed over together at 0 the n-th
 * is acknowledged at n * 31.25 + 101 ms.
 */
#include "cell.h"
#include "sr/sr.h"
#include "say.h"
#include "ut.h"
#include "core/rlc/mode.h"
#include "core/sr/sr.h"

#define FRAME_NS	(31250 * WL_US)
#define FRAMES		20

static struct cell cell;

static void setup(struct wl_cfg *cfg, enum wlink_mode mode, enum wlink_start start)
{
	sr_cfg(cfg, mode);
	say(cfg, "sched fifo start %u", start);
}

static u64 stat(u32 number, u32 which)
{
	return cell.bearer[number]->stats.v[which];
}

/* FRAMES frames at 0. Return: how often a timer expires. */
static u64 expiries(enum wlink_start start, u64 rto_ns)
{
	struct wl_cfg cfg;
	u64 timeouts;

	setup(&cfg, WLINK_MODE_FSR, start);
	cfg.rlc.rto_ns = rto_ns;
	cell_play(&cell, &cfg, 250, FRAMES, 10 * WL_SEC);
	CHECK_EQ(cell.count, FRAMES);
	/* The last one arrives when it always did. */
	CHECK_EQ(cell.done[FRAMES - 1].sdu.deliver_ns, FRAMES * FRAME_NS + 50 * WL_MS);
	timeouts = stat(1, WLINK_STAT_TIMEOUTS);
	CHECK_EQ(stat(1, WLINK_STAT_DUPLICATES), timeouts);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_RETX), timeouts);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), FRAMES + timeouts);
	return timeouts;
}

static void test_expires(void)
{
	const u64 last_ns = FRAMES * FRAME_NS + 101 * WL_MS;

	ut_begin("handover: a timer that is shorter than the queue expires");
	/* At 300 ms the 7th to the 20th, at 600 ms the 16th to the 20th. */
	CHECK_EQ(expiries(WLINK_START_HANDOVER, 300 * WL_MS), 14 + 5);
	CHECK_EQ(expiries(WLINK_START_HANDOVER, last_ns - 1), 1);
	ut_begin("handover: one that is not does not, and one from the last bit on never");
	CHECK_EQ(expiries(WLINK_START_HANDOVER, last_ns), 0);
	CHECK_EQ(expiries(WLINK_START_AIR, 300 * WL_MS), 0);
	CHECK_EQ(expiries(WLINK_START_AIR, 101 * WL_MS), 0);
}

/* A SDU of 100 frames, of which one is on the air: all have their number. */
CASE(handover, "handover: of many frames some wait for the transmitter of the first")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR, WLINK_START_HANDOVER);
	cfg.rlc.window = 120;
	cell_play(&cell, &cfg, 100 * 250, 1, 1);
	CHECK_EQ(cell.link.first.submit.ring.tail - cell.link.first.submit.ring.head, 99);
	CHECK_EQ(cell.link.first.mode.sr.next, 100);
}

/* Ten frames at 0, a packet of media at 1 ms and an 11th frame at 2 ms; a timer of 300 ms. */
static void share(enum wlink_start start)
{
	struct wl_cfg cfg, media;

	setup(&cfg, WLINK_MODE_FSR, start);
	cfg.rlc.rto_ns = 300 * WL_MS;
	media = cfg;
	say(&media, "mode tm channel link");
	cell_share(&cell, &cfg, 2, &media);
	cell_carry(&cell, 1, 250, 10, WL_MS);
	cell_carry(&cell, 2, 250, 1, 2 * WL_MS);
	cell_send(&cell, 1, 250, 1);
}

/* A packet of media goes when it is its turn: after all that has been handed over
 * before it, and before what a timer hands over later.
 */
CASE(handover, "handover: one queue for all bearers, its tail for what goes again")
{
	share(WLINK_START_HANDOVER);
	cell_run(&cell, 299 * WL_MS);
	cell_send(&cell, 2, 250, 1);
	/* 4 copies: the 7th to the 10th frame. The 11th expires at 302 ms. */
	cell_run(&cell, 301 * WL_MS);
	cell_carry(&cell, 2, 250, 1, 303 * WL_MS);
	cell_carry(&cell, 2, 250, 1, 5 * WL_SEC);
	CHECK_EQ(cell_end_ns(&cell, 10), 11 * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 11), 12 * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 12), 13 * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 13), (13 + 4 + 1) * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 14), (18 + 1 + 1) * FRAME_NS);
}

/* The same, but at 300 ms the copies of the 7th to the 9th go first; those of the 10th, which
 * is on the air, and of the 11th, at 302 ms, which waits itself, do not.
 */
CASE(handover, "handover-head: what goes again goes first, but never before itself")
{
	share(WLINK_START_HANDOVER_HEAD);
	cell_run(&cell, 303 * WL_MS);
	cell_carry(&cell, 2, 250, 1, 5 * WL_SEC);
	CHECK_EQ(cell_end_ns(&cell, 9), 10 * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 10), (10 + 3 + 1) * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 11), (14 + 1) * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 12), (15 + 2 + 1) * FRAME_NS);
	CHECK_EQ(stat(1, WLINK_STAT_DUPLICATES), 5);
}

/* The second waits when the packet of media comes; the third is handed over when the second goes
 * on the air. A timer sees three frames and 101 ms at most.
 */
CASE(handover, "handover-one: one waits, and media come between those that are sent")
{
	share(WLINK_START_HANDOVER_ONE);
	cell_run(&cell, 5 * WL_SEC);
	CHECK_EQ(cell_end_ns(&cell, 1), 2 * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 10), 3 * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 2), 4 * FRAME_NS);
	CHECK_EQ(cell_end_ns(&cell, 11), 12 * FRAME_NS);
	CHECK_EQ(stat(1, WLINK_STAT_TIMEOUTS), 0);
}

/* Return: when the last of FRAMES frames arrives, of which four fill a TTI. */
static u64 arrives_ns(enum wlink_start start)
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR, start);
	cfg.tti_ns = 4 * FRAME_NS;
	cell_play(&cell, &cfg, 250, FRAMES, 10 * WL_SEC);
	CHECK_EQ(cell.count, FRAMES);
	return cell.done[FRAMES - 1].sdu.deliver_ns;
}

CASE(handover, "handover-one: a TTI has room for more than the one that waits")
{
	CHECK_EQ(arrives_ns(WLINK_START_HANDOVER_ONE), arrives_ns(WLINK_START_HANDOVER));
}

/* The first is on the air, 5 wait, 14 find no room and go when their timers say so. */
CASE(handover, "handover: what finds the queue full is lost, and comes again")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR, WLINK_START_HANDOVER);
	say(&cfg, "rto 400ms queue 5");
	cell_play(&cell, &cfg, 250, FRAMES, 399 * WL_MS);
	CHECK_EQ(cell.count, 6);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_LOST), FRAMES - 6);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), FRAMES);
	CHECK_EQ(stat(1, WLINK_STAT_AIR_BYTES), 6 * 258);
	CHECK_EQ(stat(1, WLINK_STAT_TIMEOUTS), 0);
	cell_run(&cell, 400 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_TIMEOUTS), FRAMES - 6);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_LOST), FRAMES - 6 + FRAMES - 6 - 5);
	cell_run(&cell, 20 * WL_SEC);
	CHECK_EQ(cell.count, FRAMES);
}

/* The second of two waits for the first: samples of 132.25 and 163.5 ms. */
CASE(handover, "handover: a sample begins with the hand-over")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_ASR, WLINK_START_HANDOVER);
	cell_play(&cell, &cfg, 250, 2, WL_SEC);
	CHECK_EQ(cell.bearer[1]->mode.sr.srtt_x8_ns, 7 * 132250 * WL_US + 163500 * WL_US);
}

static void nack(u32 sn, u64 at_ns)
{
	struct wl_bearer *b = cell.bearer[1];

	*wl_feedback_at(b, b->feedback.tail++) = (struct wl_feedback){
		.kind = WL_SR_NACK, .lsn = sn, .arrive_ns = at_ns, .end_ns = at_ns,
	};
	wl_bearer_touch(b);
}

/* The first is sent at 31.25 ms, so that no NACK of it is there before 132.25 ms; the
 * tenth waits until 281.25 ms.
 */
CASE(handover, "handover: a NACK of a frame that waits, or cannot have arrived, says nothing")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR, WLINK_START_HANDOVER);
	say(&cfg, "ack_delay 10s rto 20s");
	cell_fill(&cell, &cfg, 250, 10);
	nack(9, 131 * WL_MS);
	nack(0, 132250 * WL_US - 1);
	cell_run(&cell, 132250 * WL_US - 1);
	CHECK_EQ(cell.bearer[1]->submit.ring.tail, 10);
	nack(0, 132250 * WL_US);
	nack(9, 140 * WL_MS);
	cell_run(&cell, 5 * WL_SEC);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_RETX), 1);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 11);
}

/* One SDU of 20 PDUs, the last of which polls; Timer_Poll of 300 ms. It arrives at
 * 675 ms, its status PDU of 31.5 ms at 756.5 ms.
 */
static void polls(enum wlink_start start, u64 timeouts)
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_AM, start);
	say(&cfg, "poll_window off poll_timer 300ms");
	cell_play(&cell, &cfg, FRAMES * 250 - 2, 1, 5 * WL_SEC);
	CHECK_EQ(cell.count, 1);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, FRAMES * FRAME_NS + 50 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_TIMEOUTS), timeouts);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), FRAMES + timeouts);
	CHECK_EQ(stat(1, WLINK_STAT_POLLS), 1 + timeouts);
}

CASE(handover, "handover: Timer_Poll runs from the hand-over")
{
	polls(WLINK_START_AIR, 0);
	polls(WLINK_START_HANDOVER, 2);
	/* Its copies wait behind it, or it would arrive a PDU later. */
	polls(WLINK_START_HANDOVER_HEAD, 2);
}

/* What has been handed over in an outage has its number, and its timer runs. */
CASE(handover, "handover: in an outage, too")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR, WLINK_START_HANDOVER);
	cfg.rlc.rto_ns = 400 * WL_MS;
	cell_init(&cell, &cfg, 0);
	cfg.rate_bps = WLINK_RATE_SILENT;
	cfg.usual_bps = 64000;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, WL_MS);
	cell_carry(&cell, 1, 250, 2, WL_SEC);
	CHECK_EQ(stat(1, WLINK_STAT_TIMEOUTS), 4);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 0);
	cfg.rate_bps = 64000;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 5 * WL_SEC);
	CHECK_EQ(cell.count, 2);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 6);
}

/* 20 us for a frame, 0.64 for its ACK, and a timer that follows from that; the queue is 0.4 ms. */
CASE(handover, "handover: a timer that follows from samples is not below 1 ms")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_ASR, WLINK_START_HANDOVER);
	say(&cfg, "rate 100mbit delay 0 alpha 0 beta 0");
	cell_play(&cell, &cfg, 250, 1, WL_MS);
	CHECK(cell.link.first.mode.sr.rtxto_ns < 21 * WL_US);
	cell_carry(&cell, 1, 250, FRAMES, WL_SEC);
	CHECK_EQ(cell.count, 1 + FRAMES);
	CHECK_EQ(stat(1, WLINK_STAT_TIMEOUTS), 0);
}

CASE(handover, "handover: a flush leaves what has been handed over")
{
	struct wl_submit *submit;
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR, WLINK_START_HANDOVER);
	cell_play(&cell, &cfg, 250, FRAMES, WL_MS);
	submit = &cell.link.first.submit;
	CHECK_EQ(submit->bytes, (FRAMES - 1) * 250);
	/* As if there were feedback of a pair's other link. */
	cell.link.first.carried.tail++;
	wl_link_flush(&cell.link, WL_MS);
	CHECK_EQ(submit->bytes, 0);
	CHECK_EQ(submit->ring.head, submit->ring.tail);
	CHECK_EQ(cell.link.first.carried.head, cell.link.first.carried.tail);
}

/* UM has no window and few records of PDUs: it hands nothing over. */
CASE(handover, "handover: what becomes UM sends as UM does")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_AM, WLINK_START_HANDOVER);
	say(&cfg, "limit 1000 mode um");
	cell_play(&cell, &cfg, 250, 500, 60 * WL_SEC);
	CHECK_EQ(cell.count, 500);
	CHECK_EQ(stat(1, WLINK_STAT_SDUS_DELIVERED), 500);
}

TEST(handover)
{
	test_expires();
}
