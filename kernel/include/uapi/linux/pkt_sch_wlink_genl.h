/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_PKT_SCH_WLINK_GENL_H
#define _UAPI_LINUX_PKT_SCH_WLINK_GENL_H

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
#define WLINK_SCHEDULE_LENGTH_MAX	864000000000000ULL	/* 10 days */
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
 * @WLINK_COLUMN_BLER: how likely HARQ loses the first transmission of a block,
 *	p * 2^32; with HARQ only
 * @WLINK_COLUMN_BACKGROUND: bit/s that each background user takes while on; bearer 1
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
	WLINK_COLUMN_BLER,
	WLINK_COLUMN_BACKGROUND,
	__WLINK_COLUMN_MAX,
};

#define WLINK_COLUMN_MAX (__WLINK_COLUMN_MAX - 1)

/**
 * enum wlink_schedule_end - what follows when a schedule's length has passed
 * @WLINK_SCHEDULE_END_HOLD: the last values stay
 * @WLINK_SCHEDULE_END_LOOP: it begins anew
 * @WLINK_SCHEDULE_END_STOP: the configured values come back
 * @__WLINK_SCHEDULE_END_MAX: one past the last
 */
enum wlink_schedule_end {
	WLINK_SCHEDULE_END_HOLD,
	WLINK_SCHEDULE_END_LOOP,
	WLINK_SCHEDULE_END_STOP,
	__WLINK_SCHEDULE_END_MAX,
};

#define WLINK_SCHEDULE_END_MAX (__WLINK_SCHEDULE_END_MAX - 1)

/* WLINK_SCHEDULE_START: CLOCK_MONOTONIC ns, now..now + WLINK_AHEAD_MAX, or one of
 * these.
 */
#define WLINK_START_NOW		0ULL
#define WLINK_START_PACKET	(~0ULL)	/* when the next SDU arrives */

/**
 * enum wlink_schedule_state - where a schedule is
 * @WLINK_SCHEDULE_STATE_NONE: there is none
 * @WLINK_SCHEDULE_STATE_LOADED: it is being loaded
 * @WLINK_SCHEDULE_STATE_WAITS: for its start
 * @WLINK_SCHEDULE_STATE_PLAYS: it plays
 * @WLINK_SCHEDULE_STATE_HOLDS: it is over, its last values stay
 * @__WLINK_SCHEDULE_STATE_MAX: one past the last
 */
enum wlink_schedule_state {
	WLINK_SCHEDULE_STATE_NONE,
	WLINK_SCHEDULE_STATE_LOADED,
	WLINK_SCHEDULE_STATE_WAITS,
	WLINK_SCHEDULE_STATE_PLAYS,
	WLINK_SCHEDULE_STATE_HOLDS,
	__WLINK_SCHEDULE_STATE_MAX,
};

/*
 * Generic netlink: what is no configuration. Commands, the statistics that a dump of
 * rtnetlink has no room for, and for those who join the group what has taken effect.
 * Times are CLOCK_MONOTONIC ns, of the model.
 *
 * Each request has IFINDEX and HANDLE of a link and may have BEARER, 1 where it is
 * missing; each answer has them, too. Documentation/netlink/wlink.yaml says all of it
 * in the words of the kernel's own specifications.
 */
#define WLINK_GENL_NAME		"wlink"
#define WLINK_GENL_VERSION	2
#define WLINK_GENL_GROUP	"events"

/**
 * enum wlink_cmd - requests and notifications
 * @WLINK_CMD_UNSPEC: none
 * @WLINK_CMD_APPLIED: notification: a change has taken effect. Has AT, GENERATION,
 *	LOST, ASKED, COOKIE, and BEARER for each bearer
 * @WLINK_CMD_SCHEDULE: notification: a schedule has started, ended, or been stopped;
 *	STATE says where it is now. Has AT, GENERATION, LOST, BEARER
 * @WLINK_CMD_GET: statistics of the link, or of a bearer where BEARER is there. The
 *	answer has STATS, LATE_BINS and WHY_BINS, all of one time
 * @WLINK_CMD_CANCEL: take back all changes that wait on the link. The answer has
 *	COUNT. Notification: a change will not take effect, as APPLIED
 * @WLINK_CMD_SET: change bearers together, for each a PART, bearer 1 first; AT says
 *	when. The answer has COOKIE, ASKED, AT, when it takes effect, and GENERATION
 *	where it has taken effect
 * @WLINK_CMD_LOAD: begin a schedule beside the one that plays; forget one that has
 *	been loaded and not started. SCHEDULE has COLUMNS and may have STEPS. The
 *	answer is as that of GET_SCHEDULE, as for the three next ones
 * @WLINK_CMD_ADD: STEPS in SCHEDULE for the loaded one, or, where there is none, for
 *	the one that plays
 * @WLINK_CMD_START: end of loading; SCHEDULE has END, LENGTH, START
 * @WLINK_CMD_STOP: the configured values come back, the one that plays and the
 *	loaded one are forgotten
 * @WLINK_CMD_GET_PENDING: dump of changes that wait, in their order: COOKIE, ASKED, AT,
 *	COUNT of bearers, BEARER of the first WLINK_PENDING_BEARERS
 * @WLINK_CMD_GET_SCHEDULE: dump of bearers: BEARER, STATE, COUNT of steps that are
 *	loaded and not started, and where one plays or waits SCHEDULE with COLUMNS, END,
 *	LENGTH, START, and STEPS_ALL, STEP, PASS
 * @WLINK_CMD_GET_PROFILE: the profile that a bearer is asked to follow: PROFILE as
 *	TCA_WLINK_PROFILE, none where there is none
 * @WLINK_CMD_FORWARD: a handover: all that BEARER, which must be there, has not delivered
 *	goes out of the device at once and counts as WLINK_DROP_FORWARD; where it goes
 *	is a matter of routes
 * @WLINK_CMD_PAIR: the qdisc PEER_HANDLE of device PEER_IFINDEX is the other direction of
 *	the link; PEER_NETNS_FD where that is in another namespace. Without PEER_IFINDEX:
 *	it is no longer
 */
enum wlink_cmd {
	WLINK_CMD_UNSPEC,
	WLINK_CMD_APPLIED,
	WLINK_CMD_SCHEDULE,
	WLINK_CMD_GET,
	WLINK_CMD_CANCEL,
	WLINK_CMD_SET,
	WLINK_CMD_LOAD,
	WLINK_CMD_ADD,
	WLINK_CMD_START,
	WLINK_CMD_STOP,
	WLINK_CMD_GET_PENDING,
	WLINK_CMD_GET_SCHEDULE,
	WLINK_CMD_GET_PROFILE,
	WLINK_CMD_FORWARD,
	WLINK_CMD_PAIR,
};

#define WLINK_PENDING_BEARERS	64U

enum {
	WLINK_A_UNSPEC,
	WLINK_A_PAD,
	WLINK_A_IFINDEX,	/* s32 */
	WLINK_A_HANDLE,		/* u32, of the qdisc */
	WLINK_A_AT,		/* u64, when it takes or took effect; SET: as
				 * TCA_WLINK_AT
				 */
	WLINK_A_ASKED,		/* u64, when the message was taken */
	WLINK_A_GENERATION,	/* u32, what all later records carry */
	WLINK_A_COOKIE,		/* u64, the kernel's number of a change */
	WLINK_A_BEARER,		/* u32, may be repeated in answers */
	WLINK_A_STATE,		/* u32, enum wlink_schedule_state */
	WLINK_A_LOST,		/* u64, notifications lost on this link so far */
	WLINK_A_STATS,		/* u64[], enum wlink_stat */
	WLINK_A_LATE_BINS,	/* u64[WLINK_LATE_BINS] */
	WLINK_A_WHY_BINS,	/* u64[__WLINK_WHY_MAX][WLINK_LATE_BINS] */
	WLINK_A_COUNT,		/* u32 */
	WLINK_A_PART,		/* nested, WLINK_PART_*, repeated */
	WLINK_A_SCHEDULE,	/* nested, WLINK_SCHEDULE_* */
	WLINK_A_PROFILE,	/* nested, TCA_WLINK_PROFILE_* */
	WLINK_A_STEPS_ALL,	/* u64, of a schedule */
	WLINK_A_STEP,		/* u64, of these, played in this pass */
	WLINK_A_PASS,		/* u64, whole passes so far */
	WLINK_A_PEER_IFINDEX,	/* s32 */
	WLINK_A_PEER_HANDLE,	/* u32 */
	WLINK_A_PEER_NETNS_FD,	/* u32 */
	__WLINK_A_MAX,
};

#define WLINK_A_MAX (__WLINK_A_MAX - 1)

enum {
	WLINK_PART_UNSPEC,
	WLINK_PART_PAD,
	WLINK_PART_BEARER,		/* u32 */
	WLINK_PART_OPTIONS,		/* nested, TCA_WLINK_* without AT */
	__WLINK_PART_MAX,
};

#define WLINK_PART_MAX (__WLINK_PART_MAX - 1)

enum {
	WLINK_SCHEDULE_UNSPEC,
	WLINK_SCHEDULE_PAD,
	WLINK_SCHEDULE_COLUMNS,		/* u32, bits 1 << enum wlink_column */
	WLINK_SCHEDULE_STEPS,		/* binary, whole steps of u64 */
	WLINK_SCHEDULE_END,		/* u32, enum wlink_schedule_end */
	WLINK_SCHEDULE_LENGTH,		/* u64 ns, not below the last offset,
					 * WLINK_TIMER_MIN..WLINK_SCHEDULE_LENGTH_MAX
					 */
	WLINK_SCHEDULE_START,		/* u64 ns or WLINK_START_* */
	__WLINK_SCHEDULE_MAX,
};

#define WLINK_SCHEDULE_MAX (__WLINK_SCHEDULE_MAX - 1)

#endif
