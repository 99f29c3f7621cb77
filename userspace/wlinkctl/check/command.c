// SPDX-License-Identifier: GPL-2.0
/* Words are judged as tc and the kernel would, without either. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/netlink.h>
#include <linux/rtnetlink.h>

#include "attr/attr.h"
#include "check/judge.h"
#include "lib/json.h"
#include "table/read.h"
#include "wlinkctl.h"
#include "words/pair.h"

#define LINE_BYTES	65536

/* What tc's message about a class has before the options. */
#define TC_BEFORE	(NLMSG_LENGTH(sizeof(struct tcmsg)) + \
			 RTA_SPACE(sizeof("wlink")))

#define KERNEL_PREFIX	"wlink: "

/**
 * struct checked - words of one link or class
 * @number: of the line they stand in, 0 for the command itself
 * @is_class: of a class
 * @argc: number of words, without "class"
 * @argv: words
 * @error: what is wrong with them, empty for nothing
 * @values: if nothing is: what would be shown of it
 */
struct checked {
	unsigned long number;
	bool is_class;
	int argc;
	const char *const *argv;
	char error[WL_ERROR_TEXT];
	struct wl_values values;
};

static int judge_options(struct judge *judge, struct checked *line,
			 const struct wl_values *typed)
{
	static uint32_t buf[(NLA_HDRLEN + WL_ATTR_BYTES) / sizeof(uint32_t)];
	size_t len = wl_attr_encode(typed, buf + NLA_HDRLEN / sizeof(*buf));
	char why[JUDGE_TEXT];
	const char *text = why;
	const void *shown;

	if (line->is_class && TC_BEFORE + RTA_LENGTH(len) > WL_TC_CLASS_BYTES)
		return wl_refuse(line->error, WL_TC_TOO_LONG, WL_TC_WHAT(typed));
	wl_attr_nest(buf, TCA_OPTIONS, len);
	if (judge_words(judge, line->is_class, (struct nlattr *)buf, why)) {
		if (!strncmp(text, KERNEL_PREFIX, strlen(KERNEL_PREFIX)))
			text += strlen(KERNEL_PREFIX);
		return wl_refuse(line->error, "%s", text);
	}
	shown = judge_show(judge, &len);
	wl_attr_decode(&line->values, shown, len);
	/* The kernel would draw one. */
	if (!typed->set[WL_SEED])
		line->values.set[WL_SEED] = false;
	return 0;
}

static int judge_line(struct judge *judge, struct checked *line)
{
	struct wl_values typed;
	int err;

	line->error[0] = '\0';
	err = wl_words_parse(&typed, line->is_class, line->argc, line->argv,
			     line->error);
	if (!err)
		err = wl_words_whole(&typed, line->error);
	if (!err)
		err = judge_options(judge, line, &typed);
	wl_values_free(&typed);
	return err;
}

/* Both channels and the AQM have members; an alpha is of the words before it. */
static enum wl_word owner_of(const struct checked *line, int i)
{
	enum wl_word word = wl_pair_word(line->argv[i]);

	if (word == WL_ALPHA && i > 1) {
		enum wl_word before = wl_pair_word(line->argv[i - 2]);

		return before == WL_AQM ? WL_AQM : owner_of(line, i - 2);
	}
	if (word == WL_WORDS || !wl_rows[word].kinds ||
	    wl_rows[word].owner == WL_MODE)
		return WL_WORDS;
	return wl_rows[word].owner;
}

static void print_typed(const struct checked *line)
{
	int i;

	json_open_array("typed");
	for (i = 0; i < line->argc; i += 2) {
		enum wl_word owner = owner_of(line, i);

		json_writer.object(NULL);
		json_writer.string("word", line->argv[i]);
		if (i + 1 < line->argc)
			json_writer.string("value", line->argv[i + 1]);
		if (owner != WL_WORDS)
			json_writer.string("of", wl_rows[owner].keyword);
		json_writer.end();
	}
	json_end_array();
}

static void print_json(const struct checked *line, bool good)
{
	json_begin();
	if (line->number)
		json_writer.u64("line", line->number);
	print_typed(line);
	if (good) {
		json_writer.object("options");
		wl_show_json(&json_writer, &line->values);
		json_writer.end();
	} else {
		json_writer.string("error", line->error);
	}
	json_end();
}

static void print_text(const struct checked *line, bool good)
{
	if (good) {
		wl_show_text(stdout, &line->values);
		putchar('\n');
	} else if (line->number) {
		complain("line %lu: %s", line->number, line->error);
	} else {
		complain("%s", line->error);
	}
}

static int tell(const struct wlinkctl *ctl, const struct checked *line, bool good)
{
	if (ctl->json)
		print_json(line, good);
	else
		print_text(line, good);
	return good ? EXIT_DONE : EXIT_USAGE;
}

static int check_line(struct wlinkctl *ctl, struct judge *judge,
		      unsigned long number, int argc, const char *const *argv)
{
	static struct checked line;
	bool good;

	line.number = number;
	if (argc < 0 || argc > WL_LINE_WORDS) {
		line.argc = 0;
		wl_refuse(line.error, WL_LINE_TOO_LONG);
		return tell(ctl, &line, false);
	}
	line.is_class = argc && !strcmp(argv[0], "class");
	if (line.is_class || (argc && !strcmp(argv[0], "qdisc"))) {
		argc--;
		argv++;
	}
	line.argc = argc;
	line.argv = argv;
	good = !judge_line(judge, &line);
	return tell(ctl, &line, good);
}

static int check_lines(struct wlinkctl *ctl, struct judge *judge)
{
	char text[LINE_BYTES], why[WL_ERROR_TEXT];
	char *words[WL_LINE_WORDS];
	unsigned long number = 0;
	int code = EXIT_DONE;
	int n, got;

	while ((got = wl_read_line(stdin, text, sizeof(text), why))) {
		number++;
		if (got < 0) {
			complain("-:%lu: %s", number, why);
			return EXIT_USAGE;
		}
		/* As tc reads a batch: what follows a # is a comment. */
		text[strcspn(text, "#")] = '\0';
		n = wl_split_line(text, words, 0);
		if (n && check_line(ctl, judge, number, n, (const char *const *)words))
			code = EXIT_USAGE;
	}
	return code;
}

int cmd_check(struct wlinkctl *ctl, int argc, char **argv)
{
	bool lines = argc == 1 && !strcmp(argv[0], "-");
	struct judge *judge;
	int code;

	if (!argc || (lines && ctl->in_batch)) {
		complain(argc ? "in a batch, check reads no standard input" :
			 "check needs words of a link, or - for lines of them");
		return EXIT_USAGE;
	}
	judge = judge_new();
	if (!judge) {
		complain("%s", strerror(ENOMEM));
		return EXIT_USAGE;
	}
	if (lines)
		code = check_lines(ctl, judge);
	else
		code = check_line(ctl, judge, 0, argc,
				  (const char *const *)argv);
	judge_free(judge);
	return code;
}
