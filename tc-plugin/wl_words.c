// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "wl_presets.h"
#include "wl_rayleigh.h"
#include "wl_words.h"

#define PRESET	"preset"
#define RAYLEIGH	"rayleigh"

/* What wl_rayleigh() takes. */
#define FER_MIN		(1 / 1e9)
#define FER_MAX		(999 / 1e3)

static int refuse(char *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(char *error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(error, WL_ERROR_TEXT, format, ap);
	va_end(ap);
	return -1;
}

static bool is_channel(const struct wl_row *row)
{
	return row == &wl_rows[WL_CHANNEL] || row == &wl_rows[WL_REV_CHANNEL];
}

static bool is_owned(const struct wl_row *row)
{
	return row->kinds;
}

/* What a word that is set in either says; the first one counts. */
static bool look_up(const struct wl_values *typed, const struct wl_values *base,
		    enum wl_word word, uint64_t *value)
{
	const struct wl_values *from = typed->set[word] ? typed : base;

	*value = from->value[word];
	return from->set[word];
}

static const char *kind_name(const struct wl_row *owner, uint64_t kind)
{
	return kind == WL_KIND_RAYLEIGH ? RAYLEIGH : wl_row_name(owner, kind);
}

static int refuse_range(char *error, const struct wl_row *row,
			const char *text)
{
	char min[WL_NUM_TEXT];
	char max[WL_NUM_TEXT];

	wl_num_print(row->unit, row->min, min);
	wl_num_print(row->unit, row->max, max);
	if (row->other && row->other[0] != '0' && !strcmp(text, "0"))
		return refuse(error, "%s 0 is refused; the word is %s, or %s..%s",
			      row->keyword, row->other, min, max);
	if (row->other)
		return refuse(error, "%s %.80s is outside %s..%s, or %s",
			      row->keyword, text, min, max, row->other);
	return refuse(error, "%s %.80s is outside %s..%s", row->keyword, text,
		      min, max);
}

static int refuse_units(char *error, const struct wl_row *row,
			const char *text)
{
	const char *name = row->keyword;

	if (row->nest == TCA_WLINK_LIMIT)
		return refuse(error,
			      "%s \"%.80s\" has an unknown unit; type a bare number of packets, bytes in %s, or a time in %s",
			      name, text, wl_num_units(WL_UNIT_SIZE),
			      wl_num_units(WL_UNIT_TIME));
	if (row->unit == WL_UNIT_COUNT)
		return refuse(error,
			      "%s \"%.80s\" is not a whole number without unit",
			      name, text);
	return refuse(error, "%s \"%.80s\" has an unknown unit; it takes %s",
		      name, text, wl_num_units(row->unit));
}

static int refuse_syntax(char *error, const struct wl_row *row,
			 const char *text)
{
	const char *name = row->keyword;

	if (row->other && row->other[0] != '0')
		return refuse(error, "%s \"%.80s\" is neither a number nor %s",
			      name, text, row->other);
	if (!strcmp(text, "off"))
		return refuse(error, "%s can not be off", name);
	return refuse(error, "%s \"%.80s\" is not a number", name, text);
}

static int parse_number(const struct wl_row *row, const char *text,
			uint64_t *value, char *error)
{
	const char *name = row->keyword;

	if (row->other && !strcmp(text, row->other)) {
		*value = row->other_value;
		return 0;
	}
	switch (wl_num_parse(row->unit, text, value)) {
	case WL_NUM_OK:
		break;
	case WL_NUM_SYNTAX:
		return refuse_syntax(error, row, text);
	case WL_NUM_NO_UNIT:
		return refuse(error, "%s \"%.80s\" needs a unit: %s", name,
			      text, wl_num_units(row->unit));
	case WL_NUM_BAD_UNIT:
		return refuse_units(error, row, text);
	case WL_NUM_NOT_WHOLE:
		if (row->unit == WL_UNIT_COUNT)
			return refuse(error,
				      "%s \"%.80s\" is not a whole number",
				      name, text);
		return refuse(error, "%s \"%.80s\" is not a whole number of %s",
			      name, text, wl_num_smallest(row->unit));
	case WL_NUM_RANGE:
		return refuse_range(error, row, text);
	}
	if (*value < row->min || *value > row->max)
		return refuse_range(error, row, text);
	return 0;
}

static int parse_name(const struct wl_row *row, const char *text,
		      uint64_t *value, char *error)
{
	char known[120] = "";
	size_t n = 0;
	uint64_t i;

	if (is_channel(row) && !strcmp(text, RAYLEIGH)) {
		*value = WL_KIND_RAYLEIGH;
		return 0;
	}
	for (i = 0; row->names[i]; i++) {
		if (!strcmp(row->names[i], text)) {
			*value = i;
			return 0;
		}
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
				      !i ? "" : row->names[i + 1] ||
				      is_channel(row) ? ", " : " or ",
				      row->names[i]);
	}
	return refuse(error, "%s \"%.80s\" is unknown; it is %s%s",
		      row->keyword, text, known,
		      is_channel(row) ? " or " RAYLEIGH : "");
}

static int parse_value(const struct wl_row *row, const char *text,
		       uint64_t *value, char *error)
{
	if (row->names)
		return parse_name(row, text, value, error);
	return parse_number(row, text, value, error);
}

/* The limit's three rows share a keyword; the unit tells them apart. */
static enum wl_word limit_word(const char *text)
{
	if (wl_num_is_bare(text))
		return WL_LIMIT_PACKETS;
	return wl_num_is_time(text) ? WL_LIMIT_TIME : WL_LIMIT_BYTES;
}

static enum wl_word find_word(const char *keyword)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (!strcmp(wl_rows[word].keyword, keyword))
			return word;
	return WL_WORDS;
}

/* A channel comes before its members; the mode may come after its words, so
 * these are judged when all have been read.
 */
static int check_member(const struct wl_values *typed,
			const struct wl_values *base, const struct wl_row *row,
			char *error)
{
	const struct wl_row *owner = &wl_rows[row->owner];
	uint64_t kind;

	if (!is_owned(row) || !is_channel(owner))
		return 0;
	if (!look_up(typed, base, row->owner, &kind))
		return refuse(error,
			      "%s belongs to a channel; type %s and its kind first",
			      row->keyword, owner->keyword);
	if (!(row->kinds & 1U << kind))
		return refuse(error, "%s does not belong to %s %s",
			      row->keyword, owner->keyword,
			      kind_name(owner, kind));
	return 0;
}

static int check_mode(const struct wl_values *typed,
		      const struct wl_values *base, char *error)
{
	enum wl_word word;
	uint64_t mode;

	if (!look_up(typed, base, WL_MODE, &mode))
		return 0;
	for (word = 0; word < WL_WORDS; word++) {
		const struct wl_row *row = &wl_rows[word];

		if (typed->set[word] && is_owned(row) &&
		    row->owner == WL_MODE && !(row->kinds & 1U << mode))
			return refuse(error, "%s does not belong to mode %s",
				      row->keyword,
				      kind_name(&wl_rows[WL_MODE], mode));
	}
	return 0;
}

static int check_twice(const struct wl_values *values, const char *keyword,
		       char *error)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (values->set[word] && !strcmp(wl_rows[word].keyword, keyword))
			return refuse(error, "%s is given twice", keyword);
	return 0;
}

static int parse_pair(struct wl_values *typed, const struct wl_values *base,
		      const char *keyword, const char *text, char *error)
{
	enum wl_word word = find_word(keyword);
	int err;

	if (word == WL_WORDS)
		return refuse(error, "unknown word \"%.80s\"", keyword);
	if (check_twice(typed, keyword, error) ||
	    check_member(typed, base, &wl_rows[word], error))
		return -1;
	if (!text)
		return refuse(error, "%s has no value", keyword);
	if (word == WL_LIMIT_PACKETS)
		word = limit_word(text);
	err = parse_value(&wl_rows[word], text, &typed->value[word], error);
	typed->set[word] = !err;
	return err;
}

static int refuse_preset(char *error, const char *name)
{
	char known[200] = "";
	size_t n = 0;
	size_t i;

	for (i = 0; i < wl_presets_count; i++)
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
				      !i ? "" : i + 1 < wl_presets_count ?
				      ", " : " or ", wl_presets[i].name);
	return refuse(error, "preset \"%.80s\" is unknown; it is %s", name,
		      known);
}

/* Its words stand below those that are typed, wherever it is typed itself. */
static int parse_preset(struct wl_values *base, bool is_class, int argc,
			const char *const *argv, char *error)
{
	static const struct wl_values nothing;
	const struct wl_preset *preset = NULL;
	const struct wl_preset_row *row;
	int i;

	memset(base, 0, sizeof(*base));
	for (i = 0; i < argc; i += 2) {
		if (strcmp(argv[i], PRESET))
			continue;
		if (preset)
			return refuse(error, PRESET " is given twice");
		if (i + 1 == argc)
			return refuse(error, PRESET " has no value");
		preset = wl_preset_find(argv[i + 1]);
		if (!preset)
			return refuse_preset(error, argv[i + 1]);
	}
	if (!preset)
		return 0;
	for (row = preset->rows; row->word; row++) {
		enum wl_word word = find_word(row->word);

		if (is_class && word != WL_WORDS && wl_rows[word].of_link)
			continue;
		if (parse_pair(base, &nothing, row->word, row->value, error))
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
		if (is_owned(row) && look_up(typed, base, row->owner, &kind) &&
		    !(row->kinds & 1U << kind))
			base->set[word] = false;
	}
	/* The way back may have lost its channel only now. */
	for (word = WL_REV_CHANNEL + 1; word < WL_WORDS; word++)
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
		return refuse(error, "%s " RAYLEIGH " needs both %s and %s",
			      wl_rows[channel].keyword, wl_rows[fer].keyword,
			      wl_rows[fdt].keyword);
	/* The row's bounds are these, rounded to 2^-32. */
	share = fmin(fmax((double)values->value[fer] / 4294967296.0, FER_MIN),
		     FER_MAX);
	if (wl_rayleigh(share, (double)values->value[fdt] / 1e9, &p, &r))
		return refuse(error, "%s " RAYLEIGH " can not be computed for %s %s %s %s",
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

int wl_words_parse(struct wl_values *values, bool is_class, int argc,
		   const char *const *argv, char *error)
{
	struct wl_values typed = { 0 };
	enum wl_word word;
	int i;

	if (parse_preset(values, is_class, argc, argv, error))
		return -1;
	for (i = 0; i < argc; i += 2)
		if (strcmp(argv[i], PRESET) &&
		    parse_pair(&typed, values, argv[i],
			       i + 1 < argc ? argv[i + 1] : NULL, error))
			return -1;
	if (check_mode(&typed, values, error))
		return -1;
	drop_outdone(values, &typed);
	for (word = 0; word < WL_WORDS; word++) {
		if (!typed.set[word])
			continue;
		values->set[word] = true;
		values->value[word] = typed.value[word];
	}
	if (finish_rayleigh(values, WL_CHANNEL, error) ||
	    finish_rayleigh(values, WL_REV_CHANNEL, error))
		return -1;
	return 0;
}
