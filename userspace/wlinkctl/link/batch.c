// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "table/read.h"
#include "table/value.h"
#include "wlinkctl.h"

#define LINE_BYTES	65536

static int run_line(struct wlinkctl *ctl, char *line)
{
	char *words[WL_LINE_WORDS];
	int n = wl_split_line(line, words, '#');

	if (!n)
		return EXIT_DONE;
	if (n < 0) {
		complain(WL_LINE_TOO_LONG);
		return EXIT_USAGE;
	}
	return wlinkctl_run(ctl, n, words);
}

static int run_file(struct wlinkctl *ctl, const char *name, FILE *f, bool force)
{
	char line[LINE_BYTES], why[WL_ERROR_TEXT];
	unsigned long number = 0;
	int first = EXIT_DONE;
	int code, got;

	while ((got = wl_read_line(f, line, sizeof(line), why))) {
		number++;
		if (got < 0)
			complain("%s:%lu: %s", name, number, why);
		code = got < 0 ? EXIT_USAGE : run_line(ctl, line);
		/* Who feeds us line by line wants to see each answer. */
		fflush(stdout);
		if (!code)
			continue;
		complain("line %lu failed", number);
		if (!first)
			first = code;
		if (!force || got < 0)
			break;
	}
	return first;
}

int cmd_batch(struct wlinkctl *ctl, int argc, char **argv)
{
	bool force = false;
	FILE *f = stdin;
	int code;

	if (argc && (!strcmp(argv[0], "--force") ||
		     !strcmp(argv[0], "-force"))) {
		force = true;
		argc--;
		argv++;
	}
	if (argc != 1 || ctl->in_batch) {
		complain(ctl->in_batch ? "a batch cannot start another" :
			 "batch needs one file, or - for standard input");
		return EXIT_USAGE;
	}
	if (strcmp(argv[0], "-")) {
		f = fopen(argv[0], "re");
		if (!f) {
			complain("%s: %s", argv[0], strerror(errno));
			return EXIT_USAGE;
		}
	}
	ctl->in_batch = true;
	code = run_file(ctl, argv[0], f, force);
	ctl->in_batch = false;
	if (f != stdin)
		fclose(f);
	return code;
}
