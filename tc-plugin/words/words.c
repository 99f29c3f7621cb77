// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "numbers/rayleigh.h"
#include "words/aqm.h"
#include "words/jitter.h"
#include "words/pair.h"
#include "words/profile.h"
#include "words/words.h"

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

/* Return: whether the nest that the word stands in is typed to be off. */
static bool is_off(enum wl_word word, const struct wl_values *typed)
{
	static const enum wl_word first[] = {
		WL_SR, WL_DRX, WL_RRC_IDLE, WL_BACKGROUND, WL_TDD, WL_JITTER,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(first); i++)
		if (typed->set[first[i]] && !typed->value[first[i]] &&
		    wl_rows[word].nest == wl_rows[first[i]].nest)
			return true;
	return false;
}

/* What a preset says of another kind of channel or another mode, or of what is off, is no good. */
static void drop_outdone(struct wl_values *base, const struct wl_values *typed)
{
	bool new_mode = typed->set[WL_MODE] && base->set[WL_MODE] &&
			typed->value[WL_MODE] != base->value[WL_MODE];
	enum wl_word word;

	if (typed->set[WL_AQM])
		base->set[WL_PROFILE] = false;
	if (typed->set[WL_JITTER_DIST] || typed->set[WL_JITTER_TABLE]) {
		base->set[WL_JITTER_DIST] = false;
		base->set[WL_JITTER_TABLE] = false;
	}
	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];
		uint64_t kind;

		if (is_off(word, typed) ||
		    (typed->set[WL_PROFILE] && row->nest == TCA_WLINK_AQM))
			base->set[word] = false;
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

/* What is typed stands above the rest; @typed gives what it owns. */
static void lay_over(struct wl_values *values, const struct wl_values *typed)
{
	enum wl_word word;

	drop_outdone(values, typed);
	for (word = 0; word < WL_WORDS; word++) {
		if (!typed->set[word])
			continue;
		values->set[word] = true;
		values->value[word] = typed->value[word];
	}
	if (typed->set[WL_PROFILE] || !values->set[WL_PROFILE]) {
		free(values->rows);
		memcpy(values->profile, typed->profile, sizeof(values->profile));
		values->rows = typed->rows;
	}
	if (typed->set[WL_JITTER_TABLE])
		memcpy(values->table, typed->table, sizeof(values->table));
}

/* A row of an earlier layer goes where its word has gone, or makes room for one of this layer. */
static void outdo_row(struct wl_preset *preset, size_t i, unsigned int layer,
		      const struct wl_values *was, const struct wl_values *values)
{
	struct wl_preset_row *row = &preset->row[i];
	enum wl_word word = wl_pair_word(row->word);
	size_t j;

	if (row->layer >= layer || word == WL_WORDS)
		return;
	for (j = i + 1; j < preset->count; j++)
		if (preset->row[j].layer == layer && !strcmp(preset->row[j].word, row->word)) {
			*row = preset->row[j];
			*preset->row[j].word = '\0';
			return;
		}
	if (was->set[word] && !values->set[word])
		*row->word = '\0';
}

/* The words of a file of a preset, above those of its bases; what they outdo is forgotten. */
static int lay_preset(struct wl_values *values, struct wl_preset *preset, unsigned int layer,
		      bool is_class, char *error)
{
	struct wl_values typed = { 0 }, was;
	char why[WL_ERROR_TEXT];
	struct wl_pairs pairs = { &typed, values, false, why, wl_profile_load };
	const char *file = "";
	size_t i;

	for (i = 0; i < preset->count; i++) {
		const struct wl_preset_row *row = &preset->row[i];
		enum wl_word word = wl_pair_word(row->word);

		if (row->layer != layer || (is_class && word != WL_WORDS && wl_rows[word].of_link))
			continue;
		file = row->file;
		if (wl_pair_parse(&pairs, row->word, row->value)) {
			wl_values_free(&typed);
			return wl_refuse(error, "%s:%u: %s", file, row->line, why);
		}
	}
	if (check_mode(&typed, values, why) || wl_words_finish_aqm(&typed, why)) {
		wl_values_free(&typed);
		return wl_refuse(error, "%s: %s", file, why);
	}
	was = *values;
	lay_over(values, &typed);
	for (i = 0; i < preset->count; i++)
		outdo_row(preset, i, layer, &was, values);
	return 0;
}

int wl_words_preset(struct wl_values *values, struct wl_preset *preset, bool is_class, char *error)
{
	unsigned int layer;

	memset(values, 0, sizeof(*values));
	for (layer = 1; layer <= preset->layers; layer++)
		if (lay_preset(values, preset, layer, is_class, error)) {
			wl_values_free(values);
			return -1;
		}
	return 0;
}

static int find_preset(int argc, const char *const *argv, struct wl_preset **preset, char *error)
{
	int i;

	*preset = NULL;
	for (i = 0; i < argc; i += 2) {
		if (strcmp(argv[i], WL_PRESET))
			continue;
		if (*preset) {
			free(*preset);
			return wl_refuse(error, WL_PRESET " is given twice");
		}
		if (i + 1 == argc)
			return wl_refuse(error, WL_PRESET " has no value");
		*preset = wl_preset_load(argv[i + 1], error);
		if (!*preset)
			return -1;
	}
	return 0;
}

/* Its words stand below those that are typed, wherever it is typed itself. */
static int parse_preset(struct wl_values *base, bool is_class, int argc,
			const char *const *argv, char *error)
{
	struct wl_preset *preset;
	int err;

	memset(base, 0, sizeof(*base));
	if (find_preset(argc, argv, &preset, error))
		return -1;
	err = preset ? wl_words_preset(base, preset, is_class, error) : 0;
	free(preset);
	return err;
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
	struct wl_pairs pairs = { typed, base, false, error, wl_profile_load };
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

	if (parse_preset(values, is_class, argc, argv, error))
		return -1;
	if (parse_typed(&typed, values, argc, argv, error)) {
		wl_values_free(&typed);
		wl_values_free(values);
		return -1;
	}
	lay_over(values, &typed);
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
