// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "schedule/schedule.h"
#include "trace/args.h"
#include "trace/report.h"
#include "trace/write.h"

static int open_trace(struct trace *trace, const char *name,
		      const struct trace_args *args)
{
	memset(trace, 0, sizeof(*trace));
	trace->name = name;
	trace->format = args->format;
	trace->bytes_limit = args->bytes_limit;
	return trace_open(trace);
}

static int convert(const char *name, const struct trace_args *args,
		   enum trace_format to)
{
	static struct trace trace;
	int err;

	if (open_trace(&trace, name, args))
		return EXIT_USAGE;
	err = trace_write(&trace, to, args->bin_ns);
	trace_close(&trace);
	return err ? EXIT_USAGE : EXIT_DONE;
}

static int trace_import(struct wlinkctl *ctl, int argc, char **argv)
{
	struct trace_args args;

	(void)ctl;
	if (trace_args_parse(&args, "trace import", ARGS_FORMAT, argc - 1,
			     argv + 1))
		return EXIT_USAGE;
	return convert(argv[0], &args, TRACE_SCHEDULE);
}

static int trace_export(struct wlinkctl *ctl, int argc, char **argv)
{
	struct trace_args args;

	(void)ctl;
	if (trace_args_parse(&args, "trace export", ARGS_TO | ARGS_BIN,
			     argc - 1, argv + 1))
		return EXIT_USAGE;
	if (!args.to) {
		complain("trace export needs format and the format to write");
		return EXIT_USAGE;
	}
	if (args.to == TRACE_SCHEDULE && args.bin_ns) {
		complain("a schedule is exported as it is, without bin");
		return EXIT_USAGE;
	}
	return convert(argv[0], &args, args.to);
}

static int trace_check_file(struct wlinkctl *ctl, int argc, char **argv)
{
	struct trace_args args;

	if (trace_args_parse(&args, "trace check", ARGS_FORMAT | ARGS_GAP,
			     argc - 1, argv + 1))
		return EXIT_USAGE;
	return trace_report(ctl, argv[0], &args);
}

static void print_played(struct wlinkctl *ctl, const struct trace *trace,
			 const struct schedule *schedule,
			 const struct schedule_start *start)
{
	const char *format = trace_kinds[trace->format].name;
	char text[32];

	if (!ctl->json) {
		printf("%s: %s%s, %" PRIu64 " steps loaded in %.3f s\n",
		       trace->name, format, trace->why ? " (guessed)" : "",
		       schedule->steps, schedule->seconds);
		return;
	}
	json_start();
	json_writer.object(NULL);
	json_writer.string("file", trace->name);
	json_writer.string("format", format);
	json_writer.u64("steps", schedule->steps);
	snprintf(text, sizeof(text), "%.6f", schedule->seconds);
	json_writer.number("seconds", text);
	json_writer.u64("bytes", schedule->bytes);
	json_writer.u64("messages", schedule->messages);
	json_writer.u64("length_ns", trace->length_ns);
	if (start->start_ns == WLINK_START_PACKET)
		json_writer.string("start", "packet");
	else
		json_writer.u64("start_ns", start->start_ns);
	json_writer.end();
	json_finish();
}

/* A file of Mahimahi loops, others end with their last values. */
static enum wlink_schedule_end end_of(const struct trace *trace,
				      const struct trace_args *args)
{
	if (args->end >= 0)
		return (enum wlink_schedule_end)args->end;
	if (trace->end >= 0)
		return (enum wlink_schedule_end)trace->end;
	return trace->format == TRACE_MAHIMAHI ? WLINK_SCHEDULE_END_LOOP :
						 WLINK_SCHEDULE_END_HOLD;
}

static int play(struct wlinkctl *ctl, struct target *to, struct trace *trace,
		struct trace_args *args)
{
	struct schedule schedule = { .ctl = ctl, .to = to };
	int code;

	code = schedule_load(&schedule, trace);
	if (code)
		return code;
	args->start.end = end_of(trace, args);
	args->start.length_ns = trace->length_ns;
	code = schedule_start(ctl, to, &args->start);
	if (!code)
		print_played(ctl, trace, &schedule, &args->start);
	return code;
}

static int trace_play(struct wlinkctl *ctl, int argc, char **argv)
{
	static struct trace trace;
	struct trace_args args;
	struct target to;
	int code;
	int n;

	n = target_parse(&to, "trace play", argc, argv);
	if (n < 0)
		return EXIT_USAGE;
	if (n == argc) {
		complain("trace play needs a device and a file");
		return EXIT_USAGE;
	}
	if (trace_args_parse(&args, "trace play", ARGS_FORMAT | ARGS_SCHEDULE,
			     argc - n - 1, argv + n + 1))
		return EXIT_USAGE;
	code = schedule_find(ctl, &to);
	if (code)
		return code;
	if (open_trace(&trace, argv[n], &args))
		return EXIT_USAGE;
	code = play(ctl, &to, &trace, &args);
	trace_close(&trace);
	return code;
}

static const struct {
	const char *name;
	int (*run)(struct wlinkctl *ctl, int argc, char **argv);
} verbs[] = {
	{ "import", trace_import },
	{ "export", trace_export },
	{ "check", trace_check_file },
	{ "play", trace_play },
};

int cmd_trace(struct wlinkctl *ctl, int argc, char **argv)
{
	size_t i;

	if (!argc) {
		complain("trace needs import, export, check or play");
		return EXIT_USAGE;
	}
	for (i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].name, argv[0]))
			break;
	if (i == sizeof(verbs) / sizeof(verbs[0])) {
		complain("trace knows import, export, check and play, but got \"%s\"",
			 argv[0]);
		return EXIT_USAGE;
	}
	if (argc == 1) {
		complain("trace %s needs a file", argv[0]);
		return EXIT_USAGE;
	}
	return verbs[i].run(ctl, argc - 1, argv + 1);
}
