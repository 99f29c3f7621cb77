// SPDX-License-Identifier: GPL-2.0
/* Profiles: the AQM follows the rate, by whatever way that changes. */
#include <stdlib.h>

#include "cell.h"
#include "ut.h"
#include "wl_schedules.h"

#define ROWS	3
#define MS(n)	((n) * WL_MS)

static struct cell cell;

/* One that takes SDUs until there are maxth, and from there on none. */
static struct wl_aqm_cfg up_to(u32 maxth)
{
	struct wl_aqm_cfg aqm;

	wl_aqm_default(&aqm, WLINK_AQM_RED);
	aqm.minth = maxth - 1;
	aqm.maxth = maxth;
	aqm.maxp_q32 = WLINK_PROB_ONE;
	aqm.head = 0;
	return aqm;
}

static struct wl_profile *three_rows(void)
{
	struct wl_profile *profile = calloc(1, sizeof(*profile) + ROWS * sizeof(profile->row[0]));

	profile->count = ROWS;
	for (u32 i = 0; i < ROWS; i++) {
		profile->row[i].rate_bps = 100000 << i;
		profile->row[i].aqm = up_to(3 * (i + 1));
	}
	return profile;
}

CASE(profile, "profile: a rate has the AQM of another")
{
	static const struct {
		u64 rate_bps;
		u32 maxth;
	} cases[] = {
		{ 1, 3 }, { 99999, 3 }, { 100000, 3 }, { 199999, 3 },
		{ 200000, 6 }, { 399999, 6 }, { 400000, 9 },
		{ WLINK_RATE_MAX, 9 },
	};
	struct wl_profile *profile = three_rows();
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	cfg.aqm = up_to(77);
	wl_cfg_follow(&cfg);
	CHECK_EQ(cfg.aqm.maxth, 77);
	cfg.profile = profile;
	for (u32 i = 0; i < ARRAY_SIZE(cases); i++) {
		cfg.rate_bps = cases[i].rate_bps;
		wl_cfg_follow(&cfg);
		CHECK_EQ(cfg.aqm.maxth, cases[i].maxth);
		CHECK_EQ(cfg.aqm.minth, cases[i].maxth - 1);
	}
	profile->count = 1;
	wl_cfg_follow(&cfg);
	CHECK_EQ(cfg.aqm.maxth, 3);
	free(profile);
}

/* Sends ten, and looks how many of them have been taken. */
static void takes(u32 count, u32 in_buffer)
{
	u64 dropped = cell.link.first.stats.drops[WLINK_DROP_AQM];

	cell_send(&cell, 1, 12500, 10);
	cell_call(&cell, cell.now_ns);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], in_buffer);
	CHECK_EQ(cell.link.first.stats.drops[WLINK_DROP_AQM] - dropped, 10 - count);
}

/* Nothing is over before a second has passed. */
static void follows(u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, tti_ns, 0);
	const u64 words[] = { 0, 400000, MS(20), 200000, MS(30), 1000, MS(40),
			      400000 };
	struct wl_profile *profile = three_rows();
	struct wl_schedule *schedule = wl_schedules_new(1U << WLINK_COLUMN_RATE);

	ut_begin("profile: the AQM does not follow the rate, tti %llu", tti_ns);
	cfg.aqm = up_to(1000);
	cfg.profile = profile;
	cell_init(&cell, &cfg, 0);
	takes(3, 3);
	/* By a transaction, */
	cfg.rate_bps = 200000;
	cell_ask(&cell, MS(5), 1, 1, &cfg);
	cell_run(&cell, MS(5) - 1);
	takes(0, 3);
	cell_run(&cell, MS(5));
	takes(3, 6);
	cfg.rate_bps = 100000;
	cell_ask(&cell, WLINK_AT_NEXT, 2, 1, &cfg);
	cell_run(&cell, MS(10));
	takes(0, 6);
	/* by a schedule that lies over it, */
	CHECK_EQ(wl_schedules_add(schedule, 4, words), 4);
	cell_schedule(&cell, 1, schedule);
	cell_run(&cell, MS(15));
	takes(3, 9);
	cell_run(&cell, MS(35));
	takes(0, 9);
	CHECK_EQ(cell.link.first.cfg.aqm.maxth, 6);
	cell_run(&cell, MS(45));
	CHECK_EQ(cell.link.first.cfg.aqm.maxth, 3);
	cell_run(&cell, MS(50));
	CHECK_EQ(cell.link.first.cfg.aqm.maxth, 9);
	/* below which the rate changes, */
	cfg.rate_bps = 200000;
	cell_ask(&cell, WLINK_AT_NEXT, 3, 1, &cfg);
	cell_run(&cell, MS(55));
	CHECK_EQ(cell.link.first.cfg.aqm.maxth, 9);
	/* and by its end. */
	cell_stop(&cell, 1);
	cell_run(&cell, MS(60));
	CHECK_EQ(cell.link.first.cfg.rate_bps, 200000);
	CHECK_EQ(cell.link.first.cfg.aqm.maxth, 6);
	/* Without it the AQM is what the configuration says. */
	cfg.profile = NULL;
	cell_ask(&cell, WLINK_AT_NEXT, 4, 1, &cfg);
	cell_run(&cell, MS(65));
	CHECK_EQ(cell.link.first.cfg.aqm.maxth, 1000);
	takes(10, 19);
	cell_check(&cell);
	free(profile);
}

/* A row of another kind begins anew; a bearer of its own has one, too. */
CASE(profile, "profile: another kind of AQM keeps the state of the old one")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 100000, 0, 0);
	struct wl_profile *profile = three_rows();
	struct wl_cfg class;

	wl_aqm_default(&profile->row[1].aqm, WLINK_AQM_SBD);
	profile->row[1].aqm.minth = 20;
	profile->row[1].aqm.tr_ns = MS(200);
	wl_aqm_default(&profile->row[2].aqm, WLINK_AQM_DROPTAIL);
	cell_init(&cell, &cfg, 0);
	class = cell_class(&cfg, 100000);
	class.profile = profile;
	cell_add(&cell, 2, 2, &class);
	CHECK(cell.bearer[2]->aqm.ops == &wl_red_ops);
	CHECK(!cell.bearer[1]->aqm.ops);
	class.rate_bps = 250000;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 2, &class);
	CHECK(cell.bearer[2]->aqm.ops == &wl_sbd_ops);
	CHECK_EQ(cell.bearer[2]->aqm.sbd.state, WL_SBD_IDLE);
	class.rate_bps = 400000;
	cell_ask(&cell, WLINK_AT_NEXT, 2, 2, &class);
	CHECK(!cell.bearer[2]->aqm.ops);
	class.rate_bps = 100000;
	cell_ask(&cell, WLINK_AT_NEXT, 3, 2, &class);
	CHECK(cell.bearer[2]->aqm.ops == &wl_red_ops);
	CHECK(!cell.bearer[1]->aqm.ops);
	free(profile);
}

/* Every row must suit the limit. */
CASE(profile, "profile: a row that is no good is not refused")
{
	struct wl_profile *profile = three_rows();
	struct wl_refusal why = { };
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	cfg.rate_bps = 64000;
	cfg.profile = profile;
	wl_cfg_follow(&cfg);
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	profile->row[2].aqm.minth = 9;
	CHECK_EQ(wl_cfg_check(&cfg, &why), (u64)-ERANGE);
	CHECK_EQ(why.value, 9);
	CHECK_EQ(why.max, 8);
	free(profile);
}

TEST(profile)
{
	follows(0);
	follows(MS(5));
}
