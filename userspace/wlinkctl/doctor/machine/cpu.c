// SPDX-License-Identifier: GPL-2.0
/*
 * The processors: which are kept free, what protects them, who else has them.
 */

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "doctor/read.h"

#define CPU	"/sys/devices/system/cpu/"

/* Return: the last number of a list such as "0-3,7", or -1. */
static int last_of(const char *list)
{
	const char *at = strpbrk(list, "0123456789");
	int last = -1;
	char *end;

	while (at && *at) {
		last = (int)strtol(at, &end, 10);
		at = strpbrk(end, "0123456789");
	}
	return last;
}

static void isolation(struct doctor *doctor)
{
	static const char why[] =
		"what shares a processor with the link's timer delays it";
	char isolated[256], full[256], online[256];
	int last;

	if (doctor_read(doctor->root, CPU "isolated", isolated,
			sizeof(isolated))) {
		doctor_unknown(doctor, "isolation", why, CPU "isolated");
		return;
	}
	/* Kernels without any print (null). */
	if (doctor_read(doctor->root, CPU "nohz_full", full, sizeof(full)) ||
	    last_of(full) < 0)
		full[0] = 0;
	if (last_of(isolated) >= 0) {
		report_add(&doctor->report, VERDICT_OK, "isolation", why,
			   "isolcpus %s, nohz_full %s", isolated,
			   full[0] ? full : "none");
		return;
	}
	doctor_read(doctor->root, CPU "online", online, sizeof(online));
	last = last_of(online);
	report_add(&doctor->report, VERDICT_NOTE, "isolation", why,
		   "no processor is kept free (isolcpus none, nohz_full %s, online %s)",
		   full[0] ? full : "none", online[0] ? online : "unknown");
	if (last > 0)
		report_change(&doctor->report,
			      "boot with isolcpus=managed_irq,domain,%d nohz_full=%d rcu_nocbs=%d and send the device's interrupts there",
			      last, last, last);
	else if (!last)
		report_change(&doctor->report,
			      "none: there is one processor; keep other work off the machine");
}

static void mitigations(struct doctor *doctor)
{
	static const char why[] =
		"they make calls dearer: fewer packets a second, not later ones";
	char path[PATH_MAX], text[256], file[PATH_MAX];
	unsigned int on = 0, bare = 0, all = 0;
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "%s" CPU "vulnerabilities", doctor->root);
	dir = opendir(path);
	if (!dir) {
		doctor_unknown(doctor, "mitigations", why,
			       CPU "vulnerabilities");
		return;
	}
	while ((entry = readdir(dir))) {
		snprintf(file, sizeof(file), CPU "vulnerabilities/%s",
			 entry->d_name);
		if (entry->d_name[0] == '.' ||
		    doctor_read(doctor->root, file, text, sizeof(text)))
			continue;
		all++;
		on += strstr(text, "Mitigation") ? 1 : 0;
		bare += !strncmp(text, "Vulnerable", 10);
	}
	closedir(dir);
	if (!on) {
		report_add(&doctor->report, VERDICT_OK, "mitigations", why,
			   "none is on (%u known, %u left vulnerable)", all,
			   bare);
		return;
	}
	report_add(&doctor->report, VERDICT_NOTE, "mitigations", why,
		   "%u of %u are on", on, all);
	report_change(&doctor->report,
		      "boot with mitigations=off, only where all code on this machine is trusted");
}

/* Return: who made this machine up, NULL for nobody. */
static const char *host_name(const struct doctor *doctor, char *text,
			     size_t size)
{
	static const char *const paths[] = {
		"/sys/hypervisor/type", "/sys/class/dmi/id/product_name",
		"/sys/class/dmi/id/sys_vendor",
	};
	char info[16384];
	size_t i;

	doctor_read(doctor->root, "/proc/cpuinfo", info, sizeof(info));
	/* Its flags are those of the host. */
	if (strstr(info, "User Mode Linux"))
		return "User Mode Linux";
	if (!doctor_has_word(info, "hypervisor"))
		return NULL;
	for (i = 0; i < 3; i++)
		if (!doctor_read(doctor->root, paths[i], text, size) && text[0])
			return text;
	return "a hypervisor that does not say its name";
}

/* Return: time that others had while somebody here wanted to run, percent. */
static double stolen(const struct doctor *doctor)
{
	unsigned long long part, sum = 0, steal = 0;
	char text[256];
	char *at, *end;
	int i;

	if (doctor_read(doctor->root, "/proc/stat", text, sizeof(text)) ||
	    strncmp(text, "cpu ", 4))
		return 0;
	at = text + 4;
	for (i = 0; i < 8; i++) {
		part = strtoull(at, &end, 10);
		if (end == at)
			break;
		sum += part;
		steal = i == 7 ? part : 0;
		at = end;
	}
	return sum ? 100.0 * (double)steal / (double)sum : 0;
}

static void virtualisation(struct doctor *doctor)
{
	static const char why[] =
		"a virtual processor that the host has put aside wakes up late, unseen from inside";
	const char *host;
	char text[128];
	double percent;

	if (doctor_read(doctor->root, "/proc/cpuinfo", text, sizeof(text))) {
		doctor_unknown(doctor, "virtualisation", why, "/proc/cpuinfo");
		return;
	}
	host = host_name(doctor, text, sizeof(text));
	percent = stolen(doctor);
	if (!host) {
		report_add(&doctor->report, VERDICT_OK, "virtualisation", why,
			   "none: no hypervisor flag");
		return;
	}
	if (doctor->virtual_time) {
		report_add(&doctor->report, VERDICT_OK, "virtualisation", why,
			   "%s in virtual time: no lateness from its host",
			   host);
		return;
	}
	report_add(&doctor->report, percent > 1 ? VERDICT_WARN : VERDICT_NOTE,
		   "virtualisation", why,
		   "%s; the host has taken %.1f %% of the time since boot",
		   host, percent);
	report_change(&doctor->report,
		      "measure on bare metal, or pin the virtual processors and keep the host idle");
}

void doctor_cpu(struct doctor *doctor)
{
	virtualisation(doctor);
	isolation(doctor);
	mitigations(doctor);
}
