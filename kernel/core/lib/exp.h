/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_EXP_H
#define _WL_EXP_H

#include "types.h"

/**
 * wl_exp_q56() - a number of mean 1 that is exponentially distributed
 * @bits: 64 uniform random bits
 *
 * -ln(@bits / 2^64), with 0 taken for 1. The error is below 1e-11, and next to
 * 0 below 2^-55, so that a test against a tiny hazard is true as often as it
 * should be.
 *
 * Return: the number times 2^56; it is below 45.
 */
u64 wl_exp_q56(u64 bits);

/**
 * wl_power() - a fraction to the power of a whole number
 * @base: times 2^@fraction_bits, at most 1
 * @n: power
 * @fraction_bits: at most 63
 *
 * Return: times 2^@fraction_bits.
 */
u64 wl_power(u64 base, u64 n, u32 fraction_bits);

#endif
