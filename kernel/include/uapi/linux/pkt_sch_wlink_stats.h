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
 * @WLINK_DROP_SEGMENT: a super-packet that the kernel could not segment; it
 *	counts as one SDU
 * @WLINK_DROP_FORWARD: WLINK_CMD_FORWARD: it left the bearer undelivered, for another
 *	link. It goes out of the device and is not lost
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
	WLINK_DROP_SEGMENT,
	WLINK_DROP_FORWARD,
	__WLINK_DROP_MAX,
};

#define WLINK_DROP_MAX (__WLINK_DROP_MAX - 1)

/* Bin 0 counts lateness of 0 ns, bin n from 2^(n-1) to 2^n - 1 ns; the last
 * bin takes all above.
 */
#define WLINK_LATE_BINS		40

/**
 * enum wlink_why - the parts of a SDU's delay; their sum is the delay
 * @WLINK_WHY_QUEUE: arrival to first bit, without access
 * @WLINK_WHY_SERIAL: first bit to last bit, sent for the first time, without access
 * @WLINK_WHY_PROP: propagation and processing
 * @WLINK_WHY_RETX: from when it would have been complete to when it was
 * @WLINK_WHY_HOL: complete, waiting for SDUs before it
 * @WLINK_WHY_TOTAL: the sum
 * @WLINK_WHY_ACCESS: a part, too: before the last bit, waited for access
 * @WLINK_WHY_JITTER: a part, too: received, jitter behind the receiver
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
	WLINK_WHY_ACCESS,		/* only where the bearer has access */
	WLINK_WHY_JITTER,		/* only where something happens to SDUs */
	__WLINK_WHY_MAX,
};

/**
 * enum wlink_rrc - what the receiver of a bearer listens to
 * @WLINK_RRC_NONE: everything; it does not sleep
 * @WLINK_RRC_ACTIVE: connected: everything
 * @WLINK_RRC_SHORT: connected: the on-durations of short cycles
 * @WLINK_RRC_LONG: connected: those of long cycles
 * @WLINK_RRC_IDLE: idle: paging
 * @__WLINK_RRC_MAX: one past the last
 */
enum wlink_rrc {
	WLINK_RRC_NONE,
	WLINK_RRC_ACTIVE,
	WLINK_RRC_SHORT,
	WLINK_RRC_LONG,
	WLINK_RRC_IDLE,
	__WLINK_RRC_MAX,
};

/* Places in TCA_STATS_APP, which is an array of u64.
 *
 * Ends where the kernel knows no more, or before a last one that is 0. It holds
 * at all times that SDUS_IN = SDUS_DELIVERED + sum(DROP_*) + SDUS_HELD, and so for
 * bytes. A class tells of its bearer, the qdisc of all its bearers together. A dump
 * has no room for histograms: WLINK_CMD_GET of generic netlink has them.
 */
enum wlink_stat {
	WLINK_STAT_SDUS_IN,
	WLINK_STAT_BYTES_IN,
	WLINK_STAT_SDUS_DELIVERED,
	WLINK_STAT_BYTES_DELIVERED,
	WLINK_STAT_BYTES_DROPPED,
	WLINK_STAT_SDUS_HELD,
	WLINK_STAT_BYTES_HELD,
	WLINK_STAT_DROP_OVERFLOW,
	WLINK_STAT_DROP_CHANNEL,
	WLINK_STAT_DROP_SLOTS,
	WLINK_STAT_DROP_FLUSH,
	WLINK_STAT_PDUS_SENT,
	WLINK_STAT_PDUS_LOST,
	WLINK_STAT_AIR_BYTES,		/* payload and headers */
	WLINK_STAT_BUFFER_SDUS,		/* occupancy now */
	WLINK_STAT_BUFFER_BYTES,
	WLINK_STAT_BUFFER_SDUS_MAX,
	WLINK_STAT_BUFFER_BYTES_MAX,
	WLINK_STAT_QUEUE_NS,		/* sums over delivered SDUs */
	WLINK_STAT_SERIAL_NS,
	WLINK_STAT_PROP_NS,
	WLINK_STAT_LATE_NS,		/* sum of hand-over lateness */
	WLINK_STAT_LATE_MAX_NS,
	WLINK_STAT_RATE,		/* bit/s in force now */
	WLINK_STAT_GENERATION,		/* changes applied so far */
	WLINK_STAT_CHANNEL_BAD,		/* gilbert: 1 in the bad state */
	WLINK_STAT_CHANNEL_FRAMES,	/* frames sent */
	WLINK_STAT_CHANNEL_FRAMES_BAD,	/* of these, in the bad state */
	WLINK_STAT_DROP_MAXDAT,
	WLINK_STAT_DROP_TIMER,
	WLINK_STAT_DROP_RESET,
	WLINK_STAT_DROP_REESTABLISH,
	WLINK_STAT_RETX_NS,		/* sums over delivered SDUs */
	WLINK_STAT_HOL_NS,
	WLINK_STAT_PDUS_RETX,		/* PDUs sent once more */
	WLINK_STAT_PDUS_CONTROL,	/* of PDUs_SENT: RESET, MRW */
	WLINK_STAT_PAD_BYTES,		/* padding in PDUs sent */
	WLINK_STAT_LI_BYTES,		/* length indicators in PDUs sent */
	WLINK_STAT_POLLS,		/* PDUs sent with the poll bit */
	WLINK_STAT_DUPLICATES,		/* PDUs received twice */
	WLINK_STAT_FEEDBACK_SENT,	/* STATUS, ACK, NACK on the air */
	WLINK_STAT_FEEDBACK_LOST,	/* of these, lost */
	WLINK_STAT_FEEDBACK_BYTES,	/* their bytes on the air */
	WLINK_STAT_FEEDBACK_NS,		/* their airtime */
	WLINK_STAT_TIMEOUTS,		/* Timer_Poll, retransmission timer */
	WLINK_STAT_MRWS,		/* MRW SUFIs sent */
	WLINK_STAT_RESETS,		/* RESET procedures begun */
	WLINK_STAT_UNRECOVERABLE,	/* of these, given up at MaxRST */
	WLINK_STAT_WINDOW_PDUS,		/* outstanding now: VT(S) - VT(A) */
	WLINK_STAT_RTO_NS,		/* fsr, asr: timer's value now */
	WLINK_STAT_BEARERS,		/* qdisc only: bearers of the link */
	WLINK_STAT_MEMORY,		/* bytes: of the bearer or the link */
	WLINK_STAT_DROP_SEGMENT,
	WLINK_STAT_DROP_AQM,
	WLINK_STAT_AQM_SELF,		/* of these, on their own arrival */
	WLINK_STAT_MARKS,		/* SDUs that got CE from the AQM */
	WLINK_STAT_RAMP_MARKS,		/* ... from the ramp */
	WLINK_STAT_AQM_STATE,		/* sbd: 0 idle, 1 measures, 2 holds;
					 * codel: 1 drops
					 */
	WLINK_STAT_AQM_LEVEL,		/* red: average in 1/1000 of its unit;
					 * sbd: th_n; codel: drops in a row
					 */
	WLINK_STAT_PENDING,		/* qdisc: transactions that wait */
	WLINK_STAT_SCHEDULE_STATE,	/* enum wlink_schedule_state */
	WLINK_STAT_SCHEDULE_STEPS,	/* of the schedule that plays or waits */
	WLINK_STAT_SCHEDULE_STEP,	/* of these, played in this pass */
	WLINK_STAT_SCHEDULE_PASS,	/* whole passes so far */
	WLINK_STAT_GRANTS,		/* opportunities so far */
	WLINK_STAT_GRANT_BYTES,		/* their bytes */
	WLINK_STAT_GRANT_BYTES_USED,	/* of these, used */
	WLINK_STAT_DELAY_P50_NS,	/* quantiles over delivered SDUs, evenly
					 * spread in a bin of the histogram
					 */
	WLINK_STAT_DELAY_P95_NS,
	WLINK_STAT_DELAY_P99_NS,
	WLINK_STAT_LATE_P50_NS,		/* bounds: the end of a bin, or the maximum */
	WLINK_STAT_LATE_P90_NS,
	WLINK_STAT_LATE_P99_NS,
	WLINK_STAT_DROP_FORWARD,
	WLINK_STAT_HARQ_BLOCKS,		/* transport blocks */
	WLINK_STAT_HARQ_RETX,		/* ... sent once more */
	WLINK_STAT_HARQ_LOST,		/* ... given up */
	WLINK_STAT_ACCESS_NS,		/* sum over delivered SDUs */
	WLINK_STAT_ACCESS_REQUESTS,	/* scheduling requests */
	WLINK_STAT_RRC_STATE,		/* enum wlink_rrc */
	WLINK_STAT_SDUS_DUPLICATED,	/* that came twice: as many more than came in */
	WLINK_STAT_BYTES_DUPLICATED,
	WLINK_STAT_SDUS_CORRUPTED,	/* that came with errors */
	WLINK_STAT_JITTER_NS,		/* sum over delivered SDUs */
	__WLINK_STAT_MAX,
};

#define WLINK_STAT_MAX (__WLINK_STAT_MAX - 1)

#endif
