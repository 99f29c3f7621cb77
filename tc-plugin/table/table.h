/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TABLE_H
#define _WL_TABLE_H

/*
 * The words of wlink: one table says for each keyword which attribute carries
 * it, in which unit it is typed, what it may be and what it is called in JSON.
 * The tc plugin and wlinkctl parse, send, read and print by this table alone.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <linux/pkt_sch_wlink.h>

#include "numbers/num.h"

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))
#endif

/**
 * enum wl_word - every parameter of a bearer, in the order it is shown
 *
 * Both channels have the same members in the same order. FER and FDT are typed
 * only: the kernel gets what they come to. AT and COOKIE are of a message, and
 * the kernel never tells them; of a profile and of a jitter's table the name is in
 * struct wl_values.
 */
enum wl_word {
#define WL_WORD(word, ...)		WL_##word,
#define WL_BACK(word, ...)		WL_##word,
#define WL_ALONE(word, ...)		WL_##word,
#define WL_TYPED(word, ...)		WL_##word,
#include <wlink/words.h>
	WL_WORDS,
};

/**
 * struct wl_row - one parameter
 * @keyword: as typed
 * @nest: attribute it is nested in, 0 for none
 * @inner: attribute in @nest it is nested in, 0 for none
 * @attr: its attribute, 0 for none
 * @size: bytes of the attribute's payload, 4 or 8
 * @unit: how it is written
 * @min: least allowed value
 * @max: greatest allowed value
 * @json: key in JSON
 * @names: WL_UNIT_NAME and WL_UNIT_SWITCH: its values, up to NULL
 * @other: a word that may stand for the number, or NULL
 * @other_value: what that word means
 * @owner: the word that decides whether this one says anything: a channel, the
 *	mode or the AQM
 * @kinds: bit mask of the values of @owner for which it does, 0 for all
 * @needed: a new kind cannot do without
 * @of_link: of the link: a class other than 1:1 has none
 * @untyped: it is sent and read, but follows from others
 */
struct wl_row {
	const char *keyword;
	uint16_t nest;
	uint16_t inner;
	uint16_t attr;
	uint8_t size;
	enum wl_unit unit;
	uint64_t min;
	uint64_t max;
	const char *json;
	const char *const *names;
	const char *other;
	uint64_t other_value;
	enum wl_word owner;
	uint32_t kinds;
	bool needed;
	bool of_link;
	bool untyped;
};

extern const struct wl_row wl_rows[WL_WORDS];

/**
 * wl_row_name() - name of one of a row's values
 * @row: of WL_UNIT_NAME or WL_UNIT_SWITCH
 * @value: which
 *
 * Return: the name, or "unknown".
 */
const char *wl_row_name(const struct wl_row *row, uint64_t value);

struct wl_points;
struct wl_profile;

/**
 * struct wl_values - some or all parameters of a bearer
 * @set: which are given
 * @value: what they are
 * @profile: WL_PROFILE: its name, empty for none
 * @rows: what is to be sent of the profile, NULL where there is nothing
 * @table: WL_JITTER_TABLE: its name, empty for none
 * @points: what is to be sent of the jitter's distribution, NULL where there is nothing
 *
 * Of two copies only one may go to wl_values_free().
 */
struct wl_values {
	bool set[WL_WORDS];
	uint64_t value[WL_WORDS];
	char profile[WLINK_PROFILE_NAME_MAX + 1];
	struct wl_profile *rows;
	char table[WLINK_JITTER_NAME_MAX + 1];
	struct wl_points *points;
};

#define WL_ERROR_TEXT	800

#endif
