// SPDX-License-Identifier: GPL-2.0
/* One run: a load, a process with its conditions, a series of sleeps. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "run.h"
#include "with.h"

/* How often we look after the sleeper, and how long one sleep may take. */
#define LOOK_NS (500 * MS)
#define STUCK_NS (60 * SECOND)

/* Between the sleeper and us. */
struct shared {
	atomic_int stop;
	atomic_size_t done;
	atomic_int sleeper;
	atomic_bool lacking;
	char why[WHY_SIZE];
	int64_t expected_ns, wall_ns, cpu_ns;
	long minor_faults, major_faults;
	int64_t *obtained_ns;
	int64_t *late_ns;
	int *counted_ms;
};

static int64_t cpu_of(const struct rusage *u)
{
	return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * SECOND +
	       (u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000LL;
}

/* The experiment. */
static void series(const struct bench *b, const struct method *m, struct state *s,
		   struct shared *sh)
{
	int64_t began, asked = 0, first, ended = 0;
	struct rusage before, after;
	size_t i;

	/* No page of ours comes in while it runs. */
	memset(sh->obtained_ns, 0, b->n * sizeof(*sh->obtained_ns));
	memset(sh->late_ns, 0, b->n * sizeof(*sh->late_ns));
	memset(sh->counted_ms, 0, b->n * sizeof(*sh->counted_ms));
	getrusage(RUSAGE_SELF, &before);
	first = now_ns();
	s->deadline = first;
	for (i = 0; i < b->n && !sh->stop; i++) {
		int64_t ns = b->requests[i] * MS;

		began = now_ns();
		if (!m->nap(s, ns))
			break;
		ended = now_ns();
		asked += ns;
		sh->obtained_ns[i] = ended - began;
		sh->counted_ms[i] = s->counted_ms;
		sh->late_ns[i] = ended - first - asked;
		sh->done = i + 1;
	}
	getrusage(RUSAGE_SELF, &after);
	sh->wall_ns = ended ? ended - first : 0;
	sh->cpu_ns = cpu_of(&after) - cpu_of(&before);
	sh->minor_faults = after.ru_minflt - before.ru_minflt;
	sh->major_faults = after.ru_majflt - before.ru_majflt;
}

/* In the sleeper's process; its exit status says nothing that @sh does not. */
static void __attribute__((noreturn)) sleeper(const struct bench *b, const struct run *r,
					      struct shared *sh, pid_t parent)
{
	struct state s = {
		.requests = b->requests,
		.n = b->n,
		.fd = -1,
		.other = -1,
		.counted_ms = -1,
		.one_look_ns = b->machine.one_look_ns,
	};
	sigset_t none;

	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != parent)
		_exit(1);
	/* The parent says when to end. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (!with_apply(r->with, s.why, sizeof(s.why)) || !r->method->begin(&s)) {
		sh->lacking = true;
	} else {
		sh->expected_ns = s.expected;
		sh->sleeper = getpid();
		series(b, r->method, &s, sh);
		r->method->end(&s);
	}
	memcpy(sh->why, s.why, sizeof(sh->why));
	_exit(0);
}

/* Until the sleeper has ended; ends it when asked to, or when it hangs. */
static void look_after(const struct bench *b, struct run *r, struct shared *sh, pid_t pid,
		       const struct loaders *l)
{
	struct timespec look = to_timespec(LOOK_NS);
	int64_t moved = now_ns(), stopped = 0;
	size_t done = 0;
	sigset_t child;

	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	while (!waitpid(pid, NULL, WNOHANG)) {
		/* Returns at once, with EINTR, for a signal that asks for an end. */
		if (sigtimedwait(&child, NULL, &look) > 0)
			continue;
		if (sh->done != done || !sh->sleeper)
			moved = now_ns();
		done = sh->done;
		b->progress(b->progress_arg, done);
		if (*b->stop && !sh->stop) {
			sh->stop = 1;
			stopped = now_ns();
			snprintf(r->why, sizeof(r->why), "stopped by %s", strsignal(*b->stop));
		} else if (!sh->stop && !load_lives(l)) {
			sh->stop = 1;
			stopped = now_ns();
			snprintf(r->why, sizeof(r->why), "the load has ended: is the disk full?");
		} else if (now_ns() - moved > STUCK_NS) {
			snprintf(r->why, sizeof(r->why), "no sleep ended within %lld s",
				 STUCK_NS / SECOND);
			kill(pid, SIGKILL);
		}
		if (stopped && now_ns() - stopped > 2 * SECOND)
			kill(pid, SIGKILL);
	}
}

static bool keep(const struct bench *b, struct run *r, const struct shared *sh)
{
	double *room = malloc((b->n + 1) * sizeof(*room));
	size_t i, counting = 0;

	r->n = sh->done;
	r->obtained_ns = malloc((r->n + 1) * sizeof(*r->obtained_ns));
	r->counted_ms = malloc((r->n + 1) * sizeof(*r->counted_ms));
	if (!room || !r->obtained_ns || !r->counted_ms) {
		free(room);
		snprintf(r->why, sizeof(r->why), "no memory for %zu results", r->n);
		return false;
	}
	memcpy(r->obtained_ns, sh->obtained_ns, r->n * sizeof(*r->obtained_ns));
	memcpy(r->counted_ms, sh->counted_ms, r->n * sizeof(*r->counted_ms));
	r->errors = errors_of(b->requests, r->obtained_ns, r->n, room);
	for (i = 0; i < r->n; i++)
		if (r->counted_ms[i] >= 0)
			room[counting++] = r->counted_ms[i] - b->requests[i];
	r->counted = spread_of(room, counting);
	if (!counting) {
		free(r->counted_ms);
		r->counted_ms = NULL;
	}
	for (i = 0; i < r->n; i++)
		room[i] = (double)sh->late_ns[i] / 1e6;
	r->late = spread_of(room, r->n);
	r->drift_ns = r->n ? sh->late_ns[r->n - 1] : 0;
	r->expected_ns = sh->expected_ns;
	r->wall_ns = sh->wall_ns;
	r->cpu_ns = sh->cpu_ns;
	r->minor_faults = sh->minor_faults;
	r->major_faults = sh->major_faults;
	free(room);
	return true;
}

static bool judge(const struct bench *b, struct run *r, const struct shared *sh)
{
	if (sh->lacking) {
		r->how = RUN_LACKING;
		memcpy(r->why, sh->why, sizeof(r->why));
		return true;
	}
	r->how = sh->done == b->n ? RUN_DONE : RUN_PARTIAL;
	if (r->how == RUN_DONE)
		r->why[0] = '\0';
	else if (sh->why[0])
		memcpy(r->why, sh->why, sizeof(r->why));
	else if (!r->why[0])
		snprintf(r->why, sizeof(r->why), "the sleeping process ended by itself");
	return keep(b, r, sh);
}

bool run_one(const struct bench *b, struct run *r)
{
	size_t size = sizeof(struct shared) + b->n * (2 * sizeof(int64_t) + sizeof(int));
	unsigned long long busy[2] = { 0 }, total[2] = { 0 };
	struct loaders loaders = { .n = 0 };
	pid_t us = getpid(), pid;
	struct shared *sh;
	bool ok;

	sh = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (sh == MAP_FAILED) {
		snprintf(r->why, sizeof(r->why), "no memory for %zu requests", b->n);
		return false;
	}
	sh->obtained_ns = (int64_t *)(sh + 1);
	sh->late_ns = sh->obtained_ns + b->n;
	sh->counted_ms = (int *)(sh->late_ns + b->n);
	if (!load_start(r->load, &b->machine, b->dir, &sh->sleeper, &loaders, r->why,
			sizeof(r->why))) {
		r->how = RUN_LACKING;
		munmap(sh, size);
		return true;
	}
	machine_busy(&busy[0], &total[0]);
	pid = fork();
	if (!pid)
		sleeper(b, r, sh, us);
	ok = pid > 0;
	if (ok)
		look_after(b, r, sh, pid, &loaders);
	else
		snprintf(r->why, sizeof(r->why), "fork: %s", strerror(errno));
	r->busy = -1;
	if (machine_busy(&busy[1], &total[1]) && total[1] > total[0])
		r->busy = (double)(busy[1] - busy[0]) / (double)(total[1] - total[0]);
	load_stop(&loaders);
	ok = ok && judge(b, r, sh);
	munmap(sh, size);
	return ok;
}
