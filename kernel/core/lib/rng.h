/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_RNG_H
#define _WL_RNG_H

#include "types.h"

/**
 * enum wl_rng_use - what a stream of random numbers is for
 * @WL_RNG_CHANNEL: state of the channel, forward direction
 * @WL_RNG_LOSS: fate of each PDU given the state, forward direction
 * @WL_RNG_REVERSE_CHANNEL: state of the channel, reverse path
 * @WL_RNG_REVERSE_LOSS: fate of each feedback given the state, reverse path
 * @WL_RNG_AQM: what the AQM draws
 * @WL_RNG_HARQ: fate of each transmission of a transport block
 * @WL_RNG_ACCESS: phases of scheduling requests, on-durations, paging occasions
 * @WL_RNG_USERS: when background users are on
 * @WL_RNG_JITTER: delays of SDUs behind the receiver
 * @WL_RNG_CORRUPT: which SDUs get an error there
 * @WL_RNG_ERRORS: where it is; a stream for each SDU
 * @WL_RNG_DUPLICATE: which SDUs come twice
 *
 * The values enter the seeds: append, never renumber, or old seeds no longer
 * repeat old runs.
 */
enum wl_rng_use {
	WL_RNG_CHANNEL = 1,
	WL_RNG_LOSS = 2,
	WL_RNG_REVERSE_CHANNEL = 3,
	WL_RNG_REVERSE_LOSS = 4,
	WL_RNG_AQM = 5,
	WL_RNG_HARQ = 6,
	WL_RNG_ACCESS = 7,
	WL_RNG_USERS = 8,
	WL_RNG_JITTER = 9,
	WL_RNG_CORRUPT = 10,
	WL_RNG_ERRORS = 11,
	WL_RNG_DUPLICATE = 12,
};

/**
 * struct wl_rng - one seeded stream (SplitMix64; Steele, Lea, Flood 2014)
 * @state: the whole state; equal states give equal streams for ever
 */
struct wl_rng {
	u64 state;
};

/**
 * wl_rng_seed() - start the stream of one use on one bearer
 * @rng: stream
 * @seed: seed of the link
 * @use: what it is for; streams of different uses are independent, so a new
 *	use never shifts the numbers of an old one
 * @bearer: number of the bearer, 0 for the link itself
 */
void wl_rng_seed(struct wl_rng *rng, u64 seed, enum wl_rng_use use, u32 bearer);

/**
 * wl_rng_next() - next 64 random bits
 * @rng: stream
 *
 * Return: a number uniform in 0..2^64-1.
 */
u64 wl_rng_next(struct wl_rng *rng);

/**
 * wl_rng_chance() - true with a given probability
 * @rng: stream
 * @prob_q32: probability times 2^32; WLINK_PROB_ONE stands for 1
 *
 * A certain answer (0 or WLINK_PROB_ONE) draws nothing from the stream, so
 * that callers may skip the call where the answer is certain.
 *
 * Return: whether it happened.
 */
bool wl_rng_chance(struct wl_rng *rng, u32 prob_q32);

#endif
