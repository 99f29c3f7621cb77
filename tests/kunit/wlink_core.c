// SPDX-License-Identifier: GPL-2.0
/* The core once more: an object file cannot be part of two modules. */
#include "../../kernel/core/wl_cfg.c"
#include "../../kernel/core/wl_rng.c"
#include "../../kernel/core/wl_exp.c"
#include "../../kernel/core/wl_chan.c"
#include "../../kernel/core/wl_chan_time.c"
#include "../../kernel/core/wl_serve.c"
#include "../../kernel/core/wl_link.c"
