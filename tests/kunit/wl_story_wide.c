// SPDX-License-Identifier: GPL-2.0
/* What only some stories have: all that a bearer, a cell and a receiver may be told. */
#include "wl_ask.h"
#include "wl_story.h"

/* As in wl_story.c: a draw is a statement of its own where another is near. */
static u32 below(struct wl_rng *dice, u32 n)
{
	return (wl_rng_next(dice) >> 32) * n >> 32;
}

/**
 * struct wide_draw - a member of struct wl_cfg
 * @at: where it is
 * @bytes: how many it has
 * @of_link: only of bearer 1
 * @count: of @values
 * @values: what it may be
 */
struct wide_draw {
	u32 at;
	u32 bytes;
	bool of_link;
	u32 count;
	const u64 *values;
};

#define VALUES(...)	.values = (const u64[]){ __VA_ARGS__ }, \
			.count = sizeof((const u64[]){ __VA_ARGS__ }) / sizeof(u64)
#define DRAW(member, ...) \
	{ offsetof(struct wl_cfg, member), sizeof(((struct wl_cfg *)0)->member), false, \
	  VALUES(__VA_ARGS__) }
#define OF_LINK(member, ...) \
	{ offsetof(struct wl_cfg, member), sizeof(((struct wl_cfg *)0)->member), true, \
	  VALUES(__VA_ARGS__) }

#define Q32(percent)	((u64)(percent) * WLINK_PROB_ONE / 100)

#define D	((u64)WLINK_SLOT_DOWNLINK)
#define S	((u64)WLINK_SLOT_SPECIAL)
#define U	((u64)WLINK_SLOT_UPLINK)

/* What others need comes first: what would be refused beside them is left out. */
static const struct wide_draw wide_draws[] = {
	OF_LINK(tti_ns, 0, WL_MS / 2, WL_MS, WL_MS, WL_MS, 2 * WL_MS, 10 * WL_MS),
	OF_LINK(sched, WLINK_SCHED_DEDICATED, WLINK_SCHED_FIFO, WLINK_SCHED_RR,
		WLINK_SCHED_PRIO, WLINK_SCHED_PF),
	OF_LINK(seed, 1, 2, 3),
	OF_LINK(tdd.pattern, 0, 0, D | U << 2, D | D << 2 | D << 4 | S << 6 | U << 8,
		D | S << 2 | U << 4 | U << 6 | U << 8,
		D | D << 2 | D << 4 | D << 6 | D << 8 | D << 10 | D << 12 | S << 14 |
		U << 16 | U << 18),
	OF_LINK(tdd.direction, WLINK_DIRECTION_DOWNLINK, WLINK_DIRECTION_UPLINK),
	OF_LINK(tdd.symbols, 0, 3, 10, 13),
	OF_LINK(cell.rb, 0, 1, 6, 25, 100),
	OF_LINK(cell.pf_exponent_milli, 1000, 1000, 0, 500, 2000),
	OF_LINK(cell.pf_window, 0, 1, 100),
	OF_LINK(cell.users, 0, 1, 5, 40),
	OF_LINK(cell.users_bps, WLINK_RATE_UNLIMITED, 20000, 200000),
	OF_LINK(cell.users_on_ns, 50 * WL_MS, WL_SEC),
	OF_LINK(cell.users_off_ns, 0, 50 * WL_MS, WL_SEC),
	OF_LINK(cell.arrival_ns, 0, 0, 50 * WL_MS, WL_SEC),
	OF_LINK(cell.size_bytes, 1000, 20000),
	OF_LINK(cell.size_cv_milli, 1000, 1500, 3000),
	DRAW(rate_bps, 64000, 384000, 2000000, 20000000, WLINK_RATE_SILENT, WLINK_RATE_UNLIMITED),
	DRAW(gbr_bps, 0, 10000, 64000, 300000),
	DRAW(harq.processes, 0, 1, 3, 8, 8, 16),
	DRAW(harq.bler_q32, 0, Q32(10), Q32(30), Q32(60)),
	DRAW(harq.factor_q32, 0, Q32(20), Q32(80), WLINK_PROB_ONE),
	DRAW(harq.transmissions, 1, 2, 4, 4, 7),
	DRAW(harq.rtt_ns, 4 * WL_MS, 8 * WL_MS, 13 * WL_MS),
	DRAW(access.sr_ns, 0, 5 * WL_MS, 10 * WL_MS, 40 * WL_MS),
	DRAW(access.grant_ns, 0, 3 * WL_MS, 8 * WL_MS),
	DRAW(access.first_bytes, 1, 20, 100, 1500),
	DRAW(drx.cycle_ns, 0, 20 * WL_MS, 40 * WL_MS, 320 * WL_MS),
	DRAW(drx.on_ns, WL_MS, 5 * WL_MS, 10 * WL_MS),
	DRAW(drx.inactivity_ns, 0, 5 * WL_MS, 50 * WL_MS),
	DRAW(drx.short_ns, 0, 10 * WL_MS, 20 * WL_MS),
	DRAW(drx.short_cycles, 1, 2, 16),
	DRAW(drx.idle_ns, 0, 100 * WL_MS, WL_SEC),
	DRAW(drx.promotion_ns, 0, 30 * WL_MS, 200 * WL_MS),
	DRAW(drx.paging_ns, 0, 40 * WL_MS, 640 * WL_MS),
	DRAW(header_bytes, 0, 2, 5, 40),
	DRAW(impair.jitter_correlation_q32, 0, Q32(30), WLINK_PROB_ONE),
	DRAW(impair.jitter_reorder, 0, 0, 1),
	DRAW(impair.duplicate_q32, 0, Q32(1), Q32(30)),
	DRAW(impair.corrupt_q32, 0, Q32(1), Q32(50)),
	DRAW(impair.unit, WLINK_ERROR_BIT, WLINK_ERROR_BYTE),
	DRAW(impair.lost, 0, 1),
	DRAW(rlc.ack_bytes, 1, 8, 200),
	DRAW(aqm.sdu_bytes, 300, 1000, 1500),
};

/* Of a channel of that kind, and of the one back. */
static const struct wide_draw wide_gilbert[] = {
	DRAW(channel.loss_good_q32, 0, Q32(1), Q32(20)),
	DRAW(channel.loss_bad_q32, Q32(50), WLINK_PROB_ONE),
};

static const struct wide_draw wide_gilbert_back[] = {
	DRAW(reverse.channel.loss_good_q32, 0, Q32(1), Q32(20)),
	DRAW(reverse.channel.loss_bad_q32, Q32(50), WLINK_PROB_ONE),
};

/* Bit error rates of 0, 1e-6 and 1e-5, then of 1e-3 and 1e-2. */
static const struct wide_draw wide_twostate[] = {
	DRAW(channel.hazard_good_q56, 0, 72057594037ULL, 720579543658ULL),
	DRAW(channel.hazard_bad_q56, 72093640862419ULL, 724196776047853ULL),
};

static const struct wide_draw wide_twostate_back[] = {
	DRAW(reverse.channel.hazard_good_q56, 0, 72057594037ULL, 720579543658ULL),
	DRAW(reverse.channel.hazard_bad_q56, 72093640862419ULL, 724196776047853ULL),
};

/* Of modes with a window of PDUs of one size alone. */
static const struct wide_draw wide_start[] = {
	DRAW(rlc.start, WLINK_START_AIR, WLINK_START_HANDOVER, WLINK_START_HANDOVER_HEAD,
	     WLINK_START_HANDOVER_ONE),
	DRAW(rlc.queue, 0, 1, 7),
};

/* Of the modes of LTE and NR alone. */
static const struct wide_draw wide_lte[] = {
	DRAW(rlc.window, 1, 4, 32, 512),
	DRAW(rlc.poll_pdu, 0, 4, 16),
	DRAW(rlc.poll_byte, 0, 1000, 25000),
	DRAW(rlc.maxretx, 1, 2, 4, 32),
	DRAW(rlc.poll_ns, 5 * WL_MS, 45 * WL_MS, 120 * WL_MS),
	DRAW(rlc.status_prohibit_ns, WL_NEVER_NS, 5 * WL_MS, 50 * WL_MS),
	DRAW(rlc.reorder_ns, WL_MS, 20 * WL_MS, 100 * WL_MS),
	DRAW(rlc.discard_ns, WL_NEVER_NS, WL_NEVER_NS, 50 * WL_MS, 300 * WL_MS),
};

static const struct wl_dist wide_always = {
	.unit_ns = WL_MS, .count = 2, .point = { { 0, 3 }, { U32_MAX, 3 } },
};

static const struct wl_dist wide_seldom = {
	.unit_ns = WL_MS, .count = 3,
	.point = { { 0, 0 }, { U32_MAX / 4 * 3, 10 }, { U32_MAX, 60 } },
};

static const struct wl_dist *const wide_jitter[] = { &wide_always, &wide_seldom };

static void wide_put(struct wl_cfg *cfg, const struct wide_draw *draw, u64 value)
{
	u8 *to = (u8 *)cfg + draw->at;

	switch (draw->bytes) {
	case 1:
		*to = value;
		break;
	case 4:
		*(u32 *)to = value;
		break;
	default:
		*(u64 *)to = value;
		break;
	}
}

static bool refused(const struct wl_cfg *cfg)
{
	struct wl_refusal why;

	return wl_cfg_check(cfg, &why);
}

/* Whether the module would refuse it beside all that is there. */
static bool wide_refused(struct wl_story *story, const struct wl_cfg *cfg)
{
	struct wl_cfg *other = &story->scratch;
	u32 i;

	if (refused(cfg))
		return true;
	for (i = 2; cfg == &story->cfgs[1] && i <= WL_STORY_NUMBERS; i++) {
		if (!story->there[i])
			continue;
		*other = story->cfgs[i];
		wl_cfg_copy_link(other, cfg);
		if (refused(other))
			return true;
	}
	return false;
}

/* Each only now and then, so that stories differ in what they have; all of a link now and
 * then, so that there is what needs others.
 */
static void wide_draw_all(struct wl_story *story, struct wl_cfg *cfg, bool of_link,
			  const struct wide_draw *draw, u32 count)
{
	u32 often = 1 + !of_link + below(&story->dice, 4);
	u64 value;

	for (; count--; draw++) {
		if (draw->of_link && !of_link)
			continue;
		if (below(&story->dice, often))
			continue;
		value = draw->values[below(&story->dice, draw->count)];
		story->was = *cfg;
		wide_put(cfg, draw, value);
		if (wide_refused(story, cfg))
			*cfg = story->was;
	}
}

static noinline void wide_switch_off(struct wl_cfg *cfg)
{
	struct wl_cfg fresh;

	wl_cfg_default(&fresh);
	cfg->harq = fresh.harq;
	cfg->access = fresh.access;
	cfg->drx = fresh.drx;
}

/* With what was there before it may be too much. */
static void wide_make_good(struct wl_story *story, struct wl_cfg *cfg)
{
	if (cfg != &story->cfgs[1])
		wl_cfg_copy_link(cfg, &story->cfgs[1]);
	else if (story->linked && (wide_refused(story, cfg) || story->at_ns < story->until_ns))
		wl_cfg_copy_link(cfg, &story->link);
	if (cfg->limit.value < 1000)
		cfg->limit.kind = WL_LIMIT_PACKETS;
	if (!wide_refused(story, cfg))
		return;
	cfg->gbr_bps = 0;
	wide_switch_off(cfg);
	cfg->impair.lost = 0;
	cfg->limit.kind = WL_LIMIT_PACKETS;
	cfg->limit.value = 20;
	cfg->profile = NULL;
	wl_aqm_default(&cfg->aqm, WLINK_AQM_DROPTAIL);
	if (cfg->rate_bps > WLINK_RATE_MAX || !cfg->rate_bps)
		cfg->rate_bps = 384000;
	if (wl_mode_is_lte(cfg->mode) && !cfg->tti_ns) {
		wl_cfg_set_mode(cfg, WLINK_MODE_TM);
		cfg->pdu_bytes = 40;
	}
}

static void wide_limit(struct wl_story *story, struct wl_cfg *cfg)
{
	story->was = *cfg;
	switch (below(&story->dice, 6)) {
	case 0:
		cfg->limit = (struct wl_limit){ WL_LIMIT_BYTES, 3000 };
		break;
	case 1:
		cfg->limit = (struct wl_limit){ WL_LIMIT_TIME, 200 * WL_MS };
		break;
	default:
		break;
	}
	if (wide_refused(story, cfg))
		*cfg = story->was;
}

static void wide_late(struct wl_story *story, struct wl_cfg *cfg)
{
	struct wl_impair_cfg *impair = &cfg->impair;
	u32 which = below(&story->dice, 2 * ARRAY_SIZE(wide_jitter));

	impair->jitter = NULL;
	impair->mean_ns = 0;
	impair->dev_ns = 0;
	impair->dist = WLINK_DIST_CONSTANT;
	if (which >= ARRAY_SIZE(wide_jitter))
		return;
	impair->jitter = wide_jitter[which];
	impair->mean_ns = WL_MS;
	impair->dev_ns = which * WL_MS;
	/* A name of the points, which the engine does not look at. */
	impair->dist = below(&story->dice, WLINK_DIST_MAX + 1);
}

void wl_story_wide_cfg(struct wl_story *story, struct wl_cfg *cfg)
{
	static const enum wlink_mode modes[] = {
		WLINK_MODE_LTE_UM, WLINK_MODE_LTE_AM, WLINK_MODE_NR_AM };
	struct wl_rng *dice = &story->dice;
	bool of_link = cfg == &story->cfgs[1] && story->at_ns >= story->until_ns;
	u32 mode = below(dice, 2 * ARRAY_SIZE(modes));

	wide_make_good(story, cfg);
	wide_draw_all(story, cfg, of_link, wide_draws, ARRAY_SIZE(wide_draws));
	if (mode < ARRAY_SIZE(modes) && cfg->mode != modes[mode]) {
		story->was = *cfg;
		wl_cfg_set_mode(cfg, modes[mode]);
		if (wide_refused(story, cfg))
			*cfg = story->was;
	}
	if (wl_mode_is_lte(cfg->mode))
		wide_draw_all(story, cfg, of_link, wide_lte, ARRAY_SIZE(wide_lte));
	else if (cfg->mode >= WLINK_MODE_AM)
		wide_draw_all(story, cfg, of_link, wide_start, ARRAY_SIZE(wide_start));
	/* The last PDU does not go without any poll. */
	if (cfg->mode == WLINK_MODE_AM && cfg->rlc.poll_periodic_ns != WL_NEVER_NS)
		cfg->rlc.poll_last = below(dice, 2);
	/* Where copies alone fill the queue, selective repeat comes to no end. */
	if (cfg->mode == WLINK_MODE_FSR || cfg->mode == WLINK_MODE_ASR)
		cfg->rlc.queue = 0;
	if (cfg->channel.kind == WLINK_CHANNEL_GILBERT)
		wide_draw_all(story, cfg, of_link, wide_gilbert, ARRAY_SIZE(wide_gilbert));
	if (cfg->reverse.channel.kind == WLINK_CHANNEL_GILBERT)
		wide_draw_all(story, cfg, of_link, wide_gilbert_back,
			      ARRAY_SIZE(wide_gilbert_back));
	if (cfg->channel.kind == WLINK_CHANNEL_TWOSTATE)
		wide_draw_all(story, cfg, of_link, wide_twostate, ARRAY_SIZE(wide_twostate));
	if (cfg->reverse.channel.kind == WLINK_CHANNEL_TWOSTATE)
		wide_draw_all(story, cfg, of_link, wide_twostate_back,
			      ARRAY_SIZE(wide_twostate_back));
	wide_limit(story, cfg);
	wide_late(story, cfg);
	if (cfg != &story->cfgs[1])
		return;
	if (story->linked && !wl_cfg_same_link(&story->link, cfg))
		story->settled_ns = story->at_ns + WL_STORY_SETTLES_NS;
	story->link = *cfg;
	story->linked = true;
}

void wl_story_wide_act(struct wl_story *story, struct wl_act *act)
{
	switch (act->what) {
	case WL_ADD:
		/* What it is, it is beside the link as it is then. */
		act->at_ns = max(act->at_ns, story->settled_ns);
		break;
	case WL_COMMIT:
		/* Not before what waits for the next TTI. */
		if (act->when == WLINK_AT_NOW || act->when == WLINK_AT_NEXT)
			break;
		if (story->at_ns < story->settled_ns) {
			act->when = WLINK_AT_NEXT;
			break;
		}
		act->when = max(act->when, act->at_ns + WL_STORY_SETTLES_NS);
		story->until_ns = max(story->until_ns, act->when + WL_STORY_SETTLES_NS);
		break;
	case WL_FLUSH:
		/* The grid begins again. */
		if (story->at_ns < story->settled_ns)
			story->settled_ns += WL_STORY_SETTLES_NS;
		break;
	default:
		break;
	}
}

/* As the module judges it. */
static bool wide_fits(struct wl_schedule *s, struct wl_bearer *b, const struct wl_cfg *cfg,
		      const struct wl_cfg *link)
{
	struct cell *cell = (struct cell *)b->link;
	struct wl_refusal why;

	if (!s)
		return true;
	cell->scratch = *cfg;
	wl_cfg_copy_link(&cell->scratch, link);
	s->bearer = b;
	return !wl_schedule_fits(s, &cell->scratch, &why);
}

static const struct wl_cfg *base_of(const struct wl_bearer *b)
{
	return b->schedule ? &b->schedule->base : &b->cfg;
}

bool wl_story_wide_fits(struct cell *cell, u32 number, struct wl_schedule *schedule)
{
	struct wl_bearer *b = cell->bearer[number];
	const struct wl_cfg *link = base_of(&cell->link.first);
	const struct wl_pending *txn;
	u32 i;

	if (!wide_fits(schedule, b, base_of(b), link))
		return false;
	for (txn = cell->link.pending; txn; txn = txn->next)
		for (i = 0; i < txn->count; i++)
			if (txn->part[i].b == b || txn->part[i].b == &cell->link.first)
				return false;
	return true;
}

void wl_story_wide_commit(struct cell *cell, const struct wl_act *act)
{
	const struct wl_cfg *link = base_of(&cell->link.first);
	const struct wl_cfg *cfg;
	u32 i;

	if (act->number == 1)
		link = &act->cfg;
	else if (act->other == 1)
		link = &act->other_cfg;
	for (i = 1; i <= WL_STORY_NUMBERS; i++) {
		struct wl_bearer *b = cell->bearer[i];

		if (!b)
			continue;
		cfg = i == act->number ? &act->cfg : i == act->other ? &act->other_cfg : base_of(b);
		if (!wide_fits(b->schedule, b, cfg, link) ||
		    !wide_fits(b->next_schedule, b, cfg, link))
			wl_cell_stop(cell, i);
	}
}

void wl_story_wide_end(struct cell *cell)
{
	struct wl_cfg *cfg;
	u32 i;

	wl_cell_run(cell, cell->now_ns + 10 * WL_SEC);
	cfg = &cell->scratch;
	for (i = 1; i <= WL_STORY_NUMBERS; i++) {
		if (!cell->bearer[i])
			continue;
		*cfg = cell->bearer[i]->cfg;
		cfg->rate_bps = cfg->rate_bps ?: 384000;
		/* Copies may fill the queue for ever and leave no room for anything else. */
		cfg->rlc.start = WLINK_START_AIR;
		cfg->rlc.queue = 0;
		cfg->rlc.discard_ns = WL_NEVER_NS;
		wl_cell_configure(cell, i, cfg);
		/* LTE and NR ask for a report with the last PDU, but not where SDUs behind it
		 * have been discarded: what is lost then waits for the next one.
		 */
		wl_cell_send(cell, i, 1, 1);
	}
}
