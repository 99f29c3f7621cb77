/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SR_PEERS_H
#define _SR_PEERS_H

#include "rlc/peers.h"
#include "ut.h"
#include "wl_case.h"
#include "core/rlc/mode.h"
#include "core/sr/sr.h"

/** sr_setup() - peers of selective repeat; change may change what sr.c says
 *
 * In the end nothing may be outstanding, or be left to come.
 */
void sr_setup(struct peers *p, enum wlink_mode mode, void (*change)(struct wl_cfg *cfg));

/** sr_arrive() - SDUs of one frame each arrive, now */
void sr_arrive(struct peers *p, u32 sdus);

/** sr_cfg() - 64 kbit/s, 50 ms each way, PDUs of 250 bytes (31.25 ms), ACKs of 8 at once */
void sr_cfg(struct wl_cfg *cfg, enum wlink_mode mode);

#endif
