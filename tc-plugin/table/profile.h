/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TABLE_PROFILE_H
#define _WL_TABLE_PROFILE_H

/* A profile: which AQM belongs to which rate. */

#include "presets/known.h"
#include "table/table.h"

#define WL_PROFILE_NONE	"none"

/**
 * struct wl_profile_row - AQM of one rate
 * @rate_bps: from this rate on, up to that of the next row
 * @line: of the file
 * @source: where it is from, the comment behind it
 * @aqm: it
 */
struct wl_profile_row {
	uint64_t rate_bps;
	unsigned int line;
	char source[WL_WHAT_TEXT];
	struct wl_values aqm;
};

/**
 * struct wl_profile - a profile, ready to be sent
 * @name: of it, or of its file
 * @count: rows
 * @row: by growing rate
 */
struct wl_profile {
	char name[WLINK_PROFILE_NAME_MAX + 1];
	size_t count;
	struct wl_profile_row row[WLINK_PROFILE_ROWS_MAX];
};

#endif
