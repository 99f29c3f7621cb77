// SPDX-License-Identifier: GPL-2.0
/* What the tables of cases do not reach: calls back, counters, the seed. */
#include "oracle/scenario.h"
#include "say.h"
#include "ut.h"
#include "wl_ask.h"

static struct outcome out;

static struct wl_cfg bearer(u64 tti_ns)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	say(&cfg, "rate 384kbit tti %lluns pdu 40 seed 11", tti_ns);
	return cfg;
}

static void send(u64 at_ns, u32 bytes)
{
	outcome_send(&out, at_ns, bytes);
	outcome_call(&out, at_ns);
}

static void configure(u64 at_ns, const struct wl_cfg *cfg, bool reseed)
{
	outcome_call(&out, at_ns);
	CHECK(wl_ask(&out.link, &out.link.first, at_ns, cfg, reseed));
	outcome_call(&out, at_ns);
}

static void is_note(u32 i, char what, u64 at_ns, u64 value)
{
	if (!CHECK(i < out.note_count))
		return;
	CHECK_EQ(out.notes[i].what, what);
	CHECK_EQ(out.notes[i].at_ns, at_ns);
	CHECK_EQ(out.notes[i].heard_ns, at_ns);
	CHECK_EQ(out.notes[i].value, value);
}

CASE(link, "link: a change is told at the wrong time or not once")
{
	struct wl_cfg cfg = bearer(10 * WL_MS);

	outcome_init(&out, &cfg, 0);
	CHECK_EQ(out.note_count, 0);
	CHECK_EQ(out.link.generation, 0);
	cfg.rate_bps = 64000;
	configure(12 * WL_MS, &cfg, false);
	CHECK_EQ(out.note_count, 0);
	CHECK_EQ(wl_link_next_ns(&out.link), 20 * WL_MS);
	cfg.rate_bps = 128000;
	configure(19 * WL_MS, &cfg, false);
	outcome_run(&out, 35 * WL_MS);
	configure(35 * WL_MS, &cfg, false);
	outcome_run(&out, WL_SEC);
	cfg.tti_ns = 0;
	configure(WL_SEC, &cfg, false);
	outcome_run(&out, 2 * WL_SEC);
	cfg.rate_bps = 1;
	configure(2 * WL_SEC, &cfg, false);
	CHECK_EQ(out.note_count, 4);
	is_note(0, 'r', 20 * WL_MS, 128000);
	is_note(1, 'r', 40 * WL_MS, 128000);
	is_note(2, 'r', 1010 * WL_MS, 128000);
	is_note(3, 'r', 2 * WL_SEC, 1);
	CHECK_EQ(out.link.generation, 4);
	CHECK_EQ(wl_link_next_ns(&out.link), WL_NEVER_NS);
}

CASE(link, "link: a change of the channel's state is not told, or late")
{
	struct wl_cfg cfg = bearer(10 * WL_MS);

	wl_case_set(&cfg, WL_OP_P, WLINK_PROB_ONE);
	wl_case_set(&cfg, WL_OP_R, 0);
	outcome_init(&out, &cfg, 0);
	wl_case_set(&cfg, WL_OP_R, WLINK_PROB_ONE);
	configure(1 * WL_MS, &cfg, false);
	outcome_run(&out, 15 * WL_MS);
	send(15 * WL_MS, 1500);
	outcome_run(&out, 200 * WL_MS);
	cfg.channel.kind = WLINK_CHANNEL_NONE;
	configure(205 * WL_MS, &cfg, false);
	outcome_run(&out, WL_SEC);
	/* Bad at first and until 10; TTIs at 20, 30, 40 and 50; off at 210,
	 * which is 16 frames after the last of them.
	 */
	is_note(0, 'c', 0, 1);
	is_note(1, 'r', 10 * WL_MS, 384000);
	CHECK_EQ(out.notes[2].what, 'c');
	CHECK_EQ(out.notes[2].at_ns, 20 * WL_MS);
	CHECK_EQ(out.notes[2].value, 0);
	CHECK_EQ(out.notes[3].at_ns, 30 * WL_MS);
	CHECK_EQ(out.notes[3].value, 1);
	CHECK_EQ(out.notes[4].at_ns, 40 * WL_MS);
	CHECK_EQ(out.notes[5].at_ns, 50 * WL_MS);
	CHECK_EQ(out.notes[5].value, 1);
	is_note(6, 'c', 210 * WL_MS, 0);
	is_note(7, 'r', 210 * WL_MS, 384000);
	CHECK_EQ(out.note_count, 8);
	CHECK_EQ(out.link.air.chan.frames, 4);
	CHECK_EQ(out.link.air.chan.frames_bad, 2);
}

/* 38 PDUs with headers of 2 and, from 1 ms on, 3 bytes; two had begun. */
CASE(link, "link: PDUs are counted with a later header")
{
	struct wl_cfg cfg = bearer(0);

	cfg.header_bytes = 2;
	outcome_init(&out, &cfg, 0);
	send(0, 1500);
	cfg.header_bytes = 3;
	configure(1 * WL_MS, &cfg, false);
	outcome_run(&out, WL_SEC);
	CHECK_EQ(out.count, 1);
	CHECK_EQ(out.done[0].end_ns, 31250 * WL_US);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_PDUS_SENT], 38);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_AIR_BYTES], 1500 + 2 * 2 + 36 * 3);
}

CASE(link, "link: the sums of delays do not add up")
{
	struct wl_cfg cfg = bearer(0);

	say(&cfg, "delay 7ms limit 3");
	outcome_init(&out, &cfg, 0);
	send(0, 1500);
	send(0, 1500);
	send(0, 1000);
	send(0, 1);
	outcome_run(&out, WL_SEC);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_SDUS_IN], 4);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_BYTES_IN], 4001);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_SDUS_DELIVERED], 3);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_BYTES_DELIVERED], 4000);
	CHECK_EQ(out.link.first.stats.drops[WLINK_DROP_OVERFLOW], 1);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_BYTES_DROPPED], 1);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_BUFFER_SDUS_MAX], 3);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_BUFFER_BYTES_MAX], 4000);
	CHECK_EQ(out.link.first.stats.why_ns[WLINK_WHY_QUEUE],
		 (31250 + 62500) * WL_US);
	CHECK_NEAR(out.link.first.stats.why_ns[WLINK_WHY_SERIAL], 83333333.3, 1);
	CHECK_EQ(out.link.first.stats.why_ns[WLINK_WHY_PROP], 21 * WL_MS);
}

/* An idle past must not shift the numbers of a stream that starts anew. */
CASE(link, "link: idle frames draw from a seed that comes after them")
{
	struct wl_cfg cfg = bearer(10 * WL_MS);
	struct wl_chan fresh = { 0 };

	cfg.channel.kind = WLINK_CHANNEL_GILBERT;
	cfg.channel.p_q32 = WL_MS;
	cfg.channel.r_q32 = WL_MS;
	outcome_init(&out, &cfg, 0);
	cfg.seed = 5;
	configure(55 * WL_MS, &cfg, true);
	outcome_run(&out, 60 * WL_MS);
	wl_chan_seed(&fresh, 5, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
	CHECK_EQ(out.link.generation, 1);
	CHECK_EQ(out.link.air.chan.state_rng.state, fresh.state_rng.state);
	CHECK_EQ(out.link.air.chan.loss_rng.state, fresh.loss_rng.state);
}

CASE(link, "link: a second change in a TTI forgets the new seed")
{
	struct wl_cfg cfg = bearer(10 * WL_MS);
	struct wl_chan fresh = { 0 };

	outcome_init(&out, &cfg, 0);
	cfg.seed = 5;
	configure(11 * WL_MS, &cfg, true);
	cfg.rate_bps = 1000;
	configure(12 * WL_MS, &cfg, false);
	outcome_run(&out, 20 * WL_MS);
	wl_chan_seed(&fresh, 5, WL_RNG_CHANNEL, WL_RNG_LOSS, 0);
	CHECK_EQ(out.link.generation, 1);
	CHECK_EQ(out.link.air.chan.loss_rng.state, fresh.loss_rng.state);
}

CASE(link, "link: a change starts the streams anew unasked")
{
	struct wl_cfg cfg = bearer(0);
	u64 state;

	wl_case_set(&cfg, WL_OP_UNIFORM, 1U << 31);
	outcome_init(&out, &cfg, 0);
	send(0, 1500);
	outcome_run(&out, WL_SEC);
	state = out.link.air.chan.loss_rng.state;
	cfg.rate_bps = 1000;
	configure(WL_SEC, &cfg, false);
	CHECK_EQ(out.link.air.chan.loss_rng.state, state);
}

/* What a loss on the air costs is known at the end of the SDU only. */
CASE(link, "link: a lost SDU does not use the radio to its end")
{
	struct wl_cfg cfg = bearer(0);

	wl_case_set(&cfg, WL_OP_UNIFORM, WLINK_PROB_ONE);
	outcome_init(&out, &cfg, 0);
	send(0, 1500);
	send(0, 1500);
	outcome_run(&out, WL_SEC);
	CHECK_EQ(out.done[0].drop, WLINK_DROP_CHANNEL);
	CHECK_EQ(out.done[1].start_ns, 31250 * WL_US);
	CHECK_EQ(out.done[1].end_ns, 62500 * WL_US);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_PDUS_SENT], 76);
	CHECK_EQ(out.link.first.stats.v[WLINK_STAT_PDUS_LOST], 76);
	CHECK_EQ(out.link.first.stats.why_ns[WLINK_WHY_QUEUE], 0);
	CHECK_EQ(out.link.first.stats.why_ns[WLINK_WHY_SERIAL], 0);
}

/* A super-packet that cannot be segmented is an arrival and a drop. */
CASE(link, "link: what is refused is not counted, or takes room")
{
	const struct wl_stats *stats = &out.link.first.stats;
	struct wl_cfg cfg = bearer(0);

	cfg.limit.value = 2;
	outcome_init(&out, &cfg, 0);
	send(0, 1500);
	out.sent++;
	wl_link_refuse(&out.link, &out.link.first, 0, (void *)2, 60000,
		       WLINK_DROP_SEGMENT);
	outcome_call(&out, 0);
	send(0, 1500);
	outcome_run(&out, WL_SEC);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_IN], 3);
	CHECK_EQ(stats->v[WLINK_STAT_BYTES_IN], 63000);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_DELIVERED], 2);
	CHECK_EQ(stats->drops[WLINK_DROP_SEGMENT], 1);
	CHECK_EQ(stats->v[WLINK_STAT_BYTES_DROPPED], 60000);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_SDUS_MAX], 2);
	CHECK_EQ(out.done[1].drop, WLINK_DROP_SEGMENT);
	CHECK_EQ(out.done[1].end_ns, 0);
	CHECK_EQ(out.done[2].start_ns, 31250 * WL_US);
}

CASE(link, "link: a descriptor that has been taken back is used, or lost")
{
	struct wl_cfg cfg = bearer(0);
	struct wl_sdu *sdu = NULL;
	u32 count;

	outcome_init(&out, &cfg, 0);
	for (count = out.link.descriptors; count > 2; count--) {
		sdu = wl_link_take_sdu(&out.link);
		CHECK(sdu);
	}
	CHECK_EQ(out.link.descriptors, 2);
	for (count = 0; count < 3; count++)
		outcome_send(&out, 0, 100);
	CHECK_EQ(out.link.first.stats.drops[WLINK_DROP_SLOTS], 1);
	CHECK(!wl_link_take_sdu(&out.link));
	CHECK_EQ(out.link.descriptors, 2);
	wl_link_add_sdus(&out.link, sdu, 1);
	outcome_send(&out, 0, 100);
	CHECK_EQ(out.link.first.stats.drops[WLINK_DROP_SLOTS], 1);
	CHECK_EQ(out.link.descriptors, 3);
}
