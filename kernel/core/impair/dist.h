/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_DIST_H
#define _WL_DIST_H

#include "../config/cfg.h"
#include "../lib/rng.h"

/**
 * struct wl_chain - draws that depend on the one before
 * @z_q32: normal, times 2^32
 * @begun: @z_q32 is valid
 */
struct wl_chain {
	s64 z_q32;
	bool begun;
};

/**
 * wl_dist_quantile_ns() - the value that a probability is below
 * @dist: distribution
 * @cum: probability, times 2^32
 *
 * Return: ns.
 */
u64 wl_dist_quantile_ns(const struct wl_dist *dist, u32 cum);

/**
 * wl_dist_draw_ns() - draw a value
 * @dist: distribution
 * @chain: what went before
 * @rho_q32: correlation with that, times 2^32; 0: none; WLINK_PROB_ONE: always the
 *	same
 * @rng: stream
 *
 * Return: ns.
 */
u64 wl_dist_draw_ns(const struct wl_dist *dist, struct wl_chain *chain, u32 rho_q32,
		    struct wl_rng *rng);

/**
 * wl_dist_check() - judge a distribution
 * @dist: distribution; its points are there
 * @why: filled in when it is refused
 *
 * Return: 0, -ERANGE, or -EINVAL where @why names the point, from 1, in its value.
 */
int wl_dist_check(const struct wl_dist *dist, struct wl_refusal *why);

#endif
