// SPDX-License-Identifier: GPL-2.0
/* Changes of a link whose bearers are in the middle of something. */
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"

static struct cell cell;

/* End of sending of a SDU. */
static u64 end_of(u32 seq)
{
	return cell_end_ns(&cell, seq);
}

/* 250 bytes at 64 kbit/s take 31.25 ms, and 640 bits are a TTI of 10 ms. */
static void new_grid(enum wlink_sched sched)
{
	struct wl_cfg cfg = cell_link(sched, 64000, 0, 250);
	u64 end_ns, last_ns = 0;

	ut_begin("bearer: a TTI begins off the grid of a new one, sched %d", sched);
	cell_play(&cell, &cfg, 250, 10, 7 * WL_MS);
	cfg.tti_ns = 10 * WL_MS;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 5 * WL_SEC);
	CHECK_EQ(end_of(0), 31250 * WL_US);
	for (u32 i = 1; i < 10; i++) {
		end_ns = end_of(i);
		CHECK_EQ((end_ns - 7 * WL_MS) % (10 * WL_MS), 0);
		CHECK(end_ns >= last_ns + 30 * WL_MS);
		last_ns = end_ns;
	}
}

/* 1500 bytes at 8 kbit/s take 1.5 s, a PDU of 40 bytes 40 ms. */
CASE(bearer_change, "bearer: the PDU on the air is not the last of the old channel")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 64000, 0, 40);
	struct wl_cfg slow = cell_class(&cfg, 8000);

	cell_share(&cell, &cfg, 2, &slow);
	cell_carry(&cell, 2, 1500, 1, 100 * WL_MS);
	cell_uniform(&cfg.channel, WLINK_PROB_ONE);
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 120 * WL_MS);
	/* The third ends now, and is not one with those after it. */
	CHECK_EQ(cell.bearer[2]->stats.v[WLINK_STAT_PDUS_SENT], 3);
	cell_run(&cell, 2 * WL_SEC);
	CHECK_EQ(cell.done[0].sdu.drop, WLINK_DROP_CHANNEL);
	CHECK_EQ(cell.done[0].sdu.end_ns, 1500 * WL_MS);
	/* Three had begun: at 0, 40 and 80 ms. */
	CHECK_EQ(cell.bearer[2]->stats.v[WLINK_STAT_PDUS_LOST], 38 - 3);
}

/* PDUs of 40 ms, of which the third goes on to 120 ms, and the fourth from 140 ms on. */
static void shared_in_between(u32 number)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 40);
	struct wl_cfg other = cell_class(&cfg, 8000);

	ut_begin("bearer: a SDU of %u on the air when turns begin is one PDU", number);
	cell_share(&cell, &cfg, 2, &other);
	cell_carry(&cell, number, 1500, 1, 100 * WL_MS);
	cfg.sched = WLINK_SCHED_RR;
	cell_configure(&cell, 1, &cfg);
	cell_carry(&cell, 3 - number, 40, 1, 2 * WL_SEC);
	CHECK_EQ(end_of(1), 140 * WL_MS);
	CHECK_EQ(end_of(0), 1520 * WL_MS);
}

/* A silence takes the transmitter from a PDU, and then a flush the PDU: the next one goes. */
CASE(bearer_change, "bearer: what follows a PDU that has waited waits for ever")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_RR, 8000, 0, 0), none = cfg;

	none.rate_bps = WLINK_RATE_SILENT;
	cell_play(&cell, &cfg, 100, 1, 50 * WL_MS);
	cell_configure(&cell, 1, &none);
	cell_run(&cell, 60 * WL_MS);
	wl_cell_flush(&cell);
	cell_configure(&cell, 1, &cfg);
	cell_carry(&cell, 1, 100, 1, WL_SEC);
	CHECK_EQ(end_of(1), 160 * WL_MS);
}

/* Each TTI has sent a block, none of which arrives. */
static void blocks_of_before(u32 number)
{
	struct wl_cfg cfg = cell_blocks(WLINK_MODE_TM);
	u64 *v;

	ut_begin("bearer: HARQ of %u goes on in another grid", number);
	cfg.harq = (struct wl_harq_cfg){
		.processes = 8, .rtt_ns = 8 * WL_MS, .transmissions = 7,
		.bler_q32 = WLINK_PROB_ONE, .factor_q32 = WLINK_PROB_ONE,
	};
	cell_share(&cell, &cfg, 2, &cfg);
	v = cell.bearer[number]->stats.v;
	cell_carry(&cell, number, 125, 5, 20 * WL_MS);
	CHECK_EQ(v[WLINK_STAT_HARQ_BLOCKS], 5);
	CHECK_EQ(v[WLINK_STAT_HARQ_LOST], 0);
	cfg.tti_ns = 2 * WL_MS;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 21 * WL_MS);
	CHECK_EQ(v[WLINK_STAT_HARQ_LOST], 5);
	cell_run(&cell, WL_SEC);
}

/* What TM has sent arrives first, so that 2 s of PDUs pile up behind it. */
static void shorter_way(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 1000000, 0, 40);

	ut_begin("bearer: a shorter delay after TM loses PDUs, mode %d", mode);
	cfg.delay_ns = 2 * WL_SEC;
	cell_play(&cell, &cfg, 1000, 400, WL_SEC);
	wl_cfg_set_mode(&cfg, mode);
	cfg.delay_ns = 10 * WL_MS;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 60 * WL_SEC);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_PDUS_LOST], 0);
	for (u32 i = 0; i < 400; i++)
		/* The one on the air at the change is dropped by it. */
		CHECK(!cell.done[i].sdu.drop || i == 125);
	CHECK_EQ(cell.done[125].sdu.drop, WLINK_DROP_REESTABLISH);
}

/* A timer that has passed already expires now, not before. */
CASE(bearer_change, "bearer: a shorter discard timer expires in the past")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 0);

	cell_play(&cell, &cfg, 1500, 3, WL_SEC);
	cfg.rlc.discard_ns = 300 * WL_MS;
	cell_configure(&cell, 1, &cfg);
	CHECK_EQ(cell.count, 2);
	CHECK_EQ(cell.done[1].sdu.drop, WLINK_DROP_TIMER);
	CHECK_EQ(end_of(1), WL_SEC);
	CHECK_EQ(end_of(2), WL_SEC);
	cell_run(&cell, 2 * WL_SEC);
	CHECK_EQ(end_of(0), 1500 * WL_MS);
}

/* Both wait for the TTI that the first takes away. */
CASE(bearer_change, "bearer: a change is in force before the one that came earlier")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 10 * WL_MS, 0);
	u32 i, applied = 0;

	cell_init(&cell, &cfg, 0);
	cfg.tti_ns = 0;
	cell_run(&cell, 2 * WL_MS);
	cell_ask(&cell, WLINK_AT_NOW, 1, 1, &cfg);
	cfg.rate_bps = 16000;
	cell_run(&cell, 3 * WL_MS);
	cell_ask(&cell, WLINK_AT_NOW, 2, 1, &cfg);
	cell_run(&cell, WL_SEC);
	for (i = 0; i < cell.noted; i++) {
		CHECK_EQ(cell.notes[i].at_ns, 10 * WL_MS);
		applied += cell.notes[i].kind == CELL_APPLIED;
	}
	CHECK_EQ(applied, 2);
}

/* A scheduling request each 10 ms, and 4 ms later a first grant of 100 bytes. */
static struct wl_cfg with_requests(enum wlink_mode mode)
{
	struct wl_cfg cfg = cell_blocks(mode);

	say(&cfg, "pdu 25 sr 10ms sr_grant 4ms sr_first 100");
	return cfg;
}

/* A request, and a first grant that a PDU of 125 bytes does not fit. Bits for
 * it are collected from 5 ms later on, when the mode becomes one without access.
 */
CASE(bearer_change, "bearer: who has begun in vain has waited for access as well")
{
	struct wl_cfg cfg = with_requests(WLINK_MODE_TM);
	const struct wl_sdu *sdu;

	say(&cfg, "rate 100kbit pdu 125");
	cell_fill(&cell, &cfg, 125, 1);
	while (!cell.link.first.queue.head || !cell.link.first.queue.head->access_tx_ns)
		cell_run(&cell, cell.now_ns + WL_MS / 2);
	CHECK(cell.link.first.queue.head->access_ns >= 4 * WL_MS);
	wl_cfg_set_mode(&cfg, WLINK_MODE_UM);
	memset(&cfg.access, 0, sizeof(cfg.access));
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, WL_SEC);
	sdu = &cell.done[0].sdu;
	CHECK_EQ(sdu->access_ns, 0);
	CHECK_EQ(sdu->access_tx_ns, 0);
	CHECK_EQ(cell_stat(&cell, WLINK_STAT_SDUS_DELIVERED), 1);
}

/* A bearer waits for a grant, for what goes again alone. One change takes the TTI away, and from
 * that bearer the requests that go by TTIs.
 */
CASE(bearer_change, "bearer: a request goes by TTIs that there are none of any more")
{
	struct wl_cfg cfg = with_requests(WLINK_MODE_TM), class = with_requests(WLINK_MODE_AM);
	struct wl_pending *txn;
	struct wl_bearer *b;

	memset(&cfg.access, 0, sizeof(cfg.access));
	cell_uniform(&class.channel, WLINK_PROB_ONE);
	cell_share(&cell, &cfg, 2, &class);
	b = cell.bearer[2];
	cell_send(&cell, 2, 20, 1);
	while (cell.now_ns < WL_SEC && !(b->stats.v[WLINK_STAT_PDUS_SENT] &&
					 b->access.state == WL_ACCESS_WAITS))
		cell_run(&cell, cell.now_ns + WL_MS / 2);
	CHECK(!b->fresh && cell.now_ns < WL_SEC);
	cfg.tti_ns = 0;
	class.tti_ns = 0;
	memset(&class.access, 0, sizeof(class.access));
	class.channel.kind = WLINK_CHANNEL_NONE;
	txn = wl_ask_new(2, 1);
	wl_ask_part(txn, cell.bearer[1], &cfg);
	wl_ask_part(txn, b, &class);
	cell_commit(&cell, WLINK_AT_NEXT, txn);
	cell_run(&cell, 2 * WL_SEC);
	CHECK_EQ(b->stats.v[WLINK_STAT_SDUS_DELIVERED], 1);
}

TEST(bearer_change)
{
	new_grid(WLINK_SCHED_DEDICATED);
	new_grid(WLINK_SCHED_RR);
	shared_in_between(1);
	shared_in_between(2);
	blocks_of_before(1);
	blocks_of_before(2);
	shorter_way(WLINK_MODE_UM);
}
