// SPDX-License-Identifier: GPL-2.0
/* Profiles from text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "presets/known.h"
#include "table/read.h"
#include "table/value.h"
#include "words/profile.h"
#include "words/words.h"

/* Each word of an AQM once, with its value, and room to find too many. */
#define LINE_WORDS	64

static int check_order(const struct wl_profile *profile, uint64_t rate_bps,
		       char *error)
{
	const struct wl_profile_row *last;
	char text[WL_NUM_TEXT];
	size_t i;

	for (i = 0; i < profile->count; i++)
		if (profile->row[i].rate_bps == rate_bps)
			return wl_refuse(error,
					 "rate %s is in line %u already",
					 wl_num_print(WL_UNIT_RATE, rate_bps,
						      text),
					 profile->row[i].line);
	if (!profile->count)
		return 0;
	last = &profile->row[profile->count - 1];
	if (rate_bps > last->rate_bps)
		return 0;
	return wl_refuse(error,
			 "rate %s is below that of line %u; rates must grow",
			 wl_num_print(WL_UNIT_RATE, rate_bps, text),
			 last->line);
}

static int profile_line(void *to, unsigned int line, char *text, char *error)
{
	struct wl_profile *profile = to;
	struct wl_row rate = wl_rows[WL_RATE];
	const char *comment = strchr(text, '#');
	char *words[WL_LINE_WORDS];
	struct wl_profile_row *row = &profile->row[profile->count];
	char source[WL_WHAT_TEXT] = "";
	uint64_t rate_bps;
	int n;

	if (comment)
		wl_known_what(comment, source);
	n = wl_split_line(text, words, '#');
	if (!n)
		return 0;
	if (n < 0 || n > LINE_WORDS)
		return wl_refuse(error, "more than %d words", LINE_WORDS);
	/* Where the rate is unlimited there is no queue to manage. */
	rate.other = NULL;
	if (wl_value_parse(&rate, words[0], &rate_bps, error) ||
	    check_order(profile, rate_bps, error))
		return -1;
	if (n == 1)
		return wl_refuse(error, "rate %.80s has no aqm behind it",
				 words[0]);
	if (profile->count == WLINK_PROFILE_ROWS_MAX)
		return wl_refuse(error, "more than %u rates",
				 WLINK_PROFILE_ROWS_MAX);
	row->rate_bps = rate_bps;
	row->line = line;
	strcpy(row->source, source);
	if (wl_words_aqm(&row->aqm, n - 1, (const char *const *)words + 1, error) ||
	    wl_words_whole(&row->aqm, error))
		return -1;
	profile->count++;
	return 0;
}

static int read_lines(struct wl_profile *profile, char *error)
{
	const char *name = profile->name, *known = wl_known_find(wl_known_profiles, name);
	int lines = wl_read_file("profile", name, known, profile_line, profile, error);

	if (lines < 0 || profile->count)
		return lines < 0 ? -1 : 0;
	return wl_refuse(error, "%s:%u: %s", name, lines ? lines : 1,
			 lines ? "no rate up to the end of the file" : "the file is empty");
}

static int read_any(struct wl_profile *profile, const char *name, char *error)
{
	if (strlen(name) > WLINK_PROFILE_NAME_MAX)
		return wl_refuse(error,
				 "profile \"%.80s...\" has more than %u bytes",
				 name, WLINK_PROFILE_NAME_MAX);
	strcpy(profile->name, name);
	if (!wl_known_find(wl_known_profiles, name) && !strchr(name, '/') && access(name, F_OK))
		return wl_refuse(error,
				 "profile \"%.80s\" is unknown; it is sbd-3g, sbd-3g-clamp, red-3g, none or a file",
				 name);
	return read_lines(profile, error);
}

struct wl_profile *wl_profile_load(const char *name, char *error)
{
	struct wl_profile *profile = calloc(1, sizeof(*profile));

	if (!profile) {
		wl_refuse(error, "%s", strerror(ENOMEM));
		return NULL;
	}
	if (read_any(profile, name, error)) {
		free(profile);
		return NULL;
	}
	return profile;
}
