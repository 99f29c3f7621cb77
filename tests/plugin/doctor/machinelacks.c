// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "machinelacks.h"

static char **lacks;
static int n_lacks;

void machine_lacks(char **what, int n)
{
	lacks = what;
	n_lacks = n;
}

static bool lacking(const char *what)
{
	int i;

	for (i = 0; i < n_lacks; i++)
		if (!strcmp(lacks[i], what))
			return true;
	return false;
}

int __wrap_clock_gettime(clockid_t id, struct timespec *ts)
{
	char name[16];

	snprintf(name, sizeof(name), "%d", (int)id);
	if (!lacking(name))
		return __real_clock_gettime(id, ts);
	errno = EINVAL;
	return -1;
}

int __wrap_clock_getres(clockid_t id, struct timespec *ts)
{
	int error = __real_clock_getres(id, ts);

	if (lacking("fine"))
		*ts = (struct timespec){ .tv_nsec = 10000000 };
	return error;
}

int __wrap_clock_nanosleep(clockid_t id, int flags, const struct timespec *ts,
			   struct timespec *left)
{
	return lacking("sleep") ? ENOTSUP :
		__real_clock_nanosleep(id, flags, ts, left);
}

int __wrap_timerfd_create(int id, int flags)
{
	if (!lacking("timerfd"))
		return __real_timerfd_create(id, flags);
	errno = ENODEV;
	return -1;
}

/* It is never asked for: tests run beside each other. */
int __wrap_sched_setscheduler(pid_t pid, int policy,
			      const struct sched_param *param)
{
	errno = EPERM;
	return lacking("real-time") ? -1 : 0;
}
