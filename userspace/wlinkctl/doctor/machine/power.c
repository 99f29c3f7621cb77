// SPDX-License-Identifier: GPL-2.0
/*
 * What saves power costs time: slow frequencies and deep sleep.
 */

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "doctor/read.h"

#define CPU	"/sys/devices/system/cpu/"

/* No machine has more that this looks at. */
#define CPUS_MAX	4096
#define STATES_MAX	16

/* Latencies of idle states in us from which they are told, and warned of. */
#define IDLE_NOTE_US	10
#define IDLE_WARN_US	100

static int cpus(const struct doctor *doctor)
{
	char text[64];
	char *dash;
	long last;

	if (doctor_read(doctor->root, CPU "possible", text, sizeof(text)))
		return 1;
	dash = strrchr(text, '-');
	last = strtol(dash ? dash + 1 : text, NULL, 10);
	return last < 0 || last >= CPUS_MAX ? CPUS_MAX : (int)last + 1;
}

/* These drivers choose by load under the name powersave. */
static bool is_adaptive(const char *driver)
{
	return !strcmp(driver, "intel_pstate") ||
	       !strcmp(driver, "amd-pstate-epp");
}

static void say_governor(struct doctor *doctor, const char *driver,
			 const char *name, int slow, int seen)
{
	static const char why[] =
		"at a low or changing frequency the same packet takes longer";
	enum verdict verdict = VERDICT_NOTE;

	if (!slow)
		verdict = VERDICT_OK;
	else if (!strcmp(name, "powersave") && !is_adaptive(driver))
		verdict = VERDICT_WARN;
	if (slow)
		report_add(&doctor->report, verdict, "governor", why,
			   "%s on %d of %d processors (driver %s)", name, slow,
			   seen, driver[0] ? driver : "unknown");
	else
		report_add(&doctor->report, verdict, "governor", why,
			   "performance on all %d processors", seen);
	if (slow)
		report_change(&doctor->report,
			      "cpupower frequency-set -g performance");
}

static void governor(struct doctor *doctor)
{
	char path[96], text[32], name[32] = "", driver[32] = "";
	int n = cpus(doctor);
	int slow = 0, seen = 0;
	int i;

	for (i = 0; i < n; i++) {
		snprintf(path, sizeof(path), CPU "cpu%d/cpufreq/scaling_governor",
			 i);
		if (doctor_read(doctor->root, path, text, sizeof(text)))
			continue;
		seen++;
		if (!strcmp(text, "performance"))
			continue;
		/* The slowest one is named. */
		if (!slow++ || !strcmp(text, "powersave"))
			snprintf(name, sizeof(name), "%s", text);
	}
	doctor_read(doctor->root, CPU "cpu0/cpufreq/scaling_driver", driver,
		    sizeof(driver));
	if (seen) {
		say_governor(doctor, driver, name, slow, seen);
		return;
	}
	report_add(&doctor->report, VERDICT_NOTE, "governor",
		   "at a low or changing frequency the same packet takes longer",
		   "unknown: there is no " CPU
		   "cpu*/cpufreq/scaling_governor; firmware or a host decides");
}

/**
 * struct deepest - the idle state that takes longest to leave
 * @us: how long
 * @name: its name
 * @seen: states there are
 */
struct deepest {
	int64_t us;
	char name[32];
	int seen;
};

static void look_at_state(const struct doctor *doctor, int state,
			  struct deepest *deepest)
{
	char path[96];
	int64_t us, off;

	snprintf(path, sizeof(path), CPU "cpu0/cpuidle/state%d/latency", state);
	if (doctor_number(doctor->root, path, &us))
		return;
	deepest->seen++;
	snprintf(path, sizeof(path), CPU "cpu0/cpuidle/state%d/disable", state);
	if (!doctor_number(doctor->root, path, &off) && off)
		return;
	if (us < deepest->us)
		return;
	deepest->us = us;
	snprintf(path, sizeof(path), CPU "cpu0/cpuidle/state%d/name", state);
	doctor_read(doctor->root, path, deepest->name, sizeof(deepest->name));
}

static void idle(struct doctor *doctor)
{
	static const char why[] =
		"a processor in a deep idle state wakes up for the timer that much later";
	struct deepest deepest = { 0 };
	enum verdict verdict;
	char value[16];
	int i;

	if (doctor_word_after(doctor->cmdline, "idle=", value, sizeof(value)) &&
	    !strcmp(value, "poll")) {
		report_add(&doctor->report, VERDICT_OK, "idle-states", why,
			   "none: idle=poll");
		return;
	}
	for (i = 0; i < STATES_MAX; i++)
		look_at_state(doctor, i, &deepest);
	if (!deepest.seen) {
		report_add(&doctor->report, VERDICT_NOTE, "idle-states", why,
			   "unknown: there is no " CPU
			   "cpu0/cpuidle/state0/latency; a host or the kernel's default halts");
		return;
	}
	verdict = deepest.us >= IDLE_WARN_US ? VERDICT_WARN :
		  deepest.us >= IDLE_NOTE_US ? VERDICT_NOTE : VERDICT_OK;
	report_add(&doctor->report, verdict, "idle-states", why,
		   "the deepest in use, %s, takes %" PRId64 " us to leave",
		   deepest.name[0] ? deepest.name : "which has no name",
		   deepest.us);
	if (verdict != VERDICT_OK)
		report_change(&doctor->report,
			      "cpupower idle-set -D %d, or hold /dev/cpu_dma_latency open with 0 written to it",
			      IDLE_NOTE_US);
}

void doctor_power(struct doctor *doctor)
{
	governor(doctor);
	idle(doctor);
}
