// SPDX-License-Identifier: GPL-2.0
/* Several bearers on a link: each its own, or taking turns. */
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"

static struct cell cell;

/* End of sending of a SDU. */
static u64 end_of(u32 seq)
{
	return cell_end_ns(&cell, seq);
}

static void dedicated(u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 384000, tti_ns, 40);
	struct wl_cfg slow = cell_class(&cfg, 128000);
	u64 bits = 8 * 1500;

	ut_begin("bearer: dedicated bearers disturb each other, tti %llu ns", tti_ns);
	cell_share(&cell, &cfg, 3, &slow);
	for (u32 i = 0; i < 40; i++)
		cell_send_all(&cell, 3, 1500, 1);
	cell_run(&cell, 100 * WL_SEC);
	for (u32 i = 0; i < 40; i++) {
		u64 fast_ns = bits * (i + 1) * WL_SEC / 384000;
		u64 slow_ns = bits * (i + 1) * WL_SEC / 128000;

		/* The first TTI starts one after the arrival; SDU i is done at
		 * the end of the first one by which the rate has brought it.
		 */
		if (tti_ns) {
			fast_ns = DIV_ROUND_UP(fast_ns, tti_ns) * tti_ns +
				  tti_ns;
			slow_ns = DIV_ROUND_UP(slow_ns, tti_ns) * tti_ns +
				  tti_ns;
		}
		CHECK_EQ(end_of(3 * i), fast_ns);
		CHECK_EQ(end_of(3 * i + 1), slow_ns);
		CHECK_EQ(end_of(3 * i + 2), slow_ns);
	}
}

/* 250 bytes at 64 kbit/s are 31.25 ms. */
CASE(bearer, "bearer: fifo does not go by arrival")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_FIFO, 64000, 0, 250);
	struct wl_cfg other = cell_class(&cfg, 64000);

	cell_share(&cell, &cfg, 3, &other);
	cell_carry(&cell, 1, 250, 3, 1 * WL_MS);
	cell_carry(&cell, 2, 250, 1, 2 * WL_MS);
	cell_send(&cell, 3, 500, 1);
	cell_send(&cell, 1, 250, 1);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(end_of(0), 31250 * WL_US);
	CHECK_EQ(end_of(1), 62500 * WL_US);
	CHECK_EQ(end_of(2), 93750 * WL_US);
	CHECK_EQ(end_of(3), 125000 * WL_US);
	/* Equal arrivals: the bearer with the lower number. */
	CHECK_EQ(end_of(5), 156250 * WL_US);
	CHECK_EQ(end_of(4), 218750 * WL_US);
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
}

static void turns(enum wlink_sched sched, u32 prio2)
{
	/* SDUs 0 to 2 are of bearer 1, 3 to 5 of bearer 2. */
	static const u32 fair[] = { 0, 3, 1, 4, 2, 5 };
	static const u32 strict[] = { 0, 3, 4, 5, 1, 2 };
	const u32 *order = sched == WLINK_SCHED_PRIO && !prio2 ? strict : fair;
	struct wl_cfg cfg = cell_link(sched, 64000, 0, 250);
	struct wl_cfg other;

	ut_begin("bearer: sched %d, prio 1 and %u: wrong turns", sched, prio2);
	cfg.prio = 1;
	other = cell_class(&cfg, 64000);
	other.prio = prio2;
	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 250, 3);
	cell_run(&cell, WL_SEC);
	for (u32 i = 0; i < 6; i++)
		CHECK_EQ(end_of(order[i]), (i + 1) * 31250 * WL_US);
}

/* Two bearers that always have something: what each gets of 60 s. */
static void shares(enum wlink_sched sched, u64 rate2_bps, double bps1, double bps2)
{
	struct wl_cfg cfg = cell_link(sched, 384000, 10 * WL_MS, 40);
	struct wl_cfg other = cell_class(&cfg, rate2_bps);

	ut_begin("bearer: sched %d shares 384 and %llu kbit/s wrongly", sched, rate2_bps / 1000);
	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 200, CELL_SDUS / 2 - 1);
	cell_run(&cell, 30 * WL_SEC);
	/* A TTI at each end, and for pf what the mean takes to settle. */
	CHECK_NEAR(cell_bits(&cell, 1) / 30., bps1, 0.005 * 384000);
	CHECK_NEAR(cell_bits(&cell, 2) / 30., bps2, 0.005 * 384000);
}

/* All that a shared link sends is exact, too, whoever sends it. */
CASE(bearer, "bearer: a shared link errs in its rate")
{
	const u64 rate_bps = 1000003;
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, rate_bps, 0, 40);
	struct wl_cfg other = cell_class(&cfg, rate_bps);
	const u64 pdus = 2 * 2000;
	u64 last_ns = 0, wanted_ns;

	cell_share(&cell, &cfg, 2, &other);
	cell_send_all(&cell, 2, 40, pdus / 2);
	cell_run(&cell, 100 * WL_SEC);
	for (u32 i = 0; i < pdus; i++)
		last_ns = max(last_ns, end_of(i));
	wanted_ns = DIV_ROUND_UP(pdus * 320 * WL_SEC, rate_bps);
	CHECK_EQ(last_ns, wanted_ns);
}

/* Where one uses the link alone, sharing changes nothing. */
static void alone_is_dedicated(enum wlink_sched sched, u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 123457, tti_ns, 33);
	static u64 ends[2][64];
	u32 i, pass;

	ut_begin("bearer: alone under sched %d is not as dedicated, tti %llu", sched, tti_ns);
	for (pass = 0; pass < 2; pass++) {
		if (pass)
			cfg.sched = sched;
		cell_init(&cell, &cfg, 0);
		for (i = 0; i < 64; i++)
			cell_carry(&cell, 1, 1 + i * i, 1, (i + 1) * 17 * WL_MS);
		cell_run(&cell, 100 * WL_SEC);
		for (i = 0; i < 64; i++)
			ends[pass][i] = end_of(i);
	}
	for (i = 0; i < 64; i++)
		CHECK_EQ(ends[1][i], ends[0][i]);
}

CASE(bearer, "bearer: unused bearers are looked at")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 384000, 10 * WL_MS, 40);
	struct wl_cfg other = cell_class(&cfg, 384000);
	u32 steps;

	cell_share(&cell, &cfg, 1000, &other);
	cell_send(&cell, 500, 480, 1);
	/* Arrival, twelve PDUs in one TTI, its end, a hand-over. */
	cell.link.budget_max = 1;
	for (steps = 1; !cell_call(&cell, WL_SEC); )
		steps++;
	CHECK_EQ(cell.count, 1);
	CHECK(steps <= 16);
	CHECK_EQ(cell.link.events.count, 0);
	CHECK_EQ(cell.link.turn.count, 0);
	CHECK(!cell.link.busy);
}

static void deleted(u64 tti_ns, enum wlink_sched sched)
{
	struct wl_cfg cfg = cell_link(sched, 64000, tti_ns, 250);
	struct wl_cfg other;

	ut_begin("bearer: deleting one loses or keeps SDUs, sched %d, tti %llu", sched, tti_ns);
	cfg.delay_ns = 100 * WL_MS;
	other = cell_class(&cfg, 64000);
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 2, 250, 10);
	cell_send(&cell, 1, 250, 10);
	cell_run(&cell, 250 * WL_MS);
	cell_send(&cell, 2, 250, 3);
	cell_del(&cell, 2);
	cell_check(&cell);
	for (u32 i = 0; i < 10; i++)
		CHECK(cell.done[i].over);
	for (u32 i = 20; i < 23; i++)
		CHECK_EQ(cell.done[i].sdu.drop, WLINK_DROP_FLUSH);
	CHECK_EQ(cell.link.bearers, 1);
	cell_run(&cell, 10 * WL_SEC);
	for (u32 i = 10; i < 20; i++)
		CHECK_EQ(cell.done[i].sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(cell.count, 23);
	/* The number may be used again. */
	cell_add(&cell, 2, 2, &other);
	cell_carry(&cell, 2, 250, 1, 11 * WL_SEC);
	CHECK_EQ(cell.done[23].sdu.drop, WLINK_DROP_NONE);
}

/* What the owner has not taken yet, and what the engine has not reached. */
static void deleted_at_the_door(u32 budget)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, 0, 250);
	struct wl_cfg other = cell_class(&cfg, 64000);

	ut_begin("bearer: deleting one takes or leaves SDUs at the doors, budget %u", budget);
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = budget;
	cell_add(&cell, 2, 3, &other);
	cell_send_all(&cell, 2, 250, 2);
	while (!wl_link_advance(&cell.link, WL_SEC))
		;
	cell.now_ns = WL_SEC;
	CHECK(cell.link.out.head);
	cell_send(&cell, 2, 250, 1);
	cell_send(&cell, 1, 250, 1);
	cell_send(&cell, 2, 250, 1);
	cell_del(&cell, 2);
	cell_check(&cell);
	/* 2 and 3 were due, 4 and 6 had just come. */
	for (u32 i = 2; i < 7; i++)
		CHECK_EQ(cell.done[i].over, i != 5);
	CHECK_EQ(cell.count, 4);
	while (!wl_cell_call(&cell, cell.now_ns))
		;
	CHECK(cell.done[0].order < cell.done[1].order);
	cell_run(&cell, 2 * WL_SEC);
	CHECK_EQ(end_of(0), 31250 * WL_US);
	CHECK_EQ(end_of(1), 62500 * WL_US);
	CHECK_EQ(end_of(5), WL_SEC + 31250 * WL_US);
	cell_send(&cell, 1, 250, 1);
	cell_send(&cell, 3, 250, 2);
	while (!wl_link_advance(&cell.link, cell.now_ns))
		;
	cell_send(&cell, 1, 250, 2);
	/* In the middle of a walk, or before it. */
	wl_link_clear(&cell.link, cell.bearer[3], cell.now_ns);
	wl_link_advance(&cell.link, cell.now_ns);
	wl_link_flush(&cell.link, cell.now_ns);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_SDUS_HELD], 0);
	CHECK_EQ(cell.bearer[3]->stats.v[WLINK_STAT_SDUS_HELD], 0);
	CHECK_EQ(cell.count, cell.sent);
}

/* The engine has begun nothing when bearer 2 is forwarded, and goes on in small steps. */
static void forwarded_behind(u32 budget)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_FIFO, 64000, 0, 0);
	struct wl_cfg other = cell_class(&cfg, 64000);
	u32 i, calls = 0;

	ut_begin("bearer: one that is forwarded mixes up what has just arrived, budget %u", budget);
	cell_share(&cell, &cfg, 2, &other);
	cell.link.budget_max = budget;
	for (i = 0; i < 12; i++)
		cell_send(&cell, 1 + i % 2, 80, 1);
	wl_link_forward(&cell.link, cell.bearer[2], 0);
	while (!wl_cell_call(&cell, 0) && !calls++)
		cell_send(&cell, 2, 80, 1);
	cell_run(&cell, WL_SEC);
	for (i = 0; i < 12; i++) {
		CHECK_EQ(cell.done[i].sdu.drop, i % 2 ? WLINK_DROP_FORWARD : WLINK_DROP_NONE);
		CHECK_EQ(cell.done[i].sdu.deliver_ns, i % 2 ? 0 : (i / 2 + 1) * 10 * WL_MS);
		CHECK(i < 2 || cell.done[i].order > cell.done[i - 2].order);
	}
	CHECK_EQ(cell.done[12].sdu.deliver_ns, calls ? 70 * WL_MS : 0);
}

/* A new seed is one for every channel of every bearer, both ways. */
CASE(bearer, "bearer: a new seed forgets a channel")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, 0, 250);
	struct wl_cfg own = cfg;
	struct wl_chan fresh = { };

	cell_uniform(&own.channel, 1U << 31);
	cell_share(&cell, &cfg, 2, &own);
	cell_carry(&cell, 2, 250, 20, WL_SEC);
	cfg.seed = 99;
	CHECK(wl_ask(&cell.link, &cell.link.first, WL_SEC, &cfg, true));
	cell_call(&cell, WL_SEC);
	wl_chan_seed(&fresh, 99, WL_RNG_CHANNEL, WL_RNG_LOSS, 2);
	CHECK_EQ(cell.bearer[2]->own.chan.loss_rng.state, fresh.loss_rng.state);
	wl_chan_seed(&fresh, 99, WL_RNG_REVERSE_CHANNEL, WL_RNG_REVERSE_LOSS, 2);
	CHECK_EQ(cell.bearer[2]->reverse.air.chan.loss_rng.state, fresh.loss_rng.state);
	/* From its own to the link's channel, which loses nothing, and back. */
	say(&own, "channel link loss 0");
	cell_configure(&cell, 2, &own);
	CHECK(cell.bearer[2]->air == &cell.link.air);
	cell_carry(&cell, 2, 250, 20, 3 * WL_SEC);
	CHECK_EQ(cell.bearer[2]->stats.v[WLINK_STAT_PDUS_SENT], 40);
	CHECK_EQ(cell.link.air.chan.frames, 20);
	cell_uniform(&own.channel, WLINK_PROB_ONE);
	cell_configure(&cell, 2, &own);
	cell_carry(&cell, 2, 250, 1, 4 * WL_SEC);
	CHECK_EQ(cell.done[40].sdu.drop, WLINK_DROP_CHANNEL);
}

/* From one regime to another under load: nothing stalls. */
CASE(bearer, "bearer: a change of sched or tti under load stalls the link")
{
	static const struct {
		enum wlink_sched sched;
		u64 tti_ns;
	} all[] = {
		{ WLINK_SCHED_DEDICATED, 0 }, { WLINK_SCHED_RR, 0 },
		{ WLINK_SCHED_PF, 10 * WL_MS }, { WLINK_SCHED_FIFO, 0 },
		{ WLINK_SCHED_DEDICATED, 2 * WL_MS }, { WLINK_SCHED_PRIO, 0 },
		{ WLINK_SCHED_FIFO, 10 * WL_MS }, { WLINK_SCHED_DEDICATED, 0 },
	};
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, 0, 100);
	struct wl_cfg other = cell_class(&cfg, 128000);

	cell_share(&cell, &cfg, 4, &other);
	for (u32 i = 0; i < ARRAY_SIZE(all); i++) {
		u32 was = cell.count;

		cfg.sched = all[i].sched;
		cfg.tti_ns = all[i].tti_ns;
		cell_configure(&cell, 1, &cfg);
		cell_send(&cell, 1, 250, 8);
		cell_send(&cell, 2, 250, 8);
		cell_send(&cell, 4, 250, 8);
		cell_run(&cell, cell.now_ns + 77 * WL_MS);
		CHECK(cell.count > was);
	}
	cell_run(&cell, cell.now_ns + 60 * WL_SEC);
	CHECK_EQ(cell.count, cell.sent);
}

TEST(bearer)
{
	dedicated(0);
	dedicated(10 * WL_MS);
	turns(WLINK_SCHED_RR, 0);
	turns(WLINK_SCHED_PRIO, 0);
	turns(WLINK_SCHED_PRIO, 1);
	shares(WLINK_SCHED_RR, 384000, 192000, 192000);
	/* A PDU each: x / 384 + x / 128 = 1. */
	shares(WLINK_SCHED_RR, 128000, 96000, 96000);
	/* Equal time each. */
	shares(WLINK_SCHED_PF, 384000, 192000, 192000);
	shares(WLINK_SCHED_PF, 128000, 192000, 64000);
	alone_is_dedicated(WLINK_SCHED_FIFO, 0);
	alone_is_dedicated(WLINK_SCHED_FIFO, 10 * WL_MS);
	alone_is_dedicated(WLINK_SCHED_RR, 0);
	alone_is_dedicated(WLINK_SCHED_RR, 7 * WL_MS);
	alone_is_dedicated(WLINK_SCHED_PRIO, 10 * WL_MS);
	alone_is_dedicated(WLINK_SCHED_PF, 10 * WL_MS);
	deleted(0, WLINK_SCHED_DEDICATED);
	deleted(10 * WL_MS, WLINK_SCHED_DEDICATED);
	deleted(0, WLINK_SCHED_FIFO);
	deleted(10 * WL_MS, WLINK_SCHED_RR);
	deleted_at_the_door(WL_LINK_BUDGET_MAX);
	deleted_at_the_door(3);
	deleted_at_the_door(1);
	forwarded_behind(WL_LINK_BUDGET_MAX);
	forwarded_behind(5);
	forwarded_behind(1);
}
