// SPDX-License-Identifier: GPL-2.0
#include "law.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"
#include "core/plain.h"
#include "wl_schedules.h"
#include "wl_story.h"

#define BESIDE		9U

/* How long every ns is looked at after the last act. */
#define AFTER_NS	2000

/* Times that a link may want to be called at. */
#define WAKES_MAX	100000

const struct law_way law_ways[] = {
	{ .name = "when told" },
	{ .name = "every ns", .every = true },
	{ .name = "beside an idle bearer", .beside = true },
	{ .name = "every ns beside an idle bearer", .every = true,
	  .beside = true },
	{ .name = "one step a call", .budget_max = 1 },
	{ .name = "a budget of 2 every ns", .every = true, .budget_max = 2 },
	{ .name = "as late as the glue may", .lazy = true },
	{ .name = "late, a budget of 3 a call", .lazy = true, .budget_max = 3 },
};

const u32 law_way_count = ARRAY_SIZE(law_ways);

static struct law_play first, other;

static void set_aqm(struct wl_cfg *cfg, enum wlink_aqm kind)
{
	wl_aqm_default(&cfg->aqm, kind);
	say(cfg, "minth 2 maxth 40");
	cfg->aqm.maxp_q32 = WLINK_PROB_ONE / 4;
	cfg->aqm.tr_ns = WL_MS;
}

bool law_put(struct wl_cfg *cfg, const struct law_act *act)
{
	switch (act->op) {
	case LAW_MODE:
		wl_cfg_set_mode(cfg, act->value);
		return true;
	case LAW_AQM:
		set_aqm(cfg, act->value);
		return true;
	case LAW_DISCARD:
		cfg->rlc.discard_ns = act->value;
		return true;
	case LAW_TWOSTATE:
		memset(&cfg->channel, 0, sizeof(cfg->channel));
		cfg->channel.kind = WLINK_CHANNEL_TWOSTATE;
		cfg->channel.mean_good_ns = act->value;
		cfg->channel.mean_bad_ns = act->value;
		cfg->channel.hazard_bad_q56 = 1ULL << 46;
		return true;
	default:
		if (act->op < WL_OP_RATE || act->op > WL_OP_KIND)
			return false;
		wl_case_set(cfg, act->op, act->value);
		return true;
	}
}

void law_cfg(const struct law *law, struct wl_cfg *cfg)
{
	*cfg = cell_link(WLINK_SCHED_DEDICATED, 8 * WL_SEC, 0, 0);
	say(cfg, "delay 5us limit 100");
	for (u32 i = 0; law->cfg[i].op; i++)
		law_put(cfg, &law->cfg[i]);
}

/* Who comes when told to gets each SDU at its time; only that one is lost may be
 * told later, where it has waited.
 */
static void look(struct law_play *play)
{
	struct cell *cell = &play->cell;

	for (u32 i = 0; i < cell->sent && play->handed < cell->count; i++) {
		const struct cell_sdu *done = &cell->done[i];

		if (!done->over || play->handed_ns[i])
			continue;
		play->handed++;
		play->handed_ns[i] = cell->now_ns + 1;
		if (play->way->lazy &&
		    done->sdu.drop == WLINK_DROP_CHANNEL)
			CHECK(done->sdu.deliver_ns <= cell->now_ns);
		else
			CHECK_EQ(cell->now_ns, done->sdu.deliver_ns);
		if (play->waiting && play->waiting <= i + 1 &&
		    i < play->waiting_to)
			CHECK(done->sdu.drop != WLINK_DROP_OVERFLOW);
	}
}

static void called(struct law_play *play)
{
	struct wl_link *link = &play->cell.link;

	look(play);
	play->waiting = 0;
	play->told_ns = wl_link_next_ns(link);
	check_mismatch(&play->cell.bad);
}

static void call(struct law_play *play, u64 now_ns)
{
	u32 calls = 0;

	while (!wl_cell_call(&play->cell, now_ns))
		if (!CHECK(++calls < WAKES_MAX))
			return;
	called(play);
}

/* Up to a time, and not at it unless the link says so. */
static void when_told(struct law_play *play, u64 until_ns)
{
	struct cell *cell = &play->cell;
	u32 wakes = 0;

	while (play->told_ns != WL_NEVER_NS && play->told_ns <= until_ns &&
	       !ut_failed()) {
		u64 now_ns = max(play->told_ns, cell->now_ns);

		CHECK(++wakes < WAKES_MAX);
		play->wakes++;
		if (!play->way->budget_max) {
			call(play, now_ns);
			continue;
		}
		/* As the glue: the answer tells when the rest comes. */
		wl_cell_call(cell, now_ns);
		called(play);
	}
}

static void go(struct law_play *play, u64 until_ns)
{
	u64 now_ns = play->cell.now_ns;

	if (!play->way->every) {
		when_told(play, until_ns);
		return;
	}
	while (now_ns < until_ns && !ut_failed())
		call(play, ++now_ns);
}

/* The glue leaves alone what may wait for a time that it will come at anyway. */
static void send(struct law_play *play, const struct law_act *act)
{
	struct cell *cell = &play->cell;
	bool waits;

	cell->now_ns = act->at_ns;
	wl_cell_send(cell, act->op == LAW_SEND2 ? 2 : 1, act->value, 1);
	waits = cell->link.inbox.head && wl_link_waits_until(&cell->link, 1);
	if (act->op == LAW_WAITS && play->way == law_ways)
		ut_check(waits == act->more, UT_WHERE,
			 "at %llu it may wait: %d, not %llu", act->at_ns,
			 waits, act->more);
	play->waited += waits;
	if (waits && !play->waiting)
		play->waiting = cell->sent;
	if (waits)
		play->waiting_to = cell->sent;
	if (waits && play->way->lazy &&
	    wl_link_waits_until(&cell->link, play->told_ns))
		play->left++;
	else
		call(play, act->at_ns);
}

static struct wl_schedule *two_rates(const struct law_act *act, u64 first_bps)
{
	const u64 words[] = { 0, first_bps, 1300, act->more };
	struct wl_schedule *schedule = wl_schedules_new(1U << WLINK_COLUMN_RATE);

	CHECK_EQ(wl_schedules_add(schedule, 2, words), 2);
	schedule->start_ns = act->value;
	return schedule;
}

static void ask(struct law_play *play, const struct law_act *act)
{
	struct wl_link *link = &play->cell.link;
	u64 is = wl_link_next_ns(link);

	if (play->way != &law_ways[0])
		return;
	ut_check(is == act->value, UT_WHERE, "at %llu next is %llu, not %llu",
		 act->at_ns, is, act->value);
}

/* The link is advanced to now. */
static void change(struct law_play *play, const struct law_act *act)
{
	struct cell *cell = &play->cell;
	struct wl_cfg cfg = play->cfg;

	switch (act->op) {
	case WL_OP_FLUSH:
		wl_link_flush(&cell->link, act->at_ns);
		break;
	case LAW_LATER:
		cfg.rate_bps = act->value;
		cell_ask(cell, act->more, 1, 1, &cfg);
		play->cfg = cfg;
		break;
	case LAW_ADD:
		cfg = cell_class(&play->cfg, act->value);
		cell_add(cell, 2, 2, &cfg);
		break;
	case LAW_DEL:
		cell_del(cell, 2);
		break;
	case LAW_SCHEDULE:
		cell_schedule(cell, 1, two_rates(act, play->cfg.rate_bps));
		break;
	case LAW_STOP:
		cell_stop(cell, 1);
		break;
	default:
		if (law_put(&play->cfg, act))
			cell_configure(cell, 1, &play->cfg);
		break;
	}
}

static void take(struct law_play *play, const struct law_act *act)
{
	struct wl_link *link = &play->cell.link;
	bool plain, on;
	u64 i;

	switch (act->op) {
	case WL_OP_SEND:
		for (i = 0; i <= act->more && !ut_failed(); i++)
			send(play, act);
		return;
	case LAW_SEND2:
	case LAW_WAITS:
		send(play, act);
		return;
	case LAW_NEXT:
		ask(play, act);
		return;
	default:
		call(play, act->at_ns);
		plain = wl_plain(link);
		on = link->first.unit.on;
		play->told_ns = wl_link_next_ns(link);
		change(play, act);
		/* A bearer more or less changes nothing of this one's. */
		if (act->op == LAW_ADD)
			CHECK(wl_link_next_ns(link) <= play->told_ns);
		look(play);
		call(play, act->at_ns);
		play->turns += plain && on && !wl_plain(link);
		return;
	}
}

void law_play(struct law_play *play, const struct law *law,
	      const struct law_way *way)
{
	const struct law_act *act;
	struct wl_cfg cfg;

	memset(play, 0, sizeof(*play));
	play->way = way;
	law_cfg(law, &play->cfg);
	wl_cell_init(&play->cell, &play->cfg, 0, LAW_SDUS);
	if (way->budget_max)
		play->cell.link.budget_max = way->budget_max;
	if (way->beside) {
		cfg = cell_class(&play->cfg, play->cfg.rate_bps);
		cell_add(&play->cell, BESIDE, BESIDE, &cfg);
	}
	play->told_ns = wl_link_next_ns(&play->cell.link);
	for (act = law->acts; act->op && !ut_failed(); act++) {
		go(play, act->at_ns);
		take(play, act);
	}
	if (way->every)
		go(play, play->cell.now_ns + AFTER_NS);
	when_told(play, WL_NEVER_NS - 1);
	CHECK_EQ(play->handed, play->cell.sent);
	cell_check(&play->cell);
}

static void judge(const struct law_play *play, const struct law *law)
{
	const struct law_want *want;

	for (want = law->wants; want->at_ns; want++) {
		const struct cell_sdu *done = &play->cell.done[want->seq];

		ut_check(done->over && done->sdu.deliver_ns == want->at_ns &&
			 done->sdu.drop == want->drop, UT_WHERE,
			 "SDU %llu: over %u at %llu, drop %u; not at %llu, drop %u",
			 want->seq, done->over, done->sdu.deliver_ns, done->sdu.drop,
			 want->at_ns, want->drop);
		if (!want->pdus)
			continue;
		CHECK_EQ(done->sdu.pdus, want->pdus);
		CHECK_EQ(done->sdu.pdus_lost, want->lost);
	}
}

static void play_one(struct law_play *play, const struct law *law,
		     const struct law_way *way, struct law_reach *reach)
{
	law_play(play, law, way);
	judge(play, law);
	if (law->wakes && way == law_ways)
		CHECK_EQ(play->wakes, law->wakes);
	reach->waited += play->waited;
	reach->left += play->left;
	reach->turns += play->turns;
	if (ut_failed())
		ut_check(false, UT_WHERE, "played %s", way->name);
}

void law_keep(const struct law *law, struct law_reach *reach)
{
	struct wl_mismatch bad;

	play_one(&first, law, law_ways, reach);
	for (u32 i = 1; i < law_way_count && !ut_failed(); i++) {
		play_one(&other, law, &law_ways[i], reach);
		wl_story_same(&first.cell, &other.cell, &bad);
		check_mismatch(&bad);
		if (bad.what)
			ut_check(false, UT_WHERE, "played %s",
				 law_ways[i].name);
		wl_cell_free(&other.cell);
	}
	wl_cell_free(&first.cell);
}
