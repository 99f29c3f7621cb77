/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_KEPT_H
#define _WL_KEPT_H

/*
 * Profiles and distributions that a qdisc keeps. A configuration refers to one and is
 * copied freely; so there is no reference count: after each change, what no configuration
 * refers to is found and freed.
 */
#include <linux/types.h>

#include "../core/config/cfg.h"

enum wl_kept_kind {
	WL_KEPT_PROFILE,
	WL_KEPT_DIST,
};

/**
 * struct wl_kept - a profile or a distribution of a qdisc; never changes
 * @next: next one of the same qdisc
 * @bytes: of this allocation
 * @known: a configuration refers to it; for wl_kept_sweep()
 * @kind: which of the two it is
 * @name: what the user calls it; of a distribution that of its table, empty for none
 * @profile: rows; struct wl_cfg points here
 * @dist: points; struct wl_cfg points here
 */
struct wl_kept {
	struct wl_kept *next;
	u32 bytes;
	bool known;
	/* From here on two are compared; what is not used is 0. */
	u32 kind;
	char name[WLINK_PROFILE_NAME_MAX + 1];
	union {
		struct wl_profile profile;
		struct wl_dist dist;
	};
};

/**
 * wl_kept_profile() - what is around the rows of a profile
 * @profile: of a configuration
 *
 * Return: the kept profile.
 */
static inline struct wl_kept *wl_kept_profile(const struct wl_profile *profile)
{
	return container_of((struct wl_profile *)profile, struct wl_kept, profile);
}

/**
 * wl_kept_dist() - what is around the points of a distribution
 * @dist: of a configuration
 *
 * Return: the kept distribution.
 */
static inline struct wl_kept *wl_kept_dist(const struct wl_dist *dist)
{
	return container_of((struct wl_dist *)dist, struct wl_kept, dist);
}

/**
 * wl_kept_new() - memory for one
 * @kind: what it will be
 * @bytes: with all rows or points
 *
 * Return: zeroed but for its size and kind, NULL for no memory.
 */
struct wl_kept *wl_kept_new(enum wl_kept_kind kind, size_t bytes);

/**
 * wl_kept_add() - keep one, or free it where an equal one is there
 * @list: of a qdisc
 * @kept: of wl_kept_new()
 *
 * Return: the one that is kept.
 */
struct wl_kept *wl_kept_add(struct wl_kept **list, struct wl_kept *kept);

#endif
