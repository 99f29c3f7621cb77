// SPDX-License-Identifier: GPL-2.0
/*
 * Limits that become smaller, and what the AQM is told of the buffer. 8 kbit/s: 100 bytes take
 * 100 ms; in a link with a TTI of 1 s nothing is begun before that.
 */
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "core/buffer/buffer.h"
#include "core/buffer/sdu.h"

static struct cell cell;

static u64 stat(enum wlink_stat which)
{
	return cell_stat(&cell, which);
}

static struct wl_cfg waiting(enum wlink_aqm kind, bool head)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, WL_SEC, 0);

	wl_aqm_default(&cfg.aqm, kind);
	say(&cfg, "minth 1000000 maxth 2000000");
	cfg.aqm.head = head;
	return cfg;
}

static void limit(const struct wl_cfg *cfg, enum wl_limit_kind kind, u64 value)
{
	struct wl_cfg small = *cfg;

	small.limit.kind = kind;
	small.limit.value = value;
	cell_configure(&cell, 1, &small);
	/* It is in force with the next TTI. */
	cell_run(&cell, cell.now_ns + WL_SEC);
}

/* Those of count that a limit has dropped, one bit each. */
static u32 gone(u32 count)
{
	u32 i, bits = 0;

	for (i = 0; i < count; i++)
		if (cell.done[i].sdu.drop == WLINK_DROP_OVERFLOW)
			bits |= 1U << i;
	return bits;
}

static u32 left_of_five(enum wlink_aqm kind, bool head, enum wl_limit_kind to, u64 value)
{
	struct wl_cfg cfg = waiting(kind, head);
	u32 bits;

	cell_fill(&cell, &cfg, 100, 5);
	cell_call(&cell, 0);
	limit(&cfg, to, value);
	bits = gone(5);
	cell_check(&cell);
	return bits;
}

CASE(trim, "trim: the wrong end of the buffer goes, or too much of it")
{
	enum wlink_aqm kind;

	for (kind = WLINK_AQM_RED; kind <= WLINK_AQM_SBD; kind++) {
		CHECK_EQ(left_of_five(kind, true, WL_LIMIT_PACKETS, 3), 0x03);
		CHECK_EQ(left_of_five(kind, true, WL_LIMIT_BYTES, 300), 0x03);
		CHECK_EQ(left_of_five(kind, false, WL_LIMIT_PACKETS, 3), 0x18);
		CHECK_EQ(left_of_five(kind, false, WL_LIMIT_BYTES, 300), 0x18);
		/* One may be larger than the limit. */
		CHECK_EQ(left_of_five(kind, true, WL_LIMIT_BYTES, 10), 0x0f);
		CHECK_EQ(left_of_five(kind, false, WL_LIMIT_BYTES, 10), 0x1e);
	}
	CHECK_EQ(left_of_five(WLINK_AQM_DROPTAIL, false, WL_LIMIT_PACKETS, 3), 0x18);
}

/* The first one is on the air. */
static void begun(enum wl_limit_kind kind, u64 value)
{
	struct wl_cfg cfg = waiting(WLINK_AQM_DROPTAIL, false);

	cfg.tti_ns = 0;
	cell_fill(&cell, &cfg, 100, 5);
	cell_call(&cell, 0);
	limit(&cfg, kind, value);
	CHECK_EQ(gone(5), 0x18);
}

static void what_stays(void)
{
	struct wl_cfg cfg = waiting(WLINK_AQM_DROPTAIL, false);

	ut_begin("trim: what has been begun counts twice");
	begun(WL_LIMIT_PACKETS, 3);
	begun(WL_LIMIT_BYTES, 300);

	ut_begin("trim: a SDU stays behind one that does not fit");
	cell_fill(&cell, &cfg, 100, 2);
	cell_send(&cell, 1, 1000, 1);
	cell_send(&cell, 1, 50, 1);
	cell_call(&cell, 0);
	limit(&cfg, WL_LIMIT_BYTES, 300);
	CHECK_EQ(gone(4), 0x0c);

	ut_begin("trim: a limit of as many bytes as it was SDUs is none");
	cfg.limit.value = 300;
	cell_fill(&cell, &cfg, 100, 5);
	cell_call(&cell, 0);
	limit(&cfg, WL_LIMIT_BYTES, 300);
	CHECK_EQ(gone(5), 0x18);
}

/* 10 SDUs, a limit of 5, and after three of them another takes the first. */
CASE(trim, "trim: what is taken meanwhile is counted as what stays")
{
	struct wl_cfg cfg = waiting(WLINK_AQM_DROPTAIL, false);
	struct wl_bearer *b;

	cell_fill(&cell, &cfg, 100, 10);
	cell_call(&cell, 0);
	b = cell.bearer[1];
	b->cfg.limit.value = 5;
	b->trim = (struct wl_trim){ .on = true };
	cell.link.budget = 3;
	CHECK(!wl_buffer_trim(b, 0));
	wl_buffer_drop_first(b, 0, WLINK_DROP_TIMER);
	cell.link.budget = 100;
	CHECK(wl_buffer_trim(b, 0));
	CHECK_EQ(stat(WLINK_STAT_BUFFER_SDUS), 5);
	CHECK_EQ(gone(10), 0x3c0);
}

CASE(trim, "trim: the most that has been there is what there is")
{
	struct wl_cfg cfg = waiting(WLINK_AQM_DROPTAIL, false);

	cfg.tti_ns = 0;
	cell_play(&cell, &cfg, 100, 5, WL_SEC);
	cell_carry(&cell, 1, 10, 1, 2 * WL_SEC);
	CHECK_EQ(stat(WLINK_STAT_BUFFER_SDUS_MAX), 5);
	CHECK_EQ(stat(WLINK_STAT_BUFFER_BYTES_MAX), 500);
	CHECK_EQ(cell.done[4].sdu.buffer_sdus, 5);
	CHECK_EQ(cell.done[5].sdu.buffer_sdus, 1);
}

/* --- What the AQM is told. --- */

static void thresholds(void)
{
	struct wl_cfg cfg = waiting(WLINK_AQM_RED, false);
	u64 maxth;

	ut_begin("trim: RED counts SDUs where it should count bytes");
	say(&cfg, "unit bytes minth 399 maxth 400");
	cell_fill(&cell, &cfg, 100, 6);
	cell_call(&cell, 0);
	FATE(&cell, 4, 0, WLINK_DROP_AQM);
	FATE(&cell, 5, 0, WLINK_DROP_AQM);
	CHECK_EQ(cell.count, 2);

	ut_begin("trim: maxth is not that of a smaller limit");
	cfg = waiting(WLINK_AQM_RED, false);
	say(&cfg, "minth 1 maxth 0 limit 100");
	cell_init(&cell, &cfg, 0);
	maxth = cell.bearer[1]->aqm.maxth;
	limit(&cfg, WL_LIMIT_PACKETS, 50);
	CHECK(cell.bearer[1]->aqm.maxth < maxth);
	CHECK_EQ(cell.bearer[1]->aqm.maxth,
		 wl_aqm_maxth(&cell.bearer[1]->cfg.aqm, &cell.bearer[1]->cfg));
}

/* A weight of 1/2, and SDUs of 1000 bytes, which take a second each: what is left of an average
 * of 4 after n of them is 4 / 2^n, half of it after the arrival.
 */
CASE(trim, "trim: RED's average does not fall as long as nothing is there, or falls later")
{
	struct wl_cfg cfg = waiting(WLINK_AQM_RED, false);
	struct wl_red *red;

	say(&cfg, "tti 0 weight 0.5 sdu 1000");
	cell_init(&cell, &cfg, 0);
	red = &cell.bearer[1]->aqm.red;
	cell_run(&cell, 10 * WL_SEC);
	red->avg_q24 = 4 << 24;
	cell_send(&cell, 1, 1000, 1);
	cell_call(&cell, 10 * WL_SEC);
	CHECK(red->avg_q24 < 1 << 24);
	red->avg_q24 = 4 << 24;
	cell_send(&cell, 1, 1000, 1);
	cell_call(&cell, 10 * WL_SEC);
	/* It has found one. */
	CHECK_EQ(red->avg_q24, 5 << 23);
	cell_run(&cell, 13 * WL_SEC);
	red->avg_q24 = 4 << 24;
	cell_send(&cell, 1, 1000, 1);
	cell_call(&cell, 13 * WL_SEC);
	CHECK_EQ(red->avg_q24, 1 << 24);
}

/* The 20 that come at once are too many for SBD, and the next second takes none. */
CASE(trim, "trim: a timer of SBD expires after its time")
{
	struct wl_cfg cfg = waiting(WLINK_AQM_SBD, false);
	struct wl_sbd *sbd;
	u64 end_ns;

	say(&cfg, "tti 0 minth 10 maxth 100");
	cfg.aqm.alpha = 20;
	cfg.aqm.tr_ns = WL_SEC;
	cell_init(&cell, &cfg, 0);
	sbd = &cell.bearer[1]->aqm.sbd;
	cell_carry(&cell, 1, 1000, 30, WL_MS);
	end_ns = sbd->end_ns;
	CHECK_EQ(end_ns, WL_SEC);
	cell_run(&cell, end_ns - 1);
	CHECK_EQ(sbd->end_ns, end_ns);
	CHECK(wl_link_advance(&cell.link, end_ns));
	CHECK(sbd->end_ns > end_ns && sbd->end_ns != WL_NEVER_NS);
}

/* A SDU has come and gone before. */
CASE(trim, "trim: one that is dropped from an empty buffer stays there")
{
	struct wl_cfg cfg = waiting(WLINK_AQM_RED, false);

	cfg.tti_ns = 0;
	cfg.aqm.weight_q32 = 1;
	say(&cfg, "minth 1 maxth 2");
	cell_play(&cell, &cfg, 100, 1, WL_SEC);
	cell.bearer[1]->aqm.red.avg_q24 = 10 << 24;
	cell_send(&cell, 1, 100, 1);
	cell_call(&cell, WL_SEC);
	FATE(&cell, 1, WL_SEC, WLINK_DROP_AQM);
	CHECK(!cell.bearer[1]->queue.head);
}

/* --- The one that is about to be begun. --- */

static struct wl_cfg codel(u64 interval_ns)
{
	struct wl_cfg cfg = waiting(WLINK_AQM_CODEL, false);

	say(&cfg, "target 1ms interval %lluns", interval_ns);
	return cfg;
}

CASE(trim, "trim: a SDU is asked for twice")
{
	struct wl_cfg cfg = codel(100 * WL_MS);

	cell_fill(&cell, &cfg, 100, 5);
	cell_call(&cell, 0);
	cell.link.budget = 100;
	wl_buffer_front(cell.bearer[1], 10 * WL_MS);
	wl_buffer_front(cell.bearer[1], 500 * WL_MS);
	CHECK_EQ(stat(WLINK_STAT_BUFFER_SDUS), 5);
}

/* As the third is to be begun a second has gone by, but the fourth is all that is behind it. */
CASE(trim, "trim: CoDel takes one that leaves no more than a SDU")
{
	struct wl_cfg cfg = codel(100 * WL_MS);

	cfg.tti_ns = 0;
	cell_play(&cell, &cfg, 1000, 4, 20 * WL_SEC);
	CHECK_EQ(cell.bearer[1]->stats.drops[WLINK_DROP_AQM], 0);
}

/* The window is full. */
CASE(trim, "trim: a SDU is asked for that is not next")
{
	struct wl_cfg cfg = codel(100 * WL_MS);

	say(&cfg, "mode fsr tti 0 delay 10s window 1");
	cell_play(&cell, &cfg, 100, 2, WL_SEC);
	cell.link.budget = 100;
	wl_buffer_front(cell.bearer[1], WL_SEC);
	CHECK(!(cell.bearer[1]->fresh->flags & WL_SDU_FRONT));
}

/* SDUs that have been there for long, each 100 ms on the air: thousands are due at once. */
CASE(trim, "trim: an AQM takes more, or less, at one time than it may")
{
	struct wl_cfg cfg = codel(WL_US);
	u32 i, run = 0, full = 0;
	u64 last_ns = 0;

	cfg.tti_ns = 0;
	cell_play(&cell, &cfg, 100, 10000, 1000 * WL_SEC);
	CHECK_EQ(cell.count, 10000);
	for (i = 0; i < 10000; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		if (sdu->drop != WLINK_DROP_AQM)
			continue;
		run = sdu->deliver_ns == last_ns ? run + 1 : 1;
		last_ns = sdu->deliver_ns;
		CHECK(run <= 1024);
		full += run == 1024;
	}
	CHECK(full >= 3);
}

/* --- Descriptors. --- */

static u32 pool(void)
{
	const struct wl_sdu *sdu;
	u32 count = 0;

	for (sdu = cell.link.pool; sdu; sdu = sdu->next)
		count++;
	return count;
}

CASE(trim, "trim: descriptors behind the 64th do not go back")
{
	struct wl_cfg cfg = waiting(WLINK_AQM_DROPTAIL, false);
	struct wl_sdu *sdu;
	struct wl_bearer *b;
	u32 before;

	wl_cfg_set_mode(&cfg, WLINK_MODE_FSR);
	/* By hand, and so not to be checked. */
	wl_cell_init(&cell, &cfg, 0, CELL_SDUS);
	cell_send(&cell, 1, 100, 100);
	cell_call(&cell, 0);
	b = cell.bearer[1];
	for (sdu = b->queue.head->next; sdu; sdu = sdu->next)
		sdu->flags |= WL_SDU_RELEASED | WL_SDU_GONE;
	before = pool();
	wl_sdu_release(b, b->queue.head);
	CHECK(!b->again);
	wl_sdu_gone(b, b->queue.head);
	CHECK_EQ(pool(), before + 64);
	CHECK(b->again);
	wl_cell_free(&cell);
}

/* All have been sent; of the second both peers know that it is there. */
CASE(trim, "trim: a flush loses descriptors, or when a SDU has left the buffer")
{
	struct wl_cfg cfg = waiting(WLINK_AQM_DROPTAIL, false);
	struct wl_bearer *b;

	say(&cfg, "mode fsr tti 0 delay 10s");
	wl_cell_init(&cell, &cfg, 0, CELL_SDUS);
	cell_carry(&cell, 1, 100, 3, WL_SEC);
	b = cell.bearer[1];
	CHECK_EQ(b->queue.head->end_ns, 100 * WL_MS);
	wl_sdu_release(b, b->queue.head->next);
	wl_sdu_gone(b, b->queue.head->next);
	CHECK_EQ(pool(), cell.link.descriptors - 3);
	wl_link_flush(&cell.link, WL_SEC);
	FATE(&cell, 0, WL_SEC, WLINK_DROP_FLUSH);
	FATE(&cell, 2, WL_SEC, WLINK_DROP_FLUSH);
	CHECK_EQ(pool(), cell.link.descriptors);
	wl_cell_free(&cell);
}

TEST(trim)
{
	what_stays();
	thresholds();
}
