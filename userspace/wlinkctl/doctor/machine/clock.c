// SPDX-License-Identifier: GPL-2.0
/*
 * The clock that the engine reads: where it comes from, and whether the clocks
 * of the records are there.
 */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "doctor/doctor.h"
#include "doctor/read.h"
#include "words/words.h"

#define FOLDER	"/sys/devices/system/clocksource/clocksource0/"

static const char why_source[] =
	"the times of each packet's arrival and departure are of this clock";

/**
 * struct source - a clocksource that is known
 * @name: begins so
 * @verdict: how good it is
 * @text: what there is to say
 */
struct source {
	const char *name;
	enum verdict verdict;
	const char *text;
};

static const struct source sources[] = {
	{ "tsc", VERDICT_OK, "the processor's own counter, read in tens of ns" },
	{ "kvm-clock", VERDICT_OK, "the host's counter, read in tens of ns" },
	{ "hyperv_clocksource_tsc_page", VERDICT_OK,
	  "the host's counter, read in tens of ns" },
	{ "hyperv_clocksource_msr", VERDICT_NOTE,
	  "each reading asks the hypervisor" },
	{ "xen", VERDICT_NOTE, "the host's counter with Xen's own scale" },
	{ "arch_sys_counter", VERDICT_OK, "the processor's own counter" },
	{ "timebase", VERDICT_OK, "the processor's own counter" },
	{ "riscv_clocksource", VERDICT_OK, "the processor's own counter" },
	{ "tod", VERDICT_OK, "the processor's own counter" },
	{ "time-travel", VERDICT_OK,
	  "virtual time of a User Mode Linux kernel: exact, but not this world's" },
	{ "hpet", VERDICT_WARN, "each reading takes about a microsecond" },
	{ "acpi_pm", VERDICT_WARN,
	  "a grid of 279 ns, and each reading takes microseconds" },
	{ "refined-jiffies", VERDICT_FAIL, "time stands still between two ticks" },
	{ "jiffies", VERDICT_FAIL, "time stands still between two ticks" },
	{ "pit", VERDICT_FAIL, "a grid of 838 ns, and slow to read" },
};

/* What a PC has that is better than what it uses. */
static void better_source(struct doctor *doctor)
{
	char text[256];

	if (!doctor_read(doctor->root, FOLDER "available_clocksource", text,
			 sizeof(text)) && doctor_has_word(text, "tsc"))
		report_change(&doctor->report,
			      "echo tsc >" FOLDER "current_clocksource");
	else
		report_change(&doctor->report,
			      "no tsc is offered (%s); dmesg | grep -i -e tsc -e clocksource says why; boot with tsc=reliable only where all processors' counters agree",
			      text[0] ? text : "nothing known");
}

static void clocksource(struct doctor *doctor)
{
	char name[64];
	size_t i;

	if (doctor_read(doctor->root, FOLDER "current_clocksource", name,
			sizeof(name))) {
		doctor_unknown(doctor, "clocksource", why_source,
			       FOLDER "current_clocksource");
		return;
	}
	for (i = 0; i < ARRAY_SIZE(sources); i++)
		if (!strncmp(name, sources[i].name, strlen(sources[i].name)))
			break;
	if (i == ARRAY_SIZE(sources)) {
		report_add(&doctor->report, VERDICT_NOTE, "clocksource",
			   why_source, "%s, of which nothing is known here",
			   name);
		return;
	}
	doctor->virtual_time = !strcmp(sources[i].name, "time-travel");
	report_add(&doctor->report, sources[i].verdict, "clocksource",
		   why_source, "%s: %s", name, sources[i].text);
	if (sources[i].verdict >= VERDICT_WARN)
		better_source(doctor);
}

/* Each is read once: a kernel or a sandbox may lack one. */
static void clocks(struct doctor *doctor)
{
	static const struct {
		clockid_t id;
		const char *name;
	} all[] = {
		{ CLOCK_MONOTONIC, "CLOCK_MONOTONIC" },
		{ CLOCK_MONOTONIC_RAW, "CLOCK_MONOTONIC_RAW" },
		{ CLOCK_REALTIME, "CLOCK_REALTIME" },
		{ CLOCK_BOOTTIME, "CLOCK_BOOTTIME" },
		{ CLOCK_TAI, "CLOCK_TAI" },
	};
	static const char why[] =
		"records carry CLOCK_MONOTONIC and CLOCK_TAI, and tools sleep by them";
	struct timespec ts;
	char missing[160] = "";
	size_t len = 0;
	size_t i;

	if (!doctor->live)
		return;
	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (clock_gettime(all[i].id, &ts))
			len += (size_t)snprintf(missing + len,
						sizeof(missing) - len, " %s",
						all[i].name);
	if (len)
		report_add(&doctor->report, VERDICT_FAIL, "clocks", why,
			   "missing:%s", missing);
	else
		report_add(&doctor->report, VERDICT_OK, "clocks", why,
			   "monotonic, raw, real, boot time and TAI are there");
}

void doctor_clock(struct doctor *doctor)
{
	clocksource(doctor);
	clocks(doctor);
}
