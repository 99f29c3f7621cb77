/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_PLAN_H
#define WLAB_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * The plan of one or more runs, written by the host. One directive a line;
 * NS is a network namespace, times are ns, relative to the start but for
 * "start" itself. "go" does what has been gathered and forgets it.
 *
 *   out DIR
 *   seed NUMBER		of the random numbers of the kernel and of programs
 *   start NS			CLOCK_MONOTONIC; without it the clock goes by itself, the
 *				start is when all is set up, and the kernel keeps its
 *				own random numbers
 *   settle NS			how long after it the run begins, for what "begin" has takes
 *				so long by the clock; else 0
 *   duration NS
 *   warmup NS			when to note how far the flows are
 *   until NAME			a flow or program; when all such have ended, so
 *				does the run
 *   period NS			how often to drain the trace
 *   buffer KB			size of the trace buffer, of each processor
 *   instance NAME		of tracefs, which nobody else looks at
 *   ns NAME
 *   sysctl NS NAME VALUE	"?NAME" where it may be missing
 *   read NS NAME		note the sysctl's value, before the start
 *   show NS FILE COMMAND	before the start, output to FILE in DIR
 *   offload NS DEVICE FEATURE off|read	once all that is done
 *   begin NS COMMAND		at the start
 *   align NS COMMAND		after these; has the start, ns of CLOCK_MONOTONIC, as
 *				the variable START_NS, and takes little time
 *   play NS COMMAND		the same, after these, and may take longer
 *   at NS TIME COMMAND
 *   batch NS TIME TOOL LINE	for `TOOL -batch -`, in the order of time
 *   program NS NAME START STOP COMMAND
 *   files DIR			where the host has put the programs' files
 *   file NAME			below it, to be copied to where programs start
 *   keep PATTERN		what to copy from there to DIR/kept at the end
 *   env NAME=VALUE		for the program above
 *   hold NS COMMAND		instead of the flows, at once and for any time
 *   finish NS FILE COMMAND	at the end, output to FILE in DIR
 *   event SYSTEM/NAME [FILTER]
 *   flow NAME KIND FROM TO SADDR SPORT DADDR DPORT START STOP CONGESTION SEED
 *	  KEY=NUMBER ...	the last are the kind's own
 *   go
 *
 * NS may be "-", the first namespace of all, where there is no other of the plan.
 * Of a command it may be "*": one process does FILE.NAME in each namespace NAME that
 * has such a file. COMMAND is "PROGRAM OPTION... -batch FILE" then, see net/each.c.
 */

enum step_kind {
	STEP_SHOW, STEP_BEGIN, STEP_PLAY, STEP_ALIGN, STEP_AT, STEP_HOLD, STEP_FINISH
};

/* In place of a namespace: each of them. */
#define NS_EACH (-2)

struct step {
	enum step_kind kind;
	int ns;
	uint64_t at_ns;
	const char *file;
	const char *command;
};

/**
 * struct sysctl - one to set or, without @value, to read
 * @ns: where
 * @optional: neither missing nor refusing the value is an error
 * @name: with dots
 * @value: what to set
 */
struct sysctl {
	int ns;
	bool optional;
	const char *name;
	const char *value;
};

/**
 * struct batch - a line for a tool that reads many of them
 * @ns: where
 * @at_ns: when
 * @tool: tc or ip
 * @line: as of its -batch
 */
struct batch {
	int ns;
	uint64_t at_ns;
	const char *tool;
	const char *line;
};

struct offload {
	int ns;
	const char *device;
	const char *feature;
	bool off;
};

struct event {
	const char *name;
	const char *filter;
};

/* How much longer than SIGTERM a program may take, of virtual time. */
#define PROGRAM_GRACE_NS 1000000000ULL

enum program_state { PROGRAM_WAITS, PROGRAM_RUNS, PROGRAM_STOPS, PROGRAM_ENDED };

/**
 * struct program - a command that runs beside the flows; times as of flows
 * @name: of the user
 * @ns: where
 * @start_ns: when
 * @stop_ns: when it is told to end, FLOW_NEVER for the end of the run
 * @command: line for the shell
 * @env: more environment, NAME=VALUE
 * @state: how far it is
 * @pid: of it and of its group
 * @pidfd: by which the loop watches it
 * @end_ns: when it ended
 */
struct program {
	const char *name;
	int ns;
	uint64_t start_ns;
	uint64_t stop_ns;
	const char *command;
	char **env;
	size_t env_count;
	enum program_state state;
	int pid;
	int pidfd;
	uint64_t end_ns;
};

/**
 * struct keep - files of the programs' folder that are to be kept
 * @pattern: of their names, as of fnmatch()
 * @found: whether there is one
 */
struct keep {
	const char *pattern;
	bool found;
};

struct flow;

struct plan {
	const char *out;
	uint64_t seed;
	uint64_t start_ns;
	uint64_t settle_ns;
	uint64_t duration_ns;
	uint64_t warmup_ns;
	uint64_t period_ns;
	const char *buffer_kb;
	const char *instance;
	const char **ns_name;
	int *ns_fd;
	int ns_count;
	struct sysctl *sysctls;
	size_t sysctl_count;
	struct offload *offloads;
	size_t offload_count;
	struct step *steps;
	size_t step_count;
	struct batch *batches;
	size_t batch_count;
	size_t batch_done;
	struct event *events;
	size_t event_count;
	struct flow *flows;
	size_t flow_count;
	struct program *programs;
	size_t program_count;
	const char *files;
	const char **file_names;
	size_t file_count;
	struct keep *keeps;
	size_t keep_count;
	const char **untils;
	size_t until_count;
};

/**
 * plan_read() - do all runs of a plan file
 * @path: of the file
 * @run: called at each "go"
 */
void plan_read(const char *path, void (*run)(struct plan *plan));

/**
 * fail() - end the program with a message for the user
 * @format: as of printf
 */
/* A file of the run's results that is begun, and that is whole. */
FILE *plan_file(const struct plan *plan, const char *name, const char *suffix);
void plan_file_close(FILE *f, const char *what);

/* All 0, for good or until it is freed. */
void *plan_memory(size_t size);

void fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

#endif
