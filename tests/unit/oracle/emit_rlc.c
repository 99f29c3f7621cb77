// SPDX-License-Identifier: GPL-2.0
/* Plays random bearers of the modes of LTE and NR, with fates that are drawn here, and
 * prints them with what came of them, for rlc.py: emit_rlc FIRST-SEED COUNT
 */
#include <stdio.h>
#include <stdlib.h>

#include "cell.h"
#include "ut.h"

#define FATES	4000
#define SDUS	60
#define CHANGES	4

static struct cell cell;
/* Of what goes to the receiver, and of reports: how many have been used, and how many of 1000
 * are lost.
 */
static struct fates {
	char lost[FATES + 1];
	u32 used;
	u32 of_1000;
} fates[2];
static struct wl_rng dice;

static u32 below(u32 n)
{
	return (wl_rng_next(&dice) >> 32) * n >> 32;
}

static u64 one_of(const u64 *list, u32 count)
{
	return list[below(count)];
}

#define LIST(...)	((const u64[]){ __VA_ARGS__ })
#define ONE_OF(...)	one_of(LIST(__VA_ARGS__), ARRAY_SIZE(LIST(__VA_ARGS__)))

/* What the linker puts before wl_chan_lost(). */
u32 __wrap_wl_chan_lost(struct wl_chan *chan, u32 pdus)
{
	struct fates *fate = &fates[chan == &cell.bearer[1]->reverse.air.chan];
	u32 lost = 0;

	for (; pdus; pdus--, fate->used++)
		lost += fate->used < FATES && fate->lost[fate->used] == '1';
	return lost;
}

static void draw_fates(struct fates *fate)
{
	fate->of_1000 = ONE_OF(0, 20, 100, 100, 300, 500);
	fate->used = 0;
	/* After these all is well, so that each bearer comes to rest. */
	for (u32 i = 0; i < FATES; i++)
		fate->lost[i] = i < FATES / 4 && below(1000) < fate->of_1000 ? '1' : '0';
}

static u64 rate(const struct wl_cfg *cfg)
{
	u64 bits = 8 * ONE_OF(7 + below(20), 20 + below(100), 100 + below(400), 400 + below(2000));

	return (bits * WL_SEC + below(1000000)) / cfg->tti_ns;
}

static struct wl_cfg bearer(u64 seed)
{
	enum wlink_mode mode = WLINK_MODE_LTE_UM + seed % 3;
	struct wl_rlc_cfg *rlc;
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	wl_cfg_set_mode(&cfg, mode);
	cfg.tti_ns = ONE_OF(WL_MS, WL_MS, WL_MS, WL_MS / 2, 2 * WL_MS, 1234567);
	cfg.rate_bps = rate(&cfg);
	cfg.delay_ns = ONE_OF(0, 3 * WL_MS, 10 * WL_MS, below(40 * WL_MS));
	cfg.header_bytes = below(3);
	cfg.limit.value = 1000;
	cell_uniform(&cfg.channel, WLINK_PROB_ONE / 2);
	cfg.reverse.channel = cfg.channel;
	cfg.reverse.rate_bps = ONE_OF(64000, 1000000, 20000 + below(3000000));
	cfg.reverse.delay_ns = ONE_OF(0, 5 * WL_MS, below(60 * WL_MS));
	rlc = &cfg.rlc;
	rlc->window = ONE_OF(1, 2 + below(3), 4 + below(30), rlc->window, rlc->window);
	rlc->reorder_ns = ONE_OF(WL_MS, 5 * WL_MS, 40 * WL_MS, WL_MS + below(99 * WL_MS));
	if (mode == WLINK_MODE_LTE_UM)
		return cfg;
	rlc->poll_pdu = ONE_OF(0, 4, 16, 4 + below(60));
	rlc->poll_byte = ONE_OF(0, 1000, 1000 + below(20000));
	rlc->poll_ns = ONE_OF(5 * WL_MS, 45 * WL_MS, 5 * WL_MS + below(200 * WL_MS));
	rlc->status_prohibit_ns = ONE_OF(WL_NEVER_NS, WL_MS, 20 * WL_MS, WL_MS + below(90 * WL_MS));
	rlc->maxretx = ONE_OF(32, 32, 32, 32, 4, 1 + below(8));
	return cfg;
}

static void print_cfg(const struct wl_cfg *cfg)
{
	const struct wl_rlc_cfg *rlc = &cfg->rlc;

	printf("cfg %u %llu %llu %llu %u %llu %llu %u %u %u %llu %lld %llu %u\n", cfg->mode,
	       cfg->rate_bps, cfg->tti_ns, cfg->delay_ns, cfg->header_bytes,
	       cfg->reverse.rate_bps, cfg->reverse.delay_ns, rlc->window, rlc->poll_pdu,
	       rlc->poll_byte, rlc->poll_ns, (s64)rlc->status_prohibit_ns, rlc->reorder_ns,
	       rlc->maxretx);
}

/* At any time, or exactly when a TTI starts. */
static u64 gap_ns(const struct wl_cfg *cfg)
{
	switch (below(6)) {
	case 0:
		return 0;
	case 1:
		return cfg->tti_ns - cell.now_ns % cfg->tti_ns;
	case 2:
		return below(500 * WL_MS);
	default:
		return below(15 * WL_MS);
	}
}

/* In the midst of a TTI: it is in force from the next one on. */
static void change(struct wl_cfg *cfg)
{
	u64 at_ns = cell.now_ns / cfg->tti_ns * cfg->tti_ns + cfg->tti_ns / 2;

	if (at_ns <= cell.now_ns)
		at_ns += cfg->tti_ns;
	cell_run(&cell, at_ns);
	cfg->rate_bps = rate(cfg);
	cell_configure(&cell, 1, cfg);
	printf("rate %llu %llu\n", at_ns, cfg->rate_bps);
}

static void print_outcome(void)
{
	static const enum wlink_stat which[] = {
		WLINK_STAT_PDUS_SENT, WLINK_STAT_PDUS_LOST, WLINK_STAT_PDUS_RETX,
		WLINK_STAT_AIR_BYTES, WLINK_STAT_LI_BYTES, WLINK_STAT_POLLS,
		WLINK_STAT_TIMEOUTS, WLINK_STAT_DUPLICATES, WLINK_STAT_FEEDBACK_SENT,
		WLINK_STAT_FEEDBACK_LOST, WLINK_STAT_FEEDBACK_BYTES,
		WLINK_STAT_UNRECOVERABLE };

	printf("fates %.*s %.*s\n", FATES / 4, fates[0].lost, FATES / 4, fates[1].lost);
	for (u32 i = 0; i < cell.sent; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		printf("sdu %u %lld %llu %llu %u\n", i, (s64)sdu->start_ns, sdu->end_ns,
		       sdu->deliver_ns, sdu->drop);
	}
	printf("stats");
	for (u32 i = 0; i < ARRAY_SIZE(which); i++)
		printf(" %llu", cell.bearer[1]->stats.v[which[i]]);
	printf("\n");
}

static bool play(u64 seed)
{
	u32 i, sdus, large, bytes;
	struct wl_cfg cfg;

	dice.state = seed * 0x9e3779b97f4a7c15ULL;
	cfg = bearer(seed);
	draw_fates(&fates[0]);
	draw_fates(&fates[1]);
	sdus = 1 + below(SDUS);
	large = ONE_OF(40, 300, 1500, 4000);
	printf("seed %llu\n", seed);
	print_cfg(&cfg);
	cell_init(&cell, &cfg, 0);
	for (i = 0; i < sdus && !ut_failed(); i++) {
		cell_run(&cell, cell.now_ns + gap_ns(&cfg));
		bytes = 1 + below(large);
		cell_send(&cell, 1, bytes, 1);
		printf("in %llu %u\n", cell.now_ns, bytes);
		if (!below(sdus / CHANGES + 1))
			change(&cfg);
	}
	cell_run(&cell, cell.now_ns + 4000 * WL_SEC);
	cell_check(&cell);
	CHECK_EQ(cell.count, cell.sent);
	print_outcome();
	return !ut_failed();
}

int main(int argc, char **argv)
{
	u64 seed, end;

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	end = seed + strtoull(argv[2], NULL, 10);
	for (; seed < end; seed++)
		if (!play(seed))
			return 1;
	return 0;
}
