/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_DUMP_H
#define _WL_DUMP_H

#include "../glue.h"

/**
 * wl_dump_options() - write what a class is configured to
 * @skb: message
 * @cl: class; under RTNL
 *
 * Return: the length of the message, or -EMSGSIZE.
 */
int wl_dump_options(struct sk_buff *skb, const struct wl_class *cl);

/**
 * wl_dump_class() - see dump() of struct Qdisc_class_ops
 * @sch: a wlink qdisc; under RTNL
 * @arg: class
 * @skb: message
 * @tcm: its header
 *
 * Return: the length of the message, or -EMSGSIZE.
 */
int wl_dump_class(struct Qdisc *sch, unsigned long arg, struct sk_buff *skb, struct tcmsg *tcm);

/**
 * wl_dump_class_stats() - see dump_stats() of struct Qdisc_class_ops
 * @sch: a wlink qdisc; under RTNL
 * @arg: class
 * @d: message
 *
 * Return: 0 or -1.
 */
int wl_dump_class_stats(struct Qdisc *sch, unsigned long arg, struct gnet_dump *d);

/**
 * wl_dump_notify() - notify RTNLGRP_TC that a class has been changed
 * @cl: class; under RTNL
 *
 * For changes by generic netlink; the kernel notifies of changes by rtnetlink.
 */
void wl_dump_notify(struct wl_class *cl);

#endif
