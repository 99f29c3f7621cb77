/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_RNG_H
#define WLAB_RNG_H

#include <stdint.h>

/*
 * Random numbers of a flow, and those of the kernel. Of a flow: a seed gives the
 * same ones on every machine, so nothing here depends on a library's rounding.
 */
struct rng {
	uint64_t state;
};

/**
 * rng_next() - the next number (SplitMix64: Steele, Lea and Flood, "Fast
 * splittable pseudorandom number generators", OOPSLA 2014)
 * @rng: starts with the seed as its state
 *
 * Return: any 64 bits.
 */
uint64_t rng_next(struct rng *rng);

/**
 * rng_unit() - uniform in (0, 1], on a grid of 2^-53
 * @rng: as of rng_next()
 *
 * Return: a number.
 */
double rng_unit(struct rng *rng);

/**
 * rng_exponential() - an exponentially distributed number with a mean of 1
 * @rng: as of rng_next()
 *
 * Return: the number.
 */
double rng_exponential(struct rng *rng);

/**
 * rng_exponential_ns() - an exponentially distributed time
 * @rng: as of rng_next()
 * @mean_ns: its mean
 *
 * Return: ns.
 */
uint64_t rng_exponential_ns(struct rng *rng, uint64_t mean_ns);

/**
 * rng_seed_kernel() - have all random numbers of the guest follow from a seed
 * @seed: gives the same to a run alone and to one of many in a boot
 *
 * The lab kernel has no other source of them; see patches/random.patch.
 *
 * Return: 0, or -1 with errno.
 */
int rng_seed_kernel(uint64_t seed);

#endif
