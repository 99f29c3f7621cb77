/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_MEMORY_H
#define _WL_MEMORY_H

#include "qdisc.h"

/**
 * wl_memory_prepare() - get the memory that a class needs for a configuration; may
 *	sleep
 * @cl: class; under RTNL
 * @cfg: checked configuration
 * @extack: says what is wrong
 *
 * Return: 0, -ERANGE where a schedule cannot lie over @cfg, -ENOBUFS above
 * WLINK_ROOM_BYTES_MAX, or -ENOMEM. wl_memory_finish() must follow.
 */
int wl_memory_prepare(struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack);

/**
 * wl_memory_prepare_all() - the same for all that it is and will be configured to
 * @cl: class, or one to be; under RTNL
 * @cfg: of one to be: its configuration, but for what is the link's; else NULL
 * @added: schedule that is to lie over it beside those that do; NULL for one to be
 * @descs: set to the most descriptors that it will account for
 * @extack: says what is wrong
 *
 * Return: as wl_memory_prepare().
 */
int wl_memory_prepare_all(struct wl_class *cl, const struct wl_cfg *cfg,
			  const struct wl_schedule *added, u32 *descs,
			  struct netlink_ext_ack *extack);

/**
 * wl_memory_give() - give it to the bearer
 * @cl: class; wl_tree_lock() is held, or the bearer has no memory yet
 *
 * What has been given is not given again.
 *
 * Return: whether the lock has been let go of.
 */
bool wl_memory_give(struct wl_class *cl);

/**
 * wl_memory_finish() - free what is left over; may sleep
 * @cl: class, whether anything has been given or not
 */
void wl_memory_finish(struct wl_class *cl);

/**
 * wl_memory_free() - free all that a bearer has; may sleep
 * @cl: class whose bearer the engine does not know any more
 */
void wl_memory_free(struct wl_class *cl);

/**
 * wl_memory_descs() - descriptors that a configuration accounts for
 * @cl: class; the root qdisc lock is held
 * @cfg: checked configuration
 * @added: schedule that is to lie over it beside those that do, or NULL
 *
 * Return: how many, with what the schedules make of it.
 */
u32 wl_memory_descs(const struct wl_class *cl, const struct wl_cfg *cfg,
		    const struct wl_schedule *added);

/**
 * wl_pool_init() - remember who pays for descriptors
 * @pool: zeroed but for @work; wl_pool_free() must follow
 */
void wl_pool_init(struct wl_pool *pool);

/**
 * wl_pool_grow() - a few more descriptors for a link that has none left
 * @pool: memory of @link
 * @link: link
 * @gfp: how to ask for memory
 *
 * Asks for no more than a page, so that there is a fair chance to get it, and
 * does not complain: without it the next SDU is dropped and counted.
 */
void wl_pool_grow(struct wl_pool *pool, struct wl_link *link, gfp_t gfp);

/**
 * wl_pool_is_large() - whether a link has free descriptors that it may have no longer
 * @pool: memory of @link
 * @link: link; the root qdisc lock is held
 *
 * Return: true if so.
 */
static inline bool wl_pool_is_large(const struct wl_pool *pool, const struct wl_link *link)
{
	return link->descriptors > pool->most && link->pool;
}

/**
 * wl_pool_shrink() - take such descriptors back, and free what they were in where none of
 *	it is in use
 * @pool: memory of @link
 * @link: link; the root qdisc lock is held
 * @most: so many at most
 *
 * Return: whether there are more.
 */
bool wl_pool_shrink(struct wl_pool *pool, struct wl_link *link, u32 most);

/**
 * wl_pool_free() - free all
 * @pool: memory of a link that is used no longer
 */
void wl_pool_free(struct wl_pool *pool);

#endif
