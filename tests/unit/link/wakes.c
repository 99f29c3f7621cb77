// SPDX-License-Identifier: GPL-2.0
/*
 * How often a link asks to be called: no more often than something happens that can be
 * seen, however short its TTIs and the steps of its schedules are. And that those who come
 * only then see the same as those who come at each TTI and step.
 */
#include "cell.h"
#include "say.h"
#include "ut.h"

#define LINKS		300
#define RUN_NS		(12 * WL_MS)
/* Where something but what bearers collect goes by TTIs; see mac/quiet.c, rrc/schedule.c. */
#define TTIS_LATE	128

static struct cell told, often;

/* A link of one bearer in TM says when the first SDU is due, however much is to be done. */
static bool looks_ahead(const struct cell *cell)
{
	const struct wl_bearer *b = cell->bearer[1];

	return cell->link.bearers == 1 && !b->ops && !wl_link_shared(&cell->link);
}

/* As the glue does. Return: how many calls it asked for, with those that go on with what one
 * has left as a part of it. With its whole budget none leaves anything, but for the steps that
 * come in one TTI.
 */
static u64 expiries(struct cell *cell, u64 until_ns)
{
	u64 next_ns, count = 0;
	bool whole = true;

	for (;;) {
		next_ns = wl_link_next_ns(&cell->link);
		if (max(next_ns, cell->now_ns + 1) > until_ns || ut_failed())
			return count;
		count += whole;
		cell->due_ns = next_ns;
		whole = cell_call(cell, max(next_ns, cell->now_ns + 1));
		if (!whole && !looks_ahead(cell)) {
			CHECK(cell->link.budget_max < WL_LINK_BUDGET_MAX || cell->link.generation);
			/* What a TTI carries is complete at its end. */
			CHECK(wl_link_next_ns(&cell->link) <=
			      cell->now_ns + wl_link_tti_ns(&cell->link));
		}
		cell->due_ns = 0;
	}
}

static void call(struct cell *cell, u64 now_ns)
{
	while (!cell_call(cell, now_ns))
		;
}

/* No TTI passes but as an event. */
static void every(struct cell *cell, u64 step_ns, u64 until_ns)
{
	u64 now_ns;

	for (now_ns = cell->now_ns; now_ns < until_ns && !ut_failed(); now_ns += step_ns) {
		cell->link.quiet = false;
		call(cell, now_ns);
	}
	call(cell, until_ns);
}

static void same_sdus(void)
{
	CHECK_EQ(told.sent, often.sent);
	for (u32 i = 0; i < told.sent; i++) {
		const struct wl_sdu *a = &told.done[i].sdu, *b = &often.done[i].sdu;

		CHECK_EQ(told.done[i].over, often.done[i].over);
		CHECK_EQ(a->start_ns, b->start_ns);
		CHECK_EQ(a->end_ns, b->end_ns);
		CHECK_EQ(a->deliver_ns, b->deliver_ns);
		CHECK_EQ(a->drop, b->drop);
	}
	CHECK_EQ(told.told, often.told);
	CHECK_EQ(told.link.air.chan.frames, often.link.air.chan.frames);
}

/* 100 bytes at 1 kbit/s take 0.8 s, 800000 TTIs of 1 us: the SDU ends, and arrives. */
static void slow(enum wlink_sched sched, u32 bearers)
{
	struct wl_cfg cfg = cell_link(sched, 1000, WL_US, 0);
	u64 turns = sched == WLINK_SCHED_DEDICATED ? 1 : bearers;

	ut_begin("wakes: TTIs that carry nothing wake, sched %u, %u bearers", sched, bearers);
	cfg.delay_ns = 10 * WL_MS;
	cell_init(&told, &cfg, 0);
	if (bearers > 1)
		cell_add(&told, 2, bearers, &cfg);
	for (; bearers; bearers--)
		cell_send(&told, bearers, 100, 1);
	cell_call(&told, 0);
	CHECK(expiries(&told, 4 * WL_SEC) <= 2 * told.sent);
	CHECK_EQ(told.count, told.sent);
	CHECK_EQ(told.done[0].sdu.end_ns, turns * 800 * WL_MS + WL_US);
}

static struct wl_schedule *two_rates(u64 step_ns, u64 a_bps, u64 b_bps)
{
	struct wl_schedule *s = SCHEDULE(1U << WLINK_COLUMN_RATE,
					 0, a_bps, step_ns, b_bps);

	s->length_ns = 2 * step_ns;
	s->end = WLINK_SCHEDULE_END_LOOP;
	return s;
}

/* A SDU that is held while the rate goes up and down: 1.5 Mbit/s on the average. */
static void steps(u64 step_ns, u64 tti_ns, u64 b_bps, u64 delay_ns, bool paired)
{
	static struct wl_message mails[2][WL_MAIL_MAX];
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, tti_ns, 0);

	ut_begin("wakes: each step of %llu ns wakes, tti %llu, paired %d", step_ns, tti_ns, paired);
	cfg.delay_ns = delay_ns;
	cell_init(&told, &cfg, 0);
	cell_init(&often, &cfg, 0);
	if (paired) {
		wl_link_pair(&told.link, mails[0]);
		wl_link_pair(&often.link, mails[1]);
	}
	cell_schedule(&told, 1, two_rates(step_ns, 3000000 - b_bps, b_bps));
	cell_schedule(&often, 1, two_rates(step_ns, 3000000 - b_bps, b_bps));
	cell_send(&told, 1, 1500, 1);
	cell_send(&often, 1, 1500, 1);
	cell_call(&told, 0);
	CHECK(expiries(&told, 50 * WL_MS) <= 50 * WL_MS / step_ns / 64 + 64);
	call(&told, 50 * WL_MS);
	every(&often, step_ns, 50 * WL_MS);
	CHECK_EQ(told.count, 1);
	same_sdus();
}

/* 100 bytes at 8 kbit/s take 0.1 s, but from 120 us on 8 us. */
static void steps_up(u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, tti_ns, 0);
	struct wl_schedule *s = SCHEDULE(1U << WLINK_COLUMN_RATE, 0, 8000, 40 * WL_US, 8001,
					 80 * WL_US, 8000, 120 * WL_US, 100000000);

	ut_begin("wakes: nobody comes for what a fast step carries, tti %llu", tti_ns);
	s->length_ns = 160 * WL_US;
	s->end = WLINK_SCHEDULE_END_LOOP;
	cell_init(&told, &cfg, 0);
	cell_schedule(&told, 1, s);
	cell_send(&told, 1, 100, 1);
	cell_call(&told, 0);
	expiries(&told, 200 * WL_US);
	CHECK(told.done[0].over && told.done[0].sdu.end_ns <= 140 * WL_US);
}

static void end_is_told(u32 end)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, 0, 0);
	struct wl_schedule *schedule = two_rates(10 * WL_MS, 1000000, 2000000);

	ut_begin("wakes: nobody comes for the end of a schedule, %u", end);
	schedule->end = end;
	schedule->length_ns = 25 * WL_MS;
	cell_init(&told, &cfg, 0);
	cell_schedule(&told, 1, schedule);
	cell_call(&told, 0);
	expiries(&told, 25 * WL_MS);
	CHECK(end == WLINK_SCHEDULE_END_STOP ? !told.link.first.schedule :
	      told.link.first.schedule->state == WLINK_SCHEDULE_STATE_HOLDS);
}

/* Who looks at what a schedule does hears of a step in its time: at once, or of fast ones
 * within a ms. They may stand together.
 */
static void steps_are_told(u64 step_ns, u64 length_ns, u64 late_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, 0, 0);
	struct wl_schedule *schedule = two_rates(step_ns, 1000000, 2000000);
	u64 until_ns = 40 * WL_MS, steps = 0, now_ns;

	ut_begin("wakes: steps of %llu ns in %llu are told late", step_ns, length_ns);
	schedule->length_ns = length_ns;
	cell_init(&told, &cfg, 0);
	cell_schedule(&told, 1, schedule);
	cell_call(&told, 0);
	expiries(&told, until_ns);
	for (now_ns = 0; now_ns + late_ns <= until_ns; now_ns += length_ns)
		steps += 1 + (now_ns + step_ns + late_ns <= until_ns);
	/* The start is one, too. */
	CHECK(told.link.generation > steps);
}

/* Bearer 2 has had no turn yet: with that of bearer 1 gone it is its own, in the next TTI. */
CASE(wakes, "wakes: TTIs pass for a bearer whose turn has come")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 100, WL_MS, 0);

	cell_share(&told, &cfg, 2, &cfg);
	cell_send_all(&told, 2, 100, 1);
	call(&told, 10 * WL_MS + WL_MS / 2);
	wl_cell_forward(&told, 1);
	call(&told, 20 * WL_SEC);
	CHECK_EQ(told.done[1].sdu.start_ns, 11 * WL_MS);
}

/* What is guaranteed 8 bits each 8 ms goes as soon as it is owed, before a long SDU. Beside it
 * TTIs are made up for together, 128 at most.
 */
CASE(wakes, "wakes: nobody comes when something is owed")
{
	struct wl_cfg other, cfg = cell_link(WLINK_SCHED_RR, 1000000, 10 * WL_US, 0);

	cfg.delay_ns = 0;
	other = cell_class(&cfg, 1000000);
	other.gbr_bps = 1000;
	cell_share(&told, &cfg, 2, &other);
	cell_send(&told, 1, 20000, 1);
	cell_send(&told, 2, 1, 3);
	cell_call(&told, 0);
	CHECK(expiries(&told, 100 * WL_MS) <= 2 * told.sent + 100 * WL_MS / cfg.tti_ns / 128);
	CHECK_EQ(told.count, 3);
}

/* Of two that have sent nothing the first is first, with 8 TTIs to collect; the other has 32. */
CASE(wakes, "wakes: nobody comes for the lower number of two that are even")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_PF, 1000000, 10 * WL_US, 0);

	cfg.delay_ns = 0;
	cell_share(&told, &cfg, 2, &cfg);
	cell_send(&told, 1, 10, 1);
	cell_send(&told, 2, 40, 1);
	cell_call(&told, 0);
	expiries(&told, 150 * WL_US);
	CHECK(told.done[0].over);
}

/* Each has every other TTI, whose one resource block carries 10 bits: a byte goes in the second. */
CASE(wakes, "wakes: nobody comes for who gets a resource block in its turn")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 1000000, 10 * WL_US, 0);

	say(&cfg, "delay 0 rb 1");
	cell_share(&told, &cfg, 2, &cfg);
	cell_send(&told, 1, 100, 1);
	cell_send(&told, 2, 1, 1);
	cell_call(&told, 0);
	expiries(&told, 50 * WL_US);
	CHECK_EQ(told.count, 1);
}

/* The same. CoDel takes the second SDU when the first has gone, and the byte behind it goes. */
CASE(wakes, "wakes: nobody comes for what is behind a SDU that CoDel takes, with resource blocks")
{
	struct wl_cfg other, cfg = cell_link(WLINK_SCHED_RR, 1000000, 10 * WL_US, 0);

	say(&cfg, "delay 0 rb 1");
	other = cell_class(&cfg, 1000000);
	say(&cfg, "aqm codel target 1us interval 1us");
	cell_share(&told, &cfg, 2, &other);
	cell_send(&told, 1, 100, 2);
	cell_send(&told, 1, 1, 1);
	cell_send(&told, 1, 100, 2);
	cell_send(&told, 2, 10000, 1);
	cell_call(&told, 0);
	expiries(&told, 1640 * WL_US);
	CHECK_EQ(told.count, 3);
	CHECK_EQ(told.done[1].sdu.drop, WLINK_DROP_AQM);
}

/* A block of 8 TTIs that is lost takes the only process of HARQ for a ms. Whose turn it would be
 * waits, and the other one, whose byte comes then and takes less than a TTI, has the next.
 */
static void stalled(enum wlink_sched sched, u64 rate_bps)
{
	struct wl_cfg other, cfg = cell_link(sched, rate_bps, 10 * WL_US, rate_bps / 100000);
	u32 before = sched == WLINK_SCHED_PF ? 20 : 0;

	ut_begin("wakes: nobody comes for who sends in place of one that HARQ stops, sched %u",
		 sched);
	cfg.delay_ns = 0;
	other = cell_class(&cfg, 1000000);
	say(&other, "pdu 0 prio 1");
	say(&cfg, "harq 1 harq_max 2 harq_bler 1 harq_rtt 1ms");
	cell_share(&told, &cfg, 2, &other);
	/* So that it comes after the other one in pf, too. */
	cell_send(&told, 2, 1, before);
	cell_call(&told, 0);
	expiries(&told, 300 * WL_US);
	call(&told, 300 * WL_US);
	cell_send(&told, 1, cfg.pdu_bytes, 2);
	expiries(&told, 385 * WL_US);
	call(&told, 385 * WL_US);
	cell_send(&told, 2, 1, 1);
	call(&told, 385 * WL_US);
	expiries(&told, 420 * WL_US);
	CHECK_EQ(told.link.first.stats.v[WLINK_STAT_HARQ_BLOCKS], 1);
	CHECK_EQ(told.count, before + 1);
}

/* A byte takes 80 TTIs, the next begins in the one behind them; a SDU of another bearer at 5 ms
 * goes then, though the engine comes later.
 */
CASE(wakes, "wakes: TTIs that pass together pass what happens between them")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 100, WL_MS, 0), fast;

	cell_fill(&told, &cfg, 1, 2);
	call(&told, 0);
	call(&told, WL_SEC);
	CHECK_EQ(told.done[1].sdu.start_ns, told.done[0].sdu.end_ns);
	cfg.sched = WLINK_SCHED_DEDICATED;
	fast = cell_class(&cfg, 1000000);
	cell_share(&told, &cfg, 2, &fast);
	cell_send(&told, 1, 100, 1);
	call(&told, 2 * WL_MS);
	told.now_ns = 5 * WL_MS;
	cell_send(&told, 2, 1, 1);
	call(&told, WL_SEC);
	CHECK_EQ(told.done[1].sdu.start_ns, 6 * WL_MS);
}

CASE(wakes, "wakes: each step wakes an idle link of a pair")
{
	static struct wl_message mails[WL_MAIL_MAX];
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, 0, 0);

	cell_init(&told, &cfg, 0);
	wl_link_pair(&told.link, mails);
	cell_schedule(&told, 1, two_rates(WL_US, 1000000, 2000000));
	CHECK(expiries(&told, 50 * WL_MS) <= 50000 / 64);
}

static u64 packets(const struct cell *cell)
{
	u64 sum = 0;

	for (u32 i = 1; i <= cell->link.bearers; i++) {
		const struct wl_stats *stats = &cell->bearer[i]->stats;

		sum += stats->v[WLINK_STAT_SDUS_IN] + stats->v[WLINK_STAT_PDUS_SENT] +
		       stats->v[WLINK_STAT_FEEDBACK_SENT] + stats->v[WLINK_STAT_HARQ_BLOCKS] +
		       stats->v[WLINK_STAT_HARQ_RETX];
	}
	return sum;
}

/* PDUs, what answers them and what carries that are there for both; steps are for nobody. */
static void busy_pair(enum wlink_mode mode, u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, tti_ns, 0);
	static struct wl_message mails[2][WL_MAIL_MAX];
	struct cell *links[2] = { &told, &often };
	u64 now_ns = 0, count = 0, most = 0;

	ut_begin("wakes: each step or TTI wakes a busy pair, mode %u, tti %llu", mode, tti_ns);
	wl_cfg_set_mode(&cfg, mode);
	say(&cfg, "pdu 40 delay 2ms ack_delay 1ms");
	for (u32 i = 0; i < 2; i++) {
		cell_init(links[i], &cfg, 0);
		cell_schedule(links[i], 1, two_rates(WL_US, 1000000, 2000000));
		wl_link_pair(&links[i]->link, mails[i]);
		links[i]->peer = links[!i];
	}
	for (u32 i = 0; i < 2; i++)
		cell_send(links[i], 1, 400, 2);
	while (now_ns < 50 * WL_MS && !ut_failed()) {
		now_ns = min(wl_link_next_ns(&told.link), wl_link_next_ns(&often.link));
		now_ns = min(max3(now_ns, told.now_ns, often.now_ns) + 1, 50 * WL_MS);
		for (u32 i = 0; i < 2; i++) {
			count += wl_link_next_ns(&links[i]->link) <= now_ns;
			cell_call(links[i], now_ns);
		}
	}
	for (u32 i = 0; i < 2; i++) {
		CHECK_EQ(links[i]->count, 2);
		CHECK(links[i]->link.mail.tail);
		most += 2 * packets(links[i]) + 50 * WL_MS / WL_US / 64;
	}
	ut_check(count <= most, UT_WHERE, "%llu calls, %llu allowed", count, most);
	for (u32 i = 0; i < 2; i++) {
		wl_link_pair(&links[i]->link, NULL);
		links[i]->peer = NULL;
	}
}

/* A bit a TTI, and PDUs of 80 that go again before what is new. */
CASE(wakes, "wakes: TTIs that a retransmission takes are collected from")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 100000, 10 * WL_US, 10);

	cfg.harq.processes = 8;
	cfg.harq.bler_q32 = WLINK_PROB_ONE / 2;
	say(&cfg, "harq_max 4 harq_rtt 1ms");
	cell_init(&told, &cfg, 0);
	cell_init(&often, &cfg, 0);
	cell_send(&told, 1, 100, 3);
	cell_send(&often, 1, 100, 3);
	call(&told, 0);
	expiries(&told, 100 * WL_MS);
	call(&told, 100 * WL_MS);
	every(&often, 10 * WL_US, 100 * WL_MS);
	CHECK_EQ(told.count, 3);
	same_sdus();
}

/* A block of 80 TTIs goes once more a ms later; what comes meanwhile waits for its end. */
static void repeated(enum wlink_sched sched, enum wlink_aqm aqm, u32 rb, u32 bytes)
{
	struct wl_cfg cfg = cell_link(sched, 100000, 10 * WL_US, 10);

	ut_begin("wakes: TTIs of a retransmission are waited for, sched %u, AQM %u, %u blocks",
		 sched, aqm, rb);
	cfg.cell.rb = rb;
	cfg.aqm.kind = aqm;
	say(&cfg, "harq 8 harq_bler 1 harq_max 2 harq_rtt 1ms");
	cell_init(&told, &cfg, 0);
	cell_send(&told, 1, 10, 1);
	cell_call(&told, 0);
	expiries(&told, 1900 * WL_US);
	call(&told, 1900 * WL_US);
	CHECK(told.link.debt.left > 500 * WL_US);
	cell_send(&told, 1, bytes, 1);
	call(&told, 1900 * WL_US);
	CHECK(expiries(&told, 2500 * WL_US) < 6);
}

/* The same block; whose turn it is in pf needs 40 TTIs behind it, the other one 8. */
CASE(wakes, "wakes: TTIs of a retransmission are no turns of pf")
{
	struct wl_cfg other, cfg = cell_link(WLINK_SCHED_PF, 100000, 10 * WL_US, 10);

	cfg.delay_ns = 0;
	other = cell_class(&cfg, 100000);
	say(&cfg, "harq 8 harq_bler 1 harq_max 2 harq_rtt 1ms");
	cell_share(&told, &cfg, 2, &other);
	cell_send(&told, 1, 10, 1);
	cell_call(&told, 0);
	expiries(&told, 1900 * WL_US);
	call(&told, 1900 * WL_US);
	CHECK_EQ(told.link.debt.left, 800 * WL_US);
	cell_send(&told, 1, 1, 1);
	cell_send(&told, 2, 5, 1);
	call(&told, 1900 * WL_US);
	CHECK_EQ(expiries(&told, 3 * WL_MS), 1);
	CHECK(told.done[2].over);
}

#define ONE_OF(dice, ...) \
	((const u64[]){ __VA_ARGS__ })[(wl_rng_next(dice) >> 32) * \
				       ARRAY_SIZE(((const u64[]){ __VA_ARGS__ })) >> 32]

static void channel(struct wl_chan_cfg *cfg, struct wl_rng *dice)
{
	cfg->kind = ONE_OF(dice, WLINK_CHANNEL_NONE, WLINK_CHANNEL_NONE, WLINK_CHANNEL_UNIFORM,
			   WLINK_CHANNEL_UNIFORM, WLINK_CHANNEL_GILBERT);
	if (cfg->kind == WLINK_CHANNEL_UNIFORM)
		cfg->loss_q32 = WLINK_PROB_ONE / 4;
	if (cfg->kind != WLINK_CHANNEL_GILBERT)
		return;
	cfg->p_q32 = WLINK_PROB_ONE / 8;
	cfg->r_q32 = WLINK_PROB_ONE / 2;
	cfg->loss_bad_q32 = WLINK_PROB_ONE;
}

static struct wl_cfg drawn(struct wl_rng *dice)
{
	struct wl_refusal why;
	struct wl_cfg cfg;

	do {
		cfg = cell_link(ONE_OF(dice, WLINK_SCHED_DEDICATED, WLINK_SCHED_FIFO,
				       WLINK_SCHED_RR, WLINK_SCHED_PRIO, WLINK_SCHED_PF),
				ONE_OF(dice, 1000, 7777, 100000, 1000000, 20000000),
				ONE_OF(dice, 0, WL_US, 1024, 2 * WL_US, 10 * WL_US, 100 * WL_US,
				       WL_MS), 0);
		wl_cfg_set_mode(&cfg, ONE_OF(dice, WLINK_MODE_TM, WLINK_MODE_TM, WLINK_MODE_TM,
					     WLINK_MODE_UM, WLINK_MODE_AM, WLINK_MODE_FSR,
					     WLINK_MODE_LTE_UM, WLINK_MODE_LTE_AM,
					     WLINK_MODE_NR_AM));
		cfg.pdu_bytes = cfg.mode == WLINK_MODE_TM ? ONE_OF(dice, 0, 0, 7, 40) : 40;
		cfg.delay_ns = ONE_OF(dice, 0, 100 * WL_US, 3 * WL_MS);
		cfg.harq.processes = ONE_OF(dice, 0, 0, 0, 8);
		cfg.harq.bler_q32 = WLINK_PROB_ONE / 4;
		cfg.harq.rtt_ns = ONE_OF(dice, WL_MS, 8 * WL_MS);
		cfg.cell.rb = ONE_OF(dice, 0, 0, 0, 6);
		cfg.access.sr_ns = ONE_OF(dice, 0, 0, 0, WL_MS);
		cfg.aqm.kind = ONE_OF(dice, WLINK_AQM_DROPTAIL, WLINK_AQM_DROPTAIL,
				      WLINK_AQM_CODEL);
		channel(&cfg.channel, dice);
	} while (wl_cfg_check(&cfg, &why));
	return cfg;
}

static struct wl_schedule *drawn_steps(struct wl_rng *dice)
{
	u64 step_ns = ONE_OF(dice, WL_US, 3 * WL_US, 20 * WL_US);
	u64 a_bps = ONE_OF(dice, 0, 1000, 100000);

	return two_rates(step_ns, a_bps, ONE_OF(dice, 2000, 300000, 10000000));
}

static void build(struct cell *cell, const struct wl_cfg *cfg, struct wl_rng dice)
{
	struct wl_cfg other = cell_class(cfg, cfg->rate_bps / ONE_OF(&dice, 1, 3));
	u32 i, bearers = ONE_OF(&dice, 1, 1, 2, 3);

	cell_init(cell, cfg, 0);
	other.gbr_bps = cfg->sched && cfg->tti_ns ? ONE_OF(&dice, 0, 0, 500) : 0;
	if (bearers > 1)
		cell_add(cell, 2, bearers, &other);
	for (i = 1; i <= bearers; i++) {
		struct wl_schedule *s = ONE_OF(&dice, 0, 0, 1) ? drawn_steps(&dice) : NULL;

		if (s)
			cell_schedule(cell, i, s);
	}
}

/* What a bearer has at most beside its packets and steps: a timer each ms or more. In pf a PDU
 * makes the next TTI another one's turn.
 */
static u64 allowed(const struct cell *cell, const struct wl_cfg *cfg)
{
	u64 sum = packets(cell) + cell->link.generation;

	if (cfg->sched == WLINK_SCHED_PF)
		sum += packets(cell);
	if (cfg->mode != WLINK_MODE_TM || cfg->access.sr_ns)
		sum += 4 * cell->link.bearers * cell->now_ns / WL_MS;
	/* TTIs that are made up for together are counted anew from each arrival on. */
	if (cfg->tti_ns)
		sum += cell->now_ns / cfg->tti_ns / TTIS_LATE + cell->sent;
	/* What lets a bearer send is one, the TTI in which CoDel is asked is another. */
	if (cfg->aqm.kind == WLINK_AQM_CODEL)
		sum += cell->link.generation + cell->sent;
	return sum;
}

static void random_link(u64 seed)
{
	struct wl_rng dice;
	u64 at_ns, count = 0, step_ns;
	struct wl_cfg cfg;

	wl_rng_seed(&dice, seed, 0, 0);
	cfg = drawn(&dice);
	build(&told, &cfg, dice);
	build(&often, &cfg, dice);
	told.link.budget_max = ONE_OF(&dice, WL_LINK_BUDGET_MAX, WL_LINK_BUDGET_MAX, 16);
	step_ns = cfg.tti_ns ? min(cfg.tti_ns, 2 * WL_US) : WL_US;
	for (at_ns = 0; at_ns < RUN_NS && !ut_failed(); at_ns += ONE_OF(&dice, 1, 3) * WL_MS) {
		u32 number = 1 + ONE_OF(&dice, 0, 1, 2) % told.link.bearers;
		u32 bytes = ONE_OF(&dice, 1, 3, 20, 200);

		count += expiries(&told, at_ns);
		every(&often, step_ns, at_ns);
		call(&told, at_ns);
		cell_send(&told, number, bytes, 1);
		cell_send(&often, number, bytes, 1);
		call(&told, at_ns);
		call(&often, at_ns);
	}
	count += expiries(&told, at_ns);
	call(&told, at_ns);
	every(&often, step_ns, at_ns);
	same_sdus();
	ut_check(count <= allowed(&told, &cfg), UT_WHERE, "%llu calls, %llu packets, %u steps",
		 count, packets(&told), told.link.generation);
	cell_check(&told);
	if (ut_failed())
		ut_check(false, UT_WHERE, "seed %llu: sched %u, tti %llu, mode %u, rate %llu", seed,
			 cfg.sched, cfg.tti_ns, cfg.mode, cfg.rate_bps);
}

CASE(wakes, "wakes: more than packets, changes and steps, or something is missed")
{
	/* Those that once woke most: by pf, by pf with a guaranteed rate, by HARQ and CoDel, those
	 * whose calls leave something again and again, by resource blocks that others get, TTIs
	 * that repeated blocks take, CoDel behind a retransmission, and first grants.
	 */
	static const u64 most[] = { 419, 3387, 4232, 6726, 2480, 2822, 7246, 7673, 8309,
					9637, 465, 6775 };
	u64 seed;

	for (seed = 1; seed <= LINKS && !ut_failed(); seed++)
		random_link(seed);
	for (seed = 0; seed < ARRAY_SIZE(most) && !ut_failed(); seed++)
		random_link(most[seed]);
}

TEST(wakes)
{
	u32 paired;

	slow(WLINK_SCHED_DEDICATED, 1);
	slow(WLINK_SCHED_DEDICATED, 3);
	slow(WLINK_SCHED_FIFO, 2);
	slow(WLINK_SCHED_RR, 1);
	slow(WLINK_SCHED_RR, 3);
	slow(WLINK_SCHED_PRIO, 2);
	for (paired = 0; paired < 2; paired++) {
		steps(WL_US, 0, 1000000, 20 * WL_MS, paired);
		steps(WL_US, 0, 1000000, 0, paired);
		steps(WL_US, WL_US, 1000000, 0, paired);
		steps(2 * WL_US, 0, 3000000, 0, paired);
		steps(5 * WL_US, 10 * WL_US, 1000000, 0, paired);
		steps(20 * WL_US, 0, 1000000, 20 * WL_MS, paired);
	}
	stalled(WLINK_SCHED_PRIO, 1000000);
	stalled(WLINK_SCHED_PF, 100000000);
	repeated(WLINK_SCHED_RR, WLINK_AQM_CODEL, 0, 10);
	repeated(WLINK_SCHED_RR, WLINK_AQM_DROPTAIL, 1, 1);
	steps_up(0);
	steps_up(10 * WL_US);
	end_is_told(WLINK_SCHEDULE_END_STOP);
	end_is_told(WLINK_SCHEDULE_END_HOLD);
	steps_are_told(WL_MS, 2 * WL_MS, 0);
	steps_are_told(5 * WL_MS, 10 * WL_MS, 0);
	steps_are_told(WL_US, 2 * WL_MS, 0);
	steps_are_told(50 * WL_US, 100 * WL_US, WL_MS);
	busy_pair(WLINK_MODE_AM, 0);
	busy_pair(WLINK_MODE_AM, WL_US);
	busy_pair(WLINK_MODE_ASR, 0);
	busy_pair(WLINK_MODE_NR_AM, 10 * WL_US);
}
