// SPDX-License-Identifier: GPL-2.0
/*
 * Plays links with HARQ, scheduling requests, DRX, RRC idle, TDD and handovers, and others
 * whose bearers share airtime or resource blocks, by each scheduler, some with guaranteed rates,
 * and prints them with what came of them, for mac.py: emit_mac FIRST-SEED COUNT. Fates of
 * transport blocks are drawn here, in the order of transmissions; what mac.py is told of the
 * engine's own draws are the phases.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cell.h"
#include "core/mac/grid.h"
#include "ut.h"

#define FATES	4096

static struct cell cell;
static bool fates[FATES];
static u32 fated;

bool __wrap_wl_rng_chance(struct wl_rng *rng, u32 prob_q32)
{
	return fates[fated++ % FATES];
}

#define ONE_OF(dice, ...) \
	((const u64[]){ __VA_ARGS__ })[(wl_rng_next(dice) >> 32) * \
				       ARRAY_SIZE(((const u64[]){ __VA_ARGS__ })) >> 32]

static u64 below(struct wl_rng *dice, u64 n)
{
	return (wl_rng_next(dice) >> 32) * n >> 32;
}

static u64 pattern(const char *slots)
{
	u64 pattern = 0;

	for (u32 i = 0; slots[i]; i++)
		pattern |= (u64)(slots[i] == 'D' ? WLINK_SLOT_DOWNLINK : slots[i] == 'S' ?
				 WLINK_SLOT_SPECIAL : WLINK_SLOT_UPLINK) << 2 * i;
	return pattern;
}

/* What waits for access is not told of the other kind of wait. */
static void draw_access(struct wl_cfg *cfg, struct wl_rng *dice)
{
	u64 kind = below(dice, 4);

	if (kind == 1) {
		cfg->access.sr_ns = cfg->tti_ns * ONE_OF(dice, 1, 5, 10, 40);
		cfg->access.grant_ns = ONE_OF(dice, 0, 3 * WL_MS, 4 * WL_MS, 8500 * WL_US);
		cfg->access.first_bytes = ONE_OF(dice, 1, 20, 100, 1500);
	}
	if (kind >= 2) {
		cfg->drx.on_ns = cfg->tti_ns * ONE_OF(dice, 1, 2, 5);
		cfg->drx.inactivity_ns = ONE_OF(dice, 0, 5 * WL_MS, 20 * WL_MS, 33 * WL_MS);
		cfg->drx.cycle_ns = cfg->tti_ns * ONE_OF(dice, 16, 40, 160);
		cfg->drx.short_ns = cfg->tti_ns * ONE_OF(dice, 0, 8);
		cfg->drx.short_cycles = ONE_OF(dice, 1, 2, 7);
	}
	if (kind == 3) {
		cfg->drx.idle_ns = ONE_OF(dice, 50 * WL_MS, 300 * WL_MS);
		cfg->drx.promotion_ns = ONE_OF(dice, 0, 7 * WL_MS, 50500 * WL_US);
		cfg->drx.paging_ns = cfg->tti_ns * ONE_OF(dice, 0, 32, 64);
	}
}

/* Delay, PDUs and HARQ. */
static void draw_blocks(struct wl_cfg *cfg, struct wl_rng *dice)
{
	cfg->delay_ns = ONE_OF(dice, 0, 5 * WL_MS, 7654321);
	cfg->pdu_bytes = ONE_OF(dice, 0, 10, 40, 125);
	cfg->harq.processes = ONE_OF(dice, 0, 1, 2, 8);
	cfg->harq.bler_q32 = WLINK_PROB_ONE / 2;
	cfg->harq.factor_q32 = WLINK_PROB_ONE;
	cfg->harq.transmissions = ONE_OF(dice, 1, 2, 4, 7);
	cfg->harq.rtt_ns = ONE_OF(dice, 4 * WL_MS, 8 * WL_MS, 12300 * WL_US);
}

/* Return: the pattern, empty for none. */
static const char *draw_slots(struct wl_tdd_cfg *tdd, struct wl_rng *dice)
{
	static const char *const patterns[] = {
		"", "", "DU", "DDDSU", "DSUUU", "DDDDDDDSUU", "UDDDD",
	};
	const char *slots = patterns[below(dice, ARRAY_SIZE(patterns))];

	tdd->pattern = pattern(slots);
	tdd->direction = ONE_OF(dice, WLINK_DIRECTION_DOWNLINK, WLINK_DIRECTION_UPLINK);
	return slots;
}

static const char *draw(struct wl_cfg *cfg, struct wl_rng *dice)
{
	struct wl_refusal why;
	const char *slots;

	do {
		wl_cfg_default(cfg);
		cfg->limit.value = 100000;
		cfg->seed = wl_rng_next(dice);
		cfg->tti_ns = ONE_OF(dice, WL_MS / 2, WL_MS, WL_MS, 2 * WL_MS, 10 * WL_MS);
		draw_blocks(cfg, dice);
		/* With HARQ a slot holds whole bits: what a block is, is whole. */
		cfg->rate_bps = cfg->harq.processes ?
				ONE_OF(dice, 64000, 384000, 1000000, 5000000) :
				ONE_OF(dice, 64000, 333333, 1000000, 4999999);
		slots = draw_slots(&cfg->tdd, dice);
		cfg->tdd.symbols = cfg->harq.processes ? 7 : ONE_OF(dice, 0, 3, 7, 10);
		draw_access(cfg, dice);
	} while (wl_cfg_check(cfg, &why));
	return slots;
}

static u64 phase(u32 number, u64 period_ns, enum wl_phase use)
{
	return period_ns ? wl_grid_phase_ns(cell.bearer[number], period_ns, use) : 0;
}

static void print_bearer(const struct wl_cfg *cfg, u32 number)
{
	printf("rate=%llu delay=%llu pdu=%u harq=%u max=%u rtt=%llu ", cfg->rate_bps,
	       cfg->delay_ns, cfg->pdu_bytes, cfg->harq.processes, cfg->harq.transmissions,
	       cfg->harq.rtt_ns);
	printf("sr=%llu grant=%llu first=%u sr_phase=%llu ", cfg->access.sr_ns,
	       cfg->access.grant_ns, cfg->access.first_bytes,
	       phase(number, cfg->access.sr_ns, WL_PHASE_SR));
	printf("drx=%llu on=%llu inactivity=%llu short=%llu cycles=%u drx_phase=%llu ",
	       cfg->drx.cycle_ns, cfg->drx.on_ns, cfg->drx.inactivity_ns, cfg->drx.short_ns,
	       cfg->drx.short_cycles, phase(number, cfg->drx.cycle_ns, WL_PHASE_DRX));
	printf("idle=%llu promotion=%llu paging=%llu paging_phase=%llu ", cfg->drx.idle_ns,
	       cfg->drx.promotion_ns, cfg->drx.paging_ns,
	       phase(number, cfg->drx.paging_ns, WL_PHASE_PAGING));
	printf("prio=%u gbr=%llu\n", cfg->prio, cfg->gbr_bps);
}

static void print_slots(const struct wl_cfg *cfg, const char *slots, u64 origin_ns)
{
	printf("now=%llu tti=%llu tdd=%s up=%u symbols=%u ", origin_ns, cfg->tti_ns, slots,
	       cfg->tdd.direction == WLINK_DIRECTION_UPLINK, cfg->tdd.symbols);
}

static void draw_fates(struct wl_rng *dice)
{
	u32 i, percent = ONE_OF(dice, 0, 10, 30, 60);

	fated = 0;
	printf("fates ");
	for (i = 0; i < FATES; i++) {
		fates[i] = below(dice, 100) < percent;
		putchar('0' + fates[i]);
	}
	putchar('\n');
}

static u64 gap_ns(struct wl_rng *dice, const struct wl_cfg *cfg)
{
	switch (below(dice, 5)) {
	case 0:
		return 0;
	case 1:
		/* At the start of a TTI where the one before was. */
		return cfg->tti_ns * below(dice, 20);
	case 2:
		return below(dice, 3 * cfg->tti_ns);
	case 3:
		return below(dice, 60 * WL_MS);
	default:
		return below(dice, WL_SEC);
	}
}

static void send(u64 at_ns, u32 bytes, u32 number)
{
	printf("in %llu %u %u\n", at_ns, bytes, number);
	cell_send(&cell, number, bytes, 1);
	cell_run(&cell, at_ns);
}

static void print_sdus(u64 until_ns)
{
	cell_run(&cell, until_ns);
	for (u32 i = 0; i < cell.sent; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		printf("sdu %u %lld %llu %llu %u %llu\n", i, (long long)sdu->start_ns,
		       sdu->end_ns, sdu->drop && sdu->drop != WLINK_DROP_FORWARD ? 0 :
		       sdu->deliver_ns, sdu->drop,
		       sdu->access_ns + sdu->access_tx_ns);
	}
}

static void play(u64 seed)
{
	struct wl_cfg cfg;
	struct wl_rng dice;
	const char *slots;
	u64 at_ns;

	wl_rng_seed(&dice, seed, WL_RNG_CHANNEL, 0);
	slots = draw(&cfg, &dice);
	at_ns = below(&dice, 100) * WL_MS + ONE_OF(&dice, 0, 123456);
	cell_init(&cell, &cfg, at_ns);
	printf("seed %llu\nlink ", seed);
	print_slots(&cfg, slots, at_ns);
	print_bearer(&cfg, 1);
	draw_fates(&dice);
	for (u32 i = 0; i < 30; i++) {
		u32 bytes = ONE_OF(&dice, 1, 40, 100, 700, 1500);

		at_ns += gap_ns(&dice, &cfg);
		cell_run(&cell, at_ns);
		if (!below(&dice, 20)) {
			printf("forward %llu\n", at_ns);
			wl_cell_forward(&cell, 1);
			cell_run(&cell, at_ns);
			continue;
		}
		send(at_ns, bytes, 1);
	}
	print_sdus(at_ns + 3600 * WL_SEC);
}

/* A block is no less than a bit, so that each that needs one gets on. */
static void draw_member(struct wl_cfg *cfg, const struct wl_cfg *link, bool guaranteed,
			struct wl_rng *dice)
{
	struct wl_refusal why;

	do {
		*cfg = cell_class(link, ONE_OF(dice, 333333, 1000000, 5000000, 20000000));
		cfg->prio = below(dice, 2);
		cfg->gbr_bps = guaranteed ? ONE_OF(dice, 0, 30000, 123456, 300000, 2000000) : 0;
		draw_blocks(cfg, dice);
		draw_access(cfg, dice);
	} while (wl_cfg_check(cfg, &why));
}

static void draw_cell(struct wl_cfg *cfg, struct wl_rng *dice, u64 at_ns)
{
	static const char *const names[] = {
		[WLINK_SCHED_FIFO] = "fifo", [WLINK_SCHED_RR] = "rr",
		[WLINK_SCHED_PRIO] = "prio", [WLINK_SCHED_PF] = "pf",
	};
	const char *slots;

	wl_cfg_default(cfg);
	cfg->limit.value = 100000;
	cfg->sched = ONE_OF(dice, WLINK_SCHED_RR, WLINK_SCHED_PRIO, WLINK_SCHED_PF, WLINK_SCHED_PF);
	cfg->tti_ns = ONE_OF(dice, WL_MS / 2, WL_MS, 2 * WL_MS);
	cfg->cell.rb = ONE_OF(dice, 0, 0, 1, 3, 6, 25, 100);
	if (!cfg->cell.rb && !below(dice, 4))
		cfg->sched = WLINK_SCHED_FIFO;
	if (cfg->sched == WLINK_SCHED_PF) {
		cfg->cell.pf_exponent_milli = ONE_OF(dice, 1000, 1000, 500, 2000);
		cfg->cell.pf_window = ONE_OF(dice, 0, 0, 10, 100);
	}
	slots = draw_slots(&cfg->tdd, dice);
	/* A block of a special slot is no less than a bit, either. */
	cfg->tdd.symbols = ONE_OF(dice, 7, 10);
	print_slots(cfg, slots, at_ns);
	printf("rb=%u sched=%s exponent=%u window=%u\n", cfg->cell.rb, names[cfg->sched],
	       cfg->cell.pf_exponent_milli, cfg->cell.pf_window);
}

/* Bearers that come at times near each other. */
static void play_cell(u64 seed)
{
	struct wl_cfg cfg, first, other;
	struct wl_rng dice;
	u32 i, bearers;
	bool guaranteed;
	u64 at_ns;

	wl_rng_seed(&dice, seed, WL_RNG_CHANNEL, 1);
	at_ns = below(&dice, 100) * WL_MS + ONE_OF(&dice, 0, 123456);
	printf("seed %llu\ncell ", seed);
	draw_cell(&cfg, &dice, at_ns);
	bearers = 2 + below(&dice, 3);
	guaranteed = below(&dice, 2);
	draw_member(&first, &cfg, guaranteed, &dice);
	first.channel.kind = WLINK_CHANNEL_NONE;
	cell_init(&cell, &first, at_ns);
	printf("bearer ");
	print_bearer(&first, 1);
	for (i = 2; i <= bearers; i++) {
		draw_member(&other, &cfg, guaranteed, &dice);
		cell_add(&cell, i, i, &other);
		printf("bearer ");
		print_bearer(&other, i);
	}
	draw_fates(&dice);
	for (i = 0; i < 40; i++) {
		u32 bytes = ONE_OF(&dice, 1, 40, 100, 700, 1500, 6000);

		at_ns += below(&dice, 3) ? below(&dice, 4 * cfg.tti_ns) : 0;
		cell_run(&cell, at_ns);
		send(at_ns, bytes, 1 + below(&dice, bearers));
	}
	print_sdus(at_ns + 3600 * WL_SEC);
}

int main(int argc, char **argv)
{
	u64 seed, end;

	if (argc != 3)
		return 2;
	seed = strtoull(argv[1], NULL, 10);
	end = seed + strtoull(argv[2], NULL, 10);
	for (; seed < end; seed++) {
		play(seed);
		if (seed % 2)
			play_cell(seed);
		if (ut_failed())
			return 1;
	}
	return 0;
}
