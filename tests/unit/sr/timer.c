// SPDX-License-Identifier: GPL-2.0
/*
 * Selective repeat, stepped by hand: what scripts/sr cannot say of the way back and of timers.
 * Times as in sr.c.
 */
#include "say.h"
#include "sr.h"

static struct peers p;

static void slow_back(struct wl_cfg *cfg)
{
	cfg->reverse.rate_bps = 640;
}

CASE(sr, "sr: an ACK waits for the way back to be free")
{
	/* 100 ms for an ACK. */
	sr_setup(&p, WLINK_MODE_FSR, slow_back);
	sr_arrive(&p, 4);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n31250 new 1\n62500 new 2\n81250 out 0\n"
	       "81250 ack 1\n93750 new 3\n112500 out 1\n143750 out 2\n"
	       "175000 out 3\n181250 ack 4\n");
	CHECK_EQ(p.b->stats.v[WLINK_STAT_FEEDBACK_NS], 200 * WL_MS);
	CHECK_EQ(p.b->stats.v[WLINK_STAT_FEEDBACK_BYTES], 16);
}

static void lose_back(bool lose)
{
	struct wl_chan_cfg *cfg = &p.b->reverse.air.chan.cfg;

	cfg->kind = lose ? WLINK_CHANNEL_UNIFORM : WLINK_CHANNEL_NONE;
	cfg->loss_q32 = lose ? WLINK_PROB_ONE : 0;
}

static void rto_90ms(struct wl_cfg *cfg)
{
	cfg->rlc.rto_ns = 90 * WL_MS;
}

CASE(sr, "sr: a frame acknowledged while on the air has no timer")
{
	sr_setup(&p, WLINK_MODE_FSR, rto_90ms);
	sr_arrive(&p, 1);
	peers_run(&p, 140 * WL_MS);
	CHECK(p.sending);
	CHECK_EQ(p.b->mode.sr.una, 1);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n81250 out 0\n81250 ack 1\n121250 timeout 1\n"
	       "121250 again 0\n202500 ack 1\n");
	CHECK_EQ(p.b->stats.v[WLINK_STAT_DUPLICATES], 1);
}

CASE(sr, "sr: a running timer keeps its deadline, and the earliest counts")
{
	sr_setup(&p, WLINK_MODE_ASR, NULL);
	lose_back(true);
	p.lose = 3 << 1;
	sr_arrive(&p, 1);
	peers_run(&p, 100 * WL_MS);
	/* As after a sample of 100 ms: 3 * 100 + 2 * 50. */
	wl_sr_rtt_sample(&p.b->mode.sr, &p.b->cfg, 100 * WL_MS);
	CHECK_EQ(p.b->mode.sr.rtxto_ns, 400 * WL_MS);
	sr_arrive(&p, 2);
	peers_run(&p, 580 * WL_MS);
	/* Frames 1 and 2 at 131.25 and 162.5, and 400; frame 0 at 1131.25. */
	EXPECT(&p, "0 new 0\n81250 out 0\n81250 unheard 1\n100000 new 1\n"
	       "131250 lost 1\n131250 new 2\n162500 lost 2\n"
	       "531250 timeout 1\n531250 again 1\n562500 timeout 1\n562500 again 2\n");
	lose_back(false);
	peers_run(&p, 2 * WL_SEC);
	EXPECT(&p, "612500 out 1\n612500 ack 2\n643750 out 2\n643750 ack 3\n");
}

CASE(sr, "sr: of equal deadlines the first that was set comes first")
{
	struct wl_tx first, second;

	sr_setup(&p, WLINK_MODE_FSR, NULL);
	peers_hold(&p, true);
	sr_arrive(&p, 2);
	/* As in one TTI. */
	p.b->ops->send(p.b, 0, &first);
	p.b->ops->sent(p.b, 0, &first, 100 * WL_MS, true);
	p.b->ops->send(p.b, 0, &second);
	p.b->ops->sent(p.b, 0, &second, 100 * WL_MS, true);
	peers_hold(&p, false);
	peers_run(&p, 2 * WL_SEC);
	EXPECT(&p, "1200000 timeout 2\n1200000 again 0\n1231250 again 1\n"
	       "1281250 out 0\n1281250 ack 1\n1312500 out 1\n1312500 ack 2\n");
}

static void test_configured(void)
{
	struct wl_cfg old;

	ut_begin("sr: another timer holds from the next frame on");
	sr_setup(&p, WLINK_MODE_FSR, NULL);
	p.lose = 3;
	sr_arrive(&p, 2);
	peers_run(&p, 40 * WL_MS);
	old = p.b->cfg;
	p.b->cfg.rlc.rto_ns = 300 * WL_MS;
	p.b->ops->configured(p.b, p.now_ns, &old);
	peers_run(&p, 2 * WL_SEC);
	/* 62.5 + 300; frame 0 is NACKed when frame 1 has arrived. */
	EXPECT(&p, "0 new 0\n31250 lost 0\n31250 new 1\n62500 lost 1\n"
	       "362500 timeout 1\n362500 again 1\n443750 nack 0\n"
	       "494750 again 0\n576000 out 0\n576000 out 1\n576000 ack 2\n");

	ut_begin("sr: a shorter guard holds at once");
	sr_setup(&p, WLINK_MODE_FSR, NULL);
	p.lose = 1;
	sr_arrive(&p, 4);
	peers_run(&p, 130 * WL_MS);
	old = p.b->cfg;
	p.b->cfg.rlc.nack_guard_ns = 10 * WL_MS;
	p.b->ops->configured(p.b, p.now_ns, &old);
	peers_run(&p, WL_SEC);
	EXPECT(&p, "0 new 0\n31250 lost 0\n31250 new 1\n62500 new 2\n"
	       "93750 new 3\n112500 nack 0\n143750 nack 0\n163500 again 0\n"
	       "175000 nack 0\n244750 out 0\n244750 out 1\n244750 out 2\n"
	       "244750 out 3\n244750 ack 4\n");
}

/* facts.md 6.3: srtt .2 s, srttvar .1 s, then one sample; alpha 3, beta 2. */
static const struct {
	enum wlink_rttvar rttvar;
	u64 sample_us;
	u64 srtt_us;
	u64 var_us;
	u64 rtxto_us;
} filter_cases[] = {
	{ WLINK_RTTVAR_ABS,    400000, 225000, 125000, 925000 },
	{ WLINK_RTTVAR_SIGNED, 400000, 225000, 118750, 912500 },
	{ WLINK_RTTVAR_ABS,    100000, 187500, 100000, 762500 },
	{ WLINK_RTTVAR_SIGNED, 100000, 187500,  53125, 668750 },
};

static void test_filter(void)
{
	struct wl_cfg cfg = {
		.mode = WLINK_MODE_ASR,
		.rlc.rto_ns = 1100 * WL_MS,
		.rlc.alpha_milli = 3000,
		.rlc.beta_milli = 2000,
	};
	struct wl_sr sr;

	for (u32 i = 0; i < ARRAY_SIZE(filter_cases); i++) {
		ut_begin("sr: rttvar %s after a sample of %llu us",
			 filter_cases[i].rttvar == WLINK_RTTVAR_ABS ?
			 "abs" : "signed", filter_cases[i].sample_us);
		cfg.rlc.rttvar = filter_cases[i].rttvar;
		wl_sr_rtt_start(&sr, &cfg);
		CHECK_EQ(sr.rtxto_ns, 1100 * WL_MS);
		/* The first sample sets both. */
		wl_sr_rtt_sample(&sr, &cfg, 200 * WL_MS);
		CHECK_EQ(sr.srtt_x8_ns, 1600 * WL_MS);
		CHECK_EQ(sr.srttvar_x4_ns, 400 * WL_MS);
		CHECK_EQ(sr.rtxto_ns, 800 * WL_MS);
		wl_sr_rtt_sample(&sr, &cfg, filter_cases[i].sample_us * WL_US);
		CHECK_EQ(sr.srtt_x8_ns, 8 * filter_cases[i].srtt_us * WL_US);
		CHECK_EQ(sr.srttvar_x4_ns, 4 * filter_cases[i].var_us * WL_US);
		CHECK_EQ(sr.rtxto_ns, filter_cases[i].rtxto_us * WL_US);
	}
}

static void test_weights(void)
{
	struct wl_cfg cfg = {
		.mode = WLINK_MODE_ASR,
		.rlc.rto_ns = 1100 * WL_MS,
		.rlc.alpha_milli = 4000,
	};
	struct wl_sr sr;

	ut_begin("sr: alpha and beta, and no timer below srtt");
	wl_sr_rtt_start(&sr, &cfg);
	wl_sr_rtt_sample(&sr, &cfg, 200 * WL_MS);
	CHECK_EQ(sr.rtxto_ns, 800 * WL_MS);
	say(&cfg, "alpha 1 beta 4");
	wl_sr_rtt_set(&sr, &cfg);
	CHECK_EQ(sr.rtxto_ns, 600 * WL_MS);
	say(&cfg, "alpha 1.5 beta 0.333");
	wl_sr_rtt_set(&sr, &cfg);
	CHECK_EQ(sr.rtxto_ns, 333300 * WL_US);
	/* Two samples of 0: srttvar .075 - .175 / 4, then that * .75 - .153125 / 4
	 * or -.01484375; 3 * .153125 - 2 * .01484375.
	 */
	say(&cfg, "alpha 3 beta 2 rttvar signed");
	wl_sr_rtt_start(&sr, &cfg);
	wl_sr_rtt_sample(&sr, &cfg, 200 * WL_MS);
	wl_sr_rtt_sample(&sr, &cfg, 0);
	wl_sr_rtt_sample(&sr, &cfg, 0);
	CHECK(sr.srttvar_x4_ns == -59375000);
	CHECK_EQ(sr.rtxto_ns, 429687500);
	/* Far enough below 0, and the timer would be shorter than srtt. */
	say(&cfg, "alpha 1 beta 16");
	wl_sr_rtt_set(&sr, &cfg);
	CHECK_EQ(sr.rtxto_ns, sr.srtt_x8_ns / 8);
	say(&cfg, "beta 0 alpha 0");
	wl_sr_rtt_start(&sr, &cfg);
	wl_sr_rtt_sample(&sr, &cfg, 3);
	CHECK_EQ(sr.rtxto_ns, WLINK_TIMER_MIN);
	/* Nobody waits for longer than this; it must not wrap. */
	cfg.rlc.alpha_milli = WLINK_ALPHA_MAX;
	cfg.rlc.beta_milli = WLINK_ALPHA_MAX;
	wl_sr_rtt_start(&sr, &cfg);
	wl_sr_rtt_sample(&sr, &cfg, U64_MAX);
	CHECK_EQ(sr.rtxto_ns, 24 * (1ULL << 45));

	ut_begin("sr: the fixed timer takes no notice of samples");
	cfg.mode = WLINK_MODE_FSR;
	wl_sr_rtt_start(&sr, &cfg);
	wl_sr_rtt_sample(&sr, &cfg, 200 * WL_MS);
	CHECK_EQ(sr.rtxto_ns, 1100 * WL_MS);
	cfg.rlc.rto_ns = WL_SEC;
	wl_sr_rtt_set(&sr, &cfg);
	CHECK_EQ(sr.rtxto_ns, WL_SEC);
}

TEST(sr)
{
	test_configured();
	test_filter();
	test_weights();
}
