/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PRESETS_H
#define _WL_PRESETS_H

/*
 * Known links, each number with its source. A preset is words as one would type
 * them, so that the table of words judges them, too.
 *
 * Those of the papers have words of RLC and what lies above only, those of LTE and NR
 * HARQ below it. Uplink access, TDD patterns and the modes of LTE and NR get rows when
 * a preset can name them.
 */

#include <stddef.h>

/**
 * struct wl_preset_row - one word of a preset
 * @word: keyword
 * @value: its value
 * @source: where the value is from, or why wlink chose it
 */
struct wl_preset_row {
	const char *word;
	const char *value;
	const char *source;
};

/**
 * struct wl_preset - one link
 * @name: as typed
 * @what: what it is, for lists
 * @rows: its words, up to one without a word
 */
struct wl_preset {
	const char *name;
	const char *what;
	const struct wl_preset_row *rows;
};

/* Of cellular.c. */
extern const struct wl_preset_row wl_lte_good[];
extern const struct wl_preset_row wl_lte_edge[];
extern const struct wl_preset_row wl_lte_train[];
extern const struct wl_preset_row wl_nr_fr1[];
extern const struct wl_preset_row wl_nr_fr1_edge[];
extern const struct wl_preset_row wl_nr_sa_tdd[];
extern const struct wl_preset_row wl_starlink[];

extern const struct wl_preset wl_presets[];
extern const size_t wl_presets_count;

/**
 * wl_preset_find() - look up a preset
 * @name: as typed
 *
 * Return: the preset, or NULL.
 */
const struct wl_preset *wl_preset_find(const char *name);

#endif
