// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "words/aqm.h"
#include "words/pair.h"

static const char *amount(const struct wl_values *values, enum wl_word word,
			  char *text)
{
	return wl_num_print(values->value[WL_AQM_UNIT] == WLINK_UNIT_BYTES ?
			    WL_UNIT_SIZE : WL_UNIT_COUNT, values->value[word],
			    text);
}

static int check_thresholds(const struct wl_values *values, char *error)
{
	char a[WL_NUM_TEXT], b[WL_NUM_TEXT];

	if (!values->set[WL_MINTH] || !values->set[WL_MAXTH] ||
	    values->value[WL_MAXTH] == WLINK_MAXTH_LIMIT ||
	    values->value[WL_MINTH] < values->value[WL_MAXTH])
		return 0;
	return wl_refuse(error, "minth %s is not below maxth %s",
			 amount(values, WL_MINTH, a),
			 amount(values, WL_MAXTH, b));
}

/* Off is off at both ends, so that it need be said once only. */
static int finish_ramp(struct wl_values *values, char *error)
{
	static const enum wl_word ends[] = { WL_RAMP_FROM, WL_RAMP_TO };
	const uint64_t *value = values->value;
	char a[WL_NUM_TEXT], b[WL_NUM_TEXT];
	int i;

	for (i = 0; i < 2; i++) {
		if (!values->set[ends[i]] || value[ends[i]] != WLINK_TIMER_OFF)
			continue;
		if (values->set[ends[!i]] && value[ends[!i]] != WLINK_TIMER_OFF)
			return wl_refuse(error,
					 "%s is off, so %s must be off, too",
					 wl_rows[ends[i]].keyword,
					 wl_rows[ends[!i]].keyword);
		values->set[ends[!i]] = true;
		values->value[ends[!i]] = WLINK_TIMER_OFF;
	}
	if (!values->set[WL_RAMP_FROM] || !values->set[WL_RAMP_TO] ||
	    value[WL_RAMP_FROM] == WLINK_TIMER_OFF ||
	    value[WL_RAMP_FROM] < value[WL_RAMP_TO])
		return 0;
	return wl_refuse(error, "ramp_from %s is not below ramp_to %s",
			 wl_num_print(WL_UNIT_TIME, value[WL_RAMP_FROM], a),
			 wl_num_print(WL_UNIT_TIME, value[WL_RAMP_TO], b));
}

int wl_words_finish_aqm(struct wl_values *values, char *error)
{
	if (values->set[WL_AQM] && values->set[WL_PROFILE] &&
	    values->profile[0])
		return wl_refuse(error,
				 "profile %.80s brings its own aqm; type the one or the other",
				 values->profile);
	if (check_thresholds(values, error))
		return -1;
	return finish_ramp(values, error);
}

int wl_words_whole(const struct wl_values *values, char *error)
{
	uint64_t kind = values->value[WL_AQM];
	enum wl_word word;

	if (!values->set[WL_AQM])
		return 0;
	for (word = 0; word < WL_WORDS; word++)
		if (wl_rows[word].needed && wl_rows[word].owner == WL_AQM &&
		    wl_rows[word].kinds & 1U << kind && !values->set[word])
			return wl_refuse(error, "aqm %s needs %s",
					 wl_row_name(&wl_rows[WL_AQM], kind),
					 wl_rows[word].keyword);
	if (values->set[WL_RAMP_FROM] == values->set[WL_RAMP_TO])
		return 0;
	return wl_refuse(error, "%s needs %s",
			 values->set[WL_RAMP_FROM] ? "ramp_from" : "ramp_to",
			 values->set[WL_RAMP_FROM] ? "ramp_to" : "ramp_from");
}

int wl_words_aqm(struct wl_values *values, int argc, const char *const *argv,
		 char *error)
{
	static const struct wl_values nothing;
	struct wl_pairs pairs = { values, &nothing, false, error, NULL };
	int i;

	memset(values, 0, sizeof(*values));
	if (!argc)
		return wl_refuse(error, "no kind of aqm is there");
	if (wl_pair_parse(&pairs, wl_rows[WL_AQM].keyword, argv[0]))
		return -1;
	for (i = 1; i < argc; i += 2) {
		enum wl_word word = wl_pair_word(argv[i]);

		if (word != WL_WORDS && word != WL_ALPHA &&
		    wl_rows[word].nest != TCA_WLINK_AQM)
			return wl_refuse(error, "%s is no word of an aqm",
					 wl_rows[word].keyword);
		if (wl_pair_parse(&pairs, argv[i],
				  i + 1 < argc ? argv[i + 1] : NULL))
			return -1;
	}
	return wl_words_finish_aqm(values, error);
}
