// SPDX-License-Identifier: GPL-2.0
/* wlink-sleep: how exact are sleeps on this machine? */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "options.h"
#include "print.h"
#include "with.h"

static atomic_int stop;

/* The second time without mercy: default action, as SA_RESETHAND has it. */
static void on_signal(int sig)
{
	stop = sig;
}

/* All runs, and how far they are. */
struct plan {
	struct bench bench;
	struct run *runs;
	size_t n, at;
	bool live;
	int64_t said_ns;
};

static void clock_words(int64_t ns, char *buf, size_t size)
{
	long s = (long)((ns + SECOND / 2) / SECOND);

	if (s < 120)
		snprintf(buf, size, "%ld s", s);
	else if (s < 7200)
		snprintf(buf, size, "%ld min %02ld s", s / 60, s % 60);
	else
		snprintf(buf, size, "%ld h %02ld min", s / 3600, s / 60 % 60);
}

static void progress(void *arg, size_t done)
{
	struct plan *p = arg;
	const struct run *r = &p->runs[p->at];
	int64_t now = now_ns(), left;
	char with[64], time[32];

	if (now - p->said_ns < (p->live					  ? SECOND / 2 :
				clock_moves(p->bench.machine.one_look_ns) ? 10 * SECOND :
									    1000 * SECOND))
		return;
	p->said_ns = now;
	left = p->bench.sum_ns * (int64_t)(p->n - p->at) -
	       p->bench.sum_ns / (int64_t)p->bench.n * (int64_t)done;
	clock_words(left, time, sizeof(time));
	fprintf(stderr,
		"%swlink-sleep: run %zu of %zu, %s %s %s: %zu of %zu sleeps, about %s left%s",
		p->live ? "\r\033[K" : "", p->at + 1, p->n, r->method->name,
		with_name(r->with, with, sizeof(with)), load_names[r->load], done, p->bench.n, time,
		p->live ? "" : "\n");
	fflush(stderr);
}

/* In the order load, conditions, method: a load's disk has time to settle. */
static bool make_plan(struct plan *p, const struct options *o)
{
	size_t i, j, k, at = 0;

	p->n = o->n_methods * o->n_with * o->n_loads;
	p->runs = calloc(p->n, sizeof(*p->runs));
	p->bench.n = o->requests;
	p->bench.dir = o->dir;
	p->bench.stop = &stop;
	p->bench.progress = progress;
	p->bench.progress_arg = p;
	p->bench.requests = calloc(o->requests, sizeof(*p->bench.requests));
	if (!p->runs || !p->bench.requests)
		return false;
	make_requests(p->bench.requests, p->bench.n);
	for (i = 0; i < p->bench.n; i++)
		p->bench.sum_ns += p->bench.requests[i] * MS;
	for (i = 0; i < o->n_loads; i++) {
		for (j = 0; j < o->n_with; j++) {
			for (k = 0; k < o->n_methods; k++, at++) {
				p->runs[at].method = &methods[o->methods[k]];
				p->runs[at].with = o->with[j];
				p->runs[at].load = o->loads[i];
			}
		}
	}
	return true;
}

static int list(void)
{
	struct machine m;
	int one = 1;
	size_t i;

	machine_read(&m);
	print_machine(stdout, &m);
	for (i = 0; i < n_methods; i++) {
		struct state s = { .requests = &one,
				   .n = 1,
				   .fd = -1,
				   .other = -1,
				   .one_look_ns = m.one_look_ns };
		bool have = methods[i].begin(&s);

		printf("%-14s %s%s%s\n", methods[i].name, methods[i].what,
		       have ? "" : "; lacking: ", s.why);
		if (have)
			methods[i].end(&s);
	}
	return 0;
}

static void catch_signals(void)
{
	static const int which[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction act = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
	sigset_t child;
	size_t i;

	for (i = 0; i < 3; i++)
		sigaction(which[i], &act, NULL);
	/* Waited for with sigtimedwait(). */
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
}

/* Returns false for an error of our own; what the machine lacks is a result. */
static bool run_all(struct plan *p)
{
	for (p->at = 0; p->at < p->n && !stop; p->at++)
		if (!run_one(&p->bench, &p->runs[p->at]))
			break;
	if (p->live)
		fputs("\r\033[K", stderr);
	if (p->at < p->n && !stop) {
		fprintf(stderr, "wlink-sleep: %s\n", p->runs[p->at].why);
		return false;
	}
	for (; p->at < p->n; p->at++)
		snprintf(p->runs[p->at].why, WHY_SIZE, "stopped by %s before its turn",
			 strsignal(stop));
	return true;
}

/* A new file takes the old one's place only when it is whole. */
static bool finish(FILE *f, const char *fresh, const char *path)
{
	bool ok = !fflush(f) && !ferror(f);

	ok = !fclose(f) && ok && !rename(fresh, path);
	if (!ok)
		fprintf(stderr, "wlink-sleep: %s: %s\n", path, strerror(errno));
	return ok;
}

static int report(struct plan *p, const struct options *o, FILE *out, const char *fresh)
{
	bool ok = true;
	size_t i, measured = 0;

	if (o->json)
		print_json(stdout, &p->bench, p->runs, p->n);
	else
		print_table(stdout, &p->bench, p->runs, p->n);
	if (out) {
		print_json(out, &p->bench, p->runs, p->n);
		ok = finish(out, fresh, o->out);
	}
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "wlink-sleep: standard output: %s\n", strerror(errno));
		ok = false;
	}
	for (i = 0; i < p->n; i++) {
		measured += p->runs[i].n;
		free(p->runs[i].obtained_ns);
		free(p->runs[i].counted_ms);
	}
	if (stop)
		return 128 + stop;
	if (ok && !measured)
		fputs("wlink-sleep: nothing could be measured, see above\n", stderr);
	return !ok || !measured;
}

/* A file beside one, of a name that nobody has; it gets its own when it is whole. */
static FILE *open_fresh(const char *path, char *fresh, size_t size)
{
	int fd;

	if (snprintf(fresh, size, "%s.XXXXXX", path) >= (int)size) {
		errno = ENAMETOOLONG;
		return NULL;
	}
	fd = mkostemp(fresh, O_CLOEXEC);
	if (fd < 0)
		return NULL;
	fchmod(fd, 0644);
	return fdopen(fd, "w");
}

int main(int argc, char **argv)
{
	struct plan p = { .live = isatty(STDERR_FILENO) };
	char fresh[4096], time[32];
	struct options o;
	struct stat st;
	FILE *out = NULL;
	int status = 1;

	options_parse(&o, argc, argv);
	if (o.list)
		return list();
	if (!make_plan(&p, &o)) {
		fprintf(stderr, "wlink-sleep: no memory for %zu requests\n", o.requests);
		return 1;
	}
	if (o.out && !stat(o.out, &st) && !S_ISREG(st.st_mode)) {
		fprintf(stderr, "wlink-sleep: --out %s is no regular file\n", o.out);
		goto end;
	}
	if (o.out) {
		out = open_fresh(o.out, fresh, sizeof(fresh));
		if (!out) {
			fprintf(stderr, "wlink-sleep: --out %s: %s\n", o.out, strerror(errno));
			goto end;
		}
	}
	machine_read(&p.bench.machine);
	/* Virtual seconds pass too fast for a line that changes. */
	p.live = p.live && clock_moves(p.bench.machine.one_look_ns);
	catch_signals();
	clock_words(p.bench.sum_ns * (int64_t)p.n, time, sizeof(time));
	fprintf(stderr, "wlink-sleep: %zu run%s of %zu requests, %.1f s each: about %s in all\n",
		p.n, p.n == 1 ? "" : "s", o.requests, (double)p.bench.sum_ns / 1e9, time);
	p.said_ns = now_ns();
	if (run_all(&p)) {
		status = report(&p, &o, out, fresh);
	} else if (out) {
		fclose(out);
		unlink(fresh);
	}
end:
	free(p.runs);
	free(p.bench.requests);
	return status;
}
