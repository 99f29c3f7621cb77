/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PAIR_H
#define _WL_PAIR_H

/* One keyword with its value, in the light of those before it. */

#include "table/value.h"

/**
 * struct wl_pairs - keywords and values on their way
 * @typed: result
 * @base: what a preset says; it counts where @typed says nothing
 * @in_aqm: the last word was one of the AQM
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 * @load: wl_profile_load(); NULL among the words of an AQM, where no profile is
 */
struct wl_pairs {
	struct wl_values *typed;
	const struct wl_values *base;
	bool in_aqm;
	char *error;
	struct wl_profile *(*load)(const char *name, char *error);
};

/**
 * wl_pair_parse() - take one keyword with its value
 * @pairs: those before it
 * @keyword: keyword
 * @text: its value, NULL if there is none
 *
 * Return: 0, or -1 with the error set.
 */
int wl_pair_parse(struct wl_pairs *pairs, const char *keyword,
		  const char *text);

/**
 * wl_pair_word() - look up a keyword
 * @keyword: as typed
 *
 * Return: the first word of that name, WL_WORDS if there is none.
 */
enum wl_word wl_pair_word(const char *keyword);

/**
 * wl_pair_look_up() - what a word says that is set in either
 * @typed: counts first
 * @base: counts else
 * @word: which
 * @value: result
 *
 * Return: is it set?
 */
bool wl_pair_look_up(const struct wl_values *typed,
		     const struct wl_values *base, enum wl_word word,
		     uint64_t *value);

/**
 * wl_pair_kind_name() - name of a kind of channel or AQM, or of a mode
 * @owner: row
 * @kind: its value
 */
const char *wl_pair_kind_name(const struct wl_row *owner, uint64_t kind);

#endif
