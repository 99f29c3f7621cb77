// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* The channel of kind gilbert: two states, by frame. */
#include "../lib/exp.h"
#include "channel.h"

#define ONE_Q32	(1ULL << 32)

static u64 gilbert_q32(u32 prob_q32)
{
	return prob_q32 == WLINK_PROB_ONE ? ONE_Q32 : prob_q32;
}

static u64 gilbert_mul_q32(u64 a_q32, u64 b_q32)
{
	return a_q32 == ONE_Q32 ? b_q32 :
	       b_q32 == ONE_Q32 ? a_q32 : mul_u64_u64_shr(a_q32, b_q32, 32);
}

/* Stationary probability of the bad state; p + r is not 0. */
static u64 gilbert_stationary_q32(const struct wl_chan_cfg *cfg)
{
	u64 p_q32 = gilbert_q32(cfg->p_q32), r_q32 = gilbert_q32(cfg->r_q32);

	/* p << 31 fits where p << 32 would not for p = 1. */
	return div64_u64(p_q32 << 31, p_q32 + r_q32) << 1;
}

/* Probability to be bad n frames from now. With lambda = 1 - p - r it is
 * pi + (1 - pi) lambda^n from bad and pi (1 - lambda^n) from good.
 */
static noinline u64 gilbert_bad_after_q32(const struct wl_chan *chan, u64 n)
{
	u64 p_q32 = gilbert_q32(chan->cfg.p_q32);
	u64 r_q32 = gilbert_q32(chan->cfg.r_q32);
	u64 pi_q32, away_q32, size_q32;
	bool minus;

	minus = p_q32 + r_q32 > ONE_Q32;
	size_q32 = minus ? p_q32 + r_q32 - ONE_Q32 : ONE_Q32 - p_q32 - r_q32;
	/* |lambda|^n in Q62, so that a day of frames still resolves. */
	size_q32 = wl_power(size_q32 << 30, n, 62) >> 30;
	minus = minus && (n & 1);
	pi_q32 = gilbert_stationary_q32(&chan->cfg);
	away_q32 = chan->bad ? ONE_Q32 - pi_q32 : pi_q32;
	away_q32 = gilbert_mul_q32(away_q32, size_q32);
	if (chan->bad != minus)
		return min(pi_q32 + away_q32, ONE_Q32);
	return pi_q32 - min(pi_q32, away_q32);
}

static bool gilbert_draw(struct wl_rng *rng, u64 prob_q32)
{
	if (!prob_q32 || prob_q32 == ONE_Q32)
		return prob_q32;
	return wl_rng_next(rng) >> 32 < prob_q32;
}

static void gilbert_set(struct wl_chan *chan, const struct wl_chan_cfg *old,
			u64 now_ns)
{
	const struct wl_chan_cfg *cfg = &chan->cfg;

	if (old->kind != WLINK_CHANNEL_GILBERT)
		chan->bad = (cfg->p_q32 || cfg->r_q32) &&
			    gilbert_draw(&chan->state_rng, gilbert_stationary_q32(cfg));
}

static void gilbert_step(struct wl_chan *chan, u64 frames)
{
	const struct wl_chan_cfg *cfg = &chan->cfg;
	u64 bad_q32;

	if (!cfg->p_q32 && !cfg->r_q32)
		return;
	if (frames == 1)
		bad_q32 = chan->bad ? ONE_Q32 - gilbert_q32(cfg->r_q32) : gilbert_q32(cfg->p_q32);
	else
		bad_q32 = gilbert_bad_after_q32(chan, frames);
	chan->bad = gilbert_draw(&chan->state_rng, bad_q32);
}

const struct wl_chan_ops wl_gilbert_ops = {
	.set = gilbert_set,
	.step = gilbert_step,
};
