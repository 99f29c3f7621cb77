// SPDX-License-Identifier: GPL-2.0
/*
 * Unacknowledged mode, stepped by hand: duplicate avoidance and reordering. What
 * no channel of today does is fed to the receiver. Times as in um.c.
 */
#include "say.h"
#include "um.h"

static struct peers p;

static void window_4(struct wl_cfg *cfg)
{
	say(cfg, "reorder 4 reorder_timer 100ms duplicates on");
}

CASE(um, "um: a gap longer than any window")
{
	um_setup(&p, window_4);
	p.lose = ~0ULL;
	peers_hold(&p, true);
	/* PDU 63 ends with SDU 0; 64 to 69 have one each. */
	um_arrive(&p, 64 * 40 - 1, 1);
	um_arrive(&p, 39, 6);
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
}

/* SDU n is PDU n, and only what is fed arrives, from 60 ms on. */
static void feed_begin(void (*change)(struct wl_cfg *cfg), u32 sdus)
{
	um_setup(&p, change);
	p.lose = ~0ULL;
	um_arrive(&p, 39, sdus);
	peers_run(&p, 54 * WL_MS);
	p.log_used = 0;
}

CASE(um, "um: a PDU before its turn is held until the turn comes")
{
	feed_begin(window_4, 4);
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
}

CASE(um, "um: the window passes a missing PDU by")
{
	feed_begin(window_4, 7);
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
	CHECK_EQ(p.b->stats.v[WLINK_STAT_DUPLICATES], 1);
}

CASE(um, "um: a PDU far ahead moves the window over many")
{
	feed_begin(window_4, 12);
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
}

CASE(um, "um: Timer_DAR ends the wait, for what came before it began")
{
	feed_begin(window_4, 6);
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
}

CASE(um, "um: no drop waits for ever where nothing follows")
{
	feed_begin(window_4, 2);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "155000 drop 0 2\n160000 drop 1 2\n");
}

static void duplicates_on(struct wl_cfg *cfg)
{
	cfg->rlc.duplicates = true;
}

CASE(um, "um: a PDU received before is discarded and counted")
{
	feed_begin(window_4, 3);
	peers_feed(&p, 60 * WL_MS, 1);
	peers_feed(&p, 61 * WL_MS, 1);
	peers_feed(&p, 62 * WL_MS, 0);
	peers_feed(&p, 63 * WL_MS, 0);
	peers_feed(&p, 64 * WL_MS, 2);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "62000 out 0\n62000 out 1\n64000 out 2\n");
	CHECK_EQ(p.b->stats.v[WLINK_STAT_DUPLICATES], 2);

	feed_begin(duplicates_on, 2);
	peers_feed(&p, 54500 * WL_US, 0);
	peers_feed(&p, 54600 * WL_US, 0);
	peers_feed(&p, 54700 * WL_US, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "54500 out 0\n54700 out 1\n");
	CHECK_EQ(p.b->stats.v[WLINK_STAT_DUPLICATES], 1);

	feed_begin(NULL, 2);
	peers_feed(&p, 54500 * WL_US, 0);
	peers_feed(&p, 54600 * WL_US, 0);
	peers_feed(&p, 54700 * WL_US, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "54500 out 0\n54700 out 1\n");
	CHECK_EQ(p.b->stats.v[WLINK_STAT_DUPLICATES], 0);
}

CASE(um, "um: a smaller window, or none, lets go what it passes")
{
	struct wl_cfg old;

	feed_begin(window_4, 4);
	peers_feed(&p, 60 * WL_MS, 1);
	peers_feed(&p, 61 * WL_MS, 3);
	peers_run(&p, 62 * WL_MS);
	old = p.b->cfg;
	p.b->cfg.rlc.reorder = 2;
	p.b->ops->configured(p.b, p.now_ns, &old);
	/* PDU 3 still waits, and Timer_DAR is now for it. */
	CHECK_EQ(p.b->mode.um.vr_udt, 3);
	CHECK_EQ(p.b->mode.um.dar_ns, 162 * WL_MS);
	peers_run(&p, 63 * WL_MS);
	peers_feed(&p, 64 * WL_MS, 0);
	p.b->cfg.rlc.reorder = 0;
	p.b->ops->configured(p.b, p.now_ns, &old);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "62000 drop 0 2\n62000 out 1\n63000 drop 2 2\n63000 out 3\n");
	/* Nothing is held. */
	p.b->ops->configured(p.b, p.now_ns, &old);
	CHECK_EQ(p.b->mode.um.vr_us, 4);
}

CASE(um, "um: a window of one holds nothing")
{
	struct wl_cfg old;

	feed_begin(window_4, 3);
	peers_feed(&p, 60 * WL_MS, 2);
	peers_run(&p, 62 * WL_MS);
	old = p.b->cfg;
	p.b->cfg.rlc.reorder = 1;
	p.b->ops->configured(p.b, p.now_ns, &old);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "62000 drop 0 2\n62000 drop 1 2\n62000 out 2\n");
}
