// SPDX-License-Identifier: GPL-2.0
/* Whether stories draw each word of the tc plugin's table. */
#include "cell.h"
#include "ut.h"
#include "wl_story.h"

/* The core has these names, too. */
#define wl_unit			drawn_unit
#define WL_LIMIT_PACKETS	DRAWN_LIMIT_PACKETS
#define WL_LIMIT_BYTES		DRAWN_LIMIT_BYTES
#define WL_LIMIT_TIME		DRAWN_LIMIT_TIME
#include "table/table.h"
#undef WL_LIMIT_PACKETS
#undef WL_LIMIT_BYTES
#undef WL_LIMIT_TIME

#define SEEDS	60

/* Where a word goes; the kernel gets the others as what they come to, or as a time. */
#define AT(word, member) \
	[WL_##word] = { offsetof(struct wl_cfg, member), sizeof(((struct wl_cfg *)0)->member) }

#define LIMIT	{ offsetof(struct wl_cfg, limit.value), sizeof(u64) }

#define CHANNEL(word, of) \
	AT(word##LOSS, of.loss_q32), AT(word##P, of.p_q32), AT(word##R, of.r_q32), \
	AT(word##LOSS_GOOD, of.loss_good_q32), AT(word##LOSS_BAD, of.loss_bad_q32), \
	AT(word##MEAN_GOOD, of.mean_good_ns), AT(word##MEAN_BAD, of.mean_bad_ns), \
	AT(word##BER_GOOD, of.hazard_good_q56), AT(word##BER_BAD, of.hazard_bad_q56)

static const struct drawn_member {
	u32 at;
	u32 bytes;
} drawn_members[WL_WORDS] = {
	[DRAWN_LIMIT_PACKETS] = LIMIT, [DRAWN_LIMIT_BYTES] = LIMIT, [DRAWN_LIMIT_TIME] = LIMIT,
	AT(RATE, rate_bps), AT(TTI, tti_ns), AT(DELAY, delay_ns), AT(PDU, pdu_bytes),
	AT(HEADER, header_bytes), AT(SEED, seed), AT(CHANNEL, channel.kind), CHANNEL(, channel),
	AT(SCHED, sched), AT(PRIO, prio), AT(HARQ, harq.processes),
	AT(HARQ_BLER, harq.bler_q32), AT(HARQ_FACTOR, harq.factor_q32),
	AT(HARQ_MAX, harq.transmissions), AT(HARQ_RTT, harq.rtt_ns), AT(SR, access.sr_ns),
	AT(SR_GRANT, access.grant_ns), AT(SR_FIRST, access.first_bytes),
	AT(DRX, drx.cycle_ns), AT(DRX_ON, drx.on_ns), AT(DRX_INACTIVITY, drx.inactivity_ns),
	AT(DRX_SHORT, drx.short_ns), AT(DRX_SHORT_CYCLES, drx.short_cycles),
	AT(RRC_IDLE, drx.idle_ns), AT(RRC_PROMOTION, drx.promotion_ns),
	AT(RRC_PAGING, drx.paging_ns), AT(RB, cell.rb),
	AT(PF_EXPONENT, cell.pf_exponent_milli), AT(PF_WINDOW, cell.pf_window),
	AT(BACKGROUND, cell.users), AT(BACKGROUND_RATE, cell.users_bps),
	AT(BACKGROUND_ON, cell.users_on_ns), AT(BACKGROUND_OFF, cell.users_off_ns),
	AT(BACKGROUND_ARRIVAL, cell.arrival_ns), AT(BACKGROUND_SIZE, cell.size_bytes),
	AT(BACKGROUND_CV, cell.size_cv_milli), AT(TDD, tdd.pattern),
	AT(TDD_DIRECTION, tdd.direction), AT(TDD_SPECIAL, tdd.symbols),
	AT(JITTER, impair.mean_ns), AT(JITTER_DIST, impair.dist), AT(JITTER_DEV, impair.dev_ns),
	AT(JITTER_TABLE, impair.jitter), AT(JITTER_CORRELATION, impair.jitter_correlation_q32),
	AT(JITTER_REORDER, impair.jitter_reorder), AT(DUPLICATE, impair.duplicate_q32),
	AT(CORRUPT, impair.corrupt_q32), AT(CORRUPT_UNIT, impair.unit),
	AT(CORRUPT_LOST, impair.lost), AT(GBR, gbr_bps), AT(MODE, mode),
	AT(WINDOW, rlc.window), AT(IN_ORDER, rlc.in_order), AT(POLL_LAST, rlc.poll_last),
	AT(POLL_LAST_RETX, rlc.poll_last_retx), AT(POLL_PDU, rlc.poll_pdu),
	AT(POLL_SDU, rlc.poll_sdu), AT(POLL_WINDOW, rlc.poll_window),
	AT(POLL_TIMER, rlc.poll_ns), AT(POLL_PERIODIC, rlc.poll_periodic_ns),
	AT(POLL_PROHIBIT, rlc.poll_prohibit_ns), AT(MISSING, rlc.missing),
	AT(STATUS_PERIODIC, rlc.status_periodic_ns),
	AT(STATUS_PROHIBIT, rlc.status_prohibit_ns), AT(STATUS, rlc.status),
	AT(DISCARD, rlc.discard), AT(MAXDAT, rlc.maxdat), AT(POLL_BYTE, rlc.poll_byte),
	AT(MAXRETX, rlc.maxretx), AT(DISCARD_TIMER, rlc.discard_ns),
	AT(MRW_TIMER, rlc.mrw_ns), AT(MAXMRW, rlc.maxmrw), AT(RESET_TIMER, rlc.rst_ns),
	AT(MAXRST, rlc.maxrst), AT(REORDER, rlc.reorder), AT(REORDER_TIMER, rlc.reorder_ns),
	AT(DUPLICATES, rlc.duplicates), AT(RTO, rlc.rto_ns), AT(ALPHA, rlc.alpha_milli),
	AT(BETA, rlc.beta_milli), AT(RTTVAR, rlc.rttvar), AT(ACK_DELAY, rlc.ack_delay_ns),
	AT(ACK_BYTES, rlc.ack_bytes), AT(NACK_GUARD, rlc.nack_guard_ns), AT(START, rlc.start),
	AT(QUEUE, rlc.queue), AT(REV_RATE, reverse.rate_bps), AT(REV_DELAY, reverse.delay_ns),
	AT(REV_CHANNEL, reverse.channel.kind), CHANNEL(REV_, reverse.channel),
	AT(PROFILE, profile), AT(AQM, aqm.kind), AT(AQM_UNIT, aqm.unit), AT(MINTH, aqm.minth),
	AT(MAXTH, aqm.maxth), AT(MAXP, aqm.maxp_q32), AT(COUNT, aqm.count),
	AT(GENTLE, aqm.gentle), AT(FROM, aqm.head), AT(WEIGHT, aqm.weight_q32),
	AT(AQM_SDU, aqm.sdu_bytes), AT(AQM_ALPHA, aqm.alpha), AT(TR, aqm.tr_ns),
	AT(HOLD, aqm.hold), AT(CLAMP, aqm.clamp), AT(TARGET, aqm.target_ns),
	AT(INTERVAL, aqm.interval_ns), AT(ECN, aqm.ecn), AT(RAMP_FROM, aqm.ramp_from_ns),
	AT(RAMP_TO, aqm.ramp_to_ns),
};

/* What the kernel is never told, and what is in transactions. */
static bool drawn_typed_only(enum wl_word word)
{
	return word == WL_FER || word == WL_FDT || word == WL_REV_FER || word == WL_REV_FDT ||
	       word == WL_AT;
}

static bool drawn_counts(const struct wl_row *row, const struct wl_cfg *cfg)
{
	if (row->owner == WL_MODE && row->kinds)
		return row->kinds & 1U << cfg->mode;
	return true;
}

static bool drawn_is_word_of(enum wl_word word, const struct wl_cfg *cfg)
{
	switch (word) {
	case DRAWN_LIMIT_PACKETS:
		return cfg->limit.kind == WL_LIMIT_PACKETS;
	case DRAWN_LIMIT_BYTES:
		return cfg->limit.kind == WL_LIMIT_BYTES;
	case DRAWN_LIMIT_TIME:
		return cfg->limit.kind == WL_LIMIT_TIME;
	default:
		return drawn_counts(&wl_rows[word], cfg);
	}
}

static struct wl_story drawn_story;
static struct wl_cfg drawn_first[WL_WORDS];
static u32 drawn[WL_WORDS];

static void drawn_look(const struct wl_cfg *cfg)
{
	u32 i;

	for (i = 0; i < WL_WORDS; i++) {
		const struct drawn_member *member = &drawn_members[i];

		if (!drawn_is_word_of(i, cfg))
			continue;
		if (!drawn[i])
			drawn_first[i] = *cfg;
		if (!drawn[i] || memcmp((u8 *)cfg + member->at,
					(u8 *)&drawn_first[i] + member->at, member->bytes))
			drawn[i]++;
	}
}

void test_drawn(void)
{
	struct wl_mismatch bad;
	u64 seed;
	u32 i;

	ut_begin("drawn: a word of tc's that no story has in two values");
	for (seed = 1; seed <= SEEDS; seed++) {
		wl_story_make_wide(&drawn_story, seed, &bad);
		check_mismatch(&bad);
		for (i = 0; i < WL_STORY_ACTS; i++)
			drawn_look(&drawn_story.acts[i].cfg);
	}
	for (i = 0; i < WL_WORDS; i++) {
		if (drawn_typed_only(i))
			continue;
		if (!CHECK(drawn_members[i].bytes) || !CHECK(drawn[i] > 1))
			ut_check(false, UT_WHERE, "word %u, '%s'", i, wl_rows[i].keyword);
	}
	ut_end();
}
