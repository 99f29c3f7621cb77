// SPDX-License-Identifier: GPL-2.0
/*
 * What a change cannot do at once, as a bearer holds more than its budget is for: the rest
 * follows at the same time. And what of a connection does not outlive it.
 */
#include "cell.h"
#include "say.h"
#include "ut.h"

#define SDUS	1000

static struct cell cell;

static struct wl_cfg mode(enum wlink_mode mode, u64 rate_bps, u64 tti_ns)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, rate_bps, tti_ns, 40);

	wl_cfg_set_mode(&cfg, mode);
	say(&cfg, "pdu 40 limit %d", SDUS);
	return cfg;
}

/* All that has not been begun is delivered, whatever has come of what had. */
static void all_come(u64 least)
{
	cell_run(&cell, 100 * WL_SEC);
	CHECK_EQ(cell.count, cell.sent);
	CHECK(cell_stat(&cell, WLINK_STAT_SDUS_DELIVERED) >= least);
}

/* The second begins when the first has not come to the end of the queue. */
static void another_pdu(u32 times)
{
	struct wl_cfg cfg = mode(WLINK_MODE_UM, 640000, 10 * WL_MS);

	ut_begin("rests: %u changes of the PDU lose what waits", times);
	cell_fill(&cell, &cfg, 39, SDUS);
	cell_call(&cell, WL_MS);
	for (u32 i = 0; i < times; i++) {
		cfg.pdu_bytes++;
		cell_ask(&cell, WLINK_AT_NEXT, i + 1, 1, &cfg);
	}
	cell_run(&cell, 10 * WL_MS);
	CHECK(!cell.bearer[1]->old.head);
	all_come(SDUS - 50);
}

/* More has been begun than the change does at once, so it finds nothing to send. */
CASE(rests, "rests: a bearer that becomes one in TM does not go on")
{
	struct wl_cfg cfg = mode(WLINK_MODE_AM, 10000000, 0);

	cfg.delay_ns = WL_SEC;
	cell_play(&cell, &cfg, 39, SDUS, 20 * WL_MS);
	CHECK(cell_stat(&cell, WLINK_STAT_PDUS_SENT) > 400);
	say(&cfg, "mode tm pdu 0");
	cell_configure(&cell, 1, &cfg);
	all_come(SDUS / 3);
}

CASE(rests, "rests: a lower limit leaves what its first call has not come to")
{
	struct wl_cfg cfg = mode(WLINK_MODE_TM, 64000, 0);

	cell_fill(&cell, &cfg, 40, SDUS);
	cell_call(&cell, WL_MS);
	cfg.limit.value = 5;
	cell_configure(&cell, 1, &cfg);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_BUFFER_SDUS), 5);
	CHECK_EQ(cell.count, SDUS - 5);
	all_come(5);
}

/* The end of the first SDU would have been told by the PDU after it. */
CASE(rests, "rests: a PDU tells the end of a SDU of another connection")
{
	struct wl_cfg cfg = mode(WLINK_MODE_UM, 64000, 0);

	cell_fill(&cell, &cfg, 40, 1);
	cell_call(&cell, WL_MS);
	CHECK(cell.bearer[1]->unended);
	cfg.pdu_bytes = 50;
	cell_configure(&cell, 1, &cfg);
	cell_send(&cell, 1, 10, 1);
	/* Its own, and that of the padding. */
	cell_run(&cell, WL_SEC);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_LI_BYTES), 2);
	all_come(1);
}

CASE(rests, "rests: feedback for one connection is taken for that of the next")
{
	struct wl_cfg cfg = mode(WLINK_MODE_FSR, 64000, 0);
	u32 was;

	cell_init(&cell, &cfg, 0);
	was = cell.bearer[1]->connection;
	cfg.pdu_bytes++;
	cell_configure(&cell, 1, &cfg);
	CHECK(cell.bearer[1]->connection != was);
	all_come(0);
}

TEST(rests)
{
	another_pdu(1);
	another_pdu(2);
}
