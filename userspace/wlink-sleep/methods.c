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

#define SELECT_1999 "standard select()"
#define SLACK_1999 "slack variable"
#define BUSY_1999 "busy waiting"

bool failed(struct state *s, const char *call)
{
	snprintf(s->why, sizeof(s->why), "%s: %s", call, strerror(errno));
	return false;
}

static bool nap_select(struct state *s, int64_t ns)
{
	struct timeval t = { .tv_sec = ns / SECOND, .tv_usec = ns % SECOND / 1000 };

	return select(0, NULL, NULL, NULL, &t) == 0 || failed(s, "select");
}

/* A millisecond is all that poll() knows. */
static bool nap_poll(struct state *s, int64_t ns)
{
	return poll(NULL, 0, (int)(ns / MS)) == 0 || failed(s, "poll");
}

static bool nap_nanosleep(struct state *s, int64_t ns)
{
	struct timespec t = to_timespec(ns);

	return nanosleep(&t, NULL) == 0 || failed(s, "nanosleep");
}

static bool nap_clock_rel(struct state *s, int64_t ns)
{
	struct timespec t = to_timespec(ns);

	errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
	return errno == 0 || failed(s, "clock_nanosleep");
}

/* From deadline to deadline: being late once does not delay what follows. */
static bool nap_clock_abs(struct state *s, int64_t ns)
{
	struct timespec t;

	s->deadline += ns;
	t = to_timespec(s->deadline);
	errno = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
	return errno == 0 || failed(s, "clock_nanosleep");
}

static bool begin_timerfd(struct state *s)
{
	s->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	return s->fd >= 0 || failed(s, "timerfd_create");
}

static bool nap_timerfd(struct state *s, int64_t ns)
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
static bool begin_rcvtimeo(struct state *s)
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair))
		return failed(s, "socketpair");
	s->fd = pair[0];
	s->other = pair[1];
	return true;
}

static bool nap_rcvtimeo(struct state *s, int64_t ns)
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

/* select() with its error paid back: in the next request, or in advance. */

/* Sleeps ns less what is expected to be too much; nothing if nothing is left. */
static bool shortened(struct state *s, int64_t ns)
{
	return ns <= s->expected || nap_select(s, ns - s->expected);
}

/* The thesis's sleep_with_slack(), in ns where that had ms. */
static bool with_slack(struct state *s, int64_t ns, bool (*nap)(struct state *, int64_t))
{
	int64_t began;

	if (ns - s->slack <= 0) {
		s->slack -= ns;
		return true;
	}
	began = now_ns();
	if (!nap(s, ns - s->slack))
		return false;
	s->slack -= ns - (now_ns() - began);
	return true;
}

static bool nap_slack(struct state *s, int64_t ns)
{
	return with_slack(s, ns, nap_select);
}

/* Learns the mean oversleep from the beginning of the series. */
static bool begin_precomp(struct state *s)
{
	size_t i, n = s->n < CALIBRATE ? s->n : CALIBRATE;
	int64_t sum = 0, began;

	for (i = 0; i < n; i++) {
		began = now_ns();
		if (!nap_select(s, s->sh->of[i].request_ms * MS))
			return false;
		sum += now_ns() - began - s->sh->of[i].request_ms * MS;
	}
	s->expected = sum / (int64_t)n;
	return true;
}

static bool nap_precomp(struct state *s, int64_t ns)
{
	return shortened(s, ns);
}

static bool nap_slack_precomp(struct state *s, int64_t ns)
{
	return with_slack(s, ns, shortened);
}

static bool nap_slack_rcvtimeo(struct state *s, int64_t ns)
{
	return with_slack(s, ns, nap_rcvtimeo);
}

const struct method methods[] = {
	{ "select", SELECT_1999, "select() with a timeout", NULL, nap_select },
	{ "poll", "-", "poll() with a timeout", NULL, nap_poll },
	{ "nanosleep", "-", "nanosleep()", NULL, nap_nanosleep },
	{ "clock-rel", "-", "clock_nanosleep(), relative", NULL, nap_clock_rel },
	{ "clock-abs", "-", "clock_nanosleep() from deadline to deadline", NULL, nap_clock_abs },
	{ "timerfd", "-", "a timerfd, set for each sleep", begin_timerfd, nap_timerfd },
	{ "rcvtimeo", SELECT_1999, "SO_RCVTIMEO: the kernel's timer wheel, in whole ticks",
	  begin_rcvtimeo, nap_rcvtimeo },
	{ "rtc", "interrupts RTC", "counting interrupts of /dev/rtc at 1024 Hz", begin_rtc,
	  nap_rtc },
	{ "periodic", "-", "counting a timerfd's expirations at 1024 Hz", begin_periodic,
	  nap_periodic },
	{ "slack", SLACK_1999, "select() less the oversleep so far", NULL, nap_slack },
	{ "precomp", "-", "select() less the expected oversleep", begin_precomp, nap_precomp },
	{ "slack-precomp", "-", "select() less both", begin_precomp, nap_slack_precomp },
	{ "slack-rcvtimeo", SLACK_1999, "SO_RCVTIMEO less the oversleep so far", begin_rcvtimeo,
	  nap_slack_rcvtimeo },
	{ "busy", BUSY_1999, "looking at the clock", NULL, nap_busy },
	{ "busy-epoll", BUSY_1999, "looking at the clock between turns of an event loop",
	  begin_busy_epoll, nap_busy_epoll },
};

const size_t n_methods = sizeof(methods) / sizeof(methods[0]);
