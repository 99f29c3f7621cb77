/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_RRC_BEARER_H
#define _WL_RRC_BEARER_H

/* A bearer is set up, configured and emptied. */
#include "../types.h"

struct wl_mode_ops;

/**
 * wl_bearer_mode() - what a mode does
 * @mode: mode
 *
 * Return: NULL for TM.
 */
const struct wl_mode_ops *wl_bearer_mode(enum wlink_mode mode);

/**
 * wl_bearer_init() - a bearer that its link does not know yet
 * @b: zeroed but for its room
 * @link: its link
 * @number: its number
 * @cfg: checked configuration
 * @now_ns: now
 */
void wl_bearer_init(struct wl_bearer *b, struct wl_link *link, u16 number,
		    const struct wl_cfg *cfg, u64 now_ns);

/**
 * wl_bearer_event_ns() - when the protocol has something to do
 * @b: bearer
 *
 * Return: time, WL_NEVER_NS for never.
 */
u64 wl_bearer_event_ns(const struct wl_bearer *b);

/**
 * wl_bearer_event() - let the protocol do it
 * @b: bearer
 * @now_ns: wl_bearer_event_ns()
 *
 * When link->budget runs out b->again stays, and the next call goes on.
 */
void wl_bearer_event(struct wl_bearer *b, u64 now_ns);

/**
 * wl_bearer_configure() - put a configuration in force
 * @b: bearer; cfg is the old one
 * @now_ns: when; a boundary where the old TTI is not 0
 * @cfg: the new one
 * @reseed: bearer 1: start the random streams anew from cfg->seed
 *
 * TTIs up to the one that begins now take their channel steps under the old
 * configuration and seed.
 */
void wl_bearer_configure(struct wl_bearer *b, u64 now_ns,
			 const struct wl_cfg *cfg, bool reseed);

/**
 * wl_bearer_tell() - bring link->news to bearers, at link->event_ns
 * @link: link with some
 *
 * When link->budget runs out the next call goes on.
 */
void wl_bearer_tell(struct wl_link *link);

/**
 * wl_bearer_flush() - drop all that is held, but for what is in a list of the link
 * @b: bearer
 * @now_ns: when
 */
void wl_bearer_flush(struct wl_bearer *b, u64 now_ns);

/**
 * wl_bearer_leave() - let go of all that is held
 * @b: bearer; its events do it, within the budgets of their calls
 * @now_ns: when
 * @reason: WLINK_DROP_FORWARD, it goes out on the far side, or WLINK_DROP_FLUSH
 */
void wl_bearer_leave(struct wl_bearer *b, u64 now_ns, enum wlink_drop reason);

/**
 * wl_bearer_records() - records that a configuration needs
 * @cfg: configuration whose parameters are within their bounds
 * @need: set
 */
void wl_bearer_records(const struct wl_cfg *cfg, struct wl_ring_need *need);

/**
 * wl_rings_need() - what a configuration needs
 * @cfg: checked configuration
 * @need: set, but for the pointers
 *
 * TM without HARQ needs nothing.
 */
void wl_rings_need(const struct wl_cfg *cfg, struct wl_rings *need);

/**
 * wl_bearer_need() - what room a bearer needs to change to a configuration
 * @b: bearer, in a link or zeroed
 * @cfg: checked configuration
 * @need: set, but for the pointers; not smaller than what @b has
 *
 * What TM has on its way arrives before what is sent after the change, so where
 * the delay gets shorter the old one counts; of changes that wait the caller
 * knows.
 */
void wl_bearer_need(const struct wl_bearer *b, const struct wl_cfg *cfg,
		    struct wl_rings *need);

#endif
