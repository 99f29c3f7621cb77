/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_WORDS_H
#define _WL_WORDS_H

/* Words as they are typed, to parameters by the table. */

#include <stdio.h>

#include "table/table.h"
#include "words/preset.h"

/* A word that stands for others. */
#define WL_PRESET	"preset"

/**
 * wl_words_parse() - read keywords and values
 * @values: result; to be given to wl_values_free(), also after an error
 * @is_class: they are for a class other than 1:1, so what a preset says of the
 *	link is left out
 * @argc: number of words
 * @argv: words
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_words_parse(struct wl_values *values, bool is_class, int argc,
		   const char *const *argv, char *error);

/**
 * wl_words_preset() - the words of a preset
 * @values: result, to be given to wl_values_free()
 * @preset: it; rows of its bases are left empty where words above them outdo them
 * @is_class: as of wl_words_parse()
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_words_preset(struct wl_values *values, struct wl_preset *preset, bool is_class, char *error);

/**
 * wl_words_aqm() - read the words of an AQM, its kind first
 * @values: result; nothing to be freed
 * @argc: number of words
 * @argv: words, without "aqm"
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_words_aqm(struct wl_values *values, int argc, const char *const *argv,
		 char *error);

/**
 * wl_words_whole() - is an AQM all that it needs to be made anew?
 * @values: parameters, with or without an AQM
 * @error: if not, what is missing, at least WL_ERROR_TEXT bytes
 *
 * Call it where nothing can be there already: a new link, a row of a profile.
 *
 * Return: 0, or -1 with @error set.
 */
int wl_words_whole(const struct wl_values *values, char *error);

/**
 * wl_values_free() - let go of what parameters hold
 * @values: parameters
 */
void wl_values_free(struct wl_values *values);

/**
 * wl_words_usage() - all words, for help texts
 * @f: where they go
 */
void wl_words_usage(FILE *f);

#endif
