/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_CHAN_H
#define _WL_CHAN_H

#include "../config/cfg.h"
#include "../lib/rng.h"

/**
 * struct wl_chan - a channel and its state
 * @cfg: what it does; never of kind link
 * @state_rng: stream of the state
 * @loss_rng: stream of the fate of each PDU
 * @bad: gilbert, twostate: in the bad state
 * @turn_ns: twostate: end of the sojourn that @at_ns lies in
 * @at_ns: twostate: time up to which the path is known
 * @bad_ns: twostate: time in the bad state up to @at_ns
 * @turns: twostate: sojourns that have been drawn
 * @frames: frames sent over it
 * @frames_bad: of these, in the bad state
 */
struct wl_chan {
	struct wl_chan_cfg cfg;
	struct wl_rng state_rng;
	struct wl_rng loss_rng;
	bool bad;
	u64 turn_ns;
	u64 at_ns;
	u64 bad_ns;
	u64 turns;
	u64 frames;
	u64 frames_bad;
};

/**
 * struct wl_chan_ops - a kind of channel; NULL members are allowed
 * @set: chan->cfg has changed from @old, maybe from another kind; not there: it is
 *	never bad
 * @step: by frames: so many frames pass, one at least
 * @walk: in continuous time: bring the path to a time after chan->at_ns
 * @check: judge the parameters, of the reverse path where @back; 0, or -ERANGE with
 *	@why set
 */
struct wl_chan_ops {
	void (*set)(struct wl_chan *chan, const struct wl_chan_cfg *old,
		    u64 now_ns);
	void (*step)(struct wl_chan *chan, u64 frames);
	void (*walk)(struct wl_chan *chan, u64 at_ns);
	int (*check)(const struct wl_chan_cfg *cfg, bool back,
		     struct wl_refusal *why);
};

extern const struct wl_chan_ops wl_gilbert_ops;
extern const struct wl_chan_ops wl_twostate_ops;

/**
 * wl_chan_check() - judge a channel
 * @cfg: its parameters
 * @back: of the reverse path
 * @why: filled in when they are refused
 *
 * Return: 0, or -ERANGE with @why set.
 */
int wl_chan_check(const struct wl_chan_cfg *cfg, bool back,
		  struct wl_refusal *why);

/**
 * wl_chan_seed() - start both streams anew
 * @chan: channel
 * @seed: seed of the link
 * @state: use of the stream of the state
 * @loss: use of the stream of fates
 * @bearer: number of the bearer, 0 for the channel of the link
 */
void wl_chan_seed(struct wl_chan *chan, u64 seed, enum wl_rng_use state,
		  enum wl_rng_use loss, u32 bearer);

/**
 * wl_chan_set() - give the channel its parameters
 * @chan: channel, seeded
 * @cfg: parameters, not of kind link
 * @now_ns: when; a twostate path begins here
 *
 * A channel that becomes gilbert or twostate starts in a state drawn from the
 * stationary distribution; one that was of that kind already keeps its state,
 * and twostate draws what is left of its sojourn anew if the means differ.
 */
void wl_chan_set(struct wl_chan *chan, const struct wl_chan_cfg *cfg,
		 u64 now_ns);

/**
 * wl_chan_step() - let frames pass
 * @chan: channel
 * @frames: how many; the state after them is drawn at once from the n-step
 *	transition probability pi + (s - pi) * (1 - p - r)^n, so that an idle
 *	day costs what one frame does
 *
 * Does nothing but for gilbert.
 */
void wl_chan_step(struct wl_chan *chan, u64 frames);

/**
 * wl_chan_lost() - how many of the next PDUs are lost
 * @chan: channel, stepped to the frame that carries them; not twostate
 * @pdus: how many are sent
 *
 * Return: number of lost PDUs among them.
 */
u32 wl_chan_lost(struct wl_chan *chan, u32 pdus);

/**
 * wl_chan_certain() - whether the fate of every PDU is known without drawing
 * @chan: channel
 *
 * Return: true where wl_chan_lost() takes the same time for any number of PDUs;
 * false for twostate.
 */
bool wl_chan_certain(const struct wl_chan *chan);

/**
 * wl_chan_bad_until_ns() - twostate: time spent in the bad state so far
 * @chan: channel
 * @at_ns: until when, not before any earlier call; may lie in the future, since
 *	nothing but wl_chan_set() changes the path
 *
 * Calls for times in between change nothing, unless more than 1000 mean cycles
 * of both states pass from one call to the next: all but the last 1000 then
 * count with their expected time in the bad state, and the state after them is
 * drawn from the stationary distribution, so that an idle day costs a bounded
 * number of sojourns. Take the mark of a PDU after, not before, a span in which
 * nothing was sent.
 *
 * Return: ns in the bad state, to be subtracted from a later value; stands
 * still for other kinds.
 */
u64 wl_chan_bad_until_ns(struct wl_chan *chan, u64 at_ns);

/**
 * wl_chan_hit() - twostate: whether a PDU is lost
 * @chan: channel
 * @bits: of the PDU, spread evenly over @span_ns
 * @bad_ns: part of @span_ns in the bad state
 * @span_ns: from its first to its last bit, 0 taken for good
 *
 * Lost with probability 1 - exp(-hazard), the hazard being the sum over both
 * states of bits there times hazard per bit: the bit error rate integrated over
 * the frame, exactly.
 *
 * Return: whether it is.
 */
bool wl_chan_hit(struct wl_chan *chan, u64 bits, u64 bad_ns, u64 span_ns);

/**
 * wl_chan_errors() - twostate: how many bits of a PDU are wrong
 * @chan: channel
 * @bits: as for wl_chan_hit()
 * @bad_ns: the same
 * @span_ns: the same
 * @most: where to stop counting, at least 1
 *
 * Poisson with the hazard as its mean, which is what independent bits come to while few
 * of them are wrong. With a @most of 1 it is wl_chan_hit().
 *
 * Return: how many, at most @most.
 */
u32 wl_chan_errors(struct wl_chan *chan, u64 bits, u64 bad_ns, u64 span_ns, u32 most);

#endif
