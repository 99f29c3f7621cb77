// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flow/flow.h"
#include "plan.h"

void fail(const char *format, ...)
{
	va_list args;

	fflush(stdout);
	va_start(args, format);
	fputs("wlab-guest: ", stderr);
	vfprintf(stderr, format, args);
	fputs("\n", stderr);
	va_end(args);
	exit(1);
}

static void *one_more(void *list, size_t count, size_t size)
{
	char *longer = realloc(list, (count + 1) * size);

	if (!longer)
		fail("out of memory");
	memset(longer + count * size, 0, size);
	return longer;
}

#define NOT_NEEDED	__attribute__((unused)) size_t

/* The next of a list, all 0. */
#define ADD(list, count) \
	((list) = one_more(list, (size_t)(count), sizeof(*(list))), &(list)[(count)++])

static char *copy(const char *text)
{
	char *own = strdup(text ? text : "");

	if (!own)
		fail("out of memory");
	return own;
}

/* Cuts off the next word; the last one may be the rest of the line. */
static char *word(char **rest, bool all)
{
	char *w = *rest;

	if (!w || !*w)
		fail("a line of the plan is too short");
	if (all) {
		*rest = NULL;
		return w;
	}
	*rest = strchr(w, ' ');
	if (*rest)
		*(*rest)++ = '\0';
	return w;
}

static uint64_t number(char **rest)
{
	const char *w = word(rest, false);
	char *end;
	uint64_t n;

	errno = 0;
	n = strtoull(w, &end, 10);
	if (errno || *end)
		fail("'%s' in the plan is no number", w);
	return n;
}

static int ns_index(const struct plan *plan, const char *name)
{
	int i;

	if (!strcmp(name, "-"))
		return -1;
	for (i = 0; i < plan->ns_count; i++)
		if (!strcmp(plan->ns_name[i], name))
			return i;
	fail("no namespace '%s' in the plan", name);
}

static void add_step(struct plan *plan, char *rest, size_t kind)
{
	struct step *s = ADD(plan->steps, plan->step_count);
	const char *ns;

	s->kind = (enum step_kind)kind;
	ns = word(&rest, false);
	s->ns = strcmp(ns, "*") ? ns_index(plan, ns) : NS_EACH;
	if (kind == STEP_AT)
		s->at_ns = number(&rest);
	if (kind == STEP_FINISH || kind == STEP_SHOW)
		s->file = copy(word(&rest, false));
	s->command = copy(word(&rest, true));
}

static void add_batch(struct plan *plan, char *rest, NOT_NEEDED how)
{
	struct batch *b = ADD(plan->batches, plan->batch_count);

	b->ns = ns_index(plan, word(&rest, false));
	b->at_ns = number(&rest);
	b->tool = copy(word(&rest, false));
	b->line = copy(word(&rest, true));
}

static void add_sysctl(struct plan *plan, char *rest, size_t set)
{
	struct sysctl *s = ADD(plan->sysctls, plan->sysctl_count);
	const char *name;

	s->ns = ns_index(plan, word(&rest, false));
	name = word(&rest, false);
	s->optional = *name == '?';
	s->name = copy(name + s->optional);
	if (set)
		s->value = copy(word(&rest, true));
}

static void add_event(struct plan *plan, char *rest, NOT_NEEDED how)
{
	struct event *e = ADD(plan->events, plan->event_count);

	e->name = copy(word(&rest, false));
	if (rest)
		e->filter = copy(word(&rest, true));
}

static void address(union address *to, char **rest)
{
	const char *w = word(rest, false);

	to->any.sa_family = AF_INET;
	if (inet_pton(AF_INET, w, &to->v4.sin_addr) != 1) {
		to->any.sa_family = AF_INET6;
		if (inet_pton(AF_INET6, w, &to->v6.sin6_addr) != 1)
			fail("'%s' in the plan is no address", w);
	}
	to->v4.sin_port = htons((uint16_t)number(rest));
}

static uint64_t time_or_never(char **rest)
{
	if (*rest && !strncmp(*rest, "- ", 2)) {
		word(rest, false);
		return FLOW_NEVER;
	}
	return number(rest);
}

static void add_flow(struct plan *plan, char *rest, NOT_NEEDED how)
{
	struct flow *f = ADD(plan->flows, plan->flow_count);

	f->name = copy(word(&rest, false));
	f->ops = flow_ops_of(word(&rest, false));
	f->from = ns_index(plan, word(&rest, false));
	f->to = ns_index(plan, word(&rest, false));
	address(&f->src, &rest);
	address(&f->dst, &rest);
	f->start_ns = number(&rest);
	f->stop_ns = time_or_never(&rest);
	f->congestion = copy(word(&rest, false));
	f->seed = number(&rest);
	f->words = copy(rest);
	f->end_ns = FLOW_NEVER;
	f->tx = -1;
	f->rx = -1;
	f->listener = -1;
}

static void add_offload(struct plan *plan, char *rest, NOT_NEEDED how)
{
	struct offload *o = ADD(plan->offloads, plan->offload_count);

	o->ns = ns_index(plan, word(&rest, false));
	o->device = copy(word(&rest, false));
	o->feature = copy(word(&rest, false));
	o->off = !strcmp(word(&rest, false), "off");
}

static void add_program(struct plan *plan, char *rest, NOT_NEEDED how)
{
	struct program *p = ADD(plan->programs, plan->program_count);

	p->ns = ns_index(plan, word(&rest, false));
	p->name = copy(word(&rest, false));
	p->start_ns = number(&rest);
	p->stop_ns = time_or_never(&rest);
	p->command = copy(word(&rest, true));
}

static void add_env(struct plan *plan, char *rest, NOT_NEEDED how)
{
	struct program *p;

	if (!plan->program_count)
		fail("env before any program in the plan");
	p = &plan->programs[plan->program_count - 1];
	*ADD(p->env, p->env_count) = copy(word(&rest, true));
}

static void add_until(struct plan *plan, char *rest, NOT_NEEDED how)
{
	*ADD(plan->untils, plan->until_count) = copy(word(&rest, true));
}

static void add_file(struct plan *plan, char *rest, NOT_NEEDED how)
{
	*ADD(plan->file_names, plan->file_count) = copy(word(&rest, true));
}

static void add_keep(struct plan *plan, char *rest, NOT_NEEDED how)
{
	ADD(plan->keeps, plan->keep_count)->pattern = copy(word(&rest, true));
}

static void add_ns(struct plan *plan, char *rest, NOT_NEEDED how)
{
	plan->ns_fd = one_more(plan->ns_fd, (size_t)plan->ns_count, sizeof(*plan->ns_fd));
	*ADD(plan->ns_name, plan->ns_count) = copy(word(&rest, true));
}

static void set_number(struct plan *plan, char *rest, size_t member)
{
	*(uint64_t *)((char *)plan + member) = number(&rest);
}

static void set_text(struct plan *plan, char *rest, size_t member)
{
	*(const char **)((char *)plan + member) = copy(word(&rest, true));
}

#define NUMBER(what, member)	{ what, set_number, offsetof(struct plan, member) }
#define TEXT(what, member)	{ what, set_text, offsetof(struct plan, member) }

static const struct {
	const char *what;
	void (*take)(struct plan *plan, char *rest, size_t how);
	size_t how;
} directives[] = {
	TEXT("out", out), TEXT("buffer", buffer_kb), TEXT("instance", instance),
	TEXT("files", files), NUMBER("seed", seed), NUMBER("start", start_ns),
	NUMBER("settle", settle_ns), NUMBER("duration", duration_ns),
	NUMBER("warmup", warmup_ns), NUMBER("period", period_ns),
	{ "until", add_until, 0 }, { "ns", add_ns, 0 }, { "sysctl", add_sysctl, true },
	{ "read", add_sysctl, false }, { "offload", add_offload, 0 },
	{ "program", add_program, 0 }, { "env", add_env, 0 }, { "file", add_file, 0 },
	{ "keep", add_keep, 0 }, { "batch", add_batch, 0 }, { "event", add_event, 0 },
	{ "flow", add_flow, 0 }, { "show", add_step, STEP_SHOW },
	{ "begin", add_step, STEP_BEGIN }, { "play", add_step, STEP_PLAY },
	{ "align", add_step, STEP_ALIGN }, { "at", add_step, STEP_AT },
	{ "hold", add_step, STEP_HOLD }, { "finish", add_step, STEP_FINISH },
};

static void directive(struct plan *plan, const char *what, char *rest)
{
	size_t i;

	for (i = 0; i < sizeof(directives) / sizeof(directives[0]); i++) {
		if (strcmp(directives[i].what, what))
			continue;
		directives[i].take(plan, rest, directives[i].how);
		return;
	}
	fail("'%s' in the plan is no directive", what);
}

void plan_read(const char *path, void (*run)(struct plan *plan))
{
	struct plan plan = { 0 };
	FILE *f = fopen(path, "r");
	char *line = NULL, *rest;
	size_t size = 0;
	ssize_t len;

	if (!f)
		fail("%s: %s", path, strerror(errno));
	while ((len = getline(&line, &size, f)) > 0) {
		if (line[len - 1] == '\n')
			line[len - 1] = '\0';
		if (!*line)
			continue;
		rest = strchr(line, ' ');
		if (rest)
			*rest++ = '\0';
		if (strcmp(line, "go")) {
			directive(&plan, line, rest);
			continue;
		}
		run(&plan);
		/* The process is short-lived: old lists are not freed. */
		plan = (struct plan){ 0 };
	}
	free(line);
	fclose(f);
}
