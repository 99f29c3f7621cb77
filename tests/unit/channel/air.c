// SPDX-License-Identifier: GPL-2.0
/* Channels in a link: whose they are, what is seeded, counted and charged. */
#include <stdlib.h>

#include "cell.h"
#include "oracle/scenario.h"
#include "say.h"
#include "ut.h"
#include "core/air/air.h"

#define STREAMS	32

static struct cell cell;
static struct outcome out;

static struct wl_cfg slow(u64 tti_ns)
{
	/* A SDU of 1000 bytes takes a second. */
	return cell_link(WLINK_SCHED_DEDICATED, 8000, tti_ns, 0);
}

static struct wl_chan_cfg twostate(u64 mean_ns, u64 hazard_q56)
{
	return (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_TWOSTATE,
		.mean_good_ns = mean_ns, .mean_bad_ns = mean_ns,
		.hazard_good_q56 = hazard_q56, .hazard_bad_q56 = hazard_q56,
	};
}

/* --- Seeds. --- */

static u32 of_channel(const struct wl_chan *chan, u64 *state)
{
	state[0] = chan->state_rng.state;
	state[1] = chan->loss_rng.state;
	return 2;
}

static u32 streams(u64 *state)
{
	u32 n = of_channel(&cell.link.air.chan, state), i;

	state[n++] = cell.link.users.rng.state;
	for (i = 1; i <= 2; i++) {
		const struct wl_bearer *b = cell.bearer[i];

		n += of_channel(&b->own.chan, state + n);
		n += of_channel(&b->reverse.air.chan, state + n);
		state[n++] = b->aqm.rng.state;
		state[n++] = b->harq.rng.state;
		state[n++] = b->access.rng.state;
		state[n++] = b->impair.jitter_rng.state;
		state[n++] = b->impair.corrupt_rng.state;
		state[n++] = b->impair.duplicate_rng.state;
		state[n++] = b->impair.chain.begun;
	}
	return n;
}

CASE(air, "air: a new seed is not that of a stream")
{
	u64 wanted[STREAMS], is[STREAMS];
	struct wl_cfg cfg = slow(0), own;
	u32 i, count;

	own = cfg;
	own.channel.kind = WLINK_CHANNEL_UNIFORM;
	cfg.seed = 9;
	cell_share(&cell, &cfg, 2, &own);
	count = streams(wanted);
	cfg.seed = 5;
	cell_share(&cell, &cfg, 2, &own);
	for (i = 1; i <= 2; i++)
		cell.bearer[i]->impair.chain.begun = true;
	cfg.seed = 9;
	cell_ask(&cell, WL_MS, 1, 1, &cfg);
	cell.link.pending->reseed = true;
	cell_run(&cell, WL_SEC);
	CHECK_EQ(streams(is), count);
	for (i = 0; i < count; i++)
		CHECK_EQ(is[i], wanted[i]);
}

/* --- What is told and counted. --- */

CASE(air, "air: a change of the state in continuous time is not told")
{
	struct wl_cfg cfg = slow(0);
	bool bad;

	cfg.channel = twostate(100 * WL_MS, 0);
	outcome_init(&out, &cfg, 0);
	bad = out.bad0;
	for (u32 i = 0; i < 50; i++) {
		outcome_send(&out, i * 100 * WL_MS, 10);
		outcome_call(&out, i * 100 * WL_MS);
		outcome_run(&out, (i + 1) * 100 * WL_MS - 1);
	}
	CHECK(out.note_count > 10);
	for (u32 i = 0; i < out.note_count; i++, bad = !bad) {
		CHECK_EQ(out.notes[i].what, 'c');
		CHECK_EQ(out.notes[i].value, !bad);
	}
	CHECK_EQ(out.link.air.chan.bad, bad);
}

/* Nothing of a grid is left in the next one, or without one. */
CASE(air, "air: a new grid of TTIs keeps something of the old one")
{
	struct wl_cfg cfg = slow(10 * WL_MS);

	cfg.channel = twostate(WL_MS, 0);
	cell_share(&cell, &cfg, 2, &cfg);
	for (u32 i = 1; i <= 2; i++)
		cell_send(&cell, i, 100, 1);
	cell_run(&cell, 25 * WL_MS);
	CHECK(cell.link.air.bad_ns);
	CHECK_EQ(cell.link.air.counted_ns, 20 * WL_MS);
	wl_air_grid(&cell.link, 30 * WL_MS);
	cell.link.news = WL_NEWS_GRID;
	wl_air_hear(cell.bearer[2], 30 * WL_MS);
	CHECK_EQ(cell.link.air.at_ns, 30 * WL_MS);
	CHECK_EQ(cell.link.air.bad_ns, 0);
	CHECK_EQ(cell.link.air.counted_ns, WL_NEVER_NS);
	for (u32 i = 1; i <= 2; i++)
		CHECK_EQ(cell.bearer[i]->reverse.air.at_ns, 30 * WL_MS);
	CHECK_EQ(cell.bearer[2]->own.at_ns, 30 * WL_MS);
}

/* Ten TTIs, each bad for a part of it. */
CASE(air, "air: a TTI that is bad in between is none")
{
	struct wl_cfg cfg = slow(10 * WL_MS);

	cfg.channel = twostate(100 * WL_US, 0);
	cell_play(&cell, &cfg, 100, 1, WL_SEC);
	CHECK_EQ(cell.link.air.chan.frames, 10);
	CHECK_EQ(cell.link.air.chan.frames_bad, 10);
}

/* A bit a TTI of each, in rows of TTIs that are one step. */
CASE(air, "air: a frame of two bearers is two")
{
	struct wl_cfg cfg = slow(WL_MS), other;

	cfg.rate_bps = 1000;
	other = cfg;
	other.channel.kind = WLINK_CHANNEL_LINK;
	cell_share(&cell, &cfg, 2, &other);
	for (u32 i = 1; i <= 2; i++)
		cell_send(&cell, i, 100, 1);
	cell_run(&cell, 10 * WL_SEC);
	CHECK_EQ(cell.count, 2);
	CHECK_EQ(cell.link.air.chan.frames, 800);
}

/* --- From one channel to another. --- */

/* After half a PDU the other one begins, which has been bad for no time yet. */
CASE(air, "air: a PDU on the air does not begin anew with another channel")
{
	struct wl_cfg cfg = slow(0), other;
	const struct wl_unit *unit;

	cfg.channel = twostate(WL_MS, 0);
	cell_init(&cell, &cfg, 0);
	other = cfg;
	other.channel.kind = WLINK_CHANNEL_LINK;
	cell_add(&cell, 2, 2, &other);
	unit = &cell.bearer[2]->unit;
	cell_run(&cell, WL_SEC);
	cell_carry(&cell, 2, 1000, 1, 1500 * WL_MS);
	CHECK_EQ(unit->from_ns, WL_SEC);
	CHECK(unit->mark_ns);
	cell_configure(&cell, 2, &cfg);
	CHECK_EQ(unit->from_ns, 1500 * WL_MS);
	CHECK_EQ(unit->mark_ns, 0);
}

/* --- What costs is charged. --- */

static void ways_back(u64 mean_ns)
{
	struct wl_cfg cfg = slow(0), other;

	cell_init(&cell, &cfg, 0);
	other = cfg;
	other.channel.kind = WLINK_CHANNEL_LINK;
	other.reverse.channel = twostate(mean_ns, 0);
	cell_add(&cell, 2, 20, &other);
	cell.link.budget_max = 10;
}

static void other_ways_back(void)
{
	struct wl_cfg cfg = slow(0);
	u32 calls = 1;

	ut_begin("air: a change that is none for a channel asks all ways back");
	ways_back(WL_SEC);
	cfg.rate_bps = 16000;
	cell_ask(&cell, WL_MS, 1, 1, &cfg);
	cell.now_ns = WL_MS;
	CHECK(wl_link_advance(&cell.link, WL_MS));

	ut_begin("air: ways back that turn often are looked at for nothing");
	/* 100 turns each in 1 ms. */
	ways_back(10 * WL_US);
	cfg.channel.kind = WLINK_CHANNEL_UNIFORM;
	cell_ask(&cell, WL_MS, 1, 1, &cfg);
	cell.now_ns = WL_MS;
	while (!wl_link_advance(&cell.link, WL_MS))
		calls++;
	CHECK(calls >= 19);
}

/* 10,000 turns each, of which those of 1000 cycles are walked through. */
CASE(air, "air: turns of a channel are walked through for nothing")
{
	struct wl_cfg cfg = slow(0);
	u32 i, calls = 1;

	cfg.channel = twostate(100 * WL_US, 0);
	cell_share(&cell, &cfg, 11, &cfg);
	cell_run(&cell, WL_SEC);
	for (i = 2; i <= 11; i++)
		cell_send(&cell, i, 10, 1);
	cell.link.budget_max = 100;
	for (; !wl_link_advance(&cell.link, WL_SEC); calls++)
		CHECK(calls < 1000);
	CHECK(calls >= 10);
}

/* Each PDU has some 8 errors. */
CASE(air, "air: errors are counted for nothing")
{
	struct wl_cfg cfg = slow(0);
	u32 calls = 1;

	say(&cfg, "rate 8mbit corrupt_lost on");
	cfg.channel = twostate(WL_SEC, 1ULL << 56 >> 3);
	cell_fill(&cell, &cfg, 8, 100);
	cell.link.budget_max = 10;
	for (; !wl_link_advance(&cell.link, WL_SEC); calls++)
		CHECK(calls < 1000);
	/* The errors alone. */
	CHECK(calls >= 80);
}

/* --- What both peers remember. --- */

static void sizes(const struct wl_rings *rings, u32 *size)
{
	const u32 sizes[] = {
		rings->pdus, rings->flights, rings->feedbacks, rings->blocks,
		rings->submits, rings->carries, rings->txs, rings->spans,
	};

	memcpy(size, sizes, sizeof(sizes));
}

/* One has more of every other ring, and the other of the rest. */
CASE(air, "air: rings are smaller than they have to be, or lie in each other")
{
	const struct wl_ring_need least = { 1, 33, 2, 65, 3, 129, 4, 257 };
	const struct wl_ring_need most = { 17, 1, 33, 2, 65, 3, 129, 1ULL << 21 };
	static const u32 both[] = { 32, 64, 64, 128, 128, 256, 256, WL_RINGS_RECORDS_MAX };
	struct wl_rings rings, other;
	u32 size[ARRAY_SIZE(both)], i;
	u64 bytes;

	for (i = 0; i < 2; i++) {
		wl_rings_set(&rings, i ? &least : &most);
		wl_rings_set(&other, i ? &most : &least);
		wl_rings_join(&rings, &other);
		sizes(&rings, size);
		CHECK(!memcmp(size, both, sizeof(both)));
	}
	/* From one to the next, in any order of them. */
	wl_rings_place(&rings, NULL);
	bytes = 32 * sizeof(*rings.pdu) + 64 * sizeof(*rings.flight) +
		64 * sizeof(*rings.feedback) + 128 * sizeof(*rings.block) +
		128 * sizeof(*rings.submitted) + 256 * sizeof(*rings.carried) +
		256 * sizeof(*rings.tx) + WL_RINGS_RECORDS_MAX * sizeof(*rings.span);
	CHECK_EQ(rings.bytes, bytes);
	CHECK_EQ((size_t)(rings.span + rings.spans), bytes);
}

static void *room(struct wl_bearer *b, u64 records)
{
	const struct wl_ring_need need = {
		records, records, records, records, records, records, records, records,
	};
	void *old = b->rings.mem;
	struct wl_rings rings;

	wl_rings_set(&rings, &need);
	wl_rings_place(&rings, calloc(1, rings.bytes));
	wl_bearer_move(b, &rings, WL_RINGS_RECORDS_MAX);
	return old;
}

/* Numbers 3 to 5 of each lie around the end of 4 records. */
CASE(air, "air: more room for what both peers remember loses some of it")
{
	static struct wl_bearer bearer;
	struct wl_bearer *b = &bearer;

	memset(b, 0, sizeof(*b));
	CHECK(!room(b, 4));
	b->flight = (struct wl_ring){ .head = 3, .tail = 6 };
	b->feedback = b->flight;
	b->harq.blocks = b->flight;
	b->submit.ring = b->flight;
	b->carried = b->flight;
	b->harq.txs = b->flight;
	for (u32 i = 3; i < 6; i++) {
		wl_flight_at(b, i)->sn = i;
		wl_feedback_at(b, i)->lsn = i;
		wl_harq_block_at(b, i)->bits = i;
		wl_submitted_at(b, i)->at_ns = i;
		wl_carried_at(b, i)->bytes = i;
		wl_harq_tx_at(b, i)->sn = i;
		*wl_pdu_at(b, i) = (struct wl_pdu){ .sn = i, .flags = WL_PDU_SENT };
		b->rings.span[i - 3].from = i;
	}
	free(room(b, 16));
	for (u32 i = 3; i < 6; i++) {
		CHECK_EQ(wl_flight_at(b, i)->sn, i);
		CHECK_EQ(wl_feedback_at(b, i)->lsn, i);
		CHECK_EQ(wl_harq_block_at(b, i)->bits, i);
		CHECK_EQ(wl_submitted_at(b, i)->at_ns, i);
		CHECK_EQ(wl_carried_at(b, i)->bytes, i);
		CHECK_EQ(wl_harq_tx_at(b, i)->sn, i);
		CHECK_EQ(wl_pdu_at(b, i)->sn, i);
		CHECK_EQ(b->rings.span[i - 3].from, i);
	}
	free(b->rings.mem);
}

TEST(air)
{
	other_ways_back();
}
