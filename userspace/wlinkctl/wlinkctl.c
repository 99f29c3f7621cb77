// SPDX-License-Identifier: GPL-2.0
/*
 * wlinkctl: show, change and watch wlink qdiscs and their bearers. main() and the table of
 * commands.
 */

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lib/json.h"
#include "lib/nl.h"
#include "link/target.h"
#include "program.h"
#include "words/words.h"
#include "wlinkctl.h"

static int cmd_help(struct wlinkctl *ctl, int argc, char **argv);
static int cmd_version(struct wlinkctl *ctl, int argc, char **argv);

/**
 * struct command - one command
 * @name: as typed
 * @run: does it; the words begin after the name; NULL for a program of its own
 * @words: its words, for the help text
 * @what: what it does, for the help text
 */
struct command {
	const char *name;
	int (*run)(struct wlinkctl *ctl, int argc, char **argv);
	const char *words;
	const char *what;
};

static const struct command commands[] = {
	{ "show", cmd_show, "[[dev] DEV [HANDLE] [bearer N|all]]",
	  "print links or bearers and their statistics" },
	{ "set", cmd_set,
	  "[dev] DEV [HANDLE] [bearer N] KEYWORD VALUE ... [bearer M KEYWORD ...]\n"
	  "      [--wait|--no-wait]",
	  "change bearers together and wait until it is so; the rest stays" },
	{ "pair", cmd_pair,
	  "[dev] DEV [HANDLE] off|[dev] PEER [HANDLE] [netns NAME]",
	  "feedback of each of two links is traffic of the other" },
	{ "pending", cmd_pending, "[dev] DEV [HANDLE]",
	  "print the changes that wait on a link" },
	{ "cancel", cmd_cancel, "[dev] DEV [HANDLE]",
	  "take back the changes that wait on a link" },
	{ "bearer", cmd_bearer,
	  "add|del|forward [dev] DEV [HANDLE] bearer N [KEYWORD VALUE ...]",
	  "add a bearer to a link, delete one, or empty it at a handover" },
	{ "check", cmd_check, "[qdisc|class] KEYWORD VALUE ... | -",
	  "judge words as tc and the kernel would; - reads lines of them" },
	{ "preset", cmd_preset, "list | show NAME",
	  "print known links, each number with its source" },
	{ "profile", cmd_profile,
	  "list | show NAME | check FILE |\n"
	  "      load [dev] DEV [HANDLE] [bearer N] NAME|FILE|none",
	  "print, check or set which AQM belongs to which rate" },
	{ "trace", NULL,
	  "check FILE [format F] [COLUMNS] [gap TIME|off] | import FILE [format F] [COLUMNS] |\n"
	  "      export FILE format F [from F] [bin TIME] |\n"
	  "      play [dev] DEV [HANDLE] [bearer N] FILE [format F] [hold|loop|stop]\n"
	  "      [start now|packet|+TIME|TIME]\n"
	  "      (COLUMNS of a table: [time C[:UNIT]] [rate C[:UNIT]] [delay C:UNIT] [loss C[:%]]\n"
	  "      [every TIME] [only C=VALUE])",
	  "check, convert or replay a recorded link" },
	{ "from-netem", NULL, "'KEYWORD VALUE ...'",
	  "the words that come nearest to a line of netem, and what differs" },
	{ "schedule", cmd_schedule,
	  "load|start|stop|show [dev] DEV [HANDLE] [bearer N] ...\n"
	  "      (load FILE; start length TIME [hold|loop|stop] [start ...])",
	  "what a link does by itself as time goes on" },
	{ "watch", cmd_watch,
	  "[[dev] DEV] [bearer N] [--count N] [--timeout TIME]",
	  "print one line for each change of a link or a bearer" },
	{ "feedback", cmd_feedback,
	  "[dev] DEV [HANDLE] [bearer N] of PROGRAM [netns NAME] [allow TIME] [every TIME] [background]\n"
	  "      ([bearer N] to ADDRESS[/BITS])...",
	  "bound what a proxy has under way to users of a link by the link's rate" },
	{ "top", NULL,
	  "[[dev] DEV [HANDLE] [bearer N]] [--interval TIME] [--once]",
	  "show what each bearer does now, until q is pressed" },
	{ "metrics", NULL, "[[dev] DEV] [--out FILE]",
	  "print the statistics as Prometheus reads them" },
	{ "web", NULL,
	  "[--listen ADDRESS:PORT] [--name NAME] [--host HOST] | --replay LOG FILE.html",
	  "serve one page that shows and changes links" },
	{ "record", cmd_record,
	  "[[dev] DEV] [FILE|-] [--for TIME] [--buffer SIZE] [--raw|--live]\n"
	  "      (--from RAW [FILE|-])",
	  "write what becomes of each packet as lines of JSON" },
	{ "clock", cmd_clock, "", "print the clocks and their error as a line of JSON" },
	{ "host", NULL,
	  "HOST COMMAND ... [--host HOST COMMAND ...]... (also --host HOST ...)",
	  "do it on other machines, by ssh; set on several at one time" },
	{ "doctor", NULL,
	  "[DEV]... [--probe TIME|--no-probe] [--root DIR]",
	  "check this machine: what to change, what accuracy to expect" },
	{ "batch", cmd_batch, "[--force] FILE|-",
	  "run one command per line over one socket" },
	{ "version", cmd_version, "", "print the version" },
	{ "help", cmd_help, "", "print this" },
};

#define N_COMMANDS	ARRAY_SIZE(commands)

static int no_words(const char *name, int argc, char **argv)
{
	if (!argc)
		return EXIT_DONE;
	complain("%s takes no word, but got \"%s\"", name, argv[0]);
	return EXIT_USAGE;
}

static void print_help(FILE *f)
{
	size_t i;

	fputs("Usage: wlinkctl [--json] [--netns NAME|PATH] COMMAND ...\n\n", f);
	for (i = 0; i < N_COMMANDS; i++)
		fprintf(f, "  %s %s\n      %s\n", commands[i].name,
			commands[i].words, commands[i].what);
	fputs("\nKEYWORD VALUE ... are the words of tc:\n", f);
	wl_words_usage(f);
	fputs("\nExit codes: 0 done, 1 wrong command, 2 refused by the kernel,\n",
	      f);
	fputs("3 no such device, preset or bearer, or no wlink there,\n", f);
	fputs("4 watch timed out. doctor: 1 a check failed, 2 wrong command.\n", f);
}

static int cmd_help(struct wlinkctl *ctl, int argc, char **argv)
{
	size_t i;

	if (no_words("help", argc, argv))
		return EXIT_USAGE;
	if (!ctl->json) {
		print_help(stdout);
		return EXIT_DONE;
	}
	json_begin_list();
	for (i = 0; i < N_COMMANDS; i++) {
		json_writer.object(NULL);
		json_writer.string("command", commands[i].name);
		json_writer.string("words", commands[i].words);
		json_writer.string("what", commands[i].what);
		json_writer.end();
	}
	json_end_list();
	return EXIT_DONE;
}

static int cmd_version(struct wlinkctl *ctl, int argc, char **argv)
{
	if (no_words("version", argc, argv))
		return EXIT_USAGE;
	if (!ctl->json) {
		puts("wlinkctl " WLINK_VERSION);
		return EXIT_DONE;
	}
	json_begin();
	json_writer.string("version", WLINK_VERSION);
	json_end();
	return EXIT_DONE;
}

/* --json may stand anywhere. Return: words left. */
static int take_json(struct wlinkctl *ctl, int argc, char **argv)
{
	int to = 0;
	int i;

	for (i = 0; i < argc; i++) {
		if (!strcmp(argv[i], "--json") || !strcmp(argv[i], "-j"))
			ctl->json = true;
		else
			argv[to++] = argv[i];
	}
	return to;
}

/* Spellings that people try with other programs. */
static const char *usual_name(const char *name)
{
	if (!strcmp(name, "--help") || !strcmp(name, "-h"))
		return "help";
	if (!strcmp(name, "--version") || !strcmp(name, "-V"))
		return "version";
	if (!strcmp(name, "--host"))
		return "host";
	if (!strcmp(name, "--batch") || !strcmp(name, "-batch"))
		return "batch";
	return name;
}

static int run_other(struct wlinkctl *ctl, bool known, const char *name, int argc,
		     char **argv)
{
	char path[PATH_MAX];

	if (program_find(name, path, sizeof(path)))
		return program_run(ctl, path, argc - 1, argv + 1);
	if (known)
		complain("%s is the program wlinkctl-%s, not installed here; type: make install",
			 name, name);
	else
		complain("unknown command \"%s\"; try wlinkctl help", argv[0]);
	return EXIT_USAGE;
}

int wlinkctl_run(struct wlinkctl *ctl, int argc, char **argv)
{
	bool json = ctl->json;
	const char *name;
	size_t i;
	int code;

	argc = take_json(ctl, argc, argv);
	if (!argc) {
		print_help(stderr);
		ctl->json = json;
		return EXIT_USAGE;
	}
	name = usual_name(argv[0]);
	for (i = 0; i < N_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			break;
	if (i < N_COMMANDS && commands[i].run)
		code = commands[i].run(ctl, argc - 1, argv + 1);
	else
		code = run_other(ctl, i < N_COMMANDS, name, argc, argv);
	ctl->json = json;
	return code;
}

/* Before the command, for all of it happens there. Return: an exit code. */
static int take_netns(int *argc, char **argv)
{
	int at = 1, code, netns;

	while (at < *argc && (!strcmp(argv[at], "--json") || !strcmp(argv[at], "-j")))
		at++;
	if (at == *argc || strcmp(argv[at], "--netns"))
		return EXIT_DONE;
	if (at + 1 == *argc) {
		complain("--netns needs a name of ip netns or a path, as in /proc/PID/ns/net");
		return EXIT_USAGE;
	}
	netns = target_open_netns(argv[at + 1]);
	if (netns < 0)
		return EXIT_NOT_FOUND;
	code = setns(netns, CLONE_NEWNET) ? EXIT_REFUSED : EXIT_DONE;
	if (code)
		complain("--netns %s: %s", argv[at + 1], strerror(errno));
	close(netns);
	*argc -= 2;
	memmove(&argv[at], &argv[at + 2], (size_t)(*argc - at + 1) * sizeof(*argv));
	return code;
}

int main(int argc, char **argv)
{
	struct wlinkctl ctl = { 0 };
	int code;

	code = take_netns(&argc, argv);
	if (!code)
		code = wlinkctl_run(&ctl, argc - 1, argv + 1);
	nl_close(&ctl);
	if (fflush(stdout) || ferror(stdout) || json_failed()) {
		complain("standard output cannot be written");
		if (!code)
			code = EXIT_USAGE;
	}
	return code;
}
