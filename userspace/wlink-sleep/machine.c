// SPDX-License-Identifier: GPL-2.0
/* The kernel's clocks and timers, as far as a process can see them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/prctl.h>

#include "machine.h"
#include "sleep.h"

/* No CPU reads a clock in less; virtual time moves 1 ns a look. */
#define REAL_LOOK_NS 3.0
#define LOOKS 20000

/* The first line of a file, or nothing. */
static bool line_of(const char *path, char *buf, int size)
{
	FILE *f = fopen(path, "re");
	bool got;

	buf[0] = '\0';
	if (!f)
		return false;
	got = fgets(buf, size, f);
	fclose(f);
	buf[strcspn(buf, "\n")] = '\0';
	return got;
}

/* What follows a word at the beginning of a line, after blanks and colons. */
static bool value_in(const char *path, const char *word, char *value, size_t size)
{
	FILE *f = fopen(path, "re");
	char line[4096];
	bool found = false;

	while (f && !found && fgets(line, sizeof(line), f)) {
		const char *at = line + strspn(line, " \t");

		if (strncmp(at, word, strlen(word)))
			continue;
		at += strlen(word);
		at += strspn(at, " \t:");
		snprintf(value, size, "%.*s", (int)strcspn(at, "\n"), at);
		found = true;
	}
	if (f)
		fclose(f);
	return found;
}

static long number_in(const char *path, long otherwise)
{
	char line[64];

	return line_of(path, line, sizeof(line)) ? atol(line) : otherwise;
}

/* What of the kernel's command line is about time. */
static void read_cmdline(char *kept, size_t size)
{
	static const char *const about[] = {
		"highres",   "nohz",	    "clocksource", "tsc",
		"hpet",	     "isolcpus",    "idle",	   "mitigations",
		"preempt",   "threadirqs",  "rcu_nocbs",   "irqaffinity",
		"skew_tick", "time-travel", "processor.",  "intel_idle.",
	};
	char line[4096], *word, *rest = line;
	size_t i, at = 0;

	line_of("/proc/cmdline", line, sizeof(line));
	while ((word = strsep(&rest, " ")) && at < size)
		for (i = 0; i < sizeof(about) / sizeof(about[0]); i++)
			if (!strncmp(word, about[i], strlen(about[i])) && at < size)
				at += snprintf(kept + at, size - at, "%s%s", at ? " " : "", word);
}

/* Whether the tick goes on while a CPU is idle; timer_list is for root. */
static void read_tick(struct machine *m)
{
	const char *const list = "/proc/timer_list";
	char value[64], config[300];

	if (value_in(list, ".nohz_mode", value, sizeof(value)) ||
	    value_in(list, ".nohz", value, sizeof(value))) {
		snprintf(m->tick, sizeof(m->tick), "%s",
			 atoi(value) ? "stops while idle" : "periodic");
		return;
	}
	if (strstr(m->cmdline, "nohz=off")) {
		snprintf(m->tick, sizeof(m->tick), "periodic");
		return;
	}
	snprintf(config, sizeof(config), "/boot/config-%s", m->name.release);
	if (value_in(config, "CONFIG_HZ_PERIODIC=y", value, sizeof(value)))
		snprintf(m->tick, sizeof(m->tick), "periodic");
	else if (value_in(config, "CONFIG_NO_HZ_COMMON=y", value, sizeof(value)))
		snprintf(m->tick, sizeof(m->tick), "stops while idle");
}

bool machine_busy(unsigned long long *busy, unsigned long long *total)
{
	unsigned long long v[8] = { 0 };
	char line[256];
	int i;

	if (!line_of("/proc/stat", line, sizeof(line)) ||
	    sscanf(line, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &v[0], &v[1], &v[2], &v[3],
		   &v[4], &v[5], &v[6], &v[7]) != 8)
		return false;
	for (*total = 0, i = 0; i < 8; i++)
		*total += v[i];
	/* Neither idle nor waiting for a disk. */
	*busy = *total - v[3] - v[4];
	return true;
}

static double one_look(void)
{
	int64_t began = now_ns(), now = began;
	int i;

	for (i = 0; i < LOOKS; i++)
		now = now_ns();
	return (double)(now - began) / LOOKS;
}

bool clock_moves(double one_look_ns)
{
	return one_look_ns >= REAL_LOOK_NS;
}

bool machine_high_res(const struct machine *m)
{
	return m->resolution_ns == 1;
}

void machine_read(struct machine *m)
{
	static const char *const source =
		"/sys/devices/system/clocksource/clocksource0/current_clocksource";
	struct timespec res = { .tv_nsec = 100 * MS };
	char value[4096];

	/* Timers change to high resolution some ticks after the boot; the lab starts us before. */
	nanosleep(&res, NULL);
	memset(m, 0, sizeof(*m));
	uname(&m->name);
	m->cpus = sysconf(_SC_NPROCESSORS_ONLN);
	/* The coarse clock moves once a tick. */
	if (!clock_getres(CLOCK_MONOTONIC_COARSE, &res) && res.tv_nsec)
		m->hz = (SECOND + res.tv_nsec / 2) / res.tv_nsec;
	if (!clock_getres(CLOCK_MONOTONIC, &res))
		m->resolution_ns = res.tv_nsec;
	m->slack_ns = prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0);
	line_of(source, m->clocksource, sizeof(m->clocksource));
	read_cmdline(m->cmdline, sizeof(m->cmdline));
	read_tick(m);
	m->swap_kib = value_in("/proc/meminfo", "SwapTotal", value, sizeof(value)) ? atol(value) :
										     -1;
	m->rt_runtime_us = number_in("/proc/sys/kernel/sched_rt_runtime_us", -2);
	m->rt_period_us = number_in("/proc/sys/kernel/sched_rt_period_us", 0);
	m->hypervisor = value_in("/proc/cpuinfo", "flags", value, sizeof(value)) &&
			strstr(value, " hypervisor");
	m->one_look_ns = one_look();
}
