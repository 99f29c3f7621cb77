/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_VALUE_H
#define _WL_VALUE_H

/* One value as it is typed, and what is said when it is no good. */

#include "table/table.h"

/* A kind of channel that is typed only. */
#define WL_RAYLEIGH	"rayleigh"

/**
 * wl_refuse() - write what is wrong
 * @error: result, at least WL_ERROR_TEXT bytes
 * @format: as printf() has it
 *
 * Return: -1.
 */
int wl_refuse(char *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * wl_utf8_bytes() - measure a character
 * @at: where it begins
 *
 * Return: its bytes, 0 if it is no UTF-8.
 */
int wl_utf8_bytes(const char *at);

/**
 * wl_value_parse() - read the value of a row
 * @row: of an attribute or typed only, but not that of the profile
 * @text: what was typed
 * @value: result
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_value_parse(const struct wl_row *row, const char *text, uint64_t *value,
		   char *error);

/**
 * wl_row_is_channel() - is a row a kind of channel, either way?
 * @row: of wl_rows
 */
static inline bool wl_row_is_channel(const struct wl_row *row)
{
	return row == &wl_rows[WL_CHANNEL] || row == &wl_rows[WL_REV_CHANNEL];
}

#endif
