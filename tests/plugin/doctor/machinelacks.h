/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _MACHINELACKS_H
#define _MACHINELACKS_H

/* A machine without this or that: the linker leads calls here first. */

#include <sched.h>
#include <time.h>

/**
 * machine_lacks() - say what calls are to fail
 * @what: words: the number of a clock, fine (timers), timerfd, sleep, real-time
 * @n: how many
 */
void machine_lacks(char **what, int n);

int __real_clock_gettime(clockid_t id, struct timespec *ts);
int __wrap_clock_gettime(clockid_t id, struct timespec *ts);
int __real_clock_getres(clockid_t id, struct timespec *ts);
int __wrap_clock_getres(clockid_t id, struct timespec *ts);
int __real_clock_nanosleep(clockid_t id, int flags, const struct timespec *ts,
			   struct timespec *left);
int __wrap_clock_nanosleep(clockid_t id, int flags, const struct timespec *ts,
			   struct timespec *left);
int __real_timerfd_create(int id, int flags);
int __wrap_timerfd_create(int id, int flags);
int __wrap_sched_setscheduler(pid_t pid, int policy,
			      const struct sched_param *param);

#endif
