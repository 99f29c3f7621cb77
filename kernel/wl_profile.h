/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PROFILE_H
#define _WL_PROFILE_H

/*
 * Profiles that a qdisc keeps. A configuration refers to one and is copied freely;
 * so nobody counts references: what no configuration refers to any more is found
 * and freed after changes.
 */
#include <linux/types.h>

#include "core/wl_cfg.h"

struct Qdisc;
struct wl_sched;

/**
 * struct wl_kept_profile - a profile of a qdisc; never changes
 * @next: next one of the same qdisc
 * @known: a configuration refers to it; for wl_profile_sweep()
 * @name: what the user calls it
 * @profile: its rows; struct wl_cfg points here
 */
struct wl_kept_profile {
	struct wl_kept_profile *next;
	bool known;
	char name[WLINK_PROFILE_NAME_MAX + 1];
	struct wl_profile profile;
};

/**
 * wl_profile_new() - room for a profile that nobody keeps yet
 * @rows: how many rows it will have, at least one
 *
 * Return: zeroed but for its count of rows, or NULL; wl_profile_keep() or
 * kvfree() must follow.
 */
struct wl_kept_profile *wl_profile_new(u32 rows);

/**
 * wl_profile_keep() - keep a profile, or find that an equal one is there
 * @profiles: those of the qdisc; under RTNL and the mutex of its notes, or
 *	nobody knows the qdisc
 * @kept: complete; belongs to the qdisc or is freed, and is not to be used again
 *
 * Return: what a configuration is to refer to. It stays until a
 * wl_profile_sweep() finds that none does.
 */
const struct wl_profile *wl_profile_keep(struct wl_kept_profile **profiles,
					 struct wl_kept_profile *kept);

/**
 * wl_profile_name() - name of a profile
 * @profile: of a configuration, not NULL
 *
 * Return: text.
 */
const char *wl_profile_name(const struct wl_profile *profile);

/**
 * wl_profile_in_force() - show the AQM that the profile has put in force
 * @cfg: what a bearer has been asked for; what it does is what is shown, where its
 *	profile is in force
 * @now: what it does; a schedule may have another rate than @cfg
 */
static inline void wl_profile_in_force(struct wl_cfg *cfg,
				       const struct wl_cfg *now)
{
	if (cfg->profile && cfg->profile == now->profile)
		cfg->aqm = now->aqm;
}

/**
 * wl_profile_bytes() - memory of all profiles
 * @q: qdisc; under RTNL
 *
 * Return: bytes.
 */
u64 wl_profile_bytes(const struct wl_sched *q);

/**
 * wl_profile_sweep() - free the profiles that no configuration refers to
 * @sch: a wlink qdisc; under RTNL and the mutex of its notes, without the root
 *	qdisc lock; may sleep
 *
 * To be called after each change, whether it has been refused or not, and after
 * a class has been deleted.
 */
void wl_profile_sweep(struct Qdisc *sch);

/**
 * wl_profile_free_all() - free all profiles
 * @q: qdisc whose engine is used no longer; zeroed where it was never made
 */
void wl_profile_free_all(struct wl_sched *q);

#endif
