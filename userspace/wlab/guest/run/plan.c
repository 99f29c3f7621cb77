// SPDX-License-Identifier: GPL-2.0
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
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

static void add_step(struct plan *plan, enum step_kind kind, char *rest)
{
	struct step *s;
	const char *ns;

	plan->steps = one_more(plan->steps, plan->step_count, sizeof(*s));
	s = &plan->steps[plan->step_count++];
	s->kind = kind;
	ns = word(&rest, false);
	s->ns = strcmp(ns, "*") ? ns_index(plan, ns) : NS_EACH;
	if (kind == STEP_AT)
		s->at_ns = number(&rest);
	if (kind == STEP_FINISH || kind == STEP_SHOW)
		s->file = copy(word(&rest, false));
	s->command = copy(word(&rest, true));
}

static void add_batch(struct plan *plan, char *rest)
{
	struct batch *b;

	plan->batches = one_more(plan->batches, plan->batch_count, sizeof(*b));
	b = &plan->batches[plan->batch_count++];
	b->ns = ns_index(plan, word(&rest, false));
	b->at_ns = number(&rest);
	b->tool = copy(word(&rest, false));
	b->line = copy(word(&rest, true));
}

static void add_sysctl(struct plan *plan, char *rest, bool set)
{
	struct sysctl *s;
	const char *name;

	plan->sysctls = one_more(plan->sysctls, plan->sysctl_count, sizeof(*s));
	s = &plan->sysctls[plan->sysctl_count++];
	s->ns = ns_index(plan, word(&rest, false));
	name = word(&rest, false);
	s->optional = *name == '?';
	s->name = copy(name + s->optional);
	if (set)
		s->value = copy(word(&rest, true));
}

static void add_event(struct plan *plan, char *rest)
{
	struct event *e;

	plan->events = one_more(plan->events, plan->event_count, sizeof(*e));
	e = &plan->events[plan->event_count++];
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

static void add_flow(struct plan *plan, char *rest)
{
	struct flow *f;

	plan->flows = one_more(plan->flows, plan->flow_count, sizeof(*f));
	f = &plan->flows[plan->flow_count++];
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

static void add_offload(struct plan *plan, char *rest)
{
	struct offload *o;

	plan->offloads = one_more(plan->offloads, plan->offload_count,
				  sizeof(*o));
	o = &plan->offloads[plan->offload_count++];
	o->ns = ns_index(plan, word(&rest, false));
	o->device = copy(word(&rest, false));
	o->feature = copy(word(&rest, false));
	o->off = !strcmp(word(&rest, false), "off");
}

static void add_program(struct plan *plan, char *rest)
{
	struct program *p;

	plan->programs = one_more(plan->programs, plan->program_count,
				  sizeof(*p));
	p = &plan->programs[plan->program_count++];
	p->ns = ns_index(plan, word(&rest, false));
	p->name = copy(word(&rest, false));
	p->start_ns = number(&rest);
	p->stop_ns = time_or_never(&rest);
	p->command = copy(word(&rest, true));
}

static void add_env(struct plan *plan, char *rest)
{
	struct program *p;

	if (!plan->program_count)
		fail("env before any program in the plan");
	p = &plan->programs[plan->program_count - 1];
	p->env = one_more(p->env, p->env_count, sizeof(*p->env));
	p->env[p->env_count++] = copy(word(&rest, true));
}

static void add_until(struct plan *plan, char *rest)
{
	plan->untils = one_more(plan->untils, plan->until_count,
				sizeof(*plan->untils));
	plan->untils[plan->until_count++] = copy(word(&rest, true));
}

static void add_file(struct plan *plan, char *rest)
{
	plan->file_names = one_more(plan->file_names, plan->file_count,
				    sizeof(*plan->file_names));
	plan->file_names[plan->file_count++] = copy(word(&rest, true));
}

static void add_keep(struct plan *plan, char *rest)
{
	plan->keeps = one_more(plan->keeps, plan->keep_count, sizeof(*plan->keeps));
	plan->keeps[plan->keep_count++].pattern = copy(word(&rest, true));
}

static void add_ns(struct plan *plan, const char *name)
{
	const size_t count = (size_t)plan->ns_count;

	plan->ns_name = one_more(plan->ns_name, count, sizeof(*plan->ns_name));
	plan->ns_fd = one_more(plan->ns_fd, count, sizeof(*plan->ns_fd));
	plan->ns_name[plan->ns_count++] = copy(name);
}

static void directive(struct plan *plan, const char *what, char *rest)
{
	if (!strcmp(what, "out"))
		plan->out = copy(word(&rest, true));
	else if (!strcmp(what, "seed"))
		plan->seed = number(&rest);
	else if (!strcmp(what, "start"))
		plan->start_ns = number(&rest);
	else if (!strcmp(what, "settle"))
		plan->settle_ns = number(&rest);
	else if (!strcmp(what, "duration"))
		plan->duration_ns = number(&rest);
	else if (!strcmp(what, "warmup"))
		plan->warmup_ns = number(&rest);
	else if (!strcmp(what, "until"))
		add_until(plan, rest);
	else if (!strcmp(what, "period"))
		plan->period_ns = number(&rest);
	else if (!strcmp(what, "buffer"))
		plan->buffer_kb = copy(word(&rest, true));
	else if (!strcmp(what, "instance"))
		plan->instance = copy(word(&rest, true));
	else if (!strcmp(what, "ns"))
		add_ns(plan, word(&rest, true));
	else if (!strcmp(what, "sysctl"))
		add_sysctl(plan, rest, true);
	else if (!strcmp(what, "read"))
		add_sysctl(plan, rest, false);
	else if (!strcmp(what, "offload"))
		add_offload(plan, rest);
	else if (!strcmp(what, "program"))
		add_program(plan, rest);
	else if (!strcmp(what, "files"))
		plan->files = copy(word(&rest, true));
	else if (!strcmp(what, "file"))
		add_file(plan, rest);
	else if (!strcmp(what, "keep"))
		add_keep(plan, rest);
	else if (!strcmp(what, "env"))
		add_env(plan, rest);
	else if (!strcmp(what, "show"))
		add_step(plan, STEP_SHOW, rest);
	else if (!strcmp(what, "begin"))
		add_step(plan, STEP_BEGIN, rest);
	else if (!strcmp(what, "play"))
		add_step(plan, STEP_PLAY, rest);
	else if (!strcmp(what, "align"))
		add_step(plan, STEP_ALIGN, rest);
	else if (!strcmp(what, "at"))
		add_step(plan, STEP_AT, rest);
	else if (!strcmp(what, "batch"))
		add_batch(plan, rest);
	else if (!strcmp(what, "hold"))
		add_step(plan, STEP_HOLD, rest);
	else if (!strcmp(what, "finish"))
		add_step(plan, STEP_FINISH, rest);
	else if (!strcmp(what, "event"))
		add_event(plan, rest);
	else if (!strcmp(what, "flow"))
		add_flow(plan, rest);
	else
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
