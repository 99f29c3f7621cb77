// SPDX-License-Identifier: GPL-2.0
/*
 * A pair of links: what the receiver of one tells its sender is traffic of the other.
 * 64 kbit/s and 50 ms each way, PDUs of 250 bytes (31.25 ms), ACKs of 8 (1 ms) that do
 * not wait.
 */
#include "cell.h"
#include "sr/sr.h"
#include "say.h"
#include "ut.h"
#include "core/mac/submit.h"
#include "core/rlc/mode.h"

#define FRAME_NS	(31250 * WL_US)

static struct cell down, up;
static struct wl_message mails[2][WL_MAIL_MAX];

static void setup(struct wl_cfg *cfg, enum wlink_mode mode)
{
	sr_cfg(cfg, mode);
	say(cfg, "sched fifo start handover");
}

static void join(bool on)
{
	wl_link_pair(&down.link, on ? mails[0] : NULL);
	wl_link_pair(&up.link, on ? mails[1] : NULL);
}

static void pair(const struct wl_cfg *down_cfg, const struct wl_cfg *up_cfg)
{
	cell_init(&down, down_cfg, 0);
	cell_init(&up, up_cfg, 0);
	down.peer = &up;
	up.peer = &down;
	join(true);
}

/* Both engines at each time at which one of them has something to do. */
static void run(u64 until_ns)
{
	u64 now_ns;

	for (;;) {
		now_ns = min(wl_link_next_ns(&down.link), wl_link_next_ns(&up.link));
		now_ns = max3(now_ns, down.now_ns, up.now_ns);
		if (now_ns > until_ns)
			break;
		cell_call(&down, now_ns);
		cell_call(&up, now_ns);
	}
	cell_call(&down, until_ns);
	cell_call(&up, until_ns);
}

static u32 una(struct cell *cell)
{
	return cell->link.first.mode.sr.una;
}

/* The ACK of a frame that arrives at 81.25 ms goes when the other direction is free. */
CASE(pair, "pair: an ACK takes its airtime and the delay of the other direction")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	pair(&cfg, &cfg);
	/* The way back of its own has nothing to do with it. */
	down.link.first.reverse.free_ns = WL_SEC;
	cell_send(&down, 1, 250, 1);
	run(132250 * WL_US - 1);
	CHECK_EQ(una(&down), 0);
	run(132250 * WL_US);
	CHECK_EQ(una(&down), 1);
	CHECK_EQ(up.link.first.stats.v[WLINK_STAT_PDUS_CONTROL], 1);
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_FEEDBACK_SENT], 1);
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST], 0);
}

/* Frames at 81 and 82 ms, the ACK between them: it goes at 112.25 ms, and the second
 * frame 1 ms later than without it.
 */
static void busy(bool ack)
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	pair(&cfg, &cfg);
	if (ack)
		cell_send(&down, 1, 250, 1);
	run(81 * WL_MS);
	cell_send(&up, 1, 250, 1);
	run(82 * WL_MS);
	cell_send(&up, 1, 250, 1);
	run(163250 * WL_US - 1);
	CHECK_EQ(una(&down), 0);
	run(163250 * WL_US);
	CHECK_EQ(una(&down), ack);
	run(WL_SEC);
	CHECK_EQ(cell_end_ns(&up, 0), 81 * WL_MS + FRAME_NS);
	CHECK_EQ(cell_end_ns(&up, 1), 81 * WL_MS + 2 * FRAME_NS + ack * WL_MS);
}

CASE(pair, "pair: feedback waits for its turn and delays data by its airtime")
{
	busy(false);
	busy(true);
}

/* A status PDU has the size of a PDU: 252 bytes, 31.5 ms. */
CASE(pair, "pair: a status PDU costs a PDU")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_AM);
	pair(&cfg, &cfg);
	cell_send(&down, 1, 248, 1);
	run(81 * WL_MS);
	cell_send(&up, 1, 248, 1);
	run(82 * WL_MS);
	cell_send(&up, 1, 248, 1);
	run(5 * WL_SEC);
	CHECK_EQ(cell_end_ns(&up, 0), 81 * WL_MS + FRAME_NS);
	CHECK_EQ(cell_end_ns(&up, 1), 81 * WL_MS + 2 * FRAME_NS + 31500 * WL_US);
	CHECK_EQ(down.link.first.mode.am.vt_a, down.link.first.mode.am.vt_s);
	CHECK_EQ(up.link.first.mode.am.vt_a, up.link.first.mode.am.vt_s);
}

/* Everything gets through both ways, in order, whatever is lost. */
static void lossy(enum wlink_mode mode, u64 seed)
{
	struct wl_cfg cfg;
	u64 lost, unsent;

	setup(&cfg, mode);
	cfg.seed = seed;
	/* Above the longest queue: copies must not fill it. */
	say(&cfg, "rto 10s nack_guard 10s poll_timer 10s status_prohibit 10s maxdat 200");
	say(&cfg, "channel uniform loss 0.2");
	pair(&cfg, &cfg);
	for (u32 i = 0; i < 60; i++) {
		run(i * 40 * WL_MS);
		cell_send(&down, 1, 1 + i * 7919 % 700, 1);
		cell_send(&up, 1, 1 + i * 104729 % 700, 1);
	}
	run(10000 * WL_SEC);
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_SDUS_DELIVERED], 60);
	CHECK_EQ(up.link.first.stats.v[WLINK_STAT_SDUS_DELIVERED], 60);
	for (u32 i = 0; i < 60; i++) {
		CHECK_EQ(down.done[i].order, i);
		CHECK_EQ(up.done[i].order, i);
	}
	/* Each is sent, or found no room; what got lost on the air has been told. ASR's own
	 * timer is shorter, and its copies fill the queue.
	 */
	lost = down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST];
	unsent = down.link.first.stats.v[WLINK_STAT_FEEDBACK_SENT] -
		 up.link.first.stats.v[WLINK_STAT_PDUS_CONTROL];
	CHECK(lost > unsent || mode == WLINK_MODE_AM);
	CHECK(!unsent || mode == WLINK_MODE_ASR);
}

static void test_lossy(void)
{
	u64 seed;

	for (seed = 1; seed <= 5; seed++) {
		ut_begin("pair: nothing is lost or out of order, seed %llu", seed);
		lossy(WLINK_MODE_FSR, seed);
		lossy(WLINK_MODE_ASR, seed);
		lossy(WLINK_MODE_AM, seed);
	}
}

/* The link that is left has a way back of its own again. */
CASE(pair, "pair: a link that is left alone goes on")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	cfg.rlc.rto_ns = 700 * WL_MS;
	pair(&cfg, &cfg);
	cell_send(&down, 1, 250, 3);
	run(100 * WL_MS);
	/* The ACK of the first is on the way. */
	join(false);
	up.peer = NULL;
	down.peer = NULL;
	cell_carry(&up, 1, 250, 3, 10 * WL_SEC);
	cell_run(&down, 10 * WL_SEC);
	CHECK_EQ(una(&down), 3);
	CHECK_EQ(una(&up), 3);
	CHECK_EQ(down.count, 3);
	/* The other is gone and nobody has said so. */
	pair(&cfg, &cfg);
	down.peer = NULL;
	cell_carry(&down, 1, 250, 3, 10 * WL_SEC);
	CHECK_EQ(una(&down), 3);
}

/* Frames of 31.25 ms are in the way of an ACK of 1 ms; paired anew while it waits, the
 * ACK is lost, and those after it are not.
 */
CASE(pair, "pair: what waited before links were paired anew is not told to the new one")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	cfg.rlc.rto_ns = 700 * WL_MS;
	pair(&cfg, &cfg);
	cell_send(&down, 1, 250, 1);
	run(81 * WL_MS);
	cell_send(&up, 1, 250, 1);
	run(90 * WL_MS);
	CHECK_EQ(up.link.first.carried.tail - up.link.first.carried.head, 1);
	join(false);
	/* The PDU of the ACK goes, and says nothing. */
	run(200 * WL_MS);
	join(true);
	run(500 * WL_MS);
	CHECK_EQ(una(&down), 0);
	cell_send(&down, 1, 250, 2);
	run(10 * WL_SEC);
	CHECK_EQ(una(&down), 3);
	CHECK_EQ(una(&up), 1);
}

/* With HARQ, of three in the queue the second may be done before the first: that is lost,
 * and the third is not.
 */
CASE(pair, "pair: one that is done before its turn stops none after it")
{
	const u32 turn[] = { 1, 0, 2 };
	struct wl_bearer *b;
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	pair(&cfg, &cfg);
	b = up.bearer[1];
	for (u32 i = 0; i < ARRAY_SIZE(turn); i++)
		*wl_carried_at(b, b->carried.tail++) = (struct wl_message){ .number = 1 };
	for (u32 i = 0; i < ARRAY_SIZE(turn); i++) {
		wl_submit_sent(b, 0, &(struct wl_tx){ .kind = WL_TX_CARRIED, .sn = turn[i] },
			       0, false);
		CHECK_EQ(b->carried.head, i < 2 ? 2 : 3);
	}
}

/* An ACK is 50 ms on its way, and this link's rate has nothing to do with that. */
static void test_retimed(void)
{
	const u64 rates_bps[] = { 128000, 32000, WLINK_RATE_SILENT };
	struct wl_cfg cfg, other;

	for (u32 i = 0; i < ARRAY_SIZE(rates_bps); i++) {
		ut_begin("pair: the ACK that is on its way when the rate becomes %llu",
			 rates_bps[i]);
		setup(&cfg, WLINK_MODE_FSR);
		pair(&cfg, &cfg);
		cell_send(&down, 1, 250, 1);
		run(100 * WL_MS);
		other = cfg;
		other.rate_bps = rates_bps[i];
		other.usual_bps = 64000;
		cell_configure(&down, 1, &other);
		run(132250 * WL_US - 1);
		CHECK_EQ(una(&down), 0);
		run(132250 * WL_US);
		CHECK_EQ(una(&down), 1);
	}
}

/* Feedback that waits for a rate cannot block that which the other link carries. */
CASE(pair, "pair: links are paired while one is silent")
{
	struct wl_cfg cfg, none;

	setup(&cfg, WLINK_MODE_FSR);
	cfg.rlc.rto_ns = 700 * WL_MS;
	none = cfg;
	none.rate_bps = WLINK_RATE_SILENT;
	none.usual_bps = 64000;
	pair(&cfg, &cfg);
	join(false);
	cell_send(&down, 1, 250, 1);
	/* In the middle of the ACK. */
	run(81750 * WL_US);
	cell_configure(&down, 1, &none);
	run(90 * WL_MS);
	CHECK_EQ(down.link.first.feedback.tail - down.link.first.feedback.head, 1);
	join(true);
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST], 1);
	run(100 * WL_MS);
	cell_configure(&down, 1, &cfg);
	run(10 * WL_SEC);
	CHECK_EQ(una(&down), 1);
}

/* No such bearer there, or one that hands nothing over. */
CASE(pair, "pair: feedback that no bearer carries is lost, and counted")
{
	struct wl_cfg cfg, other;

	setup(&cfg, WLINK_MODE_FSR);
	other = cfg;
	other.rlc.start = WLINK_START_AIR;
	pair(&cfg, &other);
	cell_send(&down, 1, 250, 1);
	run(WL_SEC);
	CHECK_EQ(una(&down), 0);
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST], 1);
	cell_configure(&up, 1, &cfg);
	run(5 * WL_SEC);
	CHECK_EQ(una(&down), 1);
	setup(&cfg, WLINK_MODE_FSR);
	pair(&cfg, &cfg);
	cell_add(&down, 2, 2, &cfg);
	cell_send(&down, 2, 250, 1);
	run(WL_SEC);
	CHECK_EQ(down.bearer[2]->mode.sr.una, 0);
	CHECK_EQ(down.bearer[2]->stats.v[WLINK_STAT_FEEDBACK_LOST], 1);
}

/* What was made before a bearer began anew says nothing to it. */
CASE(pair, "pair: an ACK of another connection is not taken")
{
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	pair(&cfg, &cfg);
	cell_send(&down, 1, 250, 1);
	run(100 * WL_MS);
	cfg.rlc.window = 64;
	cell_configure(&down, 1, &cfg);
	cell_send(&down, 1, 250, 1);
	/* The ACK of the frame before arrives at 132.25 ms. */
	run(230 * WL_MS);
	CHECK_EQ(una(&down), 0);
	run(WL_SEC);
	CHECK_EQ(una(&down), 1);
}

/* The mailbox has WL_MAIL_MAX messages; what is more is lost without a word, as what the
 * bearer cannot carry comes back as lost.
 */
CASE(pair, "pair: of more feedback than there is room for some is counted twice, or not")
{
	struct wl_message message = { .bytes = 8, .number = 1 };
	struct wl_cfg cfg;
	u64 *stats;

	setup(&cfg, WLINK_MODE_FSR);
	cfg.rlc.window = 64;
	pair(&cfg, &cfg);
	message.connection = down.link.first.connection;
	for (u32 i = 0; i < WL_MAIL_MAX + 8; i++)
		wl_link_post(&up.link, up.bearer[1], &message);
	run(10 * WL_SEC);
	stats = up.link.first.stats.v;
	CHECK(stats[WLINK_STAT_PDUS_CONTROL] >= 2 * cfg.rlc.window);
	CHECK_EQ(stats[WLINK_STAT_PDUS_CONTROL] +
		 down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST], WL_MAIL_MAX);
}

/* The queue has room for more than is remembered of what is in it. */
CASE(pair, "pair: of more feedback than is remembered some is another's")
{
	struct wl_message message = { .bytes = 8, .number = 1 };
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	cfg.rlc.window = 200;
	pair(&cfg, &cfg);
	message.connection = down.link.first.connection;
	for (u32 i = 0; i < WL_CARRIED_MAX + 8; i++) {
		wl_link_post(&up.link, up.bearer[1], &message);
		cell_call(&up, 0);
	}
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST], 8);
	run(10 * WL_SEC);
	CHECK_EQ(up.link.first.stats.v[WLINK_STAT_PDUS_CONTROL], WL_CARRIED_MAX);
	CHECK_EQ(up.link.first.stats.v[WLINK_STAT_PDUS_RETX], 0);
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST], 8);
}

/* Messages are read in the order in which they come, none before now, and none of a pair of
 * before; what comes late is before a SDU that comes later.
 */
CASE(pair, "pair: feedback comes before what has been, or with what comes later")
{
	struct wl_message message = { .at_ns = 5 * WL_MS, .bytes = 8, .number = 1 };
	struct wl_cfg cfg, none;
	const struct wl_sdu *sdu;

	setup(&cfg, WLINK_MODE_FSR);
	pair(&cfg, &cfg);
	run(2 * WL_MS);
	wl_link_post(&up.link, up.bearer[1], &message);
	message.at_ns = WL_MS;
	wl_link_post(&up.link, up.bearer[1], &message);
	CHECK_EQ(wl_link_next_ns(&up.link), 0);
	CHECK_EQ(mails[1][1].at_ns, 5 * WL_MS);
	join(true);
	CHECK_EQ(up.link.mail.head, up.link.mail.tail);
	wl_link_post(&up.link, up.bearer[1], &message);
	CHECK_EQ(mails[1][0].at_ns, 2 * WL_MS);
	message.at_ns = 5 * WL_MS;
	wl_link_post(&up.link, up.bearer[1], &message);
	up.now_ns = 10 * WL_MS;
	cell_send(&up, 1, 250, 1);
	cell_call(&up, WL_SEC);
	sdu = &up.done[0].sdu;
	CHECK_EQ(sdu->start_ns, 10 * WL_MS);
	/* A link that carries none answers all the same. */
	none = cell_link(WLINK_SCHED_DEDICATED, 64000, 0, 0);
	pair(&cfg, &none);
	cell_send(&down, 1, 250, 1);
	run(WL_SEC);
	CHECK_EQ(down.link.first.stats.v[WLINK_STAT_FEEDBACK_LOST], 1);
}

CASE(pair, "pair: feedback for a bearer that is deleted meanwhile is lost, and counted")
{
	struct wl_message message = { .bytes = 8, .number = 2 };
	struct wl_cfg cfg;

	setup(&cfg, WLINK_MODE_FSR);
	pair(&cfg, &cfg);
	cell_add(&down, 2, 2, &cfg);
	cell_add(&up, 2, 2, &cfg);
	message.connection = down.bearer[2]->connection;
	wl_link_post(&up.link, up.bearer[1], &message);
	wl_link_post(&up.link, up.bearer[2], &message);
	wl_cell_del(&up, 2);
	run(WL_SEC);
	CHECK_EQ(up.link.first.stats.v[WLINK_STAT_PDUS_CONTROL], 1);
	CHECK_EQ(down.bearer[2]->stats.v[WLINK_STAT_FEEDBACK_LOST], 1);
}

TEST(pair)
{
	test_lossy();
	test_retimed();
}
