// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The kinds of channels. Another one is a file with its struct wl_chan_ops, and a
 * line in the table below.
 */
#include "channel.h"

static const struct wl_chan_ops none_ops = { };

static const struct wl_chan_ops *const chan_kinds[] = {
	[WLINK_CHANNEL_NONE] = &none_ops,
	[WLINK_CHANNEL_UNIFORM] = &none_ops,
	[WLINK_CHANNEL_GILBERT] = &wl_gilbert_ops,
	[WLINK_CHANNEL_TWOSTATE] = &wl_twostate_ops,
	/* A channel that is another's has no state of its own. */
	[WLINK_CHANNEL_LINK] = &none_ops,
};

void wl_chan_seed(struct wl_chan *chan, u64 seed, enum wl_rng_use state,
		  enum wl_rng_use loss, u32 bearer)
{
	wl_rng_seed(&chan->state_rng, seed, state, bearer);
	wl_rng_seed(&chan->loss_rng, seed, loss, bearer);
}

void wl_chan_set(struct wl_chan *chan, const struct wl_chan_cfg *cfg,
		 u64 now_ns)
{
	const struct wl_chan_ops *ops = chan_kinds[cfg->kind];
	struct wl_chan_cfg old = chan->cfg;

	/* What has passed goes by the old means. */
	wl_chan_bad_until_ns(chan, now_ns);
	chan->cfg = *cfg;
	if (ops->set)
		ops->set(chan, &old, now_ns);
	else
		chan->bad = false;
}

void wl_chan_step(struct wl_chan *chan, u64 frames)
{
	const struct wl_chan_ops *ops = chan_kinds[chan->cfg.kind];

	if (frames && ops->step)
		ops->step(chan, frames);
}

u64 wl_chan_bad_until_ns(struct wl_chan *chan, u64 at_ns)
{
	const struct wl_chan_ops *ops = chan_kinds[chan->cfg.kind];

	if (ops->walk && at_ns > chan->at_ns)
		ops->walk(chan, at_ns);
	return chan->bad_ns;
}

/* By frames: loss probability of a PDU in the state of now. */
static u32 chan_loss_q32(const struct wl_chan *chan)
{
	switch (chan->cfg.kind) {
	case WLINK_CHANNEL_UNIFORM:
		return chan->cfg.loss_q32;
	case WLINK_CHANNEL_GILBERT:
		return chan->bad ? chan->cfg.loss_bad_q32 : chan->cfg.loss_good_q32;
	default:
		return 0;
	}
}

bool wl_chan_certain(const struct wl_chan *chan)
{
	u32 loss_q32 = chan_loss_q32(chan);

	if (chan_kinds[chan->cfg.kind]->walk)
		return false;
	return !loss_q32 || loss_q32 == WLINK_PROB_ONE;
}

u32 wl_chan_lost(struct wl_chan *chan, u32 pdus)
{
	u32 loss_q32 = chan_loss_q32(chan);
	u32 lost = 0;

	if (!loss_q32)
		return 0;
	if (loss_q32 == WLINK_PROB_ONE)
		return pdus;
	while (pdus--)
		lost += wl_rng_chance(&chan->loss_rng, loss_q32);
	return lost;
}

int wl_chan_check(const struct wl_chan_cfg *cfg, bool back,
		  struct wl_refusal *why)
{
	const struct wl_refusal kind = {
		back ? "rev_channel kind" : "channel kind", "", cfg->kind, 0,
		WLINK_CHANNEL_MAX,
	};
	int err = wl_within(why, &kind, 1);

	if (err || !chan_kinds[cfg->kind]->check)
		return err;
	return chan_kinds[cfg->kind]->check(cfg, back, why);
}
