// SPDX-License-Identifier: GPL-2.0
/*
 * The way back by itself: 64 kbit/s and 50 ms, so that feedback of 8 bytes takes 1 ms. A silent
 * one keeps what waits, in 10^-9 bit.
 */
#include "core/air/air.h"
#include "core/air/reverse.h"
#include "cell.h"
#include "say.h"
#include "sr.h"

#define WORK(bytes)	((bytes) * 8 * WL_SEC)

static struct peers p;

static struct wl_feedback *feedback(u32 i)
{
	return wl_feedback_at(p.b, p.b->feedback.head + i);
}

static u32 waiting(void)
{
	return p.b->feedback.tail - p.b->feedback.head;
}

static u64 lost(void)
{
	return p.b->stats.v[WLINK_STAT_FEEDBACK_LOST];
}

static void send(u64 now_ns, u32 bytes)
{
	struct wl_feedback feedback = { };

	wl_reverse_send(p.b, now_ns, bytes, &feedback);
}

static void rate(u64 now_ns, u64 rate_bps)
{
	struct wl_cfg old = p.b->cfg;

	p.b->cfg.rate_bps = rate_bps;
	wl_reverse_configure(p.b, now_ns, &old);
}

static void setup(u64 rate_bps)
{
	struct wl_cfg cfg;

	sr_cfg(&cfg, WLINK_MODE_FSR);
	cfg.limit.value = 1000;
	peers_init(&p, &cfg);
	rate(0, rate_bps);
}

static void lose(u32 loss_q32)
{
	cell_uniform(&p.b->reverse.air.chan.cfg, loss_q32);
}

/* STATUS PDUs that are made each 100 ms, of an AM that has never had a rate. */
CASE(reverse, "reverse: feedback is made though nothing can be sent")
{
	static struct cell cell;
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	say(&cfg, "mode am status_periodic 100ms rate 0");
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.link.first.reverse.free_ns, WL_NEVER_NS);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_FEEDBACK_SENT), 0);
}

CASE(reverse, "reverse: a flush forgets not all")
{
	setup(64000);
	send(0, 8);
	CHECK_EQ(p.b->reverse.last_ns, 51 * WL_MS);
	rate(WL_MS, 0);
	send(2 * WL_MS, 8);
	CHECK_EQ(p.b->reverse.work, WORK(8));
	wl_reverse_flush(p.b, 3 * WL_MS);
	CHECK_EQ(p.b->reverse.work, 0);
	CHECK_EQ(p.b->reverse.last_ns, 0);
}

/* Good and bad take turns; a frame that begins with the grid is not one later. */
CASE(reverse, "reverse: feedback at the origin of the grid meets the next frame")
{
	setup(64000);
	p.link.first.cfg.tti_ns = 10 * WL_MS;
	CHECK_EQ(wl_link_tti_ns(&p.link), 10 * WL_MS);
	p.b->reverse.air.chan.cfg = (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_GILBERT, .p_q32 = WLINK_PROB_ONE, .r_q32 = WLINK_PROB_ONE,
	};
	p.b->reverse.air.chan.bad = false;
	send(0, 8);
	CHECK(!p.b->reverse.air.chan.bad);
	send(5 * WL_MS, 8);
	CHECK(!p.b->reverse.air.chan.bad);
	send(10 * WL_MS, 8);
	CHECK(p.b->reverse.air.chan.bad);
}

CASE(reverse, "reverse: a shorter delay lets feedback overtake, or moves what is on its way")
{
	const struct wl_cfg *cfg;
	struct wl_cfg old;

	setup(64000);
	cfg = &p.b->cfg;
	send(0, 8);
	old = *cfg;
	p.b->cfg.reverse.delay_ns = 10 * WL_MS;
	wl_reverse_configure(p.b, WL_MS / 2, &old);
	send(WL_MS, 8);
	send(100 * WL_MS, 8);
	CHECK_EQ(feedback(0)->arrive_ns, 51 * WL_MS);
	CHECK_EQ(feedback(1)->arrive_ns, 51 * WL_MS);
	CHECK_EQ(feedback(2)->arrive_ns, 111 * WL_MS);
}

/* A ring of 512; what is on its way, or waits, is not more. */
CASE(reverse, "reverse: more feedback than there is room for")
{
	const struct wl_tx tx = { };
	u32 i, count;

	setup(64000000);
	count = p.b->rings.feedbacks;
	CHECK_EQ(count, 512);
	for (i = 0; i <= count; i++)
		send(i * WL_US, 8);
	CHECK_EQ(waiting(), count);
	CHECK_EQ(lost(), 1);
	/* And the other way. */
	for (i = 0; i <= p.b->rings.flights; i++)
		wl_flight_push(p.b, 0, &tx);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_PDUS_LOST], 1);
	/* 511 times the next one wait, then 512 times. */
	setup(0);
	send(0, 8 * (count - 1));
	send(0, 8);
	CHECK_EQ(lost(), 0);
	send(0, 8);
	CHECK_EQ(lost(), 1);
	/* So much that its end would not fit a time. */
	send(0, 1 << 30);
	CHECK_EQ(lost(), 1);
	send(0, 1 << 30);
	CHECK_EQ(lost(), 2);
}

/* Two have gone to their end or wait as the rate changes. */
static void rates(void)
{
	struct wl_cfg old;

	ut_begin("reverse: what has been sent at a change of the rate is sent again");
	setup(64000);
	send(0, 8);
	send(0, 8);
	old = p.b->cfg;
	p.b->cfg.rate_bps = 32000;
	p.b->cfg.reverse.delay_ns = 100 * WL_MS;
	/* 1 ms is the end of the first. The second takes 2 ms. */
	wl_reverse_configure(p.b, WL_MS, &old);
	CHECK_EQ(feedback(0)->arrive_ns, 51 * WL_MS);
	CHECK_EQ(feedback(1)->arrive_ns, 103 * WL_MS);
	ut_begin("reverse: what waits during a silence gets lost, or late");
	setup(0);
	send(100 * WL_SEC, 8);
	send(100 * WL_SEC, 8);
	rate(200 * WL_SEC, 64000);
	CHECK_EQ(waiting(), 2);
	CHECK_EQ(feedback(0)->arrive_ns, 200 * WL_SEC + 51 * WL_MS);
	CHECK_EQ(feedback(1)->arrive_ns, 200 * WL_SEC + 52 * WL_MS);
	/* Their fate is known. */
	lose(WLINK_PROB_ONE);
	rate(200 * WL_SEC, 32000);
	CHECK_EQ(waiting(), 2);
	CHECK_EQ(lost(), 0);
	CHECK_EQ(feedback(1)->arrive_ns, 200 * WL_SEC + 54 * WL_MS);
}

/* The channel has been bad from 0 on, which loses all. */
CASE(reverse, "reverse: feedback of a silence is not lost afterwards")
{
	struct wl_chan *chan;

	setup(0);
	chan = &p.b->reverse.air.chan;
	chan->cfg = (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_TWOSTATE, .mean_good_ns = WL_SEC, .mean_bad_ns = WL_SEC,
		.hazard_bad_q56 = 1ULL << 56,
	};
	chan->bad = true;
	chan->turn_ns = 1000 * WL_SEC;
	send(WL_SEC, 8);
	send(WL_SEC, 8);
	CHECK_EQ(waiting(), 2);
	rate(2 * WL_SEC, 64000);
	CHECK_EQ(waiting(), 0);
	CHECK_EQ(lost(), 2);
}

/* --- Of a pair. --- */

static bool no_other(struct wl_link *link, const struct wl_message *message)
{
	return false;
}

CASE(reverse, "reverse: without the other link of a pair feedback has no way")
{
	struct wl_link_ops ops;

	setup(64000);
	ops = *p.link.ops;
	ops.feedback = no_other;
	p.link.ops = &ops;
	p.link.paired = true;
	send(0, 8);
	CHECK(!p.link.paired);
	CHECK_EQ(feedback(0)->arrive_ns, 51 * WL_MS);
}

CASE(reverse, "reverse: another way back takes what is on its way, or leaves what waits")
{
	setup(64000);
	send(0, 8);
	send(0, 8);
	rate(2 * WL_MS, 0);
	send(3 * WL_MS, 8);
	CHECK_EQ(waiting(), 3);
	p.b->carried.tail = 3;
	wl_reverse_part(p.b);
	CHECK_EQ(p.b->reverse.work, 0);
	CHECK_EQ(waiting(), 2);
	CHECK_EQ(lost(), 1);
	CHECK_EQ(p.b->carried.head, 3);
}

static void comes_back(u64 at_ns, u32 connection)
{
	const struct wl_message message = { .at_ns = at_ns, .connection = connection };

	wl_reverse_back(p.b, &message);
}

CASE(reverse, "reverse: what comes back is taken for another's, or too early")
{
	u32 connection;

	setup(64000);
	connection = p.b->connection;
	comes_back(10 * WL_MS, connection + 1);
	CHECK_EQ(waiting(), 0);
	CHECK_EQ(lost(), 0);
	p.link.now_ns = 20 * WL_MS;
	comes_back(10 * WL_MS, connection);
	comes_back(40 * WL_MS, connection);
	comes_back(30 * WL_MS, connection);
	CHECK_EQ(feedback(0)->arrive_ns, 20 * WL_MS);
	CHECK_EQ(feedback(1)->arrive_ns, 40 * WL_MS);
	CHECK_EQ(feedback(2)->arrive_ns, 40 * WL_MS);
}

CASE(reverse, "reverse: an answer of a pair that has left, behind what waits")
{
	setup(64000);
	rate(2 * WL_MS, 0);
	send(3 * WL_MS, 8);
	comes_back(10 * WL_MS, p.b->connection);
	CHECK_EQ(waiting(), 1);
	CHECK_EQ(lost(), 1);
	rate(20 * WL_MS, 64000);
	CHECK(feedback(0)->arrive_ns != WL_NEVER_NS);
}

TEST(reverse)
{
	rates();
}
