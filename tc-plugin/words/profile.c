// SPDX-License-Identifier: GPL-2.0
/* Profiles from text. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table/value.h"
#include "words/profile.h"
#include "words/words.h"

#define BLANKS		" \t\r"

/* Each word of an AQM once, with its value, and room to find too many. */
#define LINE_WORDS	64

/* Return: words in the line, up to a comment; -1 if there are too many. */
static int split(char *text, const char **words)
{
	char *save = NULL;
	char *word;
	int n = 0;

	for (word = strtok_r(text, BLANKS, &save); word;
	     word = strtok_r(NULL, BLANKS, &save)) {
		if (*word == '#')
			break;
		if (n == LINE_WORDS)
			return -1;
		words[n++] = word;
	}
	return n;
}

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

int wl_profile_line(struct wl_profile *profile, unsigned int line, char *text,
		    char *error)
{
	struct wl_row rate = wl_rows[WL_RATE];
	const char *words[LINE_WORDS];
	struct wl_profile_row *row;
	uint64_t rate_bps;
	int n;

	n = split(text, words);
	if (!n)
		return 0;
	if (n < 0)
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
	row = &profile->row[profile->count];
	row->rate_bps = rate_bps;
	row->line = line;
	if (wl_words_aqm(&row->aqm, n - 1, words + 1, error) ||
	    wl_words_whole(&row->aqm, error))
		return -1;
	profile->count++;
	return 0;
}

static bool is_text(unsigned char c)
{
	return (c >= ' ' && c != 0x7f) || c == '\t' || c == '\r';
}

static int check_text(const char *text, size_t len, char *error)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!is_text((unsigned char)text[i]))
			return wl_refuse(error,
					 "byte %zu is 0x%02x; this is no text, hence no profile",
					 i + 1, (unsigned char)text[i]);
	return 0;
}

static int take_line(struct wl_profile *profile, unsigned int line, char *text,
		     size_t len, char *error)
{
	if (check_text(text, len, error))
		return -1;
	if (len > WL_PROFILE_LINE)
		return wl_refuse(error, "longer than %u bytes",
				 WL_PROFILE_LINE);
	text[len] = '\0';
	return wl_profile_line(profile, line, text, error);
}

/* @text has room for one byte behind @len. */
static int take_text(struct wl_profile *profile, char *text, size_t len,
		     char *error)
{
	char why[WL_ERROR_TEXT];
	unsigned int line = 0;
	size_t at = 0;

	while (at < len) {
		const char *end = memchr(text + at, '\n', len - at);
		size_t n = end ? (size_t)(end - text) - at : len - at;

		line++;
		if (take_line(profile, line, text + at, n, why))
			return wl_refuse(error, "%s:%u: %s", profile->name,
					 line, why);
		at += n + 1;
	}
	if (profile->count)
		return 0;
	return wl_refuse(error, "%s:%u: %s", profile->name, line ? line : 1,
			 len ? "no rate up to the end of the file" :
			 "the file is empty");
}

static int read_file(struct wl_profile *profile, char *error)
{
	static char text[WL_PROFILE_FILE + 1];
	size_t len;
	bool bad;
	FILE *f;

	f = fopen(profile->name, "re");
	if (!f)
		return wl_refuse(error, "%s: %s", profile->name,
				 strerror(errno));
	errno = 0;
	len = fread(text, 1, sizeof(text), f);
	bad = ferror(f);
	fclose(f);
	if (bad)
		return wl_refuse(error, "%s: %s", profile->name,
				 strerror(errno));
	if (len == sizeof(text))
		return wl_refuse(error,
				 "%s: above %u bytes, which no profile needs",
				 profile->name, WL_PROFILE_FILE);
	return take_text(profile, text, len, error);
}

static int read_known(struct wl_profile *profile,
		      const struct wl_known_profile *known, char *error)
{
	const struct wl_known_row *row;
	unsigned int line = 0;

	for (row = known->rows; row->text; row++) {
		char text[WL_PROFILE_LINE + 1];

		snprintf(text, sizeof(text), "%s", row->text);
		if (wl_profile_line(profile, ++line, text, error))
			return -1;
	}
	return 0;
}

static int read_any(struct wl_profile *profile, const char *name, char *error)
{
	const struct wl_known_profile *known = wl_profile_find(name);

	if (strlen(name) > WLINK_PROFILE_NAME_MAX)
		return wl_refuse(error,
				 "profile \"%.80s...\" has more than %u bytes",
				 name, WLINK_PROFILE_NAME_MAX);
	strcpy(profile->name, name);
	if (known)
		return read_known(profile, known, error);
	if (!strchr(name, '/') && access(name, F_OK))
		return wl_refuse(error,
				 "profile \"%.80s\" is unknown; it is sbd-3g, sbd-3g-clamp, red-3g, none or a file",
				 name);
	return read_file(profile, error);
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
