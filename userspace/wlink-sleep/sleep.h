/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_H
#define _WLINK_SLEEP_H

/*
 * The papers' experiment: how long does a sleep take that was asked for x ms?
 * A run is one method of sleeping under one set of conditions and one load.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define MS 1000000LL
#define SECOND 1000000000LL
#define WHY_SIZE 200
#define MAX_REQUESTS 1000000
/* Interrupts a second that rtc and periodic count, as the papers did. */
#define COUNT_HZ 1024
/* Sleeps from which pre-compensation learns what to take off. */
#define CALIBRATE 50

static inline int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * SECOND + t.tv_nsec;
}

static inline struct timespec to_timespec(int64_t ns)
{
	return (struct timespec){ .tv_sec = ns / SECOND, .tv_nsec = ns % SECOND };
}

/**
 * struct state - what a method keeps during one run
 * @why: what went wrong, once a function has returned false
 * @requests: whole milliseconds, @n of them
 * @n: how many
 * @fd: of a timer, clock or socket
 * @other: the other end, or the epoll instance
 * @deadline: end of all requests so far, if every sleep had been exact
 * @slack: accumulated oversleep
 * @expected: oversleep that pre-compensation takes off
 * @counted_ms: length of the last sleep by interrupts counted; -1: it did not count
 * @one_look_ns: how far the clock moves from one look to the next
 */
struct state {
	char why[WHY_SIZE];
	const int *requests;
	size_t n;
	int fd;
	int other;
	int64_t deadline;
	int64_t slack;
	int64_t expected;
	int counted_ms;
	double one_look_ns;
};

/**
 * struct method - a way to sleep
 * @name: in options and results
 * @what: one line for people
 * @row: index in the papers' Table 1, or -1
 * @begin: prepares; false with @state.why where the machine has no such thing
 * @nap: sleeps so many ns; false with @state.why if that failed
 * @end: gives back what begin() took
 */
struct method {
	const char *name;
	const char *what;
	int row;
	bool (*begin)(struct state *s);
	bool (*nap)(struct state *s, int64_t ns);
	void (*end)(struct state *s);
};

extern const struct method methods[];
extern const size_t n_methods;

/* methods.c: what the kernel offers */
bool no_begin(struct state *s);
void no_end(struct state *s);
void close_fd(struct state *s);
bool nap_select(struct state *s, int64_t ns);
bool nap_poll(struct state *s, int64_t ns);
bool nap_nanosleep(struct state *s, int64_t ns);
bool nap_clock_rel(struct state *s, int64_t ns);
bool nap_clock_abs(struct state *s, int64_t ns);
bool begin_timerfd(struct state *s);
bool nap_timerfd(struct state *s, int64_t ns);
bool begin_rcvtimeo(struct state *s);
bool nap_rcvtimeo(struct state *s, int64_t ns);
void end_rcvtimeo(struct state *s);

/* interrupts.c: counting a clock's interrupts */
bool begin_rtc(struct state *s);
bool nap_rtc(struct state *s, int64_t ns);
bool begin_periodic(struct state *s);
bool nap_periodic(struct state *s, int64_t ns);

/* compensate.c: paying back the error of select() */
bool nap_slack(struct state *s, int64_t ns);
bool begin_precomp(struct state *s);
bool nap_precomp(struct state *s, int64_t ns);
bool nap_slack_precomp(struct state *s, int64_t ns);
bool nap_slack_rcvtimeo(struct state *s, int64_t ns);

/* busy.c */
bool begin_busy(struct state *s);
bool nap_busy(struct state *s, int64_t ns);
bool begin_busy_epoll(struct state *s);
bool nap_busy_epoll(struct state *s, int64_t ns);
void end_busy_epoll(struct state *s);

/**
 * make_requests() - the papers' series, from random() without a seed
 * @requests: room for @n whole milliseconds in 0..100
 * @n: how many
 *
 * Right only as the first use of random() in this process.
 */
void make_requests(int *requests, size_t n);

#endif
