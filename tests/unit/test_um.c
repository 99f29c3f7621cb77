// SPDX-License-Identifier: GPL-2.0
/*
 * Unacknowledged mode, stepped by hand: 64 kbit/s, PDUs of 40 bytes (5 ms), 50 ms
 * to the receiver, length indicators of one byte. A SDU of 39 bytes and its
 * length indicator fill a PDU.
 */
#include <stdio.h>

#include "peers.h"
#include "ut.h"
#include "wl_case.h"
#include "wl_mode.h"

static void setup(struct peers *p, void (*change)(struct wl_cfg *cfg))
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

static void window_4(struct wl_cfg *cfg)
{
	cfg->rlc.reorder = 4;
	cfg->rlc.reorder_ns = 100 * WL_MS;
	cfg->rlc.duplicates = true;
}

static void arrive(struct peers *p, u32 bytes, u32 sdus)
{
	while (sdus--)
		peers_arrive(p, p->now_ns, bytes);
}

static void done(struct peers *p)
{
	CHECK_EQ(p->b->ops->next_ns(p->b), WL_NEVER_NS);
	CHECK_EQ(p->b->stats.buffer_sdus, 0);
	CHECK_EQ(p->b->mode.um.held, 0);
	CHECK(!p->b->mode.um.unsent);
	CHECK(!p->b->mode.um.reassembly);
	CHECK(!p->b->queue.head);
	peers_free(p);
}

static void test_fill(void)
{
	struct peers p;

	ut_begin("um: PDUs of one size, a SDU leaves the buffer with its last bit");
	setup(&p, NULL);
	arrive(&p, 100, 1);
	peers_run(&p, 14999 * WL_US);
	CHECK_EQ(p.b->stats.buffer_sdus, 1);
	CHECK_EQ(p.tx.bytes, 40);
	/* 20 bytes, its end, the rest is padding: two length indicators. */
	CHECK_EQ(p.tx.li_bytes, 2);
	CHECK_EQ(p.tx.pad_bytes, 18);
	peers_run(&p, 15 * WL_MS);
	CHECK_EQ(p.b->stats.buffer_sdus, 0);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n5000 new 1\n10000 new 2\n65000 out 0\n");
	CHECK_EQ(p.story[0].first_sn, 0);
	CHECK_EQ(p.story[0].last_sn, 2);
	CHECK_EQ(p.story[0].end_ns, 15 * WL_MS);
	CHECK_EQ(p.story[0].due_ns, 65 * WL_MS);
	CHECK_EQ(p.story[0].whole_ns, 65 * WL_MS);
	CHECK_EQ(p.story[0].pdus, 3);
	done(&p);
	ut_end();
}

static void test_exact(void)
{
	struct peers p;

	ut_begin("um: where a SDU fills its PDU the next one tells its end");
	setup(&p, NULL);
	arrive(&p, 40, 1);
	peers_run(&p, 7 * WL_MS);
	/* It has left, and a PDU of a length indicator and padding follows. */
	CHECK_EQ(p.b->stats.buffer_sdus, 0);
	CHECK_EQ(p.tx.li_bytes, 2);
	CHECK_EQ(p.tx.pad_bytes, 38);
	peers_run(&p, 100 * WL_MS);
	EXPECT(&p, "0 new 0\n5000 new 1\n60000 out 0\n");
	CHECK_EQ(p.story[0].end_ns, 5 * WL_MS);
	CHECK_EQ(p.story[0].due_ns, 55 * WL_MS);
	CHECK_EQ(p.story[0].whole_ns, 60 * WL_MS);
	arrive(&p, 39, 1);
	peers_run(&p, 101 * WL_MS);
	CHECK_EQ(p.tx.li_bytes, 1);
	CHECK_EQ(p.tx.pad_bytes, 0);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "100000 new 2\n155000 out 1\n");
	/* Its end is lost with the PDU that tells it. */
	p.lose = 1 << 4;
	arrive(&p, 40, 1);
	peers_run(&p, 2 * WL_SEC);
	EXPECT(&p, "1000000 new 3\n1005000 new 4\n1010000 lost 4\n"
	       "1060000 drop 2 2\n");
	done(&p);
	ut_end();
}

static void test_long(void)
{
	struct peers p;

	ut_begin("um: a SDU longer than the way, and one that has not begun");
	setup(&p, NULL);
	/* 15 PDUs of 40 bytes without a length indicator, the last with 38. */
	arrive(&p, 598, 1);
	peers_run(&p, 74 * WL_MS);
	p.log_used = 0;
	peers_hold(&p, true);
	arrive(&p, 39, 1);
	peers_run(&p, 130 * WL_MS);
	EXPECT(&p, "125000 out 0\n");
	CHECK_EQ(p.story[0].pdus, 15);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "130000 new 15\n185000 out 1\n");
	done(&p);
	ut_end();
}

static void test_burst(void)
{
	struct peers p;

	ut_begin("um: a gap longer than any window");
	setup(&p, window_4);
	p.lose = ~0ULL;
	peers_hold(&p, true);
	/* PDU 63 ends with SDU 0; 64 to 69 have one each. */
	arrive(&p, 64 * 40 - 1, 1);
	arrive(&p, 39, 6);
	peers_hold(&p, false);
	peers_run(&p, 319 * WL_MS);
	p.log_used = 0;
	peers_run(&p, 371 * WL_MS);
	EXPECT(&p, "320000 lost 63\n320000 new 64\n325000 new 65\n330000 new 66\n"
	       "335000 new 67\n340000 new 68\n345000 new 69\n");
	peers_run(&p, WL_SEC);
	/* 64 is held for 0 to 63 and moves the window to 61 only; 67 ends it. */
	EXPECT(&p, "390000 drop 0 2\n390000 out 1\n390000 out 2\n"
	       "390000 out 3\n390000 out 4\n395000 out 5\n400000 out 6\n");
	done(&p);
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
		setup(&p, NULL);
		p.lose = 1 << i;
		peers_hold(&p, true);
		arrive(&p, 30, 6);
		peers_hold(&p, false);
		peers_run(&p, WL_SEC);
		EXPECT(&p, wanted[i]);
		CHECK_EQ(p.b->stats.drops[WLINK_DROP_CHANNEL],
			 i == 3 ? 3 : i == 4 ? 1 : 2);
		done(&p);
		ut_end();
	}
}

/* SDU n is PDU n, and only what is fed arrives, from 60 ms on. */
static void feed_begin(struct peers *p, void (*change)(struct wl_cfg *cfg),
		       u32 sdus)
{
	setup(p, change);
	p->lose = ~0ULL;
	arrive(p, 39, sdus);
	peers_run(p, 54 * WL_MS);
	p->log_used = 0;
}

static void test_hold(void)
{
	struct peers p;

	ut_begin("um: a PDU before its turn is held until the turn comes");
	feed_begin(&p, window_4, 4);
	peers_feed(&p, 60 * WL_MS, 1);
	peers_feed(&p, 62 * WL_MS, 3);
	peers_feed(&p, 64 * WL_MS, 2);
	peers_feed(&p, 66 * WL_MS, 0);
	peers_run(&p, 61 * WL_MS);
	CHECK_EQ(p.b->mode.um.dar_ns, 160 * WL_MS);
	CHECK_EQ(p.b->mode.um.vr_udt, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "66000 out 0\n66000 out 1\n66000 out 2\n66000 out 3\n");
	CHECK_EQ(p.b->mode.um.vr_us, 4);
	CHECK_EQ(p.b->mode.um.vr_udh, 3);
	/* SDU 1 was there as early as it was due, and waited. */
	CHECK_EQ(p.story[0].whole_ns, 66 * WL_MS);
	CHECK_EQ(p.story[1].whole_ns, 60 * WL_MS);
	CHECK_EQ(p.story[1].due_ns, 60 * WL_MS);
	CHECK_EQ(p.story[3].whole_ns, 62 * WL_MS);
	/* Sooner than it can come, so it was due then. */
	CHECK_EQ(p.story[3].due_ns, 62 * WL_MS);
	CHECK_EQ(p.story[3].deliver_ns, 66 * WL_MS);
	CHECK_EQ(p.b->mode.um.dar_ns, WL_NEVER_NS);
	done(&p);
	ut_end();
}

static void test_pass(void)
{
	struct peers p;

	ut_begin("um: the window passes a missing PDU by");
	feed_begin(&p, window_4, 7);
	peers_feed(&p, 60 * WL_MS, 0);
	peers_feed(&p, 62 * WL_MS, 2);
	peers_feed(&p, 64 * WL_MS, 4);
	/* 1 is in the window of 4 behind 4, not in that behind 5. */
	peers_feed(&p, 66 * WL_MS, 5);
	peers_feed(&p, 68 * WL_MS, 1);
	peers_feed(&p, 70 * WL_MS, 3);
	peers_feed(&p, 72 * WL_MS, 6);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "60000 out 0\n66000 drop 1 2\n66000 out 2\n70000 out 3\n"
	       "70000 out 4\n70000 out 5\n72000 out 6\n");
	CHECK_EQ(p.b->stats.duplicates, 1);
	done(&p);
	ut_end();
}

static void test_leap(void)
{
	struct peers p;

	ut_begin("um: a PDU far ahead moves the window over many");
	feed_begin(&p, window_4, 12);
	peers_run(&p, 100 * WL_MS);
	p.log_used = 0;
	peers_feed(&p, 100 * WL_MS, 1);
	peers_feed(&p, 101 * WL_MS, 9);
	/* Timer_DAR is that of PDU 1, which came out: a new one, for 9. */
	peers_run(&p, 102 * WL_MS);
	EXPECT(&p, "101000 drop 0 2\n101000 drop 2 2\n101000 drop 3 2\n"
	       "101000 drop 4 2\n101000 drop 5 2\n101000 out 1\n");
	CHECK_EQ(p.b->mode.um.vr_us, 6);
	CHECK_EQ(p.b->mode.um.vr_udt, 9);
	CHECK_EQ(p.b->mode.um.dar_ns, 201 * WL_MS);
	peers_run(&p, 206 * WL_MS);
	EXPECT(&p, "201000 drop 6 2\n201000 drop 7 2\n201000 drop 8 2\n"
	       "201000 out 9\n205000 drop 10 2\n");
	peers_run(&p, WL_SEC);
	CHECK_EQ(p.b->stats.drops[WLINK_DROP_CHANNEL], 10);
	done(&p);
	ut_end();
}

static void test_dar(void)
{
	struct peers p;

	ut_begin("um: Timer_DAR ends the wait, for what came before it began");
	feed_begin(&p, window_4, 6);
	peers_feed(&p, 60 * WL_MS, 0);
	peers_feed(&p, 80 * WL_MS, 2);
	peers_feed(&p, 130 * WL_MS, 4);
	peers_run(&p, 150 * WL_MS);
	CHECK_EQ(p.b->mode.um.dar_ns, 180 * WL_MS);
	peers_run(&p, 200 * WL_MS);
	CHECK_EQ(p.b->mode.um.dar_ns, 280 * WL_MS);
	CHECK_EQ(p.b->mode.um.vr_udt, 4);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "60000 out 0\n180000 drop 1 2\n180000 out 2\n"
	       /* Nothing comes after 5, which was to come at 80. */
	       "280000 drop 3 2\n280000 drop 5 2\n280000 out 4\n");
	done(&p);
	ut_end();
}

static void test_tail(void)
{
	struct peers p;

	ut_begin("um: no drop waits for ever where nothing follows");
	feed_begin(&p, window_4, 2);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "155000 drop 0 2\n160000 drop 1 2\n");
	done(&p);
	ut_end();
}

static void duplicates_on(struct wl_cfg *cfg)
{
	cfg->rlc.duplicates = true;
}

static void test_duplicates(void)
{
	struct peers p;

	ut_begin("um: a PDU received before is discarded and counted");
	feed_begin(&p, window_4, 3);
	peers_feed(&p, 60 * WL_MS, 1);
	peers_feed(&p, 61 * WL_MS, 1);
	peers_feed(&p, 62 * WL_MS, 0);
	peers_feed(&p, 63 * WL_MS, 0);
	peers_feed(&p, 64 * WL_MS, 2);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "62000 out 0\n62000 out 1\n64000 out 2\n");
	CHECK_EQ(p.b->stats.duplicates, 2);
	done(&p);

	feed_begin(&p, duplicates_on, 2);
	peers_feed(&p, 54500 * WL_US, 0);
	peers_feed(&p, 54600 * WL_US, 0);
	peers_feed(&p, 54700 * WL_US, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "54500 out 0\n54700 out 1\n");
	CHECK_EQ(p.b->stats.duplicates, 1);
	done(&p);

	feed_begin(&p, NULL, 2);
	peers_feed(&p, 54500 * WL_US, 0);
	peers_feed(&p, 54600 * WL_US, 0);
	peers_feed(&p, 54700 * WL_US, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "54500 out 0\n54700 out 1\n");
	CHECK_EQ(p.b->stats.duplicates, 0);
	done(&p);
	ut_end();
}

static void test_smaller(void)
{
	struct wl_cfg old;
	struct peers p;

	ut_begin("um: a smaller window, or none, lets go what it passes");
	feed_begin(&p, window_4, 4);
	peers_feed(&p, 60 * WL_MS, 1);
	peers_feed(&p, 61 * WL_MS, 3);
	peers_run(&p, 62 * WL_MS);
	old = p.b->cfg;
	p.b->cfg.rlc.reorder = 2;
	p.b->ops->configured(p.b, p.now_ns, &old);
	peers_run(&p, 63 * WL_MS);
	peers_feed(&p, 64 * WL_MS, 0);
	p.b->cfg.rlc.reorder = 0;
	p.b->ops->configured(p.b, p.now_ns, &old);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "62000 drop 0 2\n62000 out 1\n63000 drop 2 2\n"
	       "63000 out 3\n");
	/* Nothing is held. */
	p.b->ops->configured(p.b, p.now_ns, &old);
	CHECK_EQ(p.b->mode.um.vr_us, 4);
	done(&p);
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
	setup(&p, discard_12ms);
	peers_hold(&p, true);
	arrive(&p, 39, 5);
	peers_hold(&p, false);
	peers_run(&p, 13 * WL_MS);
	/* SDUs 0 to 2 have got a PDU in 12 ms. */
	EXPECT(&p, "0 new 0\n5000 new 1\n10000 new 2\n12000 drop 3 6\n"
	       "12000 drop 4 6\n");
	arrive(&p, 39, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "15000 new 3\n55000 out 0\n60000 out 1\n65000 out 2\n"
	       "70000 out 5\n");
	done(&p);
	ut_end();
}

static void test_discard_all(void)
{
	struct peers p;

	ut_begin("um: Timer_Discard empties the buffer of a link that stands");
	setup(&p, discard_12ms);
	peers_hold(&p, true);
	arrive(&p, 39, 2);
	peers_run(&p, 5 * WL_MS);
	arrive(&p, 39, 1);
	peers_run(&p, 15 * WL_MS);
	EXPECT(&p, "12000 drop 0 6\n12000 drop 1 6\n");
	CHECK_EQ(p.b->stats.buffer_sdus, 1);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "15000 new 0\n70000 out 2\n");
	done(&p);

	/* A timer that is shorter than what has passed. */
	setup(&p, NULL);
	peers_hold(&p, true);
	arrive(&p, 39, 1);
	peers_run(&p, 20 * WL_MS);
	p.b->cfg.rlc.discard_ns = 12 * WL_MS;
	p.b->ops->configured(p.b, p.now_ns, &p.b->cfg);
	EXPECT(&p, "20000 drop 0 6\n");
	done(&p);
	ut_end();
}

static void test_discard_behind(void)
{
	struct peers p;

	ut_begin("um: a discarded SDU leaves no trace behind one half sent");
	setup(&p, discard_12ms);
	peers_hold(&p, true);
	/* PDUs 0 to 2, and 19 bytes in PDU 3. */
	arrive(&p, 139, 1);
	arrive(&p, 39, 2);
	peers_hold(&p, false);
	peers_run(&p, 14 * WL_MS);
	EXPECT(&p, "0 new 0\n5000 new 1\n10000 new 2\n12000 drop 1 6\n"
	       "12000 drop 2 6\n");
	arrive(&p, 19, 1);
	arrive(&p, 39, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "15000 new 3\n20000 new 4\n70000 out 0\n70000 out 3\n"
	       "75000 out 4\n");
	CHECK_EQ(p.story[4].pdus, 1);
	done(&p);
	ut_end();
}

void test_um(void)
{
	test_fill();
	test_exact();
	test_long();
	test_gap();
	test_hold();
	test_pass();
	test_leap();
	test_burst();
	test_dar();
	test_tail();
	test_duplicates();
	test_smaller();
	test_discard();
	test_discard_all();
	test_discard_behind();
}
