// SPDX-License-Identifier: GPL-2.0
/* A bearer is emptied for another link, at a handover. */
#include "cell.h"
#include "ut.h"

static struct cell cell;

static bool forwarded(u32 seq)
{
	return cell.done[seq].sdu.drop == WLINK_DROP_FORWARD;
}

/* 1000 bytes at 8 kbit/s take 1 s; at 1.195 s one is on its way, one on the air. */
static void all_that_is_there(u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, tti_ns, 0);
	const u64 at_ns = 1195 * WL_MS;
	const struct wl_stats *stats;

	ut_begin("forward: what is on its way, on the air and waits, TTI %llu", tti_ns);
	cfg.delay_ns = 500 * WL_MS;
	cell_init(&cell, &cfg, 0);
	stats = &cell.link.first.stats;
	cell_carry(&cell, 1, 1000, 3, at_ns);
	CHECK_EQ(cell.count, 0);
	wl_cell_forward(&cell, 1);
	cell_call(&cell, at_ns);
	CHECK_EQ(cell.count, 3);
	for (u32 i = 0; i < 3; i++) {
		CHECK(forwarded(i));
		CHECK_EQ(cell.done[i].order, i);
		CHECK_EQ(cell.done[i].sdu.deliver_ns, at_ns);
	}
	CHECK_EQ(stats->drops[WLINK_DROP_FORWARD], 3);
	CHECK_EQ(stats->v[WLINK_STAT_BYTES_DROPPED], 3000);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED], 0);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_HELD], 0);
	/* The bearer begins anew: nothing is left of the one that was on the air. */
	cell_carry(&cell, 1, 1000, 1, 5 * WL_SEC);
	CHECK_EQ(cell_end_ns(&cell, 3), tti_ns ? 2200 * WL_MS : 2195 * WL_MS);
	CHECK_EQ(cell.done[3].sdu.deliver_ns - cell_end_ns(&cell, 3), cfg.delay_ns);
}

/* Each SDU comes out once: delivered before, or forwarded in the order of arrival. */
static void not_what_is_delivered(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, 10 * WL_MS, 40);
	u32 i, delivered = 0;

	ut_begin("forward: what has been delivered is not forwarded, mode %d", mode);
	cfg.delay_ns = 50 * WL_MS;
	wl_cfg_set_mode(&cfg, mode);
	cell_uniform(&cfg.channel, WLINK_PROB_ONE / 10);
	cell_play(&cell, &cfg, 200, 100, WL_SEC);
	wl_cell_forward(&cell, 1);
	cell_call(&cell, WL_SEC);
	CHECK_EQ(cell.count, 100);
	for (i = 0; i < 100; i++) {
		CHECK_EQ(cell.done[i].over, 1);
		if (forwarded(i))
			CHECK(cell.done[i].order >= delivered);
		else
			delivered++;
	}
	/* A second is 8000 bytes, headers and retransmissions included. */
	CHECK(delivered > 10 && delivered < 40);
	CHECK_EQ(cell.link.first.stats.drops[WLINK_DROP_FORWARD], 100 - delivered);
	for (i = delivered; i + 1 < 100; i++)
		CHECK(cell.done[i].order < cell.done[i + 1].order);
	cell_carry(&cell, 1, 200, 1, 10 * WL_SEC);
	CHECK_EQ(cell.done[100].over, 1);
	CHECK_EQ(cell.done[100].sdu.drop, WLINK_DROP_NONE);
}

/* Two take turns, 80 bytes a TTI of 10 ms; from 1 s on one has all of them. */
CASE(bearer_forward, "forward: it takes the turns of others")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 64000, 10 * WL_MS, 80);
	struct wl_cfg class;
	u64 mine, theirs;

	cfg.delay_ns = 0;
	class = cell_class(&cfg, 64000);
	cell_share(&cell, &cfg, 3, &class);
	cell_send(&cell, 2, 80, 200);
	cell_send(&cell, 3, 80, 200);
	cell_run(&cell, 995 * WL_MS);
	mine = cell.bearer[2]->stats.v[WLINK_STAT_SDUS_DELIVERED];
	theirs = cell.bearer[3]->stats.v[WLINK_STAT_SDUS_DELIVERED];
	/* The first starts at 10 ms, as they have come after the start of one. */
	CHECK_EQ(mine, 49);
	CHECK_EQ(theirs, 49);
	wl_cell_forward(&cell, 2);
	cell_run(&cell, 1995 * WL_MS);
	CHECK_EQ(cell.bearer[2]->stats.drops[WLINK_DROP_FORWARD], 151);
	/* The TTI that was under way was the emptied bearer's. */
	CHECK_EQ(cell.bearer[3]->stats.v[WLINK_STAT_SDUS_DELIVERED], 49 + 99);
}

TEST(bearer_forward)
{
	all_that_is_there(0);
	all_that_is_there(10 * WL_MS);
	not_what_is_delivered(WLINK_MODE_AM);
	not_what_is_delivered(WLINK_MODE_FSR);
	not_what_is_delivered(WLINK_MODE_ASR);
}
