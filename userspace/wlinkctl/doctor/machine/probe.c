// SPDX-License-Identifier: GPL-2.0
/*
 * How late this machine wakes up: sleeps to absolute times, half by
 * clock_nanosleep() and half by a timerfd, as real-time as is allowed.
 */

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "doctor/doctor.h"
#include "lib/signals.h"
#include "words/words.h"

/* A sleep is between these long, so that it meets no beat of the machine. */
#define SLEEP_MIN	300000
#define SLEEP_SPREAD	3700000

#define PROGRESS_NS	(NSEC_PER_SEC / 2)
#define PRIORITY	50

/* 99 of 100 departures: up to here as good as it gets, and up to here usable. */
#define LATE_OK_NS	100000
#define LATE_NOTE_NS	1000000

static const char why_probe[] =
	"a departure waits for the same timers, and for softirqs instead of a scheduler";

/**
 * struct probe - a measurement on its way
 * @late_ns: of each wake-up
 * @n: how many
 * @room: of @late_ns
 * @timer: timerfd, -1 if there is none
 * @begin_ns: of the measurement
 * @end_ns: of the measurement
 * @random: state
 * @stopped: by a signal
 */
struct probe {
	uint64_t *late_ns;
	size_t n;
	size_t room;
	int timer;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint32_t random;
	bool stopped;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

static struct timespec at(uint64_t ns)
{
	struct timespec ts = {
		.tv_sec = (time_t)(ns / NSEC_PER_SEC),
		.tv_nsec = (long)(ns % NSEC_PER_SEC),
	};

	return ts;
}

/* Return: 0, or -1 if it slept not. */
static int sleep_until(const struct probe *probe, uint64_t ns)
{
	struct itimerspec when = { .it_value = at(ns) };
	struct timespec ts = at(ns);
	uint64_t times;
	int error;

	if (probe->timer >= 0 && probe->n % 2) {
		if (timerfd_settime(probe->timer, TFD_TIMER_ABSTIME, &when,
				    NULL))
			return -1;
		while (read(probe->timer, &times, sizeof(times)) < 0)
			if (errno != EINTR)
				return -1;
		return 0;
	}
	do {
		error = clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts,
					NULL);
	} while (error == EINTR);
	errno = error;
	return error ? -1 : 0;
}

/* xorshift: the same sleeps on every machine. */
static uint64_t next_sleep(struct probe *probe)
{
	uint32_t x = probe->random;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	probe->random = x;
	return SLEEP_MIN + x % SLEEP_SPREAD;
}

static void progress(const struct probe *probe, uint64_t now, bool over)
{
	bool terminal = isatty(STDERR_FILENO);
	double all = (double)(probe->end_ns - probe->begin_ns) / 1e9;
	double done = (double)(now - probe->begin_ns) / 1e9;

	if (over && terminal)
		fputs("\r\033[K", stderr);
	else if (terminal)
		fprintf(stderr, "\rmeasuring wake-ups: %.1f of %.1f s", done,
			all);
	else if (now == probe->begin_ns)
		fprintf(stderr, "measuring wake-ups for %.1f s\n", all);
	fflush(stderr);
}

static int measure(struct probe *probe, const struct signals *signals)
{
	uint64_t now = probe->begin_ns;
	uint64_t said = now;
	uint64_t until;

	progress(probe, now, false);
	now = now_ns();
	while (now < probe->end_ns && probe->n < probe->room &&
	       !probe->stopped) {
		until = now + next_sleep(probe);
		if (sleep_until(probe, until))
			return -1;
		now = now_ns();
		probe->late_ns[probe->n++] = now > until ? now - until : 0;
		probe->stopped = signals_next(signals);
		if (now - said >= PROGRESS_NS) {
			said = now;
			progress(probe, now, false);
			now = now_ns();
		}
	}
	progress(probe, now, true);
	probe->end_ns = now;
	return 0;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Of sorted numbers, the least that @percent of them do not pass. */
static uint64_t quantile(const uint64_t *sorted, size_t n, size_t percent)
{
	return sorted[(n * percent + 99) / 100 - 1];
}

static void summarise(struct lateness *late, struct probe *probe)
{
	late->took_ns = probe->end_ns - probe->begin_ns;
	late->wakes = probe->n;
	if (!probe->n)
		return;
	qsort(probe->late_ns, probe->n, sizeof(*probe->late_ns), compare);
	late->p50_ns = quantile(probe->late_ns, probe->n, 50);
	late->p99_ns = quantile(probe->late_ns, probe->n, 99);
	late->max_ns = probe->late_ns[probe->n - 1];
}

static void tell(struct doctor *doctor, const struct probe *probe)
{
	const struct lateness *late = &doctor->late;
	char p50[REPORT_TIME], p99[REPORT_TIME], most[REPORT_TIME];
	char took[REPORT_TIME], asked[REPORT_TIME];
	enum verdict verdict = VERDICT_WARN;

	report_time(late->took_ns, took);
	if (probe->timer < 0)
		report_add(&doctor->report, VERDICT_WARN, "timerfd", why_probe,
			   "this kernel has no timerfd: only clock_nanosleep() was measured");
	if (probe->stopped)
		report_add(&doctor->report, VERDICT_WARN, "interrupted",
			   "few wake-ups say little about the latest one",
			   "the measurement was interrupted after %s of %s",
			   took, report_time(late->asked_ns, asked));
	if (!late->wakes)
		return;
	if (late->p99_ns <= LATE_OK_NS)
		verdict = VERDICT_OK;
	else if (late->p99_ns <= LATE_NOTE_NS)
		verdict = VERDICT_NOTE;
	report_add(&doctor->report, verdict, "lateness", why_probe,
		   "%s: median %s, p99 %s, max %s (%zu wake-ups in %s%s)",
		   late->policy, report_time(late->p50_ns, p50),
		   report_time(late->p99_ns, p99),
		   report_time(late->max_ns, most), late->wakes, took,
		   probe->stopped ? ", partial" : "");
	if (verdict != VERDICT_OK)
		report_change(&doctor->report,
			      "what is warned of above, and other work off this machine");
}

static int run(struct doctor *doctor, struct probe *probe)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
	struct signals signals;
	int code, error;

	code = signals_open(&signals, numbers, ARRAY_SIZE(numbers));
	if (code)
		return code;
	probe->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	error = measure(probe, &signals) ? errno : 0;
	signals_close(&signals);
	if (error)
		report_add(&doctor->report, VERDICT_FAIL, "lateness", why_probe,
			   "this machine cannot sleep until a time: %s",
			   strerror(error));
	else
		summarise(&doctor->late, probe);
	if (!error)
		tell(doctor, probe);
	if (probe->timer >= 0)
		close(probe->timer);
	return EXIT_DONE;
}

int doctor_probe(struct doctor *doctor, uint64_t ns)
{
	const struct sched_param real_time = { .sched_priority = PRIORITY };
	const struct sched_param usual = { 0 };
	struct probe probe = { .random = 2463534242u };
	int slack = prctl(PR_GET_TIMERSLACK);
	bool fifo;
	int code;

	probe.room = ns / SLEEP_MIN + 1;
	probe.late_ns = calloc(probe.room, sizeof(*probe.late_ns));
	if (!probe.late_ns) {
		complain("%s", strerror(errno));
		return EXIT_REFUSED;
	}
	fifo = !sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK,
				   &real_time);
	doctor->late.policy = fifo ? "SCHED_FIFO" : "without real-time scheduling";
	doctor->late.asked_ns = ns;
	prctl(PR_SET_TIMERSLACK, 1);
	probe.begin_ns = now_ns();
	probe.end_ns = probe.begin_ns + ns;
	code = run(doctor, &probe);
	if (fifo)
		sched_setscheduler(0, SCHED_OTHER, &usual);
	if (slack > 0)
		prctl(PR_SET_TIMERSLACK, slack);
	free(probe.late_ns);
	return code;
}

void doctor_expect(struct doctor *doctor)
{
	static const char why[] =
		"the model never moves: a late timer delays one departure and no later one";
	const struct lateness *late = &doctor->late;
	char p50[REPORT_TIME], p99[REPORT_TIME];

	if (doctor->virtual_time && doctor->high_res != NO)
		report_add(&doctor->report, VERDICT_OK, "accuracy", why,
			   "to expect: mean error zero, no departure late: this is virtual time");
	else if (late->wakes)
		report_add(&doctor->report, VERDICT_OK, "accuracy", why,
			   "to expect: mean error zero; single departures late by %s .. %s (p50 .. p99)",
			   report_time(late->p50_ns, p50),
			   report_time(late->p99_ns, p99));
	else if (doctor->high_res == NO && doctor->tick_ns)
		report_add(&doctor->report, VERDICT_NOTE, "accuracy", why,
			   "not measured; to expect: mean error zero; single departures late by up to %s, a tick, and more under load",
			   report_time(doctor->tick_ns, p50));
	else
		report_add(&doctor->report, VERDICT_NOTE, "accuracy", why,
			   "not measured; to expect: mean error zero; how late single departures are is unknown");
}
