/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _SCHEDULE_H
#define _SCHEDULE_H

/* Schedules on their way to a link, some thousand steps a message. */

#include "link/target.h"
#include "schedule/file.h"

/**
 * struct schedule - a schedule that is being loaded
 * @ctl: the program
 * @to: link or bearer, its ifindex filled in
 * @steps: sent so far
 * @messages: they took
 * @bytes: of these steps
 * @seconds: it took
 */
struct schedule {
	struct wlinkctl *ctl;
	struct target *to;
	uint64_t steps;
	uint64_t messages;
	uint64_t bytes;
	double seconds;
};

/**
 * struct schedule_start - how a schedule is started
 * @end: enum wlink_schedule_end
 * @length_ns: of the schedule
 * @start_ns: WLINK_START_* or a time of CLOCK_MONOTONIC
 * @in_ns: start so long from now on, 0 for what @start_ns says
 */
struct schedule_start {
	enum wlink_schedule_end end;
	uint64_t length_ns;
	uint64_t start_ns;
	uint64_t in_ns;
};

/**
 * schedule_find() - look up a link or bearer that schedules are for
 * @ctl: the program
 * @to: as typed; filled in
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int schedule_find(struct wlinkctl *ctl, struct target *to);

/**
 * schedule_load() - load all steps of a file beside what plays
 * @schedule: @ctl and @to filled in
 * @file: open
 *
 * On error all steps that have been loaded are forgotten.
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int schedule_load(struct schedule *schedule, struct schedule_file *file);

/**
 * schedule_start() - start what has been loaded
 * @ctl: the program
 * @to: link or bearer
 * @start: how; @start_ns becomes what has been sent
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int schedule_start(struct wlinkctl *ctl, struct target *to,
		   struct schedule_start *start);

/**
 * schedule_stop() - stop what plays, forget what has been loaded
 * @ctl: the program
 * @to: link or bearer
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int schedule_stop(struct wlinkctl *ctl, struct target *to);

#endif
