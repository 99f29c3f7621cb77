// SPDX-License-Identifier: GPL-2.0
/* What there is in some stories beside bearers: AQMs, changes that wait, ... */
#include "wl_ask.h"
#include "wl_schedules.h"
#include "wl_story.h"

/* As in wl_story.c: a draw is a statement of its own where another is near. */
static u32 below(struct wl_rng *dice, u32 n)
{
	return (wl_rng_next(dice) >> 32) * n >> 32;
}

static u64 some_ms(struct wl_rng *dice, u32 most)
{
	return (1 + below(dice, most)) * WL_MS;
}

static void random_thresholds(struct wl_rng *dice, struct wl_aqm_cfg *aqm, u32 limit)
{
	aqm->alpha = 1 + below(dice, 5);
	aqm->minth = 1 + below(dice, limit);
	aqm->sdu_bytes = 1000;
	if (!below(dice, 3)) {
		aqm->unit = WLINK_UNIT_BYTES;
		aqm->minth *= 200;
		aqm->alpha *= 200;
	}
}

static void random_aqm(struct wl_rng *dice, struct wl_aqm_cfg *aqm, u32 limit)
{
	enum wlink_aqm kind = below(dice, __WLINK_AQM_MAX);

	wl_aqm_default(aqm, kind);
	if (kind == WLINK_AQM_RED || kind == WLINK_AQM_SBD)
		random_thresholds(dice, aqm, limit);
	switch (kind) {
	case WLINK_AQM_RED:
		aqm->maxp_q32 = 1 + (wl_rng_next(dice) >> 33);
		if (below(dice, 2))
			aqm->weight_q32 = 1U << (28 + below(dice, 4));
		aqm->count = below(dice, 2);
		aqm->gentle = below(dice, 2);
		break;
	case WLINK_AQM_SBD:
		aqm->tr_ns = some_ms(dice, 400);
		aqm->hold = below(dice, 2);
		aqm->clamp = below(dice, 2);
		break;
	case WLINK_AQM_CODEL:
		aqm->target_ns = some_ms(dice, 50);
		aqm->interval_ns = some_ms(dice, 200);
		break;
	default:
		break;
	}
	if (kind == WLINK_AQM_RED || kind == WLINK_AQM_SBD)
		aqm->head = below(dice, 2);
	if (kind != WLINK_AQM_DROPTAIL)
		aqm->ecn = below(dice, 2);
	if (!below(dice, 3)) {
		aqm->ramp_from_ns = some_ms(dice, 100);
		aqm->ramp_to_ns = aqm->ramp_from_ns + some_ms(dice, 200);
	}
}

static void random_profile(struct wl_story *story)
{
	static const u64 rates[WL_STORY_ROWS] = { 9600, 100000, 300000 };
	u32 i;

	story->profile.count = WL_STORY_ROWS;
	for (i = 0; i < WL_STORY_ROWS; i++) {
		struct wl_profile_row *row = &story->profile.rows[i];

		row->rate_bps = rates[i];
		random_aqm(&story->dice, &row->aqm, 3);
		/* Whatever the limit is, it is to be one. */
		row->aqm.maxth = row->aqm.unit == WLINK_UNIT_BYTES ? 8000 : 40;
	}
}

static void random_mode(struct wl_story *story, struct wl_cfg *cfg)
{
	u32 pdu_bytes = cfg->pdu_bytes;

	cfg->tti_ns = 0;
	cfg->sched = WLINK_SCHED_DEDICATED;
	wl_cfg_set_mode(cfg, WLINK_MODE_TM);
	cfg->pdu_bytes = pdu_bytes;
	if (cfg->channel.kind != WLINK_CHANNEL_TWOSTATE)
		return;
	memset(&cfg->channel, 0, sizeof(cfg->channel));
	cfg->channel.kind = WLINK_CHANNEL_UNIFORM;
	cfg->channel.loss_q32 = 1U << 28;
}

static bool refused(const struct wl_cfg *cfg)
{
	struct wl_refusal why;

	return wl_cfg_check(cfg, &why);
}

static void more_cfg(struct wl_story *story, struct wl_cfg *cfg)
{
	struct wl_rng *dice = &story->dice;

	if (!story->profile.count)
		random_profile(story);
	if (story->granting)
		random_mode(story, cfg);
	/* Or nothing would ever be marked before it is dropped. */
	cfg->limit.value += 5;
	cfg->profile = NULL;
	random_aqm(dice, &cfg->aqm, cfg->limit.value - 1);
	if (refused(cfg))
		wl_aqm_default(&cfg->aqm, WLINK_AQM_CODEL);
	if (below(dice, 4))
		return;
	cfg->profile = &story->profile.head;
	wl_cfg_follow(cfg);
	if (!refused(cfg))
		return;
	cfg->profile = NULL;
	wl_aqm_default(&cfg->aqm, WLINK_AQM_DROPTAIL);
}

void wl_story_more_cfg(struct wl_story *story, struct wl_cfg *cfg)
{
	more_cfg(story, cfg);
	if (story->wide)
		wl_story_wide_cfg(story, cfg);
}

static void random_commit(struct wl_story *story, struct wl_act *act)
{
	struct wl_rng *dice = &story->dice;
	u32 other = 1 + below(dice, WL_STORY_NUMBERS);

	act->what = WL_COMMIT;
	switch (below(dice, 4)) {
	case 0:
		act->when = WLINK_AT_NOW;
		break;
	case 1:
		act->when = WLINK_AT_NEXT;
		break;
	default:
		act->when = act->at_ns + below(dice, 400) * (WL_MS / 2);
		break;
	}
	if (other == act->number || !story->there[other])
		return;
	act->other = other;
	story->cfgs[other].rate_bps = 20000 + below(dice, 400000);
	wl_story_more_cfg(story, &story->cfgs[other]);
	wl_story_let_through(story, other);
	act->other_cfg = story->cfgs[other];
}

/* The last two need HARQ and users in the background. */
#define COLUMNS		WLINK_COLUMN_BLER

static u64 random_value(struct wl_rng *dice, u32 column)
{
	if (!below(dice, 5))
		return WLINK_STEP_KEEP;
	switch (column) {
	case WLINK_COLUMN_RATE:
		return 8000 + below(dice, 400000);
	case WLINK_COLUMN_DELAY:
		return below(dice, 60) * WL_MS;
	case WLINK_COLUMN_BACKGROUND:
		return 8000 + below(dice, 400000);
	case WLINK_COLUMN_BLER:
	case WLINK_COLUMN_LOSS:
		return wl_rng_next(dice) >> 34;
	case WLINK_COLUMN_LIMIT_PACKETS:
		return 1 + below(dice, 30);
	case WLINK_COLUMN_LIMIT_BYTES:
		return 1 + below(dice, 9000);
	default:
		return below(dice, 4) ? below(dice, 3000) : 0;
	}
}

static void random_part(struct wl_story *story, struct wl_act *act)
{
	struct wl_rng *dice = &story->dice;
	struct wl_part *part = &act->part;
	u64 offset_ns = 0, *word = part->words;
	u32 i, column, columns = story->wide ? __WLINK_COLUMN_MAX : COLUMNS;

	act->what = WL_SCHEDULE;
	part->columns = 1 + below(dice, (1U << columns) - 1);
	part->columns &= ~(1U << WLINK_COLUMN_GRANT);
	if (story->granting)
		part->columns |= 1U << WLINK_COLUMN_GRANT;
	if (!part->columns)
		part->columns = 1U << WLINK_COLUMN_RATE;
	part->steps = 1 + below(dice, WL_STORY_STEPS);
	for (i = 0; i < part->steps; i++) {
		*word++ = offset_ns;
		for (column = 0; column < columns; column++)
			if (part->columns & 1U << column)
				*word++ = random_value(dice, column);
		offset_ns += below(dice, 3) * some_ms(dice, 40) / 2;
	}
	part->end = below(dice, __WLINK_SCHEDULE_END_MAX);
	part->length_ns = offset_ns + some_ms(dice, 50);
	switch (below(dice, 3)) {
	case 0:
		part->start_ns = WLINK_START_NOW;
		break;
	case 1:
		part->start_ns = WLINK_START_PACKET;
		break;
	default:
		part->start_ns = act->at_ns + below(dice, 100) * (WL_MS / 2);
		break;
	}
}

void wl_story_more_act(struct wl_story *story, struct wl_act *act)
{
	struct wl_rng *dice = &story->dice;

	switch (act->what) {
	case WL_SEND:
		act->ecn = below(dice, 4);
		act->count += below(dice, 3);
		break;
	case WL_CHANGE:
		random_commit(story, act);
		act->again = story->wide && !below(dice, 3);
		break;
	case WL_WAIT:
		/* Its bearer is there. */
		if (story->wide && !below(dice, 8))
			act->what = WL_FLUSH;
		else if (below(dice, 4))
			random_part(story, act);
		else
			act->what = below(dice, 2) ? WL_STOP : WL_FORWARD;
		break;
	default:
		break;
	}
	if (story->wide)
		wl_story_wide_act(story, act);
}

static void commit(struct cell *cell, const struct wl_act *act)
{
	struct wl_pending *txn = wl_ask_new(2, act->at_ns);
	bool swapped = act->other == 1;

	if (act->wide)
		wl_story_wide_commit(cell, act);
	if (!txn) {
		wl_mismatch_is(&cell->bad, "memory", cell->sent, 0, 1);
		return;
	}
	if (swapped)
		wl_ask_part(txn, cell->bearer[1], &act->other_cfg);
	wl_ask_part(txn, cell->bearer[act->number], &act->cfg);
	if (act->other && !swapped)
		wl_ask_part(txn, cell->bearer[act->other], &act->other_cfg);
	wl_cell_commit(cell, act->when, txn);
	if (act->again)
		wl_cell_cancel(cell);
}

static void put_schedule(struct cell *cell, const struct wl_act *act)
{
	const struct wl_part *part = &act->part;
	struct wl_schedule *new = wl_schedules_new(part->columns);

	if (!new)
		return;
	wl_mismatch_is(&cell->bad, "steps that are good", cell->sent,
		       wl_schedules_add(new, part->steps, part->words), part->steps);
	new->end = part->end;
	new->length_ns = part->length_ns;
	new->start_ns = part->start_ns;
	if (act->wide && !wl_story_wide_fits(cell, act->number, new))
		wl_schedules_put(new);
	else
		wl_cell_schedule(cell, act->number, new);
}

void wl_story_more_take(struct cell *cell, const struct wl_act *act)
{
	switch (act->what) {
	case WL_COMMIT:
		commit(cell, act);
		break;
	case WL_SCHEDULE:
		put_schedule(cell, act);
		break;
	case WL_STOP:
		wl_cell_stop(cell, act->number);
		break;
	case WL_FORWARD:
		wl_cell_forward(cell, act->number);
		break;
	case WL_FLUSH:
		wl_cell_flush(cell);
		break;
	default:
		break;
	}
}

void wl_story_more_end(struct cell *cell)
{
	u32 i;

	for (i = 1; i <= WL_STORY_NUMBERS; i++)
		if (cell->bearer[i])
			wl_cell_stop(cell, i);
}
