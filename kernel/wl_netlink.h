/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_H
#define _WL_NETLINK_H

#include <linux/netlink.h>
#include <net/netlink.h>

#include "core/wl_cfg.h"

struct wl_kept_profile;

/* For nla_parse_nested() of what wl_netlink_validate() has passed. */
extern const struct nla_policy wl_nl_bearer_policy[TCA_WLINK_BEARER_MAX + 1];
extern const struct nla_policy wl_nl_play_policy[TCA_WLINK_PLAY_MAX + 1];

/**
 * wl_netlink_validate() - judge the form of a whole message
 * @opt: TCA_OPTIONS, may be NULL
 * @tb: set, TCA_WLINK_MAX + 1 of them; of TCA_WLINK_BEARER, which may be there
 *	more than once, the last
 * @extack: says what is wrong: attribute, value and bound
 *
 * To be called once, before anything is done. It goes into all nests:
 * BEARER and PLAY have what they need, the options of a bearer have neither AT,
 * COOKIE, BEARER nor PLAY, and PLAY stands alone.
 *
 * Return: 0 or a negative errno.
 */
int wl_netlink_validate(struct nlattr *opt, struct nlattr **tb,
			struct netlink_ext_ack *extack);

/**
 * wl_netlink_parse() - change a configuration as a message says
 * @cfg: the one in force or the default; changed only on success. Attributes
 *	that are absent leave their parameter as it is
 * @profiles: those of the qdisc, wl_sched.profiles; one may be added, whether
 *	the message is refused or not, so that wl_profile_sweep() must follow.
 *	Under RTNL and the mutex of the notes, or nobody knows the qdisc
 * @classid: of the bearer's class; 1:1 stands for the qdisc as well, and only
 *	there the link's parameters can be changed
 * @opt: TCA_OPTIONS, or TCA_WLINK_BEARER_OPTIONS, or a copy of either; may be
 *	NULL. AT, COOKIE, BEARER and PLAY in it are not looked at
 * @reseed: set to whether a seed was given
 * @extack: says what is wrong: attribute, value and bound
 *
 * The same options may be parsed several times, from several configurations on.
 *
 * Return: 0 with a checked configuration in @cfg, or a negative errno.
 */
int wl_netlink_parse(struct wl_cfg *cfg, struct wl_kept_profile **profiles,
		     u32 classid, struct nlattr *opt, bool *reseed,
		     struct netlink_ext_ack *extack);

/**
 * wl_netlink_dump() - write a configuration
 * @skb: message
 * @cfg: configuration; under RTNL, for its profile
 * @classid: of the bearer's class, as for wl_netlink_parse()
 *
 * It parses to itself, but that of TCA_WLINK_PROFILE and TCA_WLINK_AQM, which is
 * there in any case, only the first is to be given back. The rows of a profile are
 * left out where the message has no room for them.
 *
 * Return: the length of the message, or -EMSGSIZE.
 */
int wl_netlink_dump(struct sk_buff *skb, const struct wl_cfg *cfg, u32 classid);

#endif
