/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_CASE_H
#define _WL_CASE_H

/*
 * Hand-computed cases of the engine, shared by the KUnit module and the unit
 * tests in user space: a configuration, what is done to the link and when, and
 * what must become of the SDUs. Time begins at 0.
 */
#include "core/link.h"

#define WL_US		1000ULL
#define WL_MS		1000000ULL
#define WL_SEC		1000000000ULL

#define WL_CASE_STEPS	24
#define WL_CASE_WANTS	12
#define WL_CASE_SLOTS	512
#define WL_CASE_CHANGES	16

enum wl_op {
	WL_OP_END,		/* of the list of steps */
	WL_OP_SEND,		/* value: bytes */
	WL_OP_FLUSH,
	WL_OP_RATE,		/* from here on: configure, and by what */
	WL_OP_TTI,
	WL_OP_DELAY,
	WL_OP_PDU,
	WL_OP_HEADER,
	WL_OP_LIMIT_PACKETS,
	WL_OP_LIMIT_BYTES,
	WL_OP_LIMIT_TIME,
	WL_OP_NONE,
	WL_OP_UNIFORM,		/* value: loss */
	WL_OP_P,		/* gilbert that loses all in bad */
	WL_OP_R,
	WL_OP_KIND,		/* any number as the kind of channel */
};

/**
 * struct wl_step - what is done to a link
 * @at_ns: when; not before the step before
 * @op: what
 * @value: see enum wl_op
 * @more: how many times more
 */
struct wl_step {
	u64 at_ns;
	enum wl_op op;
	u64 value;
	u32 more;
};

/* One of a configuration: what, and its value. */
#define SET(what, number)	{ .op = WL_OP_ ## what, .value = number }

/**
 * struct wl_want - what must become of one SDU
 * @seq: which
 * @start_ns: as in struct wl_sdu, WL_NEVER_NS when it never starts
 * @end_ns: as in struct wl_sdu; 0 ends the list
 * @deliver_ns: as in struct wl_sdu, 0 when it is dropped
 * @pdus: sent for it
 * @lost: of these, lost
 * @drop: reason
 * @generation: in force at the end
 */
struct wl_want {
	u64 seq;
	u64 start_ns;
	u64 end_ns;
	u64 deliver_ns;
	u32 pdus;
	u32 lost;
	enum wlink_drop drop;
	u32 generation;
};

/**
 * struct wl_case - one case
 * @name: what goes wrong when it fails
 * @cfg: on top of wl_cfg_default(), in the words of enum wl_op
 * @slots: descriptors, 0 for all that there are
 * @steps: what is done
 * @wants: what must come out; SDUs that are not named are not judged
 */
struct wl_case {
	const char *name;
	struct wl_step cfg[8];
	u32 slots;
	struct wl_step steps[WL_CASE_STEPS];
	struct wl_want wants[WL_CASE_WANTS];
};

/**
 * struct wl_mismatch - the first thing that is not as it must be
 * @what: member, NULL when all is well
 * @seq: of which SDU
 * @is: what it is
 * @wanted: what it must be
 */
struct wl_mismatch {
	const char *what;
	u64 seq;
	u64 is;
	u64 wanted;
};

/**
 * struct wl_change - a configuration that came into force
 * @at_ns: when
 * @old_bps: rate before
 * @new_bps: rate after
 */
struct wl_change {
	u64 at_ns;
	u64 old_bps;
	u64 new_bps;
};

/**
 * struct wl_run - a link and what has come out of it
 * @link: must be first
 * @cfg: asked for last
 * @now_ns: time of the last call
 * @sdus: descriptors
 * @done: delivered or dropped, in that order
 * @handed_ns: when each of @done came out
 * @done_count: how many
 * @changes: configurations that came into force
 * @change_count: how many
 */
struct wl_run {
	struct wl_link link;
	struct wl_cfg cfg;
	u64 now_ns;
	struct wl_sdu sdus[WL_CASE_SLOTS];
	struct wl_sdu done[WL_CASE_SLOTS];
	u64 handed_ns[WL_CASE_SLOTS];
	u32 done_count;
	struct wl_change changes[WL_CASE_CHANGES];
	u32 change_count;
};

/**
 * wl_case_set() - change one parameter
 * @cfg: configuration
 * @op: which, WL_OP_RATE or above
 * @value: new value
 */
void wl_case_set(struct wl_cfg *cfg, enum wl_op op, u64 value);

/**
 * wl_case_run() - run a case; the link is called only when it wants to be
 * @run: where
 * @test: case
 * @budget_max: budget of one call of the engine, 0 for the default
 * @bad: what is wrong, if something is
 *
 * Return: whether all is as it must be.
 */
bool wl_case_run(struct wl_run *run, const struct wl_case *test, u32 budget_max,
		 struct wl_mismatch *bad);

#endif
