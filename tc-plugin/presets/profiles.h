/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PROFILES_H
#define _WL_PROFILES_H

/* Profiles: which AQM belongs to which rate; known ones are from the literature. */

#include "table/table.h"

#define WL_PROFILE_NONE	"none"

/**
 * struct wl_profile_row - AQM of one rate
 * @rate_bps: from this rate on, up to that of the next row
 * @line: of the file
 * @aqm: it
 */
struct wl_profile_row {
	uint64_t rate_bps;
	unsigned int line;
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

/**
 * struct wl_known_row - one row of a known profile
 * @text: as in a file
 * @source: where it is from
 */
struct wl_known_row {
	const char *text;
	const char *source;
};

/**
 * struct wl_known_profile - one known profile
 * @name: as typed
 * @what: what it is, for lists
 * @rows: its rows, up to one without a text
 */
struct wl_known_profile {
	const char *name;
	const char *what;
	const struct wl_known_row *rows;
};

extern const struct wl_known_profile wl_profiles[];
extern const size_t wl_profiles_count;

/**
 * wl_profile_find() - look up a known profile
 * @name: as typed
 *
 * Return: the profile, or NULL.
 */
const struct wl_known_profile *wl_profile_find(const char *name);

/**
 * wl_profile_clean() - make a name fit for a terminal and for JSON
 * @name: what the kernel tells, of a file that somebody else has named; what is
 *	neither ASCII nor UTF-8, or is a control character, becomes a question mark
 */
void wl_profile_clean(char *name);

#endif
