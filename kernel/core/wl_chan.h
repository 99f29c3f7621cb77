/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CHAN_H
#define _WL_CHAN_H

#include "wl_cfg.h"
#include "wl_rng.h"

/**
 * struct wl_chan - a channel and its state
 * @cfg: what it does
 * @state_rng: stream of the state
 * @loss_rng: stream of the fate of each PDU
 * @bad: gilbert: in the bad state
 * @frames: frames sent over it
 * @frames_bad: of these, in the bad state
 */
struct wl_chan {
	struct wl_chan_cfg cfg;
	struct wl_rng state_rng;
	struct wl_rng loss_rng;
	bool bad;
	u64 frames;
	u64 frames_bad;
};

/**
 * wl_chan_seed() - start both streams anew
 * @chan: channel
 * @seed: seed of the link
 */
void wl_chan_seed(struct wl_chan *chan, u64 seed);

/**
 * wl_chan_set() - give the channel its parameters
 * @chan: channel, seeded
 * @cfg: parameters
 *
 * A channel that becomes gilbert starts in a state drawn from the stationary
 * distribution; one that was gilbert already keeps its state.
 */
void wl_chan_set(struct wl_chan *chan, const struct wl_chan_cfg *cfg);

/**
 * wl_chan_step() - let frames pass
 * @chan: channel
 * @frames: how many; the state after them is drawn at once from the n-step
 *	transition probability pi + (s - pi) * (1 - p - r)^n, so that an idle
 *	day costs what one frame does
 */
void wl_chan_step(struct wl_chan *chan, u64 frames);

/**
 * wl_chan_lost() - how many of the next PDUs are lost
 * @chan: channel, stepped to the frame that carries them
 * @pdus: how many are sent
 *
 * Return: number of lost PDUs among them.
 */
u32 wl_chan_lost(struct wl_chan *chan, u32 pdus);

/**
 * wl_chan_certain() - whether the fate of every PDU is known without drawing
 * @chan: channel
 *
 * Return: true where wl_chan_lost() takes the same time for any number of PDUs.
 */
bool wl_chan_certain(const struct wl_chan *chan);

#endif
