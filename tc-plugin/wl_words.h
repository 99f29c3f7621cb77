/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_WORDS_H
#define _WL_WORDS_H

/*
 * The words of wlink: one table says for each keyword which attribute carries
 * it, in which unit it is typed, what it may be and what it is called in JSON.
 * The tc plugin and wlinkctl parse, send, read and print by this table alone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/pkt_sch_wlink.h>

#include "wl_num.h"

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

/**
 * enum wl_word - every parameter of a link, in the order it is shown
 */
enum wl_word {
	WL_RATE,
	WL_TTI,
	WL_DELAY,
	WL_PDU,
	WL_HEADER,
	WL_LIMIT_PACKETS,
	WL_LIMIT_BYTES,
	WL_LIMIT_TIME,
	WL_SEED,
	WL_CHANNEL,
	WL_LOSS,
	WL_P,
	WL_R,
	WL_LOSS_GOOD,
	WL_LOSS_BAD,
	WL_WORDS,
};

/**
 * struct wl_row - one parameter
 * @keyword: as typed
 * @nest: attribute it is nested in, 0 for none
 * @attr: its attribute
 * @size: bytes of the attribute's payload, 4 or 8
 * @unit: how it is written
 * @min: least allowed value
 * @max: greatest allowed value
 * @json: key in JSON
 * @kinds: bit mask of the channels it is a member of, 0 for no member
 */
struct wl_row {
	const char *keyword;
	uint16_t nest;
	uint16_t attr;
	uint8_t size;
	enum wl_unit unit;
	uint64_t min;
	uint64_t max;
	const char *json;
	uint32_t kinds;
};

extern const struct wl_row wl_rows[WL_WORDS];

/* Names of enum wlink_channel. */
extern const char *const wl_channels[__WLINK_CHANNEL_MAX];

/**
 * struct wl_values - some or all parameters of a link
 * @set: which are given
 * @value: what they are
 */
struct wl_values {
	bool set[WL_WORDS];
	uint64_t value[WL_WORDS];
};

#define WL_ERROR_TEXT	320

/**
 * wl_words_parse() - read keywords and values
 * @values: result
 * @argc: number of words
 * @argv: words
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_words_parse(struct wl_values *values, int argc,
		   const char *const *argv, char *error);

/**
 * wl_words_usage() - the grammar of the words, for help texts
 */
const char *wl_words_usage(void);

#endif
