// SPDX-License-Identifier: GPL-2.0
/* What a person reads. */
#include <stdio.h>

#include "paper.h"
#include "print.h"
#include "with.h"

/* Part of the processors from which on a machine is not idle. */
#define NOT_IDLE 0.1

void print_machine(FILE *f, const struct machine *m)
{
	fprintf(f, "Linux %s %s, %ld CPU%s%s, clock %s", m->name.release, m->name.machine, m->cpus,
		m->cpus == 1 ? "" : "s", m->hypervisor ? " of a virtual machine" : "",
		m->clocksource[0] ? m->clocksource : "not known");
	if (m->hz)
		fprintf(f, ", HZ %ld", m->hz);
	if (m->tick[0])
		fprintf(f, ", tick %s", m->tick);
	fprintf(f, "\ntimers %s%s, timer slack %.3f us\n",
		machine_high_res(m) ? "of high resolution" : "without high resolution: in the tick",
		clock_moves(m->one_look_ns) ? "" : "; virtual time", (double)m->slack_ns / 1e3);
}

static void print_paper(FILE *f, int row)
{
	const struct paper *p = &paper[row];

	fprintf(f, " | %6.2f %6.2f %6.2f %6.2f", p->abs_mean, p->abs_var, p->rel_mean, p->rel_var);
}

/* What others have used of the machine's processors. */
static double others(const struct bench *b, const struct run *r)
{
	double all = (double)r->wall_ns * (double)b->machine.cpus;

	return r->busy - (all > 0 ? (double)r->cpu_ns / all : 0);
}

static void print_run(FILE *f, const struct run *r)
{
	const struct spread *a = &r->errors.abs;
	static const char *const states[] = { "not run", "done", "nothing", "lacking" };
	char with[64];

	fprintf(f, "%-14s %-10s %-6s ", r->method->name, with_name(r->with, with, sizeof(with)),
		load_names[r->load]);
	if (!r->n) {
		fprintf(f, "%s: %s\n", states[r->how], r->why);
		return;
	}
	fprintf(f, "%8.3f %8.3f %7.3f %7.3f %8.3f %8.3f %9.2f %5.1f%%", a->mean, a->var,
		r->errors.rel.mean, r->errors.rel.var, a->p99, a->max, (double)r->drift_ns / 1e6,
		r->wall_ns ? 100.0 * (double)r->cpu_ns / (double)r->wall_ns : 0);
	if (r->method->row >= 0 && !r->with && r->load == LOAD_IDLE)
		print_paper(f, r->method->row);
	fprintf(f, "\n");
	if (r->counted.n)
		fprintf(f, "    by its own count, as in 1999: mean %.3f ms, variance %.3f ms2\n",
			r->counted.mean, r->counted.var);
	if (r->how == RUN_PARTIAL)
		fprintf(f, "    PARTIAL: %zu sleeps only, %s\n", r->n, r->why);
}

/* "idle" is what was asked for; whether it was so is another thing. */
static void print_not_idle(FILE *f, const struct bench *b, const struct run *runs, size_t n)
{
	size_t i, idle = 0, disturbed = 0;
	double most = 0;

	for (i = 0; i < n; i++) {
		double part = runs[i].n ? others(b, &runs[i]) : 0;

		if (runs[i].load != LOAD_IDLE || !runs[i].n)
			continue;
		idle++;
		disturbed += part > NOT_IDLE;
		most = part > most ? part : most;
	}
	if (disturbed)
		fprintf(f, "NOT IDLE: in %zu of %zu runs; others used up to %.0f %% of the CPUs\n",
			disturbed, idle, 100 * most);
}

void print_table(FILE *f, const struct bench *b, const struct run *runs, size_t n)
{
	size_t i;

	print_machine(f, &b->machine);
	fprintf(f, "\n%zu requests of 0 to 100 ms, %.3f s in all; errors in ms, variances in ms2\n",
		b->n, (double)b->sum_ns / 1e9);
	fprintf(f, "%-14s %-10s %-6s %17s %15s %8s %8s %9s %6s | %27s\n", "", "", "",
		"absolute error", "relative error", "", "", "drift", "", "Linux 2.0.36, 1999");
	fprintf(f, "%-14s %-10s %-6s %8s %8s %7s %7s %8s %8s %9s %6s | %6s %6s %6s %6s\n", "method",
		"with", "load", "mean", "var", "mean", "var", "p99", "max", "at end", "CPU", "mean",
		"var", "mean", "var");
	for (i = 0; i < n; i++)
		print_run(f, &runs[i]);
	fprintf(f, "%-14s %-10s %-6s %68s", "select", "HZ=1024", "", "(that kernel only)");
	print_paper(f, PAPER_HZ);
	fprintf(f, "\n");
	print_not_idle(f, b, runs, n);
}
