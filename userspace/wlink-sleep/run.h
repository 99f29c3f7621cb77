/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_RUN_H
#define _WLINK_SLEEP_RUN_H

#include <stdatomic.h>

#include "load.h"
#include "sleep.h"
#include "stats.h"

enum how {
	RUN_WAITS, /* its turn has not come, or will not */
	RUN_DONE,
	RUN_PARTIAL, /* ended early, for the reason in @why */
	RUN_LACKING, /* the machine has not what it needs: @why */
};

/**
 * struct run - one method under one set of conditions and one load
 * @method: how to sleep
 * @with: set of enum with_bit
 * @load: what else the machine does
 * @how: what became of it; all below is for RUN_DONE and RUN_PARTIAL
 * @why: in words
 * @n: sleeps measured
 * @obtained_ns: how long each took
 * @counted_ms: how long each took by interrupts counted, NULL if it does not count
 * @errors: of @obtained_ns
 * @counted: of @counted_ms, ms
 * @late: end of each sleep less the sum of all requests so far, ms
 * @drift_ns: the last of @late
 * @expected_ns: what pre-compensation took off
 * @wall_ns: from the first request to the end of the last
 * @cpu_ns: processor time in it
 * @busy: part of all the machine's processor time that somebody has used; -1 if not known
 * @minor_faults: pages that were mapped
 * @major_faults: pages that came from a disk
 */
struct run {
	const struct method *method;
	int with;
	enum load load;
	enum how how;
	char why[WHY_SIZE];
	size_t n;
	int64_t *obtained_ns;
	int *counted_ms;
	struct errors errors;
	struct spread counted, late;
	int64_t drift_ns, expected_ns, wall_ns, cpu_ns;
	double busy;
	long minor_faults, major_faults;
};

/**
 * struct bench - what all runs share
 * @machine: where we are
 * @requests: the series
 * @n: its length
 * @sum_ns: its sum
 * @dir: for the loads' files
 * @stop: signal that asked for an end, 0 if none
 * @progress: called now and then with how many sleeps have been done
 * @progress_arg: for @progress
 */
struct bench {
	struct machine machine;
	int *requests;
	size_t n;
	int64_t sum_ns;
	const char *dir;
	atomic_int *stop;
	void (*progress)(void *arg, size_t done);
	void *progress_arg;
};

/**
 * run_one() - do a run in a process of its own
 * @b: what all share
 * @r: the run; filled
 *
 * Return: false if we have no memory or no process for it; @r.why says so.
 */
bool run_one(const struct bench *b, struct run *r);

#endif
