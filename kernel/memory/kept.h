/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_KEPT_OF_QDISC_H
#define _WL_KEPT_OF_QDISC_H

#include "../netlink/kept.h"
#include "../glue.h"

/**
 * wl_kept_bytes() - memory of all profiles and distributions
 * @q: qdisc; under RTNL
 *
 * Return: bytes.
 */
u64 wl_kept_bytes(struct wl_sched *q);

/**
 * wl_kept_sweep() - free the profiles and distributions that no configuration refers to
 * @sch: a wlink qdisc; under RTNL, without the root qdisc lock; may sleep
 *
 * To be called after each change, whether it has been refused or not, and after
 * a class has been deleted.
 */
void wl_kept_sweep(struct Qdisc *sch);

/**
 * wl_kept_free_all() - free all profiles and distributions
 * @q: qdisc whose engine is used no longer; zeroed where it was never made
 */
void wl_kept_free_all(struct wl_sched *q);

#endif
