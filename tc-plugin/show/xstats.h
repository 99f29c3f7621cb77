/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_XSTATS_H
#define _WL_XSTATS_H

/* Statistics of a link: reading TCA_STATS_APP, printing. */

#include "show/show.h"

/**
 * struct wl_xstats - what a link or a bearer has counted
 * @value: by enum wlink_stat; 0 where the kernel sends none
 * @has_bins: the histograms are there
 * @late_bins: histogram of the lateness
 * @why_bins: histograms of the parts of the delay, by enum wlink_why
 * @aqm: kind of the AQM, enum wlink_aqm; who decodes says which, for the state
 *	and the level say something only together with it
 */
struct wl_xstats {
	uint64_t value[__WLINK_STAT_MAX];
	bool has_bins;
	uint64_t late_bins[WLINK_LATE_BINS];
	uint64_t why_bins[__WLINK_WHY_MAX][WLINK_LATE_BINS];
	uint64_t aqm;
};

/**
 * wl_xstats_decode() - read statistics of a dump
 * @stats: result
 * @buf: payload of TCA_STATS_APP
 * @len: its bytes
 */
void wl_xstats_decode(struct wl_xstats *stats, const void *buf, size_t len);

/**
 * wl_xstats_decode_all() - read statistics and histograms
 * @stats: result
 * @buf: attributes of the answer to WLINK_CMD_GET
 * @len: their bytes
 */
void wl_xstats_decode_all(struct wl_xstats *stats, const void *buf, size_t len);

/**
 * wl_xstats_aqm_state() - what an AQM is at
 * @stats: statistics
 *
 * Return: "idle", "measure", "hold" or "dropping", "none" of an AQM that has no
 * state.
 */
const char *wl_xstats_aqm_state(const struct wl_xstats *stats);

/**
 * wl_xstats_schedule_state() - where the schedule is
 * @stats: statistics
 *
 * Return: "none", "loaded", "waits", "plays" or "holds".
 */
const char *wl_xstats_schedule_state(const struct wl_xstats *stats);

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
 * wl_xstats_json() - write statistics as members of the open object; histograms and
 *	what is computed from them where they are there
 * @json: where to
 * @stats: statistics
 */
void wl_xstats_json(const struct wl_json *json, const struct wl_xstats *stats);

#endif
