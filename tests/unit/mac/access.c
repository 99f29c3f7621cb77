// SPDX-License-Identifier: GPL-2.0
/*
 * Uplink access: who has been idle waits for the next scheduling request and a grant
 * delay, gets a first grant, and all else a grant delay later; who is busy does not.
 *
 * 1 Mbit/s and 1 ms: a TTI carries 1000 bits, a SDU of 125 bytes. Requests go each 10 ms,
 * at a phase that the test learns from the first SDU, grants are 4 ms later, the first
 * one has 100 bytes.
 */
#include <math.h>
#include <stdlib.h>

#include "cell.h"
#include "say.h"
#include "ut.h"

#define PERIOD		(10 * WL_MS)
#define GRANT		(4 * WL_MS)
#define FIRST		100U

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);

	say(&cfg, "pdu 25 sr %lluns sr_grant %lluns sr_first %u", PERIOD, GRANT, FIRST);
	return cfg;
}

static u64 stat(u32 number, enum wlink_stat which)
{
	return cell.bearer[number]->stats.v[which];
}

static const struct wl_sdu *over(u32 seq)
{
	CHECK_EQ(cell.done[seq].over, 1);
	CHECK_EQ(cell.done[seq].sdu.drop, WLINK_DROP_NONE);
	return &cell.done[seq].sdu;
}

/* The first grant for what has come at a time, where one is known. */
static u64 grant_ns(u64 known_ns, u64 at_ns)
{
	u64 phase_ns = (known_ns - GRANT) % PERIOD;
	u64 periods = (at_ns + PERIOD - phase_ns) / PERIOD;

	return phase_ns + periods * PERIOD + GRANT;
}

static u64 first_grant_ns(const struct wl_cfg *cfg, u32 number)
{
	cell_init(&cell, cfg, 0);
	if (number > 1)
		cell_add(&cell, 2, number, cfg);
	cell_carry(&cell, number, 1, 1, WL_SEC);
	return over(0)->start_ns;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Kolmogorov and Smirnov: waits for a request against the uniform distribution. With
 * 1.95 / sqrt(n) one seed in a thousand would fail.
 */
static void uniform_wait(u64 period_ns)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	static double wait[CELL_SDUS / 2];
	const u32 of = CELL_SDUS / 2;
	double most = 0;
	struct wl_rng rng;
	u64 now_ns = 0;

	ut_begin("access: waits for a request each %llu ms are not uniform",
		 (unsigned long long)(period_ns / WL_MS));
	cfg.access.sr_ns = period_ns;
	wl_rng_seed(&rng, 7, WL_RNG_LOSS, 1);
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < of; i++) {
		now_ns += 200 * WL_MS + wl_rng_next(&rng) % period_ns;
		cell_run(&cell, now_ns);
		cell_send(&cell, 1, FIRST, 1);
	}
	cell_run(&cell, now_ns + WL_SEC);
	for (u32 i = 0; i < of; i++) {
		const struct wl_sdu *sdu = over(i);

		CHECK_EQ(sdu->access_ns, sdu->start_ns - sdu->arrival_ns);
		CHECK_EQ(sdu->end_ns - sdu->start_ns, WL_MS);
		CHECK_EQ(sdu->access_tx_ns, 0);
		wait[i] = (double)(sdu->access_ns - GRANT) / period_ns;
	}
	qsort(wait, of, sizeof(*wait), by_value);
	for (u32 i = 0; i < of; i++) {
		most = fmax(most, fabs(wait[i] - (double)i / of));
		most = fmax(most, fabs(wait[i] - (i + 1.0) / of));
	}
	CHECK(wait[0] > 0 && wait[of - 1] <= 1);
	CHECK_NEAR(most, 0, 1.95 / sqrt(of));
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), of);
}

/* Phases of 1000 bearers over the ten TTIs of a period: chi-square of nine degrees
 * above 27.88 comes once in a thousand.
 */
CASE(access, "access: phases are not uniform over the period")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	double square = 0;
	u32 count[10] = { 0 };

	cell_share(&cell, &cfg, 1000, &cfg);
	for (u32 i = 1; i <= 1000; i++)
		cell_send(&cell, i, 1, 1);
	cell_run(&cell, WL_SEC);
	for (u32 i = 0; i < 1000; i++) {
		u64 phase_ns = (over(i)->start_ns - GRANT) % PERIOD;

		CHECK_EQ(phase_ns % WL_MS, 0);
		count[phase_ns / WL_MS]++;
	}
	for (u32 i = 0; i < 10; i++)
		square += (count[i] - 100.0) * (count[i] - 100.0) / 100;
	CHECK_NEAR(square, 0, 27.88);
}

/* Of 1000 bytes 100 go in TTI g, a report with them; the rest goes from g + 4 on, 125
 * in each: 7200 bits in 8 TTIs. What those leave goes to the next one: of 800 + n * 1000
 * bits 16000 are there with n = 16, 24000 with n = 24. All of them have waited until g,
 * and from the end of that TTI until g + 4.
 */
static void report(u32 pdu_bytes)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	const struct wl_sdu *sdu;
	u64 g, i;

	ut_begin("access: what a first grant does not hold is early or late, PDU %u", pdu_bytes);
	g = first_grant_ns(&cfg, 1);
	cfg.pdu_bytes = pdu_bytes;
	cell_play(&cell, &cfg, 1000, 3, WL_SEC);
	for (i = 0; i < 3; i++) {
		sdu = over(i);
		CHECK_EQ(sdu->end_ns, g + (12 + 8 * i) * WL_MS);
		CHECK_EQ(sdu->access_ns, i ? g + 3 * WL_MS : g);
		CHECK_EQ(sdu->access_tx_ns, i ? 0 : 3 * WL_MS);
	}
	CHECK_EQ(over(0)->start_ns, g);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), 1);
	CHECK_EQ(cell.bearer[1]->stats.why_ns[WLINK_WHY_ACCESS], 3 * g + 9 * WL_MS);
	/* TTI g and eight more are all that the first one has taken. */
	CHECK_EQ(cell.bearer[1]->stats.why_bins[WLINK_WHY_ACCESS][0], 0);
}

/* Each comes while the one before it is sent, so none but the first waits; a pause, and
 * one waits again.
 */
static void busy(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);
	u64 g, next;

	ut_begin("access: mode %u waits when it is busy, or not when it was idle", mode);
	/* Nothing goes again by itself. */
	say(&cfg, "poll_timer off rto 30s");
	g = first_grant_ns(&cfg, 1);
	cell_fill(&cell, &cfg, 300, 1);
	for (u32 i = 1; i < 500; i++) {
		cell_run(&cell, g + i * 2 * WL_MS);
		cell_send(&cell, 1, 260, 1);
	}
	cell_run(&cell, 20 * WL_SEC);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), 1);
	for (u32 i = 3; i < 500; i++)
		CHECK_EQ(over(i)->access_ns, 0);
	next = 20 * WL_SEC + 1234567;
	cell_run(&cell, next);
	cell_carry(&cell, 1, 20, 1, 21 * WL_SEC);
	CHECK_EQ(over(500)->start_ns, grant_ns(g, next));
	CHECK_EQ(over(500)->access_ns, grant_ns(g, next) - next);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), 2);
}

/* Bearer 2 has access on a transmitter that bearer 1, which has not, keeps busy: in
 * TTI g it sends its first grant, a PDU of each in turn, then nothing until g + 4, when it
 * gets every second PDU. Where a PDU does not fit what the grant has left, that is kept.
 */
static void shared(u32 pdu_bytes, u32 first_bytes)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_cfg other = cfg;
	u64 g, sent;

	ut_begin("access: a first grant of %u bytes on a shared link, PDU %u", first_bytes,
		 pdu_bytes);
	say(&cfg, "rate 2mbit sched rr sr off");
	say(&other, "rate 2mbit sched rr sr_first %u pdu %u", first_bytes, pdu_bytes);
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 1, 1000, 400);
	cell_send(&cell, 2, 4000, 1);
	g = 0;
	while (!stat(2, WLINK_STAT_ACCESS_REQUESTS) || cell.bearer[2]->access.state ==
	       WL_ACCESS_WAITS) {
		CHECK_EQ(stat(2, WLINK_STAT_AIR_BYTES), 0);
		g += WL_MS;
		cell_run(&cell, g - 1);
		cell_run(&cell, g);
		if (cell.bearer[2]->access.waits[1].from_ns)
			break;
	}
	sent = first_bytes / pdu_bytes * pdu_bytes;
	CHECK_EQ(stat(2, WLINK_STAT_AIR_BYTES), sent);
	cell_run(&cell, g + GRANT - 1);
	CHECK_EQ(stat(2, WLINK_STAT_AIR_BYTES), sent);
	cell_run(&cell, g + GRANT + 10 * WL_MS - 1);
	/* Of ten TTIs of 250 bytes its PDUs beside those of 25, and what was kept. */
	CHECK_NEAR(stat(2, WLINK_STAT_AIR_BYTES),
		   first_bytes + 2500.0 * pdu_bytes / (pdu_bytes + 25), pdu_bytes);
	cell_run(&cell, 10 * WL_SEC);
	CHECK_EQ(over(400)->start_ns, g);
	CHECK_EQ(over(400)->access_tx_ns, 3 * WL_MS);
	CHECK_EQ(over(0)->access_ns, 0);
	CHECK_EQ(cell.bearer[1]->stats.why_bins[WLINK_WHY_ACCESS][0], 0);
}

/* Timer_Discard takes what has asked; what comes after the grant asks anew, what comes
 * before it gets it.
 */
static void discarded(bool before)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	u64 g, next;

	ut_begin("access: a grant is kept for what comes %s it", before ? "before" : "after");
	g = first_grant_ns(&cfg, 1);
	cfg.rlc.discard_ns = 2 * WL_MS;
	cell_fill(&cell, &cfg, FIRST, 1);
	next = before ? g - WL_MS - 1 : g + 1;
	cell_run(&cell, next);
	FATE(&cell, 0, 2 * WL_MS, WLINK_DROP_TIMER);
	cfg.rlc.discard_ns = WL_NEVER_NS;
	cell_configure(&cell, 1, &cfg);
	cell_carry(&cell, 1, FIRST, 1, WL_SEC);
	CHECK_EQ(over(1)->start_ns, before ? g : grant_ns(g, next));
	CHECK_EQ(over(1)->access_ns, over(1)->start_ns - next);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), before ? 1 : 2);
}

/* Without access from 2 ms on, before a TTI begins: what waits goes in it. Without a rate a
 * grant is kept until there is one again.
 */
static void changed(bool silent)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_cfg off = cfg;
	u64 g;

	ut_begin("access: a bearer %s waits on", silent ? "without a rate" : "without access");
	g = first_grant_ns(&cfg, 1);
	off.access.sr_ns = 0;
	if (silent) {
		off = cfg;
		off.rate_bps = WLINK_RATE_SILENT;
	}
	cell_fill(&cell, &cfg, FIRST, 1);
	cell_ask(&cell, 2 * WL_MS, 1, 1, &off);
	cell_ask(&cell, 40 * WL_MS, 2, 1, &cfg);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(over(0)->start_ns, silent ? 40 * WL_MS : 2 * WL_MS);
	CHECK_EQ(over(0)->access_ns, silent ? g : 0);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), 1);
}

/* Another seed has another phase, the first one again its own; of each bearer. */
CASE(access, "access: phases do not follow from the seed")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM), other;
	u32 of[3][3], seed, number;

	other = cfg;
	for (seed = 0; seed < 3; seed++)
		for (number = 1; number <= 3; number++) {
			other.seed = 1 + seed % 2;
			cell_share(&cell, &cfg, 3, &cfg);
			cell_ask(&cell, WL_MS, 1, 1, &other);
			cell.link.pending->reseed = true;
			cell_run(&cell, 5 * WL_MS);
			cell_carry(&cell, number, 1, 1, WL_SEC);
			of[seed][number - 1] = over(0)->start_ns % PERIOD;
		}
	CHECK(memcmp(of[0], of[1], sizeof(of[0])));
	CHECK(!memcmp(of[0], of[2], sizeof(of[0])));
}

/* A call ends within the first grant, after one PDU of four; the next one goes on. */
static void cut_short(enum wlink_sched sched, u32 rb)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM);
	u64 g;

	ut_begin("access: sched %u, %u blocks: a first grant in two calls is none or two",
		 sched, rb);
	say(&cfg, "sched %u rb %u", sched, rb);
	g = first_grant_ns(&cfg, 1);
	cell_play(&cell, &cfg, 500, 1, g - 1);
	cell.link.budget_max = 2;
	while (!wl_link_advance(&cell.link, g))
		CHECK(stat(1, WLINK_STAT_PDUS_SENT) <= 4);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 4);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	cell_run(&cell, g + GRANT - 1);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 4);
	cell_run(&cell, g + GRANT);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 9);
}

/* A first grant of 100 bytes needs 8 of 10 blocks; bearer 2, always busy, has the others. */
CASE(access, "access: a first grant takes more blocks than it needs, or sends more")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_LTE_UM);
	struct wl_cfg other;
	u64 g;

	say(&cfg, "sched prio rb 10");
	other = cfg;
	say(&other, "prio 1 sr off");
	g = first_grant_ns(&cfg, 1);
	cell_share(&cell, &cfg, 2, &other);
	cell_send(&cell, 1, 500, 1);
	cell_send(&cell, 2, 500, 40);
	cell_run(&cell, g - 1);
	CHECK_EQ(stat(1, WLINK_STAT_AIR_BYTES), 0);
	cell_run(&cell, g);
	CHECK_EQ(stat(1, WLINK_STAT_AIR_BYTES), FIRST);
	CHECK_NEAR(stat(2, WLINK_STAT_AIR_BYTES), 125 * (g / WL_MS - 1) + 25, 13);
	cell_run(&cell, g + GRANT - 1);
	CHECK_EQ(stat(1, WLINK_STAT_AIR_BYTES), FIRST);
	cell_run(&cell, g + GRANT);
	CHECK_EQ(stat(1, WLINK_STAT_AIR_BYTES), FIRST + 125);
}

/* What it was for is dropped while the bearer, without a rate, does not send. */
CASE(access, "access: a grant outlasts what it was for")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_cfg silent;
	u64 g, next;

	say(&cfg, "discard_timer 50ms sr_first 125");
	silent = cfg;
	silent.rate_bps = WLINK_RATE_SILENT;
	g = first_grant_ns(&cfg, 1);
	cell_init(&cell, &cfg, 0);
	/* Two are sent, a TTI each. */
	cell_send(&cell, 1, 125, 5);
	cell_ask(&cell, g + GRANT + WL_MS, 1, 1, &silent);
	cell_run(&cell, WL_SEC);
	FATE(&cell, 2, 50 * WL_MS, WLINK_DROP_TIMER);
	CHECK_EQ(cell.bearer[1]->access.state, WL_ACCESS_NONE);
	cell_configure(&cell, 1, &cfg);
	next = WL_SEC + 300 * 1000;
	cell_run(&cell, next);
	cell_carry(&cell, 1, FIRST, 1, 2 * WL_SEC);
	CHECK_EQ(over(5)->start_ns, grant_ns(g, next));
}

/* All is taken away while it waits for the second grant: what comes next waits for a first
 * one, and for no time twice.
 */
CASE(access, "access: a wait that is over goes on")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM);
	struct wl_cfg other;
	u64 g, next;

	cfg.access.grant_ns = 100 * WL_MS;
	g = first_grant_ns(&cfg, 1);
	cell_fill(&cell, &cfg, 500, 1);
	other = cfg;
	other.pdu_bytes = 50;
	cell_ask(&cell, g + 2 * WL_MS, 1, 1, &other);
	next = g + 3 * WL_MS - 1;
	cell_run(&cell, next);
	CHECK_EQ(cell.bearer[1]->access.state, WL_ACCESS_NONE);
	cell_carry(&cell, 1, 20, 1, WL_SEC);
	CHECK_EQ(over(1)->access_ns, over(1)->start_ns - next);
	CHECK(over(1)->start_ns > next + 100 * WL_MS);
}

/* A frame that is to be sent again waits for its request as the access changes: it has a
 * grant from then on, and asks for none.
 */
CASE(access, "access: what is to be sent again has no grant after a change")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_FSR);
	u64 g, at;

	say(&cfg, "rto 200ms sr_grant 50ms");
	g = first_grant_ns(&cfg, 1);
	cell_uniform(&cfg.channel, WLINK_PROB_ONE);
	cell_fill(&cell, &cfg, 1, 1);
	at = g + 205 * WL_MS;
	cell_run(&cell, at);
	CHECK_EQ(cell.bearer[1]->access.state, WL_ACCESS_WAITS);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), 2);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 1);
	cfg.access.grant_ns = GRANT;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, at + 2 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 2);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), 2);
}

/* Without a delay all else is granted from the next TTI on, not in the same one again. */
static void at_once(u32 rb)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM);
	u64 g;

	ut_begin("access: %u blocks: a grant without a delay begins a TTI twice", rb);
	say(&cfg, "sched rr rb %u sr_grant 0", rb);
	g = first_grant_ns(&cfg, 1);
	cell_play(&cell, &cfg, 500, 1, g + WL_MS - 1);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 4);
	cell_run(&cell, g + WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_PDUS_SENT), 9);
}

/* Modes, access, rates, TTIs and HARQ change under way; nothing is lost from the books,
 * parts of no delay are below 0, and at the end nothing is held.
 */
static void anything(u32 seed, enum wlink_sched sched)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_rng rng;
	u32 number;
	u64 i;

	ut_begin("access: sched %u, seed %u: a change under way loses count", sched, seed);
	wl_rng_seed(&rng, seed, WL_RNG_ACCESS, sched);
	cfg.sched = sched;
	cell_share(&cell, &cfg, 3, &cfg);
	for (i = 1; i < 600; i++) {
		struct wl_cfg next = cfg;

		number = 1 + wl_rng_next(&rng) % 3;
		cell_run(&cell, i * 5300 * 1000);
		if (wl_rng_next(&rng) % 2)
			cell_send(&cell, number, 1 + wl_rng_next(&rng) % 400, 2);
		if (wl_rng_next(&rng) % 4)
			continue;
		wl_cfg_set_mode(&next, wl_rng_next(&rng) % __WLINK_MODE_MAX);
		next.rate_bps = wl_rng_next(&rng) % 5 * 500000;
		next.harq.processes = wl_rng_next(&rng) % 3;
		next.harq.bler_q32 = wl_rng_next(&rng) / 2;
		next.rlc.poll_window = 1;
		next.access.sr_ns = wl_rng_next(&rng) % 5 * 5 * WL_MS;
		next.access.grant_ns = wl_rng_next(&rng) % 5 * 700000;
		next.access.first_bytes = 1 + wl_rng_next(&rng) % 200;
		if (!next.access.sr_ns && wl_rng_next(&rng) % 2) {
			next.drx.cycle_ns = 40 * WL_MS;
			next.drx.short_ns = wl_rng_next(&rng) % 2 * 20 * WL_MS;
			next.drx.inactivity_ns = wl_rng_next(&rng) % 30 * WL_MS;
		}
		next.drx.idle_ns = wl_rng_next(&rng) % 4 * 30 * WL_MS;
		next.drx.promotion_ns = wl_rng_next(&rng) % 3 * 10 * WL_MS;
		next.drx.paging_ns = next.access.sr_ns ? 0 : wl_rng_next(&rng) % 3 * 30 * WL_MS;
		if (number == 1 && wl_rng_next(&rng) % 4 == 0)
			next.tti_ns = WL_MS + wl_rng_next(&rng) % 2 * WL_MS;
		cell_configure(&cell, number, &next);
		if (wl_rng_next(&rng) % 8 == 0)
			wl_cell_forward(&cell, number);
		cell_check(&cell);
	}
	for (number = 1; number <= 3; number++)
		cell_configure(&cell, number, &cfg);
	cell_run(&cell, 100 * WL_SEC);
	for (number = 1; number <= 3; number++) {
		CHECK_EQ(stat(number, WLINK_STAT_SDUS_HELD), 0);
		CHECK_EQ(cell.bearer[number]->access.state, WL_ACCESS_NONE);
	}
	for (i = 0; i < cell.sent; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		if (sdu->drop)
			continue;
		CHECK(sdu->access_ns <= sdu->start_ns - sdu->arrival_ns);
		CHECK(sdu->access_tx_ns <= sdu->end_ns - sdu->start_ns);
	}
}

/* What comes as a request could go begins no earlier than that TTI, so it waits for the next. */
CASE(access, "access: a request goes in a TTI that has begun")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	u64 g, at;

	g = first_grant_ns(&cfg, 1);
	at = g - GRANT + WL_SEC;
	cell_run(&cell, at);
	cell_carry(&cell, 1, FIRST, 1, 2 * WL_SEC);
	CHECK_EQ(over(1)->start_ns, at + PERIOD + GRANT);
}

/* Requests go at a phase that is the bearer's first number, from the first TTI on, which is no
 * multiple of the period; a grant in the midst of a TTI is for the next one.
 */
CASE(access, "access: requests are not at their phase, or a TTI begins in the midst")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_rng rng;
	u64 phase;

	cfg.access.grant_ns = GRANT - WL_MS / 2;
	wl_rng_seed(&rng, cfg.seed, WL_RNG_ACCESS, 1);
	phase = mul_u64_u64_shr(wl_rng_next(&rng), PERIOD / WL_MS, 64) * WL_MS;
	cell_init(&cell, &cfg, 7 * WL_MS);
	cell_carry(&cell, 1, FIRST, 1, WL_SEC);
	CHECK_EQ(over(0)->start_ns, 7 * WL_MS + (phase ?: PERIOD) + GRANT);
}

/* Other periods from 2 ms on, which end the wait: the first one is sent from then on, in 16
 * TTIs, and no grant comes while it is; behind it the second one waits for no access.
 */
CASE(access, "access: a wait that a change ends goes on")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM), other = cfg;

	other.access.sr_ns = 2 * PERIOD;
	cell_fill(&cell, &cfg, 2000, 1);
	cell_ask(&cell, 2 * WL_MS, 1, 1, &other);
	cell_run(&cell, 3 * WL_MS);
	cell_carry(&cell, 1, 125, 1, WL_SEC);
	CHECK_EQ(over(0)->access_ns, 2 * WL_MS);
	CHECK_EQ(over(0)->end_ns, 18 * WL_MS);
	CHECK_EQ(over(1)->access_ns, 0);
	CHECK_EQ(over(1)->end_ns, 19 * WL_MS);
	CHECK_EQ(stat(1, WLINK_STAT_ACCESS_REQUESTS), 1);
}

/* The rest of a SDU waits for its grant as another PDU takes it away: the sender is silent from
 * the end of that TTI on, and idle 50 ms later.
 */
CASE(access, "access: what goes while it waits for a grant leaves it idle early")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_UM), other;
	u64 at;

	cfg.drx.idle_ns = 50 * WL_MS;
	other = cfg;
	other.pdu_bytes = 50;
	cell_fill(&cell, &cfg, 300, 1);
	for (at = 0; !cell.bearer[1]->access.waits[1].from_ns; at += WL_MS)
		cell_run(&cell, at);
	cell_ask(&cell, at + WL_MS, 1, 1, &other);
	cell_run(&cell, at + WL_MS);
	CHECK_EQ(cell.bearer[1]->access.state, WL_ACCESS_NONE);
	cell_run(&cell, at + 52 * WL_MS - 1);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_ACTIVE);
	cell_run(&cell, at + 52 * WL_MS);
	CHECK_EQ(cell.bearer[1]->drx.state, WLINK_RRC_IDLE);
}

/* Another PDU puts more SDUs aside than a change may look at, the first 300 of which have been
 * sent, and TTIs are others right behind it: what has not been sent keeps its grant.
 */
CASE(access, "access: what a change puts aside asks again")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_AM), other;
	struct wl_pending_part part;
	struct wl_pending *txn;
	u64 at;

	cfg.delay_ns = WL_SEC;
	other = cfg;
	say(&other, "pdu 50 tti 2ms");
	cell_share(&cell, &cfg, 2, &cfg);
	cell_send(&cell, 2, 23, 600);
	for (at = 0; at < WL_SEC && stat(2, WLINK_STAT_PDUS_SENT) < 300; at += WL_MS)
		cell_run(&cell, at);
	txn = cell_txn(&cell, 1, 1, 2, &other);
	part = txn->part[0];
	txn->part[0] = txn->part[1];
	txn->part[1] = part;
	cell_commit(&cell, at + WL_MS, txn);
	cell_run(&cell, at + WL_MS);
	CHECK_EQ(cell.bearer[2]->access.state, WL_ACCESS_GRANTED);
	cell_run(&cell, at + 5 * WL_MS);
	CHECK_EQ(stat(2, WLINK_STAT_ACCESS_REQUESTS), 1);
}

CASE(access, "access: a period shorter than a TTI, or without one, is taken")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);
	struct wl_refusal why;

	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.tti_ns = PERIOD;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.tti_ns++;
	CHECK_EQ(wl_cfg_check(&cfg, &why), -ERANGE);
	CHECK_EQ(why.min, PERIOD + 1);
	cfg.tti_ns = 0;
	CHECK_EQ(wl_cfg_check(&cfg, &why), -ERANGE);
	CHECK(!strcmp(why.what, "tti with sr"));
	say(&cfg, "tti 1ms sr_first 0");
	CHECK_EQ(wl_cfg_check(&cfg, &why), -ERANGE);
	CHECK(!strcmp(why.what, "sr first"));
}

TEST(access)
{
	enum wlink_sched sched;
	enum wlink_mode mode;
	u32 seed;

	uniform_wait(5 * WL_MS);
	uniform_wait(80 * WL_MS);
	report(25);
	report(0);
	for (mode = WLINK_MODE_TM; mode <= WLINK_MODE_MAX; mode++)
		busy(mode);
	shared(25, 100);
	shared(100, 130);
	shared(500, 70);
	discarded(true);
	discarded(false);
	changed(true);
	changed(false);
	cut_short(WLINK_SCHED_DEDICATED, 0);
	cut_short(WLINK_SCHED_RR, 0);
	cut_short(WLINK_SCHED_RR, 10);
	at_once(0);
	at_once(10);
	for (sched = 0; sched <= WLINK_SCHED_MAX; sched++)
		for (seed = 1; seed <= 4; seed++)
			anything(seed, sched);
}
