// SPDX-License-Identifier: GPL-2.0
/* Resource blocks with sched rr: max-min fair in each TTI, worked out one block at a time. */
#include "cell.h"
#include "say.h"
#include "ut.h"

static struct cell cell;

static struct wl_cfg link_of(u32 rb)
{
	/* A block carries 25 bytes. */
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, rb * 200000, WL_MS, 25);

	cfg.cell.rb = rb;
	return cfg;
}

static u32 sent(u32 number)
{
	return cell.bearer[number]->stats.v[WLINK_STAT_PDUS_SENT];
}

#define DEMANDS	8

/* Who comes and goes changes the turns of the others: blocks in 150 TTIs. */
#define EVEN	8

/* What a bearer of demands() is guaranteed in a TTI, needs and has had, in blocks. */
struct demand {
	bool backlogged;
	u32 mean, sure, need, had;
};

/* The most that each may have beyond what is guaranteed, if it needs so many, where so many
 * blocks are left: found by giving one after the other.
 */
static u32 fair_level(const struct demand *d, u32 bearers, u32 left)
{
	u32 level, sum, i;

	for (level = 0; ; level++) {
		for (i = 0, sum = 0; i < bearers; i++)
			sum += min(d[i].need - d[i].sure, level + 1);
		if (sum > left || level > left)
			return level;
	}
}

/* Who has less than it needs has as much as any other, or a block more. */
static void is_fair(struct demand *d, u32 bearers, u32 rb)
{
	u32 left = rb, need = 0, sum = 0, level, i, more;

	for (i = 0; i < bearers; i++)
		left -= d[i].sure;
	level = fair_level(d, bearers, left);
	for (i = 0; i < bearers; i++) {
		need += d[i].need;
		sum += d[i].had;
		more = d[i].had - d[i].sure;
		if (d[i].need - d[i].sure <= level)
			CHECK_EQ(d[i].had, d[i].need);
		else
			CHECK(more == level || more == level + 1);
	}
	CHECK_EQ(sum, min(need, rb));
}

/* Random demands TTI by TTI, what is not sent waits; some have guaranteed rates, and ask for
 * that at least. Those that always ask for more have had as much in the end: a block is to be
 * had more only in turn.
 */
static void demands(u32 seed, u32 rb)
{
	struct wl_cfg cfg = link_of(rb);
	u64 most = 0, least = CELL_SDUS;
	struct demand d[DEMANDS] = { };
	u32 bearers, i, tti, part, left = rb;
	struct wl_cfg other;
	struct wl_rng rng;

	ut_begin("share: seed %u, %u blocks: rr is not max-min fair", seed, rb);
	wl_rng_seed(&rng, seed, WL_RNG_LOSS, 1);
	bearers = 2 + wl_rng_next(&rng) % (DEMANDS - 1);
	cell_init(&cell, &cfg, 0);
	for (i = 0; i < bearers; i++) {
		other = cell_class(&cfg, cfg.rate_bps);
		d[i].mean = 1 + wl_rng_next(&rng) % (rb / 2);
		d[i].backlogged = wl_rng_next(&rng) % 3 == 0;
		if (i && wl_rng_next(&rng) % 3 == 0)
			d[i].sure = wl_rng_next(&rng) % (left / 2 + 1);
		left -= d[i].sure;
		other.gbr_bps = d[i].sure * 200000ULL;
		if (i)
			cell_add(&cell, i + 1, i + 1, &other);
	}
	for (tti = 1; tti <= 150; tti++) {
		for (i = 0; i < bearers; i++) {
			part = d[i].sure;
			part += d[i].backlogged ? rb : wl_rng_next(&rng) % (2 * d[i].mean);
			if (part)
				cell_send(&cell, i + 1, 25 * part, 1);
			d[i].need += part;
			d[i].had = sent(i + 1);
		}
		cell_run(&cell, tti * WL_MS);
		for (i = 0; i < bearers; i++)
			d[i].had = sent(i + 1) - d[i].had;
		is_fair(d, bearers, rb);
		for (i = 0; i < bearers; i++)
			d[i].need -= d[i].had;
		cell_run(&cell, tti * WL_MS + 1);
	}
	for (i = 0; i < bearers; i++) {
		if (!d[i].backlogged)
			continue;
		part = sent(i + 1) - 150 * d[i].sure;
		most = max_t(u64, most, part);
		least = min_t(u64, least, part);
	}
	if (most)
		CHECK(most - least <= EVEN);
}

/* 25 blocks: one asks for 5 in each TTI, the two others have 10 each. */
CASE(fair, "share: what one of rr does not need does not go to all others")
{
	struct wl_cfg cfg = link_of(25);
	struct wl_cfg other = cell_class(&cfg, 5000000);

	cell_share(&cell, &cfg, 3, &other);
	cell_send(&cell, 1, 500, 200);
	cell_send(&cell, 3, 500, 200);
	for (u32 i = 1; i <= 200; i++) {
		cell_carry(&cell, 2, 125, 1, i * WL_MS);
		CHECK_EQ(sent(1), 10 * i);
		CHECK_EQ(sent(2), 5 * i);
		CHECK_EQ(sent(3), 10 * i);
		cell_run(&cell, i * WL_MS + 1);
	}
}

/* A block carries 100.83 bits. In its third TTI bearer 2 lacks 202 bits, 3 blocks; with what is
 * left of bits 2 guaranteed ones hold them, so 4 are left for bearer 1, which has 403.33 bits and
 * needs 800.
 */
CASE(fair, "fair: who has all that it needs gets a block more")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 605000, WL_MS, 0), class;

	say(&cfg, "delay 0 rb 6");
	cell_init(&cell, &cfg, 0);
	class = cell_class(&cfg, 605000);
	class.gbr_bps = 200000;
	cell_add(&cell, 2, 2, &class);
	cell_send(&cell, 1, 100, 4);
	cell_send(&cell, 2, 42, 3);
	cell_call(&cell, 20 * WL_MS);
	CHECK_EQ(cell.done[6].sdu.end_ns, 4 * WL_MS);
	CHECK_EQ(cell.done[0].sdu.end_ns, 4 * WL_MS);
}

TEST(fair)
{
	u32 seed;

	for (seed = 1; seed <= 20; seed++)
		demands(seed, seed % 2 ? 25 : 50 + seed);
}
