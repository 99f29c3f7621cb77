/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CHANGE_H
#define _WL_CHANGE_H

#include "notify.h"
#include "qdisc.h"

/**
 * struct wl_change - configurations of bearers that take effect together
 * @notice: that they have, or never will
 * @pending: for the engine
 * @received_ns: when the message came
 * @cookie: its number on the link
 * @of_link: it changes what is the link's: tti, seed, sched
 * @part: @pending's
 */
struct wl_change {
	struct wl_notice notice;
	struct wl_pending pending;
	u64 received_ns;
	u64 cookie;
	bool of_link;
	struct wl_pending_part part[];
};

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
 * wl_change_guarantees() - judge what is guaranteed to all bearers together
 * @q: qdisc; under RTNL
 * @change: a change to be, NULL for none
 * @added: configuration of a class to be, NULL for none
 * @extack: says what is wrong
 *
 * Return: 0 or -ERANGE.
 */
int wl_change_guarantees(struct wl_sched *q, const struct wl_change *change,
			 const struct wl_cfg *added, struct netlink_ext_ack *extack);

/**
 * wl_change_next() - the next change that waits
 * @cl: class, or one to be; wl_tree_lock() is held
 * @pending: the one before it, NULL for the first
 * @cfg: what the class is configured to before it; set to what it is afterwards
 * @concerns: set to whether that is something else
 *
 * To be called after wl_walk_on(): its parts are counted by wl_look().
 *
 * Return: change, or NULL.
 */
const struct wl_pending *wl_change_next(const struct wl_class *cl,
					const struct wl_pending *pending,
					struct wl_cfg *cfg, bool *concerns);

/**
 * wl_change_each() - look at the configurations of all changes that wait
 * @sch: a wlink qdisc; under wl_tree_lock(), which is let go of now and then
 * @see: what to do with each of them
 *
 * Where one takes effect meanwhile, the rest of it is passed over: bearers have it.
 */
void wl_change_each(struct Qdisc *sch, void (*see)(const struct wl_cfg *cfg));

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
 * wl_change_free() - free a change that the engine has no pointer to
 * @change: change
 */
void wl_change_free(struct wl_change *change);

/**
 * wl_change_destroy() - free what waits
 * @q: qdisc whose engine is used no longer
 */
void wl_change_destroy(struct wl_sched *q);

#endif
