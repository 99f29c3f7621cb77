/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_DRX_H
#define _WL_DRX_H

#include "../types.h"

/**
 * wl_drx_reach_ns() - when a receiver that may sleep can be sent to
 * @b: bearer with nothing to send until now
 * @now_ns: now
 * @tti_ns: first start of a TTI that there could be, whichever way it goes
 *
 * Return: time; the first start of an own TTI or before where it need not wait.
 */
u64 wl_drx_reach_ns(const struct wl_bearer *b, u64 now_ns, u64 tti_ns);

/**
 * wl_drx_wake() - the receiver is awake, as long as there is something to send
 * @b: bearer
 * @now_ns: now
 */
void wl_drx_wake(struct wl_bearer *b, u64 now_ns);

/**
 * wl_drx_rest() - there is nothing left to send, its timers begin
 * @b: bearer
 * @from_ns: when
 *
 * Return: when the first of them expires, WL_NEVER_NS for none.
 */
u64 wl_drx_rest(struct wl_bearer *b, u64 from_ns);

/**
 * wl_drx_go_on() - there is nothing left to send to a receiver that was not reached
 * @b: bearer
 * @now_ns: now
 *
 * Return: when the next of the timers that began before expires, now for one that has
 * meanwhile; WL_NEVER_NS for none.
 */
u64 wl_drx_go_on(const struct wl_bearer *b, u64 now_ns);

/**
 * wl_drx_expire() - a timer expires
 * @b: bearer
 * @now_ns: when, as the call before has said
 *
 * Return: when the next one does, now for one that has already.
 */
u64 wl_drx_expire(struct wl_bearer *b, u64 now_ns);

#endif
