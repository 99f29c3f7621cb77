// SPDX-License-Identifier: GPL-2.0
/* Timer slack, real-time scheduling, locked memory. */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "with.h"

static const struct {
	const char *name;
	int bit;
} names[] = {
	{ "timerslack", WITH_TIMERSLACK },
	{ "fifo", WITH_FIFO },
	{ "rr", WITH_RR },
	{ "mlockall", WITH_MLOCKALL },
};

#define N_NAMES (sizeof(names) / sizeof(names[0]))

static int bit_of(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < N_NAMES; i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, text, len))
			return names[i].bit;
	return -1;
}

int with_parse(const char *text, size_t len)
{
	const char *end = text + len;
	int set = 0;

	if (len == 5 && !memcmp(text, "plain", 5))
		return 0;
	while (text <= end) {
		const char *plus = memchr(text, '+', end - text);
		int bit;

		if (!plus)
			plus = end;
		bit = bit_of(text, plus - text);
		if (bit < 0)
			return -1;
		set |= bit;
		text = plus + 1;
	}
	/* One process has one policy. */
	return set & WITH_FIFO && set & WITH_RR ? -1 : set;
}

const char *with_name(int set, char *buf, size_t size)
{
	size_t i, at = 0;

	snprintf(buf, size, "plain");
	for (i = 0; i < N_NAMES; i++)
		if (set & names[i].bit && at < size)
			at += snprintf(buf + at, size - at, "%s%s", at ? "+" : "", names[i].name);
	return buf;
}

/* As "RLIMIT_X is N", for a person who may raise it. */
static void say_limit(char *why, size_t size, const char *what, const char *need, int resource)
{
	int error = errno;
	struct rlimit limit = { 0 };

	getrlimit(resource, &limit);
	snprintf(why, size, "%s: %s; it needs %s (the limit is %llu)", what, strerror(error), need,
		 (unsigned long long)limit.rlim_cur);
}

bool with_apply(int set, char *why, size_t size)
{
	struct sched_param p = { .sched_priority = RT_PRIORITY };

	if (set & WITH_TIMERSLACK && prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0)) {
		snprintf(why, size, "PR_SET_TIMERSLACK: %s", strerror(errno));
		return false;
	}
	if (set & WITH_MLOCKALL && mlockall(MCL_CURRENT | MCL_FUTURE)) {
		say_limit(why, size, "mlockall", "CAP_IPC_LOCK or a larger RLIMIT_MEMLOCK",
			  RLIMIT_MEMLOCK);
		return false;
	}
	if (set & (WITH_FIFO | WITH_RR) &&
	    sched_setscheduler(0, set & WITH_FIFO ? SCHED_FIFO : SCHED_RR, &p)) {
		say_limit(why, size, set & WITH_FIFO ? "SCHED_FIFO" : "SCHED_RR",
			  "CAP_SYS_NICE or an RLIMIT_RTPRIO of 50", RLIMIT_RTPRIO);
		return false;
	}
	return true;
}
