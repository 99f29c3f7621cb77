// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "numbers/rayleigh.h"
#include "presets/presets.h"
#include "presets/profiles.h"
#include "words/aqm.h"
#include "words/jitter.h"
#include "words/pair.h"

/* What wl_rayleigh() takes. */
#define FER_MIN		(1 / 1e9)
#define FER_MAX		(999 / 1e3)

static int check_mode(const struct wl_values *typed,
		      const struct wl_values *base, char *error)
{
	enum wl_word word;
	uint64_t mode;

	if (!wl_pair_look_up(typed, base, WL_MODE, &mode))
		return 0;
	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];

		if (typed->set[word] && row->kinds &&
		    row->owner == WL_MODE && !(row->kinds & 1U << mode))
			return wl_refuse(error, "%s does not belong to mode %s",
					 row->keyword,
					 wl_row_name(&wl_rows[WL_MODE], mode));
	}
	return 0;
}

/* Its words stand below those that are typed, wherever it is typed itself. */
static int parse_preset(struct wl_values *base, bool is_class, int argc,
			const char *const *argv, char *error)
{
	static const struct wl_values nothing;
	const struct wl_preset *preset = NULL;
	const struct wl_preset_row *row;
	struct wl_pairs pairs = { base, &nothing, false, error };
	int i;

	memset(base, 0, sizeof(*base));
	for (i = 0; i < argc; i += 2) {
		if (strcmp(argv[i], WL_PRESET))
			continue;
		if (preset)
			return wl_refuse(error, WL_PRESET " is given twice");
		if (i + 1 == argc)
			return wl_refuse(error, WL_PRESET " has no value");
		preset = wl_preset_find(argv[i + 1]);
		if (!preset)
			return wl_refuse(error, "preset \"%.80s\" is unknown; "
					 "wlinkctl preset list names them",
					 argv[i + 1]);
	}
	if (!preset)
		return 0;
	for (row = preset->rows; row->word; row++) {
		enum wl_word word = wl_pair_word(row->word);

		if (is_class && word != WL_WORDS && wl_rows[word].of_link)
			continue;
		if (wl_pair_parse(&pairs, row->word, row->value))
			return -1;
	}
	return 0;
}

/* What the preset says of another kind of channel or another mode is no good. */
static void drop_outdone(struct wl_values *base, const struct wl_values *typed)
{
	bool new_mode = typed->set[WL_MODE] && base->set[WL_MODE] &&
			typed->value[WL_MODE] != base->value[WL_MODE];
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];
		uint64_t kind;

		if (new_mode &&
		    (word == WL_HEADER || row->nest == TCA_WLINK_RLC))
			base->set[word] = false;
		if (typed->set[word] && row->nest == TCA_WLINK_LIMIT) {
			base->set[WL_LIMIT_PACKETS] = false;
			base->set[WL_LIMIT_BYTES] = false;
			base->set[WL_LIMIT_TIME] = false;
		}
		if (row->kinds &&
		    wl_pair_look_up(typed, base, row->owner, &kind) &&
		    !(row->kinds & 1U << kind))
			base->set[word] = false;
	}
	/* The reverse path may have lost its channel only now. */
	for (word = WL_REV_CHANNEL + 1; word <= WL_REV_FDT; word++)
		if (!base->set[WL_REV_CHANNEL] && !typed->set[WL_REV_CHANNEL])
			base->set[word] = false;
}

static int finish_rayleigh(struct wl_values *values, enum wl_word channel,
			   char *error)
{
	enum wl_word fer = channel + (WL_FER - WL_CHANNEL);
	enum wl_word fdt = channel + (WL_FDT - WL_CHANNEL);
	char a[WL_NUM_TEXT], b[WL_NUM_TEXT];
	uint32_t p, r;
	double share;
	int i;
	const enum wl_word words[] = {
		channel + (WL_P - WL_CHANNEL), channel + (WL_R - WL_CHANNEL),
		channel + (WL_LOSS_GOOD - WL_CHANNEL),
		channel + (WL_LOSS_BAD - WL_CHANNEL),
	};

	if (!values->set[channel] ||
	    values->value[channel] != WL_KIND_RAYLEIGH)
		return 0;
	if (!values->set[fer] || !values->set[fdt])
		return wl_refuse(error, "%s " WL_RAYLEIGH " needs both %s and %s",
				 wl_rows[channel].keyword, wl_rows[fer].keyword,
				 wl_rows[fdt].keyword);
	/* The row's bounds are these, rounded to 2^-32. */
	share = fmin(fmax((double)values->value[fer] / 4294967296.0, FER_MIN),
		     FER_MAX);
	if (wl_rayleigh(share, (double)values->value[fdt] / 1e9, &p, &r))
		return wl_refuse(error, "%s " WL_RAYLEIGH " can not be computed for %s %s %s %s",
				 wl_rows[channel].keyword, wl_rows[fer].keyword,
				 wl_num_print(WL_UNIT_PROB, values->value[fer], a),
				 wl_rows[fdt].keyword,
				 wl_num_print(WL_UNIT_NANO, values->value[fdt],
					      b));
	values->value[channel] = WLINK_CHANNEL_GILBERT;
	values->set[fer] = false;
	values->set[fdt] = false;
	for (i = 0; i < 4; i++)
		values->set[words[i]] = true;
	values->value[words[0]] = p;
	values->value[words[1]] = r;
	values->value[words[2]] = 0;
	values->value[words[3]] = WLINK_PROB_ONE;
	return 0;
}

static int parse_typed(struct wl_values *typed, const struct wl_values *base,
		       int argc, const char *const *argv, char *error)
{
	struct wl_pairs pairs = { typed, base, false, error };
	int i;

	for (i = 0; i < argc; i += 2)
		if (strcmp(argv[i], WL_PRESET) &&
		    wl_pair_parse(&pairs, argv[i],
				  i + 1 < argc ? argv[i + 1] : NULL))
			return -1;
	if (check_mode(typed, base, error))
		return -1;
	return wl_words_finish_aqm(typed, error);
}

int wl_words_parse(struct wl_values *values, bool is_class, int argc,
		   const char *const *argv, char *error)
{
	struct wl_values typed = { 0 };
	enum wl_word word;

	if (parse_preset(values, is_class, argc, argv, error))
		return -1;
	if (parse_typed(&typed, values, argc, argv, error)) {
		wl_values_free(&typed);
		return -1;
	}
	drop_outdone(values, &typed);
	for (word = 0; word < WL_WORDS; word++) {
		if (!typed.set[word])
			continue;
		values->set[word] = true;
		values->value[word] = typed.value[word];
	}
	memcpy(values->profile, typed.profile, sizeof(values->profile));
	values->rows = typed.rows;
	memcpy(values->table, typed.table, sizeof(values->table));
	if (finish_rayleigh(values, WL_CHANNEL, error) ||
	    finish_rayleigh(values, WL_REV_CHANNEL, error) ||
	    wl_jitter_finish(values, error)) {
		wl_values_free(values);
		return -1;
	}
	return 0;
}

void wl_values_free(struct wl_values *values)
{
	free(values->rows);
	values->rows = NULL;
	free(values->points);
	values->points = NULL;
}
