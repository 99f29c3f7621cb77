// SPDX-License-Identifier: GPL-2.0
/* What a program reads. */
#include <stdio.h>

#include "paper.h"
#include "print.h"
#include "with.h"

static void put_string(FILE *f, const char *s)
{
	fputc('"', f);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fprintf(f, "\\%c", *s);
		else if ((unsigned char)*s < 0x20)
			fprintf(f, "\\u%04x", (unsigned char)*s);
		else
			fputc(*s, f);
	}
	fputc('"', f);
}

static void put_member(FILE *f, const char *key, const char *value)
{
	fprintf(f, "\"%s\": ", key);
	if (value[0])
		put_string(f, value);
	else
		fputs("null", f);
	fputs(", ", f);
}

static void put_machine(FILE *f, const struct machine *m)
{
	fputs("\"machine\": {", f);
	put_member(f, "kernel", m->name.release);
	put_member(f, "version", m->name.version);
	put_member(f, "architecture", m->name.machine);
	put_member(f, "clocksource", m->clocksource);
	put_member(f, "tick", m->tick);
	put_member(f, "cmdline", m->cmdline);
	fprintf(f, "\"cpus\": %ld, \"virtual_machine\": %s, ", m->cpus,
		m->hypervisor ? "true" : "false");
	if (m->hz)
		fprintf(f, "\"hz\": %ld, ", m->hz);
	else
		fputs("\"hz\": null, ", f);
	fprintf(f, "\"high_resolution\": %s, \"resolution_ns\": %ld, \"timer_slack_ns\": %ld, ",
		machine_high_res(m) ? "true" : "false", m->resolution_ns, m->slack_ns);
	fprintf(f, "\"virtual_time\": %s, \"clock_look_ns\": %.3f, ",
		clock_moves(m->one_look_ns) ? "false" : "true", m->one_look_ns);
	if (m->swap_kib >= 0)
		fprintf(f, "\"swap_kib\": %ld, ", m->swap_kib);
	if (m->rt_runtime_us == -2)
		fputs("\"rt_runtime_us\": null", f);
	else
		fprintf(f, "\"rt_runtime_us\": %ld, \"rt_period_us\": %ld", m->rt_runtime_us,
			m->rt_period_us);
	fputs("},\n", f);
}

static void put_spread(FILE *f, const char *key, const struct spread *s)
{
	fprintf(f,
		"\"%s\": {\"n\": %zu, \"mean\": %.9g, \"variance\": %.9g, \"min\": %.9g, \"max\": %.9g, \"p50\": %.9g, \"p99\": %.9g}",
		key, s->n, s->mean, s->var, s->min, s->max, s->p50, s->p99);
}

static void put_paper(FILE *f, int row)
{
	const struct paper *p = &paper[row];

	fprintf(f, "{\"method\": \"%s\", \"error_ms\": {\"mean\": %.2f, \"variance\": %.2f}, ",
		p->name, p->abs_mean, p->abs_var);
	fprintf(f, "\"relative_error\": {\"mean\": %.2f, \"variance\": %.2f}}", p->rel_mean,
		p->rel_var);
}

static void put_pairs(FILE *f, const struct bench *b, const struct run *r)
{
	size_t i;

	fputs("\"pairs\": [", f);
	for (i = 0; i < r->n; i++)
		fprintf(f, "%s[%d, %lld]", i ? ", " : "", b->requests[i],
			(long long)r->obtained_ns[i]);
	fputc(']', f);
}

static void put_run(FILE *f, const struct bench *b, const struct run *r)
{
	static const char *const how[] = { "not run", "done", "partial", "lacking" };
	char with[64];

	fprintf(f, "{\"method\": \"%s\", \"with\": \"%s\", \"load\": \"%s\", \"state\": \"%s\", ",
		r->method->name, with_name(r->with, with, sizeof(with)), load_names[r->load],
		how[r->how]);
	put_member(f, "reason", r->why);
	fprintf(f, "\"partial\": %s, \"n\": %zu", r->how == RUN_PARTIAL ? "true" : "false", r->n);
	if (r->n) {
		fputs(",\n  ", f);
		put_spread(f, "error_ms", &r->errors.abs);
		fputs(",\n  ", f);
		put_spread(f, "relative_error", &r->errors.rel);
		fputs(",\n  ", f);
		put_spread(f, "late_ms", &r->late);
		fputs(",\n  ", f);
		put_spread(f, "error_whole_ms", &r->errors.whole);
		if (r->counted_ms) {
			fputs(",\n  ", f);
			put_spread(f, "error_counted_ms", &r->counted);
		}
		fprintf(f, ",\n  \"drift_ns\": %lld, \"wall_ns\": %lld, \"cpu_ns\": %lld, ",
			(long long)r->drift_ns, (long long)r->wall_ns, (long long)r->cpu_ns);
		if (r->busy >= 0)
			fprintf(f, "\"machine_busy\": %.4f, ", r->busy);
		fprintf(f,
			"\"minor_faults\": %ld, \"major_faults\": %ld, \"expected_ns\": %lld,\n  ",
			r->minor_faults, r->major_faults, (long long)r->expected_ns);
		put_pairs(f, b, r);
	}
	fputc('}', f);
}

void print_json(FILE *f, const struct bench *b, const struct run *runs, size_t n)
{
	bool partial = false;
	size_t i;

	for (i = 0; i < n; i++)
		partial |= runs[i].how == RUN_WAITS || runs[i].how == RUN_PARTIAL;
	fputs("{", f);
	put_machine(f, &b->machine);
	fprintf(f, "\"partial\": %s, \"requests\": %zu, \"requested_ns\": %lld,\n",
		partial ? "true" : "false", b->n, (long long)b->sum_ns);
	fputs("\"pair\": [\"desired_ms\", \"obtained_ns\"],\n\"paper\": [", f);
	for (i = 0; i < PAPER_ROWS; i++) {
		fputs(i ? ", " : "", f);
		put_paper(f, (int)i);
	}
	fputs("],\n\"runs\": [\n", f);
	for (i = 0; i < n; i++) {
		put_run(f, b, &runs[i]);
		fputs(i + 1 < n ? ",\n" : "\n", f);
	}
	fputs("]}\n", f);
}
