/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_PKT_SCH_WLINK_STATS_H
#define _UAPI_LINUX_PKT_SCH_WLINK_STATS_H

/* Part of <linux/pkt_sch_wlink.h>: what became of SDUs. */

#include <linux/types.h>

/**
 * enum wlink_drop - why a SDU did not get through
 * @WLINK_DROP_NONE: it did
 * @WLINK_DROP_OVERFLOW: the SDU buffer was at its limit on arrival
 * @WLINK_DROP_CHANNEL: a PDU of it was lost on the air
 * @WLINK_DROP_SLOTS: no descriptor was free; the link held more SDUs than its
 *	limit, rate and delay account for
 * @WLINK_DROP_FLUSH: the qdisc was reset or removed, or the class deleted
 * @WLINK_DROP_MAXDAT: a PDU of it was sent as often as allowed
 * @WLINK_DROP_TIMER: Timer_Discard
 * @WLINK_DROP_RESET: it had been begun when the RLC connection was reset
 * @WLINK_DROP_REESTABLISH: it had been begun when the mode, the PDU's size or the
 *	window was changed
 * @WLINK_DROP_AQM: the AQM chose it
 * @__WLINK_DROP_MAX: one past the last
 */
enum wlink_drop {
	WLINK_DROP_NONE,
	WLINK_DROP_OVERFLOW,
	WLINK_DROP_CHANNEL,
	WLINK_DROP_SLOTS,
	WLINK_DROP_FLUSH,
	WLINK_DROP_MAXDAT,
	WLINK_DROP_TIMER,
	WLINK_DROP_RESET,
	WLINK_DROP_REESTABLISH,
	WLINK_DROP_AQM,
	__WLINK_DROP_MAX,
};

#define WLINK_DROP_MAX (__WLINK_DROP_MAX - 1)

/* Bin 0 counts lateness of 0 ns, bin n from 2^(n-1) to 2^n - 1 ns; the last
 * bin takes all above.
 */
#define WLINK_LATE_BINS		40

/**
 * enum wlink_why - the parts of a SDU's delay; their sum is the delay
 * @WLINK_WHY_QUEUE: arrival to first bit
 * @WLINK_WHY_SERIAL: first bit to last bit, sent for the first time
 * @WLINK_WHY_PROP: propagation and processing
 * @WLINK_WHY_RETX: from when it would have been complete to when it was
 * @WLINK_WHY_HOL: complete, waiting for SDUs before it
 * @WLINK_WHY_TOTAL: the sum
 * @__WLINK_WHY_MAX: one past the last
 *
 * Each has a histogram with the bins of WLINK_LATE_BINS.
 */
enum wlink_why {
	WLINK_WHY_QUEUE,
	WLINK_WHY_SERIAL,
	WLINK_WHY_PROP,
	WLINK_WHY_RETX,
	WLINK_WHY_HOL,
	WLINK_WHY_TOTAL,
	__WLINK_WHY_MAX,
};

/* Inside TCA_STATS_APP. All u64 unless said otherwise. It holds at all times
 * that SDUS_IN = SDUS_DELIVERED + sum(DROPS) + SDUS_HELD, and so for bytes. A
 * class tells of its bearer, the qdisc of all its bearers together. All u64.
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
	TCA_WLINK_XSTATS_DROP_MAXDAT,
	TCA_WLINK_XSTATS_DROP_TIMER,
	TCA_WLINK_XSTATS_DROP_RESET,
	TCA_WLINK_XSTATS_DROP_REESTABLISH,
	TCA_WLINK_XSTATS_RETX_NS,		/* sums over delivered SDUs */
	TCA_WLINK_XSTATS_HOL_NS,
	TCA_WLINK_XSTATS_PDUS_RETX,		/* PDUs sent once more */
	TCA_WLINK_XSTATS_PDUS_CONTROL,		/* of PDUs_SENT: RESET, MRW */
	TCA_WLINK_XSTATS_PAD_BYTES,		/* padding in PDUs sent */
	TCA_WLINK_XSTATS_LI_BYTES,		/* length indicators in PDUs sent */
	TCA_WLINK_XSTATS_POLLS,			/* PDUs sent with the poll bit */
	TCA_WLINK_XSTATS_DUPLICATES,		/* PDUs received twice */
	TCA_WLINK_XSTATS_FEEDBACK_SENT,		/* STATUS, ACK, NACK on the air */
	TCA_WLINK_XSTATS_FEEDBACK_LOST,		/* of these, lost */
	TCA_WLINK_XSTATS_FEEDBACK_BYTES,	/* their bytes on the air */
	TCA_WLINK_XSTATS_FEEDBACK_NS,		/* their airtime */
	TCA_WLINK_XSTATS_TIMEOUTS,		/* Timer_Poll, retransmission timer */
	TCA_WLINK_XSTATS_MRWS,			/* MRW SUFIs sent */
	TCA_WLINK_XSTATS_RESETS,		/* RESET procedures begun */
	TCA_WLINK_XSTATS_UNRECOVERABLE,		/* of these, given up at MaxRST */
	TCA_WLINK_XSTATS_WINDOW_PDUS,		/* outstanding now: VT(S) - VT(A) */
	TCA_WLINK_XSTATS_RTO_NS,		/* fsr, asr: timer's value now */
	TCA_WLINK_XSTATS_BEARERS,		/* qdisc only: bearers of the link */
	TCA_WLINK_XSTATS_MEMORY,		/* bytes: of the bearer or the link */
	TCA_WLINK_XSTATS_WHY_BINS,		/* u32[__WLINK_WHY_MAX][WLINK_LATE_BINS],
						 * all divided by one power of 2:
						 * by 1 while all are below 2^32
						 */
	TCA_WLINK_XSTATS_DROP_AQM,
	TCA_WLINK_XSTATS_AQM_SELF,		/* of these, on their own arrival */
	TCA_WLINK_XSTATS_MARKS,			/* SDUs that got CE from the AQM */
	TCA_WLINK_XSTATS_RAMP_MARKS,		/* ... from the ramp */
	TCA_WLINK_XSTATS_AQM_STATE,		/* sbd: 0 idle, 1 measures, 2 holds;
						 * codel: 1 drops
						 */
	TCA_WLINK_XSTATS_AQM_LEVEL,		/* red: average in 1/1000 of its unit;
						 * sbd: th_n; codel: drops in a row
						 */
	TCA_WLINK_XSTATS_PENDING,		/* qdisc: transactions that wait */
	TCA_WLINK_XSTATS_PLAY_STATE,		/* enum wlink_play_state */
	TCA_WLINK_XSTATS_PLAY_STEPS,		/* of the schedule that plays or waits */
	TCA_WLINK_XSTATS_PLAY_STEP,		/* of these, played in this pass */
	TCA_WLINK_XSTATS_PLAY_PASS,		/* whole passes so far */
	TCA_WLINK_XSTATS_GRANTS,		/* opportunities so far */
	TCA_WLINK_XSTATS_GRANT_BYTES,		/* their bytes */
	TCA_WLINK_XSTATS_GRANT_BYTES_USED,	/* of these, used */
	__TCA_WLINK_XSTATS_MAX,
};

#define TCA_WLINK_XSTATS_MAX (__TCA_WLINK_XSTATS_MAX - 1)

#endif
