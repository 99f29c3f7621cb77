/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_RAYLEIGH_H
#define _WL_RAYLEIGH_H

/*
 * What the kernel cannot compute of a channel: it has no floating point, so it
 * gets transition probabilities and hazards ready for use.
 */

#include <stdint.h>

/**
 * wl_rayleigh() - two-state chain of frame errors on a Rayleigh fading channel
 * @fer: mean frame error rate, 1e-9..0.999
 * @fdt: Doppler frequency times the duration of a frame, 1e-9..100
 * @p_q32: result: probability from good to bad times 2^32
 * @r_q32: result: probability from bad to good times 2^32
 *
 * A frame is bad iff the power of the fading is below a margin that gives @fer,
 * and the power of neighbouring frames has the correlation J0(2 pi @fdt)^2
 * (Chockalingam and Zorzi). The chain has exactly the probability of any pair
 * of neighbouring frames; only rounding to 2^-32 is lost, which matters where a
 * result is a few units. Neither result reaches WLINK_PROB_ONE.
 *
 * Return: 0, or -1 for an argument out of range or a result that rounds to 0; the
 * results are then untouched.
 */
int wl_rayleigh(double fer, double fdt, uint32_t *p_q32, uint32_t *r_q32);

/**
 * wl_hazard_from_ber() - hazard of a bit error rate
 * @ber: 0..1
 *
 * Return: -ln(1 - @ber) * 2^56 rounded, at most WLINK_HAZARD_MAX.
 */
uint64_t wl_hazard_from_ber(double ber);

/**
 * wl_hazard_to_ber() - bit error rate of a hazard
 * @hazard_q56: as the kernel has it
 *
 * Return: 1 - exp(-@hazard_q56 / 2^56).
 */
double wl_hazard_to_ber(uint64_t hazard_q56);

#endif
