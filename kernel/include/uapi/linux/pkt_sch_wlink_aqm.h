/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_PKT_SCH_WLINK_AQM_H
#define _UAPI_LINUX_PKT_SCH_WLINK_AQM_H

/* Part of <linux/pkt_sch_wlink.h>: what manages the SDU buffer. */

#include <linux/types.h>

#define WLINK_MAXTH_LIMIT	0U			/* maxth is the limit */
#define WLINK_ALPHA_SDUS_MAX	WLINK_LIMIT_BYTES_MAX
#define WLINK_PROFILE_ROWS_MAX	64U
/* A dump with it and a size table has less than 1.5 KB. */
#define WLINK_PROFILE_NAME_MAX	91U

/**
 * enum wlink_aqm - what manages the SDU buffer
 * @WLINK_AQM_DROPTAIL: nothing but its limit
 * @WLINK_AQM_RED: random early detection on the occupancy at an arrival
 * @WLINK_AQM_SBD: slope based discard
 * @WLINK_AQM_CODEL: CoDel, RFC 8289
 * @__WLINK_AQM_MAX: one past the last
 */
enum wlink_aqm {
	WLINK_AQM_DROPTAIL,
	WLINK_AQM_RED,
	WLINK_AQM_SBD,
	WLINK_AQM_CODEL,
	__WLINK_AQM_MAX,
};

#define WLINK_AQM_MAX (__WLINK_AQM_MAX - 1)

/**
 * enum wlink_unit - unit of the thresholds of an AQM
 * @WLINK_UNIT_SDUS: SDUs
 * @WLINK_UNIT_BYTES: bytes
 * @__WLINK_UNIT_MAX: one past the last
 */
enum wlink_unit {
	WLINK_UNIT_SDUS,
	WLINK_UNIT_BYTES,
	__WLINK_UNIT_MAX,
};

#define WLINK_UNIT_MAX (__WLINK_UNIT_MAX - 1)

/* In brackets the kinds that have it. A change of kind begins from defaults. */
enum {
	TCA_WLINK_AQM_UNSPEC,
	TCA_WLINK_AQM_PAD,
	TCA_WLINK_AQM_KIND,		/* u32, enum wlink_aqm */
	TCA_WLINK_AQM_UNIT,		/* u32, enum wlink_unit, of minth, maxth and
					 * alpha [red sbd], default SDUs
					 */
	TCA_WLINK_AQM_MINTH,		/* u32 [red sbd], required */
	TCA_WLINK_AQM_MAXTH,		/* u32 [red sbd], WLINK_MAXTH_LIMIT: the
					 * buffer's limit, which is the default
					 */
	TCA_WLINK_AQM_MAXP,		/* u32 p * 2^32, not 0 [red], required */
	TCA_WLINK_AQM_COUNT,		/* u32 0 or 1 [red], default 1 */
	TCA_WLINK_AQM_GENTLE,		/* u32 0 or 1 [red], default 0 */
	TCA_WLINK_AQM_HEAD,		/* u32 [red sbd] 1: the first SDU that has
					 * not been begun, default; 0: the one
					 * that arrives
					 */
	TCA_WLINK_AQM_WEIGHT,		/* u32 2^32 w, not 0 [red]; WLINK_PROB_ONE,
					 * the default: instantaneous occupancy
					 */
	TCA_WLINK_AQM_SDU,		/* u32 bytes of a typical SDU [red sbd],
					 * default 1500
					 */
	TCA_WLINK_AQM_ALPHA,		/* u32 [sbd], default 5 SDUs, which in bytes
					 * are 5 times TCA_WLINK_AQM_SDU
					 */
	TCA_WLINK_AQM_TR,		/* u64 ns, WLINK_TIMER_MIN.. [sbd], required */
	TCA_WLINK_AQM_TARGET,		/* u64 ns, WLINK_TIMER_MIN.. [codel], 5 ms */
	TCA_WLINK_AQM_INTERVAL,		/* u64 ns, WLINK_TIMER_MIN.. [codel], 100 ms */
	TCA_WLINK_AQM_ECN,		/* u32 0 or 1 [red sbd codel], default 0:
					 * mark what can be marked, drop the rest
					 */
	TCA_WLINK_AQM_RAMP_FROM,	/* u64 ns, all kinds, see RAMP_TO */
	TCA_WLINK_AQM_RAMP_TO,		/* u64 ns, all kinds: ECT(1) is marked with a
					 * probability from 0 to 1 as the time in
					 * the buffer goes from RAMP_FROM to it;
					 * both WLINK_TIMER_OFF, the default: never
					 */
	TCA_WLINK_AQM_HOLD,		/* u32 0 or 1 [sbd], default 1: nothing is
					 * measured for T_r after a drop; 0: it
					 * goes on at once
					 */
	TCA_WLINK_AQM_CLAMP,		/* u32 0 or 1 [sbd], default 0; 1: th_n is
					 * maxth at most, so that a full buffer
					 * counts as a slope
					 */
	__TCA_WLINK_AQM_MAX,
};

#define TCA_WLINK_AQM_MAX (__TCA_WLINK_AQM_MAX - 1)

enum {
	TCA_WLINK_PROFILE_UNSPEC,
	TCA_WLINK_PROFILE_PAD,
	TCA_WLINK_PROFILE_NAME,		/* string */
	TCA_WLINK_PROFILE_ROW,		/* nested, TCA_WLINK_ROW_*, repeated */
	__TCA_WLINK_PROFILE_MAX,
};

#define TCA_WLINK_PROFILE_MAX (__TCA_WLINK_PROFILE_MAX - 1)

enum {
	TCA_WLINK_ROW_UNSPEC,
	TCA_WLINK_ROW_PAD,
	TCA_WLINK_ROW_RATE,		/* u64 */
	TCA_WLINK_ROW_AQM,		/* nested, TCA_WLINK_AQM_* */
	__TCA_WLINK_ROW_MAX,
};

#define TCA_WLINK_ROW_MAX (__TCA_WLINK_ROW_MAX - 1)

#endif
