// SPDX-License-Identifier: GPL-2.0
/* wlink-sleep-run: the part of wlink-sleep that is to cost nothing beside the sleeps.
 *
 * wlink-sleep-run		what there is: looks at the clock, then a line for each method
 * wlink-sleep-run FD PARENT sleep METHOD WITH	a series of sleeps
 * wlink-sleep-run FD PARENT load KIND FILE-FD	a load on the machine, until it is killed
 *
 * FD is of a file that has a struct shared.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "sleep.h"

/* Fewer than those of a program that spins, which the lab makes wait. */
#define LOOKS 5000
#define RT_PRIORITY 50

/* How far the clock moves from one look to the next. */
static double one_look_ns(void)
{
	int64_t began = now_ns(), now = began;
	int i;

	for (i = 0; i < LOOKS; i++)
		now = now_ns();
	return (double)(now - began) / LOOKS;
}

static int about(void)
{
	size_t i;

	printf("%s %.3f %d\n", WLINK_VERSION, one_look_ns(), prctl(PR_GET_TIMERSLACK, 0, 0, 0, 0));
	for (i = 0; i < n_methods; i++)
		printf("%s\t%s\t%s\n", methods[i].name, methods[i].paper, methods[i].what);
	return 0;
}

static int64_t cpu_of(const struct rusage *u)
{
	return (u->ru_utime.tv_sec + u->ru_stime.tv_sec) * SECOND +
	       (u->ru_utime.tv_usec + u->ru_stime.tv_usec) * 1000LL;
}

/* The experiment. */
static void series(const struct method *m, struct state *s, struct shared *sh)
{
	int64_t began, asked = 0, first, ended = 0;
	struct rusage before, after;
	size_t i;

	/* No page of ours comes in while it runs. */
	for (i = 0; i < s->n; i++)
		sh->of[i].obtained_ns = 0;
	getrusage(RUSAGE_SELF, &before);
	first = now_ns();
	s->deadline = first;
	for (i = 0; i < s->n && !sh->stop; i++) {
		int64_t ns = sh->of[i].request_ms * MS;

		began = now_ns();
		if (!m->nap(s, ns))
			break;
		ended = now_ns();
		asked += ns;
		sh->of[i].obtained_ns = ended - began;
		sh->of[i].counted_ms = s->counted_ms;
		sh->of[i].late_ns = ended - first - asked;
		sh->done = (int64_t)i + 1;
	}
	getrusage(RUSAGE_SELF, &after);
	sh->wall_ns = ended ? ended - first : 0;
	sh->cpu_ns = cpu_of(&after) - cpu_of(&before);
	sh->minor_faults = after.ru_minflt - before.ru_minflt;
	sh->major_faults = after.ru_majflt - before.ru_majflt;
}

/* As "RLIMIT_X is N", for a person who may raise it. */
static bool limited(struct state *s, const char *what, const char *need, int resource)
{
	int error = errno;
	struct rlimit limit = { 0 };

	getrlimit(resource, &limit);
	snprintf(s->why, sizeof(s->why), "%s: %s; it needs %s (the limit is %llu)", what,
		 strerror(error), need, (unsigned long long)limit.rlim_cur);
	return false;
}

/* Timer slack, real-time scheduling, locked memory. */
static bool apply(struct state *s, const char *with)
{
	struct sched_param p = { .sched_priority = RT_PRIORITY };
	bool fifo = strstr(with, "fifo");

	if (strstr(with, "timerslack") && prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0))
		return failed(s, "PR_SET_TIMERSLACK");
	if (strstr(with, "mlockall") && mlockall(MCL_CURRENT | MCL_FUTURE))
		return limited(s, "mlockall", "CAP_IPC_LOCK or a larger RLIMIT_MEMLOCK",
			       RLIMIT_MEMLOCK);
	if ((fifo || strstr(with, "rr")) && sched_setscheduler(0, fifo ? SCHED_FIFO : SCHED_RR, &p))
		return limited(s, fifo ? "SCHED_FIFO" : "SCHED_RR",
			       "CAP_SYS_NICE or an RLIMIT_RTPRIO of 50", RLIMIT_RTPRIO);
	return true;
}

static int run(const struct method *m, const char *with, struct shared *sh, size_t n)
{
	struct state s = { .sh = sh, .n = n, .fd = -1, .other = -1, .counted_ms = -1 };

	if (!apply(&s, with) || (m->begin && !m->begin(&s))) {
		sh->lacking = true;
	} else {
		sh->expected_ns = s.expected;
		sh->sleeper = getpid();
		series(m, &s, sh);
	}
	memcpy(sh->why, s.why, sizeof(sh->why));
	return 0;
}

int main(int argc, char **argv)
{
	struct shared *sh;
	struct stat st;
	sigset_t none;
	size_t i;

	if (argc == 1)
		return about();
	if (argc != 6)
		return 2;
	/* Whoever started us says when to end, and ends us with itself. */
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != atoi(argv[2]))
		return 1;
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (fstat(atoi(argv[1]), &st))
		return 1;
	sh = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, atoi(argv[1]), 0);
	if (sh == MAP_FAILED)
		return 1;
	if (!strcmp(argv[3], "load"))
		load(argv[4], atoi(argv[5]), sh);
	for (i = 0; i < n_methods; i++)
		if (!strcmp(argv[4], methods[i].name))
			return run(&methods[i], argv[5], sh,
				   ((size_t)st.st_size - sizeof(*sh)) / sizeof(sh->of[0]));
	return 2;
}
