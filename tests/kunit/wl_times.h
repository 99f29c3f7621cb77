/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TIMES_H
#define _WL_TIMES_H

/*
 * The channel of two states in numbers, shared by the KUnit module and the unit
 * tests in user space. They come from the formulas with 50 digits, and the unit
 * tests hold them against the C library's logarithm.
 */
#include "wl_case.h"
#include "core/lib/exp.h"

/* Of wl_exp_q56(), in 2^-56: 1e-11. */
#define WL_EXP_SLACK	720576

/**
 * struct wl_exp_row - one value of wl_exp_q56()
 * @bits: argument
 * @exp_q56: -ln(@bits / 2^64) * 2^56
 */
struct wl_exp_row {
	u64 bits;
	u64 exp_q56;
};

static const struct wl_exp_row wl_exp_rows[] = {
	{ 0x0000000000000001ULL, 3196577161300663915ULL },
	{ 0x0000000000000002ULL, 3146630643155341041ULL },
	{ 0x00000000deadbeefULL, 1608336835101440897ULL },
	{ 0x0000000080000000ULL, 1648235098795654831ULL },
	{ 0x0000000100000001ULL, 1598288580633554741ULL },
	{ 0x123456789abcdef0ULL, 190485091469412827ULL },
	{ 0x7fffffffffffffffULL, 49946518145322874ULL },
	{ 0x8000000000000000ULL, 49946518145322874ULL },
	{ 0x8000000000000001ULL, 49946518145322874ULL },
	{ 0xfedcba9876543210ULL, 320969769178347ULL },
	{ 0xffffffff00000000ULL, 16777216ULL },
	{ 0xffffffffffefffffULL, 4096ULL },
	{ 0xfffffffffffffffeULL, 0ULL },
};

/* Sojourns until wl_walk_row.end_ns. */
#define WL_WALK_SOJOURNS	200

/**
 * struct wl_walk_row - a path of twostate from time 0
 * @state: of its random numbers
 * @mean_good_ns: mean stay
 * @mean_bad_ns: the same
 * @bad: whether it starts in bad
 * @turn_ns: end of the first sojourn
 * @end_ns: end of the last one
 * @bad_ns: time in bad until then
 */
struct wl_walk_row {
	u64 state;
	u64 mean_good_ns;
	u64 mean_bad_ns;
	bool bad;
	u64 turn_ns;
	u64 end_ns;
	u64 bad_ns;
};

static const struct wl_walk_row wl_walk_rows[] = {
	{ 1, 10000000000ULL, 1000000000ULL, false, 2933222721ULL,
	  1141133150220ULL, 103881908486ULL },
	{ 2, 10000000000ULL, 100000000ULL, false, 2888164704ULL,
	  930258774355ULL, 10969863964ULL },
	{ 3, 1000000000ULL, 1000000000ULL, true, 356255726ULL, 196645771760ULL,
	  96711918985ULL },
	{ 5, 1000000ULL, 3000000ULL, true, 853832ULL, 427274213ULL,
	  340711537ULL },
	{ 7, 3600000000000ULL, 1000000000ULL, false, 14713464202903ULL,
	  334293266493699ULL, 89865856202ULL },
	{ 11, 1000000000ULL, 600000000000ULL, true, 802810821883ULL,
	  48850511876328ULL, 48754973366346ULL },
};

/* A ns for cutting it off and 1e-11 of the mean for each sojourn. */
static inline u64 wl_walk_slack_ns(const struct wl_walk_row *row, u32 sojourns)
{
	u64 both_ns = row->mean_good_ns + row->mean_bad_ns;

	return sojourns * (1 + div64_u64(both_ns, 100000000000ULL));
}

static inline void wl_walk_begin(struct wl_chan *chan, const struct wl_walk_row *row)
{
	struct wl_chan_cfg cfg = {
		.kind = WLINK_CHANNEL_TWOSTATE,
		.mean_good_ns = row->mean_good_ns,
		.mean_bad_ns = row->mean_bad_ns,
	};

	memset(chan, 0, sizeof(*chan));
	chan->state_rng.state = row->state;
	wl_chan_set(chan, &cfg, 0);
}

/* chan->turn_ns is the end of the last sojourn then. */
static inline void wl_walk(struct wl_chan *chan)
{
	u32 i;

	for (i = 1; i < WL_WALK_SOJOURNS; i++)
		wl_chan_bad_until_ns(chan, chan->turn_ns + 1);
}

/**
 * struct wl_hit_row - how large a PDU must be for a draw to hit it
 * @state: of the random number
 * @bad_ns: time in bad
 * @span_ns: from its first to its last bit
 * @hazard_good_q56: per bit in good
 * @hazard_bad_q56: per bit in bad
 * @miss_bits: it comes through, by 1e-6 or less than a bit
 * @hit_bits: it does not, by as little
 */
struct wl_hit_row {
	u64 state;
	u64 bad_ns;
	u64 span_ns;
	u64 hazard_good_q56;
	u64 hazard_bad_q56;
	u64 miss_bits;
	u64 hit_bits;
};

static const struct wl_hit_row wl_hit_rows[] = {
	{ 1, 333333333ULL, 1000000000ULL, 72057594ULL, 7205759403792ULL,
	  17044ULL, 17045ULL },
	{ 2, 0ULL, 1000000000ULL, 7205759403ULL, 720575940379279ULL, 5256177ULL,
	  5256188ULL },
	{ 3, 1000000000ULL, 1000000000ULL, 0ULL, 7205759403ULL, 21763878ULL,
	  21763923ULL },
	{ 5, 31250ULL, 31250000ULL, 720575940ULL, 720575940379ULL, 47520219ULL,
	  47520315ULL },
	{ 7, 100000000000000ULL, 600000000000000ULL, 72057594ULL, 720575940ULL,
	  376817694ULL, 376818449ULL },
	{ 9, 1ULL, 3ULL, 72057594037ULL, 72057594037927ULL, 1144ULL, 1145ULL },
};

static inline bool wl_hit(const struct wl_hit_row *row, u64 bits)
{
	struct wl_chan chan = { .loss_rng.state = row->state };

	chan.cfg.hazard_good_q56 = row->hazard_good_q56;
	chan.cfg.hazard_bad_q56 = row->hazard_bad_q56;
	return wl_chan_hit(&chan, bits, row->bad_ns, row->span_ns);
}

#endif
