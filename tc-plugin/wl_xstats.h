/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_XSTATS_H
#define _WL_XSTATS_H

/* Statistics of a link: reading TCA_STATS_APP, printing. */

#include "wl_show.h"

/**
 * struct wl_xstats - what a link or a bearer has counted
 * @value: by TCA_WLINK_XSTATS_*; 0 where the kernel sends none
 * @late_bins: histogram of the lateness
 * @why_bins: histograms of the parts of the delay, by enum wlink_why; all
 *	divided by one power of 2 once any would not fit in 32 bits
 * @aqm: kind of the AQM, enum wlink_aqm; who decodes says which, for the state
 *	and the level say something only together with it
 */
struct wl_xstats {
	uint64_t value[TCA_WLINK_XSTATS_MAX + 1];
	uint64_t late_bins[WLINK_LATE_BINS];
	uint64_t why_bins[__WLINK_WHY_MAX][WLINK_LATE_BINS];
	uint64_t aqm;
};

/**
 * wl_xstats_decode() - read statistics from attributes
 * @stats: result
 * @buf: payload of TCA_STATS_APP
 * @len: its bytes
 */
void wl_xstats_decode(struct wl_xstats *stats, const void *buf, size_t len);

/**
 * wl_xstats_aqm_state() - what an AQM is at
 * @stats: statistics
 *
 * Return: "idle", "measure", "hold" or "dropping", "none" of an AQM that has no
 * state.
 */
const char *wl_xstats_aqm_state(const struct wl_xstats *stats);

/**
 * wl_xstats_play_state() - where the schedule is
 * @stats: statistics
 *
 * Return: "none", "loaded", "waits", "plays" or "holds".
 */
const char *wl_xstats_play_state(const struct wl_xstats *stats);

/**
 * wl_xstats_late_below() - a quantile of the lateness, from the histogram
 * @stats: statistics
 * @percent: which, 1..100
 *
 * Return: ns; at least @percent of the hand-overs were at most this late.
 */
uint64_t wl_xstats_late_below(const struct wl_xstats *stats,
			      unsigned int percent);

/**
 * wl_xstats_why() - a quantile of a part of the delay, from its histogram
 * @stats: statistics
 * @why: which part
 * @percent: which quantile, 1..100
 *
 * Inside a bin the values are taken as evenly spread.
 *
 * Return: ns; 0 where nothing was delivered.
 */
uint64_t wl_xstats_why(const struct wl_xstats *stats, enum wlink_why why,
		       unsigned int percent);

/**
 * wl_xstats_text() - write statistics for a reader
 * @f: where to
 * @stats: statistics
 * @eol: what ends a line; the last line is left open
 */
void wl_xstats_text(FILE *f, const struct wl_xstats *stats, const char *eol);

/**
 * wl_xstats_json() - write statistics as members of the open object
 * @json: where to
 * @stats: statistics
 */
void wl_xstats_json(const struct wl_json *json, const struct wl_xstats *stats);

#endif
