// SPDX-License-Identifier: GPL-2.0
/* Slope based discard with hold off, as its pseudo-code is printed: hand-made
 * stories at 384 kbit/s, where C_n is 5 * 200 / (40 - th_n) ms.
 */
#include "sbd_bench.h"

/* T_r is what next_ns() tells of, C_n of th 39 being longer: 1 s. */
#define TH_39_NS	(1000 * MS)

static void printed(void)
{
	bench(20, 200);
	t.cfg.hold = 0;
}

CASE(sbd_printed, "sbd: hold off waits after a drop")
{
	printed();
	CHECK(!arrive(0, 15));
	is_measure(20, 50 * MS);
	CHECK(arrive(10 * MS, 20));
	is_measure(25, 10 * MS + 66666666);
	CHECK(arrive(20 * MS, 25));
	is_measure(30, 20 * MS + 100 * MS);
	CHECK(!arrive(30 * MS, 29));
	CHECK(arrive(31 * MS, 30));
	/* The end of T_r comes with the last drop, not with the first. */
	is_measure(35, 31 * MS + 200 * MS);
}

CASE(sbd_printed, "sbd: the end of T_r does not begin a measurement anew")
{
	printed();
	arrive(0, 29);
	is_measure(34, 166666666);
	CHECK(arrive(10 * MS, 34));
	is_measure(39, 210 * MS);
	/* 20 to 25, and no T_r any more. */
	expire(210 * MS, 20);
	is_measure(25, 210 * MS + 66666666);
	expire(276666666, 3);
	is_idle();
}

CASE(sbd_printed, "sbd: the end of T_r stops a C_n over a low buffer")
{
	printed();
	arrive(0, 29);
	CHECK(arrive(10 * MS, 34));
	expire(210 * MS, 14);
	is_measure(39, 10 * MS + TH_39_NS);
	CHECK(arrive(300 * MS, 39));
}

CASE(sbd_printed, "sbd: T_r is forgotten while the buffer is low")
{
	printed();
	arrive(0, 15);
	CHECK(arrive(10 * MS, 20));
	expire(76666666, 10);
	CHECK_EQ(wl_aqm_state(&t.aqm), 0);
	CHECK_EQ(wl_aqm_next_ns(&t.aqm), 210 * MS);
	expire(210 * MS, 18);
	/* 18 to 23: 5 * 200 / 17 ms. */
	is_measure(23, 210 * MS + 58823529);
	arrive(220 * MS, 23);
	expire(220 * MS + 83333333, 2);
	expire(420 * MS, 2);
	is_idle();
}

CASE(sbd_printed, "sbd: C_n and T_r that end together leave one of them")
{
	printed();
	arrive(0, 25);
	/* 30 to 35 takes 200 ms, as T_r. */
	CHECK(arrive(10 * MS, 30));
	is_measure(35, 210 * MS);
	expire(210 * MS, 14);
	is_idle();
}

CASE(sbd_printed, "sbd: a change of hold or T_r leaves the other's timers")
{
	struct wl_aqm_cfg old;

	printed();
	arrive(0, 29);
	CHECK(arrive(10 * MS, 34));
	old = t.cfg;
	t.cfg.tr_ns = 100 * MS;
	change(20 * MS, 34, &old);
	/* C_n is 5 * 100 ms now, T_r ends after 100. */
	is_measure(39, 120 * MS);
	old = t.cfg;
	t.cfg.hold = 1;
	change(30 * MS, 34, &old);
	is_measure(39, 530 * MS);
	CHECK(arrive(40 * MS, 39));
	is_hold(140 * MS);
	old = t.cfg;
	t.cfg.hold = 0;
	change(50 * MS, 20, &old);
	/* 20 to 25: 5 * 100 / 15 ms. */
	is_measure(25, 50 * MS + 33333333);
}

CASE(sbd_printed, "sbd: a change of T_r begins one, or ends the one that runs later")
{
	struct wl_aqm_cfg old;

	printed();
	arrive(0, 34);
	is_measure(39, TH_39_NS);
	old = t.cfg;
	t.cfg.tr_ns = 100 * MS;
	change(20 * MS, 34, &old);
	is_measure(39, 20 * MS + TH_39_NS / 2);
	CHECK(arrive(30 * MS, 39));
	/* At the limit C_n is 5 * 100 ms, T_r 100. */
	is_measure(44, 130 * MS);
	old = t.cfg;
	t.cfg.tr_ns = 400 * MS;
	change(40 * MS, 39, &old);
	is_measure(44, 130 * MS);
}
