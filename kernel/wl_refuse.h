/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_REFUSE_H
#define _WL_REFUSE_H

#include <linux/netlink.h>

#include "core/wl_cfg.h"

/**
 * wl_refuse() - say which value is outside which bounds
 * @why: value and bounds
 * @extack: says so
 * @where: what the value belongs to, with a colon and a space at its end, or
 *	empty; a row of a profile says where it is by itself
 *
 * Return: -ERANGE.
 */
__printf(3, 4)
int wl_refuse(const struct wl_refusal *why, struct netlink_ext_ack *extack,
	      const char *where, ...);

/**
 * wl_refuse_time() - refuse a time that has passed, or is too far ahead
 * @name: of the attribute
 * @attr: the attribute
 * @at_ns: its value, CLOCK_MONOTONIC
 * @now_ns: now
 * @extack: says what is wrong
 *
 * Return: 0 or -ERANGE.
 */
int wl_refuse_time(const char *name, const struct nlattr *attr, u64 at_ns,
		   u64 now_ns, struct netlink_ext_ack *extack);

#endif
