/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CHANGE_H
#define _WL_CHANGE_H

#include "../glue.h"

/**
 * wl_change() - do what a message of tc says, as a whole
 * @sch: a wlink qdisc; under RTNL
 * @cl: class that the message names, 1:1 for the qdisc
 * @opt: TCA_OPTIONS, NULL for no change
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno, with nothing changed.
 */
int wl_change(struct Qdisc *sch, struct wl_class *cl, struct nlattr *opt,
	      struct netlink_ext_ack *extack);

/**
 * wl_change_set() - do what WLINK_CMD_SET says, as a whole
 * @sch: a wlink qdisc; under RTNL
 * @nlh: the message, with its WLINK_A_PARTs
 * @at: WLINK_A_AT, or NULL
 * @result: set
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno, with nothing changed.
 */
int wl_change_set(struct Qdisc *sch, const struct nlmsghdr *nlh,
		  const struct nlattr *at, struct wl_change_result *result,
		  struct netlink_ext_ack *extack);

/**
 * wl_change_put() - write cookie, time of the request and bearers of a change
 * @skb: message
 * @change: change
 * @bearers: write so many at most
 *
 * Return: 0 or -EMSGSIZE.
 */
int wl_change_put(struct sk_buff *skb, const struct wl_change *change, u32 bearers);

/**
 * wl_change_put_next() - write about the next change that waits
 * @skb: message
 * @sch: a wlink qdisc; under RTNL
 * @after: cookie of the one before it; set to its own
 *
 * Return: 0, -ENODATA where there is none, or -EMSGSIZE.
 */
int wl_change_put_next(struct sk_buff *skb, struct Qdisc *sch, u64 *after);

/**
 * wl_change_cancel() - take back all that waits and has not begun
 * @sch: a wlink qdisc; under RTNL
 *
 * Return: how many changes.
 */
u32 wl_change_cancel(struct Qdisc *sch);

/**
 * wl_change_applied() - the engine has put a change in force
 * @link: link; the root qdisc lock is held
 * @pending: of a struct wl_change
 * @at_ns: when
 */
void wl_change_applied(struct wl_link *link, struct wl_pending *pending, u64 at_ns);

/**
 * wl_change_destroy() - free what waits
 * @q: qdisc whose engine is used no longer
 */
void wl_change_destroy(struct wl_sched *q);

#endif
