/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_STATS_H
#define _WL_STATS_H

#include "wl_internal.h"

/**
 * struct wl_stats - what a link has seen
 * @sdus_in: SDUs that arrived, dropped ones included
 * @bytes_in: their bytes
 * @sdus_delivered: SDUs handed over
 * @bytes_delivered: their bytes
 * @drops: SDUs dropped, by enum wlink_drop
 * @bytes_dropped: their bytes
 * @pdus_sent: PDUs that went on the air
 * @pdus_lost: of these, lost
 * @air_bytes: payload and headers of the PDUs sent
 * @buffer_sdus: SDUs in the buffer: arrived, last bit not sent yet
 * @buffer_bytes: their bytes, whole SDUs
 * @buffer_sdus_max: most SDUs ever in the buffer
 * @buffer_bytes_max: most bytes ever in the buffer
 * @queue_ns: sum over delivered SDUs of arrival to first bit
 * @serial_ns: the same, of first bit to last bit
 * @prop_ns: the same, of last bit to hand-over due
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
	u64 pdus_sent;
	u64 pdus_lost;
	u64 air_bytes;
	u64 buffer_sdus;
	u64 buffer_bytes;
	u64 buffer_sdus_max;
	u64 buffer_bytes_max;
	u64 queue_ns;
	u64 serial_ns;
	u64 prop_ns;
};

#endif
