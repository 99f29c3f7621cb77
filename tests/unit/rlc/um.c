// SPDX-License-Identifier: GPL-2.0
/*
 * Unacknowledged mode, stepped by hand: 64 kbit/s, PDUs of 40 bytes (5 ms), 50 ms
 * to the receiver, length indicators of one byte. A SDU of 39 bytes and its
 * length indicator fill a PDU.
 */
#include "um.h"

void um_setup(struct peers *p, void (*change)(struct wl_cfg *cfg))
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	wl_cfg_set_mode(&cfg, WLINK_MODE_UM);
	cfg.rate_bps = 64000;
	cfg.delay_ns = 50 * WL_MS;
	cfg.pdu_bytes = 40;
	if (change)
		change(&cfg);
	peers_init(p, &cfg);
}

void um_arrive(struct peers *p, u32 bytes, u32 sdus)
{
	while (sdus--)
		peers_arrive(p, p->now_ns, bytes);
}

void um_done(struct peers *p)
{
	CHECK_EQ(p->b->ops->next_ns(p->b), WL_NEVER_NS);
	CHECK_EQ(p->b->stats.v[WLINK_STAT_BUFFER_SDUS], 0);
	CHECK_EQ(p->b->mode.um.held, 0);
	CHECK(!p->b->unreleased);
	CHECK(!p->b->reassembly);
	CHECK(!p->b->queue.head);
	peers_free(p);
}

static void test_fill(void)
{
	struct peers p;

	ut_begin("um: PDUs of one size, a SDU leaves the buffer with its last bit");
	um_setup(&p, NULL);
	um_arrive(&p, 100, 1);
	peers_run(&p, 14999 * WL_US);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 1);
	CHECK_EQ(p.tx.bytes, 40);
	/* 20 bytes, its end, the rest is padding: two length indicators. */
	CHECK_EQ(p.tx.li_bytes, 2);
	CHECK_EQ(p.tx.pad_bytes, 18);
	peers_run(&p, 15 * WL_MS);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 0);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n5000 new 1\n10000 new 2\n65000 out 0\n");
	CHECK_EQ(p.story[0].first_sn, 0);
	CHECK_EQ(p.story[0].last_sn, 2);
	CHECK_EQ(p.story[0].end_ns, 15 * WL_MS);
	CHECK_EQ(p.story[0].due_ns, 65 * WL_MS);
	CHECK_EQ(p.story[0].whole_ns, 65 * WL_MS);
	CHECK_EQ(p.story[0].pdus, 3);
	um_done(&p);
	ut_end();
}

static void test_tti(void)
{
	struct wl_tx tx;
	struct peers p;
	u32 i;

	ut_begin("um: with a TTI a SDU leaves the buffer at its end");
	um_setup(&p, NULL);
	peers_hold(&p, true);
	um_arrive(&p, 39, 3);
	for (i = 0; i < 2; i++) {
		p.b->ops->send(p.b, 0, &tx);
		p.b->ops->sent(p.b, 0, &tx, 10 * WL_MS, i);
	}
	CHECK_EQ(p.b->ops->next_ns(p.b), 10 * WL_MS);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 3);
	peers_run(&p, 10 * WL_MS);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 1);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "10000 new 2\n60000 drop 1 2\n60000 out 0\n65000 out 2\n");
	um_done(&p);
	ut_end();
}

static void test_exact(void)
{
	struct peers p;

	ut_begin("um: where a SDU fills its PDU the next one tells its end");
	um_setup(&p, NULL);
	um_arrive(&p, 40, 1);
	peers_run(&p, 7 * WL_MS);
	/* A PDU of a length indicator and padding follows, and ends it. */
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 1);
	CHECK_EQ(p.tx.li_bytes, 2);
	CHECK_EQ(p.tx.pad_bytes, 38);
	peers_run(&p, 100 * WL_MS);
	EXPECT(&p, "0 new 0\n5000 new 1\n60000 out 0\n");
	CHECK_EQ(p.story[0].end_ns, 10 * WL_MS);
	CHECK_EQ(p.story[0].due_ns, 60 * WL_MS);
	CHECK_EQ(p.story[0].whole_ns, 60 * WL_MS);
	um_arrive(&p, 39, 1);
	peers_run(&p, 101 * WL_MS);
	CHECK_EQ(p.tx.li_bytes, 1);
	CHECK_EQ(p.tx.pad_bytes, 0);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "100000 new 2\n155000 out 1\n");
	/* Its end is lost with the PDU that tells it. */
	p.lose = 1 << 4;
	um_arrive(&p, 40, 1);
	peers_run(&p, 2 * WL_SEC);
	EXPECT(&p, "1000000 new 3\n1005000 new 4\n1010000 lost 4\n"
	       "1060000 drop 2 2\n");
	um_done(&p);
	ut_end();
}

static void test_long(void)
{
	struct peers p;

	ut_begin("um: a SDU longer than the way, and one that has not begun");
	um_setup(&p, NULL);
	/* 15 PDUs of 40 bytes without a length indicator, the last with 38. */
	um_arrive(&p, 598, 1);
	peers_run(&p, 74 * WL_MS);
	p.log_used = 0;
	peers_hold(&p, true);
	um_arrive(&p, 39, 1);
	peers_run(&p, 130 * WL_MS);
	EXPECT(&p, "125000 out 0\n");
	CHECK_EQ(p.story[0].pdus, 15);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "130000 new 15\n185000 out 1\n");
	um_done(&p);
	ut_end();
}

/* Six SDUs of 30 bytes in 5 PDUs: 0 | 0, 1 | 1, 2 | 2, 3 | 3, 4, 5 | 5. */
static void test_gap(void)
{
	static const char * const wanted[] = {
		"0 new 0\n5000 lost 0\n5000 new 1\n10000 new 2\n15000 new 3\n"
		"20000 new 4\n55000 drop 0 2\n60000 drop 1 2\n65000 out 2\n"
		"70000 out 3\n70000 out 4\n75000 out 5\n",
		"0 new 0\n5000 new 1\n10000 lost 1\n10000 new 2\n15000 new 3\n"
		"20000 new 4\n55000 out 0\n60000 drop 1 2\n65000 drop 2 2\n"
		"70000 out 3\n70000 out 4\n75000 out 5\n",
		"0 new 0\n5000 new 1\n10000 new 2\n15000 lost 2\n15000 new 3\n"
		"20000 new 4\n55000 out 0\n60000 out 1\n65000 drop 2 2\n"
		"70000 drop 3 2\n70000 out 4\n75000 out 5\n",
		"0 new 0\n5000 new 1\n10000 new 2\n15000 new 3\n20000 lost 3\n"
		"20000 new 4\n55000 out 0\n60000 out 1\n65000 out 2\n"
		"70000 drop 3 2\n70000 drop 4 2\n75000 drop 5 2\n",
		"0 new 0\n5000 new 1\n10000 new 2\n15000 new 3\n20000 new 4\n"
		"25000 lost 4\n55000 out 0\n60000 out 1\n65000 out 2\n"
		"70000 out 3\n70000 out 4\n75000 drop 5 2\n",
	};
	struct peers p;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(wanted); i++) {
		ut_begin("um: a lost PDU drops what it touches: PDU %u", i);
		um_setup(&p, NULL);
		p.lose = 1 << i;
		peers_hold(&p, true);
		um_arrive(&p, 30, 6);
		peers_hold(&p, false);
		peers_run(&p, WL_SEC);
		EXPECT(&p, wanted[i]);
		CHECK_EQ(p.b->stats.drops[WLINK_DROP_CHANNEL],
			 i == 3 ? 3 : i == 4 ? 1 : 2);
		um_done(&p);
		ut_end();
	}
}

static void test_start(void)
{
	struct peers p;

	ut_begin("um: SDUs that wait when the mode begins");
	um_setup(&p, NULL);
	peers_hold(&p, true);
	um_arrive(&p, 39, 2);
	p.b->ops->start(p.b, 0);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n5000 new 1\n55000 out 0\n60000 out 1\n");
	um_done(&p);
	ut_end();
}

static void discard_12ms(struct wl_cfg *cfg)
{
	cfg->rlc.discard_ns = 12 * WL_MS;
}

static void test_discard(void)
{
	struct peers p;

	ut_begin("um: Timer_Discard drops what has not been begun");
	um_setup(&p, discard_12ms);
	peers_hold(&p, true);
	um_arrive(&p, 39, 5);
	peers_hold(&p, false);
	peers_run(&p, 13 * WL_MS);
	/* SDUs 0 to 2 have got a PDU in 12 ms. */
	EXPECT(&p, "0 new 0\n5000 new 1\n10000 new 2\n12000 drop 3 6\n"
	       "12000 drop 4 6\n");
	um_arrive(&p, 39, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "15000 new 3\n55000 out 0\n60000 out 1\n65000 out 2\n"
	       "70000 out 5\n");
	um_done(&p);
	ut_end();
}

static void test_discard_all(void)
{
	struct peers p;

	ut_begin("um: Timer_Discard empties the buffer of a link that stands");
	um_setup(&p, discard_12ms);
	peers_hold(&p, true);
	um_arrive(&p, 39, 2);
	peers_run(&p, 5 * WL_MS);
	um_arrive(&p, 39, 1);
	peers_run(&p, 15 * WL_MS);
	EXPECT(&p, "12000 drop 0 6\n12000 drop 1 6\n");
	CHECK_EQ(p.b->stats.v[WLINK_STAT_BUFFER_SDUS], 1);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "15000 new 0\n70000 out 2\n");
	um_done(&p);

	/* A timer that is shorter than what has passed. */
	um_setup(&p, NULL);
	peers_hold(&p, true);
	um_arrive(&p, 39, 1);
	peers_run(&p, 20 * WL_MS);
	p.b->cfg.rlc.discard_ns = 12 * WL_MS;
	p.link.budget = WL_LINK_BUDGET_MAX;
	p.b->ops->configured(p.b, p.now_ns, &p.b->cfg);
	EXPECT(&p, "20000 drop 0 6\n");
	um_done(&p);
	ut_end();
}

static void test_discard_behind(void)
{
	struct peers p;

	ut_begin("um: a discarded SDU leaves no trace behind one half sent");
	um_setup(&p, discard_12ms);
	peers_hold(&p, true);
	/* PDUs 0 to 2, and 19 bytes in PDU 3. */
	um_arrive(&p, 139, 1);
	um_arrive(&p, 39, 2);
	peers_hold(&p, false);
	peers_run(&p, 14 * WL_MS);
	EXPECT(&p, "0 new 0\n5000 new 1\n10000 new 2\n12000 drop 1 6\n"
	       "12000 drop 2 6\n");
	um_arrive(&p, 19, 1);
	um_arrive(&p, 39, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "15000 new 3\n20000 new 4\n70000 out 0\n70000 out 3\n"
	       "75000 out 4\n");
	CHECK_EQ(p.story[4].pdus, 1);
	um_done(&p);

	/* One that came later and still waits. */
	um_setup(&p, discard_12ms);
	peers_hold(&p, true);
	um_arrive(&p, 139, 1);
	um_arrive(&p, 39, 1);
	peers_hold(&p, false);
	peers_arrive(&p, 5 * WL_MS, 39);
	peers_arrive(&p, 14 * WL_MS, 19);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n5000 new 1\n10000 new 2\n12000 drop 1 6\n"
	       "15000 new 3\n20000 new 4\n70000 out 0\n75000 out 2\n"
	       "75000 out 3\n");
	um_done(&p);
	ut_end();
}

void test_um(void)
{
	test_fill();
	test_tti();
	test_exact();
	test_long();
	test_gap();
	test_start();
	test_discard();
	test_discard_all();
	test_discard_behind();
	test_um_dar();
}
