// SPDX-License-Identifier: GPL-2.0
/*
 * script FILE...: plays scripts and compares what happens with what is written
 * below them. script --write FILE...: writes it there where nothing is yet;
 * whoever does that checks each line by hand. See scripts/README.md.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawn/words.h"
#include "script.h"

static int split(char *line, char **words)
{
	int count = 0;
	char *word;

	for (word = strtok(line, " \t"); word && count < SCRIPT_WORDS; word = strtok(NULL, " \t"))
		words[count++] = word;
	return count;
}

/* Numbers and ranges with commas: 1,4-6 */
static bool mark(const char *text, bool *marks, u32 *counts, u32 size, u32 by)
{
	unsigned int from, to, i;
	int used;

	while (*text) {
		if (sscanf(text, "%u-%u%n", &from, &to, &used) != 2) {
			if (sscanf(text, "%u%n", &from, &used) != 1)
				return false;
			to = from;
		}
		text += used;
		if (to >= size || (*text && *text++ != ','))
			return false;
		for (i = from; i <= to; i++) {
			if (marks)
				marks[i] = true;
			else
				counts[i] += by;
		}
	}
	return true;
}

static bool lose(struct script *s, char **words, int count)
{
	const char *what = words[0];
	u32 by = 1;

	/* The last word: how many times. */
	if (count > 1 && words[count - 1][0] == 'x')
		by = atoi(words[--count] + 1);
	if (!strcmp(what, "mrw") && count == 1)
		s->lose_mrw += by;
	else if (!strcmp(what, "reset") && count == 1)
		s->lose_reset += by;
	else if (count != 2)
		return false;
	else if (!strcmp(what, "pdu"))
		return mark(words[1], s->lose_pdu, NULL, SCRIPT_ORDER, 0);
	else if (!strcmp(what, "feedback"))
		return mark(words[1], s->lose_feedback, NULL, SCRIPT_ORDER, 0);
	else if (!strcmp(what, "sn"))
		return mark(words[1], NULL, s->lose_sn, SCRIPT_SNS, by);
	else
		return false;
	return true;
}

static bool show(struct script *s, char **words, int count)
{
	bool good = true;

	script_note(s, "show");
	s->log_used--;
	while (count--)
		good = script_show(s, *words++) && good;
	s->log[s->log_used++] = '\n';
	s->log[s->log_used] = '\0';
	return good;
}

static bool configure(struct script *s, char **words, int count)
{
	char error[WORDS_ERROR];

	if (script_words(&s->cfg, words, count, error))
		return true;
	printf("#  %s\n", error);
	return false;
}

static bool open(struct script *s, const char *how, char **words, int count)
{
	if (s->b || s->linked || !configure(s, words, count))
		return false;
	if (strcmp(how, "cfg"))
		script_link_open(s);
	else
		script_open(s);
	return true;
}

static bool change(struct script *s, char **words, int count)
{
	if (!configure(s, words, count))
		return false;
	if (s->linked)
		script_link_change(s, script_at(words, count));
	else
		script_change(s);
	return true;
}

static bool send(struct script *s, u32 bytes, u32 count)
{
	if (s->linked)
		script_link_send(s, bytes, count);
	else
		script_send(s, bytes, count);
	return true;
}

/* Return: whether the event means something. */
static bool play_event(struct script *s, u64 at_ns, char **words, int count)
{
	const char *what = words[0];

	words++;
	count--;
	if (!strcmp(what, "cfg") || !strcmp(what, "link"))
		return open(s, what, words, count);
	if (!s->b && !s->linked)
		return false;
	if (s->linked)
		script_link_run(s, at_ns);
	else
		script_run(s, at_ns);
	if (!strcmp(what, "send") && count)
		return send(s, atoi(words[0]), count > 1 ? atoi(words[1]) : 1);
	if (!strcmp(what, "change"))
		return change(s, words, count);
	if (!strcmp(what, "lose") && count && s->b)
		return lose(s, words, count);
	if (!strcmp(what, "show") && count && s->b)
		return show(s, words, count);
	return !strcmp(what, "end");
}

/* Return: whether all of a line means something: a time, and events with a semicolon between. */
static bool play_line(struct script *s, char *line)
{
	char *words[SCRIPT_WORDS], *event, *next;
	u64 at_ns;
	int count;

	event = strsep(&line, " ");
	if (!line || !script_time(event, &at_ns) || at_ns < s->now_ns)
		return false;
	for (event = line; event; event = next) {
		next = event;
		strsep(&next, ";");
		count = split(event, words);
		if (!count || !play_event(s, at_ns, words, count))
			return false;
	}
	return true;
}

/* The least that a script needs to say is what it is about. */
static void defaults(struct wl_cfg *cfg)
{
	wl_cfg_default(cfg);
	cfg->rate_bps = 32000;
	cfg->delay_ns = 20 * WL_NSEC_PER_MSEC;
}

static char *next_line(FILE *file, char *line, size_t size)
{
	if (!fgets(line, size, file))
		return NULL;
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* Without a comment and what is before it. */
static void strip(char *line)
{
	size_t length = strcspn(line, "#");

	while (length && line[length - 1] == ' ')
		length--;
	line[length] = '\0';
}

static bool compare(FILE *file, char *log)
{
	char line[512], *at = log, *end;
	bool good = true;

	while (next_line(file, line, sizeof(line))) {
		strip(line);
		if (!line[0])
			continue;
		end = strchr(at, '\n');
		if (!end) {
			printf("#  missing: %s\n", line);
			return false;
		}
		*end = '\0';
		if (strcmp(line, at)) {
			if (good)
				printf("#  -%s\n#  +%s\n", line, at);
			good = false;
		}
		at = end + 1;
	}
	if (*at)
		printf("#  more: %.*s\n", (int)strcspn(at, "\n"), at);
	return good && !*at;
}

static const char *play(const char *path, bool write)
{
	struct script *s = calloc(1, sizeof(*s));
	FILE *file = fopen(path, "r+");
	const char *wrong = NULL;
	bool expect = false;
	char line[512];

	if (!file || !s)
		exit(2);
	defaults(&s->cfg);
	while (!wrong && next_line(file, line, sizeof(line))) {
		expect = !strcmp(line, "---");
		if (expect)
			break;
		strip(line);
		if (line[0] && !play_line(s, line)) {
			printf("#  at: %s\n", line);
			wrong = "a line is not understood";
		}
	}
	if (!wrong && write && !expect) {
		fseek(file, 0, SEEK_END);
		fprintf(file, "---\n%s", s->log);
	} else if (!wrong && (!expect || !compare(file, s->log))) {
		wrong = "what happens is not what is written";
	}
	if ((s->b && !script_close(s)) || (s->linked && !script_link_close(s)))
		wrong = "the SDUs do not add up";
	fclose(file);
	free(s);
	return wrong;
}

int main(int argc, char **argv)
{
	bool write = argc > 1 && !strcmp(argv[1], "--write");
	int i, failed = 0, number = 0;

	for (i = 1 + write; i < argc; i++) {
		const char *name = strrchr(argv[i], '/');
		const char *wrong = play(argv[i], write);

		name = name ? name + 1 : argv[i];
		printf("%s %d - script %.*s%s%s\n", wrong ? "not ok" : "ok",
		       ++number, (int)strcspn(name, "."), name,
		       wrong ? ": " : "", wrong ? wrong : "");
		failed += !!wrong;
	}
	printf("%d passed, %d failed, 0 skipped\n", number - failed, failed);
	return !number || failed ? 1 : 0;
}
