/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PROFILES_H
#define _WL_PROFILES_H

/*
 * Profiles: which AQM belongs to which rate. Known ones are from the literature;
 * others are read from text files with a line "RATE AQM-WORDS" for each rate, by
 * growing rate, for instance "384kbit sbd minth 20 tr 200ms".
 */

#include "wl_words.h"

#define WL_PROFILE_NONE	"none"

/* Longest line and longest file that are read. */
#define WL_PROFILE_LINE		1000U
#define WL_PROFILE_FILE		262144U

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

/**
 * wl_profile_load() - read a known profile or a file
 * @name: known name; else with a '/' in it, or existing, a file
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes; about a line
 *	of a file it begins with "FILE:LINE: "
 *
 * Return: the profile, to be freed with free(), or NULL with @error set.
 */
struct wl_profile *wl_profile_load(const char *name, char *error);

/**
 * wl_profile_line() - add a line to a profile
 * @profile: profile
 * @line: its number, from 1 on
 * @text: line without its newline; comments and empty lines add nothing; it is
 *	taken apart
 * @error: on error a plain sentence without file and number
 *
 * Return: 0, or -1 with @error set.
 */
int wl_profile_line(struct wl_profile *profile, unsigned int line, char *text,
		    char *error);

#endif
