/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_JITTER_H
#define _WL_JITTER_H

/*
 * The words of jitter to the points of a distribution. A table is a file: one of
 * iproute2's for netem, numbers by growing value, in 1/8192 of a standard deviation from
 * the mean; or a histogram, lines "TIME,TIME,WEIGHT" of bins or "TIME,WEIGHT" of single
 * values, by growing time.
 */

#include "table/table.h"

/**
 * wl_jitter_name() - take the name of a table
 * @values: gets it
 * @text: it
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_jitter_name(struct wl_values *values, const char *text, char *error);

/**
 * wl_jitter_finish() - make the points, once all words have been read
 * @values: gets them, and what was left out
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes
 *
 * Return: 0, or -1 with @error set.
 */
int wl_jitter_finish(struct wl_values *values, char *error);

#endif
