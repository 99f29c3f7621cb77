// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "table/profile.h"
#include "words/jitter.h"
#include "words/near.h"
#include "words/netem.h"
#include "words/pair.h"

#define NSEC_PER_SEC	((uint64_t)1000000000)

bool wl_pair_look_up(const struct wl_values *typed,
		     const struct wl_values *base, enum wl_word word,
		     uint64_t *value)
{
	const struct wl_values *from = typed->set[word] ? typed : base;

	*value = from->value[word];
	return from->set[word];
}

const char *wl_pair_kind_name(const struct wl_row *owner, uint64_t kind)
{
	return kind == WL_KIND_RAYLEIGH ? WL_RAYLEIGH : wl_row_name(owner, kind);
}

enum wl_word wl_pair_word(const char *keyword)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (!wl_rows[word].untyped &&
		    !strcmp(wl_rows[word].keyword, keyword))
			return word;
	return WL_WORDS;
}

static bool is_sbd(const struct wl_pairs *pairs)
{
	return pairs->typed->set[WL_AQM] &&
	       pairs->typed->value[WL_AQM] == WLINK_AQM_SBD;
}

/* Mode asr and aqm sbd each have an alpha; where it stands tells them apart.
 * Return: the word, WL_WORDS after an error.
 */
static enum wl_word which_alpha(const struct wl_pairs *pairs)
{
	uint64_t mode;

	if (pairs->in_aqm)
		return WL_AQM_ALPHA;
	if (is_sbd(pairs) &&
	    (!wl_pair_look_up(pairs->typed, pairs->base, WL_MODE, &mode) ||
	     mode != WLINK_MODE_ASR)) {
		wl_refuse(pairs->error,
			  "alpha belongs to aqm sbd and to mode asr; type it next to the words of the one");
		return WL_WORDS;
	}
	return WL_ALPHA;
}

/* The limit's three rows share a keyword; the unit tells them apart. */
static enum wl_word limit_word(const char *text)
{
	if (wl_num_is_bare(text))
		return WL_LIMIT_PACKETS;
	return wl_num_is_time(text) ? WL_LIMIT_TIME : WL_LIMIT_BYTES;
}

/* A kind of channel or AQM comes before its members. The mode may come after its
 * words, so these are judged when all have been read.
 */
static int check_member(const struct wl_pairs *pairs, const struct wl_row *row)
{
	const struct wl_row *owner = &wl_rows[row->owner];
	uint64_t kind;

	/* Whether HARQ is on is the kernel's to say, who knows what was before. */
	if (!row->kinds || row->owner == WL_MODE || row->owner == WL_HARQ)
		return 0;
	if (!wl_pair_look_up(pairs->typed, pairs->base, row->owner, &kind))
		return wl_refuse(pairs->error,
				 "%s belongs to %s; type %s and its kind first%s",
				 row->keyword, row->owner == WL_AQM ?
				 "an aqm" : "a channel", owner->keyword,
				 row == &wl_rows[WL_LOSS] ?
				 ", as in channel uniform loss 1%" : "");
	if (row->kinds & 1U << kind)
		return 0;
	if (row == &wl_rows[WL_ECN])
		return wl_refuse(pairs->error,
				 "aqm %s cannot mark, ecn needs red, sbd or codel",
				 wl_pair_kind_name(owner, kind));
	return wl_refuse(pairs->error, "%s does not belong to %s %s",
			 row->keyword, owner->keyword,
			 wl_pair_kind_name(owner, kind));
}

static int check_twice(const struct wl_pairs *pairs, const struct wl_row *row)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (pairs->typed->set[word] &&
		    wl_rows[word].nest == row->nest &&
		    !strcmp(wl_rows[word].keyword, row->keyword))
			return wl_refuse(pairs->error, "%s is given twice",
					 row->keyword);
	return 0;
}

/* What is bare counts SDUs, what has a unit counts bytes; all have one unit. */
static int take_unit(struct wl_pairs *pairs, const struct wl_row *row,
		     const char *text)
{
	struct wl_values *typed = pairs->typed;
	uint64_t unit = wl_num_is_bare(text) ? WLINK_UNIT_SDUS :
					       WLINK_UNIT_BYTES;

	if (row->other && !strcmp(text, row->other))
		return 0;
	if (typed->set[WL_AQM_UNIT] && typed->value[WL_AQM_UNIT] != unit)
		return wl_refuse(pairs->error,
				 "%s %.80s is in %s, but what is before it in %s; all of an aqm are in one unit",
				 row->keyword, text,
				 unit == WLINK_UNIT_SDUS ? "SDUs" : "bytes",
				 unit == WLINK_UNIT_SDUS ? "bytes" : "SDUs");
	typed->set[WL_AQM_UNIT] = true;
	typed->value[WL_AQM_UNIT] = unit;
	return 0;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static int parse_at(struct wl_pairs *pairs, const char *text)
{
	const struct wl_row *row = &wl_rows[WL_AT];
	uint64_t *value = &pairs->typed->value[WL_AT];
	uint64_t after = 0;

	if (!strcmp(text, "now")) {
		*value = WLINK_AT_NOW;
		return 0;
	}
	if (!strcmp(text, row->other)) {
		*value = row->other_value;
		return 0;
	}
	if (wl_num_parse(WL_UNIT_TIME, text[0] == '+' ? text + 1 : text,
			 &after))
		return wl_refuse(pairs->error,
				 "at \"%.80s\" is no time; it is now, next, a time, or + and a time from now, in %s",
				 text, wl_num_units(WL_UNIT_TIME));
	if (text[0] != '+' && after < row->min)
		return wl_refuse(pairs->error,
				 "at %.80s is when the machine was started; the word is now",
				 text);
	if (after > row->max / 2)
		return wl_refuse(pairs->error, "at %.80s is too far away",
				 text);
	*value = after + (text[0] == '+' ? now_ns() : 0);
	return 0;
}

static int parse_profile(struct wl_pairs *pairs, const char *text)
{
	struct wl_values *typed = pairs->typed;

	typed->profile[0] = '\0';
	if (!strcmp(text, WL_PROFILE_NONE))
		return 0;
	typed->rows = pairs->load(text, pairs->error);
	if (!typed->rows)
		return -1;
	strcpy(typed->profile, typed->rows->name);
	return 0;
}

static int refuse_word(struct wl_pairs *pairs, const char *keyword,
		       const char *value)
{
	const char *hint = wl_netem_hint(keyword);
	const char *near = wl_near(keyword);

	if (!hint)
		return wl_refuse(pairs->error, "unknown word \"%.80s\"%s%s%s",
				 keyword, near ? "; did you mean " : "",
				 near ? near : "", near ? "?" : "");
	return wl_refuse(pairs->error, "%s%s%s is a word of netem; %s", keyword,
			 *value ? " " : "", value, hint);
}

/* Many who type kbps mean kbit; tc has always meant bytes. */
static void note_bytes(enum wl_word word, const char *text, uint64_t value)
{
	size_t n = strlen(text);
	char bits[WL_NUM_TEXT];

	if (wl_rows[word].unit == WL_UNIT_RATE && n > 2 &&
	    !strcasecmp(text + n - 2, "ps"))
		fprintf(stderr, "wlink: note: %s %s counts bytes, it is %s\n",
			wl_rows[word].keyword, text,
			wl_num_print(WL_UNIT_RATE, value, bits));
}

static int parse_value(struct wl_pairs *pairs, enum wl_word word,
		       const char *text)
{
	if (word == WL_PROFILE)
		return parse_profile(pairs, text);
	if (word == WL_AT)
		return parse_at(pairs, text);
	if (word == WL_JITTER_TABLE)
		return wl_jitter_name(pairs->typed, text, pairs->error);
	if (wl_value_parse(&wl_rows[word], text, &pairs->typed->value[word],
			   pairs->error))
		return -1;
	note_bytes(word, text, pairs->typed->value[word]);
	if (wl_rows[word].unit == WL_UNIT_AMOUNT)
		return take_unit(pairs, &wl_rows[word], text);
	return 0;
}

int wl_pair_parse(struct wl_pairs *pairs, const char *keyword,
		  const char *text)
{
	enum wl_word word = wl_pair_word(keyword);
	int err;

	if (word == WL_WORDS)
		return refuse_word(pairs, keyword, "");
	/* wlink's is a number of PDUs, netem's a share of the packets. */
	if (word == WL_REORDER && text && strchr(text, '%'))
		return refuse_word(pairs, keyword, text);
	if (word == WL_ALPHA)
		word = which_alpha(pairs);
	if (word == WL_WORDS || check_twice(pairs, &wl_rows[word]) ||
	    check_member(pairs, &wl_rows[word]))
		return -1;
	if (!text)
		return wl_refuse(pairs->error, "%s has no value", keyword);
	if (word == WL_LIMIT_PACKETS)
		word = limit_word(text);
	err = parse_value(pairs, word, text);
	pairs->typed->set[word] = !err;
	pairs->in_aqm = wl_rows[word].nest == TCA_WLINK_AQM;
	return err;
}
