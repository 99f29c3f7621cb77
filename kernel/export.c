// SPDX-License-Identifier: GPL-2.0
/* What core/3gpp calls of the rest of the core, which knows no modules. */
#include <linux/export.h>

#include "core/air/air.h"
#include "core/air/reverse.h"
#include "core/air/rings.h"
#include "core/buffer/buffer.h"
#include "core/buffer/sdu.h"
#include "core/config/cfg.h"
#include "core/lib/exp.h"
#include "core/lib/heap.h"
#include "core/lib/rng.h"
#include "core/mac/grid.h"
#include "core/mac/sched.h"
#include "core/mac/submit.h"
#include "core/rlc/segment.h"

EXPORT_SYMBOL_GPL(wl_air_frame);
EXPORT_SYMBOL_GPL(wl_air_lost);

EXPORT_SYMBOL_GPL(wl_reverse_send);

EXPORT_SYMBOL_GPL(wl_flight_push);
EXPORT_SYMBOL_GPL(wl_list_add);
EXPORT_SYMBOL_GPL(wl_list_del);

EXPORT_SYMBOL_GPL(wl_buffer_access_ns);
EXPORT_SYMBOL_GPL(wl_buffer_discard_ns);
EXPORT_SYMBOL_GPL(wl_buffer_drop_first);
EXPORT_SYMBOL_GPL(wl_buffer_front);

EXPORT_SYMBOL_GPL(wl_sdu_deliver);
EXPORT_SYMBOL_GPL(wl_sdu_drop);
EXPORT_SYMBOL_GPL(wl_sdu_release);

EXPORT_SYMBOL_GPL(wl_cfg_bytes_in);
EXPORT_SYMBOL_GPL(wl_cfg_reestablishes);
EXPORT_SYMBOL_GPL(wl_harq_ttis);
EXPORT_SYMBOL_GPL(wl_within);

EXPORT_SYMBOL_GPL(wl_exp_q56);

EXPORT_SYMBOL_GPL(wl_heap_remove);

EXPORT_SYMBOL_GPL(wl_rng_chance);
EXPORT_SYMBOL_GPL(wl_rng_next);

EXPORT_SYMBOL_GPL(wl_grid_every_ns);
EXPORT_SYMBOL_GPL(wl_grid_next_tti_ns);
EXPORT_SYMBOL_GPL(wl_grid_phase_ns);

EXPORT_SYMBOL_GPL(wl_sched_first);
EXPORT_SYMBOL_GPL(wl_sched_give);
EXPORT_SYMBOL_GPL(wl_sched_guaranteed);
EXPORT_SYMBOL_GPL(wl_sched_pause);
EXPORT_SYMBOL_GPL(wl_sched_pending_bytes);
EXPORT_SYMBOL_GPL(wl_sched_place);
EXPORT_SYMBOL_GPL(wl_sched_turn_of);
EXPORT_SYMBOL_GPL(wl_sched_wake);

EXPORT_SYMBOL_GPL(wl_submit_sent);

EXPORT_SYMBOL_GPL(wl_seg_deliver);
EXPORT_SYMBOL_GPL(wl_seg_key_ns);
EXPORT_SYMBOL_GPL(wl_seg_release_sent);
EXPORT_SYMBOL_GPL(wl_seg_sent);
EXPORT_SYMBOL_GPL(wl_seg_um_sent);
