/* SPDX-License-Identifier: GPL-2.0 */
#ifndef WLAB_PLAN_H
#define WLAB_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The plan of one or more runs, written by the host. One directive a line;
 * NS is a network namespace, times are ns, relative to the start but for
 * "start" itself. "go" does what has been gathered and forgets it.
 *
 *   out DIR
 *   start NS			CLOCK_MONOTONIC
 *   duration NS
 *   period NS			how often to drain the trace
 *   buffer KB			size of the trace buffer
 *   ns NAME
 *   sysctl NS NAME VALUE	"?NAME" where it may be missing
 *   prepare NS COMMAND		before the start
 *   begin NS COMMAND		at the start
 *   at NS TIME COMMAND
 *   hold NS COMMAND		instead of the flows, at once and for any time
 *   finish NS FILE COMMAND	at the end, output to FILE in DIR
 *   event SYSTEM/NAME [FILTER]
 *   flow NAME KIND FROM TO SADDR SPORT DADDR DPORT START STOP CONGESTION SEED
 *	  KEY=NUMBER ...	the last are the kind's own
 *   go
 */

enum step_kind { STEP_PREPARE, STEP_BEGIN, STEP_AT, STEP_HOLD, STEP_FINISH };

struct step {
	enum step_kind kind;
	int ns;
	uint64_t at_ns;
	const char *file;
	const char *command;
};

struct sysctl {
	int ns;
	bool optional;
	const char *name;
	const char *value;
};

struct event {
	const char *name;
	const char *filter;
};

struct flow;

#define MAX_NS 8

struct plan {
	const char *out;
	uint64_t start_ns;
	uint64_t duration_ns;
	uint64_t period_ns;
	const char *buffer_kb;
	const char *ns_name[MAX_NS];
	int ns_fd[MAX_NS];
	int ns_count;
	struct sysctl *sysctls;
	size_t sysctl_count;
	struct step *steps;
	size_t step_count;
	struct event *events;
	size_t event_count;
	struct flow *flows;
	size_t flow_count;
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
void fail(const char *format, ...)
	__attribute__((noreturn, format(printf, 1, 2)));

#endif
