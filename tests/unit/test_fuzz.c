// SPDX-License-Identifier: GPL-2.0
/*
 * Random stories of a cell: bearers of all modes come, change, carry and go.
 * However it is called, each SDU must have the same fate; the modes that repeat
 * what is lost must not lose, double or reorder anything but by their own rules.
 */
#include "cell.h"
#include "ut.h"

#define STEPS		40
#define NUMBERS		5

enum what { SEND, CHANGE, ADD, DEL, WAIT };

struct act {
	enum what what;
	u64 at_ns;
	u32 number;
	u32 bytes;
	u32 count;
	struct wl_cfg cfg;
};

struct story {
	struct wl_cfg cfg;
	struct act acts[STEPS];
};

static struct story story;
static struct cell plain, other;

static u32 below(struct wl_rng *dice, u32 n)
{
	return (wl_rng_next(dice) >> 32) * n >> 32;
}

#define ONE_OF(dice, list) ((list)[below(dice, ARRAY_SIZE(list))])

static void random_channel(struct wl_rng *dice, struct wl_chan_cfg *chan)
{
	static const enum wlink_channel kinds[] = {
		WLINK_CHANNEL_NONE, WLINK_CHANNEL_UNIFORM,
		WLINK_CHANNEL_GILBERT, WLINK_CHANNEL_TWOSTATE };

	memset(chan, 0, sizeof(*chan));
	chan->kind = ONE_OF(dice, kinds);
	switch (chan->kind) {
	case WLINK_CHANNEL_UNIFORM:
		chan->loss_q32 = wl_rng_next(dice) >> (33 + below(dice, 4));
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

static void random_rlc(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u32 windows[] = { 1, 2, 8, 16, 128, 1024 };
	struct wl_rlc_cfg *rlc = &cfg->rlc;

	rlc->window = ONE_OF(dice, windows);
	rlc->poll_pdu = below(dice, 2) * below(dice, 20);
	rlc->poll_sdu = below(dice, 2) * below(dice, 5);
	rlc->poll_window = below(dice, 2) * (50 + below(dice, 50));
	rlc->maxdat = 2 + below(dice, 10);
	rlc->maxmrw = 1 + below(dice, 4);
	rlc->maxrst = 1 + below(dice, 4);
	rlc->reorder = below(dice, 2) * below(dice, 60);
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
	rlc->ack_delay_ns = below(dice, 2) * random_timer(dice, false);
	rlc->nack_guard_ns = below(dice, 2) * random_timer(dice, false);
}

static void random_bearer(struct wl_rng *dice, struct wl_cfg *cfg, bool first)
{
	static const u64 rates[] = { 9600, 64000, 128000, 384000, 1000003 };
	static const u32 pdus[] = { 4, 10, 40, 40, 130, 250 };
	static const u64 delays[] = { 0, 1, 5 * WL_MS, 50 * WL_MS };

	wl_cfg_set_mode(cfg, below(dice, __WLINK_MODE_MAX));
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
	cfg->reverse.rate_bps = below(dice, 2) * ONE_OF(dice, rates);
	cfg->reverse.delay_ns = below(dice, 2) ? WL_NEVER_NS :
				ONE_OF(dice, delays);
}

static void random_link(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u64 ttis[] = { 0, 0, 2 * WL_MS, 10 * WL_MS };

	cfg->tti_ns = ONE_OF(dice, ttis);
	cfg->sched = below(dice, cfg->tti_ns ? WLINK_SCHED_PF + 1 :
					       WLINK_SCHED_PF);
}

static void random_act(struct wl_rng *dice, struct act *act, bool *there,
		       struct wl_cfg *cfgs)
{
	u32 n = 1 + below(dice, NUMBERS);
	struct wl_cfg *cfg = &cfgs[n];

	act->number = n;
	act->what = WAIT;
	if (!there[n]) {
		act->what = ADD;
		*cfg = cfgs[1];
		random_bearer(dice, cfg, false);
		there[n] = true;
	} else if (below(dice, 4)) {
		act->what = SEND;
		act->bytes = 1 + below(dice, below(dice, 4) ? 300 : 2000);
		act->count = 1 + below(dice, 4);
	} else if (n > 1 && !below(dice, 4)) {
		act->what = DEL;
		there[n] = false;
	} else if (!below(dice, 2)) {
		act->what = CHANGE;
		if (below(dice, 2))
			random_bearer(dice, cfg, n == 1);
		else
			cfg->rate_bps = 64000 + below(dice, 400000);
		if (n == 1 && !below(dice, 3))
			random_link(dice, cfg);
	}
	act->cfg = *cfg;
}

static void make_up(u64 seed)
{
	struct wl_rng rng = { .state = seed * 0x9e3779b97f4a7c15ULL };
	bool there[NUMBERS + 1] = { false, true };
	struct wl_cfg cfgs[NUMBERS + 1];
	struct wl_rng *dice = &rng;
	struct wl_refusal why;
	u64 at_ns = 0;
	u32 i;

	wl_cfg_default(&cfgs[1]);
	random_link(dice, &cfgs[1]);
	random_bearer(dice, &cfgs[1], true);
	cfgs[1].seed = wl_rng_next(dice);
	story.cfg = cfgs[1];
	CHECK_EQ(wl_cfg_check(&story.cfg, &why), 0);
	for (i = 0; i < STEPS; i++) {
		if (below(dice, 3))
			at_ns += below(dice, 100) * (WL_MS / 2);
		story.acts[i].at_ns = at_ns;
		random_act(dice, &story.acts[i], there, cfgs);
		CHECK_EQ(wl_cfg_check(&story.acts[i].cfg, &why), 0);
	}
}

/* Calls at odd times, one step each, until the engine is where it should be. */
static void wander(struct cell *cell, struct wl_rng *dice, u64 until_ns)
{
	u32 i, times = below(dice, 6);

	for (i = 0; i < times && cell->now_ns < until_ns; i++)
		cell_call(cell, cell->now_ns +
			  wl_rng_next(dice) % (until_ns - cell->now_ns));
	while (!cell_call(cell, until_ns))
		;
}

static void act(struct cell *cell, const struct act *now)
{
	switch (now->what) {
	case SEND:
		cell_send(cell, now->number, now->bytes, now->count);
		break;
	case CHANGE:
		cell_configure(cell, now->number, &now->cfg);
		break;
	case ADD:
		cell_add(cell, now->number, now->number, &now->cfg);
		break;
	case DEL:
		cell_del(cell, now->number);
		break;
	default:
		break;
	}
}

static void play(struct cell *cell, u64 seed, bool wakes)
{
	struct wl_rng dice = { .state = seed };
	u32 i;

	cell_init(cell, &story.cfg, 0);
	if (!wakes)
		cell->link.work_max = 1 + below(&dice, 7);
	for (i = 0; i < STEPS && !ut_failed(); i++) {
		if (wakes)
			cell_run(cell, story.acts[i].at_ns);
		else
			wander(cell, &dice, story.acts[i].at_ns);
		act(cell, &story.acts[i]);
		while (!cell_call(cell, story.acts[i].at_ns))
			;
		cell_check(cell);
	}
	cell_run(cell, 100000 * WL_SEC);
	/* All ends: nobody waits for ever, and nothing is told twice. */
	CHECK_EQ(cell->count, cell->sent);
	CHECK_EQ(cell->link.held, 0);
	cell_free(cell);
}

static void same(void)
{
	u32 i;

	CHECK_EQ(other.count, plain.count);
	for (i = 0; i < plain.sent && !ut_failed(); i++) {
		const struct wl_sdu *a = &plain.done[i].sdu;
		const struct wl_sdu *b = &other.done[i].sdu;

		CHECK_EQ(b->drop, a->drop);
		CHECK_EQ(b->end_ns, a->end_ns);
		CHECK_EQ(b->pdus, a->pdus);
		CHECK_EQ(b->pdus_lost, a->pdus_lost);
		CHECK_EQ(b->retx, a->retx);
		CHECK_EQ(b->generation, a->generation);
		if (a->drop)
			continue;
		CHECK_EQ(b->start_ns, a->start_ns);
		CHECK_EQ(b->whole_ns, a->whole_ns);
		CHECK_EQ(b->deliver_ns, a->deliver_ns);
	}
}

/* Within a bearer, and from one change of its mode to the next. */
static void in_order(void)
{
	u32 i, n;

	for (n = 1; n <= NUMBERS; n++) {
		const struct cell_sdu *last = NULL;

		for (i = 0; i < plain.sent; i++) {
			const struct cell_sdu *done = &plain.done[i];

			if (done->sdu.bearer != n || done->sdu.drop)
				continue;
			if (last)
				CHECK(done->order > last->order);
			last = done;
		}
	}
}

static bool may_reorder(void)
{
	u32 i;

	for (i = 0; i < STEPS; i++)
		if (!story.acts[i].cfg.rlc.in_order)
			return true;
	return !story.cfg.rlc.in_order;
}

void test_fuzz(unsigned int stories)
{
	u64 seed;

	for (seed = 1; seed <= stories; seed++) {
		if (seed % 100 == 1)
			ut_begin("fuzz: a cell's stories from %llu", seed);
		make_up(seed);
		play(&plain, seed, true);
		play(&other, seed, false);
		same();
		if (!may_reorder())
			in_order();
		if (ut_failed())
			ut_check(false, UT_WHERE, "seed %llu", seed);
		if (seed % 100 == 0 || seed == stories || ut_failed()) {
			ut_end();
			if (seed % 100)
				return;
		}
	}
}
