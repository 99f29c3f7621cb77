/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_EXP_H
#define _WL_EXP_H

#include "wl_internal.h"

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

#endif
