/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_POOL_H
#define _WL_POOL_H

#include "../glue.h"

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
