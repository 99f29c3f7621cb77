// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lib/signals.h"
#include "lib/term.h"
#include "top/top.h"

#define NSEC_PER_SEC	((uint64_t)1000000000)
#define INTERVAL_MIN	((uint64_t)10000000)
#define INTERVAL_MAX	((uint64_t)3600 * NSEC_PER_SEC)

/**
 * struct top - one run of the command
 * @of: which bearers
 * @interval_ns: between two looks
 * @once: one interval is enough
 * @json: print JSON lines
 * @before: the look before, all 0 if there is none
 * @now: the last look
 * @term: terminal
 * @signals: what others want of us
 */
struct top {
	struct target of;
	uint64_t interval_ns;
	bool once;
	bool json;
	struct top_look before;
	struct top_look now;
	struct term term;
	struct signals signals;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* Text is gathered first, so that the terminal gets a picture at once. */
static void draw(const struct top *top, const struct top_row *rows, size_t n)
{
	const char *eol = top->term.live ? "\033[K\n" : "\n";
	size_t width, height;
	char *text = NULL;
	size_t len = 0;
	FILE *f;

	f = open_memstream(&text, &len);
	if (!f)
		return;
	term_size(&width, &height);
	if (top->term.live) {
		fputs("\033[H", f);
		/* Behind the last column nothing can be erased. */
		width -= width > 1;
		if (height > 1)
			top_text(f, rows, n, width, height - 1, eol);
		fprintf(f, "%.*s\033[K\033[J", (int)width,
			"NOW: bit/s delivered; RETX, DROPS: a second; q quits");
	} else {
		top_text(f, rows, n, 0, 0, eol);
	}
	if (!fclose(f))
		fwrite(text, 1, len, stdout);
	free(text);
	fflush(stdout);
}

static int show(const struct top *top)
{
	struct top_row *rows;
	size_t n;

	rows = top_rows(&top->before, &top->now, &n);
	if (!rows)
		return EXIT_REFUSED;
	if (top->json)
		top_json(&top->now, rows, n);
	else
		draw(top, rows, n);
	free(rows);
	return ferror(stdout) ? EXIT_USAGE : EXIT_DONE;
}

static int look(struct wlinkctl *ctl, struct top *top)
{
	struct top_look next;
	int code;

	code = top_look(ctl, &top->of, &next);
	if (code)
		return code;
	top_look_free(&top->before);
	top->before = top->now;
	top->now = next;
	return EXIT_DONE;
}

/* Give the terminal back while we are stopped. */
static void suspend(struct top *top)
{
	bool live = top->term.live;

	term_close(&top->term);
	raise(SIGSTOP);
	if (live)
		term_open(&top->term);
}

/* Return: false to leave. */
static bool key_pressed(struct top *top)
{
	int key = term_key(&top->term);

	if (key < 0)
		top->term.keys = false;
	return key != 'q' && key != 'Q' && key >= 0;
}

/* Return: is there to be another picture? */
static bool obey(struct top *top, bool *leave)
{
	bool again = false;
	int number;

	while ((number = signals_next(&top->signals))) {
		if (number == SIGTSTP)
			suspend(top);
		else if (number != SIGWINCH)
			*leave = true;
		again = true;
	}
	return again && top->term.live && !*leave;
}

/* Return: enum wlinkctl_exit; @leave is set where somebody asked for it. */
static int wait_until(struct top *top, uint64_t until_ns, bool *leave)
{
	struct pollfd fds[] = {
		{ .fd = top->signals.fd, .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};
	struct timespec left;
	int code = EXIT_DONE;
	uint64_t at;

	while (!code && !*leave && (at = now_ns()) < until_ns) {
		left.tv_sec = (time_t)((until_ns - at) / NSEC_PER_SEC);
		left.tv_nsec = (long)((until_ns - at) % NSEC_PER_SEC);
		fds[1].revents = 0;
		ppoll(fds, 1 + top->term.keys, &left, NULL);
		if (fds[1].revents)
			*leave = !key_pressed(top);
		/* The window has another size, or we are back in it. */
		if (obey(top, leave))
			code = show(top);
	}
	return code;
}

static int complain_none(const struct target *of)
{
	if (of->bearer)
		complain("no bearer %u on %s", of->bearer, of->dev);
	else
		complain("no wlink %s%son %s", of->handle ? of->handle_text :
			 "", of->handle ? " " : "", of->dev);
	return EXIT_NOT_FOUND;
}

static int run(struct wlinkctl *ctl, struct top *top)
{
	bool leave = false;
	uint64_t next;
	int code;

	code = look(ctl, top);
	if (code)
		return code;
	if (top->of.dev && !top->now.bearers.n)
		return complain_none(&top->of);
	if (!top->once && !top->json)
		term_open(&top->term);
	if (top->term.live)
		code = show(top);
	for (next = top->now.at_ns; !code && !leave; leave |= top->once) {
		next += top->interval_ns;
		/* What has been missed while we were stopped is not made up. */
		if (next < top->now.at_ns)
			next = top->now.at_ns + top->interval_ns;
		code = wait_until(top, next, &leave);
		if (code || leave)
			break;
		code = look(ctl, top);
		if (!code)
			code = show(top);
	}
	return code;
}

static int parse_interval(struct top *top, const char *text)
{
	if (text && !wl_num_parse(WL_UNIT_TIME, text, &top->interval_ns) &&
	    top->interval_ns >= INTERVAL_MIN &&
	    top->interval_ns <= INTERVAL_MAX)
		return EXIT_DONE;
	if (text)
		complain("--interval \"%s\" is not a time from 10ms to 3600s with its unit",
			 text);
	else
		complain("--interval has no value");
	return EXIT_USAGE;
}

static int parse(struct top *top, int argc, char **argv)
{
	char *words[8];
	int n = 0;
	int used, i;

	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--once")) {
			top->once = true;
		} else if (!strcmp(argv[i], "--interval")) {
			if (parse_interval(top, i + 1 < argc ? argv[i + 1] :
					   NULL))
				return EXIT_USAGE;
			i++;
		} else if (argv[i][0] != '-' && n < 8) {
			words[n++] = argv[i];
		} else {
			complain("top knows no option \"%s\"", argv[i]);
			return EXIT_USAGE;
		}
	}
	if (!n)
		return EXIT_DONE;
	used = target_parse(&top->of, "top", n, words);
	if (used < 0)
		return EXIT_USAGE;
	if (used < n) {
		complain("top takes a device, a handle and a bearer, but got \"%s\"",
			 words[used]);
		return EXIT_USAGE;
	}
	top->of.ifindex = link_device(top->of.dev);
	return top->of.ifindex ? EXIT_DONE : EXIT_NOT_FOUND;
}

int cmd_top(struct wlinkctl *ctl, int argc, char **argv)
{
	static const int numbers[] = {
		SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH,
	};
	struct top top = { .interval_ns = NSEC_PER_SEC, .json = ctl->json };
	int code;

	code = parse(&top, argc, argv);
	if (!code)
		code = signals_open(&top.signals, numbers, ARRAY_SIZE(numbers));
	if (code)
		return code;
	code = run(ctl, &top);
	term_close(&top.term);
	/* What was said before went with the other screen. */
	if (code && top.term.live)
		complain("the statistics can no longer be read");
	signals_close(&top.signals);
	top_look_free(&top.before);
	top_look_free(&top.now);
	return code;
}
