// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "term.h"
#include "top.h"

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
 * @signals: mask that is in force while we wait
 */
struct top {
	struct target of;
	uint64_t interval_ns;
	bool once;
	bool json;
	struct top_look before;
	struct top_look now;
	struct term term;
	sigset_t signals;
};

static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGTSTP, SIGWINCH };
static volatile sig_atomic_t last_signal;
static volatile sig_atomic_t stop;

static void on_signal(int number)
{
	last_signal = number;
	stop |= number != SIGTSTP && number != SIGWINCH;
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NSEC_PER_SEC + (uint64_t)ts.tv_nsec;
}

/* Text is gathered first, so that the terminal gets a picture at once. */
static void draw(const struct top *top, const struct top_row *rows, size_t n)
{
	const char *eol = top->term.live ? "\033[K\r\n" : "\n";
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
		/* The last line stays empty: its end would scroll. */
		height -= height > 1;
		top_text(f, rows, n, width, height > 1 ? height - 1 : 1, eol);
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

/* Return: enum wlinkctl_exit; @leave is set where somebody asked for it. */
static int wait_until(struct top *top, uint64_t until_ns, bool *leave)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct timespec left;
	int ready, code;
	uint64_t at;

	while (!*leave && (at = now_ns()) < until_ns) {
		left.tv_sec = (time_t)((until_ns - at) / NSEC_PER_SEC);
		left.tv_nsec = (long)((until_ns - at) % NSEC_PER_SEC);
		last_signal = 0;
		ready = ppoll(&in, top->term.keys, &left, &top->signals);
		if (ready > 0)
			*leave = !key_pressed(top);
		if (last_signal == SIGTSTP)
			suspend(top);
		*leave |= stop;
		if (*leave || ready >= 0 || !top->term.live)
			continue;
		/* The window has another size, or we are back in it. */
		code = show(top);
		if (code)
			return code;
	}
	return EXIT_DONE;
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
		} else if (argv[i][0] == '-' || n == 8) {
			complain("top knows no option \"%s\"", argv[i]);
			return EXIT_USAGE;
		} else {
			words[n++] = argv[i];
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
	struct top top = { .interval_ns = NSEC_PER_SEC, .json = ctl->json };
	struct sigaction action = { .sa_handler = on_signal };
	struct sigaction old[ARRAY_SIZE(numbers)];
	sigset_t ours;
	size_t i;
	int code;

	code = parse(&top, argc, argv);
	if (code)
		return code;
	stop = 0;
	sigemptyset(&ours);
	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		sigaddset(&ours, numbers[i]);
		sigaction(numbers[i], &action, &old[i]);
	}
	sigprocmask(SIG_BLOCK, &ours, &top.signals);
	code = run(ctl, &top);
	term_close(&top.term);
	/* What was said before went with the other screen. */
	if (code && top.term.live)
		complain("the statistics can no longer be read");
	sigprocmask(SIG_SETMASK, &top.signals, NULL);
	for (i = 0; i < ARRAY_SIZE(numbers); i++)
		sigaction(numbers[i], &old[i], NULL);
	top_look_free(&top.before);
	top_look_free(&top.now);
	return code;
}
