/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_PKT_SCH_WLINK_PLAY_H
#define _UAPI_LINUX_PKT_SCH_WLINK_PLAY_H

/* Part of <linux/pkt_sch_wlink.h>: transactions, schedules, notifications. */

#include <linux/types.h>

#define WLINK_AT_NEXT		(~0ULL)	/* first start of a TTI after now */
#define WLINK_AT_NOW		0ULL	/* a TTI that starts now, else the next */
#define WLINK_AHEAD_MAX		315360000000000000ULL	/* times: now + 10 years */
#define WLINK_PENDING_MAX	1024U	/* transactions that may wait on a link */
#define WLINK_PARTS_MAX		8192U	/* bearers in all of them together */
#define WLINK_STEPS_MAX		4194304U		/* of one schedule */
#define WLINK_STEPS_BYTES_MAX	268435456ULL		/* of all of a link */
#define WLINK_STEP_KEEP		(~0ULL)	/* a value that leaves its column alone */
#define WLINK_PLAY_LENGTH_MAX	864000000000000ULL	/* 10 days */
#define WLINK_GRANT_MAX		WLINK_LIMIT_BYTES_MAX

/**
 * enum wlink_column - what a step of a schedule may set
 * @WLINK_COLUMN_RATE: bit/s
 * @WLINK_COLUMN_DELAY: ns
 * @WLINK_COLUMN_LOSS: loss probability of a PDU, p * 2^32; makes the channel
 *	uniform
 * @WLINK_COLUMN_LIMIT_PACKETS: limit, SDUs
 * @WLINK_COLUMN_LIMIT_BYTES: limit, bytes; not beside the one before it
 * @WLINK_COLUMN_GRANT: an opportunity to send this many bytes at once; the
 *	bearer then has no other. Mode tm, tti 0, sched dedicated only
 * @__WLINK_COLUMN_MAX: one past the last
 *
 * A step is a u64 offset in ns, not before that of the step before it, and a
 * u64 for each column of the schedule, in this order.
 */
enum wlink_column {
	WLINK_COLUMN_RATE,
	WLINK_COLUMN_DELAY,
	WLINK_COLUMN_LOSS,
	WLINK_COLUMN_LIMIT_PACKETS,
	WLINK_COLUMN_LIMIT_BYTES,
	WLINK_COLUMN_GRANT,
	__WLINK_COLUMN_MAX,
};

#define WLINK_COLUMN_MAX (__WLINK_COLUMN_MAX - 1)

/**
 * enum wlink_play_op - steps in the life of a schedule
 * @WLINK_PLAY_LOAD: begin a new one beside the one that plays; forget one that
 *	has been loaded and not started. Needs COLUMNS; may have STEPS
 * @WLINK_PLAY_ADD: STEPS for the loaded one, or, where there is none, for the
 *	one that plays
 * @WLINK_PLAY_START: end of loading; needs END, LENGTH, START
 * @WLINK_PLAY_STOP: the configured values come back, the one that plays and the
 *	loaded one are forgotten
 * @__WLINK_PLAY_OP_MAX: one past the last
 */
enum wlink_play_op {
	WLINK_PLAY_LOAD,
	WLINK_PLAY_ADD,
	WLINK_PLAY_START,
	WLINK_PLAY_STOP,
	__WLINK_PLAY_OP_MAX,
};

#define WLINK_PLAY_OP_MAX (__WLINK_PLAY_OP_MAX - 1)

/**
 * enum wlink_play_end - what follows when a schedule's length has passed
 * @WLINK_PLAY_END_HOLD: the last values stay
 * @WLINK_PLAY_END_LOOP: it begins anew
 * @WLINK_PLAY_END_STOP: the configured values come back
 * @__WLINK_PLAY_END_MAX: one past the last
 */
enum wlink_play_end {
	WLINK_PLAY_END_HOLD,
	WLINK_PLAY_END_LOOP,
	WLINK_PLAY_END_STOP,
	__WLINK_PLAY_END_MAX,
};

#define WLINK_PLAY_END_MAX (__WLINK_PLAY_END_MAX - 1)

/* TCA_WLINK_PLAY_START: CLOCK_MONOTONIC ns, now..now + WLINK_AHEAD_MAX, or one of
 * these.
 */
#define WLINK_START_NOW		0ULL
#define WLINK_START_PACKET	(~0ULL)	/* when the next SDU arrives */

/**
 * enum wlink_play_state - where a schedule is
 * @WLINK_PLAY_STATE_NONE: there is none
 * @WLINK_PLAY_STATE_LOADED: it is being loaded
 * @WLINK_PLAY_STATE_WAITS: for its start
 * @WLINK_PLAY_STATE_PLAYS: it plays
 * @WLINK_PLAY_STATE_HOLDS: it is over, its last values stay
 * @__WLINK_PLAY_STATE_MAX: one past the last
 */
enum wlink_play_state {
	WLINK_PLAY_STATE_NONE,
	WLINK_PLAY_STATE_LOADED,
	WLINK_PLAY_STATE_WAITS,
	WLINK_PLAY_STATE_PLAYS,
	WLINK_PLAY_STATE_HOLDS,
	__WLINK_PLAY_STATE_MAX,
};

enum {
	TCA_WLINK_BEARER_UNSPEC,
	TCA_WLINK_BEARER_PAD,
	TCA_WLINK_BEARER_NUMBER,	/* u32 */
	TCA_WLINK_BEARER_OPTIONS,	/* nested, TCA_WLINK_* */
	__TCA_WLINK_BEARER_MAX,
};

#define TCA_WLINK_BEARER_MAX (__TCA_WLINK_BEARER_MAX - 1)

enum {
	TCA_WLINK_PLAY_UNSPEC,
	TCA_WLINK_PLAY_PAD,
	TCA_WLINK_PLAY_OP,		/* u32, enum wlink_play_op, required */
	TCA_WLINK_PLAY_COLUMNS,		/* u32, bits 1 << enum wlink_column */
	TCA_WLINK_PLAY_STEPS,		/* binary, whole steps of u64 */
	TCA_WLINK_PLAY_END,		/* u32, enum wlink_play_end */
	TCA_WLINK_PLAY_LENGTH,		/* u64 ns, not below the last offset,
					 * WLINK_TIMER_MIN..WLINK_PLAY_LENGTH_MAX
					 */
	TCA_WLINK_PLAY_START,		/* u64 ns or WLINK_START_* */
	__TCA_WLINK_PLAY_MAX,
};

#define TCA_WLINK_PLAY_MAX (__TCA_WLINK_PLAY_MAX - 1)

/*
 * Generic netlink: what has taken effect, and when. No commands but the kernel's;
 * join the group. Times are CLOCK_MONOTONIC ns, of the model.
 */
#define WLINK_GENL_NAME		"wlink"
#define WLINK_GENL_VERSION	1
#define WLINK_GENL_GROUP	"events"

/**
 * enum wlink_cmd - kinds of notifications
 * @WLINK_CMD_UNSPEC: none
 * @WLINK_CMD_APPLIED: a transaction has taken effect
 * @WLINK_CMD_PLAY: a schedule has started, ended, or been stopped; STATE says
 *	where it is now
 */
enum wlink_cmd {
	WLINK_CMD_UNSPEC,
	WLINK_CMD_APPLIED,
	WLINK_CMD_PLAY,
};

enum {
	WLINK_A_UNSPEC,
	WLINK_A_PAD,
	WLINK_A_IFINDEX,	/* u32 */
	WLINK_A_HANDLE,		/* u32, of the qdisc */
	WLINK_A_AT,		/* u64, when it took effect */
	WLINK_A_ASKED,		/* u64, when the message was taken */
	WLINK_A_GENERATION,	/* u32, what all later records carry */
	WLINK_A_COOKIE,		/* u64, of the message */
	WLINK_A_BEARER,		/* u32, repeated: changed by it; PLAY: whose */
	WLINK_A_STATE,		/* u32, enum wlink_play_state */
	WLINK_A_LOST,		/* u64, notifications lost on this link so far */
	__WLINK_A_MAX,
};

#define WLINK_A_MAX (__WLINK_A_MAX - 1)

#endif
