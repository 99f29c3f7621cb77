// SPDX-License-Identifier: GPL-2.0
/*
 * PDUs that are handed over: which, and what becomes of their SDUs, does not go by
 * how much a call of the engine may do.
 */
#include "cell.h"
#include "sr/sr.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"
#include "wl_story.h"

static struct cell cell, other;

/* @play plays the same with the whole budget of a call and with a little. */
static void same(void (*play)(struct cell *cell, u32 budget_max))
{
	static const u32 budgets[] = { 1, 2, 7, 100 };
	struct wl_mismatch bad;

	play(&cell, WL_LINK_BUDGET_MAX);
	CHECK_EQ(cell.count, cell.sent);
	for (u32 i = 0; i < ARRAY_SIZE(budgets); i++) {
		play(&other, budgets[i]);
		wl_story_same(&cell, &other, &bad);
		check_mismatch(&bad);
	}
}

/* A SDU of three PDUs is given up when the window of one is full: the MRW goes with the grant
 * that the bearer still has. Without a PDU in its queue it would lose that, and ask anew.
 */
static void play_grant(struct cell *c, u32 budget_max)
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_AM);

	say(&cfg, "delay 50ms start handover window 1 discard timer discard_timer 40ms sr 10ms");
	say(&cfg, "sr_grant 4ms sr_first 200");
	cell_init(c, &cfg, 0);
	c->link.budget_max = budget_max;
	cell_send(c, 1, 120, 1);
	cell_run(c, 10 * WL_SEC);
	CHECK_EQ(c->bearer[1]->stats.v[WLINK_STAT_MRWS], 1);
	CHECK_EQ(c->bearer[1]->stats.v[WLINK_STAT_ACCESS_REQUESTS], 1);
}

CASE(budget, "budget: a grant is lost where the budget ends before a PDU is handed over")
{
	same(play_grant);
	FATE(&cell, 0, 91 * WL_MS, WLINK_DROP_TIMER);
}

/* SDUs of 1500 bytes wait in AM; PDUs become small, the limit less than any of them. */
static void play_trim(struct cell *c, u32 budget_max)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, 0, 0);

	say(&cfg, "mode am delay 50ms");
	cell_init(c, &cfg, 0);
	c->link.budget_max = budget_max;
	cell_send(c, 1, 1500, 7);
	cell_run(c, 10 * WL_MS);
	say(&cfg, "start handover pdu 4 header 2");
	cfg.limit.kind = WL_LIMIT_BYTES;
	cfg.limit.value = 200;
	cell_configure(c, 1, &cfg);
	cell_run(c, 60 * WL_SEC);
}

CASE(budget, "budget: what a smaller limit drops goes by how many PDUs are handed over before")
{
	same(play_trim);
	/* The first has been begun, the rest is dropped before any PDU of it is made. */
	CHECK(cell.bearer[1]->stats.drops[WLINK_DROP_OVERFLOW] > 0);
}

/* What the old AQM would drop by its new parameters, as it is late, is not dropped. */
static void play_codel(struct cell *c, u32 budget_max)
{
	struct wl_aqm_cfg none;
	struct wl_cfg cfg;
	u64 dropped;

	sr_cfg(&cfg, WLINK_MODE_FSR);
	say(&cfg, "start handover window 1");
	none = cfg.aqm;
	wl_aqm_default(&cfg.aqm, WLINK_AQM_CODEL);
	cell_init(c, &cfg, 0);
	c->link.budget_max = budget_max;
	cell_send(c, 1, 250, 20);
	/* Late at 132.25 ms, for the interval at 232.25 ms; next asked at 264.5 ms. */
	cell_run(c, 250 * WL_MS);
	dropped = c->bearer[1]->stats.drops[WLINK_DROP_AQM];
	say(&cfg, "window 64 pdu 50");
	cfg.aqm = none;
	cell_configure(c, 1, &cfg);
	CHECK_EQ(c->bearer[1]->stats.drops[WLINK_DROP_AQM], dropped);
	cell_run(c, 60 * WL_SEC);
}

CASE(budget, "budget: a change hands PDUs over by the AQM that it replaces")
{
	same(play_codel);
}

/* HARQ of bearer 2 holds 100 PDUs as TTIs become longer, and so does its delay. */
static void play_grid(struct cell *c, u32 budget_max)
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_UM), far;
	struct wl_pending *txn;

	cfg.pdu_bytes = 20;
	cfg.harq = (struct wl_harq_cfg){
		.processes = 8, .rtt_ns = 8 * WL_MS, .transmissions = 4,
		.bler_q32 = WLINK_PROB_ONE / 2, .factor_q32 = WLINK_PROB_ONE,
	};
	cell_init(c, &cfg, 0);
	cell_add(c, 2, 2, &cfg);
	c->link.budget_max = budget_max;
	cell_send(c, 2, 15, 200);
	cell_run(c, 20 * WL_MS);
	cfg.tti_ns = 2 * WL_MS;
	far = cfg;
	far.delay_ns = 50 * WL_MS;
	txn = wl_ask_new(2, 1);
	wl_ask_part(txn, c->bearer[1], &cfg);
	wl_ask_part(txn, c->bearer[2], &far);
	cell_commit(c, WLINK_AT_NEXT, txn);
	cell_run(c, 60 * WL_SEC);
}

CASE(budget, "budget: what HARQ has as a grid begins goes by what else the change brings")
{
	same(play_grid);
}

/* HARQ holds SDUs of TM as the mode becomes one that hands over. */
static void play_restart(struct cell *c, u32 budget_max)
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_TM);

	cfg.rate_bps = 10000000;
	cfg.harq = (struct wl_harq_cfg){
		.processes = 8, .rtt_ns = 8 * WL_MS, .transmissions = 4,
		.bler_q32 = WLINK_PROB_ONE,
	};
	cell_init(c, &cfg, 0);
	c->link.budget_max = budget_max;
	cell_send(c, 1, 15, 1000);
	cell_run(c, 8 * WL_MS);
	say(&cfg, "mode am start handover pdu 100 harq_bler 0");
	cell_configure(c, 1, &cfg);
	cell_run(c, 60 * WL_SEC);
}

CASE(budget, "budget: PDUs are handed over before all SDUs are there to make them of")
{
	same(play_restart);
}

/* 700 PDUs have been handed over, of which HARQ holds more than a change gives back at once.
 * The window that lets more be handed over is that of the bearer that begins anew.
 */
CASE(budget, "budget: PDUs are handed over by a bearer that is to begin anew")
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_AM);

	say(&cfg, "rate 10mbit limit 2000 pdu 15 start handover window 700");
	cfg.harq = (struct wl_harq_cfg){
		.processes = 8, .rtt_ns = 8 * WL_MS, .transmissions = 4,
		.bler_q32 = WLINK_PROB_ONE,
	};
	cell_play(&cell, &cfg, 10, 2000, 7 * WL_MS);
	say(&cfg, "window 1400 harq_bler 0");
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 60 * WL_SEC);
	CHECK(cell.bearer[1]->stats.drops[WLINK_DROP_REESTABLISH] <= 700);
	CHECK(cell.bearer[1]->stats.drops[WLINK_DROP_REESTABLISH] > 300);
}
