/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_SERVE_H
#define _WL_SERVE_H

#include "../types.h"

/**
 * wl_serve_start() - start of a TTI, or of a PDU where the TTI is 0 and shared
 * @link: link
 * @now_ns: link->start_ns
 *
 * Return: false when link->budget did not suffice: it is to be called again, and goes on.
 */
bool wl_serve_start(struct wl_link *link, u64 now_ns);

/**
 * wl_serve_start_own() - start of a PDU of a bearer with a transmitter of its own
 * @b: bearer
 * @now_ns: b->start_ns
 */
void wl_serve_start_own(struct wl_bearer *b, u64 now_ns);

/**
 * wl_serve_end_ns() - when the sending of something of a bearer ends next
 * @b: bearer
 *
 * Return: end of the TTI with complete SDUs or of the unit on the air,
 * WL_NEVER_NS when neither.
 */
u64 wl_serve_end_ns(const struct wl_bearer *b);

/**
 * wl_serve_end() - the sending of something ends
 * @b: bearer
 * @now_ns: wl_serve_end_ns()
 */
void wl_serve_end(struct wl_bearer *b, u64 now_ns);

/**
 * wl_serve_abort() - take what a bearer has on the air from it
 * @b: bearer
 * @now_ns: now
 */
void wl_serve_abort(struct wl_bearer *b, u64 now_ns);

/**
 * wl_serve_first_done_ns() - dedicated, TM: when the first SDU can be complete
 * @b: bearer with a SDU in its queue that is not silent
 *
 * Return: a time not after the end of sending of the first SDU of the queue,
 * exact as wl_link_next_ns() says.
 */
u64 wl_serve_first_done_ns(const struct wl_bearer *b);

/**
 * wl_serve_credit() - send while the credit of a bearer lasts
 * @b: bearer with nothing on the air; by TTIs on a transmitter of its own, or by
 *	opportunities
 * @now_ns: when
 *
 * Return: false when the budget did not suffice.
 */
bool wl_serve_credit(struct wl_bearer *b, u64 now_ns);

/**
 * wl_serve_before_configure() - what has been sent, was by the old configuration
 * @b: bearer; cfg is the old one
 * @now_ns: when
 * @cfg: the new one
 */
void wl_serve_before_configure(struct wl_bearer *b, u64 now_ns,
			       const struct wl_cfg *cfg);

/**
 * wl_serve_grid() - a new grid of TTIs begins at once, nobody has been given anything
 * @link: link
 * @now_ns: its origin
 */
void wl_serve_grid(struct wl_link *link, u64 now_ns);

/**
 * wl_serve_configure() - and what follows is by the new one
 * @b: bearer; cfg is the new one. Of bearer 1, wl_serve_hear() follows for all others
 * @now_ns: when
 * @old: the old one, NULL for none
 */
void wl_serve_configure(struct wl_bearer *b, u64 now_ns,
			const struct wl_cfg *old);

/**
 * wl_serve_hear() - link->news reach another bearer: tti, sched or channel of the link
 * @b: bearer
 * @now_ns: when
 */
void wl_serve_hear(struct wl_bearer *b, u64 now_ns);

#endif
