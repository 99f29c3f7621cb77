/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_POINTS_H
#define _WL_POINTS_H

/*
 * Distributions as points of their distribution function, which is all that the kernel
 * knows of them.
 *
 * Between points the function is linear. They are 16 octaves of 8 towards both ends, or of 16
 * towards the one that has a tail: no point's probability is wrong, and none between two is by more
 * than 0.0006. What has less than 2^-18 of the probability is cut off. Where there is one
 * tail the values are scaled, by less than 0.2 %, so that the mean is the one that was asked
 * for.
 */

#include <stdint.h>

#include <linux/pkt_sch_wlink.h>

/**
 * struct wl_points - a distribution
 * @name: of the file that it is from, empty for none
 * @unit_ns: what the value of a point counts
 * @count: points
 * @point: they
 */
struct wl_points {
	char name[WLINK_JITTER_NAME_MAX + 1];
	uint64_t unit_ns;
	uint32_t count;
	struct wlink_point point[WLINK_POINTS_MAX];
};

/**
 * wl_points_add() - one more point, behind the others
 * @points: has room for it
 * @cum: probability of less, 0..1
 * @above: the same of more, where that is the more exact of the two
 * @value: ns, at most @points->unit_ns times 2^32 - 1; below 0 counts as 0
 */
void wl_points_add(struct wl_points *points, double cum, double above, double value);

/**
 * wl_points_unit() - set the unit
 * @points: without points
 * @most: greatest value in ns
 */
void wl_points_unit(struct wl_points *points, double most);

/**
 * wl_points_make() - a distribution from its name
 * @points: set
 * @dist: not WLINK_DIST_TABLE
 * @mean_ns: its mean, not 0
 * @dev_ns: its standard deviation; not looked at where it follows from the mean
 *
 * Return: NULL, or what is wrong, after the word of @dev_ns or about all of it.
 */
const char *wl_points_make(struct wl_points *points, enum wlink_dist dist,
			   uint64_t mean_ns, uint64_t dev_ns);

#endif
