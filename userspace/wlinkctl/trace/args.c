// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "numbers/num.h"
#include "trace/args.h"
#include "trace/check.h"
#include "trace/formats/own.h"
#include "trace/num.h"
#include "wlinkctl.h"

#define BIN_MIN_NS	1000000ULL

typedef int (*word_fn)(struct trace_args *args, const char *value);

static int word_format(struct trace_args *args, const char *value)
{
	args->format = trace_format_of(value);
	return args->format ? 0 : -1;
}

static int word_to(struct trace_args *args, const char *value)
{
	args->to = trace_format_of(value);
	return args->to ? 0 : -1;
}

static int word_limit(struct trace_args *args, const char *value)
{
	args->bytes_limit = !strcmp(value, "bytes");
	if (args->bytes_limit || !strcmp(value, "packets"))
		return 0;
	complain("limit \"%s\" is neither packets nor bytes", value);
	return -1;
}

static int get_time(const char *word, const char *value, uint64_t min,
		    uint64_t *time_ns)
{
	if (!wl_num_parse(WL_UNIT_TIME, value, time_ns) && *time_ns >= min &&
	    *time_ns <= WLINK_SCHEDULE_LENGTH_MAX)
		return 0;
	complain("%s \"%s\" is not a time from %lluns to %llus", word, value,
		 (unsigned long long)min,
		 WLINK_SCHEDULE_LENGTH_MAX / 1000000000);
	return -1;
}

static int word_bin(struct trace_args *args, const char *value)
{
	return get_time("bin", value, BIN_MIN_NS, &args->bin_ns);
}

static int word_gap(struct trace_args *args, const char *value)
{
	args->gap_ns = 0;
	return strcmp(value, "off") ? get_time("gap", value, 1,
					       &args->gap_ns) : 0;
}

static int word_length(struct trace_args *args, const char *value)
{
	return get_time("length", value, WLINK_TIMER_MIN,
			&args->start.length_ns);
}

static int word_start(struct trace_args *args, const char *value)
{
	struct schedule_start *start = &args->start;

	start->in_ns = 0;
	start->start_ns = WLINK_START_NOW;
	if (!strcmp(value, "now"))
		return 0;
	if (!strcmp(value, "packet")) {
		start->start_ns = WLINK_START_PACKET;
		return 0;
	}
	if (*value == '+')
		return get_time("start", value + 1, 0, &start->in_ns);
	if (!wl_num_parse(WL_UNIT_TIME, value, &start->start_ns) &&
	    start->start_ns != WLINK_START_PACKET)
		return 0;
	complain("start \"%s\" is not now, packet, +TIME or a TIME of CLOCK_MONOTONIC",
		 value);
	return -1;
}

static const struct {
	const char *name;
	unsigned int takes;
	word_fn run;
} words[] = {
	{ "format", ARGS_FORMAT, word_format },
	{ "format", ARGS_TO, word_to },
	{ "from", ARGS_TO, word_format },
	{ "limit", ARGS_FORMAT | ARGS_TO, word_limit },
	{ "bin", ARGS_BIN, word_bin },
	{ "gap", ARGS_GAP, word_gap },
	{ "start", ARGS_SCHEDULE, word_start },
	{ "length", ARGS_LENGTH, word_length },
};

#define N_WORDS	(sizeof(words) / sizeof(words[0]))

/* Return: words taken, or -1 after a complaint. */
static int parse_one(struct trace_args *args, const char *command,
		     unsigned int takes, int argc, char **argv)
{
	int end = takes & ARGS_SCHEDULE ? trace_end_of(argv[0]) : -1;
	size_t i;

	if (end >= 0) {
		args->end = end;
		return 1;
	}
	for (i = 0; i < N_WORDS; i++)
		if (takes & words[i].takes && !strcmp(words[i].name, argv[0]))
			break;
	if (i == N_WORDS) {
		complain("%s knows no word \"%s\"", command, argv[0]);
		return -1;
	}
	if (argc < 2) {
		complain("%s has no value", argv[0]);
		return -1;
	}
	return words[i].run(args, argv[1]) ? -1 : 2;
}

int trace_args_parse(struct trace_args *args, const char *command,
		     unsigned int takes, int argc, char **argv)
{
	int n;

	memset(args, 0, sizeof(*args));
	args->gap_ns = TRACE_GAP_NS;
	args->end = -1;
	for (; argc; argc -= n, argv += n) {
		n = parse_one(args, command, takes, argc, argv);
		if (n < 0)
			return -1;
	}
	return 0;
}
