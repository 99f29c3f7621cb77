/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_ACCESS_H
#define _WL_ACCESS_H

#include "../types.h"

/**
 * wl_access_ask() - a bearer with access has something to send
 * @b: bearer
 * @now_ns: now
 *
 * Return: whether it may; where it may not it has an event at b->access.next_ns.
 */
bool wl_access_ask(struct wl_bearer *b, u64 now_ns);

/**
 * wl_access_report() - a first grant did not suffice
 * @b: bearer with something left to send
 * @now_ns: start of the TTI that carried it, with the buffer status report
 */
void wl_access_report(struct wl_bearer *b, u64 now_ns);

/**
 * wl_access_idle() - a bearer with access has nothing to send
 * @b: bearer; where its buffer is not empty, as in a window that is full, it keeps its
 *	grant
 */
void wl_access_idle(struct wl_bearer *b);

/**
 * wl_access_reset() - a bearer with something to send has a grant, its receiver listens
 * @b: bearer
 * @now_ns: from now on
 */
void wl_access_reset(struct wl_bearer *b, u64 now_ns);

/**
 * wl_access_event() - a wait is over, or the receiver goes to sleep
 * @b: bearer; whether it may send now is to be looked at
 * @now_ns: b->access.next_ns
 */
void wl_access_event(struct wl_bearer *b, u64 now_ns);

/**
 * wl_access_configure() - b->cfg has just changed
 * @b: bearer; whether it may send now is to be looked at
 * @now_ns: when
 * @old: configuration before it, NULL for none
 *
 * Where access has changed a bearer with something to send has a grant from now on.
 */
void wl_access_configure(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old);

#endif
