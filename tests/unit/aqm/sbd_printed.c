// SPDX-License-Identifier: GPL-2.0
/* Slope based discard with hold off, as its pseudo-code is printed: hand-made
 * stories at 384 kbit/s, where C_n is 5 * 200 / (40 - th_n) ms.
 */
#include "sbd_bench.h"

/* T_r is what next_ns() tells of, C_n of th 39 being longer: 1 s. */
#define TH_39_NS	(1000 * MS)

static struct bench *printed(struct bench *t)
{
	bench(t, 20, 200);
	t->cfg.hold = 0;
	return t;
}

CASE(sbd_printed, "sbd: hold off waits after a drop")
{
	struct bench t;

	printed(&t);
	CHECK(!arrive(&t, 0, 15));
	is_measure(&t, 20, 50 * MS);
	CHECK(arrive(&t, 10 * MS, 20));
	is_measure(&t, 25, 10 * MS + 66666666);
	CHECK(arrive(&t, 20 * MS, 25));
	is_measure(&t, 30, 20 * MS + 100 * MS);
	CHECK(!arrive(&t, 30 * MS, 29));
	CHECK(arrive(&t, 31 * MS, 30));
	/* The end of T_r comes with the last drop, not with the first. */
	is_measure(&t, 35, 31 * MS + 200 * MS);
}

CASE(sbd_printed, "sbd: the end of T_r does not begin a measurement anew")
{
	struct bench t;

	printed(&t);
	arrive(&t, 0, 29);
	is_measure(&t, 34, 166666666);
	CHECK(arrive(&t, 10 * MS, 34));
	is_measure(&t, 39, 210 * MS);
	/* 20 to 25, and no T_r any more. */
	expire(&t, 210 * MS, 20);
	is_measure(&t, 25, 210 * MS + 66666666);
	expire(&t, 276666666, 3);
	is_idle(&t);
}

CASE(sbd_printed, "sbd: the end of T_r stops a C_n over a low buffer")
{
	struct bench t;

	printed(&t);
	arrive(&t, 0, 29);
	CHECK(arrive(&t, 10 * MS, 34));
	expire(&t, 210 * MS, 14);
	is_measure(&t, 39, 10 * MS + TH_39_NS);
	CHECK(arrive(&t, 300 * MS, 39));
}

CASE(sbd_printed, "sbd: T_r is forgotten while the buffer is low")
{
	struct bench t;

	printed(&t);
	arrive(&t, 0, 15);
	CHECK(arrive(&t, 10 * MS, 20));
	expire(&t, 76666666, 10);
	CHECK_EQ(wl_aqm_state(&t.aqm), 0);
	CHECK_EQ(wl_aqm_next_ns(&t.aqm), 210 * MS);
	expire(&t, 210 * MS, 18);
	/* 18 to 23: 5 * 200 / 17 ms. */
	is_measure(&t, 23, 210 * MS + 58823529);
	arrive(&t, 220 * MS, 23);
	expire(&t, 220 * MS + 83333333, 2);
	expire(&t, 420 * MS, 2);
	is_idle(&t);
}

CASE(sbd_printed, "sbd: C_n and T_r that end together leave one of them")
{
	struct bench t;

	printed(&t);
	arrive(&t, 0, 25);
	/* 30 to 35 takes 200 ms, as T_r. */
	CHECK(arrive(&t, 10 * MS, 30));
	is_measure(&t, 35, 210 * MS);
	expire(&t, 210 * MS, 14);
	is_idle(&t);
}

CASE(sbd_printed, "sbd: a change of hold or T_r leaves the other's timers")
{
	struct wl_aqm_cfg old;
	struct bench t;

	printed(&t);
	arrive(&t, 0, 29);
	CHECK(arrive(&t, 10 * MS, 34));
	old = t.cfg;
	t.cfg.tr_ns = 100 * MS;
	change(&t, 20 * MS, 34, &old);
	/* C_n is 5 * 100 ms now, T_r ends after 100. */
	is_measure(&t, 39, 120 * MS);
	old = t.cfg;
	t.cfg.hold = 1;
	change(&t, 30 * MS, 34, &old);
	is_measure(&t, 39, 530 * MS);
	CHECK(arrive(&t, 40 * MS, 39));
	is_hold(&t, 140 * MS);
	old = t.cfg;
	t.cfg.hold = 0;
	change(&t, 50 * MS, 20, &old);
	/* 20 to 25: 5 * 100 / 15 ms. */
	is_measure(&t, 25, 50 * MS + 33333333);
}

CASE(sbd_printed, "sbd: a change of T_r begins one, or ends the one that runs later")
{
	struct wl_aqm_cfg old;
	struct bench t;

	printed(&t);
	arrive(&t, 0, 34);
	is_measure(&t, 39, TH_39_NS);
	old = t.cfg;
	t.cfg.tr_ns = 100 * MS;
	change(&t, 20 * MS, 34, &old);
	is_measure(&t, 39, 20 * MS + TH_39_NS / 2);
	CHECK(arrive(&t, 30 * MS, 39));
	/* At the limit C_n is 5 * 100 ms, T_r 100. */
	is_measure(&t, 44, 130 * MS);
	old = t.cfg;
	t.cfg.tr_ns = 400 * MS;
	change(&t, 40 * MS, 39, &old);
	is_measure(&t, 44, 130 * MS);
}
