// SPDX-License-Identifier: GPL-2.0
/* Transactions: when they take effect, in which order, and what they leave. */
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"

static struct cell cell;

static struct wl_cfg link_of(u64 rate_bps, u64 tti_ns)
{
	return cell_link(WLINK_SCHED_DEDICATED, rate_bps, tti_ns, 0);
}

/* 1000 bytes are 125 ms at 64 kbit/s, of which 75 ms are left at 50 ms. */
CASE(txn, "txn: without a TTI a change is not in force at its time")
{
	struct wl_cfg cfg = link_of(64000, 0);

	cell_play(&cell, &cfg, 1000, 4, 50 * WL_MS - 1);
	cell.now_ns = 50 * WL_MS;
	cfg.rate_bps = 128000;
	cell_ask(&cell, WLINK_AT_NOW, 7, 1, &cfg);
	NOTE(&cell, 0, CELL_RATE, 50 * WL_MS, 1, 1, 128000, 64000);
	NOTE(&cell, 1, CELL_APPLIED, 50 * WL_MS, 1, 0, 7, 1);
	CHECK_EQ(cell.link.generation, 1);
	/* The second is half done at 118.75 ms. */
	cell_run(&cell, 118750 * WL_US);
	FATE(&cell, 0, 87500 * WL_US, WLINK_DROP_NONE);
	cfg.rate_bps = 32000;
	cell_ask(&cell, WLINK_AT_NEXT, 8, 1, &cfg);
	NOTE(&cell, 2, CELL_RATE, 118750 * WL_US, 2, 1, 32000, 128000);
	cfg.rate_bps = 8000000;
	cell_ask(&cell, 300 * WL_MS, 9, 1, &cfg);
	CHECK_EQ(wl_link_next_ns(&cell.link), 243750 * WL_US);
	CHECK_EQ(cell.noted, 4);
	/* At 300 ms 56.25 ms of the third are over, which is 1800 bits; the
	 * 6200 that are left take 0.775 ms, the fourth 1 ms more. A late call
	 * does not make it late.
	 */
	cell_call(&cell, WL_SEC);
	FATE(&cell, 1, 243750 * WL_US, WLINK_DROP_NONE);
	FATE(&cell, 2, 300775 * WL_US, WLINK_DROP_NONE);
	FATE(&cell, 3, 301775 * WL_US, WLINK_DROP_NONE);
	NOTE(&cell, 5, CELL_APPLIED, 300 * WL_MS, 3, 0, 9, 1);
	CHECK_EQ(cell.done[1].sdu.generation, 2);
	CHECK_EQ(cell.done[2].sdu.generation, 3);
	CHECK(!cell.link.pending);
}

/* When one asked for at a time takes effect on a grid of 10 ms from 3 ms on;
 * the engine has been called up to done_ns before.
 */
static void on_grid(u64 done_ns, u64 now_ns, u64 at_ns, u64 wanted_ns)
{
	struct wl_cfg cfg = link_of(64000, 10 * WL_MS);

	cell_init(&cell, &cfg, 3 * WL_MS);
	cell_call(&cell, done_ns);
	cell.now_ns = now_ns;
	cell_ask(&cell, at_ns, 1, 1, &cfg);
	CHECK_EQ(wl_link_next_ns(&cell.link), cell.noted ? WL_NEVER_NS : wanted_ns);
	cell_run(&cell, 2 * WL_SEC);
	NOTE(&cell, 0, CELL_RATE, wanted_ns, 1, 1, 64000, 64000);
	NOTE(&cell, 1, CELL_APPLIED, wanted_ns, 1, 0, 1, 1);
	CHECK_EQ(cell.noted, 2);
}

CASE(txn, "txn: a change is in force off its start of a TTI")
{
	const u64 ms = WL_MS;

	on_grid(15 * ms, 15 * ms, WLINK_AT_NOW, 23 * ms);
	on_grid(15 * ms, 15 * ms, WLINK_AT_NEXT, 23 * ms);
	on_grid(23 * ms - 1, 23 * ms, WLINK_AT_NOW, 23 * ms);
	on_grid(23 * ms - 1, 23 * ms, WLINK_AT_NEXT, 33 * ms);
	/* Too late for a TTI that has begun. */
	on_grid(23 * ms, 23 * ms, WLINK_AT_NOW, 33 * ms);
	on_grid(23 * ms, 23 * ms, WLINK_AT_NEXT, 33 * ms);
	on_grid(23 * ms, 23 * ms, 23 * ms, 33 * ms);
	on_grid(24 * ms, 24 * ms, 33 * ms, 33 * ms);
	on_grid(24 * ms, 24 * ms, 33 * ms + 1, 43 * ms);
	on_grid(24 * ms, 24 * ms, 43 * ms - 1, 43 * ms);
	on_grid(24 * ms, 24 * ms, 999 * ms, 1003 * ms);
	/* A time that has passed is now. */
	on_grid(24 * ms, 24 * ms, 5 * ms, 33 * ms);
	on_grid(24 * ms, 24 * ms, 1, 33 * ms);
}

CASE(txn, "txn: one for a time that has passed turns time back")
{
	struct wl_cfg cfg = link_of(64000, 0);

	cell_play(&cell, &cfg, 1000, 1, 50 * WL_MS);
	cfg.rate_bps = 128000;
	cell_ask(&cell, 20 * WL_MS, 1, 1, &cfg);
	NOTE(&cell, 1, CELL_APPLIED, 50 * WL_MS, 1, 0, 1, 1);
	cell_run(&cell, WL_SEC);
	FATE(&cell, 0, 87500 * WL_US, WLINK_DROP_NONE);
}

/* The first of two that wait for 10 ms takes the TTI away that the other waits for. */
CASE(txn, "txn: one whose TTI another takes away turns time back")
{
	struct wl_cfg cfg = link_of(64000, 10 * WL_MS);

	cell_init(&cell, &cfg, 0);
	cell_run(&cell, WL_MS);
	cfg.tti_ns = 0;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &cfg);
	cell_ask(&cell, WLINK_AT_NEXT, 2, 1, &cfg);
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 1, CELL_APPLIED, 10 * WL_MS, 1, 0, 1, 1);
	NOTE(&cell, 3, CELL_APPLIED, 10 * WL_MS, 2, 0, 2, 1);
}

/* A SDU of 80 bytes is one TTI of 64 kbit/s, and from 30 ms on half of one or
 * two.
 */
CASE(txn, "txn: bearers do not change together")
{
	static const u64 ends_ms[3][8] = {
		{ 20, 30, 40, 50, 60, 70, 80, 90 },
		{ 20, 30, 40, 40, 50, 50, 60, 60 },
		{ 20, 30, 50, 70, 90, 110, 130, 150 },
	};
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, 10 * WL_MS, 40);
	struct wl_cfg other = cell_class(&cfg, 64000);
	struct wl_pending *txn;
	u32 i, j;

	cell_share(&cell, &cfg, 3, &other);
	for (i = 1; i <= 3; i++)
		cell_send(&cell, i, 80, 8);
	cell_run(&cell, 5 * WL_MS);
	txn = wl_ask_new(3, 4);
	wl_ask_part(txn, cell.bearer[1], &cfg);
	other.rate_bps = 128000;
	wl_ask_part(txn, cell.bearer[2], &other);
	other.rate_bps = 32000;
	wl_ask_part(txn, cell.bearer[3], &other);
	cell_commit(&cell, 25 * WL_MS, txn);
	cell_run(&cell, WL_SEC);
	for (i = 0; i < 3; i++)
		for (j = 0; j < 8; j++)
			FATE(&cell, 8 * i + j, ends_ms[i][j] * WL_MS, WLINK_DROP_NONE);
	NOTE(&cell, 0, CELL_RATE, 30 * WL_MS, 1, 1, 64000, 64000);
	NOTE(&cell, 1, CELL_RATE, 30 * WL_MS, 1, 2, 128000, 64000);
	NOTE(&cell, 2, CELL_RATE, 30 * WL_MS, 1, 3, 32000, 64000);
	NOTE(&cell, 3, CELL_APPLIED, 30 * WL_MS, 1, 0, 4, 3);
	/* The end of a TTI comes before a change at the same time. */
	CHECK_EQ(cell.done[1].sdu.generation, 0);
	CHECK_EQ(cell.done[2].sdu.generation, 1);
}

/* By the time that they name, then by the order of the calls. */
static void order(u64 tti_ns)
{
	static const struct {
		u64 at_ms;
		u32 place;
	} asked[] = {
		{ 38, 3 }, { 33, 1 }, { 38, 4 }, { 52, 7 }, { 33, 2 },
		{ 45, 6 }, { 38, 5 }, { 52, 8 },
	};
	struct wl_cfg cfg = link_of(64000, tti_ns);
	u32 i, count = ARRAY_SIZE(asked);
	u64 at_ns, was_bps = 64000;

	ut_begin("txn: those of one time change places, tti %llu", tti_ns);
	cell_init(&cell, &cfg, 0);
	cell_call(&cell, 5 * WL_MS);
	for (i = 0; i < count; i++) {
		cfg.rate_bps = 1000 + asked[i].place;
		cell_ask(&cell, asked[i].at_ms * WL_MS, asked[i].place, 1, &cfg);
	}
	CHECK_EQ(cell.noted, 0);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.noted, 2 * count);
	CHECK_EQ(cell.link.generation, count);
	CHECK_EQ(cell.link.first.cfg.rate_bps, 1008);
	for (i = 0; i < count; i++) {
		u32 place = asked[i].place;

		at_ns = asked[i].at_ms * WL_MS;
		if (tti_ns)
			at_ns = (at_ns + tti_ns - 1) / tti_ns * tti_ns;
		was_bps = place == 1 ? 64000 : 1000 + place - 1;
		NOTE(&cell, 2 * place - 2, CELL_RATE, at_ns, place, 1, 1000 + place, was_bps);
		NOTE(&cell, 2 * place - 1, CELL_APPLIED, at_ns, place, 0, place, 1);
	}
}

/* In the ms number k, from 0, the rate is (k + 1) * 8 kbit/s: after n ms there
 * are 4 n (n + 1) bits. 7920 of 8000 after 44 ms; then 45 * 8 bit/ms.
 */
static void many_wait(u32 budget_max)
{
	struct wl_cfg cfg = link_of(8000, 0);

	ut_begin("txn: of many that wait some are late, a budget of %u a call", budget_max);
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = budget_max;
	cell_send(&cell, 1, 1000, 1);
	cell_call(&cell, 1);
	/* The last first. */
	for (u32 i = 100; i > 0; i--) {
		cfg.rate_bps = (i + 1) * 8000;
		cell_ask(&cell, i * WL_MS, i, 1, &cfg);
	}
	while (!cell_call(&cell, WL_SEC))
		;
	FATE(&cell, 0, 44222223, WLINK_DROP_NONE);
	CHECK_EQ(cell.done[0].sdu.generation, 44);
	for (u32 i = 1; i <= 100; i++)
		NOTE(&cell, 2 * i - 1, CELL_APPLIED, i * WL_MS, i, 0, i, 1);
	CHECK_EQ(cell.noted, 200);
}

CASE(txn, "txn: one that waits for a bearer that is deleted")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 64000, 10 * WL_MS, 40);
	struct wl_cfg other = cell_class(&cfg, 64000);

	cell_share(&cell, &cfg, 4, &other);
	cell_call(&cell, WL_MS);
	other.rate_bps = 1000;
	cell_commit(&cell, 50 * WL_MS, cell_txn(&cell, 1, 2, 4, &other));
	other.rate_bps = 2000;
	cell_ask(&cell, 60 * WL_MS, 2, 3, &other);
	cell_call(&cell, 2 * WL_MS);
	cell_del(&cell, 3);
	/* A new one of the same number is another bearer. */
	other.rate_bps = 9000;
	cell_add(&cell, 3, 3, &other);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.noted, 4);
	NOTE(&cell, 0, CELL_RATE, 50 * WL_MS, 1, 2, 1000, 64000);
	NOTE(&cell, 1, CELL_RATE, 50 * WL_MS, 1, 4, 1000, 64000);
	NOTE(&cell, 2, CELL_APPLIED, 50 * WL_MS, 1, 0, 1, 3);
	NOTE(&cell, 3, CELL_APPLIED, 60 * WL_MS, 2, 0, 2, 1);
	CHECK_EQ(cell.bearer[3]->cfg.rate_bps, 9000);
}

/* The first has been applied to bearer 2 and 3 of 4 when all is cancelled: it goes on, and
 * only the second is given back.
 */
CASE(txn, "txn: one that is cancelled takes effect, or one that has begun does not")
{
	struct wl_cfg cfg = link_of(64000, 0);
	struct wl_cfg other = cell_class(&cfg, 64000);
	struct wl_pending *off;

	cell_share(&cell, &cfg, 4, &other);
	cell_call(&cell, WL_MS);
	other.rate_bps = 1000;
	cell_commit(&cell, 50 * WL_MS, cell_txn(&cell, 1, 2, 4, &other));
	other.rate_bps = 2000;
	cell_ask(&cell, 60 * WL_MS, 2, 3, &other);
	cell.link.budget_max = 1;
	while (!cell.link.pending->done)
		CHECK(!cell_call(&cell, 50 * WL_MS));
	off = wl_link_cancel(&cell.link);
	CHECK(off && !off->next);
	CHECK(cell.link.pending && !cell.link.pending->next);
	wl_ask_put(off);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell.noted, 4);
	NOTE(&cell, 3, CELL_APPLIED, 50 * WL_MS, 1, 0, 1, 3);
	CHECK_EQ(cell.bearer[3]->cfg.rate_bps, 1000);
	cell_ask(&cell, 2 * WL_SEC, 3, 3, &other);
	off = wl_link_cancel(&cell.link);
	CHECK(off && !off->next && !cell.link.pending);
	wl_ask_put(off);
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
	CHECK(!wl_link_cancel(&cell.link));
}

CASE(txn, "txn: a flush takes what waits with it, or moves it off the grid")
{
	struct wl_cfg cfg = link_of(64000, 10 * WL_MS);

	cell_fill(&cell, &cfg, 1000, 3);
	cell_call(&cell, 15 * WL_MS);
	cfg.rate_bps = 2000;
	cell_ask(&cell, 5 * WL_SEC, 2, 1, &cfg);
	cfg.rate_bps = 1000;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &cfg);
	wl_link_flush(&cell.link, 15 * WL_MS);
	CHECK_EQ(cell.noted, 0);
	CHECK_EQ(cell.count, 3);
	cell_run(&cell, 6 * WL_SEC);
	/* TTIs start 5 ms later than before. */
	CHECK_EQ(cell.noted, 4);
	NOTE(&cell, 1, CELL_APPLIED, 25 * WL_MS, 1, 0, 1, 1);
	NOTE(&cell, 3, CELL_APPLIED, 5005 * WL_MS, 2, 0, 2, 1);
	CHECK_EQ(cell.link.first.cfg.rate_bps, 2000);
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
}

/* What waits is put on the grid that there is when it takes effect. */
CASE(txn, "txn: one that waits does not see a new grid")
{
	struct wl_cfg cfg = link_of(64000, 0);

	cell_init(&cell, &cfg, 0);
	cell_call(&cell, WL_MS);
	cell_ask(&cell, 33 * WL_MS, 2, 1, &cfg);
	cfg.tti_ns = 10 * WL_MS;
	cell_ask(&cell, 17 * WL_MS, 1, 1, &cfg);
	cell_call(&cell, 20 * WL_MS);
	/* TTIs start at 17, 27, 37 ms; and then there are none again. */
	cell_ask(&cell, 41 * WL_MS, 3, 1, &cfg);
	cell_run(&cell, WL_SEC);
	NOTE(&cell, 1, CELL_APPLIED, 17 * WL_MS, 1, 0, 1, 1);
	NOTE(&cell, 3, CELL_APPLIED, 37 * WL_MS, 2, 0, 2, 1);
	/* The third sets up another grid, from its own time on. */
	NOTE(&cell, 5, CELL_APPLIED, 41 * WL_MS, 3, 0, 3, 1);
}

/* Ten transactions, four of them with a new PDU on its way, lose nothing. */
static void queue_survives(enum wlink_mode mode, u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, tti_ns, 40);

	ut_begin("txn: a change takes from the queue, mode %d, tti %llu", mode, tti_ns);
	wl_cfg_set_mode(&cfg, mode);
	cell_fill(&cell, &cfg, 500, 40);
	for (u32 i = 1; i <= 10; i++) {
		cfg.rate_bps = i % 2 ? 384000 : 64000;
		cfg.delay_ns = i % 3 * 5 * WL_MS;
		cell_ask(&cell, (30 * i + 7) * WL_MS, i, 1, &cfg);
	}
	cell_run(&cell, 100 * WL_SEC);
	CHECK_EQ(cell.link.generation, 10);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_SDUS_DELIVERED], 40);
	for (u32 i = 0; i < 40; i++)
		CHECK_EQ(cell.done[i].order, i);
}

/* Ten SDUs of 100 bytes at 8 kbit/s, so that after 50 ms only the first has
 * been begun. Four fit: it and three others.
 */
static void smaller_limit(enum wlink_mode mode, enum wlink_aqm kind, bool head,
			  u64 tti_ns, enum wl_limit_kind unit)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, tti_ns, 40);
	u64 from_ns = tti_ns ? 60 * WL_MS : 50 * WL_MS;
	u32 i, first = head ? 1 : 4;

	wl_cfg_set_mode(&cfg, mode);
	wl_aqm_default(&cfg.aqm, kind);
	cfg.aqm.minth = 50;
	cfg.aqm.maxp_q32 = 1;
	say(&cfg, "tr 1s target 100s");
	cfg.aqm.head = head;
	cell_play(&cell, &cfg, 100, 10, 50 * WL_MS);
	cfg.limit.kind = unit;
	cfg.limit.value = unit == WL_LIMIT_PACKETS ? 4 :
			  unit == WL_LIMIT_BYTES ? 499 : 499 * WL_MS;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &cfg);
	cell_run(&cell, from_ns);
	CHECK_EQ(cell.count, 6);
	for (i = first; i < first + 6; i++)
		FATE(&cell, i, from_ns, WLINK_DROP_OVERFLOW);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], 4);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_BYTES], 400);
	CHECK_EQ(cell.link.first.stats.drops[WLINK_DROP_OVERFLOW], 6);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BYTES_DROPPED], 600);
	cell_run(&cell, 100 * WL_SEC);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_SDUS_DELIVERED], 4);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_SDUS_HELD], 0);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], 0);
	if (ut_failed())
		ut_check(false, UT_WHERE, "mode %d, aqm %d, tti %llu, unit %d",
			 mode, kind, tti_ns, unit);
}

static void smaller_limits(enum wlink_aqm kind, bool head)
{
	u32 mode, unit;

	ut_begin("txn: a smaller limit takes the wrong SDUs, aqm %d, head %d", kind, head);
	for (mode = 0; mode < WLINK_MODE_ASR + 1; mode++)
		for (unit = 0; unit <= WL_LIMIT_TIME; unit++) {
			smaller_limit(mode, kind, head, 0, unit);
			smaller_limit(mode, kind, head, 20 * WL_MS, unit);
		}
}

/* The one that has been begun stays, however small the limit. */
CASE(txn, "txn: a limit takes what has been begun")
{
	struct wl_cfg cfg = link_of(8000, 0);

	cell_play(&cell, &cfg, 100, 3, 50 * WL_MS);
	cfg.limit.kind = WL_LIMIT_BYTES;
	cfg.limit.value = 1;
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &cfg);
	CHECK_EQ(cell.count, 2);
	/* Where none has been begun, the first of them does not fit, but an
	 * empty buffer takes any.
	 */
	cell_run(&cell, 200 * WL_MS);
	FATE(&cell, 0, 100 * WL_MS, WLINK_DROP_NONE);

	cfg = link_of(8000, 10 * WL_MS);
	cell_init(&cell, &cfg, 0);
	cell_call(&cell, 5 * WL_MS);
	cfg.limit.kind = WL_LIMIT_BYTES;
	cfg.limit.value = 1;
	cell_ask(&cell, 10 * WL_MS, 1, 1, &cfg);
	cell_carry(&cell, 1, 100, 3, WL_SEC);
	FATE(&cell, 1, 10 * WL_MS, WLINK_DROP_OVERFLOW);
	FATE(&cell, 2, 10 * WL_MS, WLINK_DROP_OVERFLOW);
	/* 10 bytes a TTI from 10 ms on. */
	FATE(&cell, 0, 110 * WL_MS, WLINK_DROP_NONE);
}

/* The link becomes a plain one while the other bearer has not heard of its scheduler. */
CASE(txn, "txn: what no bearer is left to hear is told for ever")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 64000, 0, 0);

	cell_share(&cell, &cfg, 2, &cfg);
	cell_run(&cell, 10 * WL_MS);
	cfg.sched = WLINK_SCHED_DEDICATED;
	CHECK(wl_ask(&cell.link, cell.bearer[1], cell.now_ns, &cfg, false));
	cell.link.budget_max = 1;
	while (!cell.link.news)
		CHECK(!cell_call(&cell, cell.now_ns));
	cell_del(&cell, 2);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	CHECK(cell_call(&cell, cell.now_ns));
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
}

TEST(txn)
{
	order(0);
	order(10 * WL_MS);
	many_wait(WL_LINK_BUDGET_MAX);
	many_wait(1);
	queue_survives(WLINK_MODE_TM, 0);
	queue_survives(WLINK_MODE_UM, 10 * WL_MS);
	queue_survives(WLINK_MODE_AM, 0);
	queue_survives(WLINK_MODE_AM, 10 * WL_MS);
	queue_survives(WLINK_MODE_FSR, 0);
	smaller_limits(WLINK_AQM_DROPTAIL, false);
	smaller_limits(WLINK_AQM_RED, true);
	smaller_limits(WLINK_AQM_RED, false);
	smaller_limits(WLINK_AQM_SBD, true);
	smaller_limits(WLINK_AQM_SBD, false);
	smaller_limits(WLINK_AQM_CODEL, false);
}
