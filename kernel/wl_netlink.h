/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_H
#define _WL_NETLINK_H

#include <linux/netlink.h>

#include "core/wl_cfg.h"

/**
 * wl_netlink_parse() - change a configuration as a message says
 * @cfg: the one in force or the default; changed only on success. Attributes
 *	that are absent leave their parameter as it is
 * @classid: of the bearer's class; 1:1 stands for the qdisc as well, and only
 *	there the link's parameters can be changed
 * @opt: TCA_OPTIONS, may be NULL
 * @reseed: set to whether a seed was given
 * @extack: says what is wrong: attribute, value and bound
 *
 * Return: 0 with a checked configuration in @cfg, or a negative errno.
 */
int wl_netlink_parse(struct wl_cfg *cfg, u32 classid, struct nlattr *opt,
		     bool *reseed, struct netlink_ext_ack *extack);

/**
 * wl_netlink_dump() - write a configuration so that it parses to itself
 * @skb: message
 * @cfg: configuration
 * @classid: of the bearer's class, as for wl_netlink_parse()
 *
 * Return: the length of the message, or -EMSGSIZE.
 */
int wl_netlink_dump(struct sk_buff *skb, const struct wl_cfg *cfg, u32 classid);

#endif
