// SPDX-License-Identifier: GPL-2.0
#include "wl_story.h"

/*
 * Each draw is a statement of its own where another one is near: C leaves open
 * which operand comes first, and compilers must agree on the stories.
 */
static u32 below(struct wl_rng *dice, u32 n)
{
	return (wl_rng_next(dice) >> 32) * n >> 32;
}

/* 0 every other time. */
static u32 maybe_below(struct wl_rng *dice, u32 n)
{
	u32 yes = below(dice, 2);

	return yes * below(dice, n);
}

#define ONE_OF(dice, list) ((list)[below(dice, ARRAY_SIZE(list))])

static void random_channel(struct wl_rng *dice, struct wl_chan_cfg *chan)
{
	static const enum wlink_channel kinds[] = {
		WLINK_CHANNEL_NONE, WLINK_CHANNEL_UNIFORM,
		WLINK_CHANNEL_GILBERT, WLINK_CHANNEL_TWOSTATE };
	u64 draw;

	memset(chan, 0, sizeof(*chan));
	chan->kind = ONE_OF(dice, kinds);
	switch (chan->kind) {
	case WLINK_CHANNEL_UNIFORM:
		draw = wl_rng_next(dice);
		chan->loss_q32 = draw >> (33 + below(dice, 4));
		break;
	case WLINK_CHANNEL_GILBERT:
		chan->p_q32 = wl_rng_next(dice) >> 34;
		chan->r_q32 = (1U << 29) + (wl_rng_next(dice) >> 34);
		chan->loss_bad_q32 = WLINK_PROB_ONE;
		break;
	case WLINK_CHANNEL_TWOSTATE:
		chan->mean_good_ns = (1 + below(dice, 1000)) * WL_MS;
		chan->mean_bad_ns = (1 + below(dice, 100)) * WL_MS;
		chan->hazard_good_q56 = 72057594037ULL;		/* 1e-6 */
		chan->hazard_bad_q56 = 724196776047853ULL;	/* 1e-2 */
		break;
	default:
		break;
	}
}

static u64 random_timer(struct wl_rng *dice, bool never)
{
	if (never && below(dice, 2))
		return WL_NEVER_NS;
	return (1 + below(dice, 300)) * WL_MS;
}

static u64 maybe_timer(struct wl_rng *dice)
{
	u64 yes = below(dice, 2);

	return yes * random_timer(dice, false);
}

static void random_rlc(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u32 windows[] = { 1, 2, 8, 16, 128, 1024 };
	struct wl_rlc_cfg *rlc = &cfg->rlc;

	rlc->window = ONE_OF(dice, windows);
	rlc->poll_pdu = maybe_below(dice, 20);
	rlc->poll_sdu = maybe_below(dice, 5);
	rlc->poll_window = below(dice, 2);
	rlc->poll_window *= 50 + below(dice, 50);
	rlc->maxdat = 2 + below(dice, 10);
	rlc->maxmrw = 1 + below(dice, 4);
	rlc->maxrst = 1 + below(dice, 4);
	rlc->reorder = maybe_below(dice, 60);
	rlc->status = below(dice, __WLINK_STATUS_MAX);
	rlc->discard = below(dice, __WLINK_DISCARD_MAX);
	rlc->rttvar = below(dice, __WLINK_RTTVAR_MAX);
	rlc->alpha_milli = 1000 + below(dice, 4000);
	rlc->beta_milli = below(dice, 4000);
	rlc->in_order = below(dice, 4);
	rlc->poll_last = below(dice, 8);
	rlc->poll_last_retx = below(dice, 4);
	rlc->missing = below(dice, 4);
	rlc->duplicates = below(dice, 2);
	/* Without it a lost poll would end all. */
	rlc->poll_ns = random_timer(dice, false);
	/* Nor may the last PDU go without any. */
	rlc->poll_periodic_ns = random_timer(dice, rlc->poll_last);
	rlc->poll_prohibit_ns = random_timer(dice, true);
	rlc->status_periodic_ns = random_timer(dice, true);
	rlc->status_prohibit_ns = random_timer(dice, true);
	if (rlc->discard == WLINK_DISCARD_TIMER)
		rlc->discard_ns = 50 * random_timer(dice, false);
	rlc->mrw_ns = random_timer(dice, false);
	rlc->rst_ns = random_timer(dice, false);
	rlc->reorder_ns = random_timer(dice, false);
	rlc->rto_ns = 300 * WL_MS + random_timer(dice, false);
	rlc->ack_delay_ns = maybe_timer(dice);
	rlc->nack_guard_ns = maybe_timer(dice);
}

static void random_bearer(struct wl_rng *dice, struct wl_cfg *cfg, bool first)
{
	static const u64 rates[] = { 9600, 64000, 128000, 384000, 1000003 };
	static const u32 pdus[] = { 4, 10, 40, 40, 130, 250 };
	static const u64 delays[] = { 0, 1, 5 * WL_MS, 50 * WL_MS };

	wl_cfg_set_mode(cfg, below(dice, WLINK_MODE_ASR + 1));
	random_rlc(dice, cfg);
	cfg->rate_bps = ONE_OF(dice, rates);
	cfg->pdu_bytes = ONE_OF(dice, pdus);
	cfg->delay_ns = ONE_OF(dice, delays);
	cfg->prio = below(dice, 3);
	cfg->limit.value = 1 + below(dice, 30);
	random_channel(dice, &cfg->channel);
	if (!first && below(dice, 2)) {
		memset(&cfg->channel, 0, sizeof(cfg->channel));
		cfg->channel.kind = WLINK_CHANNEL_LINK;
	}
	random_channel(dice, &cfg->reverse.channel);
	if (below(dice, 2)) {
		memset(&cfg->reverse.channel, 0, sizeof(cfg->channel));
		cfg->reverse.channel.kind = WLINK_CHANNEL_LINK;
	}
	cfg->reverse.rate_bps = below(dice, 2);
	cfg->reverse.rate_bps *= ONE_OF(dice, rates);
	cfg->reverse.delay_ns = below(dice, 2) ? WL_NEVER_NS :
				ONE_OF(dice, delays);
}

static void random_link(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u64 ttis[] = { 0, 0, 2 * WL_MS, 10 * WL_MS };

	cfg->tti_ns = ONE_OF(dice, ttis);
	cfg->sched = below(dice, cfg->tti_ns ? WLINK_SCHED_PF + 1 : WLINK_SCHED_PF);
}

/* Of a good time, in which a PDU of selective repeat has to begin and end. */
#define GOOD_TIMES	4

static u64 least_good_ns(const struct wl_story *story, const struct wl_cfg *cfg)
{
	/* Who shares the link sends at its rate. */
	u64 rate_bps = max(min(cfg->rate_bps, story->cfgs[1].rate_bps), 9600ULL);

	if (cfg->mode != WLINK_MODE_FSR && cfg->mode != WLINK_MODE_ASR)
		return 0;
	return div64_u64(8 * cfg->pdu_bytes * WL_SEC, rate_bps) / GOOD_TIMES;
}

void wl_story_let_through(struct wl_story *story, u32 number)
{
	struct wl_cfg *cfg = &story->cfgs[number];
	const struct wl_chan_cfg *of_link = &story->cfgs[1].channel;
	u64 least_ns = least_good_ns(story, cfg);
	u32 i;

	for (i = 2; number == 1 && i <= WL_STORY_NUMBERS; i++)
		if (story->there[i] && story->cfgs[i].channel.kind == WLINK_CHANNEL_LINK)
			least_ns = max(least_ns, least_good_ns(story, &story->cfgs[i]));
	if (cfg->channel.kind == WLINK_CHANNEL_LINK && of_link->mean_good_ns < least_ns &&
	    of_link->kind == WLINK_CHANNEL_TWOSTATE)
		cfg->channel = *of_link;
	if (cfg->channel.kind == WLINK_CHANNEL_TWOSTATE)
		cfg->channel.mean_good_ns = max(cfg->channel.mean_good_ns, least_ns);
}

/* Draws nothing unless there is more in the story. */
static void random_more(struct wl_story *story, struct wl_cfg *cfg)
{
	if (story->more)
		wl_story_more_cfg(story, cfg);
}

static void random_act(struct wl_rng *dice, struct wl_story *story, struct wl_act *act)
{
	u32 n = 1 + below(dice, WL_STORY_NUMBERS);
	struct wl_cfg *cfg = &story->cfgs[n];

	act->number = n;
	act->wide = story->wide;
	act->what = WL_WAIT;
	if (!story->there[n]) {
		act->what = WL_ADD;
		*cfg = story->cfgs[1];
		random_bearer(dice, cfg, false);
		random_more(story, cfg);
		story->there[n] = true;
	} else if (below(dice, 4)) {
		act->what = WL_SEND;
		act->bytes = 1 + below(dice, below(dice, 4) ? 300 : 2000);
		act->count = 1 + below(dice, 4);
	} else if (n > 1 && !below(dice, 4)) {
		act->what = WL_DEL;
		story->there[n] = false;
	} else if (!below(dice, 2)) {
		act->what = WL_CHANGE;
		if (below(dice, 2))
			random_bearer(dice, cfg, n == 1);
		else
			cfg->rate_bps = 64000 + below(dice, 400000);
		if (n == 1 && !below(dice, 3))
			random_link(dice, cfg);
		random_more(story, cfg);
	}
	wl_story_let_through(story, n);
	act->cfg = *cfg;
	if (story->more)
		wl_story_more_act(story, act);
}

static void judge(const struct wl_cfg *cfg, struct wl_mismatch *bad)
{
	struct wl_refusal why;

	wl_mismatch_is(bad, "refusal of a configuration", 0, !!wl_cfg_check(cfg, &why), false);
}

static void make(struct wl_story *story, u64 seed, struct wl_mismatch *bad)
{
	struct wl_rng dice = { .state = seed * 0x9e3779b97f4a7c15ULL };
	struct wl_cfg *first = &story->cfgs[1];
	u64 at_ns = 0;
	u32 i;

	memset(bad, 0, sizeof(*bad));
	story->there[1] = true;
	wl_cfg_default(first);
	random_link(&dice, first);
	random_bearer(&dice, first, true);
	first->seed = wl_rng_next(&dice);
	random_more(story, first);
	wl_story_let_through(story, 1);
	story->cfg = *first;
	judge(first, bad);
	for (i = 0; i < WL_STORY_ACTS; i++) {
		struct wl_act *act = &story->acts[i];

		if (below(&dice, 3))
			at_ns += below(&dice, 100) * (WL_MS / 2);
		act->at_ns = at_ns;
		story->at_ns = at_ns;
		random_act(&dice, story, act);
		at_ns = act->at_ns;
		judge(&act->cfg, bad);
		if (act->other)
			judge(&act->other_cfg, bad);
	}
}

void wl_story_make(struct wl_story *story, u64 seed, struct wl_mismatch *bad)
{
	memset(story, 0, sizeof(*story));
	make(story, seed, bad);
}

void wl_story_make_wide(struct wl_story *story, u64 seed, struct wl_mismatch *bad)
{
	memset(story, 0, sizeof(*story));
	story->more = true;
	story->wide = true;
	story->dice.state = ~seed * 0xd6e8feb86659fd93ULL;
	make(story, seed, bad);
}

void wl_story_make_more(struct wl_story *story, u64 seed, struct wl_mismatch *bad)
{
	memset(story, 0, sizeof(*story));
	story->more = true;
	story->granting = seed % 4 == 0;
	story->dice.state = ~seed * 0x9e3779b97f4a7c15ULL;
	make(story, seed, bad);
}

/* Calls at odd times, one step each, until the engine is where it should be. */
static void wander(struct cell *cell, struct wl_rng *dice, u64 until_ns)
{
	u32 i, times = below(dice, 6);

	for (i = 0; i < times && cell->now_ns < until_ns; i++) {
		u64 left_ns = until_ns - cell->now_ns;
		u64 draw = wl_rng_next(dice);

		draw -= div64_u64(draw, left_ns) * left_ns;
		wl_cell_call(cell, cell->now_ns + draw);
	}
	while (!wl_cell_call(cell, until_ns))
		;
}

void wl_story_take(struct cell *cell, const struct wl_act *act)
{
	u32 refused;

	switch (act->what) {
	case WL_SEND:
		refused = act->wide && act->bytes % 32 == 1;
		if (refused)
			wl_cell_refuse(cell, act->number, act->bytes);
		wl_cell_send_ecn(cell, act->number, act->bytes, act->count - refused, act->ecn);
		break;
	case WL_CHANGE:
		wl_cell_configure(cell, act->number, &act->cfg);
		break;
	case WL_ADD:
		wl_cell_add(cell, act->number, &act->cfg);
		break;
	case WL_DEL:
		wl_cell_clear(cell, act->number);
		wl_cell_del(cell, act->number);
		break;
	default:
		wl_story_more_take(cell, act);
		break;
	}
}

void wl_story_play(struct cell *cell, const struct wl_story *story, u64 seed, enum wl_manner manner)
{
	struct wl_rng dice = { .state = seed };
	u32 i;

	wl_cell_init(cell, &story->cfg, 0, WL_STORY_MOST_SDUS);
	if (manner == WL_MANNER_STEPS)
		cell->link.budget_max = 1 + below(&dice, 7);
	else if (manner == WL_MANNER_ODD)
		cell->link.budget_max = 1 + below(&dice, WL_LINK_BUDGET_MAX);
	if (manner == WL_MANNER_ODD)
		cell->moves = cell->link.budget_max;
	for (i = 0; i < WL_STORY_ACTS && !cell->bad.what; i++) {
		const struct wl_act *act = &story->acts[i];

		if (manner == WL_MANNER_WAKES)
			wl_cell_run(cell, act->at_ns);
		else
			wander(cell, &dice, act->at_ns);
		wl_story_take(cell, act);
		while (!wl_cell_call(cell, act->at_ns))
			;
		wl_cell_check(cell);
	}
	wl_story_end(cell, story);
}

/* Selective repeat does not back off: where its timer is shorter than the queue of the
 * transmitter, copies of what has arrived may fill that for ever, and the frame that is
 * missing finds no room.
 */
static void end_copies(struct cell *cell)
{
	struct wl_cfg *cfg = &cell->scratch;
	u32 i;

	wl_cell_run(cell, cell->now_ns + 100 * WL_SEC);
	for (i = 1; i <= WL_STORY_NUMBERS; i++) {
		const struct wl_bearer *b = cell->bearer[i];

		if (!b || b->cfg.mode == WLINK_MODE_AM || b->cfg.rlc.start == WLINK_START_AIR ||
		    !b->stats.v[WLINK_STAT_SDUS_HELD])
			continue;
		*cfg = b->cfg;
		cfg->rlc.start = WLINK_START_AIR;
		wl_cell_configure(cell, i, cfg);
	}
}

void wl_story_end(struct cell *cell, const struct wl_story *story)
{
	u64 until_ns = 100000 * WL_SEC;

	if (cell->bad.what)
		return;
	if (story->more)
		wl_story_more_end(cell);
	if (story->wide)
		wl_story_wide_end(cell);
	else if (story->more)
		end_copies(cell);
	wl_cell_run(cell, until_ns);
	/* The timer of asr may have grown to hours. */
	if (cell->sum.v[WLINK_STAT_SDUS_HELD])
		wl_cell_run(cell, 100 * until_ns);
	/* All ends: nobody waits for ever, and nothing is told twice. */
	wl_mismatch_is(&cell->bad, "SDUs that came out", cell->sent,
		       cell->count - cell->sum.v[WLINK_STAT_SDUS_DUPLICATED], cell->sent);
	wl_mismatch_is(&cell->bad, "held at the end", cell->sent,
		       cell->sum.v[WLINK_STAT_SDUS_HELD], 0);
}

void wl_story_same(const struct cell *a, const struct cell *b, struct wl_mismatch *bad)
{
	u32 i;

	memset(bad, 0, sizeof(*bad));
	wl_mismatch_is(bad, "count", a->sent, b->count, a->count);
	wl_mismatch_is(bad, "what was told", a->sent, b->told, a->told);
	for (i = 0; i < min(a->sent, b->sent) && !bad->what; i++) {
		const struct wl_sdu *x = &a->done[i].sdu;
		const struct wl_sdu *y = &b->done[i].sdu;

		wl_mismatch_is(bad, "drop", i, y->drop, x->drop);
		wl_mismatch_is(bad, "end_ns", i, y->end_ns, x->end_ns);
		wl_mismatch_is(bad, "pdus", i, y->pdus, x->pdus);
		wl_mismatch_is(bad, "pdus_lost", i, y->pdus_lost, x->pdus_lost);
		wl_mismatch_is(bad, "retx", i, y->retx, x->retx);
		wl_mismatch_is(bad, "generation", i, y->generation, x->generation);
		wl_mismatch_is(bad, "ecn", i, y->ecn, x->ecn);
		wl_mismatch_is(bad, "buffer_sdus", i, y->buffer_sdus, x->buffer_sdus);
		wl_mismatch_is(bad, "copies", i, b->done[i].copies, a->done[i].copies);
		wl_mismatch_is(bad, "deliver_ns of a copy", i, b->done[i].copy.deliver_ns,
			       a->done[i].copy.deliver_ns);
		if (x->drop)
			continue;
		wl_mismatch_is(bad, "start_ns", i, y->start_ns, x->start_ns);
		wl_mismatch_is(bad, "due_ns", i, y->due_ns, x->due_ns);
		wl_mismatch_is(bad, "whole_ns", i, y->whole_ns, x->whole_ns);
		wl_mismatch_is(bad, "deliver_ns", i, y->deliver_ns, x->deliver_ns);
	}
}

static bool overtakes(const struct wl_cfg *cfg)
{
	return !cfg->rlc.in_order || cfg->impair.jitter_reorder || cfg->mode == WLINK_MODE_NR_AM;
}

static bool may_reorder(const struct wl_story *story)
{
	u32 i;

	for (i = 0; i < WL_STORY_ACTS; i++)
		if (overtakes(&story->acts[i].cfg) ||
		    (story->acts[i].other && overtakes(&story->acts[i].other_cfg)))
			return true;
	return overtakes(&story->cfg);
}

void wl_story_ordered(const struct wl_story *story, const struct cell *cell,
		      struct wl_mismatch *bad)
{
	u32 i, n;

	memset(bad, 0, sizeof(*bad));
	if (may_reorder(story))
		return;
	for (n = 1; n <= WL_STORY_NUMBERS; n++) {
		const struct cell_sdu *last = NULL;

		for (i = 0; i < cell->sent; i++) {
			const struct cell_sdu *done = &cell->done[i];

			if (done->number != n || done->sdu.drop)
				continue;
			wl_mismatch_is(bad, "overtaking", i, last && done->order <= last->order,
				       false);
			last = done;
		}
	}
}

u32 wl_story_drops(const struct cell *cell)
{
	u32 i, drops = 0;

	for (i = 0; i < cell->sent; i++)
		drops += !!cell->done[i].sdu.drop;
	return drops;
}

/* Odd, so that no two values of one word lead to the same digest. */
static u64 mix(u64 digest, u64 value)
{
	digest = (digest ^ value) * 0x9fb21c651e98df25ULL;
	return digest ^ digest >> 32;
}

u64 wl_story_digest(const struct cell *cell)
{
	u64 digest = 0;
	u32 i;

	for (i = 0; i < cell->sent; i++) {
		const struct wl_sdu *sdu = &cell->done[i].sdu;

		digest = mix(digest, sdu->drop);
		digest = mix(digest, sdu->end_ns);
		digest = mix(digest, sdu->pdus);
		digest = mix(digest, sdu->pdus_lost);
		digest = mix(digest, sdu->retx);
		digest = mix(digest, sdu->generation);
		digest = mix(digest, cell->done[i].order);
		if (cell->done[i].copies)
			digest = mix(digest, cell->done[i].copy.deliver_ns);
		if (sdu->ecn)
			digest = mix(digest, sdu->ecn);
		/* Of a dropped one these were never told. */
		if (sdu->drop)
			continue;
		digest = mix(digest, sdu->start_ns);
		digest = mix(digest, sdu->due_ns);
		digest = mix(digest, sdu->whole_ns);
		digest = mix(digest, sdu->deliver_ns);
	}
	return digest;
}

u64 wl_story_digest_more(const struct cell *cell)
{
	return mix(wl_story_digest(cell), cell->told);
}
