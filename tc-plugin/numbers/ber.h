/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_BER_H
#define _WL_BER_H

/*
 * Bit error rates as they are typed, and the hazards that the kernel gets:
 * -ln(1 - BER) * 2^56.
 */

#include "numbers/num.h"

/**
 * wl_ber_parse() - read a bit error rate
 * @text: what was typed: 0..1, with an exponent (1e-6) or in percent
 * @hazard: result, untouched on error
 *
 * Return: WL_NUM_OK, or the reason of a refusal.
 */
enum wl_num_error wl_ber_parse(const char *text, uint64_t *hazard);

/**
 * wl_ber_print() - write the bit error rate of a hazard
 * @hazard: as the kernel has it
 * @text: result, at least WL_NUM_TEXT bytes
 *
 * The shortest text that wl_ber_parse() reads as the same hazard, or the nearest
 * there is where no double comes to it.
 *
 * Return: @text.
 */
const char *wl_ber_print(uint64_t hazard, char *text);

#endif
