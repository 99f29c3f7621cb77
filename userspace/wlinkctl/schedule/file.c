// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "numbers/num.h"
#include "schedule/file.h"
#include "table/read.h"
#include "table/value.h"
#include "wlinkctl.h"

#define TITLE	"wlink schedule"
#define BLANKS	" \t"
#define WORD_SHOWN	40
#define DIGITS_MAX	18	/* that always fit */

const char *const schedule_end_names[__WLINK_SCHEDULE_END_MAX] = {
	[WLINK_SCHEDULE_END_HOLD] = "hold",
	[WLINK_SCHEDULE_END_LOOP] = "loop",
	[WLINK_SCHEDULE_END_STOP] = "stop",
};

static const struct {
	const char *name;
	enum wl_unit unit;
	uint64_t min;
	uint64_t max;
} columns[__WLINK_COLUMN_MAX] = {
	[WLINK_COLUMN_RATE] = { "rate", WL_UNIT_RATE, 0, WLINK_RATE_MAX },
	[WLINK_COLUMN_DELAY] = { "delay", WL_UNIT_TIME, 0, WLINK_DELAY_MAX },
	[WLINK_COLUMN_LOSS] = { "loss", WL_UNIT_PROB, 0, WLINK_PROB_ONE },
	[WLINK_COLUMN_LIMIT_PACKETS] = { "limit_packets", WL_UNIT_COUNT, 1,
					 WLINK_LIMIT_PACKETS_MAX },
	[WLINK_COLUMN_LIMIT_BYTES] = { "limit_bytes", WL_UNIT_BYTES, 1,
				       WLINK_LIMIT_BYTES_MAX },
	[WLINK_COLUMN_GRANT] = { "grant", WL_UNIT_BYTES, 0, WLINK_GRANT_MAX },
	[WLINK_COLUMN_BLER] = { "bler", WL_UNIT_PROB, 0, WLINK_PROB_ONE },
	[WLINK_COLUMN_BACKGROUND] = { "background", WL_UNIT_RATE, 0, WLINK_RATE_MAX },
};

int schedule_end_of(const char *name)
{
	int i;

	for (i = 0; i < __WLINK_SCHEDULE_END_MAX; i++)
		if (!strcmp(schedule_end_names[i], name))
			return i;
	return -1;
}

static int __attribute__((format(printf, 2, 3)))
bad(const struct schedule_file *file, const char *format, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	/* There is no line 0: of an empty file it is the first. */
	complain("%s:%lu: %s", file->name, file->number ? file->number : 1,
		 text);
	return -1;
}

/* Of what is no text, the terminal sees nothing. */
static int is_not(const struct schedule_file *file, const char *word,
		  const char *what)
{
	char shown[WORD_SHOWN + 1] = "";
	bool binary = false;
	size_t i;

	for (i = 0; word[i] && i < WORD_SHOWN; i++) {
		bool plain = word[i] >= ' ' && word[i] <= '~';

		binary |= !plain && word[i] != '\t';
		shown[i] = plain ? word[i] : '?';
	}
	return bad(file, "\"%s%s\" is not %s%s", shown, word[i] ? "..." : "",
		   what, binary ? "; it is binary: is this a trace?" : "");
}

int schedule_file_open(struct schedule_file *file, const char *name)
{
	memset(file, 0, sizeof(*file));
	file->name = name;
	file->end = -1;
	file->f = strcmp(name, "-") ? fopen(name, "re") : stdin;
	if (file->f)
		return 0;
	complain("%s: %s", name, strerror(errno));
	return -1;
}

void schedule_file_close(struct schedule_file *file)
{
	if (file->f != stdin)
		fclose(file->f);
}

/* Return: 1 with a line, up to a comment, 0 at the end, -1 after a complaint. */
static int read_line(struct schedule_file *file)
{
	char why[WL_ERROR_TEXT];
	int got = wl_read_line(file->f, file->line, sizeof(file->line), why);

	if (!got)
		return 0;
	file->number++;
	if (got < 0)
		return bad(file, "%s", why);
	if (file->number > SCHEDULE_LINES_MAX)
		return bad(file, "more than %lu lines", SCHEDULE_LINES_MAX);
	file->line[strcspn(file->line, "#")] = '\0';
	return 1;
}

static int read_columns(struct schedule_file *file, char *rest)
{
	enum wlink_column column;
	char *word;

	if (file->width)
		return bad(file, "columns are given twice");
	while ((word = strtok_r(NULL, BLANKS, &rest))) {
		for (column = 0; column < __WLINK_COLUMN_MAX; column++)
			if (!strcmp(columns[column].name, word))
				break;
		if (column == __WLINK_COLUMN_MAX)
			return is_not(file, word,
				      "a column: rate, delay, loss, limit_packets, limit_bytes, grant, bler or background");
		if (file->columns & 1U << column)
			return bad(file, "column %s is given twice", word);
		file->columns |= 1U << column;
		file->order[file->width++] = column;
	}
	return file->width ? 0 : bad(file, "columns names none");
}

static int read_length(struct schedule_file *file, const char *text)
{
	uint64_t ns;

	if (wl_num_parse(WL_UNIT_TIME, text, &ns) || !ns)
		return is_not(file, text, "a length with ns, us, ms or s");
	if (ns > WLINK_SCHEDULE_LENGTH_MAX)
		return is_not(file, text, "up to 864000s, which is 10 days");
	file->length_ns = ns;
	return 0;
}

static int read_header(struct schedule_file *file, const char *word,
		       char *rest)
{
	if (!strcmp(word, "columns"))
		return read_columns(file, rest);
	rest += strspn(rest, BLANKS);
	if (!strcmp(word, "length"))
		return read_length(file, rest);
	if (strcmp(word, "end"))
		return is_not(file, word,
			      "columns, length, end or a time with ns, us, ms or s");
	file->end = schedule_end_of(rest);
	return file->end < 0 ? is_not(file, rest, "hold, loop or stop") : 0;
}

/* Of millions of numbers most are digits and one of these units. */
static int parse(enum wl_unit unit, const char *word, uint64_t *value)
{
	static const struct {
		enum wl_unit unit;
		const char *suffix;
		uint64_t scale;
	} usual[] = {
		{ WL_UNIT_TIME, "ms", 1000000 }, { WL_UNIT_TIME, "s", 1000000000 },
		{ WL_UNIT_TIME, "us", 1000 }, { WL_UNIT_TIME, "ns", 1 },
		{ WL_UNIT_RATE, "kbit", 1000 }, { WL_UNIT_RATE, "bit", 1 },
		{ WL_UNIT_RATE, "mbit", 1000000 }, { WL_UNIT_BYTES, "", 1 },
	};
	const char *suffix = word;
	uint64_t digits = 0;
	size_t i;

	while (*suffix >= '0' && *suffix <= '9')
		digits = digits * 10 + (uint64_t)(*suffix++ - '0');
	if (suffix > word && suffix - word <= DIGITS_MAX)
		for (i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
			if (usual[i].unit == unit && !strcmp(usual[i].suffix, suffix) &&
			    !__builtin_mul_overflow(digits, usual[i].scale, value))
				return 0;
	return wl_num_parse(unit, word, value) ? -1 : 0;
}

static int read_value(struct schedule_file *file, enum wlink_column column,
		      const char *word, uint64_t *value)
{
	enum wl_unit unit = columns[column].unit;
	char least[WL_NUM_TEXT];
	char most[WL_NUM_TEXT];

	if (word[0] == '-' && !word[1]) {
		*value = WLINK_STEP_KEEP;
		return 0;
	}
	if (parse(unit, word, value))
		return is_not(file, word, columns[column].name);
	if (*value >= columns[column].min && *value <= columns[column].max)
		return 0;
	return bad(file, "%s %.40s is outside %s..%s", columns[column].name,
		   word, wl_num_print(unit, columns[column].min, least),
		   wl_num_print(unit, columns[column].max, most));
}

static int check_offset(const struct schedule_file *file, uint64_t offset_ns)
{
	if (!file->width)
		return bad(file, "there is no line \"columns NAME ...\" before the first step");
	if (!file->length_ns)
		return bad(file, "there is no line \"length TIME\" before the first step");
	if (offset_ns > file->length_ns)
		return bad(file, "the step is after the end of the schedule");
	if (offset_ns < file->last_ns)
		return bad(file, "time goes backwards: %llu ns after %llu ns",
			   (unsigned long long)offset_ns,
			   (unsigned long long)file->last_ns);
	if (file->steps == WLINK_STEPS_MAX)
		return bad(file, "more than %u steps, the most of one schedule",
			   WLINK_STEPS_MAX);
	return 0;
}

static int read_step(struct schedule_file *file, char *rest, uint64_t *words)
{
	uint64_t value[__WLINK_COLUMN_MAX];
	unsigned int i;
	char *word;

	if (check_offset(file, words[0]))
		return -1;
	for (i = 0; i < file->width; i++) {
		word = strtok_r(NULL, BLANKS, &rest);
		if (!word)
			return bad(file, "%u values for %u columns", i,
				   file->width);
		if (read_value(file, file->order[i], word,
			       &value[file->order[i]]))
			return -1;
	}
	if (strtok_r(NULL, BLANKS, &rest))
		return bad(file, "more values than the %u columns",
			   file->width);
	file->last_ns = *words++;
	file->steps++;
	for (i = 0; i < __WLINK_COLUMN_MAX; i++)
		if (file->columns & 1U << i)
			*words++ = value[i];
	return 1;
}

/* Return: 1 with a step, 0 without one, -1 after a complaint. */
static int take_line(struct schedule_file *file, uint64_t *words)
{
	char *rest = file->line;
	char *end = rest + strlen(rest);
	char *word;

	while (end > rest && strchr(" \t\r", end[-1]))
		end--;
	*end = '\0';
	if (end == rest)
		return 0;
	if (!file->begun) {
		/* An editor may have set a mark of UTF-8 before it. */
		if (file->number == 1 && !strncmp(rest, "\xef\xbb\xbf", 3))
			rest += 3;
		file->begun = !strcmp(rest, TITLE);
		return file->begun ? 0 :
			is_not(file, rest,
			       "\"" TITLE "\", its first line; see wlinkctl trace import");
	}
	word = strtok_r(rest, BLANKS, &rest);
	if (!parse(WL_UNIT_TIME, word, words))
		return read_step(file, rest, words);
	if (wl_num_is_bare(word))
		return is_not(file, word, "a time with ns, us, ms or s");
	return read_header(file, word, rest);
}

int schedule_file_next(struct schedule_file *file, uint64_t *words)
{
	int got;

	while ((got = read_line(file)) > 0) {
		got = take_line(file, words);
		if (got)
			return got;
	}
	if (got < 0)
		return got;
	if (!file->steps)
		return bad(file, file->number ? "there is no step in it" :
						"the file is empty");
	if (file->length_ns < WLINK_TIMER_MIN)
		return bad(file, "its length of %llu ns is below %llu ns",
			   (unsigned long long)file->length_ns,
			   WLINK_TIMER_MIN);
	return 0;
}
