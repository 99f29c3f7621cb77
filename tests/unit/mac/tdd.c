// SPDX-License-Identifier: GPL-2.0
/*
 * TDD: a link sends in its own slots, downlink and uplink share all of them but for the
 * guard periods, and both count slots from time 0 on.
 *
 * 14 Mbit/s and 0.5 ms: a slot carries 7000 bits. Links begin at an odd time.
 */
#include <math.h>

#include "cell.h"
#include "core/mac/grid.h"
#include "say.h"
#include "ut.h"

#define SLOT		(WL_NSEC_PER_MSEC / 2)
#define RATE		14000000
#define ODD		1234567

static struct cell cell;

static u64 pattern_of(const char *text)
{
	u64 pattern = 0;

	for (u32 i = 0; text[i]; i++)
		pattern |= (text[i] == 'D' ? 1ULL : text[i] == 'S' ? 2ULL : 3ULL) << 2 * i;
	return pattern;
}

static struct wl_cfg link_of(const char *text, enum wlink_direction direction, u32 symbols)
{
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, RATE, SLOT, 0);

	cfg.tdd.pattern = pattern_of(text);
	say(&cfg, "tdd_direction %u tdd_special %u", direction, symbols);
	return cfg;
}

/* The first own slot that starts not before a time, read from the letters. */
static u64 own_ns(const char *text, enum wlink_direction direction, u64 from_ns)
{
	const char *own = direction == WLINK_DIRECTION_UPLINK ? "U" : "DS";
	u64 slot = (from_ns + SLOT - 1) / SLOT;

	while (!strchr(own, text[slot % strlen(text)]))
		slot++;
	return slot * SLOT;
}

static u64 air_bits(u32 bearers)
{
	u64 bytes = 0;

	for (u32 i = 1; i <= bearers; i++)
		bytes += cell.bearer[i]->stats.v[WLINK_STAT_AIR_BYTES];
	return 8 * bytes;
}

/* --- Airtime. --- */

/* What two bearers that always have something to send get in 200 patterns, less than a PDU
 * of 25 bytes each below it.
 */
static u64 busy_bits(const struct wl_cfg *cfg, u64 length_ns)
{
	const u64 from_ns = 40 * length_ns - 1;
	struct wl_cfg other = cell_class(cfg, cfg->rate_bps);
	u64 bits;

	cell_init(&cell, cfg, ODD);
	cell_add(&cell, 2, 2, &other);
	cell_send_all(&cell, 2, 1500, 5000);
	cell_run(&cell, from_ns);
	bits = air_bits(2);
	cell_run(&cell, from_ns + 200 * length_ns);
	bits = air_bits(2) - bits;
	CHECK(cell.bearer[1]->stats.v[WLINK_STAT_SDUS_HELD] > 100);
	cell_check(&cell);
	return bits;
}

static void conserved(const char *text, enum wlink_sched sched, u32 rb, u32 symbols, u64 rate_bps)
{
	const u64 length_ns = strlen(text) * SLOT, special_ns = SLOT * symbols / 14;
	/* Without a scheduler each has the rate for itself. */
	const u32 of = sched == WLINK_SCHED_DEDICATED ? 2 : 1;
	u64 down_ns = 0, up_ns = 0, guard_ns = 0, down, up;
	struct wl_cfg cfg = link_of(text, WLINK_DIRECTION_DOWNLINK, symbols);

	ut_begin("tdd: %s, %u symbols, sched %u, rb %u: directions and guard are not all slots",
		 text, symbols, sched, rb);
	for (u32 i = 0; text[i]; i++) {
		down_ns += text[i] == 'D' ? SLOT : text[i] == 'S' ? special_ns : 0;
		up_ns += text[i] == 'U' ? SLOT : 0;
		guard_ns += text[i] == 'S' ? SLOT - special_ns : 0;
	}
	CHECK_EQ(down_ns + up_ns + guard_ns, length_ns);
	say(&cfg, "sched %u rb %u pdu 25 rate %llubit", sched, rb, rate_bps);
	down = busy_bits(&cfg, length_ns);
	cfg.tdd.direction = WLINK_DIRECTION_UPLINK;
	up = busy_bits(&cfg, length_ns);
	/* Two bearers begin and end with less than a PDU each. */
	CHECK_NEAR(down, of * 200 * (double)rate_bps * down_ns / WL_SEC, 2 * 200);
	CHECK_NEAR(up, of * 200 * (double)rate_bps * up_ns / WL_SEC, 2 * 200);
	CHECK_NEAR(down + up + of * 200 * (double)rate_bps * guard_ns / WL_SEC,
		   of * 200 * (double)rate_bps * length_ns / WL_SEC, 4 * 200);
}

/* The rate to the bit: PDUs are bytes, and nothing is left but what is less than one. */
CASE(tdd, "tdd: the rate is not that of its slots, exactly")
{
	const u64 rate_bps = 14000001, length_ns = 5 * SLOT, periods = 1000;
	struct wl_cfg cfg = link_of("DDDSU", WLINK_DIRECTION_DOWNLINK, 10);
	u64 own_time_ns = periods * (3 * SLOT + 357142), bits;

	cfg.rate_bps = rate_bps;
	cfg.pdu_bytes = 1;
	cell_play(&cell, &cfg, 1000, 4000, length_ns - 1);
	bits = air_bits(1);
	/* What came at 0 has missed slot 0. */
	CHECK_EQ(bits / 8, (rate_bps * (2 * SLOT + 357142) / WL_SEC) / 8);
	cell_run(&cell, periods * length_ns + SLOT - 1);
	bits = air_bits(1);
	CHECK_EQ(bits / 8, (rate_bps * own_time_ns / WL_SEC) / 8);
}

/* --- Waits. --- */

/* One byte each 50 us, just after the start of a slot or just at it: sent in the first own
 * slot that starts after its arrival.
 */
static void waits(const char *text, enum wlink_direction direction, u64 after_ns)
{
	const u64 step_ns = 50000, per_slot = SLOT / step_ns;
	const u32 of = 40 * per_slot * strlen(text);
	struct wl_cfg cfg = link_of(text, direction, 10);
	u64 longest = 0, i;
	double mean = 0, want = 0;

	ut_begin("tdd: %s, direction %u: a SDU waits for another slot than its next", text,
		 direction);
	cell_init(&cell, &cfg, ODD);
	for (i = 0; i < of; i++) {
		cell_run(&cell, 2 * WL_NSEC_PER_MSEC + i * step_ns + after_ns);
		cell_send(&cell, 1, 1, 1);
	}
	cell_run(&cell, WL_SEC);
	for (i = 0; i < of; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		CHECK_EQ(cell.done[i].over, 1);
		CHECK_EQ(sdu->start_ns, own_ns(text, direction, sdu->arrival_ns + 1));
		CHECK_EQ(sdu->end_ns, sdu->start_ns + SLOT);
		mean += (double)(sdu->start_ns - sdu->arrival_ns) / of;
		longest = max(longest, sdu->start_ns - sdu->arrival_ns);
	}
	/* Uniform over each gap between own slots, of g: the mean is sum g^2 / 2 sum g. */
	for (i = 0; i < strlen(text); i++) {
		u64 from_ns = i * SLOT, gap_ns;

		if (own_ns(text, direction, from_ns) != from_ns)
			continue;
		gap_ns = own_ns(text, direction, from_ns + 1) - from_ns;
		want += (double)gap_ns * gap_ns / 2 / (strlen(text) * SLOT);
		CHECK(longest <= gap_ns || gap_ns < 3 * SLOT);
	}
	/* Arrivals are at the start of each step, or a little after it. */
	CHECK_NEAR(mean, want + step_ns / 2.0 - after_ns, 0.01);
}

/* --- HARQ. --- */

/* Each transmission is lost: the next one goes in the first own slot a round trip later. */
static void rounds(const char *text, enum wlink_direction direction, u64 rtt_ns)
{
	struct wl_cfg cfg = link_of(text, direction, 10);
	u64 at_ns;
	u32 i, n;

	ut_begin("tdd: %s, direction %u: a retransmission is in another slot than its next",
		 text, direction);
	say(&cfg, "harq 16 harq_max 4 harq_rtt %lluns harq_bler 1 harq_factor 1", rtt_ns);
	cell_init(&cell, &cfg, ODD);
	for (i = 0; i < 2 * strlen(text); i++) {
		cell_run(&cell, 20 * WL_MS * (i + 1) + i * SLOT + 1);
		cell_send(&cell, 1, 1, 1);
		if (i % 3 == 2) {
			/* Nothing goes in an outage, which a block sits out by whole rounds. */
			struct wl_cfg silent = cfg;

			cell_run(&cell, cell.now_ns + 5 * SLOT);
			silent.usual_bps = RATE;
			silent.rate_bps = 0;
			cell_configure(&cell, 1, &silent);
			cell_run(&cell, cell.now_ns + SLOT / 2);
			cell_configure(&cell, 1, &cfg);
		}
	}
	cell_run(&cell, 20 * WL_SEC);
	for (i = 0; i < cell.sent; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;

		at_ns = sdu->start_ns;
		for (n = 1; n < 4; n++)
			at_ns = own_ns(text, direction, at_ns + rtt_ns);
		CHECK_EQ(sdu->drop, WLINK_DROP_CHANNEL);
		if (i % 3 == 2) {
			CHECK_EQ(own_ns(text, direction, sdu->end_ns - SLOT), sdu->end_ns - SLOT);
			CHECK(sdu->end_ns >= at_ns + SLOT);
		} else {
			CHECK_EQ(sdu->end_ns, at_ns + SLOT);
		}
	}
	CHECK_EQ(cell.bearer[1]->stats.v[WLINK_STAT_HARQ_RETX], 3 * cell.sent);
}

/* A block of 7000 bits goes in slot 2 of DDDSU, is lost, and goes again in slot 3, which
 * is special and pays 3500 of them; slot 4 is not ours, so 3500 are left for the next slot
 * 0, where 3500 bits, 437 bytes, are left for something new.
 */
static void debt(enum wlink_sched sched, u32 bytes, u64 end_slots)
{
	struct wl_cfg cfg = link_of("DDDSU", WLINK_DIRECTION_DOWNLINK, 7);

	ut_begin("tdd: sched %u: %u bytes: a foreign slot pays, or a special one too much",
		 sched, bytes);
	say(&cfg, "sched %u harq 8", sched);
	cfg.harq.rtt_ns = SLOT;
	say(&cfg, "harq_bler 1 harq_factor 0");
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, 3 * SLOT / 2);
	cell_carry(&cell, 1, 875, 1, 5 * SLOT / 2);
	cfg.harq.bler_q32 = 0;
	cell_configure(&cell, 1, &cfg);
	cell_run(&cell, 4 * SLOT - 1);
	cell_carry(&cell, 1, bytes, 1, WL_SEC);
	CHECK_EQ(cell_end_ns(&cell, 0), 3 * SLOT);
	CHECK_EQ(cell.done[0].sdu.whole_ns, 4 * SLOT);
	CHECK_EQ(cell_end_ns(&cell, 1), end_slots * SLOT);
}

/* All that is sent, again or not, is what own slots give. */
static void busy_harq(enum wlink_sched sched, u32 rb, u32 rtt_slots)
{
	struct wl_cfg cfg = link_of("DDDSU", WLINK_DIRECTION_DOWNLINK, 10);
	/* 20 kbit in 5 slots. A block may wait for its last transmissions. */
	const double want = 400 * (3 * 7000 + 5000);
	u64 bits;

	ut_begin("tdd: sched %u, rb %u, round trip of %u slots: HARQ takes airtime that nobody has",
		 sched, rb, rtt_slots);
	say(&cfg, "sched %u rb %u pdu 25 harq 16", sched, rb);
	cfg.harq.rtt_ns = rtt_slots * SLOT;
	cfg.harq.bler_q32 = WLINK_PROB_ONE / 4;
	cfg.harq.factor_q32 = WLINK_PROB_ONE;
	cell_play(&cell, &cfg, 1500, 2000, 5 * SLOT - 1);
	bits = air_bits(1);
	cell_run(&cell, 401 * 5 * SLOT - 1);
	CHECK(cell.bearer[1]->stats.v[WLINK_STAT_HARQ_RETX] > 300);
	bits = air_bits(1) - bits;
	/* Retransmissions take whole blocks: of 50, less than one in vain. */
	CHECK(bits < want + 4 * 7000 && bits > want - (rb ? want / 50 : 4 * 7000));
}

/* --- The grid. --- */

/* A pattern that comes, changes and goes, and a flush: slots are those of time 0 on. */
CASE(tdd, "tdd: a change or a flush moves the slots")
{
	static const struct {
		const char *text;
		enum wlink_direction direction;
	} step[] = {
		{ "DDDSU", WLINK_DIRECTION_DOWNLINK }, { "DDDSU", WLINK_DIRECTION_UPLINK },
		{ "DDDDDDDSUU", WLINK_DIRECTION_UPLINK }, { "DU", WLINK_DIRECTION_UPLINK },
		{ "DSUUDDSUUD", WLINK_DIRECTION_DOWNLINK },
	};
	struct wl_cfg cfg = cell_link(WLINK_SCHED_DEDICATED, RATE, SLOT, 0);
	u64 now_ns = ODD, i;
	u32 sent = 0;

	cell_init(&cell, &cfg, ODD);
	for (i = 0; i < 4 * ARRAY_SIZE(step); i++) {
		const char *text = step[i / 4].text;

		now_ns += 10 * WL_MS + 77777;
		cell_run(&cell, now_ns);
		if (i % 4 == 3) {
			wl_link_flush(&cell.link, now_ns);
		} else {
			cfg = link_of(text, step[i / 4].direction, 10);
			cell_configure(&cell, 1, &cfg);
		}
		now_ns += SLOT;
		cell_run(&cell, now_ns);
		cell_carry(&cell, 1, 1, 1, now_ns + 5 * WL_MS);
		CHECK_EQ(cell.done[sent].sdu.start_ns,
			 own_ns(text, step[i / 4].direction, now_ns + 1));
		sent++;
		now_ns += 5 * WL_MS;
	}
}

/* Whatever happens at the time when a TTI has begun is for the next one, of any kind of
 * event; before it has, a protocol may use it.
 */
static void begun(const char *text)
{
	struct wl_cfg cfg = link_of(text, WLINK_DIRECTION_DOWNLINK, 10);
	const u64 next_ns = *text ? 15 * SLOT : 11 * SLOT;

	ut_begin("tdd: pattern \"%s\": a TTI may begin twice", text);
	cell_init(&cell, &cfg, 0);
	cell_run(&cell, 10 * SLOT - 1);
	cell.link.phase = WL_EVENT_PROTOCOL;
	CHECK_EQ(wl_grid_next_start_ns(&cell.link, 10 * SLOT), 10 * SLOT);
	cell.link.phase = WL_EVENT_ARRIVAL;
	cell_carry(&cell, 1, 1, 1, 10 * SLOT);
	cell.link.phase = WL_EVENT_PROTOCOL;
	CHECK_EQ(wl_grid_next_start_ns(&cell.link, 10 * SLOT), next_ns);
	cell.link.phase = WL_EVENT_CONFIGURE;
	CHECK_EQ(wl_grid_next_start_ns(&cell.link, 10 * SLOT), next_ns);
	cell.link.phase = WL_EVENT_ARRIVAL;
}

/* What repeats, as nobody looks at slots: the first one for what came at a time. */
static u64 repeats_ns(u32 number, u64 period_ns, enum wl_phase phase, u64 arrival_ns)
{
	u64 at_ns = wl_grid_phase_ns(cell.bearer[number], period_ns, phase);

	while (at_ns <= arrival_ns)
		at_ns += period_ns;
	return at_ns;
}

/* Requests and what is granted are in slots of the uplink: the first ones from the next
 * opportunity on, also of one that comes in slots of the downlink, and from a grant on.
 */
static void access(const char *text, u32 period_slots)
{
	struct wl_cfg cfg = link_of(text, WLINK_DIRECTION_UPLINK, 10);
	const u64 grant_ns = 3 * SLOT;

	ut_begin("tdd: %s: an opportunity for a request is passed over, or in the downlink", text);
	cfg.access.sr_ns = period_slots * SLOT;
	cfg.access.grant_ns = grant_ns;
	cell_init(&cell, &cfg, ODD);
	cell_add(&cell, 2, 8, &cfg);
	for (u32 i = 0; i < 1000; i++) {
		cell_run(&cell, 50 * WL_MS * (i + 1) + i * 11111);
		cell_send(&cell, 1 + i % 8, 10, 1);
	}
	cell_run(&cell, 60 * WL_SEC);
	for (u32 i = 0; i < 1000; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;
		u64 asked_ns = repeats_ns(1 + i % 8, cfg.access.sr_ns, WL_PHASE_SR,
					  sdu->arrival_ns);

		asked_ns = own_ns(text, WLINK_DIRECTION_UPLINK, asked_ns);
		CHECK_EQ(sdu->access_ns, asked_ns + grant_ns - sdu->arrival_ns);
		CHECK_EQ(sdu->start_ns,
			 own_ns(text, WLINK_DIRECTION_UPLINK, asked_ns + grant_ns));
	}
}

/* Who is idle is paged at the next occasion, whichever way its slot goes, and promoted. */
static void paged(const char *text)
{
	struct wl_cfg cfg = link_of(text, WLINK_DIRECTION_DOWNLINK, 10);

	ut_begin("tdd: %s: a paging occasion is passed over", text);
	cfg.drx.idle_ns = 20 * WL_MS;
	cfg.drx.paging_ns = 32 * SLOT;
	cfg.drx.promotion_ns = 3 * SLOT;
	cell_init(&cell, &cfg, ODD);
	cell_add(&cell, 2, 8, &cfg);
	for (u32 i = 0; i < 1000; i++) {
		cell_run(&cell, 50 * WL_MS * (i + 1) + i * 11111);
		cell_send(&cell, 1 + i % 8, 10, 1);
	}
	cell_run(&cell, 60 * WL_SEC);
	for (u32 i = 0; i < 1000; i++) {
		const struct wl_sdu *sdu = &cell.done[i].sdu;
		u64 at_ns = repeats_ns(1 + i % 8, cfg.drx.paging_ns, WL_PHASE_PAGING,
				       sdu->arrival_ns);

		CHECK_EQ(sdu->start_ns, own_ns(text, WLINK_DIRECTION_DOWNLINK,
					       at_ns + cfg.drx.promotion_ns));
	}
}

/* --- What is refused. --- */

static void refuse(const struct wl_cfg *cfg, const char *what, u64 value)
{
	struct wl_refusal why = { .what = "nothing" };

	ut_check(wl_cfg_check(cfg, &why) && !strcmp(why.what, what) && why.value == value,
		 UT_WHERE, "%s %llu is refused, not %s %llu", why.what,
		 (unsigned long long)why.value, what, (unsigned long long)value);
}

CASE(tdd, "tdd: a pattern that has no sense is taken")
{
	struct wl_cfg good = link_of("DDDSU", WLINK_DIRECTION_UPLINK, 13), bad = good;
	struct wl_refusal why;

	CHECK_EQ(wl_cfg_check(&good, &why), 0);
	bad.tti_ns = 0;
	refuse(&bad, "tti with tdd", 0);
	bad = link_of("DDDS", WLINK_DIRECTION_DOWNLINK, 10);
	refuse(&bad, "uplink slots of tdd", 0);
	bad = link_of("SU", WLINK_DIRECTION_UPLINK, 10);
	refuse(&bad, "downlink slots of tdd", 0);
	bad = good;
	bad.tdd.pattern = 3ULL << 62 | 1;
	refuse(&bad, "holes in tdd", 30);
	bad.tdd.pattern = 3ULL << 62 | (U64_MAX >> 2) / 3;
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	CHECK_EQ(wl_tdd_slots(&bad.tdd), 32);
	bad.tdd.direction = __WLINK_DIRECTION_MAX;
	refuse(&bad, "tdd direction", 2);
	bad = good;
	bad.tdd.symbols = 14;
	refuse(&bad, "tdd special", 14);
	/* 14 Mbit/s in 3 slots and 7 symbols of 5 slots. */
	bad = link_of("DDDSU", WLINK_DIRECTION_DOWNLINK, 7);
	say(&bad, "sched rr gbr 9800kbit");
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
	bad.gbr_bps++;
	refuse(&bad, "gbr", 9800001);
	say(&bad, "tdd_direction uplink gbr 2800001bit");
	refuse(&bad, "gbr", 2800001);
	say(&bad, "tdd_special 14 gbr 0");
	/* Without a pattern it is not looked at. */
	bad.tdd.pattern = 0;
	CHECK_EQ(wl_cfg_check(&bad, &why), 0);
}

TEST(tdd)
{
	static const char * const texts[] = { "DDDSU", "DDDDDDDSUU", "DSUUDDSUUD", "UD" };
	enum wlink_direction way;

	for (u32 i = 0; i < ARRAY_SIZE(texts); i++) {
		conserved(texts[i], WLINK_SCHED_DEDICATED, 0, 10, RATE);
		conserved(texts[i], WLINK_SCHED_RR, 0, 3, RATE);
		conserved(texts[i], WLINK_SCHED_PF, 0, 13, 7654321);
		conserved(texts[i], WLINK_SCHED_RR, 50, 7, 2 * RATE);
		conserved(texts[i], WLINK_SCHED_PF, 50, 0, RATE);
		for (way = 0; way < __WLINK_DIRECTION_MAX; way++) {
			waits(texts[i], way, 0);
			waits(texts[i], way, 1);
			rounds(texts[i], way, 2 * SLOT);
			rounds(texts[i], way, 8 * SLOT);
		}
	}
	debt(WLINK_SCHED_DEDICATED, 437, 6);
	debt(WLINK_SCHED_DEDICATED, 438, 7);
	debt(WLINK_SCHED_RR, 437, 6);
	debt(WLINK_SCHED_RR, 438, 7);
	/* In four slots a retransmission meets none that is special, in three it does. */
	for (u32 i = 3; i <= 4; i++) {
		busy_harq(WLINK_SCHED_DEDICATED, 0, i);
		busy_harq(WLINK_SCHED_RR, 0, i);
		busy_harq(WLINK_SCHED_RR, 50, i);
	}
	begun("");
	begun("DUUUU");
	access("DDDSU", 10);
	access("DDDDDDDSUU", 10);
	paged("DDDSU");
	paged("DSUUUUUUUU");
}
