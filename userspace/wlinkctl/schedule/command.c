// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "link/link.h"
#include "link/show.h"
#include "link/target.h"
#include "numbers/num.h"
#include "schedule/file.h"
#include "schedule/schedule.h"
#include "show/xstats.h"

#define X(name)	WLINK_STAT_ ## name

static void print_loaded(struct wlinkctl *ctl, const struct schedule_file *file,
			 const struct schedule *schedule)
{
	char text[WL_NUM_TEXT];

	if (!ctl->json) {
		printf("%s: %" PRIu64 " steps loaded in %.3f s; to be started with length %s\n",
		       file->name, schedule->steps, schedule->seconds,
		       wl_num_print(WL_UNIT_TIME, file->length_ns, text));
		return;
	}
	json_begin();
	json_writer.string("file", file->name);
	json_writer.u64("steps", schedule->steps);
	snprintf(text, sizeof(text), "%.6f", schedule->seconds);
	json_writer.number("seconds", text);
	json_writer.u64("bytes", schedule->bytes);
	json_writer.u64("messages", schedule->messages);
	json_writer.u64("length_ns", file->length_ns);
	if (file->end >= 0)
		json_writer.string("end", schedule_end_names[file->end]);
	json_end();
}

static int load(struct wlinkctl *ctl, struct target *to, int argc, char **argv)
{
	struct schedule schedule = { .ctl = ctl, .to = to };
	static struct schedule_file file;
	int code;

	if (argc != 1) {
		complain(argc ? "schedule load takes a device and a file, but got \"%s\"" :
				"schedule load needs a file", argv[1]);
		return EXIT_USAGE;
	}
	code = schedule_find(ctl, to);
	if (code)
		return code;
	if (schedule_file_open(&file, argv[0]))
		return EXIT_USAGE;
	code = schedule_load(&schedule, &file);
	if (!code)
		print_loaded(ctl, &file, &schedule);
	schedule_file_close(&file);
	return code;
}

static const struct number waits = {
	WL_UNIT_TIME, 0, WLINK_SCHEDULE_LENGTH_MAX, "a time from 0ns to 864000s",
};

static const struct number lengths = {
	WL_UNIT_TIME, WLINK_TIMER_MIN, WLINK_SCHEDULE_LENGTH_MAX, "a time from 1000ns to 864000s",
};

_Static_assert(WLINK_TIMER_MIN == 1000 && WLINK_SCHEDULE_LENGTH_MAX == 864000000000000,
	       "as in the texts");

static int get_start(const char *value, struct schedule_start *start)
{
	start->in_ns = 0;
	start->start_ns = WLINK_START_NOW;
	if (!strcmp(value, "now"))
		return 0;
	if (!strcmp(value, "packet")) {
		start->start_ns = WLINK_START_PACKET;
		return 0;
	}
	if (*value == '+')
		return number_parse(&waits, "start", value + 1, &start->in_ns);
	if (!wl_num_parse(WL_UNIT_TIME, value, &start->start_ns) &&
	    start->start_ns != WLINK_START_PACKET)
		return 0;
	complain("start \"%s\" is not now, packet, +TIME or a TIME of CLOCK_MONOTONIC",
		 value);
	return -1;
}

/* Return: words taken, or -1 after a complaint. */
static int start_word(struct schedule_start *start, int argc, char **argv)
{
	int end = schedule_end_of(argv[0]);
	bool length = !strcmp(argv[0], "length");

	if (end >= 0) {
		start->end = (enum wlink_schedule_end)end;
		return 1;
	}
	if (!length && strcmp(argv[0], "start")) {
		complain("schedule start knows no word \"%s\"", argv[0]);
		return -1;
	}
	if (argc < 2) {
		complain("%s has no value", argv[0]);
		return -1;
	}
	if (length ? number_parse(&lengths, "length", argv[1], &start->length_ns) :
		     get_start(argv[1], start))
		return -1;
	return 2;
}

static int start(struct wlinkctl *ctl, struct target *to, int argc,
		 char **argv)
{
	struct schedule_start how = { .end = WLINK_SCHEDULE_END_HOLD };
	int code;
	int n;

	for (; argc; argc -= n, argv += n) {
		n = start_word(&how, argc, argv);
		if (n < 0)
			return EXIT_USAGE;
	}
	if (!how.length_ns) {
		complain("schedule start needs length and the time after which it is over");
		return EXIT_USAGE;
	}
	code = schedule_find(ctl, to);
	if (!code)
		code = schedule_start(ctl, to, &how);
	if (!code && ctl->json)
		puts("{}");
	return code;
}

static int stop(struct wlinkctl *ctl, struct target *to, int argc, char **argv)
{
	int code;

	if (argc) {
		complain("schedule stop takes no other word, but got \"%s\"",
			 argv[0]);
		return EXIT_USAGE;
	}
	code = schedule_find(ctl, to);
	if (!code)
		code = schedule_stop(ctl, to);
	if (!code && ctl->json)
		puts("{}");
	return code;
}

static const struct {
	const char *key;
	unsigned int stat;
} rows[] = {
	{ "steps", X(SCHEDULE_STEPS) },
	{ "step", X(SCHEDULE_STEP) },
	{ "pass", X(SCHEDULE_PASS) },
	{ "grants", X(GRANTS) },
	{ "grant_bytes", X(GRANT_BYTES) },
	{ "grant_bytes_used", X(GRANT_BYTES_USED) },
};

#define N_ROWS	(sizeof(rows) / sizeof(rows[0]))

static void show_json(struct wlinkctl *ctl, struct link *link)
{
	size_t i;

	(void)ctl;
	json_writer.u64("bearer", link->bearer);
	json_writer.string("state", wl_xstats_schedule_state(&link->stats));
	for (i = 0; i < N_ROWS; i++)
		json_writer.u64(rows[i].key,
				link->stats.value[rows[i].stat]);
}

static void show_text(const struct link *link)
{
	size_t i;

	link_print_head(link);
	printf("%s", wl_xstats_schedule_state(&link->stats));
	for (i = 0; i < N_ROWS; i++)
		if (link->stats.value[rows[i].stat])
			printf(" %s %" PRIu64, rows[i].key,
			       link->stats.value[rows[i].stat]);
	putchar('\n');
}

static int show(struct wlinkctl *ctl, struct target *to, int argc, char **argv)
{
	static const struct show_as schedules = { show_json, show_text };

	if (!argc)
		return show_bearers(ctl, to, &schedules);
	complain("schedule show takes no other word, but got \"%s\"", argv[0]);
	return EXIT_USAGE;
}

static const struct {
	const char *name;
	int (*run)(struct wlinkctl *ctl, struct target *to, int argc,
		   char **argv);
} verbs[] = {
	{ "load", load },
	{ "start", start },
	{ "stop", stop },
	{ "show", show },
};

int cmd_schedule(struct wlinkctl *ctl, int argc, char **argv)
{
	char command[32];
	struct target to;
	size_t i;
	int n;

	if (!argc) {
		complain("schedule needs load, start, stop or show");
		return EXIT_USAGE;
	}
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, argv[0]))
			break;
	if (i == sizeof(verbs) / sizeof(verbs[0])) {
		complain("schedule knows load, start, stop and show, but got \"%s\"",
			 argv[0]);
		return EXIT_USAGE;
	}
	snprintf(command, sizeof(command), "schedule %s", argv[0]);
	n = target_parse(&to, command, argc - 1, argv + 1);
	if (n < 0)
		return EXIT_USAGE;
	return verbs[i].run(ctl, &to, argc - 1 - n, argv + 1 + n);
}
