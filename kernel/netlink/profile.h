/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_PROFILE_H
#define _WL_NETLINK_PROFILE_H

#include <linux/netlink.h>
#include <net/netlink.h>

#include "../core/config/cfg.h"

struct wl_kept;

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
 * @list: what the qdisc keeps, see wl_options_parse()
 * @attr: nest of wl_nest_profile, judged; NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_profile_parse(struct wl_cfg *cfg, struct wl_kept **list,
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

#endif
