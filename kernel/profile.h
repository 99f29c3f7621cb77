/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PROFILE_H
#define _WL_PROFILE_H

/*
 * Profiles that a qdisc keeps. A configuration refers to one and is copied freely;
 * so there is no reference count: after each change, profiles that no configuration
 * refers to are found and freed.
 */
#include <linux/types.h>

#include "core/config/cfg.h"

struct Qdisc;
struct netlink_ext_ack;
struct nlattr;
struct sk_buff;
struct wl_nest;
struct wl_sched;

extern const struct wl_nest wl_nest_profile;

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
 * wl_profile_kept() - what is around the rows of a profile
 * @profile: of a configuration
 *
 * Rows never change; what is around them belongs to the qdisc.
 *
 * Return: the kept profile.
 */
static inline
struct wl_kept_profile *wl_profile_kept(const struct wl_profile *profile)
{
	return container_of((struct wl_profile *)profile,
			    struct wl_kept_profile, profile);
}

/**
 * wl_profile_name() - name of a profile
 * @profile: of a configuration, not NULL
 *
 * Return: text.
 */
const char *wl_profile_name(const struct wl_profile *profile);

/**
 * wl_profile_parse() - attach a profile, or let go of it
 * @cfg: whole configuration; the AQM does not follow yet
 * @profiles: of the qdisc, see wl_options_parse()
 * @attr: nest of wl_nest_profile, judged; NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_profile_parse(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
		     struct nlattr *attr, struct netlink_ext_ack *extack);

/* What wl_profile_put() needs at most: a row has 18 numbers. */
#define WL_PROFILE_PUT_BYTES	(512 + WLINK_PROFILE_ROWS_MAX * 18 * 16)

/**
 * wl_profile_put() - write a profile
 * @skb: message
 * @type: attribute to nest it in
 * @profile: profile, or NULL for none
 * @rows: with its rows, not only its name
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_profile_put(struct sk_buff *skb, int type,
		   const struct wl_profile *profile, bool rows);

/**
 * wl_profile_bytes() - memory of all profiles
 * @q: qdisc; under RTNL
 *
 * Return: bytes.
 */
u64 wl_profile_bytes(const struct wl_sched *q);

/**
 * wl_profile_sweep() - free the profiles that no configuration refers to
 * @sch: a wlink qdisc; under RTNL, without the root qdisc lock; may sleep
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
