/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_PKT_SCH_WLINK_IMPAIR_H
#define _UAPI_LINUX_PKT_SCH_WLINK_IMPAIR_H

/*
 * Part of <linux/pkt_sch_wlink.h>: what may happen to a SDU behind the receiver.
 *
 *   TCA_WLINK_JITTER		nested
 *     TCA_WLINK_JITTER_MEAN	u64	ns as typed, 0: no jitter
 *     TCA_WLINK_JITTER_DIST	u32	enum wlink_dist as typed
 *     TCA_WLINK_JITTER_DEV	u64	ns as typed: standard deviation
 *     TCA_WLINK_JITTER_NAME	string	of the table, empty where there is none
 *     TCA_WLINK_JITTER_UNIT	u64	ns that a point's value counts
 *     TCA_WLINK_JITTER_POINTS	binary	struct wlink_point, 2..WLINK_POINTS_MAX
 *     TCA_WLINK_JITTER_CORRELATION u32	of one SDU's delay with the one before
 *     TCA_WLINK_JITTER_REORDER	u32	0 or 1: SDUs may overtake each other
 *   TCA_WLINK_IMPAIR		nested
 *     TCA_WLINK_IMPAIR_DUPLICATE u32	probability that a SDU comes twice
 *     TCA_WLINK_IMPAIR_CORRUPT	u32	probability that a SDU comes with an error
 *     TCA_WLINK_IMPAIR_UNIT	u32	enum wlink_error: what an error is
 *     TCA_WLINK_IMPAIR_LOST	u32	0 or 1, tm: what the channel would lose comes
 *					with errors
 *
 * The points are what the kernel goes by; what was typed is only kept to be shown, so the
 * first six attributes come together.
 */

#include <linux/types.h>

#define WLINK_JITTER_MAX	60000000000ULL		/* 1 minute: the greatest delay */
#define WLINK_JITTER_NAME_MAX	91U			/* bytes */
#define WLINK_POINTS_MAX	4098U			/* 32 KiB */
#define WLINK_ERRORS_MAX	32U			/* of a SDU */

/**
 * struct wlink_point - a point of a distribution function
 * @cum: probability of a value below it, times 2^32 - 1; the first one's is 0, the last
 *	one's 2^32 - 1
 * @value: the value, in units
 *
 * Neither falls from one point to the next. Between two points the function is linear;
 * two with one @value are an atom, two with one @cum a gap.
 */
struct wlink_point {
	__u32 cum;
	__u32 value;
};

/**
 * enum wlink_dist - what a distribution was typed as
 * @WLINK_DIST_CONSTANT: always the mean
 * @WLINK_DIST_UNIFORM: mean - sqrt(3) dev to mean + sqrt(3) dev
 * @WLINK_DIST_NORMAL: what is below 0 counts as 0
 * @WLINK_DIST_PARETO: of the first kind, by mean and dev
 * @WLINK_DIST_LOGNORMAL: by mean and dev
 * @WLINK_DIST_EXPONENTIAL: by its mean
 * @WLINK_DIST_TABLE: read from a file
 * @__WLINK_DIST_MAX: one past the last
 */
enum wlink_dist {
	WLINK_DIST_CONSTANT,
	WLINK_DIST_UNIFORM,
	WLINK_DIST_NORMAL,
	WLINK_DIST_PARETO,
	WLINK_DIST_LOGNORMAL,
	WLINK_DIST_EXPONENTIAL,
	WLINK_DIST_TABLE,
	__WLINK_DIST_MAX,
};

#define WLINK_DIST_MAX (__WLINK_DIST_MAX - 1)

/**
 * enum wlink_error - what an error is
 * @WLINK_ERROR_BIT: a bit that is the other one
 * @WLINK_ERROR_BYTE: a byte that is any other one
 * @__WLINK_ERROR_MAX: one past the last
 */
enum wlink_error {
	WLINK_ERROR_BIT,
	WLINK_ERROR_BYTE,
	__WLINK_ERROR_MAX,
};

#define WLINK_ERROR_MAX (__WLINK_ERROR_MAX - 1)

/* In records of SDUs. */
#define WLINK_IMPAIRED_CORRUPT	1	/* it leaves with errors */
#define WLINK_IMPAIRED_COPY	2	/* it is the second of two */

enum {
	TCA_WLINK_JITTER_UNSPEC,
	TCA_WLINK_JITTER_PAD,
	TCA_WLINK_JITTER_MEAN,		/* u64, 0 off */
	TCA_WLINK_JITTER_DIST,		/* u32, enum wlink_dist */
	TCA_WLINK_JITTER_DEV,		/* u64 */
	TCA_WLINK_JITTER_NAME,		/* string */
	TCA_WLINK_JITTER_UNIT,		/* u64 */
	TCA_WLINK_JITTER_POINTS,	/* struct wlink_point[] */
	TCA_WLINK_JITTER_CORRELATION,	/* u32 */
	TCA_WLINK_JITTER_REORDER,	/* u32 0 or 1 */
	__TCA_WLINK_JITTER_MAX,
};

#define TCA_WLINK_JITTER_MAX (__TCA_WLINK_JITTER_MAX - 1)

enum {
	TCA_WLINK_IMPAIR_UNSPEC,
	TCA_WLINK_IMPAIR_PAD,
	TCA_WLINK_IMPAIR_DUPLICATE,	/* u32 */
	TCA_WLINK_IMPAIR_CORRUPT,	/* u32 */
	TCA_WLINK_IMPAIR_UNIT,		/* u32, enum wlink_error */
	TCA_WLINK_IMPAIR_LOST,		/* u32 0 or 1 */
	__TCA_WLINK_IMPAIR_MAX,
};

#define TCA_WLINK_IMPAIR_MAX (__TCA_WLINK_IMPAIR_MAX - 1)

#endif
