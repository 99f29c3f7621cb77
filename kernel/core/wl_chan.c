// SPDX-License-Identifier: GPL-2.0
#include "wl_chan_time.h"

#define ONE_Q32	(1ULL << 32)

static u64 prob(u32 prob_q32)
{
	return prob_q32 == WLINK_PROB_ONE ? ONE_Q32 : prob_q32;
}

static u64 mul_q32(u64 a_q32, u64 b_q32)
{
	return a_q32 == ONE_Q32 ? b_q32 :
	       b_q32 == ONE_Q32 ? a_q32 : mul_u64_u64_shr(a_q32, b_q32, 32);
}

/* |lambda|^n by squaring, in Q62 so that a day of frames still resolves. */
static u64 power_q62(u64 base_q62, u64 n)
{
	u64 result_q62 = 1ULL << 62;

	while (n && result_q62) {
		if (n & 1)
			result_q62 = mul_u64_u64_shr(result_q62, base_q62, 62);
		base_q62 = mul_u64_u64_shr(base_q62, base_q62, 62);
		n >>= 1;
	}
	return result_q62;
}

/* Stationary probability of the bad state; p + r is not 0. */
static u64 stationary_q32(const struct wl_chan_cfg *cfg)
{
	u64 p_q32 = prob(cfg->p_q32), r_q32 = prob(cfg->r_q32);

	/* p << 31 fits where p << 32 would not for p = 1. */
	return div64_u64(p_q32 << 31, p_q32 + r_q32) << 1;
}

/* Probability to be bad n frames from now. With lambda = 1 - p - r it is
 * pi + (1 - pi) lambda^n from bad and pi (1 - lambda^n) from good.
 */
static u64 bad_after_q32(const struct wl_chan *chan, u64 n)
{
	u64 p_q32 = prob(chan->cfg.p_q32), r_q32 = prob(chan->cfg.r_q32);
	u64 pi_q32, away_q32, size_q32;
	bool minus;

	if (n == 1)
		return chan->bad ? ONE_Q32 - r_q32 : p_q32;
	minus = p_q32 + r_q32 > ONE_Q32;
	size_q32 = minus ? p_q32 + r_q32 - ONE_Q32 : ONE_Q32 - p_q32 - r_q32;
	size_q32 = power_q62(size_q32 << 30, n) >> 30;
	minus = minus && (n & 1);
	pi_q32 = stationary_q32(&chan->cfg);
	away_q32 = chan->bad ? ONE_Q32 - pi_q32 : pi_q32;
	away_q32 = mul_q32(away_q32, size_q32);
	if (chan->bad != minus)
		return min(pi_q32 + away_q32, ONE_Q32);
	return pi_q32 - min(pi_q32, away_q32);
}

static bool happens(struct wl_rng *rng, u64 prob_q32)
{
	if (!prob_q32 || prob_q32 == ONE_Q32)
		return prob_q32;
	return wl_rng_next(rng) >> 32 < prob_q32;
}

void wl_chan_seed(struct wl_chan *chan, u64 seed, enum wl_rng_use state,
		  enum wl_rng_use loss, u32 bearer)
{
	wl_rng_seed(&chan->state_rng, seed, state, bearer);
	wl_rng_seed(&chan->loss_rng, seed, loss, bearer);
}

void wl_chan_set(struct wl_chan *chan, const struct wl_chan_cfg *cfg,
		 u64 now_ns)
{
	bool fresh = chan->cfg.kind != cfg->kind;

	/* What has passed goes by the old means. */
	wl_chan_bad_until_ns(chan, now_ns);
	if (cfg->kind == WLINK_CHANNEL_TWOSTATE) {
		wl_chan_time_set(chan, cfg, now_ns);
		return;
	}
	chan->cfg = *cfg;
	if (cfg->kind != WLINK_CHANNEL_GILBERT)
		chan->bad = false;
	else if (fresh)
		chan->bad = (cfg->p_q32 || cfg->r_q32) &&
			    happens(&chan->state_rng, stationary_q32(cfg));
}

void wl_chan_step(struct wl_chan *chan, u64 frames)
{
	if (!frames || chan->cfg.kind != WLINK_CHANNEL_GILBERT)
		return;
	if (!chan->cfg.p_q32 && !chan->cfg.r_q32)
		return;
	chan->bad = happens(&chan->state_rng, bad_after_q32(chan, frames));
}

static u32 loss_now_q32(const struct wl_chan *chan)
{
	switch (chan->cfg.kind) {
	case WLINK_CHANNEL_UNIFORM:
		return chan->cfg.loss_q32;
	case WLINK_CHANNEL_GILBERT:
		return chan->bad ? chan->cfg.loss_bad_q32 :
				   chan->cfg.loss_good_q32;
	default:
		return 0;
	}
}

bool wl_chan_certain(const struct wl_chan *chan)
{
	u32 loss_q32 = loss_now_q32(chan);

	if (chan->cfg.kind == WLINK_CHANNEL_TWOSTATE)
		return false;
	return !loss_q32 || loss_q32 == WLINK_PROB_ONE;
}

u32 wl_chan_lost(struct wl_chan *chan, u32 pdus)
{
	u32 loss_q32 = loss_now_q32(chan);
	u32 lost = 0;

	if (!loss_q32)
		return 0;
	if (loss_q32 == WLINK_PROB_ONE)
		return pdus;
	while (pdus--)
		lost += wl_rng_chance(&chan->loss_rng, loss_q32);
	return lost;
}
