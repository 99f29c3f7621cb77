/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINK_SLEEP_H
#define _WLINK_SLEEP_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define MS 1000000LL
#define SECOND 1000000000LL
#define WHY_SIZE 200
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
 * struct shared - what wlink-sleep asks and is told; it has the same in HEAD
 * @stop: end after the sleep that goes on
 * @done: sleeps so far
 * @sleeper: who sleeps, once it has begun
 * @lacking: the machine has not what the run needs, @why
 * @expected_ns: what pre-compensation has taken off
 * @wall_ns: from the first request to the end of the last
 * @cpu_ns: processor time in it
 * @minor_faults: pages that were mapped in it
 * @major_faults: pages that came from a disk
 * @why: what went wrong
 * @of: of each sleep the request in ms, how long it took, how long it took in ms by
 *	interrupts counted (-1: it does not count), and its end less the sum of all requests
 *	so far
 */
struct shared {
	_Atomic int64_t stop, done, sleeper, lacking;
	int64_t expected_ns, wall_ns, cpu_ns, minor_faults, major_faults;
	char why[WHY_SIZE];
	struct {
		int64_t request_ms, obtained_ns, counted_ms, late_ns;
	} of[];
};

/**
 * struct state - what a method keeps during one run
 * @why: what went wrong, once a function has returned false
 * @sh: has the requests
 * @n: how many
 * @fd: of a timer, clock or socket
 * @other: the other end, or the epoll instance
 * @deadline: end of all requests so far, if every sleep had been exact
 * @slack: accumulated oversleep
 * @expected: oversleep that pre-compensation takes off
 * @counted_ms: length of the last sleep by interrupts counted; -1: it did not count
 */
struct state {
	char why[WHY_SIZE];
	const struct shared *sh;
	size_t n;
	int fd;
	int other;
	int64_t deadline;
	int64_t slack;
	int64_t expected;
	int counted_ms;
};

/**
 * struct method - a way to sleep
 * @name: in options and results
 * @paper: its name in the papers' Table 1, or "-"
 * @what: one line for people
 * @begin: prepares; false with @state.why where the machine has no such thing; NULL: nothing to do
 * @nap: sleeps so many ns; false with @state.why if that failed
 */
struct method {
	const char *name;
	const char *paper;
	const char *what;
	bool (*begin)(struct state *s);
	bool (*nap)(struct state *s, int64_t ns);
};

extern const struct method methods[];
extern const size_t n_methods;

/**
 * failed() - say which call has failed
 * @s: gets its name and errno
 * @call: which
 *
 * Return: false.
 */
bool failed(struct state *s, const char *call);

/* interrupts.c: counting a clock's interrupts */
bool begin_rtc(struct state *s);
bool nap_rtc(struct state *s, int64_t ns);
bool begin_periodic(struct state *s);
bool nap_periodic(struct state *s, int64_t ns);

/* busy.c */
bool nap_busy(struct state *s, int64_t ns);
bool begin_busy_epoll(struct state *s);
bool nap_busy_epoll(struct state *s, int64_t ns);

/**
 * load() - be a load on the machine
 * @kind: cpu, disk or paging
 * @fd: the file of disk and paging, as large as it is to be
 * @sh: whose sleeper loses its pages to paging
 */
void __attribute__((noreturn)) load(const char *kind, int fd, const struct shared *sh);

#endif
