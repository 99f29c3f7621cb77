/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PLAY_MESSAGE_H
#define _WL_PLAY_MESSAGE_H

#include "wl_qdisc.h"

/**
 * wl_play_message() - do what TCA_WLINK_PLAY says
 * @sch: a wlink qdisc; under RTNL, the mutex of its notes is held
 * @cl: class
 * @attr: TCA_WLINK_PLAY that wl_netlink_validate() has passed
 * @extack: says what is wrong
 *
 * wl_memory_finish() must follow.
 *
 * Return: 0 or a negative errno, with nothing changed.
 */
int wl_play_message(struct Qdisc *sch, struct wl_class *cl,
		    struct nlattr *attr, struct netlink_ext_ack *extack);

#endif
