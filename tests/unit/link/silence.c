// SPDX-License-Identifier: GPL-2.0
/*
 * rate 0: nothing goes either way until the rate comes back, timers go on, and
 * what was on the air goes on where it stopped.
 *
 * 32 kbit/s and 20 ms: a PDU of 40 bytes takes 10 ms and is there 20 ms later.
 * Feedback of 42 bytes at 33600 bit/s takes 10 ms, too.
 */
#include <stdlib.h>

#include "core/air/reverse.h"
#include "cell.h"
#include "say.h"
#include "ut.h"
#include "core/rlc/mode.h"
#include "core/sr/sr.h"

#define AWAY_NS		(35 * WL_MS)
#define BACK_NS		(2035 * WL_MS)

static struct cell cell;

static struct wl_cfg bearer(enum wlink_mode mode)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	wl_cfg_set_mode(&cfg, mode);
	say(&cfg, "rate 32kbit delay 20ms pdu 40 limit 1000");
	/* Nothing of its own accord. */
	say(&cfg, "poll_window off poll_timer off status_prohibit off rto 10s");
	return cfg;
}

/* The rate goes away and comes back. */
static void outage(u32 number, const struct wl_cfg *cfg, u64 away_ns,
		   u64 back_ns)
{
	struct wl_cfg away = *cfg;

	away.rate_bps = WLINK_RATE_SILENT;
	cell_ask(&cell, away_ns, 1, number, &away);
	cell_ask(&cell, back_ns, 2, number, cfg);
}

static void delivered(u32 seq, u64 at_ns)
{
	const struct cell_sdu *done = &cell.done[seq];

	CHECK_EQ(done->over, 1);
	CHECK_EQ(done->sdu.drop, WLINK_DROP_NONE);
	CHECK_EQ(done->sdu.deliver_ns, at_ns);
}

/* PDUs begin at 0, 10, 20 and 30. What has gone by 35 arrives in its time; of the
 * last one half is gone, and the other half goes when the rate is back.
 */
static void rest_of_pdu(enum wlink_mode mode, u32 bytes)
{
	struct wl_cfg cfg = bearer(mode);

	ut_begin("silence: mode %u does not go on with its PDU", mode);
	cell_fill(&cell, &cfg, bytes, 5);
	outage(1, &cfg, AWAY_NS, BACK_NS);
	cell_run(&cell, 4 * WL_SEC);
	delivered(0, 30 * WL_MS);
	delivered(1, 40 * WL_MS);
	delivered(2, 50 * WL_MS);
	delivered(3, BACK_NS + 25 * WL_MS);
	delivered(4, BACK_NS + 35 * WL_MS);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_PDUS_SENT], 5);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_DUPLICATES], 0);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_BUFFER_SDUS], 0);
}

/* TTIs at 10, 20 and 30 carry a PDU each; 30 begins without a rate, and the first
 * one after it begins at 2030. Between, nothing happens but what is on its way.
 */
static void with_tti(enum wlink_mode mode, u32 bytes)
{
	struct wl_cfg cfg = bearer(mode);

	ut_begin("silence: mode %u with TTIs sends in it, or is called", mode);
	cfg.tti_ns = 10 * WL_MS;
	cell_fill(&cell, &cfg, bytes, 5);
	outage(1, &cfg, 30 * WL_MS, 2030 * WL_MS);
	cell_run(&cell, 100 * WL_MS);
	CHECK_EQ(wl_link_next_ns(&cell.link), 2030 * WL_MS);
	cell_run(&cell, 4 * WL_SEC);
	delivered(0, 40 * WL_MS);
	delivered(1, 50 * WL_MS);
	delivered(2, 2060 * WL_MS);
	delivered(3, 2070 * WL_MS);
	delivered(4, 2080 * WL_MS);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_PDUS_SENT], 5);
}

/* 8 kbit/s: 80 bits a TTI, a PDU of 320 needs four. The fourth, at 40, has no
 * rate; the one at 2040 completes it.
 */
CASE(silence, "silence: what a PDU has collected is lost, or grows")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM);

	say(&cfg, "rate 8kbit tti 10ms");
	cell_fill(&cell, &cfg, 40, 2);
	outage(1, &cfg, 40 * WL_MS, 2040 * WL_MS);
	cell_run(&cell, 4 * WL_SEC);
	delivered(0, 2070 * WL_MS);
	delivered(1, 2110 * WL_MS);
}

/* The report on PDU 0 goes from 30 on. Of its 336 bits 168 are gone at 35, the
 * others take 5 ms when the rate is back; 20 ms later the buffer is empty. A rate
 * that is low instead of 0 sends what it can meanwhile.
 */
static void report(u64 low_bps, u64 rev_bps, u64 empty_ns)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_AM), low;
	const struct wl_stats *stats;

	ut_begin("silence: a report that %llu bit/s holds up is there late",
		 low_bps);
	cfg.reverse.rate_bps = rev_bps;
	cell_init(&cell, &cfg, 0);
	stats = &cell.bearer[1]->stats;
	cell_send(&cell, 1, 39, 1);
	low = cfg;
	low.rate_bps = low_bps;
	cell_ask(&cell, AWAY_NS, 1, 1, &low);
	cell_ask(&cell, BACK_NS, 2, 1, &cfg);
	cell_run(&cell, empty_ns - 1);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_SDUS], 1);
	cell_run(&cell, empty_ns);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_SDUS], 0);
	CHECK_EQ(stats->v[WLINK_STAT_FEEDBACK_SENT], 1);
	CHECK_EQ(stats->v[WLINK_STAT_FEEDBACK_NS], empty_ns - 20 * WL_MS - 30 * WL_MS -
		 (low_bps ? 0 : 2 * WL_SEC));
}

/* A new configuration of the way out's channel, while frame 1 begins. */
static void lose_second(const struct wl_cfg *cfg)
{
	struct wl_cfg lossy = *cfg;

	cell_uniform(&lossy.channel, WLINK_PROB_ONE);
	cell_ask(&cell, 5 * WL_MS, 3, 1, &lossy);
	cell_ask(&cell, 15 * WL_MS, 4, 1, cfg);
}

/* Frame 1 is lost, frame 2 is there at 50 and shows it. The NACK of 8 bytes is
 * made then and goes when the rate is back: 2 ms, 20 ms back, frame 1 once more
 * 10 ms and 20 ms. The ACK of what came at 30 is due at 80, and goes after it.
 */
static void nack(enum wlink_mode mode)
{
	struct wl_cfg cfg = bearer(mode);
	const struct wl_stats *stats;

	ut_begin("silence: mode %u: feedback made in it goes, or is lost", mode);
	say(&cfg, "header 0 rev_channel none");
	cell_init(&cell, &cfg, 0);
	stats = &cell.bearer[1]->stats;
	cell_send(&cell, 1, 40, 3);
	lose_second(&cfg);
	outage(1, &cfg, AWAY_NS, BACK_NS);
	cell_run(&cell, BACK_NS - 1);
	CHECK_EQ(stats->v[WLINK_STAT_FEEDBACK_SENT], 1);
	CHECK_EQ(stats->v[WLINK_STAT_FEEDBACK_NS], 0);
	cell_run(&cell, BACK_NS + 10 * WL_MS);
	CHECK_EQ(stats->v[WLINK_STAT_FEEDBACK_SENT], 2);
	CHECK_EQ(stats->v[WLINK_STAT_FEEDBACK_NS], 4 * WL_MS);
	cell_run(&cell, 4 * WL_SEC);
	delivered(0, 30 * WL_MS);
	delivered(1, BACK_NS + 52 * WL_MS);
	delivered(2, BACK_NS + 52 * WL_MS);
	CHECK_EQ(stats->v[WLINK_STAT_PDUS_RETX], 1);
	CHECK_EQ(stats->v[WLINK_STAT_FEEDBACK_LOST], 0);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_SDUS], 0);
}

/* The same NACK; the way back loses all that is sent from now on. */
CASE(silence, "silence: the fate of feedback is known before it goes")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_FSR), back;

	say(&cfg, "header 0 rev_channel none");
	cell_fill(&cell, &cfg, 40, 3);
	lose_second(&cfg);
	back = cfg;
	back.rate_bps = WLINK_RATE_SILENT;
	cell_ask(&cell, AWAY_NS, 1, 1, &back);
	back = cfg;
	cell_uniform(&back.reverse.channel, WLINK_PROB_ONE);
	cell_ask(&cell, BACK_NS, 2, 1, &back);
	cell_run(&cell, BACK_NS + 10 * WL_MS);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_FEEDBACK_LOST], 2);
	CHECK_EQ(cell.bearer[1]->reverse.free_ns, BACK_NS + 4 * WL_MS);
	cell_run(&cell, 4 * WL_SEC);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_PDUS_RETX], 0);
	CHECK_EQ(cell.done[1].over, 0);
}

/* The timer of frame 0, whose ACK waits at the receiver, expires 1 s after its
 * end. Frame 0 is the first to go when the rate is back, and a duplicate.
 */
CASE(silence, "silence: a retransmission timer stands still")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_FSR);
	const struct wl_stats *stats;

	cfg.rlc.rto_ns = WL_SEC;
	cell_init(&cell, &cfg, 0);
	stats = &cell.bearer[1]->stats;
	cell_send(&cell, 1, 40, 1);
	outage(1, &cfg, AWAY_NS, BACK_NS);
	cell_run(&cell, 1010 * WL_MS - 1);
	CHECK_EQ(wl_link_next_ns(&cell.link), 1010 * WL_MS);
	CHECK_EQ(stats->v[WLINK_STAT_TIMEOUTS], 0);
	cell_run(&cell, 1010 * WL_MS);
	CHECK_EQ(stats->v[WLINK_STAT_TIMEOUTS], 1);
	CHECK_EQ(wl_link_next_ns(&cell.link), BACK_NS);
	cell_run(&cell, BACK_NS + 29 * WL_MS);
	CHECK_EQ(stats->v[WLINK_STAT_DUPLICATES], 0);
	cell_run(&cell, BACK_NS + 30 * WL_MS);
	CHECK_EQ(stats->v[WLINK_STAT_DUPLICATES], 1);
}

/* Three PDUs have been begun by 35, the other SDUs are discarded at 500. */
static void discard_goes_on(enum wlink_mode mode, u32 bytes)
{
	struct wl_cfg cfg = bearer(mode);

	ut_begin("silence: mode %u: SDUs outlive their timer", mode);
	cfg.rlc.discard_ns = 500 * WL_MS;
	cell_fill(&cell, &cfg, bytes, 10);
	outage(1, &cfg, AWAY_NS, BACK_NS);
	cell_run(&cell, 100 * WL_MS);
	CHECK_EQ(wl_link_next_ns(&cell.link), 500 * WL_MS);
	cell_run(&cell, 501 * WL_MS);
	for (u32 i = 4; i < 10; i++)
		FATE(&cell, i, 500 * WL_MS, WLINK_DROP_TIMER);
	CHECK_EQ(wl_link_next_ns(&cell.link), BACK_NS);
	cell_run(&cell, 4 * WL_SEC);
	delivered(3, BACK_NS + 25 * WL_MS);
}

/* Two bearers on one transmitter; bearer 1 is silent for a while. */
static struct wl_cfg two(enum wlink_sched sched, u64 tti_ns, u32 sdus,
			 u64 away_ns, u64 back_ns)
{
	struct wl_cfg cfg = cell_link(sched, 32000, tti_ns, 40);
	struct wl_cfg class = cell_class(&cfg, 32000);

	cell_share(&cell, &cfg, 2, &class);
	cell_send(&cell, 1, 40, sdus);
	outage(1, &cfg, away_ns, back_ns);
	return cfg;
}

/* The last bits of all SDUs, in the order in which they came. */
static void ends(const u64 *ms, u32 count)
{
	for (u32 i = 0; i < count; i++)
		FATE(&cell, i, ms[i] * WL_MS, WLINK_DROP_NONE);
}

#define ENDS(...) __extension__ ({					\
	const u64 ms_[] = { __VA_ARGS__ };				\
	ends(ms_, ARRAY_SIZE(ms_)); })

/* Bearer 1 is cut off in the middle of its first PDU, at 5: bearer 2 has the
 * transmitter until it has sent all three, at 35. With fifo the rest of the PDU is
 * the first to go when the rate is back, at 25, after the PDU on the air.
 */
CASE(silence, "silence: one bearer's silence holds the others up")
{
	two(WLINK_SCHED_FIFO, 0, 2, 5 * WL_MS, 27 * WL_MS);
	cell_carry(&cell, 2, 40, 3, 100 * WL_MS);
	ENDS(40, 50, 15, 25, 35);
}

/* The same, and what a change to transmitters of their own makes of the rest that
 * waits: at 27 the rate is back, at 30 nobody has to wait any more.
 */
CASE(silence, "silence: the rest of a PDU waits for a turn for ever")
{
	struct wl_cfg own;

	own = two(WLINK_SCHED_RR, 0, 1, 5 * WL_MS, 27 * WL_MS);
	cell_send(&cell, 2, 40, 3);
	own.sched = WLINK_SCHED_DEDICATED;
	cell_ask(&cell, 30 * WL_MS, 3, 1, &own);
	cell_run(&cell, 100 * WL_MS);
	ENDS(35, 15, 25, 35);
}

/* TTIs of 10 ms with room for one PDU; TTI 10 is bearer 1's, then it is silent. */
static void shared_tti(enum wlink_sched sched)
{
	ut_begin("silence: sched %u waits for a silent bearer", sched);
	two(sched, 10 * WL_MS, 2, 20 * WL_MS, 100 * WL_MS);
	cell_run(&cell, 15 * WL_MS);
	cell_carry(&cell, 2, 40, 3, 70 * WL_MS);
	CHECK_EQ(wl_link_next_ns(&cell.link), 100 * WL_MS);
	cell_run(&cell, 200 * WL_MS);
	ENDS(20, 110, 30, 40, 50);
}

/* 1 s at 32 kbit/s is 4000 bytes, whatever the rate is now. The outage comes from
 * a schedule, then from a change of what lies below.
 */
CASE(silence, "silence: a limit in time is no buffer, or forgets the rate")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_TM), away;
	const struct wl_stats *stats;

	cfg.limit.kind = WL_LIMIT_TIME;
	cfg.limit.value = WL_SEC;
	cell_init(&cell, &cfg, 0);
	stats = &cell.bearer[1]->stats;
	cell_schedule(&cell, 1, SCHEDULE(1U << WLINK_COLUMN_RATE, 0, 64000,
					 10 * WL_MS, 0, 20 * WL_MS, 0,
					 30 * WL_MS, 32000));
	cell_run(&cell, 25 * WL_MS);
	cell_carry(&cell, 1, 100, 100, 25 * WL_MS);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_BYTES], 8000);
	cell_run(&cell, 5 * WL_SEC);
	CHECK_EQ(stats->v[WLINK_STAT_SDUS_HELD], 0);
	away = cfg;
	away.rate_bps = WLINK_RATE_SILENT;
	cell_stop(&cell, 1);
	cell_ask(&cell, WLINK_AT_NEXT, 1, 1, &away);
	cell_run(&cell, 6 * WL_SEC);
	cell_carry(&cell, 1, 100, 100, 6 * WL_SEC);
	CHECK_EQ(stats->v[WLINK_STAT_BUFFER_BYTES], 4000);
	/* Before the first rate it takes one SDU, as an empty buffer does. */
	cell_play(&cell, &away, 100, 3, WL_SEC);
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_BUFFER_SDUS], 1);
}

static void row(struct wl_profile *profile, u32 i, u64 rate_bps, u32 maxth)
{
	profile->row[i].rate_bps = rate_bps;
	wl_aqm_default(&profile->row[i].aqm, WLINK_AQM_RED);
	profile->row[i].aqm.minth = 1;
	profile->row[i].aqm.maxth = maxth;
	profile->row[i].aqm.maxp_q32 = 1;
}

CASE(silence, "silence: a profile follows it down to its lowest rate")
{
	struct wl_profile *rows = calloc(1, sizeof(*rows) +
					 3 * sizeof(rows->row[0]));
	struct wl_cfg cfg = bearer(WLINK_MODE_TM), away;

	rows->count = 2;
	row(rows, 0, 16000, 16);
	row(rows, 1, 32000, 32);
	cfg.profile = rows;
	cell_init(&cell, &cfg, 0);
	CHECK_EQ(cell.bearer[1]->cfg.aqm.maxth, 32);
	away = cfg;
	away.rate_bps = WLINK_RATE_SILENT;
	cell_ask(&cell, WLINK_AT_NOW, 1, 1, &away);
	cell_run(&cell, 1);
	CHECK_EQ(cell.bearer[1]->cfg.aqm.maxth, 32);
	/* Unless it says what an outage is to have. */
	row(rows, 0, 0, 8);
	cell_ask(&cell, WLINK_AT_NOW, 2, 1, &away);
	cell_run(&cell, 2);
	CHECK_EQ(cell.bearer[1]->cfg.aqm.maxth, 8);
	free(rows);
}

/* A MRW_ACK, say, for each of a million, at 1 bit/s: 1500 bytes take 12000 s.
 * The transmitter has work for as many as the ring has records, and for no more.
 */
static void backlog(u64 rate_bps)
{
	struct wl_cfg cfg = bearer(WLINK_MODE_FSR);
	struct wl_reverse *reverse;
	struct wl_bearer *b;
	u64 most;

	ut_begin("silence: feedback piles up without end at %llu bit/s",
		 rate_bps);
	say(&cfg, "rev_rate 1bit rate %llubit", rate_bps);
	cell_uniform(&cfg.reverse.channel, WLINK_PROB_ONE);
	cell_init(&cell, &cfg, WL_SEC);
	b = cell.bearer[1];
	reverse = &b->reverse;
	most = b->rings.feedbacks * 12000ULL * WL_SEC;
	for (u32 i = 0; i < 2000000; i++) {
		struct wl_feedback feedback = { .kind = WL_SR_NACK };

		wl_reverse_send(b, WL_SEC, 1500, &feedback);
	}
	CHECK_EQ(rate_bps ? reverse->free_ns : reverse->work,
		 rate_bps ? WL_SEC + most : most);
	CHECK_EQ(b->stats.v[WLINK_STAT_FEEDBACK_SENT], 2000000);
	CHECK_EQ(b->stats.v[WLINK_STAT_FEEDBACK_LOST],
		 2000000 - (rate_bps ? 0 : b->rings.feedbacks));
}

/* Where the link says nothing of the modes: no event but what a timer brings. */
CASE(silence, "silence: a bearer that waits for its rate is called")
{
	struct wl_cfg cfg = bearer(WLINK_MODE_AM);

	say(&cfg, "tti 1ms rate 0 poll_periodic 100ms");
	cell_play(&cell, &cfg, 39, 100, 10 * WL_MS);
	CHECK_EQ(wl_link_next_ns(&cell.link), WL_NEVER_NS);
}

TEST(silence)
{
	rest_of_pdu(WLINK_MODE_TM, 40);
	rest_of_pdu(WLINK_MODE_UM, 39);
	rest_of_pdu(WLINK_MODE_AM, 39);
	rest_of_pdu(WLINK_MODE_FSR, 40);
	rest_of_pdu(WLINK_MODE_ASR, 40);
	with_tti(WLINK_MODE_TM, 40);
	with_tti(WLINK_MODE_UM, 39);
	with_tti(WLINK_MODE_AM, 39);
	with_tti(WLINK_MODE_FSR, 40);
	with_tti(WLINK_MODE_ASR, 40);
	report(0, 33600, BACK_NS + 25 * WL_MS);
	/* At 32 kbit/s 160 bits are gone at 35, 2 more go meanwhile: 174 left. */
	report(1, 0, BACK_NS + 20 * WL_MS + 5437500);
	nack(WLINK_MODE_FSR);
	nack(WLINK_MODE_ASR);
	discard_goes_on(WLINK_MODE_TM, 40);
	discard_goes_on(WLINK_MODE_UM, 39);
	shared_tti(WLINK_SCHED_RR);
	shared_tti(WLINK_SCHED_PF);
	backlog(32000);
	backlog(0);
}
