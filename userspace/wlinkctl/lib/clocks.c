// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/timex.h>

#include "lib/clocks.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_USEC	1000

/* The narrowest of so many is taken: one of them is rarely interrupted. */
#define TRIES		8

const struct clock_calls clock_calls = { clock_gettime, adjtimex };

static int read_one(const struct clock_calls *calls, clockid_t clock,
		    uint64_t *ns)
{
	struct timespec ts;

	if (calls->gettime(clock, &ts))
		return -1;
	*ns = (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
	return 0;
}

uint64_t clock_now(void)
{
	uint64_t ns = 0;

	read_one(&clock_calls, CLOCK_MONOTONIC, &ns);
	return ns;
}

int clock_poll(struct pollfd *fds, nfds_t n, uint64_t until_ns)
{
	uint64_t now = clock_now();
	struct timespec left;

	if (until_ns == UINT64_MAX)
		return poll(fds, n, -1);
	if (now >= until_ns)
		return 0;
	left.tv_sec = (time_t)((until_ns - now) / NSEC_PER_SEC);
	left.tv_nsec = (long)((until_ns - now) % NSEC_PER_SEC);
	return ppoll(fds, n, &left, NULL);
}

bool clock_is_shifted(void)
{
	FILE *f = fopen("/proc/self/timens_offsets", "re");
	long long s, ns;
	char line[128];
	bool is = false;

	/* Without this file there are no such namespaces. */
	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "monotonic %lld %lld", &s, &ns) == 2)
			is = s || ns;
	if (f)
		fclose(f);
	return is;
}

static int read_clocks(const struct clock_calls *calls,
		       struct clock_sample *sample)
{
	uint64_t before, tai, after, half;
	int i;

	for (i = 0; i < TRIES; i++) {
		if (read_one(calls, CLOCK_MONOTONIC, &before) ||
		    read_one(calls, CLOCK_TAI, &tai) ||
		    read_one(calls, CLOCK_MONOTONIC, &after))
			return -1;
		half = (after - before + 1) / 2;
		if (i && half >= sample->uncertainty_ns)
			continue;
		sample->mono_ns = before + (after - before) / 2;
		sample->tai_ns = tai;
		sample->uncertainty_ns = half;
	}
	return 0;
}

static void read_state(const struct clock_calls *calls,
		       struct clock_sample *sample)
{
	struct timex tx = { .modes = 0 };
	int state = calls->adjtimex(&tx);

	if (state < 0) {
		sample->refused = errno;
		return;
	}
	sample->state = state;
	sample->status = (uint32_t)tx.status;
	sample->offset_ns = tx.offset;
	/* Without STA_NANO this one is in microseconds; the others always are. */
	if (!(tx.status & STA_NANO))
		sample->offset_ns *= NSEC_PER_USEC;
	sample->maxerror_ns = (uint64_t)tx.maxerror * NSEC_PER_USEC;
	sample->esterror_ns = (uint64_t)tx.esterror * NSEC_PER_USEC;
	sample->tai_s = tx.tai;
	sample->synchronised = state != TIME_ERROR &&
			       !(tx.status & (STA_UNSYNC | STA_CLOCKERR));
}

int clock_read(const struct clock_calls *calls, struct clock_sample *sample)
{
	memset(sample, 0, sizeof(*sample));
	if (read_clocks(calls, sample))
		return -1;
	read_state(calls, sample);
	return 0;
}

int64_t clock_offset(const struct clock_sample *sample)
{
	return (int64_t)(sample->tai_ns - sample->mono_ns);
}

int64_t clock_step(const struct clock_sample *before,
		   const struct clock_sample *after)
{
	/* A recording may hold any times: their distance wraps. */
	int64_t step = (int64_t)((uint64_t)clock_offset(after) -
				 (uint64_t)clock_offset(before));
	uint64_t size = step < 0 ? -(uint64_t)step : (uint64_t)step;

	return size > before->uncertainty_ns + after->uncertainty_ns ? step : 0;
}
