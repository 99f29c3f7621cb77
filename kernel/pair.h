/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PAIR_H
#define _WL_PAIR_H

#include "glue.h"

/**
 * wl_pair_join() - make two qdiscs the two directions of one link
 * @a: a wlink qdisc; under RTNL
 * @b: another
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno.
 */
int wl_pair_join(struct Qdisc *a, struct Qdisc *b, struct netlink_ext_ack *extack);

/**
 * wl_pair_part() - end the pair of a qdisc
 * @sch: a wlink qdisc; under RTNL
 *
 * Both get a way back of their own again.
 *
 * Return: whether there was one.
 */
bool wl_pair_part(struct Qdisc *sch);

/**
 * wl_pair_mute() - the other qdisc of a pair is not to touch a qdisc any more
 * @q: qdisc that goes; its timers may still run, and speak to the other one
 */
void wl_pair_mute(struct wl_sched *q);

/**
 * wl_pair_leave() - a qdisc leaves its pair
 * @q: qdisc whose root qdisc lock is held, or that nobody uses and no timer of which runs
 */
void wl_pair_leave(struct wl_sched *q);

/**
 * wl_pair_send() - see feedback() of struct wl_link_ops
 * @link: engine; its root qdisc lock is held
 * @message: message
 *
 * Return: false where there is no other qdisc any more.
 */
bool wl_pair_send(struct wl_link *link, const struct wl_message *message);

/**
 * wl_pair_read() - give the engine what the other qdisc has sent
 * @q: qdisc of a pair; its root qdisc lock is held
 */
void wl_pair_read(struct wl_sched *q);

/**
 * wl_pair_waits() - whether there is something to be read
 * @q: qdisc of a pair; its root qdisc lock is held
 *
 * Return: whether there is.
 */
bool wl_pair_waits(const struct wl_sched *q);

#endif
