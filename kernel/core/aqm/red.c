// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Random early detection (Floyd and Jacobson 1993) on the occupancy that an
 * arrival finds. With the weight of 1 that is the instantaneous one, as in the
 * AQM paper. Probabilities here are p * 2^32; the greatest maxp is 2^-32 below 1.
 */
#include "../lib/exp.h"
#include "aqm.h"

#define ONE_Q32		(1ULL << 32)
/* Beyond any threshold and its double; so an average fits 63 bits. */
#define SAMPLE_MAX	((1ULL << 39) - 1)
/* Three years; a rate's bits in it fit 64 bits. */
#define IDLE_NS_MAX	100000000000000000ULL

static u64 red_idle_sdus(const struct wl_aqm_at *at)
{
	u64 bytes = wl_cfg_bytes_in(at->rate_bps,
				    min(at->idle_ns, IDLE_NS_MAX));

	return div64_u64(bytes, max(at->cfg->sdu_bytes, 1U));
}

static void red_sample(struct wl_red *red, const struct wl_aqm_at *at)
{
	u64 now_q24 = min(at->bo - at->arriving, SAMPLE_MAX) << 24;
	u32 weight_q32 = at->cfg->weight_q32;
	u64 left_q63;

	if (weight_q32 == WLINK_PROB_ONE) {
		red->avg_q24 = now_q24;
		return;
	}
	if (at->idle_ns) {
		/* What samples of 0 leave of it. */
		left_q63 = wl_power((ONE_Q32 - weight_q32) << 31,
				    red_idle_sdus(at), 63);
		red->avg_q24 = mul_u64_u64_shr(red->avg_q24, left_q63, 63);
	}
	if (now_q24 >= red->avg_q24)
		red->avg_q24 += mul_u64_u64_shr(now_q24 - red->avg_q24,
						weight_q32, 32);
	else
		red->avg_q24 -= mul_u64_u64_shr(red->avg_q24 - now_q24,
						weight_q32, 32);
}

/* Where part is below whole, both below 2^56 with 24 bits of fraction. */
static u64 red_ratio_q32(u64 part_q24, u64 whole)
{
	return div64_u64(part_q24 << 8, whole);
}

static u64 red_prob_q32(const struct wl_red *red, const struct wl_aqm_at *at)
{
	u64 maxp_q32 = at->cfg->maxp_q32;
	u64 minth_q24 = (u64)at->cfg->minth << 24;
	u64 maxth_q24 = at->maxth << 24;

	if (red->avg_q24 < min(minth_q24, maxth_q24))
		return 0;
	if (red->avg_q24 < maxth_q24)
		return mul_u64_u64_shr(red_ratio_q32(red->avg_q24 - minth_q24,
						 at->maxth - at->cfg->minth),
				       maxp_q32, 32);
	if (!at->cfg->gentle || red->avg_q24 >= 2 * maxth_q24)
		return ONE_Q32;
	return maxp_q32 +
	       mul_u64_u64_shr(red_ratio_q32(red->avg_q24 - maxth_q24, at->maxth),
			       ONE_Q32 - maxp_q32, 32);
}

/* p / (1 - count p): the gap between two is uniform on 1..1/p. */
static u64 red_spread_q32(u64 p_q32, u64 count)
{
	u64 left_q32;

	if (p_q32 >= ONE_Q32 || count * p_q32 + p_q32 >= ONE_Q32)
		return ONE_Q32;
	left_q32 = ONE_Q32 - count * p_q32;
	return div64_u64(p_q32 << 32, left_q32);
}

static bool red_arrived(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	struct wl_red *red = &aqm->red;
	bool chosen;
	u64 p_q32;

	red_sample(red, at);
	p_q32 = red_prob_q32(red, at);
	if (at->cfg->count)
		p_q32 = red_spread_q32(p_q32, red->count);
	chosen = wl_rng_chance(&aqm->rng, min_t(u64, p_q32, WLINK_PROB_ONE));
	/* At the least probability, 2^-32, further makes no difference. */
	red->count = min(red->count + 1, (u64)U32_MAX);
	if (chosen || red->avg_q24 < (u64)at->cfg->minth << 24)
		red->count = 0;
	return chosen;
}

static void red_start(struct wl_aqm *aqm, const struct wl_aqm_at *at)
{
	aqm->red.avg_q24 = min(at->bo, SAMPLE_MAX) << 24;
	aqm->red.count = 0;
}

static u64 red_level(const struct wl_aqm *aqm)
{
	return mul_u64_u64_shr(aqm->red.avg_q24, 1000, 24);
}

static int red_check(const struct wl_aqm_cfg *aqm, const struct wl_cfg *cfg,
		     struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ "aqm maxp", "/ 2^32", aqm->maxp_q32, 1, WLINK_PROB_ONE },
		{ "aqm weight", "/ 2^32", aqm->weight_q32, 1, WLINK_PROB_ONE },
	};

	return wl_aqm_check_thresholds(aqm, cfg, why) ?:
	       wl_within(why, bounds, ARRAY_SIZE(bounds));
}

const struct wl_aqm_ops wl_red_ops = {
	.start = red_start,
	.arrived = red_arrived,
	.level = red_level,
	.check = red_check,
};
