// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The channel of kind twostate: sojourns of exponential length in continuous
 * time, which go on whether or not anything is sent.
 */
#include "../lib/exp.h"
#include "channel.h"

/* Mean cycles of good and bad that are walked through at most. */
#define CYCLES_MAX	1000

static u64 twostate_cycle_ns(const struct wl_chan_cfg *cfg)
{
	return cfg->mean_good_ns + cfg->mean_bad_ns;
}

/* Memoryless: right for what is left of a sojourn as for a whole one. */
static void twostate_stay(struct wl_chan *chan, u64 from_ns)
{
	u64 mean_ns = chan->bad ? chan->cfg.mean_bad_ns :
				  chan->cfg.mean_good_ns;
	u64 exp_q56 = wl_exp_q56(wl_rng_next(&chan->state_rng));

	chan->turns++;
	chan->turn_ns = from_ns +
			max(mul_u64_u64_shr(mean_ns, exp_q56, 56), 1ULL);
}

static void twostate_begin(struct wl_chan *chan, u64 from_ns)
{
	u64 draw = wl_rng_next(&chan->state_rng);

	chan->bad = mul_u64_u64_shr(draw, twostate_cycle_ns(&chan->cfg), 64) <
		    chan->cfg.mean_bad_ns;
	chan->at_ns = from_ns;
	twostate_stay(chan, from_ns);
}

static void twostate_set(struct wl_chan *chan, const struct wl_chan_cfg *old,
			 u64 now_ns)
{
	bool same = chan->cfg.mean_good_ns == old->mean_good_ns &&
		    chan->cfg.mean_bad_ns == old->mean_bad_ns;

	if (old->kind != WLINK_CHANNEL_TWOSTATE)
		twostate_begin(chan, now_ns);
	else if (!same)
		/* What was looked ahead at has been used and stays. */
		twostate_stay(chan, max(now_ns, chan->at_ns));
}

static void twostate_know_until(struct wl_chan *chan, u64 to_ns)
{
	if (chan->bad)
		chan->bad_ns += to_ns - chan->at_ns;
	chan->at_ns = to_ns;
}

/* So many cycles on, the state does not depend on that of today. Whole cycles,
 * because their expected time in bad needs no rounding.
 */
static void twostate_skip(struct wl_chan *chan, u64 cycles)
{
	u64 from_ns = chan->turn_ns + cycles * twostate_cycle_ns(&chan->cfg);

	twostate_know_until(chan, chan->turn_ns);
	chan->bad_ns += cycles * chan->cfg.mean_bad_ns;
	twostate_begin(chan, from_ns);
}

static void twostate_walk(struct wl_chan *chan, u64 at_ns)
{
	u64 cycles;

	if (at_ns > chan->turn_ns) {
		cycles = div64_u64(at_ns - chan->turn_ns,
				   twostate_cycle_ns(&chan->cfg));
		if (cycles > CYCLES_MAX)
			twostate_skip(chan, cycles - CYCLES_MAX);
	}
	while (chan->turn_ns < at_ns) {
		twostate_know_until(chan, chan->turn_ns);
		chan->bad = !chan->bad;
		twostate_stay(chan, chan->turn_ns);
	}
	twostate_know_until(chan, at_ns);
}

/* In 2^-32; of a long span only the upper 32 bits count. */
static u64 twostate_share_q32(u64 part_ns, u64 span_ns)
{
	unsigned int shift;

	if (!span_ns)
		return 0;
	shift = max(ilog2(span_ns), 31) - 31;
	return div64_u64(part_ns >> shift << 32, span_ns >> shift);
}

u32 wl_chan_errors(struct wl_chan *chan, u64 bits, u64 bad_ns, u64 span_ns, u32 most)
{
	u64 bad_q32 = twostate_share_q32(bad_ns, span_ns);
	u64 good_q32 = (1ULL << 32) - bad_q32;
	u64 per_bit_q56, next_q56;
	u32 count;

	per_bit_q56 = mul_u64_u64_shr(chan->cfg.hazard_good_q56, good_q32, 32) +
		      mul_u64_u64_shr(chan->cfg.hazard_bad_q56, bad_q32, 32);
	if (!bits || !per_bit_q56)
		return 0;
	/* Up to the next one it is exponential: x < bits * per_bit, which might not fit. */
	for (count = 0; count < most; count++) {
		next_q56 = div64_u64(wl_exp_q56(wl_rng_next(&chan->loss_rng)), bits);
		if (next_q56 >= per_bit_q56)
			break;
		per_bit_q56 -= next_q56;
	}
	return count;
}

bool wl_chan_hit(struct wl_chan *chan, u64 bits, u64 bad_ns, u64 span_ns)
{
	return wl_chan_errors(chan, bits, bad_ns, span_ns, 1);
}

static int twostate_check(const struct wl_chan_cfg *cfg, bool back,
			  struct wl_refusal *why)
{
	const struct wl_refusal bounds[] = {
		{ back ? "rev_channel mean_good" : "channel mean_good", "ns",
		  cfg->mean_good_ns, WLINK_SOJOURN_MIN, WLINK_SOJOURN_MAX },
		{ back ? "rev_channel mean_bad" : "channel mean_bad", "ns",
		  cfg->mean_bad_ns, WLINK_SOJOURN_MIN, WLINK_SOJOURN_MAX },
	};

	return wl_within(why, bounds, ARRAY_SIZE(bounds));
}

const struct wl_chan_ops wl_twostate_ops = {
	.set = twostate_set,
	.walk = twostate_walk,
	.check = twostate_check,
};
