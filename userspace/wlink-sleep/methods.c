// SPDX-License-Identifier: GPL-2.0
/* Sleeping by what the kernel offers for it. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/timerfd.h>

#include "sleep.h"

static bool failed(struct state *s, const char *call)
{
	snprintf(s->why, sizeof(s->why), "%s: %s", call, strerror(errno));
	return false;
}

bool no_begin(struct state *s)
{
	s->fd = -1;
	return true;
}

void no_end(struct state *s)
{
	(void)s;
}

void close_fd(struct state *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

bool nap_select(struct state *s, int64_t ns)
{
	struct timeval t = { .tv_sec = ns / SECOND, .tv_usec = ns % SECOND / 1000 };

	return select(0, NULL, NULL, NULL, &t) == 0 || failed(s, "select");
}

/* A millisecond is all that poll() knows. */
bool nap_poll(struct state *s, int64_t ns)
{
	return poll(NULL, 0, (int)(ns / MS)) == 0 || failed(s, "poll");
}

bool nap_nanosleep(struct state *s, int64_t ns)
{
	struct timespec t = to_timespec(ns);

	return nanosleep(&t, NULL) == 0 || failed(s, "nanosleep");
}

bool nap_clock_rel(struct state *s, int64_t ns)
{
	struct timespec t = to_timespec(ns);

	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	return errno == 0 || failed(s, "clock_nanosleep");
}

/* From deadline to deadline: being late once does not delay what follows. */
bool nap_clock_abs(struct state *s, int64_t ns)
{
	struct timespec t;

	s->deadline += ns;
	t = to_timespec(s->deadline);
	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	return errno == 0 || failed(s, "clock_nanosleep");
}

bool begin_timerfd(struct state *s)
{
	s->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	return s->fd >= 0 || failed(s, "timerfd_create");
}

bool nap_timerfd(struct state *s, int64_t ns)
{
	struct itimerspec t = { .it_value = to_timespec(ns) };
	uint64_t times;

	/* A time of 0 would disarm the timer. */
	if (!ns)
		return true;
	if (timerfd_settime(s->fd, 0, &t, NULL))
		return failed(s, "timerfd_settime");
	return read(s->fd, &times, sizeof(times)) == sizeof(times) ||
	       failed(s, "read of a timerfd");
}

/*
 * The timeout of a socket still goes through the kernel's timer wheel, which
 * counts whole ticks: what select() was in 1999.
 */
bool begin_rcvtimeo(struct state *s)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair))
		return failed(s, "socketpair");
	s->fd = pair[0];
	s->other = pair[1];
	return true;
}

bool nap_rcvtimeo(struct state *s, int64_t ns)
{
	int64_t us = (ns + 999) / 1000;
	struct timeval t = { .tv_sec = us / 1000000, .tv_usec = us % 1000000 };
	char byte;

	/* A time of 0 would mean for ever, hence also the rounding up. */
	if (!ns)
		return true;
	if (setsockopt(s->fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof(t)))
		return failed(s, "SO_RCVTIMEO");
	if (recv(s->fd, &byte, 1, 0) >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
		return failed(s, "recv");
	return true;
}

void end_rcvtimeo(struct state *s)
{
	close(s->other);
	close_fd(s);
}
