// SPDX-License-Identifier: GPL-2.0
/* Slope based discard: facts.md 5.3 by numbers, 5.1 by hand-made stories. */
#include "sbd_bench.h"

#define SDU_KBIT	12.0

/* facts.md 5.3; the first row of each rate is where it begins to look. */
static const struct number {
	u32 kbit, tr_ms, minth, bo, th;
	double rc_sdus, rc_kbit, c_ms;
} table3[] = {
	{ 384, 200, 20, 15, 20, 100, 1200, 50 },
	{ 384, 200, 20, 20, 25, 75, 900, 66.7 },
	{ 384, 200, 20, 25, 30, 50, 600, 100 },
	{ 384, 200, 20, 30, 35, 25, 300, 200 },
	{ 384, 200, 20, 34, 39, 5, 60, 1000 },
	{ 256, 500, 20, 15, 20, 40, 480, 125 },
	{ 256, 500, 20, 20, 25, 30, 360, 166.7 },
	{ 256, 500, 20, 25, 30, 20, 240, 250 },
	{ 256, 500, 20, 30, 35, 10, 120, 500 },
	{ 256, 500, 20, 34, 39, 2, 24, 2500 },
	{ 128, 1300, 15, 10, 15, 19.23, 230.8, 260 },
	{ 128, 1300, 15, 15, 20, 15.38, 184.6, 325 },
	{ 128, 1300, 15, 20, 25, 11.54, 138.5, 433.3 },
	{ 128, 1300, 15, 25, 30, 7.69, 92.3, 650 },
	{ 128, 1300, 15, 30, 35, 3.85, 46.2, 1300 },
	{ 128, 1300, 15, 34, 39, .77, 9.2, 6500 },
	{ 64, 2500, 10, 5, 10, 12, 144, 416.7 },
	{ 64, 2500, 10, 10, 15, 10, 120, 500 },
	{ 64, 2500, 10, 15, 20, 8, 96, 625 },
	{ 64, 2500, 10, 20, 25, 6, 72, 833.3 },
	{ 64, 2500, 10, 25, 30, 4, 48, 1250 },
	{ 64, 2500, 10, 30, 35, 2, 24, 2500 },
	{ 64, 2500, 10, 34, 39, .4, 4.8, 12500 },
	/* Table 2: first checks. */
	{ 384, 250, 30, 25, 30, 40, 480, 125 },
	{ 256, 300, 25, 20, 25, 50, 600, 100 },
	{ 128, 900, 20, 15, 20, 22.22, 266.7, 225 },
	{ 64, 1500, 10, 5, 10, 20, 240, 250 },
};

static void number(const struct number *n, u32 unit)
{
	double c_sec, rc;

	bench(n->minth * unit, n->tr_ms);
	t.cfg.unit = unit > 1 ? WLINK_UNIT_BYTES : WLINK_UNIT_SDUS;
	t.cfg.alpha = 5 * unit;
	t.at.maxth = 40 * unit;
	CHECK(!arrive(7, (n->minth - 5) * unit - 1));
	is_idle();
	CHECK(!arrive(10, n->bo * unit));
	CHECK_EQ(wl_aqm_state(&t.aqm), 1);
	CHECK_EQ(wl_aqm_level(&t.aqm), n->th * unit);
	c_sec = (wl_aqm_next_ns(&t.aqm) - 10) / 1e9;
	rc = 5 / c_sec;
	/* As many digits as the table has. */
	CHECK_NEAR(c_sec * 1e3, n->c_ms, .05);
	CHECK_NEAR(rc, n->rc_sdus, .006);
	CHECK_NEAR(rc * SDU_KBIT, n->rc_kbit, .06);
}

/* A buffer that fills by rate SDUs a second from bo on is caught before C_n is
 * over where that is more than r_c.
 */
static bool caught(const struct number *n, double rate)
{
	u64 bo = n->bo;
	u64 now_ns = 0;

	bench(n->minth, n->tr_ms);
	CHECK(!arrive(0, bo));
	for (unsigned int i = 1; i <= 5; i++) {
		now_ns = (u64)(i * 1e9 / rate);
		if (wl_aqm_next_ns(&t.aqm) <= now_ns)
			return false;
		if (arrive(now_ns, ++bo))
			return i == 5;
	}
	return false;
}

static void numbers(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(table3); i++) {
		const struct number *n = &table3[i];
		double rc = (40.0 - n->th) / n->tr_ms * 1e3;

		ut_begin("sbd: C_n at %u kbit/s, T_r %u ms, BO %u is not that of the paper",
			 n->kbit, n->tr_ms, n->bo);
		number(n, 1);
		number(n, 1500);
		CHECK(caught(n, rc * 1.001));
		CHECK(!caught(n, rc * .999));
	}
}

CASE(sbd, "sbd: BO does not count the SDU that arrives")
{
	bench(20, 200);
	CHECK(!arrive(0, 14));
	is_idle();
	CHECK(!arrive(0, 15));
	is_measure(20, 50 * MS);
	CHECK(!arrive(MS, 19));
	CHECK(arrive(MS, 20));
}

CASE(sbd, "sbd: it looks again while the sender is to react")
{
	bench(20, 200);
	arrive(0, 15);
	CHECK(arrive(10 * MS, 20));
	is_hold(210 * MS);
	CHECK(!arrive(11 * MS, 21));
	CHECK(!arrive(209 * MS, 39));
	is_hold(210 * MS);
	/* From what is there then: 22 to 27, 13 of room: 5 * 200 / 13 ms. */
	expire(210 * MS, 22);
	is_measure(27, 210 * MS + 76923076);
}

CASE(sbd, "sbd: C_n has no end where th_n reaches maxth")
{
	u64 bo;

	for (bo = 35; bo < 40; bo++) {
		bench(20, 200);
		arrive(0, bo);
		is_measure(bo + 5, 1000 * MS);
		CHECK_EQ(arrive(MS, 40), bo == 35);
	}
	bench(20 * 1500, 200);
	t.cfg.unit = WLINK_UNIT_BYTES;
	t.cfg.alpha = 5 * 1500;
	t.at.maxth = 40 * 1500;
	/* Less room than a SDU: 600 bytes. */
	arrive(0, 35 * 1500 - 600);
	is_measure(40 * 1500 - 600, 1000 * MS);
}

/* Not of the paper: a buffer that becomes full within C_n is a slope. */
CASE(sbd, "sbd: clamp leaves th_n above maxth")
{
	struct wl_aqm_cfg old;
	u64 bo;

	for (bo = 30; bo < 40; bo++) {
		bench(20, 200);
		t.cfg.clamp = 1;
		arrive(0, bo);
		is_measure(bo < 35 ? bo + 5 : 40, bo < 35 ? 1000 * MS / (35 - bo) : 1000 * MS);
		CHECK(arrive(MS, 40));
	}
	/* A change restarts the measurement, so that it counts at once. */
	bench(20, 200);
	arrive(0, 37);
	is_measure(42, 1000 * MS);
	old = t.cfg;
	t.cfg.clamp = 1;
	change(10 * MS, 38, &old);
	is_measure(40, 1010 * MS);
}

CASE(sbd, "sbd: th_n counts when it comes with the end of C_n")
{
	bench(20, 200);
	arrive(0, 15);
	CHECK(arrive(50 * MS - 1, 20));
	bench(20, 200);
	arrive(0, 15);
	/* 19 are there; the 20th comes after the end. 5 * 200 / 16 ms. */
	expire(50 * MS, 19);
	CHECK(!arrive(50 * MS, 20));
	is_measure(24, 50 * MS + 62500000);
}

CASE(sbd, "sbd: C_n begins anew from where it began before")
{
	bench(20, 200);
	arrive(0, 15);
	expire(50 * MS, 19);
	is_measure(24, 50 * MS + 62500000);
	expire(112500000, 20);
	is_measure(25, 112500000 + 66666666);
	CHECK(!arrive(120 * MS, 24));
	expire(179166666, 17);
	is_measure(22, 179166666 + 55555555);
}

CASE(sbd, "sbd: it looks at a buffer that is low")
{
	bench(20, 200);
	arrive(0, 15);
	expire(50 * MS, 14);
	is_idle();
	CHECK(!arrive(60 * MS, 14));
	is_idle();
	CHECK(!arrive(70 * MS, 16));
	is_measure(21, 70 * MS + 52631578);
	CHECK(arrive(71 * MS, 21));
	expire(271 * MS, 3);
	is_idle();
}

CASE(sbd, "sbd: minth below alpha keeps a link at rest awake")
{
	bench(3, 200);
	is_idle();
	CHECK(!arrive(0, 1));
	/* 1 to 6: 5 * 200 / 34 ms. */
	is_measure(6, 29411764);
	expire(29411764, 0);
	is_idle();
}

/* The measurement is that of the new set. */
CASE(sbd, "sbd: new parameters leave the old measurement")
{
	struct wl_aqm_cfg old;

	bench(20, 200);
	arrive(0, 15);
	old = t.cfg;
	t.cfg.tr_ns = 1300 * MS;
	t.cfg.minth = 15;
	change(10 * MS, 18, &old);
	/* 18 to 23: 5 * 1300 / 17 ms. */
	is_measure(23, 10 * MS + 382352941);
	old = t.cfg;
	t.cfg.minth = 30;
	change(20 * MS, 18, &old);
	is_idle();
	/* Idle it stays until something arrives. */
	old = t.cfg;
	t.cfg.minth = 15;
	change(30 * MS, 18, &old);
	is_idle();
}

CASE(sbd, "sbd: new parameters end or stretch T_r")
{
	struct wl_aqm_cfg old;

	bench(20, 500);
	arrive(0, 15);
	CHECK(arrive(100 * MS, 20));
	is_hold(600 * MS);
	old = t.cfg;
	t.cfg.tr_ns = 1300 * MS;
	change(200 * MS, 21, &old);
	is_hold(600 * MS);
	old = t.cfg;
	t.cfg.tr_ns = 300 * MS;
	change(250 * MS, 21, &old);
	is_hold(550 * MS);
	change(540 * MS, 21, &old);
	is_hold(550 * MS);
}

/* At 18 a measurement is on that began at 15. */
static void measuring(void)
{
	bench(20, 200);
	arrive(0, 15);
}

CASE(sbd, "sbd: a change of something else restarts the measurement")
{
	struct wl_aqm_cfg old;

	measuring();
	old = t.cfg;
	change(10 * MS, 18, &old);
	is_measure(20, 50 * MS);
	t.cfg.ecn = 1;
	t.cfg.head = 0;
	t.cfg.ramp_from_ns = MS;
	t.cfg.ramp_to_ns = 2 * MS;
	/* What the limit is already. */
	t.cfg.maxth = 40;
	change(10 * MS, 18, &old);
	is_measure(20, 50 * MS);
}

CASE(sbd, "sbd: a change of one parameter is not seen")
{
	struct wl_aqm_cfg old;

	measuring();
	old = t.cfg;
	t.cfg.minth = 21;
	change(10 * MS, 18, &old);
	/* 18 to 23, 17 of room. */
	is_measure(23, 10 * MS + 58823529);
	measuring();
	t.cfg.tr_ns = 400 * MS;
	change(10 * MS, 18, &old);
	is_measure(23, 10 * MS + 117647058);
	measuring();
	t.cfg.alpha = 4;
	change(10 * MS, 18, &old);
	is_measure(22, 10 * MS + 44444444);
	/* The limit, of which the AQM's own parameters do not tell: 7 of room. */
	measuring();
	t.at.maxth = 30;
	change(10 * MS, 18, &t.cfg);
	is_measure(23, 10 * MS + 142857142);
}

/* Bytes, and what a SDU is of them: 18000 of 40. */
CASE(sbd, "sbd: a measurement of SDUs goes on with bytes")
{
	struct wl_aqm_cfg old;

	measuring();
	old = t.cfg;
	t.cfg.unit = WLINK_UNIT_BYTES;
	change(10 * MS, 18000, &old);
	/* A SDU of room. */
	is_measure(18005, 10 * MS + 666666);
	old = t.cfg;
	t.cfg.sdu_bytes = 1000;
	change(10 * MS, 18000, &old);
	is_measure(18005, 11 * MS);
}

/* A limit that has become smaller than minth, a typical SDU of 0, C_n of 0. */
CASE(sbd, "sbd: a small limit divides by zero or never ends")
{
	u64 maxth;

	for (maxth = 1; maxth < 5; maxth++) {
		bench(4, 200);
		t.at.maxth = maxth;
		CHECK(!arrive(0, 2));
		is_measure(7, 1000 * MS);
		CHECK(!arrive(1, maxth));
	}
	bench(4, 200);
	t.cfg.unit = WLINK_UNIT_BYTES;
	t.cfg.sdu_bytes = 0;
	arrive(0, 40);
	is_measure(45, 1000 * MS);
	bench(1, 0);
	t.cfg.alpha = 1;
	t.cfg.tr_ns = WLINK_TIMER_MIN;
	t.at.maxth = 1000000;
	arrive(0, 1);
	is_measure(2, WLINK_TIMER_MIN);
}

/* The largest that the judge lets pass: 2^62 ns of C_n, not less. */
CASE(sbd, "sbd: the largest C_n overflows")
{
	struct wl_refusal why;
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	cfg.limit.kind = WL_LIMIT_BYTES;
	cfg.limit.value = WLINK_LIMIT_BYTES_MAX;
	bench(1, 0);
	t.cfg.unit = WLINK_UNIT_BYTES;
	t.cfg.sdu_bytes = 1;
	t.cfg.tr_ns = WLINK_TIMER_MAX;
	t.cfg.alpha = 1281023;
	t.at.maxth = WLINK_LIMIT_BYTES_MAX;
	CHECK_EQ(wl_aqm_check(&t.cfg, &cfg, &why), 0);
	t.cfg.alpha++;
	CHECK_EQ(wl_aqm_check(&t.cfg, &cfg, &why), (u64)-ERANGE);
	CHECK_EQ(why.max, 1281023);
	t.cfg.alpha--;
	arrive(0, WLINK_LIMIT_BYTES_MAX);
	is_measure(WLINK_LIMIT_BYTES_MAX + 1281023ULL, 4611682800000000000ULL);
}

TEST(sbd)
{
	numbers();
}
