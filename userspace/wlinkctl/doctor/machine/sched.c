// SPDX-License-Identifier: GPL-2.0
/*
 * Who runs when: preemption, the right to real-time scheduling, and who moves
 * interrupts about.
 */

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "doctor/read.h"

#define CAP_SYS_NICE_BIT	23
#define RUNTIME		"/proc/sys/kernel/sched_rt_runtime_us"
#define DYNAMIC		"/sys/kernel/debug/sched/preempt"

/* "none voluntary (full)": the one in brackets is in force. */
static bool in_brackets(const char *text, char *word, size_t size)
{
	const char *at = strchr(text, '(');

	if (at)
		snprintf(word, size, "%.*s", (int)strcspn(at + 1, ")"), at + 1);
	return at;
}

static void preemption(struct doctor *doctor)
{
	static const char why[] =
		"packets leave as the timer's interrupt ends; with PREEMPT_RT a thread has to run";
	char version[512], text[128], model[32];
	int64_t rt = 0;

	if (doctor_read(doctor->root, "/proc/version", version,
			sizeof(version))) {
		doctor_unknown(doctor, "preempt", why, "/proc/version");
		return;
	}
	doctor_number(doctor->root, "/sys/kernel/realtime", &rt);
	if (rt || doctor_has_word(version, "PREEMPT_RT")) {
		report_add(&doctor->report, VERDICT_NOTE, "preempt", why,
			   "PREEMPT_RT: a departure waits for the softirq thread");
		report_change(&doctor->report,
			      "chrt -f -p 50 $(pgrep ktimers/) and of ksoftirqd/ likewise");
	} else if (doctor_has_word(version, "PREEMPT_DYNAMIC")) {
		if (doctor_read(doctor->root, DYNAMIC, text, sizeof(text)) ||
		    !in_brackets(text, model, sizeof(model)))
			snprintf(model, sizeof(model), "%s", "unknown");
		report_add(&doctor->report, VERDICT_OK, "preempt", why,
			   "dynamic, now %s", model);
	} else {
		report_add(&doctor->report, VERDICT_OK, "preempt", why, "%s",
			   doctor_has_word(version, "PREEMPT") ? "full" :
			   "none or voluntary");
	}
}

/* Return: the text behind the begin of a line, or NULL. */
static const char *line_after(const char *text, const char *begin)
{
	const char *at = strstr(text, begin);

	return at && (at == text || at[-1] == '\n') ? at + strlen(begin) : NULL;
}

/* From files, so that it holds for the machine of --root, too. */
static enum known may_real_time(const struct doctor *doctor, int64_t *limit)
{
	const char *caps, *most;
	char text[4096];

	*limit = -1;
	doctor_read(doctor->root, "/proc/self/status", text, sizeof(text));
	caps = line_after(text, "CapEff:");
	if (caps && strtoull(caps, NULL, 16) >> CAP_SYS_NICE_BIT & 1)
		return YES;
	doctor_read(doctor->root, "/proc/self/limits", text, sizeof(text));
	most = line_after(text, "Max realtime priority");
	if (most)
		*limit = strstr(most, "unlimited") == most + strspn(most, " ") ?
			 99 : strtoll(most, NULL, 10);
	if (*limit > 0)
		return YES;
	return caps && most ? NO : UNKNOWN;
}

static void rights(struct doctor *doctor)
{
	static const char why[] =
		"tools that sleep need it to be on time under load; the qdisc itself does not";
	int64_t limit;

	switch (may_real_time(doctor, &limit)) {
	case YES:
		if (limit > 0)
			report_add(&doctor->report, VERDICT_OK, "real-time", why,
				   "SCHED_FIFO is allowed up to priority %" PRId64,
				   limit);
		else
			report_add(&doctor->report, VERDICT_OK, "real-time", why,
				   "SCHED_FIFO is allowed (CAP_SYS_NICE)");
		break;
	case NO:
		report_add(&doctor->report, VERDICT_WARN, "real-time", why,
			   "no permission for SCHED_FIFO (no CAP_SYS_NICE, RLIMIT_RTPRIO 0)");
		report_change(&doctor->report,
			      "be root, or put \"USER - rtprio 50\" into /etc/security/limits.d/wlink.conf and log in again");
		break;
	default:
		report_add(&doctor->report, VERDICT_NOTE, "real-time", why,
			   "unknown: /proc/self/status or /proc/self/limits cannot be read");
	}
}

static void throttling(struct doctor *doctor)
{
	static const char why[] =
		"real-time tasks of all users together may run so long in each period";
	int64_t runtime, period = 1000000;

	if (doctor_number(doctor->root, RUNTIME, &runtime)) {
		doctor_unknown(doctor, "rt-throttling", why, RUNTIME);
		return;
	}
	doctor_number(doctor->root, "/proc/sys/kernel/sched_rt_period_us",
		      &period);
	if (runtime) {
		if (runtime < 0)
			report_add(&doctor->report, VERDICT_OK, "rt-throttling",
				   why, "no bound");
		else
			report_add(&doctor->report, VERDICT_OK, "rt-throttling",
				   why, "%" PRId64 " of %" PRId64 " us",
				   runtime, period);
		return;
	}
	report_add(&doctor->report, VERDICT_WARN, "rt-throttling", why,
		   "0 us: SCHED_FIFO is refused to all");
	report_change(&doctor->report, "sysctl -w kernel.sched_rt_runtime_us=950000");
}

/* Return: NO where no process has the name; UNKNOWN without /proc. */
static enum known runs(const struct doctor *doctor, const char *name)
{
	char path[PATH_MAX], text[32];
	enum known found = NO;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s/proc", doctor->root);
	dir = opendir(path);
	if (!dir)
		return UNKNOWN;
	while (found == NO && (entry = readdir(dir))) {
		if (!isdigit((unsigned char)entry->d_name[0]))
			continue;
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		if (!doctor_read(doctor->root, path, text, sizeof(text)) &&
		    !strcmp(text, name))
			found = YES;
	}
	closedir(dir);
	return found;
}

static void balancing(struct doctor *doctor)
{
	static const char why[] =
		"it moves interrupts about, so that two runs do not meet the same machine";

	switch (runs(doctor, "irqbalance")) {
	case YES:
		report_add(&doctor->report, VERDICT_NOTE, "irqbalance", why,
			   "it runs");
		report_change(&doctor->report, "systemctl stop irqbalance");
		break;
	case NO:
		report_add(&doctor->report, VERDICT_OK, "irqbalance", why,
			   "it does not run");
		break;
	default:
		doctor_unknown(doctor, "irqbalance", why, "/proc");
	}
}

void doctor_sched(struct doctor *doctor)
{
	preemption(doctor);
	rights(doctor);
	throttling(doctor);
	balancing(doctor);
}
