/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_WORDS_AQM_H
#define _WL_WORDS_AQM_H

/* What the words of an AQM come to together. */

#include "words/words.h"

/**
 * wl_words_finish_aqm() - judge the words of an AQM when all have been read
 * @values: parameters; what follows from others is put in
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_words_finish_aqm(struct wl_values *values, char *error);

#endif
