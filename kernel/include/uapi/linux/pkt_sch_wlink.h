/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_PKT_SCH_WLINK_H
#define _UAPI_LINUX_PKT_SCH_WLINK_H

/*
 * Netlink border of sch_wlink, a radio link as a queueing discipline.
 *
 * TCA_OPTIONS (nested, NLA_F_NESTED set)
 *   TCA_WLINK_RATE		u64	bit/s of PDU payload, 0: silence, or
 *					WLINK_RATE_UNLIMITED
 *   TCA_WLINK_TTI		u64	ns, 0: continuous serialisation
 *   TCA_WLINK_DELAY		u64	ns, one-way propagation and processing
 *   TCA_WLINK_PDU		u32	payload bytes of a PDU, 0: the whole SDU
 *   TCA_WLINK_HEADER		u32	header bytes of a PDU, outside the rate
 *   TCA_WLINK_SEED		u64
 *   TCA_WLINK_LIMIT		nested, exactly one of
 *     TCA_WLINK_LIMIT_PACKETS	u32	SDUs
 *     TCA_WLINK_LIMIT_BYTES	u32	bytes
 *     TCA_WLINK_LIMIT_TIME	u64	ns of sending at the current rate
 *   TCA_WLINK_SCHED		u32	enum wlink_sched; qdisc and class 1:1 only, as
 *					are tti and seed
 *   TCA_WLINK_PRIO		u32	of a bearer where the scheduler is prio
 *   TCA_WLINK_MODE		u32	enum wlink_mode
 *   TCA_WLINK_RLC		nested	TCA_WLINK_RLC_*: what the mode needs
 *   TCA_WLINK_REVERSE		nested	where feedback travels
 *     TCA_WLINK_REVERSE_RATE	u64	bit/s, 0: that of the bearer
 *     TCA_WLINK_REVERSE_DELAY	u64	ns, WLINK_SAME: that of the bearer
 *     TCA_WLINK_REVERSE_CHANNEL nested, as TCA_WLINK_CHANNEL; WLINK_CHANNEL_LINK:
 *					the parameters of the bearer's own
 *   TCA_WLINK_AQM		nested	TCA_WLINK_AQM_*: what manages the SDU buffer
 *   TCA_WLINK_PROFILE		nested	rate -> AQM, followed at each change of rate
 *     TCA_WLINK_PROFILE_NAME	string	empty: no profile
 *     TCA_WLINK_PROFILE_ROW	nested, repeated, rates growing
 *       TCA_WLINK_ROW_RATE	u64	bit/s
 *       TCA_WLINK_ROW_AQM	nested	TCA_WLINK_AQM_*, from defaults on
 *   TCA_WLINK_HARQ		nested	where the link has a TTI
 *     TCA_WLINK_HARQ_PROCESSES	u32	blocks under way at a time, 0: no HARQ
 *     TCA_WLINK_HARQ_SENT	u32	most transmissions of a block
 *     TCA_WLINK_HARQ_BLER	u32	loss probability of the first transmission
 *     TCA_WLINK_HARQ_FACTOR	u32	... of each further one, times this
 *     TCA_WLINK_HARQ_RTT	u64	ns from a transmission to the next
 *   TCA_WLINK_SR		nested	uplink access, where the link has a TTI
 *     TCA_WLINK_SR_PERIOD	u64	ns, period of scheduling requests: 5, 10, 20, 40 or
 *					80 ms, 0: no access
 *     TCA_WLINK_SR_GRANT	u64	ns from a request or report to what is granted
 *     TCA_WLINK_SR_FIRST	u32	bytes that the grant for a request carries
 *   TCA_WLINK_DRX		nested	when the receiver listens, where the link has a TTI
 *     TCA_WLINK_DRX_CYCLE	u64	ns, long cycle, 0: always while it is connected
 *     TCA_WLINK_DRX_ON		u64	ns, on-duration in each cycle
 *     TCA_WLINK_DRX_INACTIVITY	u64	ns after the last TTI, listens always
 *     TCA_WLINK_DRX_SHORT	u64	ns, cycle after that, 0: the long one
 *     TCA_WLINK_DRX_SHORT_CYCLES u32	of these before the long one
 *   TCA_WLINK_RRC		nested	when it is idle
 *     TCA_WLINK_RRC_IDLE	u64	ns of silence, 0: never
 *     TCA_WLINK_RRC_PROMOTION	u64	ns from idle to connected
 *     TCA_WLINK_RRC_PAGING	u64	ns, cycle in which it listens then, 0: it wakes by
 *					itself
 *   TCA_WLINK_CELL		nested	how users share a cell; qdisc and class 1:1 only
 *     TCA_WLINK_CELL_RB	u32	resource blocks of a TTI, 0: not divided
 *     TCA_WLINK_CELL_PF_EXPONENT u32	in 1/1000: of the mean throughput in pf
 *     TCA_WLINK_CELL_PF_WINDOW	u32	TTIs that pf takes the mean over, 0: weight 1/128
 *   TCA_WLINK_BACKGROUND	nested	users without packets; qdisc and class 1:1 only
 *     TCA_WLINK_BACKGROUND_USERS u32	how many, 0: none
 *     TCA_WLINK_BACKGROUND_RATE u64	bit/s that each takes while on, or
 *					WLINK_RATE_UNLIMITED
 *     TCA_WLINK_BACKGROUND_ON	u64	ns, mean time that each is on
 *     TCA_WLINK_BACKGROUND_OFF	u64	ns, mean time that each is off, 0: never
 *     TCA_WLINK_BACKGROUND_ARRIVAL u64	ns, mean time between two that come; 0: none come
 *     TCA_WLINK_BACKGROUND_SIZE u32	bytes that each of those takes, mean
 *     TCA_WLINK_BACKGROUND_CV	u32	their standard deviation over the mean, in 1/1000
 *   TCA_WLINK_TDD		nested	TTIs are slots of a pattern, from CLOCK_MONOTONIC 0 on;
 *					qdisc and class 1:1 only
 *     TCA_WLINK_TDD_PATTERN	u64	enum wlink_slot of each, two bits, the first lowest; 0:
 *					the link sends in all TTIs
 *     TCA_WLINK_TDD_DIRECTION	u32	enum wlink_direction: which of them are the link's
 *     TCA_WLINK_TDD_SPECIAL	u32	symbols of a special slot that are the downlink's
 *   TCA_WLINK_JITTER		nested	see pkt_sch_wlink_impair.h
 *   TCA_WLINK_IMPAIR		nested	the same
 *   TCA_WLINK_GBR		u64	bit/s of a bearer that come before all else, 0: none
 *   TCA_WLINK_AT		u64	when the change takes effect: CLOCK_MONOTONIC ns,
 *					now..now + WLINK_AHEAD_MAX, or WLINK_AT_*;
 *					absent: WLINK_AT_NEXT
 *   TCA_WLINK_CHANNEL		nested
 *     TCA_WLINK_CHANNEL_KIND	u32	enum wlink_channel
 *     TCA_WLINK_CHANNEL_LOSS	u32	uniform: loss probability of a PDU
 *     TCA_WLINK_CHANNEL_P	u32	gilbert: good to bad, per frame
 *     TCA_WLINK_CHANNEL_R	u32	gilbert: bad to good, per frame
 *     TCA_WLINK_CHANNEL_LOSS_GOOD u32	gilbert: loss of a PDU in good
 *     TCA_WLINK_CHANNEL_LOSS_BAD  u32	gilbert: loss of a PDU in bad
 *     TCA_WLINK_CHANNEL_MEAN_GOOD u64	twostate: ns, mean sojourn in good
 *     TCA_WLINK_CHANNEL_MEAN_BAD  u64	twostate: ns, mean sojourn in bad
 *     TCA_WLINK_CHANNEL_HAZARD_GOOD u64	twostate: -ln(1 - BER) * 2^56 in good
 *     TCA_WLINK_CHANNEL_HAZARD_BAD u64	twostate: the same in bad
 *
 * An absent attribute leaves its parameter as it is. A new qdisc needs
 * TCA_WLINK_RATE. Probabilities are p * 2^32; WLINK_PROB_ONE means always.
 */

#include <linux/types.h>

#include "pkt_sch_wlink_aqm.h"
#include "pkt_sch_wlink_genl.h"
#include "pkt_sch_wlink_impair.h"
#include "pkt_sch_wlink_stats.h"

#define WLINK_PROB_ONE		0xffffffffU

#define WLINK_RATE_SILENT	0ULL			/* nothing is sent */
#define WLINK_RATE_UNLIMITED	(~0ULL)			/* takes no time */
#define WLINK_RATE_MIN		1ULL			/* bit/s, or silent */
#define WLINK_RATE_MAX		100000000000ULL		/* 100 Gbit/s */
#define WLINK_TTI_MIN		1000ULL			/* 1 us, or 0 */
#define WLINK_TTI_MAX		10000000000ULL		/* 10 s */
#define WLINK_DELAY_MAX		2592000000000000ULL	/* 30 days */
#define WLINK_PDU_MAX		65535U			/* bytes, with header */
#define WLINK_HEADER_MAX	1024U			/* bytes */
#define WLINK_LIMIT_PACKETS_MAX	1000000U
#define WLINK_LIMIT_BYTES_MAX	1073741824U		/* 1 GiB */
#define WLINK_LIMIT_TIME_MAX	3600000000000ULL	/* 1 hour */
#define WLINK_BEARERS_MAX	4096U
#define WLINK_ROOM_BYTES_MAX	268435456U		/* 256 MiB, windows */
#define WLINK_PRIO_MAX		255U
#define WLINK_HARQ_PROCESSES_MAX 16U
#define WLINK_HARQ_SENT_MAX	8U
#define WLINK_HARQ_TTIS_MAX	64U			/* in a round trip */
#define WLINK_SR_MIN		5000000ULL		/* 5 ms */
#define WLINK_SR_MAX		80000000ULL
#define WLINK_SR_GRANT_MAX	1000000000ULL		/* 1 s */
#define WLINK_SR_FIRST_MAX	65535U			/* bytes */
#define WLINK_DRX_CYCLE_MAX	10240000000ULL		/* 10.24 s, TS 38.331 */
#define WLINK_DRX_SHORTS_MAX	16U			/* TS 36.331 */
#define WLINK_RRC_PROMOTION_MAX	60000000000ULL		/* 1 minute */
#define WLINK_RB_MAX		275U			/* TS 38.101-1 clause 5.3.2 */
/* 12 subcarriers, 14 symbols, 8 bits of 256QAM, 8 layers: what a block carries in a
 * TTI at most (TS 36.211 clause 6.2.3, TS 38.211 clauses 4.3.2, 4.4.4).
 */
#define WLINK_RB_BITS_MAX	10752U
#define WLINK_PF_EXPONENT_MAX	4000U			/* 4, in 1/1000 */
#define WLINK_PF_WINDOW_MAX	10000U			/* TTIs */
#define WLINK_USERS_MAX		256U
#define WLINK_USERS_TIME_MIN	10000000ULL		/* 10 ms */
#define WLINK_ARRIVAL_MIN	1000000ULL		/* 1 ms */
#define WLINK_SIZE_MIN		1000U			/* bytes */
#define WLINK_SIZE_MAX		100000000U
#define WLINK_CV_MIN		1000U			/* 1, in 1/1000 */
#define WLINK_CV_MAX		10000U
#define WLINK_TDD_SLOTS_MAX	32U			/* of a pattern */
#define WLINK_TDD_SYMBOLS	14U			/* TS 38.211 clause 4.3.2 */
#define WLINK_SOJOURN_MAX	3600000000000ULL	/* 1 hour, from 1 us */
#define WLINK_SOJOURN_MIN	1000ULL
#define WLINK_HAZARD_MAX	(64ULL << 56)	/* e^-64: no bit survives */
#define WLINK_TIMER_MIN		1000ULL			/* 1 us */
#define WLINK_RLC_TIMER_MIN	1000000ULL		/* 1 ms: of protocols */
#define WLINK_TIMER_MAX		3600000000000ULL	/* 1 hour */
#define WLINK_TIMER_OFF		(~0ULL)
#define WLINK_SAME		(~0ULL)

/* TS 25.322 clause 9.2.1.4: 12 bits of sequence number, of which a window may
 * take all but one.
 */
#define WLINK_AM_SN		4096U
#define WLINK_AM_WINDOW_MAX	(WLINK_AM_SN - 1)
/* TS 25.322 clause 9.2.1.3: 7 bits; half of them tell old from new. */
#define WLINK_UM_SN		128U
#define WLINK_UM_REORDER_MAX	(WLINK_UM_SN / 2)
/* Selective repeat: 12 bits, the modulus at least twice the window. */
#define WLINK_SR_WINDOW_MAX	2048U
#define WLINK_POLL_COUNT_MAX	4096U
#define WLINK_POLL_BYTE_MAX	40000000U		/* TS 38.331 clause 6.3.2 */
#define WLINK_MAXRETX_MAX	32U
#define WLINK_MAXDAT_MAX	255U
#define WLINK_ALPHA_MAX		16000U			/* 16, in 1/1000 */
#define WLINK_ACK_BYTES_MAX	1500U

/**
 * enum wlink_sched - how the bearers of a link share it
 * @WLINK_SCHED_DEDICATED: each has a rate of its own
 * @WLINK_SCHED_FIFO: what arrived first goes first
 * @WLINK_SCHED_RR: a PDU of each in turn
 * @WLINK_SCHED_PRIO: the lowest prio first, equal ones in turn
 * @WLINK_SCHED_PF: each TTI to the highest ratio of rate to mean throughput
 * @__WLINK_SCHED_MAX: one past the last
 */
enum wlink_sched {
	WLINK_SCHED_DEDICATED,
	WLINK_SCHED_FIFO,
	WLINK_SCHED_RR,
	WLINK_SCHED_PRIO,
	WLINK_SCHED_PF,
	__WLINK_SCHED_MAX,
};

#define WLINK_SCHED_MAX (__WLINK_SCHED_MAX - 1)

/**
 * enum wlink_slot - what a slot of a TDD pattern carries
 * @WLINK_SLOT_NONE: past the end of the pattern
 * @WLINK_SLOT_DOWNLINK: the downlink
 * @WLINK_SLOT_SPECIAL: some symbols of the downlink, then a guard period
 * @WLINK_SLOT_UPLINK: the uplink
 * @__WLINK_SLOT_MAX: one past the last
 */
enum wlink_slot {
	WLINK_SLOT_NONE,
	WLINK_SLOT_DOWNLINK,
	WLINK_SLOT_SPECIAL,
	WLINK_SLOT_UPLINK,
	__WLINK_SLOT_MAX,
};

/**
 * enum wlink_direction - which direction of a radio link a qdisc is
 * @WLINK_DIRECTION_DOWNLINK: from the base station
 * @WLINK_DIRECTION_UPLINK: to it
 * @__WLINK_DIRECTION_MAX: one past the last
 */
enum wlink_direction {
	WLINK_DIRECTION_DOWNLINK,
	WLINK_DIRECTION_UPLINK,
	__WLINK_DIRECTION_MAX,
};

#define WLINK_DIRECTION_MAX (__WLINK_DIRECTION_MAX - 1)

/**
 * enum wlink_mode - how a bearer carries its SDUs
 * @WLINK_MODE_TM: transparent: no header, padding, concatenation
 * @WLINK_MODE_UM: RLC unacknowledged mode, TS 25.322
 * @WLINK_MODE_AM: RLC acknowledged mode, TS 25.322
 * @WLINK_MODE_FSR: selective repeat with a fixed retransmission timer
 * @WLINK_MODE_ASR: selective repeat with an adaptive one
 * @WLINK_MODE_LTE_UM: RLC unacknowledged mode, TS 36.322
 * @WLINK_MODE_LTE_AM: RLC acknowledged mode, TS 36.322
 * @WLINK_MODE_NR_AM: RLC acknowledged mode, TS 38.322
 * @__WLINK_MODE_MAX: one past the last
 */
enum wlink_mode {
	WLINK_MODE_TM,
	WLINK_MODE_UM,
	WLINK_MODE_AM,
	WLINK_MODE_FSR,
	WLINK_MODE_ASR,
	WLINK_MODE_LTE_UM,
	WLINK_MODE_LTE_AM,
	WLINK_MODE_NR_AM,
	__WLINK_MODE_MAX,
};

#define WLINK_MODE_MAX (__WLINK_MODE_MAX - 1)

/**
 * enum wlink_status - how a STATUS PDU names missing PDUs
 * @WLINK_STATUS_LIST: LIST SUFIs
 * @WLINK_STATUS_BITMAP: BITMAP SUFIs
 * @__WLINK_STATUS_MAX: one past the last
 */
enum wlink_status {
	WLINK_STATUS_LIST,
	WLINK_STATUS_BITMAP,
	__WLINK_STATUS_MAX,
};

#define WLINK_STATUS_MAX (__WLINK_STATUS_MAX - 1)

/**
 * enum wlink_discard - what follows when MaxDAT is reached or time is up
 * @WLINK_DISCARD_MRW: MaxDAT: discard the SDUs, move the receiving window
 * @WLINK_DISCARD_RESET: MaxDAT: reset the connection (no_discard)
 * @WLINK_DISCARD_TIMER: Timer_Discard with explicit signalling; MaxDAT is not
 *	looked at
 * @__WLINK_DISCARD_MAX: one past the last
 */
enum wlink_discard {
	WLINK_DISCARD_MRW,
	WLINK_DISCARD_RESET,
	WLINK_DISCARD_TIMER,
	__WLINK_DISCARD_MAX,
};

#define WLINK_DISCARD_MAX (__WLINK_DISCARD_MAX - 1)

/**
 * enum wlink_rttvar - what srttvar of the adaptive timer follows
 * @WLINK_RTTVAR_ABS: |sample - srtt|, srtt not updated yet, as TCP does
 * @WLINK_RTTVAR_SIGNED: sample - srtt, srtt updated, as the paper prints
 * @__WLINK_RTTVAR_MAX: one past the last
 */
enum wlink_rttvar {
	WLINK_RTTVAR_ABS,
	WLINK_RTTVAR_SIGNED,
	__WLINK_RTTVAR_MAX,
};

#define WLINK_RTTVAR_MAX (__WLINK_RTTVAR_MAX - 1)

/**
 * enum wlink_start - am, fsr, asr: when a PDU gets its number and its timers start
 * @WLINK_START_AIR: when it goes on the air; fsr, asr: the timer when it has gone
 * @WLINK_START_HANDOVER: when the window admits it: it joins the end of a queue
 * @WLINK_START_HANDOVER_HEAD: as that, but retransmissions join its head
 * @WLINK_START_HANDOVER_ONE: when none of the bearer waits for the transmitter
 * @__WLINK_START_MAX: one past the last
 */
enum wlink_start {
	WLINK_START_AIR,
	WLINK_START_HANDOVER,
	WLINK_START_HANDOVER_HEAD,
	WLINK_START_HANDOVER_ONE,
	__WLINK_START_MAX,
};

#define WLINK_START_MAX (__WLINK_START_MAX - 1)

/* PDUs of a bearer that wait for the transmitter. */
#define WLINK_QUEUE_MAX	65536

/**
 * enum wlink_channel - what happens to a PDU on the air
 * @WLINK_CHANNEL_NONE: every PDU arrives
 * @WLINK_CHANNEL_UNIFORM: each PDU is lost with the same probability
 * @WLINK_CHANNEL_GILBERT: two states, one step per frame: a frame is a TTI,
 *	or a PDU where the TTI is 0
 * @WLINK_CHANNEL_TWOSTATE: two states in continuous time, sojourns exponential,
 *	a bit error rate in each
 * @WLINK_CHANNEL_LINK: class 1:N: the channel of the qdisc, shared with all who
 *	have none of their own; reverse: the parameters of the bearer's channel
 * @__WLINK_CHANNEL_MAX: one past the last
 */
enum wlink_channel {
	WLINK_CHANNEL_NONE,
	WLINK_CHANNEL_UNIFORM,
	WLINK_CHANNEL_GILBERT,
	WLINK_CHANNEL_TWOSTATE,
	WLINK_CHANNEL_LINK,
	__WLINK_CHANNEL_MAX,
};

#define WLINK_CHANNEL_MAX (__WLINK_CHANNEL_MAX - 1)

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
	TCA_WLINK_SCHED,		/* u32, enum wlink_sched */
	TCA_WLINK_PRIO,			/* u32 */
	TCA_WLINK_MODE,			/* u32, enum wlink_mode */
	TCA_WLINK_RLC,			/* nested, TCA_WLINK_RLC_* */
	TCA_WLINK_REVERSE,		/* nested, TCA_WLINK_REVERSE_* */
	TCA_WLINK_AQM,			/* nested, TCA_WLINK_AQM_* */
	TCA_WLINK_PROFILE,		/* nested, TCA_WLINK_PROFILE_* */
	TCA_WLINK_AT,			/* u64 */
	TCA_WLINK_OLD_COOKIE,		/* of interface 1, refused */
	TCA_WLINK_OLD_BEARER,
	TCA_WLINK_OLD_SCHEDULE,
	TCA_WLINK_HARQ,			/* nested, TCA_WLINK_HARQ_* */
	TCA_WLINK_SR,			/* nested, TCA_WLINK_SR_* */
	TCA_WLINK_DRX,			/* nested, TCA_WLINK_DRX_* */
	TCA_WLINK_RRC,			/* nested, TCA_WLINK_RRC_* */
	TCA_WLINK_CELL,			/* nested, TCA_WLINK_CELL_* */
	TCA_WLINK_GBR,			/* u64 */
	TCA_WLINK_BACKGROUND,		/* nested, TCA_WLINK_BACKGROUND_* */
	TCA_WLINK_TDD,			/* nested, TCA_WLINK_TDD_* */
	TCA_WLINK_JITTER,		/* nested, TCA_WLINK_JITTER_* */
	TCA_WLINK_IMPAIR,		/* nested, TCA_WLINK_IMPAIR_* */
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
	TCA_WLINK_CHANNEL_MEAN_GOOD,	/* u64 */
	TCA_WLINK_CHANNEL_MEAN_BAD,	/* u64 */
	TCA_WLINK_CHANNEL_HAZARD_GOOD,	/* u64 */
	TCA_WLINK_CHANNEL_HAZARD_BAD,	/* u64 */
	__TCA_WLINK_CHANNEL_MAX,
};

#define TCA_WLINK_CHANNEL_MAX (__TCA_WLINK_CHANNEL_MAX - 1)

enum {
	TCA_WLINK_REVERSE_UNSPEC,
	TCA_WLINK_REVERSE_PAD,
	TCA_WLINK_REVERSE_RATE,		/* u64 */
	TCA_WLINK_REVERSE_DELAY,	/* u64 */
	TCA_WLINK_REVERSE_CHANNEL,	/* nested, TCA_WLINK_CHANNEL_* */
	__TCA_WLINK_REVERSE_MAX,
};

#define TCA_WLINK_REVERSE_MAX (__TCA_WLINK_REVERSE_MAX - 1)

enum {
	TCA_WLINK_HARQ_UNSPEC,
	TCA_WLINK_HARQ_PAD,
	TCA_WLINK_HARQ_PROCESSES,	/* u32, 0 off */
	TCA_WLINK_HARQ_SENT,		/* u32 */
	TCA_WLINK_HARQ_BLER,		/* u32 */
	TCA_WLINK_HARQ_FACTOR,		/* u32 */
	TCA_WLINK_HARQ_RTT,		/* u64 */
	__TCA_WLINK_HARQ_MAX,
};

#define TCA_WLINK_HARQ_MAX (__TCA_WLINK_HARQ_MAX - 1)

enum {
	TCA_WLINK_SR_UNSPEC,
	TCA_WLINK_SR_PAD,
	TCA_WLINK_SR_PERIOD,		/* u64, 0 off */
	TCA_WLINK_SR_GRANT,		/* u64 */
	TCA_WLINK_SR_FIRST,		/* u32 */
	__TCA_WLINK_SR_MAX,
};

#define TCA_WLINK_SR_MAX (__TCA_WLINK_SR_MAX - 1)

enum {
	TCA_WLINK_DRX_UNSPEC,
	TCA_WLINK_DRX_PAD,
	TCA_WLINK_DRX_CYCLE,		/* u64, 0 off */
	TCA_WLINK_DRX_ON,		/* u64 */
	TCA_WLINK_DRX_INACTIVITY,	/* u64 */
	TCA_WLINK_DRX_SHORT,		/* u64, 0 off */
	TCA_WLINK_DRX_SHORT_CYCLES,	/* u32 */
	__TCA_WLINK_DRX_MAX,
};

#define TCA_WLINK_DRX_MAX (__TCA_WLINK_DRX_MAX - 1)

enum {
	TCA_WLINK_RRC_UNSPEC,
	TCA_WLINK_RRC_PAD,
	TCA_WLINK_RRC_IDLE,		/* u64, 0 off */
	TCA_WLINK_RRC_PROMOTION,	/* u64 */
	TCA_WLINK_RRC_PAGING,		/* u64, 0 off */
	__TCA_WLINK_RRC_MAX,
};

#define TCA_WLINK_RRC_MAX (__TCA_WLINK_RRC_MAX - 1)

enum {
	TCA_WLINK_CELL_UNSPEC,
	TCA_WLINK_CELL_PAD,
	TCA_WLINK_CELL_RB,		/* u32, 0 off */
	TCA_WLINK_CELL_PF_EXPONENT,	/* u32 in 1/1000 */
	TCA_WLINK_CELL_PF_WINDOW,	/* u32, 0 off */
	__TCA_WLINK_CELL_MAX,
};

#define TCA_WLINK_CELL_MAX (__TCA_WLINK_CELL_MAX - 1)

enum {
	TCA_WLINK_BACKGROUND_UNSPEC,
	TCA_WLINK_BACKGROUND_PAD,
	TCA_WLINK_BACKGROUND_USERS,	/* u32, 0 off */
	TCA_WLINK_BACKGROUND_RATE,	/* u64 */
	TCA_WLINK_BACKGROUND_ON,	/* u64 */
	TCA_WLINK_BACKGROUND_OFF,	/* u64, 0 or a time */
	TCA_WLINK_BACKGROUND_ARRIVAL,	/* u64, 0 off */
	TCA_WLINK_BACKGROUND_SIZE,	/* u32 */
	TCA_WLINK_BACKGROUND_CV,	/* u32 in 1/1000 */
	__TCA_WLINK_BACKGROUND_MAX,
};

#define TCA_WLINK_BACKGROUND_MAX (__TCA_WLINK_BACKGROUND_MAX - 1)

enum {
	TCA_WLINK_TDD_UNSPEC,
	TCA_WLINK_TDD_PAD,
	TCA_WLINK_TDD_PATTERN,		/* u64, 0 off */
	TCA_WLINK_TDD_DIRECTION,	/* u32, enum wlink_direction */
	TCA_WLINK_TDD_SPECIAL,		/* u32 */
	__TCA_WLINK_TDD_MAX,
};

#define TCA_WLINK_TDD_MAX (__TCA_WLINK_TDD_MAX - 1)

/* Timers are u64 ns, WLINK_RLC_TIMER_MIN..WLINK_TIMER_MAX, or WLINK_TIMER_OFF where
 * one may be off. Names in brackets are those of TS 25.322 clauses 9.5, 9.6.
 */
enum {
	TCA_WLINK_RLC_UNSPEC,
	TCA_WLINK_RLC_PAD,
	TCA_WLINK_RLC_WINDOW,		/* u32 PDUs: am, fsr, asr */
	TCA_WLINK_RLC_IN_ORDER,		/* u32 0 or 1: am */
	TCA_WLINK_RLC_POLL_LAST,	/* u32 0 or 1: am */
	TCA_WLINK_RLC_POLL_LAST_RETX,	/* u32 0 or 1: am */
	TCA_WLINK_RLC_POLL_PDU,		/* u32, 0 off: am [Poll_PDU] */
	TCA_WLINK_RLC_POLL_SDU,		/* u32, 0 off: am [Poll_SDU] */
	TCA_WLINK_RLC_POLL_WINDOW,	/* u32 percent, 0 off: am [Poll_Window] */
	TCA_WLINK_RLC_T_POLL,		/* u64: am [Timer_Poll] */
	TCA_WLINK_RLC_T_POLL_PERIODIC,	/* u64: am [Timer_Poll_Periodic] */
	TCA_WLINK_RLC_T_POLL_PROHIBIT,	/* u64: am [Timer_Poll_Prohibit] */
	TCA_WLINK_RLC_MISSING,		/* u32 0 or 1: am, missing PDU detection */
	TCA_WLINK_RLC_T_STATUS_PERIODIC, /* u64: am [Timer_Status_Periodic] */
	TCA_WLINK_RLC_T_STATUS_PROHIBIT, /* u64: am [Timer_Status_Prohibit] */
	TCA_WLINK_RLC_STATUS,		/* u32, enum wlink_status: am */
	TCA_WLINK_RLC_DISCARD,		/* u32, enum wlink_discard: am */
	TCA_WLINK_RLC_MAXDAT,		/* u32: am [MaxDAT] */
	TCA_WLINK_RLC_T_DISCARD,	/* u64: tm, um, am [Timer_Discard] */
	TCA_WLINK_RLC_T_MRW,		/* u64, never off: am [Timer_MRW] */
	TCA_WLINK_RLC_MAXMRW,		/* u32: am [MaxMRW] */
	TCA_WLINK_RLC_T_RST,		/* u64, never off: am [Timer_RST] */
	TCA_WLINK_RLC_MAXRST,		/* u32: am [MaxRST] */
	TCA_WLINK_RLC_REORDER,		/* u32 PDUs, 0 off: um, window */
	TCA_WLINK_RLC_T_REORDER,	/* u64: um [Timer_DAR] */
	TCA_WLINK_RLC_DUPLICATES,	/* u32 0 or 1: um, duplicate avoidance */
	TCA_WLINK_RLC_RTO,		/* u64, never off: fsr; asr: first value */
	TCA_WLINK_RLC_ALPHA,		/* u32 in 1/1000: asr */
	TCA_WLINK_RLC_BETA,		/* u32 in 1/1000: asr */
	TCA_WLINK_RLC_RTTVAR,		/* u32, enum wlink_rttvar: asr */
	TCA_WLINK_RLC_ACK_DELAY,	/* u64, 0 or a timer: fsr, asr */
	TCA_WLINK_RLC_ACK_BYTES,	/* u32, size of ACK and NACK: fsr, asr */
	TCA_WLINK_RLC_NACK_GUARD,	/* u64, 0 or a timer: fsr, asr */
	TCA_WLINK_RLC_POLL_BYTE,	/* u32, 0 infinite: lte-am, nr-am [pollByte] */
	TCA_WLINK_RLC_MAXRETX,		/* u32: lte-am, nr-am [maxRetxThreshold] */
	TCA_WLINK_RLC_START,		/* u32, enum wlink_start: am, fsr, asr */
	TCA_WLINK_RLC_QUEUE,		/* u32 PDUs, 0 two windows: am, fsr, asr */
	__TCA_WLINK_RLC_MAX,
};

#define TCA_WLINK_RLC_MAX (__TCA_WLINK_RLC_MAX - 1)

#endif
