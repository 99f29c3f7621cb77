/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_PKT_SCH_WLINK_H
#define _UAPI_LINUX_PKT_SCH_WLINK_H

/*
 * Netlink border of sch_wlink, a radio link as a queueing discipline.
 *
 * TCA_OPTIONS (nested, NLA_F_NESTED set)
 *   TCA_WLINK_RATE		u64	bit/s of PDU payload
 *   TCA_WLINK_TTI		u64	ns, 0: continuous serialisation
 *   TCA_WLINK_DELAY		u64	ns, one-way propagation and processing
 *   TCA_WLINK_PDU		u32	payload bytes of a PDU, 0: the whole SDU
 *   TCA_WLINK_HEADER		u32	header bytes of a PDU, outside the rate
 *   TCA_WLINK_SEED		u64
 *   TCA_WLINK_LIMIT		nested, exactly one of
 *     TCA_WLINK_LIMIT_PACKETS	u32	SDUs
 *     TCA_WLINK_LIMIT_BYTES	u32	bytes
 *     TCA_WLINK_LIMIT_TIME	u64	ns of sending at the current rate
 *   TCA_WLINK_CHANNEL		nested
 *     TCA_WLINK_CHANNEL_KIND	u32	enum wlink_channel
 *     TCA_WLINK_CHANNEL_LOSS	u32	uniform: loss probability of a PDU
 *     TCA_WLINK_CHANNEL_P	u32	gilbert: good to bad, per frame
 *     TCA_WLINK_CHANNEL_R	u32	gilbert: bad to good, per frame
 *     TCA_WLINK_CHANNEL_LOSS_GOOD u32	gilbert: loss of a PDU in good
 *     TCA_WLINK_CHANNEL_LOSS_BAD  u32	gilbert: loss of a PDU in bad
 *
 * An absent attribute leaves its parameter as it is. A new qdisc needs
 * TCA_WLINK_RATE. Probabilities are p * 2^32; WLINK_PROB_ONE means always.
 */

#include <linux/types.h>

#define WLINK_PROB_ONE		0xffffffffU

#define WLINK_RATE_MIN		1ULL			/* bit/s */
#define WLINK_RATE_MAX		100000000000ULL		/* 100 Gbit/s */
#define WLINK_TTI_MIN		1000ULL			/* 1 us, or 0 */
#define WLINK_TTI_MAX		10000000000ULL		/* 10 s */
#define WLINK_DELAY_MAX		3600000000000ULL	/* 1 hour */
#define WLINK_PDU_MAX		65535U			/* bytes, with header */
#define WLINK_HEADER_MAX	1024U			/* bytes */
#define WLINK_LIMIT_PACKETS_MAX	1000000U
#define WLINK_LIMIT_BYTES_MAX	1073741824U		/* 1 GiB */
#define WLINK_LIMIT_TIME_MAX	3600000000000ULL	/* 1 hour */

/**
 * enum wlink_channel - what happens to a PDU on the air
 * @WLINK_CHANNEL_NONE: every PDU arrives
 * @WLINK_CHANNEL_UNIFORM: each PDU is lost with the same probability
 * @WLINK_CHANNEL_GILBERT: two states, one step per frame: a frame is a TTI,
 *	or a PDU where the TTI is 0
 * @__WLINK_CHANNEL_MAX: one past the last
 */
enum wlink_channel {
	WLINK_CHANNEL_NONE,
	WLINK_CHANNEL_UNIFORM,
	WLINK_CHANNEL_GILBERT,
	__WLINK_CHANNEL_MAX,
};

#define WLINK_CHANNEL_MAX (__WLINK_CHANNEL_MAX - 1)

/**
 * enum wlink_drop - why a SDU did not get through
 * @WLINK_DROP_NONE: it did
 * @WLINK_DROP_OVERFLOW: the SDU buffer was at its limit on arrival
 * @WLINK_DROP_CHANNEL: a PDU of it was lost on the air
 * @WLINK_DROP_SLOTS: no descriptor was free; the link held more SDUs than its
 *	limit, rate and delay account for
 * @WLINK_DROP_FLUSH: the qdisc was reset or removed
 * @__WLINK_DROP_MAX: one past the last
 */
enum wlink_drop {
	WLINK_DROP_NONE,
	WLINK_DROP_OVERFLOW,
	WLINK_DROP_CHANNEL,
	WLINK_DROP_SLOTS,
	WLINK_DROP_FLUSH,
	__WLINK_DROP_MAX,
};

#define WLINK_DROP_MAX (__WLINK_DROP_MAX - 1)

/* Bin 0 counts lateness of 0 ns, bin n from 2^(n-1) to 2^n - 1 ns; the last
 * bin takes all above.
 */
#define WLINK_LATE_BINS		40

enum {
	TCA_WLINK_UNSPEC,
	TCA_WLINK_PAD,
	TCA_WLINK_RATE,			/* u64 */
	TCA_WLINK_TTI,			/* u64 */
	TCA_WLINK_DELAY,		/* u64 */
	TCA_WLINK_PDU,			/* u32 */
	TCA_WLINK_HEADER,		/* u32 */
	TCA_WLINK_SEED,			/* u64 */
	TCA_WLINK_LIMIT,		/* nested, TCA_WLINK_LIMIT_* */
	TCA_WLINK_CHANNEL,		/* nested, TCA_WLINK_CHANNEL_* */
	__TCA_WLINK_MAX,
};

#define TCA_WLINK_MAX (__TCA_WLINK_MAX - 1)

enum {
	TCA_WLINK_LIMIT_UNSPEC,
	TCA_WLINK_LIMIT_PAD,
	TCA_WLINK_LIMIT_PACKETS,	/* u32 */
	TCA_WLINK_LIMIT_BYTES,		/* u32 */
	TCA_WLINK_LIMIT_TIME,		/* u64 */
	__TCA_WLINK_LIMIT_MAX,
};

#define TCA_WLINK_LIMIT_MAX (__TCA_WLINK_LIMIT_MAX - 1)

enum {
	TCA_WLINK_CHANNEL_UNSPEC,
	TCA_WLINK_CHANNEL_PAD,
	TCA_WLINK_CHANNEL_KIND,		/* u32, enum wlink_channel */
	TCA_WLINK_CHANNEL_LOSS,		/* u32 */
	TCA_WLINK_CHANNEL_P,		/* u32 */
	TCA_WLINK_CHANNEL_R,		/* u32 */
	TCA_WLINK_CHANNEL_LOSS_GOOD,	/* u32 */
	TCA_WLINK_CHANNEL_LOSS_BAD,	/* u32 */
	__TCA_WLINK_CHANNEL_MAX,
};

#define TCA_WLINK_CHANNEL_MAX (__TCA_WLINK_CHANNEL_MAX - 1)

/* Inside TCA_STATS_APP. All u64 unless said otherwise. It holds at all times
 * that SDUS_IN = SDUS_DELIVERED + sum(DROPS) + SDUS_HELD, and so for bytes.
 */
enum {
	TCA_WLINK_XSTATS_UNSPEC,
	TCA_WLINK_XSTATS_PAD,
	TCA_WLINK_XSTATS_SDUS_IN,
	TCA_WLINK_XSTATS_BYTES_IN,
	TCA_WLINK_XSTATS_SDUS_DELIVERED,
	TCA_WLINK_XSTATS_BYTES_DELIVERED,
	TCA_WLINK_XSTATS_BYTES_DROPPED,
	TCA_WLINK_XSTATS_SDUS_HELD,
	TCA_WLINK_XSTATS_BYTES_HELD,
	TCA_WLINK_XSTATS_DROP_OVERFLOW,
	TCA_WLINK_XSTATS_DROP_CHANNEL,
	TCA_WLINK_XSTATS_DROP_SLOTS,
	TCA_WLINK_XSTATS_DROP_FLUSH,
	TCA_WLINK_XSTATS_PDUS_SENT,
	TCA_WLINK_XSTATS_PDUS_LOST,
	TCA_WLINK_XSTATS_AIR_BYTES,		/* payload and headers */
	TCA_WLINK_XSTATS_BUFFER_SDUS,		/* occupancy now */
	TCA_WLINK_XSTATS_BUFFER_BYTES,
	TCA_WLINK_XSTATS_BUFFER_SDUS_MAX,
	TCA_WLINK_XSTATS_BUFFER_BYTES_MAX,
	TCA_WLINK_XSTATS_QUEUE_NS,		/* sums over delivered SDUs */
	TCA_WLINK_XSTATS_SERIAL_NS,
	TCA_WLINK_XSTATS_PROP_NS,
	TCA_WLINK_XSTATS_LATE_NS,		/* sum of hand-over lateness */
	TCA_WLINK_XSTATS_LATE_MAX_NS,
	TCA_WLINK_XSTATS_LATE_BINS,		/* u64[WLINK_LATE_BINS] */
	TCA_WLINK_XSTATS_RATE,			/* bit/s in force now */
	TCA_WLINK_XSTATS_GENERATION,		/* changes applied so far */
	TCA_WLINK_XSTATS_CHANNEL_BAD,		/* gilbert: 1 in the bad state */
	TCA_WLINK_XSTATS_CHANNEL_FRAMES,	/* frames sent */
	TCA_WLINK_XSTATS_CHANNEL_FRAMES_BAD,	/* of these, in the bad state */
	__TCA_WLINK_XSTATS_MAX,
};

#define TCA_WLINK_XSTATS_MAX (__TCA_WLINK_XSTATS_MAX - 1)

#endif
