// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
#include "rng.h"

static u64 rng_mix(u64 z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

u64 wl_rng_next(struct wl_rng *rng)
{
	rng->state += 0x9e3779b97f4a7c15ULL;
	return rng_mix(rng->state);
}

void wl_rng_seed(struct wl_rng *rng, u64 seed, enum wl_rng_use use, u32 bearer)
{
	/* Two rounds: neighbouring seeds, uses and bearers must not give
	 * states a small number of steps apart.
	 */
	rng->state = rng_mix(rng_mix(seed) + ((u64)use << 32 | bearer));
}

bool wl_rng_chance(struct wl_rng *rng, u32 prob_q32)
{
	if (!prob_q32)
		return false;
	if (prob_q32 == WLINK_PROB_ONE)
		return true;
	return (u32)(wl_rng_next(rng) >> 32) < prob_q32;
}
