// SPDX-License-Identifier: GPL-2.0
/*
 * Opportunities to send, as Mahimahi's link has them: one carries so many bytes
 * at its instant; what the queue cannot fill is lost; a packet may take parts of
 * several, and one may carry several packets.
 */
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "wl_schedules.h"

#define GRANT	(1U << WLINK_COLUMN_GRANT)
#define MS(n)	((n) * WL_MS)

static struct cell cell;

static void open(u32 pdu_bytes, enum wlink_schedule_end end, u64 length_ns,
		 u32 words, const u64 *word)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0,
				      pdu_bytes);
	struct wl_schedule *schedule = wl_schedules_new(GRANT);

	CHECK_EQ(wl_schedules_add(schedule, words / 2, word), words / 2);
	schedule->end = end;
	if (length_ns)
		schedule->length_ns = length_ns;
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, schedule);
	/* All but the opportunities is the business of rrc/schedule.c. */
	cell.noted = 0;
}

#define OPEN(pdu_bytes, end, length_ns, ...) __extension__ ({		\
	const u64 words_[] = { __VA_ARGS__ };				\
	open(pdu_bytes, end, length_ns, ARRAY_SIZE(words_), words_); })

static void is_granted(u32 i, const char *where, u64 at_ns, u64 bytes,
		       u64 used)
{
	cell_is_note(&cell, i, where, (struct cell_note){
		CELL_GRANTED, at_ns, 1, 1, bytes, used });
}

#define GRANTED(...) is_granted(n++, UT_WHERE, __VA_ARGS__)

static void sums(u64 grants, u64 bytes, u64 used)
{
	const struct wl_stats *stats = &cell.link.first.stats;

	CHECK_EQ(stats->v[WLINK_STAT_GRANTS], grants);
	CHECK_EQ(stats->v[WLINK_STAT_GRANT_BYTES], bytes);
	CHECK_EQ(stats->v[WLINK_STAT_GRANT_BYTES_USED], used);
}

CASE(grant, "grant: one that finds nothing to send is kept")
{
	u32 n = 0;

	OPEN(0, WLINK_SCHEDULE_END_HOLD, 0, MS(10), 1500, MS(20), 1500, MS(30),
	     1500, MS(40), 1500);
	cell_send(&cell, 1, 1500, 1);
	CHECK_EQ(wl_link_next_ns(&cell.link), 0);
	cell_run(&cell, MS(25));
	/* At the instant of an opportunity is too late for it. */
	cell_carry(&cell, 1, 1500, 1, MS(30) - 1);
	cell_call(&cell, MS(40) - 1);
	cell_carry(&cell, 1, 0 + 700, 1, WL_SEC);
	FATE(&cell, 0, MS(10), WLINK_DROP_NONE);
	FATE(&cell, 1, MS(30), WLINK_DROP_NONE);
	FATE(&cell, 2, MS(40), WLINK_DROP_NONE);
	CHECK_EQ(cell.done[0].sdu.start_ns, MS(10));
	GRANTED(MS(10), 1500, 1500);
	GRANTED(MS(20), 1500, 0);
	GRANTED(MS(30), 1500, 1500);
	GRANTED(MS(40), 1500, 700);
	sums(4, 6000, 3700);
}

CASE(grant, "grant: one takes what arrives at its instant")
{
	u32 n = 0;

	OPEN(0, WLINK_SCHEDULE_END_HOLD, 0, MS(10), 1500, MS(20), 1500);
	cell_call(&cell, MS(10) - 1);
	cell.now_ns = MS(10);
	cell_carry(&cell, 1, 1500, 1, WL_SEC);
	FATE(&cell, 0, MS(20), WLINK_DROP_NONE);
	GRANTED(MS(10), 1500, 0);
	GRANTED(MS(20), 1500, 1500);
}

CASE(grant, "grant: a SDU that needs several, or several that fit one")
{
	u32 n = 0;

	OPEN(0, WLINK_SCHEDULE_END_HOLD, 0, MS(10), 1500, MS(20), 1500, MS(30),
	     1500, MS(40), 1500, MS(50), 1500);
	cell_carry(&cell, 1, 4000, 1, MS(35));
	cell_send(&cell, 1, 400, 3);
	cell_send(&cell, 1, 1000, 1);
	cell_run(&cell, WL_SEC);
	FATE(&cell, 0, MS(30), WLINK_DROP_NONE);
	CHECK_EQ(cell.done[0].sdu.start_ns, MS(10));
	FATE(&cell, 1, MS(40), WLINK_DROP_NONE);
	FATE(&cell, 2, MS(40), WLINK_DROP_NONE);
	FATE(&cell, 3, MS(40), WLINK_DROP_NONE);
	/* 300 bytes of it go at 40 ms. */
	FATE(&cell, 4, MS(50), WLINK_DROP_NONE);
	CHECK_EQ(cell.done[4].sdu.start_ns, MS(40));
	GRANTED(MS(10), 1500, 1500);
	GRANTED(MS(20), 1500, 1500);
	GRANTED(MS(30), 1500, 1000);
	GRANTED(MS(40), 1500, 1500);
	GRANTED(MS(50), 1500, 700);
	sums(5, 7500, 6200);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_PDUS_SENT], 5);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_AIR_BYTES], 6200);
}

/* As in a file in which a ms stands three times. */
CASE(grant, "grant: of several at one instant some are forgotten")
{
	u32 n = 0;

	OPEN(0, WLINK_SCHEDULE_END_HOLD, 0, MS(10), 1504, MS(10), 1504, MS(10),
	     1504, MS(10), WLINK_STEP_KEEP, MS(10), 0, MS(11), 1504);
	cell_carry(&cell, 1, 4000, 1, WL_SEC);
	FATE(&cell, 0, MS(10), WLINK_DROP_NONE);
	GRANTED(MS(10), 1504, 1504);
	GRANTED(MS(10), 1504, 1504);
	GRANTED(MS(10), 1504, 992);
	GRANTED(MS(11), 1504, 0);
	sums(4, 6016, 4000);
}

/* The last one of a pass is at the length, the next comes 10 ms after it. */
CASE(grant, "grant: a loop offers more or less than its file")
{
	OPEN(0, WLINK_SCHEDULE_END_LOOP, 0, MS(10), 1000, MS(20), 500);
	cell_carry(&cell, 1, 750, 2000, 20 * WL_SEC);
	for (u32 i = 0; i < 2000 && !ut_failed(); i++)
		FATE(&cell, i, MS(10) * (i + 1), WLINK_DROP_NONE);
	sums(2000, 1500000, 1500000);
	CHECK_EQ(cell.link.first.schedule->pass, 1000);
}

/* Two PDUs of 400 bytes and one of 200 in each SDU; what is too little for a
 * PDU waits for it.
 */
CASE(grant, "grant: bytes of a part of a PDU are lost")
{
	u32 n = 0;

	OPEN(400, WLINK_SCHEDULE_END_HOLD, 0, MS(10), 500, MS(20), 500, MS(30),
	     500);
	cell_send(&cell, 1, 1000, 2);
	/* A header is on the air, and in no opportunity. */
	cell.link.first.cfg.header_bytes = 3;
	cell_run(&cell, MS(15));
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_PDUS_SENT], 1);
	cell_run(&cell, WL_SEC);
	FATE(&cell, 0, MS(20), WLINK_DROP_NONE);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_PDUS_SENT], 4);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_AIR_BYTES], 1412);
	GRANTED(MS(10), 500, 500);
	GRANTED(MS(20), 500, 500);
	GRANTED(MS(30), 500, 500);
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_SDUS_HELD], 1);
}

/* 1000 bytes take 1 s at the rate: what is on the air when the opportunities
 * begin ends as it would have, and what waits when they end goes by the rate.
 */
CASE(grant, "grant: the begin or the end of a schedule of them stalls")
{
	const u64 words[] = { MS(100), 1000, MS(200), 1000, MS(1300), 1000 };
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 0);
	struct wl_schedule *schedule = wl_schedules_new(GRANT);

	cell_play(&cell, &cfg, 1000, 1, MS(50));
	CHECK_EQ(wl_schedules_add(schedule, 3, words), 3);
	schedule->end = WLINK_SCHEDULE_END_STOP;
	schedule->length_ns = MS(1450);
	cell_schedule(&cell, 1, schedule);
	cell_run(&cell, MS(1200));
	cell_send(&cell, 1, 1500, 1);
	cell_send(&cell, 1, 1000, 1);
	cell_run(&cell, 10 * WL_SEC);
	FATE(&cell, 0, WL_SEC, WLINK_DROP_NONE);
	CHECK(!cell.link.first.schedule);
	/* From 50 + 1450 ms on; SDU 2 was not begun before. */
	CHECK_EQ(cell.done[2].sdu.end_ns, MS(1500) + 2500 * WL_MS);
}

/* The second SDU would begin when the first one ends, at 1 s, where opportunities begin. */
CASE(grant, "grant: what is next when a schedule of them begins goes by the rate")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 0);
	struct wl_schedule *schedule = wl_schedules_new(GRANT);

	cell_fill(&cell, &cfg, 1000, 2);
	CHECK_EQ(wl_schedules_add(schedule, 1, (u64[]){ MS(100), 1000 }), 1);
	schedule->start_ns = WL_SEC;
	cell_schedule(&cell, 1, schedule);
	cell_run(&cell, 10 * WL_SEC);
	FATE(&cell, 0, WL_SEC, WLINK_DROP_NONE);
	FATE(&cell, 1, MS(1100), WLINK_DROP_NONE);
	CHECK_EQ(cell.done[1].sdu.start_ns, MS(1100));
}

/* More than a call does: what comes with a SDU is at the time of that SDU all the same. */
static void with_first_packet(u32 sdus, u32 grants)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, WLINK_RATE_SILENT, 0, 0);
	struct wl_schedule *schedule = wl_schedules_new(GRANT);
	static u64 words[2 * 2000];

	ut_begin("grant: of %u with the first packet, or %u packets, some come later",
		 grants, sdus);
	memset(words, 0, sizeof(words));
	for (u32 i = 0; i <= grants; i++)
		words[2 * i + 1] = i || !sdus ? 1 : sdus;
	words[2 * grants] = WL_SEC;
	CHECK_EQ(wl_schedules_add(schedule, grants + 1, words), grants + 1);
	schedule->start_ns = WLINK_START_PACKET;
	cell_play(&cell, &cfg, 1, sdus, MS(10));
	cell_schedule(&cell, 1, schedule);
	cell_carry(&cell, 1, 1, 1, 10 * WL_SEC);
	for (u32 i = 0; i < sdus && !ut_failed(); i++)
		FATE(&cell, i, MS(10), WLINK_DROP_NONE);
	/* The engine comes to so many before it, and to the others behind it. */
	FATE(&cell, sdus, grants > 512 ? MS(10) : MS(1010), WLINK_DROP_NONE);
	sums(grants + 1, max(sdus, 1U) + grants, sdus + 1);
}

CASE(grant, "grant: what is left of one goes on after a stop")
{
	OPEN(400, WLINK_SCHEDULE_END_HOLD, 0, MS(10), 300, WL_SEC, 1000);
	cell_carry(&cell, 1, 1000, 1, MS(20));
	CHECK_EQ(cell.link.first.stats.v[WLINK_STAT_PDUS_SENT], 0);
	cell_stop(&cell, 1);
	cell_run(&cell, 10 * WL_SEC);
	/* All of it at 8 kbit/s. */
	FATE(&cell, 0, MS(1020), WLINK_DROP_NONE);
	sums(1, 300, 300);
}

/* With a delay and losses of the same schedule. */
CASE(grant, "grant: a step does not set the rest before it grants")
{
	static const u64 words[] = {
		MS(10), MS(7), 0, 1500,
		MS(20), MS(8), WLINK_PROB_ONE, 1500,
		MS(30), MS(9), 0, WLINK_STEP_KEEP,
		MS(40), WLINK_STEP_KEEP, WLINK_STEP_KEEP, 1500,
	};
	const u32 columns = GRANT | 1U << WLINK_COLUMN_DELAY | 1U << WLINK_COLUMN_LOSS;
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 0);
	struct wl_schedule *schedule = wl_schedules_new(columns);

	CHECK_EQ(wl_schedules_add(schedule, 4, words), 4);
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, schedule);
	cell_carry(&cell, 1, 1500, 3, WL_SEC);
	FATE(&cell, 0, MS(10), WLINK_DROP_NONE);
	CHECK_EQ(cell.done[0].sdu.deliver_ns, MS(17));
	FATE(&cell, 1, MS(20), WLINK_DROP_CHANNEL);
	FATE(&cell, 2, MS(40), WLINK_DROP_NONE);
	CHECK_EQ(cell.done[2].sdu.deliver_ns, MS(49));
	sums(3, 4500, 4500);
}

/* Each PDU is a frame of the channel, of which each other one is bad. */
CASE(grant, "grant: the channel stands still")
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 100);

	cfg.channel = (struct wl_chan_cfg){
		.kind = WLINK_CHANNEL_GILBERT, .p_q32 = WLINK_PROB_ONE,
		.r_q32 = WLINK_PROB_ONE, .loss_bad_q32 = WLINK_PROB_ONE,
	};
	cell_init(&cell, &cfg, 0);
	cell_schedule(&cell, 1, SCHEDULE(GRANT, MS(10), 600));
	cell_carry(&cell, 1, 100, 6, WL_SEC);
	for (u32 i = 1; i < 6; i++)
		CHECK(!cell.done[i].sdu.drop != !cell.done[i - 1].sdu.drop);
	CHECK_EQ(cell.link.air.chan.frames, 6);
	CHECK_EQ(cell.link.air.chan.frames_bad, 3);
}

#define TRACE	3000
#define CHUNK	1504

/* What LinkQueue of Mahimahi does, in its own words. */
struct mahimahi {
	u64 opportunity_ns[TRACE];
	u64 arrival_ns[TRACE];
	u32 bytes[TRACE];
	u64 end_ns[TRACE];
	u32 used[TRACE];
	u32 packets;
};

static void replay(struct mahimahi *m)
{
	u32 i, at = 0, in_transit = 0;

	for (i = 0; i < TRACE; i++) {
		u32 left = CHUNK;

		while (left) {
			u32 sent;

			if (!in_transit) {
				if (at == m->packets ||
				    m->arrival_ns[at] >= m->opportunity_ns[i])
					break;
				in_transit = m->bytes[at];
			}
			sent = min(left, in_transit);
			in_transit -= sent;
			left -= sent;
			if (!in_transit)
				m->end_ns[at++] = m->opportunity_ns[i];
		}
		m->used[i] = CHUNK - left;
	}
	m->packets = at;
}

static void as_mahimahi(u64 seed, u32 budget_max, bool late)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 0);
	struct wl_rng dice = { .state = seed };
	struct wl_schedule *schedule = wl_schedules_new(GRANT);
	static struct mahimahi m;
	static u64 words[2 * TRACE];
	u64 now_ns = 0, used = 0;

	for (u32 i = 0; i < TRACE; i++) {
		now_ns += wl_rng_next(&dice) % 3 * WL_MS;
		m.opportunity_ns[i] = now_ns;
		words[2 * i] = now_ns;
		words[2 * i + 1] = CHUNK;
	}
	CHECK_EQ(wl_schedules_add(schedule, TRACE, words), TRACE);
	now_ns = 0;
	for (u32 i = 0; i < TRACE; i++) {
		if (wl_rng_next(&dice) % 3)
			now_ns += wl_rng_next(&dice) % MS(4);
		m.arrival_ns[i] = now_ns;
		m.bytes[i] = 1 + wl_rng_next(&dice) % 2000;
	}
	m.packets = TRACE;
	replay(&m);
	cell_init(&cell, &cfg, 0);
	cell.link.budget_max = budget_max;
	cell_schedule(&cell, 1, schedule);
	for (u32 i = 0; i < TRACE; i++) {
		if (!late)
			cell_run(&cell, m.arrival_ns[i]);
		cell.now_ns = m.arrival_ns[i];
		cell_send(&cell, 1, m.bytes[i], 1);
	}
	cell_run(&cell, 100 * WL_SEC);
	for (u32 i = 0; i < m.packets && !ut_failed(); i++)
		FATE(&cell, i, m.end_ns[i], WLINK_DROP_NONE);
	CHECK_EQ(cell.count, m.packets);
	for (u32 i = 0; i < TRACE; i++)
		used += m.used[i];
	sums(TRACE, (u64)TRACE * CHUNK, used);
	for (u32 i = 2; i < cell.noted && cell.noted == CELL_NOTES; i++) {
		CHECK_EQ(cell.notes[i].at_ns, m.opportunity_ns[i - 2]);
		CHECK_EQ(cell.notes[i].second, m.used[i - 2]);
	}
}

CASE(grant, "grant: an opportunity carries other bytes than Mahimahi's")
{
	u32 seed;

	for (seed = 1; seed <= 20 && !ut_failed(); seed++) {
		as_mahimahi(seed, WL_LINK_BUDGET_MAX, false);
		as_mahimahi(seed, 1, false);
		as_mahimahi(seed, WL_LINK_BUDGET_MAX, true);
		if (ut_failed())
			ut_check(false, UT_WHERE, "seed %u", seed);
	}
}

static void refused(struct wl_cfg *cfg, bool good)
{
	struct wl_refusal why = { };
	struct wl_schedule schedule;

	wl_schedule_init(&schedule, GRANT);
	CHECK_EQ(wl_schedule_fits(&schedule, cfg, &why), good ? 0 : (u64)-ERANGE);
	CHECK_EQ(!why.what, good);
	/* One without opportunities fits any. */
	wl_schedule_init(&schedule, 1U << WLINK_COLUMN_RATE);
	CHECK_EQ(wl_schedule_fits(&schedule, cfg, &why), 0);
}

CASE(grant, "grant: a bearer that cannot take one is not refused")
{
	struct wl_cfg base = cell_link(WLINK_SCHED_DEDICATED, 8000, 0, 40);
	struct wl_cfg cfg = base;

	refused(&cfg, true);
	cfg.channel.kind = WLINK_CHANNEL_LINK;
	refused(&cfg, true);
	cfg.channel.kind = WLINK_CHANNEL_GILBERT;
	refused(&cfg, true);
	cfg = base;
	cfg.tti_ns = MS(10);
	refused(&cfg, false);
	cfg = base;
	cfg.sched = WLINK_SCHED_RR;
	refused(&cfg, false);
	cfg = base;
	wl_cfg_set_mode(&cfg, WLINK_MODE_AM);
	refused(&cfg, false);
	wl_cfg_set_mode(&cfg, WLINK_MODE_UM);
	refused(&cfg, false);
	cfg = base;
	cfg.sched = WLINK_SCHED_FIFO;
	refused(&cfg, false);
	cfg = base;
	cfg.tti_ns = 1;
	refused(&cfg, false);
	cfg = base;
	say(&cfg, "channel twostate mean_good 1s mean_bad 1s");
	refused(&cfg, false);
}

TEST(grant)
{
	with_first_packet(1100, 1);
	with_first_packet(0, 600);
}
