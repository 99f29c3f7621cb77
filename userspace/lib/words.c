// SPDX-License-Identifier: GPL-2.0
/*
 * Words to attributes, counters to names: by the table of words that tc and wlinkctl have; and
 * schedules, by wlinkctl's reader of them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "attr/attr.h"
#include "lib.h"
#include "schedule/file.h"
#include "show/xstats.h"
#include "table/read.h"
#include "table/value.h"
#include "wlinkctl.h"
#include "words/words.h"

static void *encode(int argc, const char *const *argv, bool is_class, bool is_new, char *error)
{
	struct wl_values values;
	char *options = NULL;
	int err;

	err = wl_words_parse(&values, is_class, argc, argv, error);
	if (!err && is_new)
		err = wl_words_whole(&values, error);
	if (!err) {
		options = malloc(NLA_HDRLEN + WL_ATTR_BYTES);
		if (options)
			wl_attr_nest(options, TCA_OPTIONS,
				     wl_attr_encode(&values, options + NLA_HDRLEN));
		else
			wl_refuse(error, "no memory");
	}
	wl_values_free(&values);
	return options;
}

void *lib_words(const char *text, bool is_class, bool is_new, char *error)
{
	char why[WL_ERROR_TEXT] = "no memory";
	char *argv[WL_LINE_WORDS];
	char *copy = strdup(text);
	void *options = NULL;
	int argc;

	argc = copy ? wl_split_line(copy, argv, 0) : 0;
	if (argc < 0)
		wl_refuse(why, WL_LINE_TOO_LONG);
	else if (copy)
		options = encode(argc, (const char *const *)argv, is_class, is_new, why);
	free(copy);
	if (!options)
		snprintf(error, WLINK_ERROR_BYTES, "%s", why);
	return options;
}

/* Where what complain() says goes. */
static _Thread_local char *complaint;

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(complaint, WLINK_ERROR_BYTES, format, args);
	va_end(args);
}

/* Return: 1 with a step behind the others, 0 after the last one, -1 after a complaint. */
static int add_step(struct schedule_file *file, struct lib_schedule *to, uint32_t *room)
{
	uint64_t *more = to->word;
	int got;

	if (to->words + 1 + __WLINK_COLUMN_MAX > *room) {
		*room = 2 * *room + 64;
		more = realloc(to->word, *room * sizeof(*more));
	}
	if (!more) {
		complain("no memory for %u words of steps", *room);
		return -1;
	}
	to->word = more;
	got = schedule_file_next(file, to->word + to->words);
	if (got > 0)
		to->words += 1 + file->width;
	return got;
}

int lib_schedule(const char *text, struct lib_schedule *to, char *error)
{
	const uint32_t limits = 1U << WLINK_COLUMN_LIMIT_PACKETS | 1U << WLINK_COLUMN_LIMIT_BYTES;
	struct schedule_file file = { .name = "schedule", .end = -1 };
	uint32_t room = 0;
	int got = -1;

	*to = (struct lib_schedule){ 0 };
	complaint = error;
	file.f = fmemopen((void *)text, strlen(text), "r");
	if (file.f) {
		do
			got = add_step(&file, to, &room);
		while (got > 0);
		fclose(file.f);
	} else {
		complain("no memory for a schedule");
	}
	if (!got && (file.columns & limits) == limits) {
		complain("schedule: a limit is in packets or in bytes, columns has both");
		got = -1;
	}
	if (got) {
		free(to->word);
		return -1;
	}
	to->columns = file.columns;
	to->length_ns = file.length_ns;
	to->end = file.end < 0 ? WLINK_SCHEDULE_END_HOLD : (unsigned int)file.end;
	return 0;
}

/**
 * struct naming - the counters that wl_xstats_json() says
 * @stats: where they go
 * @room: of @stats
 * @count: how many there are
 * @prefix: names of the objects that are open, each with a dot
 * @ends: lengths of @prefix before each of them
 * @depth: how many these are
 */
struct naming {
	struct wlink_counter *stats;
	unsigned int room;
	unsigned int count;
	char prefix[sizeof(((struct wlink_counter *)0)->name)];
	size_t ends[4];
	unsigned int depth;
};

/* What writes JSON has no argument for it. */
static _Thread_local struct naming naming;

static void name_object(const char *key)
{
	size_t end = strlen(naming.prefix);

	naming.ends[naming.depth++] = end;
	snprintf(naming.prefix + end, sizeof(naming.prefix) - end, "%s.", key);
}

static void name_end(void)
{
	naming.prefix[naming.ends[--naming.depth]] = '\0';
}

static void name_u64(const char *key, uint64_t value)
{
	struct wlink_counter *stat;

	if (naming.count++ >= naming.room)
		return;
	stat = &naming.stats[naming.count - 1];
	if ((size_t)snprintf(stat->name, sizeof(stat->name), "%s%s", naming.prefix, key) >=
	    sizeof(stat->name))
		abort();
	stat->value = value;
}

/* Of an unlimited rate, null; states of an AQM and of schedules. */
static void name_nothing(const char *key, const char *text)
{
	(void)key;
	(void)text;
}

unsigned int lib_name_stats(const uint64_t *value, unsigned int aqm, struct wlink_counter *stats,
			    unsigned int room)
{
	static const struct wl_json json = {
		.object = name_object, .end = name_end, .u64 = name_u64,
		.string = name_nothing, .number = name_nothing,
	};
	struct wl_xstats xstats = { .aqm = aqm };

	memcpy(xstats.value, value, sizeof(xstats.value));
	naming = (struct naming){ .stats = stats, .room = room };
	wl_xstats_json(&json, &xstats);
	return naming.count;
}
