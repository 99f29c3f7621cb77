/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UM_PEERS_H
#define _UM_PEERS_H

#include "peers.h"
#include "ut.h"
#include "wl_case.h"
#include "core/rlc/mode.h"

/** um_setup() - peers of UM; change may change what um.c says
 *
 * In the end nothing may be held, or be left to come.
 */
void um_setup(struct peers *p, void (*change)(struct wl_cfg *cfg));

/** um_arrive() - SDUs arrive, now */
void um_arrive(struct peers *p, u32 bytes, u32 sdus);

#endif
