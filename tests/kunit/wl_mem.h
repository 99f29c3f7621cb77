/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_MEM_H
#define _WL_MEM_H

/* Zeroed memory for what the kernel and user space both compile. */
#include "core/lib/types.h"

#ifdef __KERNEL__
#include <linux/slab.h>
#include <linux/mm.h>

static inline void *wl_mem_get(size_t bytes)
{
	return kvzalloc(bytes, GFP_KERNEL);
}

static inline void wl_mem_put(void *mem)
{
	kvfree(mem);
}
#else
static inline void *wl_mem_get(size_t bytes)
{
	return calloc(1, bytes);
}

static inline void wl_mem_put(void *mem)
{
	free(mem);
}
#endif

#endif
