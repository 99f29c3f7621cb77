// SPDX-License-Identifier: GPL-2.0
/* rate unlimited: bits take no time; what the engine was not asked about. */
#include "cell.h"
#include "oracle/scenario.h"
#include "say.h"
#include "ut.h"

static struct outcome out;

static struct wl_cfg unlimited(void)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	cfg.rate_bps = WLINK_RATE_UNLIMITED;
	return cfg;
}

CASE(unlimited, "unlimited: a SDU does not leave when it came")
{
	struct wl_cfg cfg = unlimited();
	const struct wl_sdu *sdu;

	outcome_init(&out, &cfg, 7);
	outcome_send(&out, 1000, 1500);
	CHECK(outcome_call(&out, 1000));
	sdu = &out.done[0];
	CHECK(out.over[0]);
	CHECK_EQ(sdu->start_ns, 1000);
	CHECK_EQ(sdu->end_ns, 1000);
	CHECK_EQ(sdu->deliver_ns, 1000);
	CHECK_EQ(wl_link_next_ns(&out.link), WL_NEVER_NS);
	for (int i = 1; i <= 100; i++)
		outcome_send(&out, 2000, WL_SDU_BYTES_MAX);
	CHECK(outcome_call(&out, 2000));
	for (int i = 1; i <= 100; i++)
		CHECK_EQ(out.done[i].deliver_ns, 2000);
	outcome_check(&out);
}

/* 3 PDUs of 40, 40 and 20 bytes, all at one time. */
CASE(unlimited, "unlimited: the delay is not all of the delay")
{
	struct wl_cfg cfg = unlimited();

	say(&cfg, "delay 50ms pdu 40 header 2");
	outcome_init(&out, &cfg, 0);
	outcome_send(&out, 3, 100);
	outcome_send(&out, 3, 100);
	CHECK(outcome_call(&out, 3));
	outcome_run(&out, WL_SEC);
	CHECK_EQ(out.done[0].deliver_ns, 50 * WL_MS + 3);
	CHECK_EQ(out.done[1].deliver_ns, 50 * WL_MS + 3);
	CHECK_EQ(out.done[1].pdus, 3);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_AIR_BYTES], 2 * (100 + 3 * 2));
	outcome_check(&out);
}

CASE(unlimited, "unlimited: a channel does not lose what it should")
{
	struct wl_cfg cfg = unlimited();
	const struct wl_stats *stats = &out.link.first.stats;

	cfg.channel.kind = WLINK_CHANNEL_UNIFORM;
	cfg.channel.loss_q32 = 1U << 30; /* a quarter */
	cfg.seed = 3;
	outcome_init(&out, &cfg, 0);
	for (int i = 0; i < SCENARIO_SDUS; i++) {
		outcome_send(&out, i, 500);
		CHECK(outcome_call(&out, i));
	}
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_IN], SCENARIO_SDUS);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_HELD], 0);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED] + stats->drops[WLINK_DROP_CHANNEL],
		 SCENARIO_SDUS);
	/* Five standard deviations. */
	CHECK_NEAR((double)stats->drops[WLINK_DROP_CHANNEL] / SCENARIO_SDUS,
		   0.25, 5 * 0.433 / __builtin_sqrt(SCENARIO_SDUS));
	outcome_check(&out);
}

/* 1000 bit/s: a SDU of 125 bytes takes a second. At 1.5 s the first has gone, half
 * of the second is on the air, the third waits.
 */
CASE(unlimited, "unlimited: what is on the air at a change takes time")
{
	struct wl_cfg slow = unlimited(), fast = unlimited();
	static struct cell cell;

	slow.rate_bps = 1000;
	cell_play(&cell, &slow, 125, 3, 1500 * WL_MS);
	cell_ask(&cell, WLINK_AT_NOW, 1, 1, &fast);
	cell_run(&cell, 1600 * WL_MS);
	FATE(&cell, 0, 1000 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 1, 1500 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 2, 1500 * WL_MS, WLINK_DROP_NONE);
	cell_ask(&cell, 1800 * WL_MS, 2, 1, &slow);
	cell_run(&cell, 1750 * WL_MS);
	cell_carry(&cell, 1, 125, 1, 1900 * WL_MS);
	cell_carry(&cell, 1, 125, 1, 4 * WL_SEC);
	FATE(&cell, 3, 1750 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 4, 2900 * WL_MS, WLINK_DROP_NONE);
}

/* A schedule gives it a rate for a time: before and after it has none. */
CASE(unlimited, "unlimited: a schedule takes descriptors away")
{
	const u64 words[] = { 0, 1000 };
	struct wl_cfg cfg = unlimited(), most;
	static struct cell cell;
	struct wl_schedule *schedule;

	cfg.delay_ns = WL_MS;
	most = cfg;
	schedule = cell_steps(1U << WLINK_COLUMN_RATE, ARRAY_SIZE(words), words);
	wl_schedule_most(schedule, &most);
	CHECK(wl_cfg_sdus(&most) >= wl_cfg_sdus(&cfg));
	cell_init(&cell, &cfg, 0);
	schedule->start_ns = 10 * WL_MS;
	schedule->end = WLINK_SCHEDULE_END_STOP;
	schedule->length_ns = 2 * WL_SEC;
	cell_schedule(&cell, 1, schedule);
	cell_carry(&cell, 1, 125, 1, 10 * WL_MS);
	cell_send(&cell, 1, 125, 1);
	cell_send(&cell, 1, 125, 2);
	cell_run(&cell, 4 * WL_SEC);
	cell_carry(&cell, 1, 125, 1, 5 * WL_SEC);
	FATE(&cell, 0, 0, WLINK_DROP_NONE);
	FATE(&cell, 1, 1010 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 2, 2010 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 3, 2010 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 4, 4000 * WL_MS, WLINK_DROP_NONE);
}

/* Opportunities take the place of the rate while they play. */
CASE(unlimited, "unlimited: opportunities are not what it sends by")
{
	const u64 words[] = { 0, 0, 100 * WL_MS, 125, 200 * WL_MS, 250 };
	struct wl_cfg cfg = unlimited();
	static struct cell cell;
	struct wl_schedule *schedule;

	cell_init(&cell, &cfg, 0);
	schedule = cell_steps(1U << WLINK_COLUMN_GRANT, ARRAY_SIZE(words), words);
	schedule->start_ns = 10 * WL_MS;
	schedule->end = WLINK_SCHEDULE_END_STOP;
	schedule->length_ns = 300 * WL_MS;
	cell_schedule(&cell, 1, schedule);
	cell_run(&cell, 20 * WL_MS);
	cell_carry(&cell, 1, 125, 4, WL_SEC);
	FATE(&cell, 0, 110 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 1, 210 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 2, 210 * WL_MS, WLINK_DROP_NONE);
	FATE(&cell, 3, 310 * WL_MS, WLINK_DROP_NONE);
}

/* The link gets a TTI and the unlimited bearer a rate, all at once, and back. */
CASE(unlimited, "unlimited: a bearer does not come through a TTI of the link")
{
	struct wl_cfg cfg = unlimited(), slow = unlimited();
	struct wl_cfg tti, slow_tti;
	static struct cell cell;
	struct wl_pending *txn;

	slow.rate_bps = 1000;
	slow_tti = slow;
	slow_tti.tti_ns = WL_MS;
	tti = slow_tti;
	cell_share(&cell, &slow, 2, &cfg);
	cell_carry(&cell, 2, 125, 2, 10 * WL_MS);
	FATE(&cell, 0, 0, WLINK_DROP_NONE);
	txn = cell_txn(&cell, 1, 1, 2, &tti);
	cell_commit(&cell, WLINK_AT_NOW, txn);
	cell_carry(&cell, 2, 125, 2, 5500 * WL_MS);
	txn = cell_txn(&cell, 2, 1, 2, &cfg);
	cell_carry(&cell, 2, 125, 2, 5600 * WL_MS);
	cell_commit(&cell, WLINK_AT_NOW, txn);
	cell_run(&cell, 6000 * WL_MS);
	cell_carry(&cell, 2, 125, 1, 7000 * WL_MS);
	FATE(&cell, 6, 6000 * WL_MS, WLINK_DROP_NONE);
}

static void refused(const struct wl_cfg *cfg, const char *what)
{
	struct wl_refusal why = { 0 };

	CHECK_EQ(wl_cfg_check(cfg, &why), (u64)-ERANGE);
	CHECK(why.what && !strcmp(why.what, what));
	CHECK_EQ(why.min, 0);
	CHECK_EQ(why.max, 0);
}

CASE(unlimited, "unlimited: taken where there has to be a rate")
{
	static const struct wl_profile profile = { .count = 1 };
	struct wl_refusal why;
	struct wl_cfg cfg = unlimited();

	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.tti_ns = WL_MS;
	refused(&cfg, "tti with rate unlimited");
	cfg = unlimited();
	wl_cfg_set_mode(&cfg, WLINK_MODE_AM);
	refused(&cfg, "mode with rate unlimited");
	cfg = unlimited();
	cfg.sched = WLINK_SCHED_RR;
	refused(&cfg, "sched with rate unlimited");
	cfg = unlimited();
	cfg.limit.kind = WL_LIMIT_TIME;
	cfg.limit.value = WL_SEC;
	refused(&cfg, "limit in time with rate unlimited");
	cfg = unlimited();
	cfg.channel.kind = WLINK_CHANNEL_TWOSTATE;
	refused(&cfg, "channel twostate with rate unlimited");
	cfg = unlimited();
	cfg.rlc.discard_ns = WL_SEC;
	refused(&cfg, "discard_timer with rate unlimited");
	cfg = unlimited();
	cfg.profile = &profile;
	refused(&cfg, "profile with rate unlimited");
	cfg = unlimited();
	wl_aqm_default(&cfg.aqm, WLINK_AQM_CODEL);
	refused(&cfg, "aqm with rate unlimited");
	cfg = unlimited();
	cfg.aqm.ramp_to_ns = WL_MS;
	refused(&cfg, "aqm ramp_from with rate unlimited");
}
