// SPDX-License-Identifier: GPL-2.0
#include "scenario.h"
#include "ut.h"

#define ONE	WLINK_PROB_ONE

/* Bits of one TTI that keep a story short. */
#define TTI_BITS_MAX	20000

static u32 below(struct wl_rng *dice, u32 n)
{
	return (wl_rng_next(dice) >> 32) * n >> 32;
}

static u64 below64(struct wl_rng *dice, u64 n)
{
	return n ? wl_rng_next(dice) % n : 0;
}

#define ONE_OF(dice, list) ((list)[below(dice, ARRAY_SIZE(list))])

static void random_rate(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u64 rates[] = {
		1, 7, 9600, 64000, 128000, 256000, 384000, 1000007, 99999999,
		1000000000, 2500000003, WLINK_RATE_MAX - 1, WLINK_RATE_MAX };
	u64 bits = 1 + below(dice, TTI_BITS_MAX);

	if (!cfg->tti_ns) {
		cfg->rate_bps = ONE_OF(dice, rates);
		return;
	}
	/* Whole or broken bits in a TTI, now and then less than one. */
	cfg->rate_bps = bits * WL_SEC / cfg->tti_ns;
	if (below(dice, 2))
		cfg->rate_bps += below64(dice, 1 + cfg->rate_bps / 100);
	cfg->rate_bps = min(max(cfg->rate_bps, 1ULL), WLINK_RATE_MAX);
}

static void random_tti(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u64 ttis[] = {
		0, 0, 1, 7, 1000, 1 * WL_MS, 2 * WL_MS, 10 * WL_MS, 10 * WL_MS,
		1234567, 999999937, WLINK_TTI_MAX };

	cfg->tti_ns = ONE_OF(dice, ttis);
	random_rate(dice, cfg);
}

static void random_pdu(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u32 pdus[] = { 0, 0, 1, 7, 40, 40, 100, 250, 1500, 64000 };

	cfg->pdu_bytes = ONE_OF(dice, pdus);
	cfg->header_bytes = below(dice, 3);
}

static void random_limit(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u64 times[] = { 1, 1000, WL_MS, 50 * WL_MS, WL_SEC };

	switch (below(dice, 4)) {
	case 0:
		wl_case_set(cfg, WL_OP_LIMIT_PACKETS, 1 + below(dice, 12));
		break;
	case 1:
		wl_case_set(cfg, WL_OP_LIMIT_BYTES, 1 + below(dice, 9000));
		break;
	case 2:
		wl_case_set(cfg, WL_OP_LIMIT_TIME, ONE_OF(dice, times));
		break;
	default:
		wl_case_set(cfg, WL_OP_LIMIT_PACKETS, 1000);
		break;
	}
}

static u64 typical_ns(const struct wl_cfg *cfg)
{
	u64 kbyte_ns = 8000 * WL_SEC / cfg->rate_bps;

	return cfg->tti_ns ? cfg->tti_ns : max(kbyte_ns, 1ULL);
}

static void random_delay(struct wl_rng *dice, struct wl_cfg *cfg)
{
	static const u32 tenths[] = { 0, 3, 10, 57, 400 };

	cfg->delay_ns = min(typical_ns(cfg) * ONE_OF(dice, tenths) / 10,
			    WLINK_DELAY_MAX);
}

static u32 random_prob(struct wl_rng *dice, bool certain)
{
	static const u32 sure[] = { 0, ONE };

	if (certain || !below(dice, 4))
		return ONE_OF(dice, sure);
	return wl_rng_next(dice) >> (32 + below(dice, 5));
}

static void random_channel(struct wl_rng *dice, struct wl_cfg *cfg,
			   bool certain, bool first)
{
	struct wl_chan_cfg *channel = &cfg->channel;

	memset(channel, 0, sizeof(*channel));
	channel->kind = below(dice, WLINK_CHANNEL_TWOSTATE);
	if (channel->kind == WLINK_CHANNEL_UNIFORM)
		channel->loss_q32 = random_prob(dice, certain);
	if (channel->kind != WLINK_CHANNEL_GILBERT)
		return;
	channel->p_q32 = random_prob(dice, certain);
	channel->r_q32 = random_prob(dice, certain);
	channel->loss_good_q32 = below(dice, 3) ? 0 :
				 random_prob(dice, certain);
	channel->loss_bad_q32 = random_prob(dice, certain);
	/* The first state of p = r = 1 is a coin, which the oracle is told
	 * about at the start only.
	 */
	if (certain && !first && channel->p_q32)
		channel->r_q32 = 0;
}

static void random_change(struct wl_rng *dice, struct wl_cfg *cfg, bool certain)
{
	switch (below(dice, 8)) {
	case 0:
	case 1:
		random_rate(dice, cfg);
		break;
	case 2:
		random_tti(dice, cfg);
		break;
	case 3:
		random_pdu(dice, cfg);
		break;
	case 4:
		random_limit(dice, cfg);
		break;
	case 5:
		random_delay(dice, cfg);
		break;
	case 6:
		random_channel(dice, cfg, certain, false);
		break;
	default:
		random_tti(dice, cfg);
		random_pdu(dice, cfg);
		random_limit(dice, cfg);
		random_delay(dice, cfg);
		random_channel(dice, cfg, certain, false);
		break;
	}
}

/* Often at the very time of something else: now, or a whole TTI later. */
static u64 random_gap_ns(struct wl_rng *dice, const struct wl_cfg *cfg)
{
	u64 typical = typical_ns(cfg);

	switch (below(dice, 6)) {
	case 0:
	case 1:
		return 0;
	case 2:
		return typical * (1 + below(dice, 4));
	case 3:
		return below64(dice, typical * 4);
	case 4:
		return below64(dice, typical * 40);
	default:
		return below64(dice, typical);
	}
}

void scenario_random(struct scenario *story, u64 seed, bool certain)
{
	static const u32 sizes[] = { 1, 5, 40, 52, 250, 480, 1500, 1500 };
	struct wl_rng rng = { .state = seed * 0x9e3779b97f4a7c15ULL };
	struct wl_rng *dice = &rng;
	struct wl_cfg *cfg = &story->cfg;
	bool quiet = below(dice, 3) == 0;
	struct event *last = NULL;
	struct wl_cfg asked;
	u64 at_ns;

	wl_cfg_default(cfg);
	random_tti(dice, cfg);
	random_pdu(dice, cfg);
	random_limit(dice, cfg);
	random_delay(dice, cfg);
	random_channel(dice, cfg, certain, true);
	cfg->seed = wl_rng_next(dice);
	story->origin_ns = below(dice, 2) ? 0 : below64(dice, 1ULL << 50);
	story->count = 8 + below(dice, SCENARIO_EVENTS - 8);
	asked = *cfg;
	at_ns = story->origin_ns;
	for (u32 i = 0; i < story->count; i++) {
		struct event *event = &story->events[i];

		memset(event, 0, sizeof(*event));
		at_ns += random_gap_ns(dice, &asked);
		event->at_ns = at_ns;
		if (quiet || below(dice, 4)) {
			event->kind = EVENT_SEND;
			event->bytes = below(dice, 3) ? ONE_OF(dice, sizes) :
						      1 + below(dice, 3000);
			continue;
		}
		if (!below(dice, 10)) {
			event->kind = EVENT_FLUSH;
			continue;
		}
		event->kind = EVENT_CONFIGURE;
		random_change(dice, &asked, certain);
		event->reseed = !below(dice, 8);
		if (event->reseed)
			asked.seed = wl_rng_next(dice);
		event->cfg = asked;
		/* An outage, until the next change. */
		if (!below(dice, 4))
			event->cfg.rate_bps = WLINK_RATE_SILENT;
		last = event;
	}
	if (last)
		last->cfg.rate_bps = asked.rate_bps;
}
