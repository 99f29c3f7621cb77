// SPDX-License-Identifier: GPL-2.0
/*
 * A link that turns from plain to not plain and back (plain.h) with SDUs in its
 * inbox, on the air and on the way: stories whose times are worked out by hand,
 * and any number of random ones. At 8 Gbit/s, a byte a ns, a SDU of 1000 bytes is
 * on the air for 1000 ns; 5000 ns later it is there.
 */
#include "law.h"
#include "say.h"
#include "ut.h"

#define ALL		WLINK_PROB_ONE
#define RANDOM_STORIES	250U

static const struct law laws[] = {
	{ "a plain link wakes for more than its deliveries",
	  .acts = { { 0, WL_OP_SEND, 1000, 2 }, { 0, LAW_NEXT, 6000 },
		    { 10, LAW_WAITS, 500, true },
		    { 10, LAW_NEXT, 6000 },
		    { 6001, LAW_NEXT, 7000 }, { 8501, LAW_NEXT, WL_NEVER_NS },
		    { 9000, WL_OP_SEND, 1 }, { 9000, LAW_NEXT, 14001 } },
	  .wants = { { 0, 6000 }, { 1, 7000 }, { 2, 8000 }, { 3, 8500 },
		     { 4, 14001 } },
	  .wakes = 5 },
	{ "a second bearer comes and goes while SDUs are on the air",
	  .acts = { { 0, WL_OP_SEND, 1000, 2 }, { 500, LAW_ADD, 8 * WL_SEC },
		    { 500, LAW_SEND2, 500 }, { 1500, LAW_DEL },
		    { 1500, LAW_NEXT, 6000 }, { 2100, WL_OP_SEND, 700 },
		    { 6000, LAW_NEXT, 7000 }, { 8001, LAW_NEXT, 8700 },
		    { 8701, LAW_NEXT, WL_NEVER_NS } },
	  .wants = { { 0, 6000 }, { 1, 7000 }, { 2, 8000 },
		     { 3, 1500, WLINK_DROP_FLUSH }, { 4, 8700 } } },
	{ "a second bearer's SDU overtakes wrongly what was sent plain",
	  .acts = { { 0, WL_OP_SEND, 1000 }, { 3000, WL_OP_SEND, 1000 },
		    { 3500, LAW_ADD, 8 * WL_SEC }, { 3600, LAW_SEND2, 100 },
		    { 10000, LAW_DEL }, { 10000, WL_OP_SEND, 1000 },
		    { 10000, LAW_NEXT, 16000 } },
	  .wants = { { 0, 6000 }, { 1, 9000 }, { 2, 8700 }, { 3, 16000 } } },
	{ "a second bearer deletes a fraction of a ns", /* 8/3 ns a byte */
	  .cfg = { { 0, WL_OP_RATE, 3 * WL_SEC } },
	  .acts = { { 0, WL_OP_SEND, 1, 5 }, { 4, LAW_ADD, WL_SEC },
		    { 9, LAW_DEL }, { 100, WL_OP_SEND, 1 },
		    { 103, WL_OP_SEND, 1 } },
	  .wants = { { 0, 5003 }, { 2, 5008 }, { 3, 5011 }, { 4, 5014 },
		     { 5, 5016 }, { 6, 5103 }, { 7, 5106 } } },
	{ "a change to um and back loses or keeps another SDU than it says",
	  .cfg = { { 0, WL_OP_PDU, 1000 } },
	  .acts = { { 0, WL_OP_SEND, 1000, 3 },
		    { 1500, LAW_MODE, WLINK_MODE_UM },
		    { 1700, LAW_MODE, WLINK_MODE_TM },
		    { 1700, LAW_NEXT, 6000 }, { 2000, WL_OP_SEND, 300 },
		    { 6001, LAW_NEXT, 7700 } },
	  .wants = { { 0, 6000 }, { 1, 1500, WLINK_DROP_REESTABLISH },
		     { 2, 1700, WLINK_DROP_REESTABLISH }, { 3, 7700 },
		     { 4, 8000 } } },
	{ "a TTI comes and goes in the middle of a SDU",
	  .acts = { { 0, WL_OP_SEND, 1000, 1 }, { 500, WL_OP_TTI, 1000 },
		    { 2600, WL_OP_SEND, 1000 }, { 4600, WL_OP_TTI, 0 },
		    { 5600, WL_OP_SEND, 1000 }, { 5600, LAW_NEXT, 6000 } },
	  .wants = { { 0, 6000 }, { 1, 7500 }, { 2, 9500 }, { 3, 11600 } } },
	{ "credit of a TTI outlives it", /* 600 bytes, then none */
	  .cfg = { { 0, WL_OP_TTI, 600 } },
	  .acts = { { 0, WL_OP_SEND, 1000 }, { 700, WL_OP_TTI, 0 },
		    { 3000, WL_OP_TTI, 600 }, { 3100, WL_OP_SEND, 1000 } },
	  /* From 1200 on without; 3000 begins a grid, 3600 has 600 bytes. */
	  .wants = { { 0, 7200 }, { 1, 9800 } } },
	{ "smaller PDUs meet the channel that comes, and no others",
	  .cfg = { { 0, WL_OP_PDU, 100 } },
	  .acts = { { 0, WL_OP_SEND, 1000, 1 }, { 0, LAW_NEXT, 6000 },
		    { 300, WL_OP_UNIFORM, ALL }, { 300, LAW_NEXT, 1000 },
		    { 750, WL_OP_NONE }, { 750, LAW_NEXT, 1000 },
		    { 1000, LAW_NEXT, 7000 } },
	  .wants = { { 0, 1000, WLINK_DROP_CHANNEL, 10, 4 },
		     { 1, 7000, .pdus = 10 } } },
	{ "another PDU size cuts a SDU that is on the air",
	  .acts = { { 0, WL_OP_SEND, 1000, 1 }, { 300, WL_OP_PDU, 250 },
		    { 300, LAW_NEXT, 6000 }, { 1300, WL_OP_PDU, 0 },
		    { 1300, LAW_NEXT, 6000 } },
	  .wants = { { 0, 6000, .pdus = 1 }, { 1, 7000, .pdus = 3 } } },
	{ "the fate of a SDU on the air is that of its end",
	  .cfg = { { 0, WL_OP_UNIFORM, ALL } },
	  .acts = { { 0, WL_OP_SEND, 1000, 1 }, { 0, LAW_NEXT, 1000 },
		    { 500, WL_OP_NONE }, { 500, LAW_NEXT, 1000 },
		    { 1000, LAW_NEXT, 7000 } },
	  .wants = { { 0, 1000, WLINK_DROP_CHANNEL, 1, 1 },
		     { 1, 7000, .pdus = 1 } },
	  .wakes = 2 },
	{ "a channel that may lose wakes too late for the second SDU",
	  .cfg = { { 0, WL_OP_UNIFORM, ALL } },
	  .acts = { { 0, WL_OP_SEND, 1000 }, { 0, WL_OP_SEND, 500 },
		    { 0, WL_OP_SEND, 100 } },
	  .wants = { { 0, 1000, WLINK_DROP_CHANNEL },
		     { 1, 1500, WLINK_DROP_CHANNEL },
		     { 2, 1600, WLINK_DROP_CHANNEL } },
	  .wakes = 3 },
	/* Good and bad take turns, so one that is lost follows a good one. */
	{ "a good SDU hides that the one behind it is lost before it is there",
	  .cfg = { { 0, WL_OP_P, ALL }, { 0, WL_OP_R, ALL } },
	  .acts = { { 0, WL_OP_SEND, 1000, 3 } } },
	{ "an AQM that does nothing moves SDUs",
	  .acts = { { 0, WL_OP_SEND, 1000, 2 },
		    { 500, LAW_AQM, WLINK_AQM_CODEL },
		    { 700, WL_OP_SEND, 1000 },
		    { 1500, LAW_AQM, WLINK_AQM_DROPTAIL },
		    { 1500, LAW_NEXT, 6000 },
		    { 3500, LAW_AQM, WLINK_AQM_CODEL } },
	  .wants = { { 0, 6000 }, { 1, 7000 }, { 2, 8000 }, { 3, 9000 } } },
	{ "a discard timer does not drop what waits, or what is on the air",
	  .acts = { { 0, WL_OP_SEND, 1000, 2 }, { 500, LAW_DISCARD, 800 },
		    { 500, LAW_NEXT, 800 },
		    { 900, LAW_DISCARD, WL_NEVER_NS },
		    { 900, WL_OP_SEND, 1000 }, { 900, LAW_NEXT, 6000 } },
	  .wants = { { 0, 6000 }, { 1, 800, WLINK_DROP_TIMER },
		     { 2, 800, WLINK_DROP_TIMER }, { 3, 7000 } } },
	{ "a discard timer that goes in time drops",
	  .acts = { { 0, WL_OP_SEND, 1000, 1 }, { 500, LAW_DISCARD, 800 },
		    { 600, LAW_DISCARD, WL_NEVER_NS },
		    { 600, LAW_NEXT, 6000 } },
	  .wants = { { 0, 6000 }, { 1, 7000 } } },
	/* 250 at 1, 750 at 1/2 until 1000: 375 are left, at 2 a ns. */
	{ "the rate changes in the middle of a SDU",
	  .acts = { { 0, WL_OP_SEND, 1000, 1 },
		    { 250, WL_OP_RATE, 4 * WL_SEC }, { 250, LAW_NEXT, 6750 },
		    { 1000, WL_OP_RATE, 16 * WL_SEC },
		    { 1000, LAW_NEXT, 6188 } },
	  .wants = { { 0, 6188 }, { 1, 6688 } },
	  .wakes = 2 },
	{ "a rate that comes later comes at another time",
	  .acts = { { 0, WL_OP_SEND, 1000, 1 },
		    { 100, LAW_LATER, 4 * WL_SEC, 1300 },
		    { 100, LAW_NEXT, 1300 }, { 1301, LAW_NEXT, 6000 } },
	  .wants = { { 0, 6000 }, { 1, 7700 } },
	  .wakes = 3 },
	{ "a schedule's rate comes at another time, or stays",
	  .acts = { { 0, WL_OP_SEND, 1000, 1 },
		    { 100, LAW_SCHEDULE, 100, 4 * WL_SEC },
		    { 1500, LAW_STOP }, { 1501, LAW_CALL },
		    { 1501, LAW_NEXT, 6000 } },
	  /* 400 until 1400, 50 until 1500. */
	  .wants = { { 0, 6000 }, { 1, 7050 } } },
	{ "a shorter delay lets a SDU overtake",
	  .acts = { { 0, WL_OP_SEND, 1000, 2 }, { 1500, WL_OP_DELAY, 1000 },
		    { 1500, LAW_NEXT, 6000 }, { 6500, WL_OP_SEND, 1000 } },
	  .wants = { { 0, 6000 }, { 1, 6000 }, { 2, 6000 }, { 3, 8500 } },
	  .wakes = 2 },
	{ "a flush leaves something",
	  .acts = { { 0, WL_OP_SEND, 1000, 1 }, { 1500, WL_OP_FLUSH },
		    { 1500, LAW_NEXT, WL_NEVER_NS },
		    { 1500, LAW_NEXT, WL_NEVER_NS }, { 1600, WL_OP_SEND, 500 },
		    { 1600, LAW_NEXT, 7100 } },
	  .wants = { { 0, 1500, WLINK_DROP_FLUSH },
		     { 1, 1500, WLINK_DROP_FLUSH }, { 2, 7100 } } },
	{ "a SDU may wait that finds no room",
	  .cfg = { { 0, WL_OP_LIMIT_PACKETS, 2 } },
	  .acts = { { 0, LAW_WAITS, 1000, true },
		    { 10, LAW_WAITS, 1000, true },
		    { 20, LAW_WAITS, 1000, false },
		    { 1500, LAW_WAITS, 1000, false },
		    { 1600, LAW_WAITS, 1000, false },
		    { 3500, LAW_CALL }, { 3500, LAW_WAITS, 1000, true } },
	  .wants = { { 0, 6000 }, { 1, 7000 },
		     { 2, 20, WLINK_DROP_OVERFLOW }, { 3, 8000 },
		     { 4, 1600, WLINK_DROP_OVERFLOW }, { 5, 9500 } } },
	{ "a SDU that comes when one ends finds no room",
	  .cfg = { { 0, WL_OP_LIMIT_PACKETS, 1 } },
	  .acts = { { 0, WL_OP_SEND, 1000 }, { 999, LAW_WAITS, 1, false },
		    { 1000, LAW_WAITS, 1000, false },
		    { 2000, LAW_CALL }, { 2000, LAW_WAITS, 1000, true } },
	  .wants = { { 0, 6000 }, { 1, 999, WLINK_DROP_OVERFLOW },
		     { 2, 7000 }, { 3, 8000 } } },
	{ "a SDU may wait where its room is in bytes",
	  .cfg = { { 0, WL_OP_LIMIT_BYTES, 9000 } },
	  .acts = { { 0, LAW_CALL }, { 10, LAW_WAITS, 1000, false } },
	  .wants = { { 0, 6010 } } },
	{ "a SDU may wait where its bearer is not plain, or may not beside others",
	  .acts = { { 0, WL_OP_SEND, 100 }, { 50, LAW_ADD, WL_SEC },
		    { 60, LAW_WAITS, 100, true }, { 70, LAW_DEL },
		    { 80, LAW_WAITS, 100, true },
		    { 90, LAW_LATER, 8 * WL_SEC, 900 },
		    { 95, LAW_WAITS, 100, true }, { 1000, LAW_CALL },
		    { 1000, LAW_WAITS, 100, true },
		    { 1100, LAW_SCHEDULE, 3000, 8 * WL_SEC },
		    { 1100, LAW_WAITS, 100, true }, { 1200, LAW_STOP },
		    { 1200, LAW_WAITS, 100, true },
		    { 1300, WL_OP_TTI, 100 }, { 1310, LAW_WAITS, 1, false } },
	  .wants = { { 0, 5100 }, { 1, 5200 }, { 2, 5300 }, { 3, 5400 },
		     { 4, 6100 }, { 5, 6200 }, { 6, 6300 } } },
	{ "a link rests that has something to do",
	  .acts = { { 0, LAW_NEXT, WL_NEVER_NS }, { 0, WL_OP_SEND, 1000 },
		    { 6001, LAW_NEXT, WL_NEVER_NS },
		    { 6100, LAW_LATER, 4 * WL_SEC, 9000 },
		    { 6100, LAW_NEXT, 9000 },
		    { 9002, LAW_CALL }, { 9002, LAW_NEXT, WL_NEVER_NS },
		    { 9100, LAW_SCHEDULE, 12000, 16 * WL_SEC },
		    { 9100, LAW_NEXT, 12000 },
		    { 12100, LAW_NEXT, 13300 },
		    { 12900, WL_OP_SEND, 1000 },
		    { 14000, LAW_STOP }, { 19000, LAW_CALL },
		    { 19000, LAW_NEXT, WL_NEVER_NS },
		    { 20000, WL_OP_TTI, 100 }, },
	  /* 400 ns at 1/2, then 2 a ns. */
	  .wants = { { 0, 6000 }, { 1, 18700 } } },
};

static u32 below(struct wl_rng *dice, u32 n)
{
	return (wl_rng_next(dice) >> 32) * n >> 32;
}

#define ONE_OF(dice, list) ((list)[below(dice, ARRAY_SIZE(list))])

static void random_value(struct wl_rng *dice, struct law_act *act)
{
	static const u64 rates[] = { WL_SEC, 3 * WL_SEC, 8 * WL_SEC,
				     7 * WL_SEC + 3, 24 * WL_SEC };
	static const u64 ttis[] = { 0, 0, 0, 100, 37, 250 };
	static const u64 delays[] = { 0, 1, 40, 500, 3000 };
	static const u64 pdus[] = { 0, 0, 20, 7, 1000 };
	static const u64 limits[] = { 1, 2, 3, 8, 100 };

	switch (act->op) {
	case WL_OP_RATE:
		act->value = ONE_OF(dice, rates);
		break;
	case WL_OP_TTI:
		act->value = ONE_OF(dice, ttis);
		break;
	case WL_OP_DELAY:
		act->value = ONE_OF(dice, delays);
		break;
	case WL_OP_PDU:
		act->value = ONE_OF(dice, pdus);
		break;
	case WL_OP_LIMIT_PACKETS:
		act->value = ONE_OF(dice, limits);
		break;
	case WL_OP_LIMIT_BYTES:
		act->value = 1 + below(dice, 400);
		break;
	case WL_OP_UNIFORM:
	case WL_OP_P:
	case WL_OP_R:
		act->value = wl_rng_next(dice) >> (32 + below(dice, 4));
		break;
	case LAW_MODE:
		act->value = below(dice, 2) ? WLINK_MODE_TM :
					      below(dice, WLINK_MODE_ASR + 1);
		break;
	case LAW_AQM:
		act->value = below(dice, 2) ? WLINK_AQM_DROPTAIL :
					      below(dice, __WLINK_AQM_MAX);
		break;
	case LAW_DISCARD:
		act->value = below(dice, 2) ? WL_NEVER_NS :
					      1 + below(dice, 400);
		break;
	case LAW_TWOSTATE:
		act->value = 1000 + below(dice, 100000);
		break;
	default:
		break;
	}
}

/* Often at the very time of something else. */
static u64 random_gap_ns(struct wl_rng *dice)
{
	static const u32 most[] = { 1, 1, 30, 100, 400 };

	return below(dice, ONE_OF(dice, most));
}

/* What is asked for goes by what is there. */
static void random_act(struct wl_rng *dice, struct law_act *act, bool *second,
		       bool *playing)
{
	static const u32 ops[] = {
		WL_OP_RATE, WL_OP_RATE, WL_OP_TTI, WL_OP_TTI, WL_OP_TTI,
		WL_OP_DELAY, WL_OP_PDU, WL_OP_PDU, WL_OP_LIMIT_PACKETS,
		WL_OP_LIMIT_BYTES, WL_OP_NONE, WL_OP_NONE, WL_OP_UNIFORM,
		WL_OP_P, WL_OP_R, LAW_TWOSTATE, LAW_MODE, LAW_MODE, LAW_AQM,
		LAW_AQM, LAW_DISCARD, WL_OP_FLUSH, LAW_CALL };

	switch (below(dice, 12)) {
	case 0:
		act->op = *second ? LAW_DEL : LAW_ADD;
		act->value = 1 + below(dice, 8) * WL_SEC;
		*second = !*second;
		break;
	case 1:
		act->op = *playing ? LAW_STOP : LAW_SCHEDULE;
		act->value = act->at_ns + below(dice, 300);
		act->more = (1 + below(dice, 8)) * WL_SEC;
		*playing = !*playing;
		break;
	case 2:
		act->op = LAW_LATER;
		act->value = (1 + below(dice, 8)) * WL_SEC;
		act->more = act->at_ns + below(dice, 400);
		break;
	case 3:
	case 4:
	case 5:
	case 6:
		act->op = ONE_OF(dice, ops);
		random_value(dice, act);
		break;
	default:
		act->op = *second && below(dice, 3) ? LAW_SEND2 : WL_OP_SEND;
		act->value = 1 + below(dice, 100);
		act->more = act->op == WL_OP_SEND ? below(dice, 3) : 0;
		break;
	}
}

static void random_law(struct law *law, u64 seed)
{
	struct wl_rng dice = { .state = seed * 0x9e3779b97f4a7c15ULL };
	bool second = false, playing = false;
	struct wl_refusal why;
	struct wl_cfg cfg;
	u64 at_ns = 0;

	memset(law, 0, sizeof(*law));
	for (u32 i = 0; i < 3; i++) {
		static const u32 ops[] = { WL_OP_RATE, WL_OP_DELAY, WL_OP_PDU,
					   WL_OP_LIMIT_PACKETS, WL_OP_UNIFORM };

		law->cfg[i].op = ONE_OF(&dice, ops);
		random_value(&dice, &law->cfg[i]);
	}
	law_cfg(law, &cfg);
	for (u32 i = 0; i < LAW_ACTS - 1; i++) {
		struct law_act *act = &law->acts[i];
		struct wl_cfg was = cfg, check;

		at_ns += random_gap_ns(&dice);
		act->at_ns = at_ns;
		random_act(&dice, act, &second, &playing);
		if (!law_put(&cfg, act))
			continue;
		/* A discard timer of less than a ms is good for a test. */
		check = cfg;
		check.rlc.discard_ns = WL_NEVER_NS;
		if (!wl_cfg_check(&check, &why))
			continue;
		cfg = was;
		act->op = LAW_CALL;
	}
}

/* One SDU is on its way, and the link is to be called when it is there. */
static u64 armed(struct cell *cell, u64 delay_ns, u64 limit)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8 * WL_SEC, 0, 0);

	say(&cfg, "delay %lluns limit %llu", delay_ns, limit);
	cell_init(cell, &cfg, 0);
	cell_send(cell, 1, 1000, 1);
	CHECK(cell_call(cell, 0));
	return wl_link_next_ns(&cell->link);
}

static bool waits(struct cell *cell, u64 now_ns, u64 at_ns)
{
	cell->now_ns = now_ns;
	cell_send(cell, 1, 100, 1);
	return cell->link.inbox.head &&
	       wl_link_waits_until(&cell->link, at_ns);
}

/* So many, so long, as far as there is room, and none beyond its own delay. */
CASE(plain, "plain: more SDUs wait, or longer, than may")
{
	static struct cell cell;
	struct wl_cfg other;
	u64 at_ns;

	at_ns = armed(&cell, 5000, 100);
	CHECK_EQ(at_ns, 6000);
	CHECK(wl_link_waits_until(&cell.link, at_ns));
	for (u32 i = 0; i < WL_LINK_WAIT_SDUS; i++)
		CHECK(waits(&cell, 1000 + i, at_ns));
	CHECK(!waits(&cell, 1500, at_ns));
	cell_call(&cell, at_ns);
	CHECK_EQ(wl_link_next_ns(&cell.link), 6100);
	cell_run(&cell, 10000);
	for (u32 i = 0; i <= WL_LINK_WAIT_SDUS; i++)
		CHECK_EQ(cell.done[1 + i].sdu.deliver_ns, 6100 + 100 * i);

	at_ns = armed(&cell, 5000, 4);
	for (u32 i = 0; i < 3; i++)
		CHECK(waits(&cell, 1010 + i, at_ns));
	/* That the first one is no longer there is not looked at. */
	CHECK(!waits(&cell, 1020, at_ns));
	cell_run(&cell, 10000);
	FATE(&cell, 4, 1410, WLINK_DROP_NONE);

	at_ns = armed(&cell, 5 * WL_MS, 100);
	CHECK_EQ(at_ns, 5 * WL_MS + 1000);
	CHECK(!waits(&cell, 4 * WL_MS + 999, at_ns));
	cell_call(&cell, 4 * WL_MS + 999);
	CHECK(waits(&cell, 4 * WL_MS + 1000, at_ns));

	/* The delay is that of its own bearer, and the shortest of all counts. */
	at_ns = armed(&cell, 5000, 100);
	other = cell.bearer[1]->cfg;
	other.delay_ns = 1000;
	cell_add(&cell, 2, 2, &other);
	CHECK(waits(&cell, 1100, at_ns));
	cell_send(&cell, 2, 100, 1);
	CHECK(wl_link_waits_until(&cell.link, 2100));
	CHECK(!wl_link_waits_until(&cell.link, 2101));
	CHECK(!waits(&cell, 1100, at_ns));
	cell_run(&cell, 10000);
	FATE(&cell, 2, 1200, WLINK_DROP_NONE);

	at_ns = armed(&cell, 0, 100);
	CHECK_EQ(at_ns, 1000);
	CHECK(!waits(&cell, 999, at_ns));
}

/* Of ten that are there at once each call hands no more out than it may. */
CASE(plain, "plain: a call hands more out than it may")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8 * WL_SEC, 0, 1000);
	struct wl_sdu *sdu;
	static struct cell cell;
	u32 outs = 0;

	cfg.delay_ns = WL_MS;
	cell_fill(&cell, &cfg, 1, 10);
	cell.link.budget_max = 0;
	CHECK(!wl_link_advance(&cell.link, WL_US));
	CHECK(cell.link.inbox.head);
	cell.link.budget_max = WL_LINK_BUDGET_MAX;
	CHECK(wl_link_advance(&cell.link, WL_US));
	CHECK_EQ(cell.link.event_ns, 10);
	cell.link.budget_max = 3;
	CHECK(!wl_link_advance(&cell.link, 2 * WL_MS));
	for (sdu = cell.link.out.head; sdu; sdu = sdu->out_next)
		outs++;
	CHECK_EQ(outs, 3);
	CHECK_EQ(cell.link.event_ns, WL_MS + 3);
}

TEST(plain)
{
	struct law_reach reach = { };
	static struct law law;
	u64 seed;

	for (u32 i = 0; i < ARRAY_SIZE(laws); i++) {
		ut_begin("plain: %s", laws[i].name);
		law_keep(&laws[i], &reach);
	}
	memset(&reach, 0, sizeof(reach));
	ut_begin("plain: in one of %u random stories the way of calling shows",
		 RANDOM_STORIES);
	for (seed = 1; seed <= RANDOM_STORIES && !ut_failed(); seed++) {
		random_law(&law, seed);
		law_keep(&law, &reach);
		if (ut_failed())
			ut_check(false, UT_WHERE, "seed %llu", seed);
	}
	/* It says nothing of what the stories do not reach. */
	CHECK(reach.waited > 4 * RANDOM_STORIES);
	CHECK(reach.left > RANDOM_STORIES);
	CHECK(reach.turns > 4 * RANDOM_STORIES);
}
