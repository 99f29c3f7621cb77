/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_OPTIONS_H
#define _WL_NETLINK_OPTIONS_H

#include <linux/netlink.h>
#include <net/netlink.h>

#include "../core/config/cfg.h"

struct wl_kept;

/**
 * struct wl_options_said - what a message says that is not in a configuration
 * @fresh: set by the caller: it is about what is new: AT is for a link only, and an AQM of
 *	its own takes the place of the profile that @cfg begins with
 * @get_3gpp: set by the caller: wl_3gpp_get() where wlink_3gpp is a module, else NULL
 * @has_3gpp: set by the caller: what it is told
 * @reseed: there is a seed
 * @at: AT, or NULL
 */
struct wl_options_said {
	bool fresh;
	bool (*get_3gpp)(bool *held);
	bool *has_3gpp;
	bool reseed;
	struct nlattr *at;
};

static inline bool wl_at_is_time(u64 at_ns)
{
	return at_ns != WLINK_AT_NOW && at_ns != WLINK_AT_NEXT;
}

/**
 * wl_options_parse() - change a configuration as a message says
 * @cfg: a copy of the one in force, or the default; of no use after an error. Attributes
 *	that are absent leave their parameter as it is
 * @kept: profiles and distributions of the qdisc; one may be added, whether
 *	the message is refused or not, so that wl_kept_sweep() must follow.
 *	Under RTNL
 * @classid: of the bearer's class; 1:1 stands for the qdisc as well, and only
 *	there the link's parameters can be changed
 * @opt: TCA_OPTIONS, or WLINK_PART_OPTIONS; may be NULL
 * @said: set, but for what the caller sets
 * @extack: says what is wrong: attribute, value and bound
 *
 * Before a word of LTE or NR is looked at the module that has it is loaded.
 *
 * Return: 0 with a checked configuration in @cfg, or a negative errno.
 */
int wl_options_parse(struct wl_cfg *cfg, struct wl_kept **kept,
		     u32 classid, struct nlattr *opt, struct wl_options_said *said,
		     struct netlink_ext_ack *extack);

/**
 * wl_options_put() - write a configuration
 * @skb: message
 * @cfg: configuration; under RTNL, for its profile
 * @classid: of the bearer's class, as for wl_options_parse()
 *
 * It parses to itself but for the rows of a profile, which it has not: two dumps and
 * their statistics have to fit into one notification.
 *
 * Return: the length of the message, or -EMSGSIZE.
 */
int wl_options_put(struct sk_buff *skb, const struct wl_cfg *cfg, u32 classid);

#endif
