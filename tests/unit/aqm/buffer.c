// SPDX-License-Identifier: GPL-2.0
/*
 * Which SDU goes, or is marked, when the AQM wants one to go. What has been
 * begun stays. The AQM here is one that wants it at each arrival that finds
 * four SDUs or more.
 */
#include "cell.h"
#include "say.h"
#include "ut.h"

#define FULL	4
#define MS(n)	((n) * WL_MS)

static struct cell cell;

static void full_at_four(struct wl_cfg *cfg, bool head, bool ecn)
{
	wl_aqm_default(&cfg->aqm, WLINK_AQM_RED);
	cfg->aqm.minth = FULL - 1;
	say(cfg, "maxth %d maxp 1", FULL);
	cfg->aqm.head = head;
	cfg->aqm.ecn = ecn;
}

/* Four SDUs of 100 bytes at 8 kbit/s, and to now_ns. */
static void begin(const struct wl_cfg *cfg, u64 now_ns, u8 ecn)
{
	cell_init(&cell, cfg, 0);
	cell_send_ecn(&cell, 1, 100, FULL, ecn);
	cell_run(&cell, now_ns);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], FULL);
}

static struct wl_cfg bearer(enum wlink_mode mode, u64 tti_ns, u32 pdu_bytes, bool head)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, tti_ns, pdu_bytes);

	wl_cfg_set_mode(&cfg, mode);
	full_at_four(&cfg, head, false);
	return cfg;
}

static void drain(const struct wl_cfg *cfg)
{
	const struct wl_stats *stats = &cell.link.first.stats;

	cell_run(&cell, 1000 * WL_SEC);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_HELD], 0);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_SDUS], 0);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED] + stats->drops[WLINK_DROP_AQM],
		 stats->v[WLINK_STAT_SDUS_IN]);
	if (ut_failed())
		ut_check(false, UT_WHERE, "mode %d, tti %llu, head %d",
			 cfg->mode, cfg->tti_ns, cfg->aqm.head);
}

static void finish(const struct wl_cfg *cfg)
{
	drain(cfg);
}

/* Two arrivals take first and second, which are themselves or are not. */
static void two_more(u32 first, u32 second, u32 self)
{
	u64 now_ns = cell.now_ns;

	cell_send(&cell, 1, 100, 2);
	cell_call(&cell, now_ns);
	FATE(&cell, first, now_ns, WLINK_DROP_AQM);
	FATE(&cell, second, now_ns, WLINK_DROP_AQM);
	CHECK_EQ(cell.count, 2);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_BUFFER_SDUS], FULL);
	CHECK_EQ(cell.link.first.stats.drops[WLINK_DROP_AQM], 2);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_AQM_SELF], self);
}

/* 1 ms is before the first TTI of 1 s begins. */
static void nothing_begun(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode, WL_SEC, 40, true);

	begin(&cfg, MS(1), WL_ECN_NOT_ECT);
	two_more(0, 1, 0);
	finish(&cfg);
	cfg.aqm.head = 0;
	begin(&cfg, MS(1), WL_ECN_NOT_ECT);
	two_more(4, 5, 2);
	finish(&cfg);
}

/* After 50 ms a PDU of 40 bytes has gone and the next one is on the air. */
static void partly_begun(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode, 0, 40, true);

	begin(&cfg, MS(50), WL_ECN_NOT_ECT);
	two_more(1, 2, 0);
	/* And then the ones that are left: 3, 4, of 4 to 7. */
	cell_send(&cell, 1, 100, 2);
	cell_call(&cell, cell.now_ns);
	FATE(&cell, 3, MS(50), WLINK_DROP_AQM);
	FATE(&cell, 4, MS(50), WLINK_DROP_AQM);
	finish(&cfg);
	cfg.aqm.head = 0;
	begin(&cfg, MS(50), WL_ECN_NOT_ECT);
	two_more(4, 5, 2);
	finish(&cfg);
}

/* A TTI of 1 s carries 1000 bytes, and all can be on their way for 10 s. The
 * first that has not been begun is then the one that arrives.
 */
static void everything_begun(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode, WL_SEC, 410, true);
	u64 now_ns = MS(1500);

	if (mode >= WLINK_MODE_FSR) {
		say(&cfg, "tti 0 delay 10s rto 30s");
		now_ns = MS(600);
	}
	begin(&cfg, now_ns, WL_ECN_NOT_ECT);
	CHECK_EQ(cell.link.first.unbegun_bytes, 0);
	two_more(4, 5, 2);
	finish(&cfg);
}

static void is_ecn(u32 seq, u8 ecn)
{
	CHECK_EQ(cell.done[seq].sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(cell.done[seq].sdu.ecn, ecn);
}

/* After 50 ms SDU 0 has been begun, so that 1 is marked first; the second time
 * it is marked already.
 */
static void marks(enum wlink_mode mode, u8 ect)
{
	struct wl_cfg cfg = bearer(mode, 0, 40, true);

	cfg.aqm.ecn = 1;
	begin(&cfg, MS(50), ect);
	cell_send_ecn(&cell, 1, 100, 2, ect);
	cell_call(&cell, MS(50));
	CHECK_EQ(cell.count, 0);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_MARKS], 2);
	/* This one cannot be marked, and SDU 1 says it already. */
	cell_send(&cell, 1, 100, 1);
	cell_call(&cell, MS(50));
	FATE(&cell, 6, MS(50), WLINK_DROP_AQM);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_AQM_SELF], 1);
	drain(&cfg);
	for (u32 i = 0; i < 6; i++)
		is_ecn(i, i == 1 || i == 5 ? WL_ECN_CE | WL_ECN_MARKED : ect);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_MARKS], 2);
	cfg.aqm.head = 0;
	begin(&cfg, MS(50), ect);
	cell_send_ecn(&cell, 1, 100, 2, ect);
	drain(&cfg);
	for (u32 i = 0; i < 6; i++)
		is_ecn(i, i > 3 ? WL_ECN_CE | WL_ECN_MARKED : ect);
}

/* What came with CE says it already, and what is not capable is dropped. */
static void no_marks(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode, 0, 40, true);

	cfg.aqm.ecn = 1;
	begin(&cfg, MS(50), WL_ECN_CE);
	cell_send_ecn(&cell, 1, 100, 2, WL_ECN_CE);
	drain(&cfg);
	for (u32 i = 0; i < 6; i++)
		is_ecn(i, WL_ECN_CE);
	begin(&cfg, MS(50), WL_ECN_NOT_ECT);
	two_more(1, 2, 0);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_MARKS], 0);
	finish(&cfg);
	/* Without ecn all are dropped. */
	cfg.aqm.ecn = 0;
	begin(&cfg, MS(50), WL_ECN_ECT0);
	two_more(1, 2, 0);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_MARKS], 0);
	finish(&cfg);
}

/*
 * SDUs of 10 ms each, 40 of them at once: without drops number k is begun at
 * 10 k ms. From 10 ms on they have been there for more than 5 ms; 100 ms later
 * number 11 is dropped and 12 goes in its place. Next after 100 ms at 210 ms,
 * where 22 would be begun, after 100 / sqrt(2) at 280.7 ms (31, at 290 ms) and
 * after 100 / sqrt(3) at 338.4 ms (37, at 340 ms); after 50 ms nothing is left. Where they
 * are marked all of them go, so that these are 11, 21, 29 and 34.
 */
static void codel(enum wlink_mode mode, u64 tti_ns, bool ecn)
{
	static const u32 gone[][4] = { { 11, 22, 31, 37 }, { 11, 21, 29, 34 } };
	static const u64 at_ms[] = { 110, 210, 290, 340 };
	/* In AM and UM a byte of each PDU is the length indicator. */
	u32 pdu_bytes = mode == WLINK_MODE_TM ? 100 : 101;
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 800 * pdu_bytes, tti_ns, pdu_bytes);
	u64 from_ns = tti_ns;
	u32 i, j;

	wl_cfg_set_mode(&cfg, mode);
	say(&cfg, "window 128 aqm codel");
	cfg.aqm.ecn = ecn;
	if (tti_ns)
		from_ns = tti_ns;
	cell_init(&cell, &cfg, 0);
	if (tti_ns)
		cell_run(&cell, tti_ns - 1);
	cell_send_ecn(&cell, 1, 100, 40, ecn ? WL_ECN_ECT0 : WL_ECN_NOT_ECT);
	cell_run(&cell, 1000 * WL_SEC);
	for (i = 0, j = 0; i < 40; i++) {
		bool hit = j < 4 && i == gone[ecn][j];

		if (hit && !ecn)
			FATE(&cell, i, from_ns + MS(at_ms[j]), WLINK_DROP_AQM);
		else
			is_ecn(i, !ecn ? WL_ECN_NOT_ECT : hit ?
			       WL_ECN_CE | WL_ECN_MARKED : WL_ECN_ECT0);
		j += hit;
	}
	CHECK_EQ(cell.link.first.stats.drops[WLINK_DROP_AQM], ecn ? 0 : 4);
	if (ut_failed())
		ut_check(false, UT_WHERE, "mode %d, tti %llu, ecn %d", mode, tti_ns, ecn);
}

/* From 10 to 20 ms: number k has waited for 10 k ms. */
static void ramp(enum wlink_mode mode, enum wlink_aqm kind)
{
	u32 pdu_bytes = mode == WLINK_MODE_TM ? 100 : 101;
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 800 * pdu_bytes, 0, pdu_bytes);

	wl_cfg_set_mode(&cfg, mode);
	wl_aqm_default(&cfg.aqm, kind);
	cfg.aqm.target_ns = 100 * WL_SEC;
	cfg.aqm.ramp_from_ns = MS(10);
	cfg.aqm.ramp_to_ns = MS(20);
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < 10; i++) {
		cell_send_ecn(&cell, 1, 100, 1, WL_ECN_ECT1);
		cell_send_ecn(&cell, 1, 100, 1, WL_ECN_ECT0);
		cell_send_ecn(&cell, 1, 100, 1, WL_ECN_NOT_ECT);
		cell_send_ecn(&cell, 1, 100, 1, WL_ECN_CE);
	}
	cell_run(&cell, 1000 * WL_SEC);
	for (u32 i = 0; i < 40; i += 4) {
		is_ecn(i, i ? WL_ECN_CE | WL_ECN_MARKED : WL_ECN_ECT1);
		is_ecn(i + 1, WL_ECN_ECT0);
		is_ecn(i + 2, WL_ECN_NOT_ECT);
		is_ecn(i + 3, WL_ECN_CE);
	}
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_RAMP_MARKS], 9);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_MARKS], 0);
}

/*
 * 10 ms a frame. The first is lost, and its timer ends while the second is on the air: it goes
 * again before the third, which is looked at when it goes, at 45 ms, and not at 35.
 */
static void ramp_again(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 80000, 0, 100);

	wl_cfg_set_mode(&cfg, mode);
	cfg.rlc.rto_ns = MS(20);
	say(&cfg, "aqm codel target 100s");
	cfg.aqm.ramp_from_ns = MS(15);
	cfg.aqm.ramp_to_ns = MS(16);
	cell_uniform(&cfg.channel, 1ULL << 32);
	cell_init(&cell, &cfg, 0);
	cell_send_ecn(&cell, 1, 100, 1, WL_ECN_ECT1);
	cell_run(&cell, MS(20));
	cell_uniform(&cfg.channel, 0);
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, MS(25));
	cell_send_ecn(&cell, 1, 100, 1, WL_ECN_ECT1);
	cell_run(&cell, MS(26));
	cell_send_ecn(&cell, 1, 100, 1, WL_ECN_ECT1);
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_end_ns(&cell, 2), MS(55));
	for (u32 i = 0; i < 3; i++)
		is_ecn(i, i < 2 ? WL_ECN_ECT1 : WL_ECN_CE | WL_ECN_MARKED);
}

/* What is behind one that CoDel drops is as long as it is, not as that one. */
static void codel_sizes(void)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, MS(1), 0);
	const u64 *v = cell.link.first.stats.v;

	wl_aqm_default(&cfg.aqm, WLINK_AQM_CODEL);
	cell_init(&cell, &cfg, 0);
	for (u32 i = 0; i < 2000; i++)
		cell_send(&cell, 1, 20 + 100 * (i * 7919 % 3), 1);
	cell_run(&cell, 1000 * WL_SEC);
	CHECK(cell.link.first.stats.drops[WLINK_DROP_AQM] > 20);
	CHECK_EQ(v[WLINK_STAT_AIR_BYTES], v[WLINK_STAT_BYTES_DELIVERED]);
}

/* A TTI has a SDU. Where one of bearer 1 goes, the next is the oldest of both bearers. */
static void codel_fifo(void)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_FIFO, 1000000, MS(1), 0);
	const struct wl_sdu *sdu;
	struct wl_cfg class;
	u64 last_ns = 0;

	class = cell_class(&cfg, 1000000);
	wl_aqm_default(&cfg.aqm, WLINK_AQM_CODEL);
	cell_share(&cell, &cfg, 2, &class);
	for (u32 i = 0; i < 2000; i++) {
		cell_run(&cell, i * MS(1) / 3);
		cell_send(&cell, 1 + i % 2, 125, 1);
	}
	cell_run(&cell, 1000 * WL_SEC);
	CHECK(cell.link.first.stats.drops[WLINK_DROP_AQM] > 20);
	for (u32 i = 0; i < 2000 && !ut_failed(); i++) {
		sdu = &cell.done[i].sdu;
		if (sdu->drop)
			continue;
		CHECK(sdu->start_ns > last_ns);
		last_ns = sdu->start_ns;
	}
}

TEST(buffer)
{
	u32 mode;

	for (mode = 0; mode < WLINK_MODE_ASR + 1; mode++) {
		ut_begin("buffer: the wrong SDU goes, mode %u", mode);
		nothing_begun(mode);
		partly_begun(mode);
		everything_begun(mode);
		ut_begin("buffer: the wrong SDU is marked, mode %u", mode);
		marks(mode, WL_ECN_ECT0);
		marks(mode, WL_ECN_ECT1);
		no_marks(mode);
	}
	ut_begin("buffer: CoDel drops at another time than RFC 8289 says");
	codel(WLINK_MODE_TM, 0, false);
	codel(WLINK_MODE_TM, MS(10), false);
	codel(WLINK_MODE_UM, 0, false);
	codel(WLINK_MODE_AM, 0, false);
	codel(WLINK_MODE_AM, MS(10), false);
	codel(WLINK_MODE_TM, 0, true);
	ut_begin("buffer: what is sent behind a drop of CoDel has its length, or its turn");
	codel_sizes();
	codel_fifo();
	ut_begin("buffer: the ramp marks too early, too late or what it must not");
	ramp(WLINK_MODE_TM, WLINK_AQM_DROPTAIL);
	ramp(WLINK_MODE_TM, WLINK_AQM_CODEL);
	ramp_again(WLINK_MODE_FSR);
	ramp_again(WLINK_MODE_ASR);
	ramp(WLINK_MODE_AM, WLINK_AQM_DROPTAIL);
}
