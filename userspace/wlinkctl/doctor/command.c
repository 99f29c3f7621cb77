// SPDX-License-Identifier: GPL-2.0
/*
 * wlinkctl doctor: what this machine does to exact departures, and what to change.
 */

#include <dirent.h>
#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "doctor/doctor.h"
#include "doctor/read.h"
#include "lib/json.h"
#include "link/link.h"

#define PROBE_USUAL	(2 * NSEC_PER_SEC)
#define PROBE_MIN	(NSEC_PER_SEC / 10)
#define PROBE_MAX	(600 * NSEC_PER_SEC)

/* Exit codes of their own: a script asks whether something failed. */
#define EXIT_FAILED	1
#define EXIT_WRONG	2

/**
 * struct words - what was typed
 * @root: folder that stands for /
 * @devices: some of the words
 * @n: how many
 * @probe_ns: how long to measure, 0 for not at all
 */
struct words {
	const char *root;
	char **devices;
	int n;
	uint64_t probe_ns;
};

static int parse_probe(struct words *words, const char *text)
{
	if (text && !wl_num_parse(WL_UNIT_TIME, text, &words->probe_ns) &&
	    words->probe_ns >= PROBE_MIN && words->probe_ns <= PROBE_MAX)
		return EXIT_DONE;
	if (text)
		complain("--probe \"%s\" is not a time from 100ms to 600s with its unit",
			 text);
	else
		complain("--probe has no value");
	return EXIT_WRONG;
}

/* Another root has no clock to measure. */
static int parse_root(struct words *words, const char *text)
{
	DIR *dir;

	if (!text) {
		complain("--root has no value");
		return EXIT_WRONG;
	}
	dir = opendir(text);
	if (!dir) {
		complain("--root %s: %s", text, strerror(errno));
		return EXIT_WRONG;
	}
	closedir(dir);
	words->root = text;
	words->probe_ns = 0;
	return EXIT_DONE;
}

static int parse(struct words *words, int argc, char **argv)
{
	bool measures = false;
	int code = EXIT_DONE;
	int i;

	words->devices = argv;
	for (i = 0; !code && i < argc; i++) {
		if (!strcmp(argv[i], "--no-probe")) {
			words->probe_ns = 0;
		} else if (!strcmp(argv[i], "--probe")) {
			measures = true;
			code = parse_probe(words, i + 1 < argc ? argv[++i] :
					   NULL);
		} else if (!strcmp(argv[i], "--root")) {
			code = parse_root(words, i + 1 < argc ? argv[++i] :
					  NULL);
		} else if (argv[i][0] == '-') {
			complain("doctor knows no option \"%s\"", argv[i]);
			code = EXIT_WRONG;
		} else {
			words->devices[words->n++] = argv[i];
		}
	}
	if (!code && measures && words->root[0]) {
		complain("--probe measures this machine, --root looks at the files of another");
		code = EXIT_WRONG;
	}
	return code;
}

/* Every device that has a wlink, once. */
static int all_devices(struct wlinkctl *ctl, struct doctor *doctor)
{
	char name[IF_NAMESIZE];
	struct link_list list;
	size_t i, j;
	int code;

	code = link_dump(ctl, 0, &list);
	for (i = 0; !code && i < list.n; i++) {
		for (j = 0; j < i; j++)
			if (list.links[j].ifindex == list.links[i].ifindex)
				break;
		if (j == i && if_indextoname((unsigned int)list.links[i].ifindex,
					     name))
			code = doctor_device(ctl, doctor, name);
	}
	if (!code)
		free(list.links);
	return code;
}

static int devices(struct wlinkctl *ctl, struct doctor *doctor,
		   const struct words *words)
{
	int code = EXIT_DONE;
	int i;

	for (i = 0; !code && i < words->n; i++)
		code = doctor_device(ctl, doctor, words->devices[i]);
	if (!words->n && doctor->live)
		code = all_devices(ctl, doctor);
	return code;
}

static void lateness_json(const struct lateness *late)
{
	if (!late->wakes)
		return;
	json_writer.object("lateness");
	json_writer.u64("wakes", late->wakes);
	json_writer.u64("p50_ns", late->p50_ns);
	json_writer.u64("p99_ns", late->p99_ns);
	json_writer.u64("max_ns", late->max_ns);
	json_writer.u64("asked_ns", late->asked_ns);
	json_writer.u64("took_ns", late->took_ns);
	json_writer.string("policy", late->policy);
	json_writer.end();
}

static void print(const struct doctor *doctor, bool json)
{
	const struct report *report = &doctor->report;

	if (!json) {
		report_text(report);
		printf("%zu ok, %zu note, %zu warn, %zu fail\n",
		       report_count(report, VERDICT_OK),
		       report_count(report, VERDICT_NOTE),
		       report_count(report, VERDICT_WARN),
		       report_count(report, VERDICT_FAIL));
		return;
	}
	json_start();
	json_writer.object(NULL);
	report_json(report);
	lateness_json(&doctor->late);
	json_writer.end();
	json_finish();
}

static void look_at_machine(struct doctor *doctor)
{
	doctor_read(doctor->root, "/proc/cmdline", doctor->cmdline,
		    sizeof(doctor->cmdline));
	doctor_config_read(doctor);
	doctor_clock(doctor);
	doctor_timers(doctor);
	doctor_sync(doctor);
	doctor_cpu(doctor);
	doctor_power(doctor);
	doctor_sched(doctor);
}

int cmd_doctor(struct wlinkctl *ctl, int argc, char **argv)
{
	struct words words = { .root = "", .probe_ns = PROBE_USUAL };
	struct doctor doctor = { 0 };
	int code;
	int i;

	code = parse(&words, argc, argv);
	if (code)
		return code;
	doctor.root = words.root;
	doctor.live = !words.root[0];
	for (i = 0; !code && i < words.n; i++)
		code = doctor_finds(&doctor, words.devices[i]);
	if (code)
		return code;
	look_at_machine(&doctor);
	if (words.probe_ns)
		code = doctor_probe(&doctor, words.probe_ns);
	if (!code)
		code = devices(ctl, &doctor, &words);
	doctor_expect(&doctor);
	/* What was found until something went wrong is told, too. */
	print(&doctor, ctl->json);
	if (!code && doctor.report.failed) {
		complain("%s", strerror(ENOMEM));
		code = EXIT_WRONG;
	}
	if (!code && report_count(&doctor.report, VERDICT_FAIL))
		code = EXIT_FAILED;
	report_free(&doctor.report);
	free(doctor.config);
	return code;
}
