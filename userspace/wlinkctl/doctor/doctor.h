/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_DOCTOR_H
#define _WLINKCTL_DOCTOR_H

/* A machine, as far as exact departures depend on it. */

#include <stddef.h>

#include "doctor/report.h"
#include "wlinkctl.h"

#define NSEC_PER_SEC	((uint64_t)1000000000)

/**
 * enum known - what can be true, false or not found out
 * @UNKNOWN: could not be found out
 * @NO: false
 * @YES: true
 */
enum known {
	UNKNOWN,
	NO,
	YES,
};

/**
 * struct lateness - how late this machine wakes up
 * @wakes: how many wake-ups were measured, 0 for none
 * @p50_ns: half of them were at most this late
 * @p99_ns: 99 of 100
 * @max_ns: all
 * @asked_ns: how long it was to be measured
 * @took_ns: how long it was
 * @policy: scheduling policy that was had
 */
struct lateness {
	size_t wakes;
	uint64_t p50_ns;
	uint64_t p99_ns;
	uint64_t max_ns;
	uint64_t asked_ns;
	uint64_t took_ns;
	const char *policy;
};

/**
 * struct doctor - one run of the command
 * @root: folder that stands for /, "" for this machine
 * @live: the kernel may be asked, too: no other root was named
 * @cmdline: of the kernel; empty if it could not be read
 * @config: of the kernel, its lines; NULL if it could not be read
 * @tick_ns: between two ticks, 0 if unknown
 * @high_res: has it high-resolution timers?
 * @virtual_time: its clock is that of a simulation
 * @late: measured
 * @report: what was found
 */
struct doctor {
	const char *root;
	bool live;
	char cmdline[4096];
	char *config;
	uint64_t tick_ns;
	enum known high_res;
	bool virtual_time;
	struct lateness late;
	struct report report;
};

/**
 * doctor_unknown() - add a note that something could not be found out
 * @doctor: where to
 * @check: name of the check
 * @why: why it matters
 * @path: file that could not be read, errno says why
 */
void doctor_unknown(struct doctor *doctor, const char *check, const char *why,
		    const char *path);

/**
 * doctor_config_read() - read the kernel's configuration, if any
 * @doctor: @config is set
 */
void doctor_config_read(struct doctor *doctor);

/**
 * doctor_config() - look up an option of the kernel's configuration
 * @doctor: machine
 * @name: such as CONFIG_HZ
 * @value: result, without quotes; "n" for one that is not set
 * @size: of @value
 *
 * Return: false if the configuration is not known.
 */
bool doctor_config(const struct doctor *doctor, const char *name, char *value,
		   size_t size);

/* Each of these adds the findings of some checks. */
void doctor_clock(struct doctor *doctor);
void doctor_timers(struct doctor *doctor);
void doctor_sync(struct doctor *doctor);
void doctor_cpu(struct doctor *doctor);
void doctor_power(struct doctor *doctor);
void doctor_sched(struct doctor *doctor);

/**
 * doctor_probe() - measure how late this machine wakes up
 * @doctor: @late is set, findings are added
 * @ns: for how long
 *
 * A signal ends it; what was measured until then counts and is marked.
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int doctor_probe(struct doctor *doctor, uint64_t ns);

/**
 * doctor_expect() - say what accuracy to expect
 * @doctor: machine, probed
 */
void doctor_expect(struct doctor *doctor);

/**
 * doctor_finds() - is there a device?
 * @doctor: machine
 * @name: of the device
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int doctor_finds(const struct doctor *doctor, const char *name);

/**
 * doctor_device() - look at a device and its links
 * @ctl: the program
 * @doctor: machine
 * @dev: device
 *
 * Return: enum wlinkctl_exit, after a complaint if it is not EXIT_DONE.
 */
int doctor_device(struct wlinkctl *ctl, struct doctor *doctor, const char *dev);

#endif
