/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NUM_H
#define _WL_NUM_H

/*
 * Exact conversion between what a person types ("1.5mbit", "10ms", "0.1%") and
 * the integers that travel over netlink. No floating point anywhere: a number
 * that does not come out whole is refused, not rounded. Probabilities are rounded
 * once, to the nearest multiple of 2^-32, and bit error rates (numbers/ber.h) are the
 * one kind that knows floating point.
 */

#include <stdint.h>

/**
 * enum wl_unit - how a number is written
 * @WL_UNIT_COUNT: bare integer, decimal or 0x hexadecimal
 * @WL_UNIT_RATE: bit/s, bare or with bit kbit mbit gbit bps kbps mbps gbps
 * @WL_UNIT_TIME: ns, with ns us ms s; only 0 may stand bare
 * @WL_UNIT_BYTES: bytes, bare or with b kb mb kib mib; printed bare
 * @WL_UNIT_SIZE: the same, but the unit is required and printed
 * @WL_UNIT_PROB: 0..1 or percent, as p * 2^32
 * @WL_UNIT_PERCENT: whole percent, bare or with %
 * @WL_UNIT_MILLI: a number with up to three decimals, in 1/1000
 * @WL_UNIT_NANO: the same with up to nine decimals
 * @WL_UNIT_BER: bit error rate 0..1 such as 1e-6, as -ln(1 - BER) * 2^56
 * @WL_UNIT_SLOTS: letters D, S and U, as two bits each: enum wlink_slot, the first one
 *	lowest
 * @WL_UNIT_NAME: one of a row's names, no number
 * @WL_UNIT_SWITCH: off or on, no number
 * @WL_UNIT_AMOUNT: SDUs as WL_UNIT_COUNT or bytes as WL_UNIT_SIZE; which, is told
 *	elsewhere
 */
enum wl_unit {
	WL_UNIT_COUNT,
	WL_UNIT_RATE,
	WL_UNIT_TIME,
	WL_UNIT_BYTES,
	WL_UNIT_SIZE,
	WL_UNIT_PROB,
	WL_UNIT_PERCENT,
	WL_UNIT_MILLI,
	WL_UNIT_NANO,
	WL_UNIT_BER,
	WL_UNIT_SLOTS,
	WL_UNIT_NAME,
	WL_UNIT_SWITCH,
	WL_UNIT_AMOUNT,
};

/**
 * enum wl_num_error - why a text is not a number of its unit
 * @WL_NUM_OK: it is one
 * @WL_NUM_SYNTAX: it does not read as a number
 * @WL_NUM_NO_UNIT: the unit is missing
 * @WL_NUM_BAD_UNIT: the unit is unknown
 * @WL_NUM_NOT_WHOLE: it is a fraction of the smallest unit
 * @WL_NUM_RANGE: it is negative, or past what 64 bits or a probability hold
 */
enum wl_num_error {
	WL_NUM_OK,
	WL_NUM_SYNTAX,
	WL_NUM_NO_UNIT,
	WL_NUM_BAD_UNIT,
	WL_NUM_NOT_WHOLE,
	WL_NUM_RANGE,
};

/* Room for any text of wl_num_print(): two runs of 20 digits and a unit. */
#define WL_NUM_TEXT	48

/**
 * wl_num_parse() - read a number
 * @unit: its unit, not WL_UNIT_NAME, WL_UNIT_SWITCH or WL_UNIT_AMOUNT
 * @text: what was typed
 * @value: result, untouched on error
 *
 * Return: WL_NUM_OK, or the reason of a refusal.
 */
enum wl_num_error wl_num_parse(enum wl_unit unit, const char *text,
			       uint64_t *value);

/**
 * wl_num_print() - write a number so that wl_num_parse() reads the same value
 * @unit: its unit
 * @value: number
 * @text: result, at least WL_NUM_TEXT bytes
 *
 * Return: @text.
 */
const char *wl_num_print(enum wl_unit unit, uint64_t value, char *text);

/**
 * wl_num_is_time() - does a text carry a unit of time?
 * @text: what was typed
 */
int wl_num_is_time(const char *text);

/**
 * wl_num_is_bare() - does a text carry no unit at all?
 * @text: what was typed
 */
int wl_num_is_bare(const char *text);

/**
 * wl_num_units() - the units a person may type, for messages
 * @unit: kind of number
 */
const char *wl_num_units(enum wl_unit unit);

/**
 * wl_num_smallest() - name of the smallest unit, for messages
 * @unit: kind of number
 */
const char *wl_num_smallest(enum wl_unit unit);

#endif
