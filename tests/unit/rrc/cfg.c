// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "say.h"
#include "ut.h"
#include "wl_tables.h"

static struct wl_cfg small(void)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	cfg.rate_bps = 1000;
	return cfg;
}

CASE(cfg, "cfg: the default is not what is documented")
{
	struct wl_refusal why;
	struct wl_cfg cfg;

	memset(&cfg, 0xff, sizeof(cfg));
	wl_cfg_default(&cfg);
	CHECK_EQ(cfg.rate_bps, U64_MAX - 1);
	CHECK_EQ(cfg.limit.kind, WL_LIMIT_PACKETS);
	SAYS(&cfg, "tti 0 delay 0 pdu 0 header 0 limit 1000 channel none");
	CHECK_EQ(wl_cfg_check(&cfg, &why), (u64)-ERANGE);
	CHECK(!strcmp(why.what, "rate"));
	cfg.rate_bps = 1;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
}

/* As their manual has them; what is set before leaves nothing. */
CASE(cfg, "cfg: the default of a word of RLC is not what is documented")
{
	struct wl_cfg cfg;

	memset(&cfg, 0xff, sizeof(cfg));
	wl_rlc_default(&cfg.rlc, WLINK_MODE_AM);
	SAYS(&cfg, "window 1024 in_order on missing on start air queue auto");
	SAYS(&cfg, "poll_last on poll_last_retx on poll_pdu off poll_sdu off poll_window 50");
	SAYS(&cfg, "poll_timer 60ms poll_periodic off poll_prohibit off");
	SAYS(&cfg, "status bitmap status_periodic off status_prohibit 60ms");
	SAYS(&cfg, "discard mrw discard_timer off maxdat 10 mrw_timer 120ms maxmrw 8");
	SAYS(&cfg, "reset_timer 300ms maxrst 8 reorder off reorder_timer 100ms");
	SAYS(&cfg, "rto 1100ms alpha 3 beta 2 rttvar abs ack_delay 50ms ack_bytes 8");
	wl_rlc_default(&cfg.rlc, WLINK_MODE_LTE_AM);
	SAYS(&cfg, "poll_pdu 64 poll_byte 750000 maxretx 16 poll_timer 120ms status_prohibit 50ms");
	SAYS(&cfg, "reorder_timer 50ms");
	wl_rlc_default(&cfg.rlc, WLINK_MODE_LTE_UM);
	SAYS(&cfg, "reorder_timer 45ms");
}

CASE(cfg, "cfg: the default of a word of the MAC is not what is documented")
{
	struct wl_cfg cfg;

	memset(&cfg, 0xff, sizeof(cfg));
	wl_cfg_default(&cfg);
	SAYS(&cfg, "harq off harq_bler 0.1 harq_factor 0.2 harq_max 4 harq_rtt 8ms pf_exponent 1");
	SAYS(&cfg, "tdd_special 10 sr off sr_grant 8ms sr_first 100");
	SAYS(&cfg, "rev_delay same rev_channel link");
	SAYS(&cfg, "background off background_rate unlimited background_on 1s background_off 0");
	SAYS(&cfg, "background_arrival off background_size 100000 background_cv 1");
	SAYS(&cfg, "drx off drx_on 10ms drx_inactivity 200ms drx_short off drx_short_cycles 1");
	SAYS(&cfg, "rrc_idle off rrc_promotion 100ms rrc_paging off");
	CHECK_EQ(cfg.tdd.pattern, 0);
}

/* 384 kbit/s in 100 ms: 4800 bytes, which may go twice; half of that are jitter. */
CASE(cfg, "cfg: too few descriptors without a rate, for jitter, or for copies")
{
	struct wl_dist *jitter = calloc(1, sizeof(*jitter) + 2 * sizeof(jitter->point[0]));
	struct wl_cfg cfg = small();

	say(&cfg, "rate 384kbit delay 50ms");
	jitter->unit_ns = WL_MS;
	jitter->count = 2;
	jitter->point[1].value = 50;
	cfg.impair.jitter = jitter;
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 75 + 64);
	cfg.impair.jitter = NULL;
	free(jitter);
	cfg.delay_ns = 100 * WL_MS;
	cfg.impair.duplicate_q32 = 1;
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 2 * 75 + 64);
	cfg.impair.duplicate_q32 = 0;
	/* 100 Gbit/s in 1 us: 12500 bytes; silent after 384 kbit/s. */
	say(&cfg, "rate unlimited delay 1us");
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 195 + 64);
	cfg.rate_bps = WLINK_RATE_SILENT;
	cfg.usual_bps = 384000;
	cfg.delay_ns = 100 * WL_MS;
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 75 + 64);
}

/* 5 slots: 3 and 7 of 14 symbols, of 14 Mbit/s, also where there is no rate now. */
CASE(cfg, "cfg: the mean rate is that of other slots")
{
	struct wl_cfg cfg = small();

	cfg.rate_bps = WLINK_RATE_SILENT;
	cfg.usual_bps = 14000000;
	CHECK_EQ(wl_cfg_mean_bps(&cfg), 14000000);
	cfg.tdd.symbols = 7;
	cfg.tdd.pattern = WLINK_SLOT_DOWNLINK | WLINK_SLOT_DOWNLINK << 2 |
			  WLINK_SLOT_DOWNLINK << 4 | WLINK_SLOT_SPECIAL << 6 |
			  WLINK_SLOT_UPLINK << 8;
	CHECK_EQ(wl_cfg_mean_bps(&cfg), 9800000);
	cfg.tdd.direction = WLINK_DIRECTION_UPLINK;
	CHECK_EQ(wl_cfg_mean_bps(&cfg), 2800000);
}

/* A round trip of 8.5 TTIs is one of 9; 4 times, 3 of them later. */
CASE(cfg, "cfg: HARQ has fewer blocks under way, or more, than there may be")
{
	struct wl_cfg cfg = small();

	CHECK_EQ(wl_harq_blocks(&cfg), 0);
	cfg.harq.processes = 8;
	CHECK_EQ(wl_harq_blocks(&cfg), 0);
	say(&cfg, "tti 1ms harq_rtt 8500us");
	CHECK_EQ(wl_harq_ttis(&cfg), 9);
	CHECK_EQ(wl_harq_blocks(&cfg), 28);
	cfg.harq.rtt_ns = 1;
	CHECK_EQ(wl_harq_ttis(&cfg), 1);
	cfg.harq.processes = 0;
	CHECK_EQ(wl_harq_blocks(&cfg), 0);
}

/* Of modes with state. */
CASE(cfg, "cfg: a bearer begins anew without need, or does not")
{
	struct wl_cfg old = small(), cfg;

	cfg = old;
	cfg.pdu_bytes = 9;
	CHECK(!wl_cfg_reestablishes(&old, &cfg));
	wl_cfg_set_mode(&old, WLINK_MODE_AM);
	CHECK(wl_cfg_reestablishes(&old, &cfg));
	cfg = old;
	CHECK(!wl_cfg_reestablishes(&old, &cfg));
	cfg.pdu_bytes++;
	CHECK(wl_cfg_reestablishes(&old, &cfg));
	cfg = old;
	cfg.rlc.window++;
	CHECK(wl_cfg_reestablishes(&old, &cfg));
	cfg = old;
	cfg.rlc.start = WLINK_START_MAX;
	CHECK(wl_cfg_reestablishes(&old, &cfg));
	cfg = old;
	cfg.mode = WLINK_MODE_UM;
	CHECK(wl_cfg_reestablishes(&old, &cfg));
}

static void bound(const struct wl_bound *row)
{
	struct wl_refusal why = { 0 };
	struct wl_cfg cfg = small();
	int err;

	wl_case_set(&cfg, row->op, row->value);
	err = wl_cfg_check(&cfg, &why);
	if (!row->refused) {
		ut_begin("cfg: op %d value %llu is refused", row->op, row->value);
		CHECK_EQ(err, 0);
		CHECK(!why.what);
	} else {
		ut_begin("cfg: %s %llu is taken or blamed on another", row->refused, row->value);
		CHECK_EQ(err, (u64)-ERANGE);
		CHECK(why.what && !strcmp(why.what, row->refused));
		CHECK(why.unit);
		CHECK_EQ(why.value, row->value);
		CHECK_EQ(why.min, row->min);
		CHECK_EQ(why.max, row->max);
	}
}

static void refused(struct wl_cfg *cfg, const char *what, const char *unit, u64 value)
{
	struct wl_refusal why = { 0 };

	CHECK_EQ(wl_cfg_check(cfg, &why), (u64)-ERANGE);
	CHECK(why.what && !strcmp(why.what, what));
	CHECK(why.unit && !strcmp(why.unit, unit));
	CHECK_EQ(why.value, value);
}

CASE(cfg, "cfg: a PDU with its header is above 65535 bytes")
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	say(&cfg, "pdu 64512 header 1023");
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.header_bytes = 1024;
	refused(&cfg, "pdu plus header", "bytes", 65536);
	cfg.pdu_bytes = 65535;
	refused(&cfg, "pdu plus header", "bytes", 66559);
	cfg.header_bytes = 1;
	refused(&cfg, "pdu plus header", "bytes", 65536);
	cfg.header_bytes = 0;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
}

CASE(cfg, "cfg: a limit in time is above 1 GiB at its rate")
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	/* 2^30 bytes in a second, and a byte more. */
	cfg.rate_bps = 8ULL << 30;
	wl_case_set(&cfg, WL_OP_LIMIT_TIME, WL_SEC);
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.rate_bps += 8;
	refused(&cfg, "limit at this rate", "bytes", (1ULL << 30) + 1);
	cfg.rate_bps = WLINK_RATE_MAX;
	cfg.limit.value = WLINK_LIMIT_TIME_MAX;
	refused(&cfg, "limit at this rate", "bytes", 45000000000000ULL);
}

CASE(cfg, "cfg: a refusal has the wrong unit")
{
	struct wl_cfg cfg;

	cfg = small();
	cfg.rate_bps = WLINK_RATE_MAX + 1;
	refused(&cfg, "rate", "bit/s", 100000000001ULL);
	cfg = small();
	cfg.tti_ns = U64_MAX;
	refused(&cfg, "tti", "ns", U64_MAX);
	cfg = small();
	wl_case_set(&cfg, WL_OP_LIMIT_PACKETS, 0);
	refused(&cfg, "limit", "packets", 0);
	wl_case_set(&cfg, WL_OP_LIMIT_BYTES, 0);
	refused(&cfg, "limit", "bytes", 0);
	wl_case_set(&cfg, WL_OP_LIMIT_TIME, 0);
	refused(&cfg, "limit", "ns", 0);
}

CASE(cfg, "cfg: a limit in time comes out wrong in bytes")
{
	struct wl_cfg cfg = small();

	for (unsigned int i = 0; i < ARRAY_SIZE(wl_amounts); i++) {
		cfg.rate_bps = wl_amounts[i].rate_bps;
		wl_case_set(&cfg, WL_OP_LIMIT_TIME, wl_amounts[i].time_ns);
		CHECK_EQ(wl_cfg_limit_bytes(&cfg), wl_amounts[i].bytes);
	}
	wl_case_set(&cfg, WL_OP_LIMIT_BYTES, 4711);
	CHECK_EQ(wl_cfg_limit_bytes(&cfg), 4711);
	wl_case_set(&cfg, WL_OP_LIMIT_PACKETS, 4711);
	CHECK_EQ(wl_cfg_limit_bytes(&cfg), U64_MAX);
}

CASE(cfg, "cfg: a sender that never polls is taken")
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	wl_cfg_set_mode(&cfg, WLINK_MODE_AM);
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.rlc.poll_last = false;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.rlc.poll_window = 0;
	CHECK_EQ(wl_cfg_check(&cfg, &why), (u64)-ERANGE);
	CHECK_EQ(why.value, 0);
	cfg.rlc.status_periodic_ns = WL_MS;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
}

CASE(cfg, "cfg: PDUs are handed over early in a mode without a window, or not in one with")
{
	struct wl_refusal why;
	struct wl_cfg cfg;
	u32 mode;

	for (mode = 0; mode < __WLINK_MODE_MAX; mode++) {
		bool window = mode == WLINK_MODE_AM || mode == WLINK_MODE_FSR ||
			      mode == WLINK_MODE_ASR;

		cfg = small();
		wl_cfg_set_mode(&cfg, mode);
		if (wl_mode_is_lte(mode))
			cfg.tti_ns = WL_MS;
		CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
		cfg.rlc.start = WLINK_START_MAX;
		if (window)
			CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
		else
			refused(&cfg, "rlc start", "", WLINK_START_MAX);
		cfg.rlc.start = WLINK_START_MAX + 1;
		refused(&cfg, "rlc start", "", WLINK_START_MAX + 1);
		say(&cfg, "start air queue 1");
		if (window)
			CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
		else
			refused(&cfg, "rlc queue", "PDUs", 1);
	}
}

CASE(cfg, "cfg: a block of HARQ goes never, or more often than there are fates for")
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	say(&cfg, "tti 1ms harq 8 harq_rtt 8ms harq_max 1");
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.harq.transmissions = WLINK_HARQ_SENT_MAX;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.harq.transmissions = 0;
	refused(&cfg, "harq max", "", 0);
	cfg.harq.transmissions = WLINK_HARQ_SENT_MAX + 1;
	refused(&cfg, "harq max", "", WLINK_HARQ_SENT_MAX + 1);
}

/* A member at both of its bounds, and past them, 0 has nothing before it. */
#define SIDES(base, member, what, unit, low, high) do {			\
	struct wl_cfg at_ = base;					\
									\
	at_.member = (low);						\
	taken(&at_);							\
	at_.member = (high);						\
	taken(&at_);							\
	at_.member = (high) + 1ULL;					\
	refused(&at_, what, unit, at_.member);				\
	at_.member = (low) ? (low) - 1ULL : 0;				\
	if (low)							\
		refused(&at_, what, unit, at_.member);			\
} while (0)

static void taken(const struct wl_cfg *cfg)
{
	struct wl_refusal why = { .what = "nothing" };

	ut_check(!wl_cfg_check(cfg, &why), UT_WHERE, "%s %llu is refused", why.what,
		 (unsigned long long)why.value);
}

/* Without a period for requests what else is said of them is not looked at. */
CASE(cfg, "cfg: a word of scheduling requests is taken beyond its bounds")
{
	struct wl_cfg cfg = small();

	say(&cfg, "tti 1ms sr 10ms");
	SIDES(cfg, access.sr_ns, "sr", "ns", WL_MS, WLINK_SR_MAX);
	SIDES(cfg, access.grant_ns, "sr grant", "ns", 0, WLINK_SR_GRANT_MAX);
	SIDES(cfg, access.first_bytes, "sr first", "bytes", 1, WLINK_SR_FIRST_MAX);
	cfg.tti_ns = 0;
	refused(&cfg, "tti with sr", "ns", 0);
	say(&cfg, "sr off sr_first 0");
	taken(&cfg);
}

/* Without a cycle, or without a time after which it is idle, the same. */
CASE(cfg, "cfg: a word of DRX or RRC is taken beyond its bounds")
{
	struct wl_cfg base = small(), cfg;

	say(&base, "tti 1ms drx 320ms");
	cfg = base;
	SIDES(cfg, drx.on_ns, "drx on", "ns", WL_MS, 320 * WL_MS);
	cfg.drx.cycle_ns = WLINK_DRX_CYCLE_MAX;
	taken(&cfg);
	cfg.drx.cycle_ns++;
	refused(&cfg, "drx cycle", "ns", WLINK_DRX_CYCLE_MAX + 1);
	cfg = base;
	cfg.drx.short_ns = 80 * WL_MS;
	SIDES(cfg, drx.on_ns, "drx on", "ns", WL_MS, 80 * WL_MS);
	SIDES(cfg, drx.short_cycles, "drx short_cycles", "", 1, WLINK_DRX_SHORTS_MAX);
	cfg.drx.cycle_ns = 80 * WL_MS - 1;
	refused(&cfg, "drx cycle", "ns", 80 * WL_MS - 1);
	cfg.drx.cycle_ns = 320 * WL_MS + 1;
	refused(&cfg, "drx cycle beside whole short ones", "ns", 1);
	cfg = base;
	cfg.tti_ns = 0;
	refused(&cfg, "tti with drx", "ns", 0);
	say(&cfg, "drx off drx_on 0 drx_short_cycles 0");
	taken(&cfg);
	cfg.drx.idle_ns = WL_SEC;
	refused(&cfg, "tti with rrc idle", "ns", 0);
	say(&cfg, "tti 1ms rrc_paging 1s");
	taken(&cfg);
	cfg.access.sr_ns = 10 * WL_MS;
	refused(&cfg, "rrc paging with sr", "", 1);
	cfg.drx.paging_ns = 0;
	taken(&cfg);
	say(&cfg, "rrc_idle off rrc_paging 1s");
	taken(&cfg);
	cfg = base;
	cfg.access.sr_ns = 10 * WL_MS;
	refused(&cfg, "drx with sr", "", 1);
}

CASE(cfg, "cfg: a word of HARQ is taken beyond its bounds")
{
	struct wl_cfg cfg = small();

	say(&cfg, "tti 1ms harq 1");
	SIDES(cfg, harq.processes, "harq processes", "", 0, WLINK_HARQ_PROCESSES_MAX);
	SIDES(cfg, harq.rtt_ns, "harq rtt", "ns", WL_MS, WLINK_HARQ_TTIS_MAX * WL_MS);
	cfg.tti_ns = 0;
	refused(&cfg, "tti with harq", "ns", 0);
	say(&cfg, "harq off harq_max 0");
	taken(&cfg);
}

/* 14 symbols in a slot; 4 in a pattern of 5. */
CASE(cfg, "cfg: a word of the MAC is taken beyond its bounds")
{
	struct wl_cfg cfg = small();

	cfg.tti_ns = WL_MS;
	cfg.tdd.pattern = WLINK_SLOT_DOWNLINK | WLINK_SLOT_SPECIAL << 2 | WLINK_SLOT_UPLINK << 4;
	SIDES(cfg, tdd.symbols, "tdd special", "symbols", 0, 13);
	SIDES(cfg, tdd.direction, "tdd direction", "", 0, WLINK_DIRECTION_MAX);
	say(&cfg, "sched rr pf_exponent 2");
	refused(&cfg, "sched with pf_exponent or pf_window", "", WLINK_SCHED_RR);
	cfg.cell.pf_exponent_milli = WL_PF_EXPONENT_ONE;
	say(&cfg, "sched fifo gbr 1bit");
	taken(&cfg);
	cfg = small();
	cfg.sched = WLINK_SCHED_PF;
	refused(&cfg, "tti with sched pf", "ns", 0);
	cfg.tti_ns = 1;
	taken(&cfg);
}

CASE(cfg, "cfg: a word of RLC is taken beyond its bounds")
{
	struct wl_refusal why = { 0 };
	struct wl_cfg cfg = small();

	wl_cfg_set_mode(&cfg, WLINK_MODE_UM);
	SIDES(cfg, rlc.reorder, "reorder", "PDUs", 0, WLINK_UM_REORDER_MAX);
	wl_cfg_set_mode(&cfg, WLINK_MODE_FSR);
	SIDES(cfg, rlc.queue, "rlc queue", "PDUs", 0, WLINK_QUEUE_MAX);
	SIDES(cfg, rlc.start, "rlc start", "", 0, WLINK_START_MAX);
	/* 2^20 PDUs of 40 bytes in 1 s are 335 Mbit/s. */
	cfg = small();
	say(&cfg, "mode um delay 1s rate 300mbit");
	taken(&cfg);
	cfg.rate_bps = 340000000;
	CHECK_EQ(wl_cfg_check(&cfg, &why), (u64)-ERANGE);
	CHECK(why.what && !strcmp(why.what, "PDUs in flight"));
}

/* Of a mode go with it: PDU, header, window, start, and the timers of its family; not when SDUs
 * are discarded.
 */
CASE(cfg, "cfg: another mode keeps what was of the one before, or loses what was said")
{
	struct wl_cfg cfg = small();

	say(&cfg, "discard_timer 5ms pdu 123 mode asr");
	SAYS(&cfg, "pdu 123 header 8 window 128");
	say(&cfg, "start handover-one queue 7 mode am");
	SAYS(&cfg, "start handover-one queue 7 poll_pdu off");
	say(&cfg, "mode um");
	SAYS(&cfg, "start air queue auto");
	say(&cfg, "mode lte-am");
	SAYS(&cfg, "pdu 0 poll_pdu 64 discard_timer 5ms");
	say(&cfg, "mode am");
	SAYS(&cfg, "poll_pdu off poll_timer 60ms discard_timer 5ms pdu 40");
	say(&cfg, "mode tm");
	SAYS(&cfg, "header 0 window 1024");
}

/* A row's limit in time is what it is at the rate of the row: 10 ms are 2 SDUs of 100 bytes at
 * 160 kbit/s, and 1 at half of it, which is no room for a threshold.
 */
CASE(cfg, "cfg: a row of a profile is judged at another rate, or another is blamed")
{
	struct wl_profile *profile = calloc(1, sizeof(*profile) + 2 * sizeof(profile->row[0]));
	struct wl_refusal why = { 0 };
	struct wl_cfg cfg = small();

	profile->count = 2;
	for (u32 i = 0; i < 2; i++) {
		wl_aqm_default(&profile->row[i].aqm, WLINK_AQM_RED);
		profile->row[i].aqm.sdu_bytes = 100;
		profile->row[i].aqm.minth = 1;
		profile->row[i].aqm.maxp_q32 = 1;
		profile->row[i].rate_bps = (i + 1) * 160000;
	}
	cfg.rate_bps = 320000;
	wl_case_set(&cfg, WL_OP_LIMIT_TIME, 10 * WL_MS);
	cfg.profile = profile;
	taken(&cfg);
	profile->row[0].rate_bps = 80000;
	profile->row[1].aqm.count = 0;
	CHECK_EQ(wl_cfg_check(&cfg, &why), (u64)-ERANGE);
	CHECK_EQ(why.row, 1);
	CHECK(why.what && !strcmp(why.what, "aqm maxth"));
	/* Below its rate the first row is in force, too. */
	profile->row[0].rate_bps = 160000;
	profile->row[1].aqm.maxth = 5;
	cfg.rate_bps = 80000;
	refused(&cfg, "aqm maxth", "SDUs", 1);
	cfg.rate_bps = 320000;
	profile->row[0].rate_bps = 0;
	taken(&cfg);
	profile->row[0].rate_bps = 80000;
	/* Without a rate it is the row of the one before, or that of no rate. */
	cfg.rate_bps = WLINK_RATE_SILENT;
	cfg.usual_bps = 320000;
	wl_cfg_follow(&cfg);
	CHECK(!memcmp(&cfg.aqm, &profile->row[1].aqm, sizeof(cfg.aqm)));
	profile->row[0].rate_bps = 0;
	wl_cfg_follow(&cfg);
	CHECK(!memcmp(&cfg.aqm, &profile->row[0].aqm, sizeof(cfg.aqm)));
	free(profile);
}

CASE(cfg, "cfg: too few descriptors for buffer and pipe")
{
	struct wl_cfg cfg = small();

	/* A buffer of 1000, no pipe, 64 to spare. */
	CHECK_EQ(wl_cfg_sdus(&cfg), 1064);
	/* 384 kbit/s hold 480 bytes of 64 in a TTI of 10 ms: two of them. */
	say(&cfg, "rate 384kbit tti 10ms");
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 15 + 64);
	/* 100 ms more: 5760 bytes */
	cfg.delay_ns = 100 * WL_MS;
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 90 + 64);
	wl_case_set(&cfg, WL_OP_LIMIT_BYTES, 6400);
	CHECK_EQ(wl_cfg_sdus(&cfg), 100 + 90 + 64);
	/* 384 kbit/s x 200 ms = 9600 bytes */
	wl_case_set(&cfg, WL_OP_LIMIT_TIME, 200 * WL_MS);
	CHECK_EQ(wl_cfg_sdus(&cfg), 150 + 90 + 64);
}

CASE(cfg, "cfg: the largest of everything overflows")
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	cfg.rate_bps = WLINK_RATE_MAX;
	cfg.tti_ns = WLINK_TTI_MAX;
	cfg.delay_ns = WLINK_DELAY_MAX;
	cfg.pdu_bytes = WLINK_PDU_MAX - WLINK_HEADER_MAX;
	cfg.header_bytes = WLINK_HEADER_MAX;
	wl_case_set(&cfg, WL_OP_LIMIT_PACKETS, WLINK_LIMIT_PACKETS_MAX);
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	CHECK_EQ(wl_cfg_sdus(&cfg), WL_CFG_SDUS_MAX);
	wl_case_set(&cfg, WL_OP_LIMIT_BYTES, WLINK_LIMIT_BYTES_MAX);
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	CHECK_EQ(wl_cfg_sdus(&cfg), WL_CFG_SDUS_MAX);
}

TEST(cfg)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(wl_bounds); i++)
		bound(&wl_bounds[i]);
}
