// SPDX-License-Identifier: GPL-2.0
/*
 * The timers that hand packets over: high resolution or ticks, how far the ticks
 * are apart, and whether a processor sleeps through them.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "doctor/doctor.h"
#include "doctor/read.h"

#define TIMER_LIST	"/proc/timer_list"

/* Below this a resolution is that of a timer, above that of ticks. */
#define FINE_NS		10000

static const char why_timers[] =
	"without high-resolution timers every departure waits for the next tick";

static uint64_t resolution(clockid_t clock)
{
	struct timespec ts;

	if (clock_getres(clock, &ts))
		return 0;
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* Return: the number that follows the last ".NAME :" of a text, or -1. */
static int64_t last_value(const char *text, const char *name)
{
	const char *at = text;
	int64_t value = -1;

	while ((at = strstr(at, name))) {
		at += strlen(name);
		at += strspn(at, " :");
		value = strtoll(at, NULL, 10);
	}
	return value;
}

static enum known listed(const struct doctor *doctor)
{
	char text[16384];
	int64_t active;

	if (doctor_read(doctor->root, TIMER_LIST, text, sizeof(text)))
		return UNKNOWN;
	active = last_value(text, ".hres_active");
	if (active < 0) {
		active = last_value(text, ".resolution:");
		return active < 0 ? UNKNOWN : active <= FINE_NS ? YES : NO;
	}
	return active ? YES : NO;
}

/* HZ from the configuration; the coarse clock goes by ticks, whatever it says. */
static void find_tick(struct doctor *doctor)
{
	char value[16];
	long hz;

	if (doctor->live)
		doctor->tick_ns = resolution(CLOCK_MONOTONIC_COARSE);
	if (doctor->tick_ns || !doctor_config(doctor, "CONFIG_HZ", value,
					      sizeof(value)))
		return;
	hz = strtol(value, NULL, 10);
	if (hz > 0)
		doctor->tick_ns = NSEC_PER_SEC / (uint64_t)hz;
}

static void say_off(struct doctor *doctor)
{
	char value[16] = "";
	char tick[REPORT_TIME];

	report_time(doctor->tick_ns, tick);
	report_add(&doctor->report, VERDICT_WARN, "high-res-timers", why_timers,
		   "off: single departures are late by up to a tick%s%s, besides what else delays them",
		   doctor->tick_ns ? " of " : "",
		   doctor->tick_ns ? tick : "");
	doctor_word_after(doctor->cmdline, "highres=", value, sizeof(value));
	if (!strcmp(value, "off"))
		report_change(&doctor->report,
			      "boot without highres=off (it is on the kernel's command line)");
	else if (doctor_config(doctor, "CONFIG_HIGH_RES_TIMERS", value,
			       sizeof(value)) && value[0] == 'n')
		report_change(&doctor->report,
			      "take a kernel with CONFIG_HIGH_RES_TIMERS=y");
	else
		report_change(&doctor->report,
			      "dmesg | grep -i -e hrtimer -e 'high resolution' says why; an unstable clocksource is the usual reason");
}

/* A kernel turns them on with a tick, the first ones after its boot. */
static uint64_t fine_resolution(const struct doctor *doctor)
{
	const struct timespec ticks = {
		.tv_nsec = (long)(2 * doctor->tick_ns % NSEC_PER_SEC),
	};
	uint64_t ns = resolution(CLOCK_MONOTONIC);

	if (ns <= FINE_NS)
		return ns;
	nanosleep(&ticks, NULL);
	return resolution(CLOCK_MONOTONIC);
}

static void high_res(struct doctor *doctor)
{
	uint64_t ns = doctor->live ? fine_resolution(doctor) : 0;
	char value[16] = "";

	if (ns)
		doctor->high_res = ns <= FINE_NS ? YES : NO;
	else
		doctor->high_res = listed(doctor);
	doctor_word_after(doctor->cmdline, "highres=", value, sizeof(value));
	if (doctor->high_res == UNKNOWN && !strcmp(value, "off"))
		doctor->high_res = NO;
	if (doctor->high_res == YES)
		report_add(&doctor->report, VERDICT_OK, "high-res-timers",
			   why_timers, "on");
	else if (doctor->high_res == NO)
		say_off(doctor);
	else
		doctor_unknown(doctor, "high-res-timers", why_timers,
			       TIMER_LIST);
}

static void tick(struct doctor *doctor)
{
	static const char why[] =
		"where timers are coarse this is the grid of departures; else it matters little";
	enum verdict verdict = VERDICT_OK;
	char text[REPORT_TIME];

	if (!doctor->tick_ns) {
		report_add(&doctor->report, VERDICT_NOTE, "hz", why,
			   "unknown: neither /proc/config.gz nor /boot/config-RELEASE can be read");
		return;
	}
	if (doctor->high_res == NO && doctor->tick_ns > NSEC_PER_SEC / 1000)
		verdict = VERDICT_WARN;
	report_add(&doctor->report, verdict, "hz", why,
		   "%llu, a tick each %s",
		   (unsigned long long)(NSEC_PER_SEC / doctor->tick_ns),
		   report_time(doctor->tick_ns, text));
	if (verdict == VERDICT_WARN)
		report_change(&doctor->report,
			      "high-resolution timers first; without them a kernel with CONFIG_HZ=1000");
}

static void idle_tick(struct doctor *doctor)
{
	static const char why[] =
		"ticks disturb a busy processor; an idle one without them wakes up for timers only";
	static const char *const names[] = {
		"CONFIG_NO_HZ_FULL", "CONFIG_NO_HZ_IDLE", "CONFIG_HZ_PERIODIC",
	};
	static const char *const texts[] = {
		"full: also busy processors may do without ticks",
		"idle: idle processors do without ticks",
		"periodic ticks, always",
	};
	char value[16];
	size_t i;

	if (doctor_word_after(doctor->cmdline, "nohz=", value, sizeof(value)) &&
	    !strcmp(value, "off")) {
		report_add(&doctor->report, VERDICT_OK, "no-hz", why,
			   "off by the kernel's command line (nohz=off)");
		return;
	}
	for (i = 0; i < 3; i++) {
		if (!doctor_config(doctor, names[i], value, sizeof(value)))
			break;
		if (value[0] == 'y') {
			report_add(&doctor->report, VERDICT_OK, "no-hz", why,
				   "%s", texts[i]);
			return;
		}
	}
	report_add(&doctor->report, VERDICT_NOTE, "no-hz", why,
		   "unknown: the kernel's configuration cannot be read");
}

void doctor_timers(struct doctor *doctor)
{
	find_tick(doctor);
	high_res(doctor);
	tick(doctor);
	idle_tick(doctor);
}
