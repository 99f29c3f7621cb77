/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PRESETS_H
#define _WL_PRESETS_H

/*
 * Known links, each number with its source. A preset is words as one would type
 * them, so that the table of words judges them, too.
 *
 * Those of the papers have words of RLC and what lies above only, those of LTE and NR
 * HARQ and access below it, those of a 5QI what makes a bearer differ from the others.
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

/* Of gsm.c. */
extern const struct wl_preset_row wl_gprs[];
extern const struct wl_preset_row wl_gprs_cs1[];
extern const struct wl_preset_row wl_gprs_cs1_up[];
extern const struct wl_preset_row wl_gprs_cs2[];
extern const struct wl_preset_row wl_gprs_cs2_up[];
extern const struct wl_preset_row wl_hscsd_28[];
extern const struct wl_preset_row wl_hscsd_57[];
extern const struct wl_preset_row wl_hscsd_57_t[];

/* Of cellular.c. */
extern const struct wl_preset_row wl_lte_good[];
extern const struct wl_preset_row wl_lte_good_up[];
extern const struct wl_preset_row wl_lte_edge[];
extern const struct wl_preset_row wl_lte_edge_up[];
extern const struct wl_preset_row wl_lte_train[];
extern const struct wl_preset_row wl_lte_train_up[];
extern const struct wl_preset_row wl_lte_push[];
extern const struct wl_preset_row wl_nr_fr1[];
extern const struct wl_preset_row wl_nr_fr1_up[];
extern const struct wl_preset_row wl_nr_fr1_edge[];
extern const struct wl_preset_row wl_nr_fr1_edge_up[];
extern const struct wl_preset_row wl_nr_sa_tdd[];
extern const struct wl_preset_row wl_nr_sa_tdd_up[];
extern const struct wl_preset_row wl_starlink[];
extern const struct wl_preset_row wl_5qi_1[];
extern const struct wl_preset_row wl_5qi_2[];
extern const struct wl_preset_row wl_5qi_3[];
extern const struct wl_preset_row wl_5qi_4[];
extern const struct wl_preset_row wl_5qi_5[];
extern const struct wl_preset_row wl_5qi_6[];
extern const struct wl_preset_row wl_5qi_7[];
extern const struct wl_preset_row wl_5qi_8[];
extern const struct wl_preset_row wl_5qi_9[];

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
