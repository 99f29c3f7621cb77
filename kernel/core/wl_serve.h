/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_SERVE_H
#define _WL_SERVE_H

#include "wl_link.h"

/**
 * wl_serve_wake() - the queue was empty and has got a SDU
 * @link: link
 * @now_ns: time of the arrival
 *
 * Sets link->start_ns.
 */
void wl_serve_wake(struct wl_link *link, u64 now_ns);

/**
 * wl_serve_start() - start of a TTI, or of a PDU where the TTI is 0
 * @link: link
 * @now_ns: link->start_ns
 * @work: steps left; reduced by those taken. When it runs out within a TTI,
 *	link->start_ns stays and the next call goes on with the same TTI
 */
void wl_serve_start(struct wl_link *link, u64 now_ns, u32 *work);

/**
 * wl_serve_end_ns() - when the sending of something ends next
 * @link: link
 *
 * Return: end of the TTI with complete SDUs or of the unit on the air,
 * WL_NEVER_NS when neither.
 */
u64 wl_serve_end_ns(const struct wl_link *link);

/**
 * wl_serve_end() - the sending of something ends
 * @link: link
 * @now_ns: wl_serve_end_ns()
 *
 * Return: a SDU whose last bit has been sent, or NULL.
 */
struct wl_sdu *wl_serve_end(struct wl_link *link, u64 now_ns);

/**
 * wl_serve_boundary_ns() - start of the first TTI after a time
 * @link: link with a TTI
 * @now_ns: time
 *
 * Return: time of that boundary, later than @now_ns.
 */
u64 wl_serve_boundary_ns(const struct wl_link *link, u64 now_ns);

/**
 * wl_serve_configure() - put a configuration in force
 * @link: link; cfg is the old one
 * @now_ns: when; a boundary where the old TTI is not 0
 * @cfg: the new one
 * @reseed: start the random streams anew from cfg->seed
 *
 * TTIs up to the one that begins now take their channel steps under the old
 * configuration and seed.
 */
void wl_serve_configure(struct wl_link *link, u64 now_ns,
			const struct wl_cfg *cfg, bool reseed);

/**
 * wl_serve_first_done_ns() - when the first SDU of the queue can be complete
 * @link: link with a SDU in its queue
 *
 * Return: a time not after the end of sending of the first SDU of the queue,
 * exact as wl_link_next_ns() says.
 */
u64 wl_serve_first_done_ns(const struct wl_link *link);

#endif
