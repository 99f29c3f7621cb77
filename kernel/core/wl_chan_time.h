/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CHAN_TIME_H
#define _WL_CHAN_TIME_H

#include "wl_chan.h"

/**
 * wl_chan_time_set() - give a twostate channel its parameters
 * @chan: channel, its path known up to @now_ns if it was twostate before
 * @cfg: parameters, of kind twostate
 * @now_ns: when
 *
 * For wl_chan_set() only.
 */
void wl_chan_time_set(struct wl_chan *chan, const struct wl_chan_cfg *cfg,
		      u64 now_ns);

#endif
