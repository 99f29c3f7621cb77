// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "ut.h"
#include "wl_tables.h"

static struct wl_cfg small(void)
{
	struct wl_cfg cfg;

	wl_cfg_default(&cfg);
	cfg.rate_bps = 1000;
	return cfg;
}

static void defaults(void)
{
	struct wl_refusal why;
	struct wl_cfg cfg;

	ut_begin("cfg: the default is not what is documented");
	memset(&cfg, 0xff, sizeof(cfg));
	wl_cfg_default(&cfg);
	CHECK_EQ(cfg.rate_bps, U64_MAX - 1);
	CHECK_EQ(cfg.tti_ns, 0);
	CHECK_EQ(cfg.delay_ns, 0);
	CHECK_EQ(cfg.pdu_bytes, 0);
	CHECK_EQ(cfg.header_bytes, 0);
	CHECK_EQ(cfg.limit.kind, WL_LIMIT_PACKETS);
	CHECK_EQ(cfg.limit.value, 1000);
	CHECK_EQ(cfg.channel.kind, WLINK_CHANNEL_NONE);
	CHECK_EQ(wl_cfg_check(&cfg, &why), (u64)-ERANGE);
	CHECK(!strcmp(why.what, "rate"));
	cfg.rate_bps = 1;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	ut_end();
}

static void bound(const struct wl_bound *row)
{
	struct wl_refusal why = { 0 };
	struct wl_cfg cfg = small();
	int err;

	wl_case_set(&cfg, row->op, row->value);
	err = wl_cfg_check(&cfg, &why);
	if (!row->refused) {
		ut_begin("cfg: op %d value %llu is refused", row->op,
			 row->value);
		CHECK_EQ(err, 0);
		CHECK(!why.what);
	} else {
		ut_begin("cfg: %s %llu is taken or blamed on another",
			 row->refused, row->value);
		CHECK_EQ(err, (u64)-ERANGE);
		CHECK(why.what && !strcmp(why.what, row->refused));
		CHECK(why.unit);
		CHECK_EQ(why.value, row->value);
		CHECK_EQ(why.min, row->min);
		CHECK_EQ(why.max, row->max);
	}
	ut_end();
}

static void refused(struct wl_cfg *cfg, const char *what, const char *unit,
		    u64 value)
{
	struct wl_refusal why = { 0 };

	CHECK_EQ(wl_cfg_check(cfg, &why), (u64)-ERANGE);
	CHECK(why.what && !strcmp(why.what, what));
	CHECK(why.unit && !strcmp(why.unit, unit));
	CHECK_EQ(why.value, value);
}

static void pdu_plus_header(void)
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	ut_begin("cfg: a PDU with its header is above 65535 bytes");
	cfg.pdu_bytes = 64512;
	cfg.header_bytes = 1023;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.header_bytes = 1024;
	refused(&cfg, "pdu plus header", "bytes", 65536);
	cfg.pdu_bytes = 65535;
	refused(&cfg, "pdu plus header", "bytes", 66559);
	cfg.header_bytes = 1;
	refused(&cfg, "pdu plus header", "bytes", 65536);
	cfg.header_bytes = 0;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	ut_end();
}

static void limit_at_this_rate(void)
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	ut_begin("cfg: a limit in time is above 1 GiB at its rate");
	/* 2^30 bytes in a second, and a byte more. */
	cfg.rate_bps = 8ULL << 30;
	wl_case_set(&cfg, WL_OP_LIMIT_TIME, WL_SEC);
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.rate_bps += 8;
	refused(&cfg, "limit at this rate", "bytes", (1ULL << 30) + 1);
	cfg.rate_bps = WLINK_RATE_MAX;
	cfg.limit.value = WLINK_LIMIT_TIME_MAX;
	refused(&cfg, "limit at this rate", "bytes", 45000000000000ULL);
	ut_end();
}

static void units(void)
{
	struct wl_cfg cfg;

	ut_begin("cfg: a refusal has the wrong unit");
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
	ut_end();
}

static void limit_bytes(void)
{
	struct wl_cfg cfg = small();
	unsigned int i;

	ut_begin("cfg: a limit in time comes out wrong in bytes");
	for (i = 0; i < ARRAY_SIZE(wl_amounts); i++) {
		cfg.rate_bps = wl_amounts[i].rate_bps;
		wl_case_set(&cfg, WL_OP_LIMIT_TIME, wl_amounts[i].time_ns);
		CHECK_EQ(wl_cfg_limit_bytes(&cfg), wl_amounts[i].bytes);
	}
	wl_case_set(&cfg, WL_OP_LIMIT_BYTES, 4711);
	CHECK_EQ(wl_cfg_limit_bytes(&cfg), 4711);
	wl_case_set(&cfg, WL_OP_LIMIT_PACKETS, 4711);
	CHECK_EQ(wl_cfg_limit_bytes(&cfg), U64_MAX);
	ut_end();
}

static void polls(void)
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	ut_begin("cfg: a sender that never polls is taken");
	wl_cfg_set_mode(&cfg, WLINK_MODE_AM);
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.rlc.poll_last = false;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.rlc.poll_window = 0;
	CHECK_EQ(wl_cfg_check(&cfg, &why), (u64)-ERANGE);
	CHECK_EQ(why.value, 0);
	cfg.rlc.status_periodic_ns = WL_MS;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	ut_end();
}

static void starts(void)
{
	struct wl_refusal why;
	struct wl_cfg cfg;
	u32 mode;

	ut_begin("cfg: PDUs are handed over early in a mode without a window, or not in one with");
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
		cfg.rlc.start = WLINK_START_AIR;
		cfg.rlc.queue = 1;
		if (window)
			CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
		else
			refused(&cfg, "rlc queue", "PDUs", 1);
	}
	ut_end();
}

static void harq_max(void)
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	ut_begin("cfg: a block of HARQ goes never, or more often than there are fates for");
	cfg.tti_ns = WL_MS;
	cfg.harq.processes = 8;
	cfg.harq.rtt_ns = 8 * WL_MS;
	cfg.harq.transmissions = 1;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.harq.transmissions = WLINK_HARQ_SENT_MAX;
	CHECK_EQ(wl_cfg_check(&cfg, &why), 0);
	cfg.harq.transmissions = 0;
	refused(&cfg, "harq max", "", 0);
	cfg.harq.transmissions = WLINK_HARQ_SENT_MAX + 1;
	refused(&cfg, "harq max", "", WLINK_HARQ_SENT_MAX + 1);
	ut_end();
}

static void slots(void)
{
	struct wl_cfg cfg = small();

	ut_begin("cfg: too few descriptors for buffer and pipe");
	/* A buffer of 1000, no pipe, 64 to spare. */
	CHECK_EQ(wl_cfg_sdus(&cfg), 1064);
	/* 384 kbit/s hold 480 bytes of 64 in a TTI of 10 ms: two of them. */
	cfg.rate_bps = 384000;
	cfg.tti_ns = 10 * WL_MS;
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 15 + 64);
	/* 100 ms more: 5760 bytes */
	cfg.delay_ns = 100 * WL_MS;
	CHECK_EQ(wl_cfg_sdus(&cfg), 1000 + 90 + 64);
	wl_case_set(&cfg, WL_OP_LIMIT_BYTES, 6400);
	CHECK_EQ(wl_cfg_sdus(&cfg), 100 + 90 + 64);
	/* 384 kbit/s x 200 ms = 9600 bytes */
	wl_case_set(&cfg, WL_OP_LIMIT_TIME, 200 * WL_MS);
	CHECK_EQ(wl_cfg_sdus(&cfg), 150 + 90 + 64);
	ut_end();
}

static void extremes(void)
{
	struct wl_cfg cfg = small();
	struct wl_refusal why;

	ut_begin("cfg: the largest of everything overflows");
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
	ut_end();
}

void test_cfg(void)
{
	unsigned int i;

	defaults();
	for (i = 0; i < ARRAY_SIZE(wl_bounds); i++)
		bound(&wl_bounds[i]);
	pdu_plus_header();
	limit_at_this_rate();
	units();
	limit_bytes();
	polls();
	starts();
	harq_max();
	slots();
	extremes();
}
