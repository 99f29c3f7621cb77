// SPDX-License-Identifier: GPL-2.0
/*
 * The words of tc, as the plugin reads and the module takes them, and times.
 */
#include <stdlib.h>
#include <string.h>

#include "drawn/words.h"
#include "script.h"
#include "wl_case.h"

#define WORDS	(2 * SCRIPT_WORDS)

bool script_time(const char *text, u64 *ns)
{
	double value;
	char *unit;

	value = strtod(text, &unit);
	if (unit == text || value < 0)
		return false;
	if (!*unit || !strcmp(unit, "ms"))
		value *= WL_MS;
	else if (!strcmp(unit, "s"))
		value *= WL_SEC;
	else if (!strcmp(unit, "us"))
		value *= WL_US;
	else
		return false;
	*ns = value + 0.5;
	return true;
}

static const char *value_of(char **words, int count, const char *word)
{
	for (int i = 0; i + 1 < count; i += 2)
		if (!strcmp(words[i], word))
			return words[i + 1];
	return NULL;
}

bool script_words(struct wl_cfg *cfg, char **words, int count, char *error)
{
	/* What is quiet by itself: a script turns on what it is about. */
	static const char *const quiet[] = {
		"poll_last", "off", "poll_last_retx", "off", "poll_window", "off",
		"poll_timer", "off", "missing", "off", "status_prohibit", "off",
		"status", "list", "rev_rate", "33600bit",
	};
	const char *mode = value_of(words, count, "mode"), *all[WORDS];
	u32 i, n = 0;

	/* When is not what: see script_at(). */
	for (i = 0; i < (u32)count; i++) {
		if (i % 2 == 0 && !strcmp(words[i], "at"))
			i++;
		else
			all[n++] = words[i];
	}
	for (i = 0; mode && !strcmp(mode, "am") && i < ARRAY_SIZE(quiet); i += 2) {
		if (value_of(words, count, quiet[i]))
			continue;
		all[n++] = quiet[i];
		all[n++] = quiet[i + 1];
	}
	return words_take(cfg, n, all, error);
}

/* Of a transaction: when, 0 where that is no time. */
u64 script_at(char **words, int count)
{
	const char *at = value_of(words, count, "at");

	return at && !strcmp(at, "next") ? WLINK_AT_NEXT : WLINK_AT_NOW;
}
