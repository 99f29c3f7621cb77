/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_BYPASS_H
#define _WL_BYPASS_H

#include "wl_qdisc.h"

/*
 * A link that neither delays nor loses anything need not be asked: the kernel
 * hands packets to the device by itself as long as none waits
 * (TCQ_F_CAN_BYPASS). They are counted when somebody looks. Where somebody may
 * see more of a packet than that it came, all of them go through the engine:
 * while the tracepoint wlink_sdu is in use, there is a filter, a second bearer, a
 * schedule or a change that waits.
 */

/**
 * wl_bypass_init() - before the qdisc can be asked
 * @q: qdisc; zeroed but for sch
 */
void wl_bypass_init(struct wl_sched *q);

/**
 * wl_bypass_destroy() - the qdisc is asked no more; may sleep
 * @q: qdisc
 */
void wl_bypass_destroy(struct wl_sched *q);

/**
 * wl_bypass_configured() - what the link does may have changed
 * @q: qdisc; the root qdisc lock is held
 */
void wl_bypass_configured(struct wl_sched *q);

/**
 * wl_bypass_begin() - from now on the kernel need not ask, if that may be
 * @q: qdisc that holds nothing, in dequeue()
 */
void wl_bypass_begin(struct wl_sched *q);

/**
 * wl_bypass_end() - the kernel has to ask from now on
 * @q: qdisc; its own lock is held
 */
void wl_bypass_end(struct wl_sched *q);

/**
 * wl_bypass_count() - count what the engine has not been asked about
 * @q: qdisc; the root qdisc lock is held
 */
void wl_bypass_count(struct wl_sched *q);

/**
 * wl_bypass_watch() - somebody is about to see each packet; of the tracepoint
 *
 * Return: 0.
 */
int wl_bypass_watch(void);

/**
 * wl_bypass_unwatch() - nobody does any more
 */
void wl_bypass_unwatch(void);

#endif
