/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_STATS_H
#define _WL_STATS_H

#include "lib/types.h"

/**
 * struct wl_stats - what a bearer has seen
 * @sdus_in: SDUs that arrived, dropped ones included
 * @bytes_in: their bytes
 * @sdus_delivered: SDUs handed over
 * @bytes_delivered: their bytes
 * @drops: SDUs dropped, by enum wlink_drop
 * @bytes_dropped: their bytes
 * @held: SDUs in the bearer
 * @held_bytes: their bytes
 * @pdus_sent: PDUs that went on the air
 * @pdus_lost: of these, lost
 * @pdus_retx: of these, sent once more
 * @pdus_control: of these, RESET and MRW
 * @air_bytes: payload and headers of the PDUs sent
 * @pad_bytes: of these, padding
 * @li_bytes: of these, length indicators
 * @polls: PDUs sent with the poll bit
 * @duplicates: PDUs received that the receiver had already
 * @feedback_sent: STATUS PDUs, ACKs and NACKs on the way back
 * @feedback_lost: of these, lost
 * @feedback_bytes: their bytes on the air
 * @feedback_ns: their airtime
 * @timeouts: Timer_Poll or retransmission timers that expired
 * @mrws: MRW SUFIs sent
 * @resets: RESET procedures begun
 * @unrecoverable: of these, given up
 * @buffer_sdus: SDUs in the buffer: arrived, and last bit not sent yet; in
 *	acknowledged modes: not acknowledged yet
 * @buffer_bytes: their bytes, whole SDUs
 * @buffer_sdus_max: most SDUs ever in the buffer
 * @buffer_bytes_max: most bytes ever in the buffer
 * @aqm_self: of the drops of the AQM, those on the SDU's own arrival
 * @marks: SDUs that got CE from the AQM
 * @ramp_marks: SDUs that got CE from the ramp
 * @grants: opportunities to send
 * @grant_bytes: their bytes
 * @grant_bytes_used: of these, used
 * @why_ns: sums over delivered SDUs of the parts of their delay
 * @why_bins: histograms of the same
 *
 * sdus_in = sdus_delivered + sum(drops) + held, always.
 */
struct wl_stats {
	u64 sdus_in;
	u64 bytes_in;
	u64 sdus_delivered;
	u64 bytes_delivered;
	u64 drops[__WLINK_DROP_MAX];
	u64 bytes_dropped;
	u64 held;
	u64 held_bytes;
	u64 pdus_sent;
	u64 pdus_lost;
	u64 pdus_retx;
	u64 pdus_control;
	u64 air_bytes;
	u64 pad_bytes;
	u64 li_bytes;
	u64 polls;
	u64 duplicates;
	u64 feedback_sent;
	u64 feedback_lost;
	u64 feedback_bytes;
	u64 feedback_ns;
	u64 timeouts;
	u64 mrws;
	u64 resets;
	u64 unrecoverable;
	u64 buffer_sdus;
	u64 buffer_bytes;
	u64 buffer_sdus_max;
	u64 buffer_bytes_max;
	u64 aqm_self;
	u64 marks;
	u64 ramp_marks;
	u64 grants;
	u64 grant_bytes;
	u64 grant_bytes_used;
	u64 why_ns[__WLINK_WHY_MAX];
	u64 why_bins[__WLINK_WHY_MAX][WLINK_LATE_BINS];
};

/**
 * wl_stats_add() - sum of two bearers; the maxima are added, too
 * @sum: to which
 * @stats: what
 *
 * All members are u64, which is all that it relies on.
 */
static inline void wl_stats_add(struct wl_stats *sum,
				const struct wl_stats *stats)
{
	const u64 *from = (const u64 *)stats;
	u64 *to = (u64 *)sum;
	u32 i;

	for (i = 0; i < sizeof(*sum) / sizeof(u64); i++)
		to[i] += from[i];
}

#endif
