// SPDX-License-Identifier: GPL-2.0
/* What a SDU costs the engine: on 1024 busy bearers against one that holds as
 * much, and with thousands of SDUs held against few. The compiler counts the basic
 * blocks of the core that run, so that no machine and no load changes a figure; what
 * a cache that is too small costs is for make bench.
 *
 * A bearer that is alone may be plain (plain.c) and cost a third of what one of
 * many does, which would hide a walk over bearers below the bound. So where
 * bearers are counted, one that is idle is always beside them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "ut.h"
#include "wl_ask.h"

#define BEARERS		1024
#define HELD		(4 * BEARERS)
#define HELD_FEW	64
/* Acknowledged modes count what is delivered and not acknowledged, too. */
#define LIMIT		(4 * HELD)
#define SDUS		20000
#define SDU_BYTES	400
#define LINK_BPS	100000000ULL
#define SDU_NS		(SDU_BYTES * 8 * WL_NSEC_PER_SEC / LINK_BPS)

/* A heap of 1024 is ten levels deep; in a TTI one bearer carries hundreds of SDUs and
 * each of 1024 less than one. A walk over bearers adds 1024 blocks at least, one over
 * what is held 4096.
 */
#define BEARERS_RATIO_MAX	2.0
#define TTI_RATIO_MAX		3.0
#define HELD_RATIO_MAX		1.5
/* Less, and nothing has been counted. */
#define LEAST_BLOCKS		5.0

/**
 * struct bench - a link under load
 * @link: must be first
 * @bearer: those that are busy, from 1, and the one beside them
 * @bearers: how many are busy
 * @all: how many there are
 * @slots: memory of the heaps
 * @sdus: descriptors
 * @dropped: SDUs
 */
struct bench {
	struct wl_link link;
	struct wl_bearer *bearer[BEARERS + 2];
	u32 bearers;
	u32 all;
	struct wl_node **slots;
	struct wl_sdu *sdus;
	u64 dropped;
};

/**
 * struct load - what is measured; the rate is the link's
 * @name: its name
 * @sched: how bearers share the link
 * @mode: theirs
 * @tti_ns: the link's
 * @lossy: the channel eats a part
 * @delay_ns: of the way
 * @alone: no idle bearer beside
 * @jitter: the bearers' SDUs come later than received
 */
struct load {
	const char *name;
	enum wlink_sched sched;
	enum wlink_mode mode;
	u64 tti_ns;
	bool lossy;
	u64 delay_ns;
	bool alone;
	const struct wl_dist *jitter;
};

/**
 * struct side - one side of a ratio
 * @bearers: that are busy
 * @held: SDUs of them all
 */
struct side {
	u32 bearers;
	u32 held;
};

static void dropped(struct wl_link *link, const struct wl_sdu *sdu)
{
	((struct bench *)link)->dropped++;
}

static const struct wl_link_ops ops = {
	.dropped = dropped,
	.rate_changed = wl_ask_rate_changed,
	.applied = wl_ask_applied,
	.granted = wl_ask_granted,
	.schedule_changed = wl_ask_schedule_changed,
	.channel_changed = wl_ask_channel_changed,
};

static void configure(struct wl_cfg *cfg, const struct load *load, u32 bearers)
{
	struct wl_refusal why;

	wl_cfg_default(cfg);
	wl_cfg_set_mode(cfg, load->mode);
	cfg->rate_bps = LINK_BPS;
	if (load->sched == WLINK_SCHED_DEDICATED)
		cfg->rate_bps /= bearers;
	cfg->tti_ns = load->tti_ns;
	cfg->delay_ns = load->delay_ns;
	cfg->sched = load->sched;
	cfg->limit.value = LIMIT;
	cfg->impair.jitter = load->jitter;
	if (load->mode != WLINK_MODE_TM && !wl_mode_is_lte(load->mode))
		cfg->pdu_bytes = SDU_BYTES;
	/* All bearers together have the window of one. */
	if (load->mode == WLINK_MODE_AM)
		cfg->rlc.window = bearers > 1 ? 8 : 4000;
	if (load->lossy) {
		cfg->channel.kind = WLINK_CHANNEL_UNIFORM;
		cfg->channel.loss_q32 = WLINK_PROB_ONE / 20;
	}
	if (wl_cfg_check(cfg, &why)) {
		printf("# %s: %s %llu\n", load->name, why.what, why.value);
		abort();
	}
}

static void start(struct bench *bench, const struct load *load,
		  const struct side *side)
{
	struct wl_cfg cfg;

	memset(bench, 0, sizeof(*bench));
	bench->bearers = side->bearers;
	bench->all = side->bearers + !load->alone;
	configure(&cfg, load, side->bearers);
	wl_link_init(&bench->link, &cfg, 0, &ops);
	give_room(&bench->link.first, &cfg);
	bench->bearer[1] = &bench->link.first;
	bench->sdus = zeroed(LIMIT, sizeof(*bench->sdus));
	wl_link_add_sdus(&bench->link, bench->sdus, LIMIT);
	bench->slots = zeroed(2 * (bench->all + 1), sizeof(*bench->slots));
	free(wl_link_give_heaps(&bench->link, bench->slots, bench->all));
	cfg.channel.kind = WLINK_CHANNEL_LINK;
	for (u32 i = 2; i <= bench->all; i++) {
		bench->bearer[i] = zeroed(1, sizeof(struct wl_bearer));
		give_room(bench->bearer[i], &cfg);
		wl_link_add_bearer(&bench->link, bench->bearer[i], (u16)i, &cfg,
				   0);
	}
	for (u32 i = 0; i < side->held; i++)
		wl_link_enqueue(&bench->link,
				bench->bearer[i % bench->bearers + 1], 0,
				bench, SDU_BYTES, WL_ECN_NOT_ECT);
}

static void stop(struct bench *bench)
{
	for (u32 i = 1; i <= bench->all; i++) {
		free(bench->bearer[i]->rings.mem);
		if (i > 1)
			free(bench->bearer[i]);
	}
	free(bench->slots);
	free(bench->sdus);
}

/* What is delivered comes back at once, so that all stay busy. */
static u32 turn(struct bench *bench, u64 *now_ns)
{
	struct wl_link *link = &bench->link;
	u64 next_ns = wl_link_next_ns(link);
	struct wl_sdu sdu;
	u32 count = 0;

	*now_ns = max(*now_ns, next_ns);
	while (!wl_link_advance(link, *now_ns))
		;
	while (wl_link_pop(link, &sdu)) {
		wl_link_enqueue(link, sdu.owner, *now_ns, bench, SDU_BYTES,
				WL_ECN_NOT_ECT);
		count++;
	}
	return count;
}

/* Basic blocks a SDU. */
static double cost(const struct load *load, const struct side *side)
{
	static struct bench bench;
	u64 now_ns = 0;
	u32 i, count = 0;
	u64 held, begun;

	start(&bench, load, side);
	impair_calls = 0;
	while (count < SDUS / 10)
		count += turn(&bench, &now_ns);
	count = 0;
	begun = blocks;
	while (count < SDUS)
		count += turn(&bench, &now_ns);
	begun = blocks - begun;
	CHECK_EQ(bench.dropped, 0);
	for (i = 1, held = 0; i <= bench.all; i++)
		held += bench.bearer[i]->stats.v[WLINK_STAT_SDUS_HELD];
	CHECK_EQ(held, side->held);
	stop(&bench);
	return (double)begun / count;
}

static void compare(const struct load *load, const struct side *less,
		    const struct side *more, double ratio_max)
{
	double few, many;

	ut_begin("cost of a SDU, %u bearers with %u against %u with %u, %s",
		 more->bearers, more->held, less->bearers, less->held,
		 load->name);
	few = cost(load, less);
	many = cost(load, more);
	printf("# %s: %.1f and %.1f blocks, ratio %.2f\n", load->name, few, many,
	       many / few);
	ut_check(few >= LEAST_BLOCKS, UT_WHERE, "%.1f blocks only", few);
	ut_check(many <= ratio_max * few, UT_WHERE, "ratio %.2f is above %.1f",
		 many / few, ratio_max);
}

/* A walk over bearers. */
static void by_bearers(void)
{
	static const struct side one = { 1, HELD }, all = { BEARERS, HELD };
	static const struct load loads[] = {
		{ "tm dedicated", WLINK_SCHED_DEDICATED, WLINK_MODE_TM },
		{ "tm dedicated, TTI 10 ms", WLINK_SCHED_DEDICATED,
		  WLINK_MODE_TM, 10 * WL_NSEC_PER_MSEC },
		{ "tm rr", WLINK_SCHED_RR, WLINK_MODE_TM },
		{ "tm rr, TTI 10 ms", WLINK_SCHED_RR, WLINK_MODE_TM,
		  10 * WL_NSEC_PER_MSEC },
		{ "tm fifo", WLINK_SCHED_FIFO, WLINK_MODE_TM },
		{ "am rr", WLINK_SCHED_RR, WLINK_MODE_AM },
		{ "am dedicated, 5 % lost", WLINK_SCHED_DEDICATED,
		  WLINK_MODE_AM, 0, true },
	};

	for (u32 i = 0; i < ARRAY_SIZE(loads); i++) {
		struct load load = loads[i];

		load.delay_ns = 5 * WL_NSEC_PER_MSEC;
		compare(&load, &one, &all,
			load.tti_ns ? TTI_RATIO_MAX : BEARERS_RATIO_MAX);
	}
}

/* A walk over what one bearer holds, before the air or behind it. */
static void by_held(void)
{
	static const struct side few = { 1, HELD_FEW }, all = { 1, HELD };
	static const struct load queue[] = {
		{ "plain, in its queue", .alone = true },
		{ "tm, TTI 10 ms, in its queue",
		  .tti_ns = 10 * WL_NSEC_PER_MSEC },
		{ "tm, in its queue" },
		{ "am, in its queue", .mode = WLINK_MODE_AM },
	};
	static const struct load pipe[] = {
		{ "plain, on the way", .alone = true },
		{ "tm, on the way" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(queue); i++) {
		struct load load = queue[i];

		load.delay_ns = HELD_FEW / 4 * SDU_NS;
		compare(&load, &few, &all, HELD_RATIO_MAX);
	}
	/* Few of them have no queue worth the name either way. */
	for (u32 i = 0; i < ARRAY_SIZE(pipe); i++) {
		struct load load = pipe[i];

		load.delay_ns = (HELD - HELD_FEW) * SDU_NS;
		compare(&load, &few, &all, HELD_RATIO_MAX);
	}
}

/* A bearer for which no keyword of wlink-impair(7) has been said pays nothing for them: once it
 * is there no function of core/impair is called, in any mode.
 */
static void unimpaired(enum wlink_mode mode)
{
	static const struct wl_dist jitter = {
		.unit_ns = 1000, .count = 2, .point = { { }, { ~0U, 1000 } },
	};
	static const struct side one = { 1, HELD_FEW };
	struct load load = { .name = "jitter", .mode = mode, .delay_ns = HELD_FEW / 4 * SDU_NS };

	ut_begin("cost of a SDU, mode %u: it pays for keywords that it does not have", mode);
	if (wl_mode_is_lte(mode))
		load.tti_ns = WL_NSEC_PER_MSEC;
	cost(&load, &one);
	CHECK_EQ(impair_calls, 0);
	load.jitter = &jitter;
	cost(&load, &one);
	CHECK(impair_calls >= SDUS);
}

int main(void)
{
	u32 mode;

	for (mode = 0; mode < __WLINK_MODE_MAX; mode++)
		unimpaired(mode);
	by_bearers();
	by_held();
	return ut_summary();
}
