/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WL_BLOCKS_H
#define WL_BLOCKS_H

/* Costs in basic blocks of the core, which no machine changes. */

#include <stddef.h>

#include "core/types.h"

/* That have run so far. */
extern u64 blocks;

/* The compiler puts a call of this into each basic block of the core. */
void __sanitizer_cov_trace_pc(void);

/* Calls of functions of core/impair so far. */
extern u64 impair_calls;

/* The compiler puts these into each of them. */
void __cyg_profile_func_enter(void *function, void *caller);
void __cyg_profile_func_exit(void *function, void *caller);

/* calloc(), or the end of the program. */
void *zeroed(size_t count, size_t size);

/* Makes the memory of a bearer fit a configuration that it is to have. */
void give_room(struct wl_bearer *b, const struct wl_cfg *cfg);

#endif
