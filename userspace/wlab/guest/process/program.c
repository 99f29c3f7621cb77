// SPDX-License-Identifier: GPL-2.0
/* Programs of the user that run beside the flows, each in a process group of its
 * own; their output goes to <out>/programs.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "flow/flow.h"
#include "init/job.h"
#include "net/netns.h"
#include "run/plan.h"
#include "files.h"
#include "program.h"

#define TAIL_BYTES 1500
/* Of a file that it writes: output without end fills the disk of the host. */
#define FILE_BYTES (1UL << 30)
#define POLL_NS 10000000L

static void output_path(const struct plan *plan, const struct program *p,
			const char *suffix, char *path, size_t size)
{
	snprintf(path, size, "%s/programs/%s.%s", plan->out, p->name, suffix);
}

static void redirect(int fd, const char *path, int flags)
{
	int file = open(path, flags, 0644);

	if (file < 0 || dup2(file, fd) < 0)
		fail("%s: %s", path, strerror(errno));
	close(file);
}

static void child(const struct plan *plan, const struct program *p)
{
	const int make = O_WRONLY | O_CREAT | O_TRUNC | O_APPEND;
	struct rlimit most;
	char path[256];
	size_t i;

	setpgid(0, 0);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	if (!getrlimit(RLIMIT_FSIZE, &most) && most.rlim_cur > FILE_BYTES) {
		most.rlim_cur = FILE_BYTES;
		setrlimit(RLIMIT_FSIZE, &most);
	}
	netns_enter(plan, p->ns);
	if (chdir(PROGRAM_FOLDER))
		fail("%s: %s", PROGRAM_FOLDER, strerror(errno));
	redirect(0, "/dev/null", O_RDONLY);
	output_path(plan, p, "out", path, sizeof(path));
	redirect(1, path, make);
	output_path(plan, p, "err", path, sizeof(path));
	redirect(2, path, make);
	if (plan->start_ns)
		setenv("LD_PRELOAD", TOOLS_DIR "/bin/wlab-chance.so", 1);
	for (i = 0; i < p->env_count; i++)
		putenv(p->env[i]);
	execl("/bin/sh", "sh", "-c", p->command, NULL);
	fail("/bin/sh: %s", strerror(errno));
}

static void program_start(struct plan *plan, struct program *p)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/programs", plan->out);
	if (mkdir(path, 0755) && errno != EEXIST)
		fail("%s: %s", path, strerror(errno));
	files_bring(plan);
	p->pid = fork();
	if (p->pid < 0)
		fail("fork: %s", strerror(errno));
	if (!p->pid)
		child(plan, p);
	/* In the parent, too: it may be signalled before the child does it. */
	setpgid(p->pid, p->pid);
	p->state = PROGRAM_RUNS;
	p->pidfd = watch_process(p->pid);
}

static uint64_t act(struct plan *plan, struct program *p, uint64_t now)
{
	if (p->state == PROGRAM_WAITS) {
		if (now < p->start_ns)
			return p->start_ns;
		program_start(plan, p);
	}
	if (p->state == PROGRAM_RUNS) {
		if (now < p->stop_ns)
			return p->stop_ns;
		kill(-p->pid, SIGTERM);
		p->state = PROGRAM_STOPS;
	}
	if (p->state == PROGRAM_STOPS) {
		if (now < p->stop_ns + PROGRAM_GRACE_NS)
			return p->stop_ns + PROGRAM_GRACE_NS;
		kill(-p->pid, SIGKILL);
	}
	return FLOW_NEVER;
}

uint64_t program_act(struct plan *plan, uint64_t now)
{
	uint64_t next = FLOW_NEVER, due;
	size_t i;

	for (i = 0; i < plan->program_count; i++) {
		due = act(plan, &plan->programs[i], now);
		if (due < next)
			next = due;
	}
	return next;
}

/* Prints the end of its output to standard error. */
static void show_tail(const char *path)
{
	char text[TAIL_BYTES + 1];
	FILE *f = fopen(path, "re");
	size_t len;

	if (!f)
		return;
	if (fseek(f, -TAIL_BYTES, SEEK_END))
		rewind(f);
	len = fread(text, 1, TAIL_BYTES, f);
	fclose(f);
	fwrite(text, 1, len, stderr);
	if (len && text[len - 1] != '\n')
		fputc('\n', stderr);
}

static void judge(const struct plan *plan, const struct program *p, int status)
{
	char path[256];

	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return;
	output_path(plan, p, "out", path, sizeof(path));
	show_tail(path);
	output_path(plan, p, "err", path, sizeof(path));
	show_tail(path);
	if (WIFSIGNALED(status))
		fail("program %s: signal %d (%s) ended it: %s", p->name,
		     WTERMSIG(status), strsignal(WTERMSIG(status)), p->command);
	fail("program %s: exit status %d: %s", p->name, WEXITSTATUS(status),
	     p->command);
}

bool program_reaped(struct plan *plan, pid_t pid, int status)
{
	size_t i;

	for (i = 0; i < plan->program_count; i++) {
		struct program *p = &plan->programs[i];

		if (p->pid != pid || p->state == PROGRAM_ENDED)
			continue;
		if (p->state == PROGRAM_RUNS)
			judge(plan, p, status);
		p->state = PROGRAM_ENDED;
		close(p->pidfd);
		p->end_ns = run_now();
		return true;
	}
	return false;
}

/* Signals all; true if one still runs. */
static bool signal_all(struct plan *plan, int sig)
{
	bool left = false;
	size_t i;

	for (i = 0; i < plan->program_count; i++) {
		struct program *p = &plan->programs[i];

		if (p->state != PROGRAM_RUNS && p->state != PROGRAM_STOPS)
			continue;
		p->state = PROGRAM_STOPS;
		if (sig)
			kill(-p->pid, sig);
		left = true;
	}
	return left;
}

static void wait_all(struct plan *plan)
{
	const struct timespec nap = { .tv_nsec = POLL_NS };
	long waited = 0;
	int status;
	pid_t pid;

	while (signal_all(plan, 0) && waited < (long)PROGRAM_GRACE_NS) {
		while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
			program_reaped(plan, pid, status);
		nanosleep(&nap, NULL);
		waited += POLL_NS;
	}
}

void program_finish(struct plan *plan)
{
	size_t i;

	if (signal_all(plan, SIGTERM))
		wait_all(plan);
	if (signal_all(plan, SIGKILL))
		wait_all(plan);
	/* Children that have outlived a program. */
	for (i = 0; i < plan->program_count; i++)
		if (plan->programs[i].pid > 0)
			kill(-plan->programs[i].pid, SIGKILL);
	files_keep(plan);
}
