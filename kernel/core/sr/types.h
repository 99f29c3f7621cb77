/* SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause */
#ifndef _WL_SR_TYPES_H
#define _WL_SR_TYPES_H

#include "../air/types.h"

/**
 * struct wl_sr - state of both peers
 * @next: sender: number of the next new frame
 * @una: sender: first frame that is not acknowledged
 * @again: sender: frames to be sent again, in the order of the requests
 * @timed: sender: frames whose timer runs, by deadline
 * @rtxto_ns: sender: what a timer is set to
 * @srtt_x8_ns: asr: 8 times the smoothed round-trip time
 * @srttvar_x4_ns: asr: 4 times its variation; rttvar signed: may be below 0
 * @sampled: asr: there has been a sample
 * @rnext: receiver: first frame that it does not have
 * @highest: receiver: one past the last frame that it has
 * @ack_ns: receiver: when the ACK is due, WL_NEVER_NS when none is
 * @renack_ns: receiver: no missing frame may be NACKed again before
 */
struct wl_sr {
	u32 next;
	u32 una;
	struct wl_list again;
	struct wl_list timed;
	u64 rtxto_ns;
	u64 srtt_x8_ns;
	s64 srttvar_x4_ns;
	bool sampled;
	u32 rnext;
	u32 highest;
	u64 ack_ns;
	u64 renack_ns;
};

#endif
