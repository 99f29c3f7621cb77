/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CHANGE_H
#define _WL_CHANGE_H

#include "wl_qdisc.h"

/**
 * wl_change() - do what a message says, as a whole
 * @sch: a wlink qdisc; under RTNL
 * @cl: class that the message names, 1:1 for the qdisc
 * @qdisc: it is one for the qdisc
 * @opt: TCA_OPTIONS, NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno, with nothing changed.
 */
int wl_change(struct Qdisc *sch, struct wl_class *cl, bool qdisc,
	      struct nlattr *opt, struct netlink_ext_ack *extack);

/**
 * wl_change_refuse_new() - refuse what a new qdisc or class cannot be told
 * @opt: TCA_OPTIONS, may be NULL
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_change_refuse_new(struct nlattr *opt, struct netlink_ext_ack *extack);

#endif
