/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_IMPAIR_H
#define _WL_NETLINK_IMPAIR_H

#include <linux/netlink.h>
#include <net/netlink.h>

#include "../core/config/cfg.h"

struct wl_kept;

/**
 * wl_impair_parse() - read what may happen to SDUs behind the receiver
 * @cfg: changed as the nests say
 * @list: what the qdisc keeps, see wl_options_parse()
 * @jitter: nest of wl_nest_jitter, judged; NULL for no change
 * @impair: nest of wl_nest_impair, judged; NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_impair_parse(struct wl_impair_cfg *cfg, struct wl_kept **list,
		    struct nlattr *jitter, struct nlattr *impair,
		    struct netlink_ext_ack *extack);

/**
 * wl_impair_put() - write it, but for the points of a distribution
 * @skb: message
 * @cfg: configuration; under RTNL
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_impair_put(struct sk_buff *skb, const struct wl_impair_cfg *cfg);

#endif
