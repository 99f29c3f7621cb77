// SPDX-License-Identifier: GPL-2.0
/* The command line. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "with.h"

static const char usage[] =
	"usage: wlink-sleep [--method M,...] [--with V,...] [--load L,...] [--requests N]\n"
	"                   [--json] [--out FILE] [--dir DIR] | --list | --version\n"
	"How exact are sleeps here? 1000 requests of 0 to 100 ms by each method M.\n"
	"  V is plain, timerslack, fifo, rr, mlockall, or some of them joined by '+'\n"
	"  L is idle, cpu, disk, paging; `all' stands for all of M, V or L\n"
	"Default: every method, plain, idle, 1000 requests. See wlink-sleep(1).\n";

static void __attribute__((noreturn, format(printf, 1, 2))) wrong(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fputs("wlink-sleep: ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
	exit(2);
}

static bool same(const char *name, const char *text, size_t len)
{
	return strlen(name) == len && !memcmp(name, text, len);
}

static void add_method(struct options *o, const char *text, size_t len)
{
	size_t i, k;

	for (i = 0; i < n_methods; i++) {
		if (!same("all", text, len) && !same(methods[i].name, text, len))
			continue;
		for (k = 0; k < o->n_methods && o->methods[k] != i;)
			k++;
		if (k == o->n_methods)
			o->methods[o->n_methods++] = i;
		if (!same("all", text, len))
			return;
	}
	if (!same("all", text, len))
		wrong("--method %.*s is none of those that --list prints", (int)len, text);
}

static void add_with(struct options *o, const char *text, size_t len)
{
	static const int each[] = { 0, WITH_TIMERSLACK, WITH_FIFO, WITH_RR, WITH_MLOCKALL };
	int one = same("all", text, len) ? 0 : with_parse(text, len);
	size_t i, k, n = same("all", text, len) ? sizeof(each) / sizeof(each[0]) : 1;

	if (one < 0)
		wrong("--with %.*s is not plain, nor of timerslack, fifo, rr, mlockall by '+'",
		      (int)len, text);
	for (i = 0; i < n; i++) {
		int set = n > 1 ? each[i] : one;

		for (k = 0; k < o->n_with && o->with[k] != set;)
			k++;
		if (k == MAX_WITH)
			wrong("--with has more than %d values", MAX_WITH);
		if (k == o->n_with)
			o->with[o->n_with++] = set;
	}
}

static void add_load(struct options *o, const char *text, size_t len)
{
	bool all = same("all", text, len), found = all;
	size_t i, k;

	for (i = 0; i < LOADS; i++) {
		if (!all && !same(load_names[i], text, len))
			continue;
		found = true;
		for (k = 0; k < o->n_loads && o->loads[k] != i;)
			k++;
		if (k == o->n_loads)
			o->loads[o->n_loads++] = (enum load)i;
	}
	if (!found)
		wrong("--load %.*s is none of idle, cpu, disk, paging", (int)len, text);
}

static void each(struct options *o, const char *list,
		 void (*add)(struct options *, const char *, size_t))
{
	for (;;) {
		size_t len = strcspn(list, ",");

		add(o, list, len);
		if (!list[len])
			return;
		list += len + 1;
	}
}

static size_t count_of(const char *text)
{
	char *end;
	long n;

	errno = 0;
	n = strtol(text, &end, 10);
	if (errno || end == text || *end || n < 1 || n > MAX_REQUESTS)
		wrong("--requests %s is outside 1..%d", text, MAX_REQUESTS);
	return (size_t)n;
}

/* On a disk, unless somebody knows better. */
static const char *temporary(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/var/tmp";
}

void options_parse(struct options *o, int argc, char **argv)
{
	enum { OPT_LIST = 256, OPT_HELP, OPT_VERSION };
	static const struct option longs[] = {
		{ "method", required_argument, NULL, 'm' },
		{ "with", required_argument, NULL, 'w' },
		{ "load", required_argument, NULL, 'l' },
		{ "requests", required_argument, NULL, 'n' },
		{ "json", no_argument, NULL, 'j' },
		{ "out", required_argument, NULL, 'o' },
		{ "dir", required_argument, NULL, 'd' },
		{ "list", no_argument, NULL, OPT_LIST },
		{ "help", no_argument, NULL, OPT_HELP },
		{ "version", no_argument, NULL, OPT_VERSION },
		{ 0 },
	};
	int opt;

	memset(o, 0, sizeof(*o));
	o->requests = 1000;
	o->dir = temporary();
	while ((opt = getopt_long(argc, argv, "m:w:l:n:jo:d:", longs, NULL)) != -1) {
		switch (opt) {
		case 'm':
			each(o, optarg, add_method);
			break;
		case 'w':
			each(o, optarg, add_with);
			break;
		case 'l':
			each(o, optarg, add_load);
			break;
		case 'n':
			o->requests = count_of(optarg);
			break;
		case 'j':
			o->json = true;
			break;
		case 'o':
			o->out = optarg;
			break;
		case 'd':
			o->dir = optarg;
			break;
		case OPT_LIST:
			o->list = true;
			break;
		case OPT_HELP:
			fputs(usage, stdout);
			exit(0);
		case OPT_VERSION:
			puts("wlink-sleep " WLINK_VERSION);
			exit(0);
		default:
			fputs(usage, stderr);
			exit(2);
		}
	}
	if (optind < argc)
		wrong("'%s' is no option; see --help", argv[optind]);
	if (!o->n_methods)
		add_method(o, "all", 3);
	if (!o->n_with)
		add_with(o, "plain", 5);
	if (!o->n_loads)
		add_load(o, "idle", 4);
}
