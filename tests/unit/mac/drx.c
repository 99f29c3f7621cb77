// SPDX-License-Identifier: GPL-2.0
/*
 * A receiver that sleeps: what comes for it waits for its next on-duration, or for paging
 * and promotion.
 *
 * 1 Mbit/s and 1 ms: a TTI carries 125 bytes. It listens for 10 ms of each 320 ms; for
 * 50 ms after it was sent to always, and then for 10 ms of each of four cycles of 40 ms.
 */
#include <math.h>
#include <stdlib.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

#define LONG		(320 * WL_MS)
#define SHORT		(40 * WL_MS)
#define ON		(10 * WL_MS)
#define INACTIVITY	(50 * WL_MS)

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);

	say(&cfg, "pdu 125 drx %lluns drx_on %lluns", LONG, ON);
	say(&cfg, "drx_inactivity %lluns drx_short %lluns drx_short_cycles 4", INACTIVITY, SHORT);
	return cfg;
}

static const struct wl_sdu *over(u32 seq)
{
	CHECK_EQ(cell.done[seq].over, 1);
	CHECK_EQ(cell.done[seq].sdu.drop, WLINK_DROP_NONE);
	return &cell.done[seq].sdu;
}

static void is(enum wlink_rrc state, u64 at_ns)
{
	cell_run(&cell, at_ns - 1);
	CHECK(cell.bearer[1]->drx.state != state);
	cell_run(&cell, at_ns);
	CHECK_EQ(cell.bearer[1]->drx.state, state);
}

/* When the first on-duration of a long cycle begins, found by sending one in each TTI
 * until one has waited.
 */
static u64 phase_ns(const struct wl_cfg *cfg)
{
	u64 at_ns = 10 * WL_SEC, on_ns = 0;

	for (u32 i = 0; i < 2 && !on_ns; i++) {
		cell_init(&cell, cfg, 0);
		cell_run(&cell, at_ns + i * LONG / 2);
		cell_carry(&cell, 1, 1, 1, 20 * WL_SEC);
		if (over(0)->access_ns)
			on_ns = over(0)->start_ns;
	}
	return on_ns % LONG;
}

static u64 next_on_ns(u64 phase, u64 cycle_ns, u64 at_ns)
{
	return at_ns + cycle_ns - (at_ns + cycle_ns - phase % cycle_ns - 1) % cycle_ns - 1;
}

/* What waits for an on-duration is dropped before it: the receiver was not reached, and its
 * timers go on as if nothing had come.
 */
CASE(drx, "drx: a receiver listens, or is idle late, after what it was never sent")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	u64 phase, at, end;

	phase = phase_ns(&cfg);
	say(&cfg, "discard_timer 20ms rrc_idle 1s");
	cell_play(&cell, &cfg, 1, 1, 10 * WL_MS);
	end = over(0)->end_ns;
	/* In short cycles, in long ones. */
	for (u32 i = 0; i < 2; i++) {
		at = next_on_ns(phase, i ? LONG : SHORT, end + INACTIVITY + i * 4 * SHORT) + ON;
		cell_run(&cell, at);
		CHECK_EQ(cell.bearer[1]->drx.state, i ? WLINK_RRC_LONG : WLINK_RRC_SHORT);
		cell_carry(&cell, 1, 1, 1, at + 21 * WL_MS);
		FATE(&cell, 1 + 2 * i, at + 20 * WL_MS, WLINK_DROP_TIMER);
		cell_carry(&cell, 1, 1, 1, at + 22 * WL_MS);
		CHECK_EQ(cell.done[2 + 2 * i].over, 0);
		CHECK_EQ(cell.bearer[1]->access.state, WL_ACCESS_WAITS);
		if (i)
			is(WLINK_RRC_IDLE, end + WL_SEC);
		else
			end = at + SHORT - ON + WL_MS;
	}
}

/* The silence after which it is idle is over while a packet waits that is dropped: it is
 * idle from the end of that wait on.
 */
CASE(drx, "drx: timers that expire while something waits are lost, or time runs back")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	u64 phase, at;
	u32 changes;

	phase = phase_ns(&cfg);
	cfg.rlc.discard_ns = 250 * WL_MS;
	cell_init(&cell, &cfg, 0);
	at = next_on_ns(phase, LONG, 5 * WL_SEC) - LONG + 60 * WL_MS;
	cell_run(&cell, at);
	say(&cfg, "drx_short off rrc_idle 1s");
	changes = cell.rrc_changes;
	cell_configure(&cell, 1, &cfg);
	/* At the next TTI it is active, so long for 50 ms, idle a second later. */
	cell_run(&cell, at + WL_MS);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_ACTIVE);
	cell_run(&cell, at + WL_MS + INACTIVITY);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_LONG);
	CHECK_EQ(cell.rrc_changes, changes + 2);
	cell_run(&cell, at + 3 * LONG - 40 * WL_MS);
	cell_carry(&cell, 1, 1, 1, at + WL_MS + WL_SEC);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_LONG);
	is(WLINK_RRC_IDLE, at + 4 * LONG - 60 * WL_MS);
	FATE(&cell, 0, at + 3 * LONG + 210 * WL_MS, WLINK_DROP_TIMER);
	say(&cfg, "drx off rrc_idle off");
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, at + 4 * LONG);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_NONE);
}

/* With TDD the next own slot, at 10 ms, is after the inactivity timer and the short cycle, so
 * that a packet waits for a long one, and is dropped before it: both timers have expired when
 * the wait is over.
 */
CASE(drx, "drx: of two timers that expire during one wait, none is lost")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	u64 until_ns;
	u32 changes;

	cfg.tdd.pattern = 0xffffd;
	say(&cfg, "discard_timer 100ms drx_on 1ms");
	say(&cfg, "drx_inactivity 5ms drx_short 5ms drx_short_cycles 1");
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, 4 * WL_MS);
	cell_carry(&cell, 1, 1, 1, 4 * WL_MS);
	until_ns = cell.bearer[1]->access.next_ns;
	CHECK(until_ns > 104 * WL_MS && until_ns <= 10 * WL_MS + LONG);
	cell_run(&cell, until_ns - 1);
	FATE(&cell, 0, 104 * WL_MS, WLINK_DROP_TIMER);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_ACTIVE);
	changes = cell.rrc_changes;
	cell_run(&cell, until_ns);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_LONG);
	CHECK_EQ(cell.rrc_changes, changes + 2);
}

/* The timers, from the end of the TTI that was used last: 50 ms, 160 ms in short cycles. */
static void by_hand(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);
	u64 phase, end, at;

	ut_begin("drx: mode %u: a receiver changes its state early or late", mode);
	/* Nothing goes again by itself. */
	say(&cfg, "poll_timer off rto 30s");
	phase = phase_ns(&cfg);
	cell_init(&cell, &cfg, 0);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_ACTIVE);
	is(WLINK_RRC_SHORT, INACTIVITY);
	is(WLINK_RRC_LONG, INACTIVITY + 4 * SHORT);
	/* One that comes just after an on-duration waits for the next one. */
	at = next_on_ns(phase, LONG, WL_SEC) + ON - WL_MS;
	cell_run(&cell, at);
	cell_send(&cell, 1, 100, 1);
	end = at + LONG - ON + WL_MS;
	is(WLINK_RRC_ACTIVE, end);
	end += WL_MS;
	/* In the last TTI of the inactivity timer it is sent at once. */
	cell_run(&cell, end + INACTIVITY - WL_MS - 1);
	CHECK_EQ(over(0)->start_ns, end - WL_MS);
	CHECK_EQ(over(0)->access_ns, LONG - ON + WL_MS);
	cell_send(&cell, 1, 100, 1);
	end += INACTIVITY;
	is(WLINK_RRC_SHORT, end + INACTIVITY);
	CHECK_EQ(over(1)->access_ns, 0);
	CHECK_EQ(over(1)->start_ns, end - WL_MS);
	/* In a short cycle one waits for the next of these. */
	at = next_on_ns(phase, SHORT, end + INACTIVITY) + ON + 1;
	cell_run(&cell, at);
	cell_carry(&cell, 1, 100, 1, at + SHORT);
	CHECK_EQ(over(2)->start_ns, at - 1 - ON + SHORT);
	CHECK_EQ(over(2)->access_ns, SHORT - ON - 1);
	cell_run(&cell, 30 * WL_SEC);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_LONG);
}

/* One short cycle after 1 to 20 TTIs of use, and one SDU in each TTI of its on-duration, which
 * may last longer than the cycle.
 */
CASE(drx, "drx: the end of the last short cycle cuts its on-duration off")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	u64 phase, at, on;
	u32 ttis, j;

	cfg.drx.inactivity_ns = ON;
	cfg.drx.short_ns = 2 * ON;
	cfg.drx.short_cycles = 1;
	phase = phase_ns(&cfg);
	cell_init(&cell, &cfg, 0);
	at = phase + LONG;
	for (ttis = 1; ttis <= 20; ttis++) {
		for (j = 0; j < 10; j++) {
			at += 2 * LONG;
			cell_run(&cell, at - 1);
			cell_send(&cell, 1, 125, ttis);
			on = next_on_ns(phase, 2 * ON, at + ttis * WL_MS + ON);
			cell_run(&cell, on + j * WL_MS - 1);
			cell_carry(&cell, 1, 1, 1, on + LONG);
			CHECK_EQ(over(cell.sent - 2)->end_ns, at + ttis * WL_MS);
			CHECK_EQ(over(cell.sent - 1)->start_ns, on + j * WL_MS);
		}
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Long cycles alone: on / cycle of those that come after a long silence find it
 * listening; the others wait, uniform over the rest of the cycle (Kolmogorov and Smirnov,
 * one seed in a thousand would fail).
 */
CASE(drx, "drx: waits for an on-duration are not as their closed form")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	static double wait[CELL_SDUS / 2];
	const u32 of = CELL_SDUS / 2;
	u32 waited = 0, i;
	double most = 0;
	struct wl_rng rng;
	u64 now_ns = 0;

	say(&cfg, "drx_short off drx_on 80ms");
	wl_rng_seed(&rng, 11, WL_RNG_LOSS, 1);
	cell_init(&cell, &cfg, 0);
	for (i = 0; i < of; i++) {
		now_ns += 2 * LONG + wl_rng_next(&rng) % LONG;
		cell_run(&cell, now_ns);
		cell_send(&cell, 1, 100, 1);
	}
	cell_run(&cell, now_ns + WL_SEC);
	for (i = 0; i < of; i++)
		if (over(i)->access_ns)
			wait[waited++] = (double)over(i)->access_ns / (LONG - 80 * WL_MS);
	CHECK_NEAR(waited, of * 0.75, 5 * sqrt(of * 0.25 * 0.75));
	qsort(wait, waited, sizeof(*wait), by_value);
	for (i = 0; i < waited; i++) {
		most = fmax(most, fabs(wait[i] - (double)i / waited));
		most = fmax(most, fabs(wait[i] - (i + 1.0) / waited));
	}
	/* A TTI has begun that could have been the last. */
	CHECK(wait[waited - 1] <= 1 + 1.0 / 240);
	CHECK_NEAR(most, 0, 1.95 / sqrt(waited));
}

/* Idle after a second: a downlink waits for paging, uniform over its cycle of 1.28 s, and
 * for the promotion; an uplink for the promotion alone, and sends no request then.
 */
static void idle(bool uplink)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	const u64 paging = 1280 * WL_MS, promotion = 70 * WL_MS;
	double sum = 0;
	struct wl_rng rng;
	u64 now_ns = 0, page = 0;

	ut_begin("drx: an idle %s", uplink ? "uplink waits for paging" : "downlink is not paged");
	cfg.drx.idle_ns = WL_SEC;
	cfg.drx.promotion_ns = promotion;
	if (uplink)
		say(&cfg, "drx off sr 80ms");
	else
		cfg.drx.paging_ns = paging;
	CHECK_EQ(wl_cfg_check(&cfg, &(struct wl_refusal){ }), 0);
	cell_init(&cell, &cfg, 0);
	wl_rng_seed(&rng, 12, WL_RNG_LOSS, 1);
	is(WLINK_RRC_IDLE, WL_SEC);
	for (u32 i = 0; i < 2000; i++) {
		now_ns += 5 * WL_SEC + wl_rng_next(&rng) % paging;
		cell_run(&cell, now_ns);
		CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_IDLE);
		cell_send(&cell, 1, 100, 1);
	}
	cell_run(&cell, now_ns + 2 * WL_SEC);
	for (u32 i = 0; i < 2000; i++) {
		u64 waited = over(i)->access_ns - promotion;

		page = i ? page : (over(i)->arrival_ns + waited) % paging;
		sum += waited;
		CHECK_EQ((over(i)->arrival_ns + waited) % paging,
			 uplink ? over(i)->arrival_ns % paging : page);
		CHECK(waited < paging + WL_MS);
	}
	CHECK_NEAR(sum / 2000, uplink ? 0 : paging / 2, uplink ? 0 : 5 * paging / sqrt(12 * 2000));
	/* In a paging occasion that has begun none is paged. */
	now_ns = (now_ns / paging + 5) * paging + page;
	cell_run(&cell, now_ns);
	cell_carry(&cell, 1, 100, 1, now_ns + 2 * WL_SEC);
	CHECK_EQ(over(2000)->access_ns, promotion + (uplink ? 0 : paging));
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_ACCESS_REQUESTS], 0);
}

CASE(drx, "drx: cycles that do not hold the on-duration, or each other, are taken")
{
	const struct {
		const char *what;
		u64 cycle_ns, on_ns, short_ns, tti_ns, sr_ns;
	} rows[] = {
		{ "drx on", LONG, LONG + 1, 0, WL_MS },
		{ "drx on", LONG, SHORT + 1, SHORT, WL_MS },
		{ "drx on", LONG, WL_MS - 1, 0, WL_MS },
		{ "drx cycle", LONG, ON, LONG + 1, WL_MS },
		{ "drx cycle beside whole short ones", LONG, ON, 50 * WL_MS, WL_MS },
		{ "tti with drx", LONG, ON, 0, 0 },
		{ "drx with sr", LONG, ON, 0, WL_MS, 10 * WL_MS },
	};
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_refusal why;

	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		cfg.drx.cycle_ns = rows[i].cycle_ns;
		cfg.drx.on_ns = rows[i].on_ns;
		cfg.drx.short_ns = rows[i].short_ns;
		cfg.tti_ns = rows[i].tti_ns;
		cfg.access.sr_ns = rows[i].sr_ns;
		CHECK_EQ(wl_cfg_check(&cfg, &why), -ERANGE);
		CHECK(!strcmp(why.what, rows[i].what));
	}
}

/* Two are sent as it listens, and one comes too late for the last TTI of the inactivity timer: it
 * waits for a short cycle, and no state changes meanwhile.
 */
CASE(drx, "drx: a state is left out, told twice, or lasts a TTI longer")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	u64 on;
	u32 changes;

	on = next_on_ns(phase_ns(&cfg), LONG, WL_SEC);
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, on - 1);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_LONG);
	changes = cell.rrc_changes;
	cell_carry(&cell, 1, 125, 1, on + 10 * WL_MS - 1);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_ACTIVE);
	cell_carry(&cell, 1, 125, 1, on + 11 * WL_MS + INACTIVITY - 1);
	cell_carry(&cell, 1, 125, 1, on + 3 * SHORT);
	CHECK_EQ(over(0)->start_ns, on);
	CHECK_EQ(over(1)->start_ns, on + 10 * WL_MS);
	CHECK_EQ(over(2)->start_ns, on + 2 * SHORT);
	CHECK_EQ(cell.rrc_changes, changes + 1);
}

/* The number before it is that of requests, the one behind it that of paging. */
CASE(drx, "drx: on-durations are not at their phase")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_rng rng;

	wl_rng_seed(&rng, cfg.seed, WL_RNG_ACCESS, 1);
	wl_rng_next(&rng);
	CHECK_EQ(phase_ns(&cfg), mul_u64_u64_shr(wl_rng_next(&rng), LONG / WL_MS, 64) * WL_MS);
}

/* An on-duration as long as the cycle has begun before there was a link. */
CASE(drx, "drx: an on-duration from before the first TTI is none")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);

	say(&cfg, "drx_on %lluns drx_inactivity 0 drx_short off", LONG);
	cell_play(&cell, &cfg, 125, 1, WL_SEC);
	CHECK_EQ(over(0)->start_ns, WL_MS);
}

/* Idle from this silence on, which another TTI does not begin anew: before the inactivity timer,
 * in short cycles, or without DRX, where nothing else has an end.
 */
static void idle_first(u64 idle_ns, u64 cycle_ns, enum wlink_rrc before)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);

	ut_begin("drx: idle is late, or not from the last that was sent, %llu ms",
		 (unsigned long long)(idle_ns / WL_MS));
	say(&cfg, "rrc_idle %lluns drx %lluns", idle_ns, cycle_ns);
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, 2 * WL_MS);
	cfg.tti_ns = 2 * WL_MS;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, idle_ns - 1);
	CHECK_EQ(cell.bearer[1]->drx.state, before);
	is(WLINK_RRC_IDLE, idle_ns);
	if (cycle_ns)
		return;
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, idle_ns - 20 * WL_MS);
	cell_carry(&cell, 1, 125, 1, idle_ns);
	CHECK_EQ(over(0)->start_ns, idle_ns - 18 * WL_MS);
	CHECK_EQ(over(0)->access_ns, 0);
}

/* What comes at the start of a TTI in which bearer 1 has sent all it had is for the next
 * one, also where no promotion is waited for.
 */
CASE(drx, "drx: a promotion of no time begins a TTI twice")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_cfg other;

	say(&cfg, "sched rr drx off");
	other = cfg;
	say(&other, "rrc_idle 10ms rrc_promotion 0");
	cell_share(&cell, &cfg, 2, &other);
	cell_run(&cell, 100 * WL_MS - 1);
	cell_carry(&cell, 1, 125, 1, 100 * WL_MS);
	cell_carry(&cell, 2, 125, 1, WL_SEC);
	CHECK_EQ(over(0)->start_ns, 100 * WL_MS);
	CHECK_EQ(over(1)->start_ns, 101 * WL_MS);
	/* Nor in a TTI in which nobody has sent, nor by a request. */
	other.access.sr_ns = 10 * WL_MS;
	cell_configure(&cell, 2, &other);
	cell_run(&cell, 2 * WL_SEC);
	CHECK_EQ(cell.bearer[2]->drx.state, WLINK_RRC_IDLE);
	cell_carry(&cell, 2, 125, 1, 3 * WL_SEC);
	CHECK_EQ(over(2)->start_ns, 2001 * WL_MS);
	CHECK_EQ(cell.bearer[2]->stats.v[WLINK_STAT_ACCESS_REQUESTS], 0);
}

TEST(drx)
{
	enum wlink_mode mode;

	for (mode = WLINK_MODE_TM; mode <= WLINK_MODE_MAX; mode++)
		by_hand(mode);
	idle(false);
	idle(true);
	idle_first(20 * WL_MS, LONG, WLINK_RRC_ACTIVE);
	idle_first(100 * WL_MS, LONG, WLINK_RRC_SHORT);
	idle_first(300 * WL_MS, 0, WLINK_RRC_ACTIVE);
}
