// SPDX-License-Identifier: GPL-2.0
/*
 * Unacknowledged mode, stepped by hand: 64 kbit/s, PDUs of 40 bytes (5 ms), 50 ms
 * to the receiver, length indicators of one byte. A SDU of 39 bytes and its
 * length indicator fill a PDU.
 */
#include "say.h"
#include "um.h"

static void um_end(void *what)
{
	const struct peers *p = what;

	CHECK_EQ(p->b->ops->next_ns(p->b), WL_NEVER_NS);
	CHECK_EQ(p->b->stats.v[WLINK_STAT_BUFFER_SDUS], 0);
	CHECK_EQ(p->b->mode.um.held, 0);
	CHECK(!p->b->unreleased);
	CHECK(!p->b->reassembly);
	CHECK(!p->b->queue.head);
}

void um_setup(struct peers *p, void (*change)(struct wl_cfg *cfg))
{
	struct wl_cfg cfg;

	ut_release(um_end, p);
	wl_cfg_default(&cfg);
	say(&cfg, "mode um rate 64kbit delay 50ms pdu 40");
	if (change)
		change(&cfg);
	peers_init(p, &cfg);
	ut_defer(um_end, p);
}

void um_arrive(struct peers *p, u32 bytes, u32 sdus)
{
	while (sdus--)
		peers_arrive(p, p->now_ns, bytes);
}

static struct peers p;

CASE(um, "um: with a TTI a SDU leaves the buffer at its end")
{
	struct wl_tx tx;

	um_setup(&p, NULL);
	peers_hold(&p, true);
	um_arrive(&p, 39, 3);
	for (u32 i = 0; i < 2; i++) {
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
}

CASE(um, "um: a SDU longer than the way, and one that has not begun")
{
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
}

CASE(um, "um: SDUs that wait when the mode begins")
{
	um_setup(&p, NULL);
	peers_hold(&p, true);
	um_arrive(&p, 39, 2);
	p.b->ops->start(p.b, 0);
	peers_hold(&p, false);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n5000 new 1\n55000 out 0\n60000 out 1\n");
}

static void discard_12ms(struct wl_cfg *cfg)
{
	cfg->rlc.discard_ns = 12 * WL_MS;
}

CASE(um, "um: Timer_Discard empties the buffer of a link that stands")
{
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

	/* A timer that is shorter than what has passed. */
	um_setup(&p, NULL);
	peers_hold(&p, true);
	um_arrive(&p, 39, 1);
	peers_run(&p, 20 * WL_MS);
	p.b->cfg.rlc.discard_ns = 12 * WL_MS;
	p.link.budget = WL_LINK_BUDGET_MAX;
	p.b->ops->configured(p.b, p.now_ns, &p.b->cfg);
	EXPECT(&p, "20000 drop 0 6\n");
}
