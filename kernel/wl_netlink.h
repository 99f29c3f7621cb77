/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NETLINK_H
#define _WL_NETLINK_H

#include <linux/netlink.h>

#include "core/wl_cfg.h"

/**
 * wl_netlink_parse() - change a configuration as a message says
 * @cfg: the one in force or the default; changed only on success. Attributes
 *	that are absent leave their parameter as it is
 * @opt: TCA_OPTIONS, may be NULL
 * @reseed: set to whether a seed was given
 * @extack: says what is wrong: attribute, value and bound
 *
 * Return: 0 with a checked configuration in @cfg, or a negative errno.
 */
int wl_netlink_parse(struct wl_cfg *cfg, struct nlattr *opt, bool *reseed,
		     struct netlink_ext_ack *extack);

/**
 * wl_netlink_dump() - write a configuration so that it parses to itself
 * @skb: message
 * @cfg: configuration
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_netlink_dump(struct sk_buff *skb, const struct wl_cfg *cfg);

#endif
