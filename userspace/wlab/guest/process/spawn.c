// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "batch.h"
#include "init/job.h"
#include "net/netns.h"
#include "program.h"
#include "spawn.h"

static int running;

/* Runs a program that loads net/each.c; it starts in the initial namespace. */
static void exec_each(const struct plan *plan, const char *command)
{
	char *words[8], *own, *names, *at, *word;
	size_t size = 1, n = 0;
	int i;

	for (i = 0; i < plan->ns_count; i++)
		size += strlen(plan->ns_name[i]) + 1;
	own = strdup(command);
	names = calloc(1, size);
	if (!own || !names)
		fail("out of memory");
	for (i = 0, at = names; i < plan->ns_count; i++)
		at += sprintf(at, "%s ", plan->ns_name[i]);
	setenv(EACH_NAMES, names, 1);
	setenv("LD_PRELOAD", TOOLS_DIR "/bin/wlab-each.so", 1);
	for (word = strtok(own, " "); word; word = strtok(NULL, " ")) {
		if (n == sizeof(words) / sizeof(words[0]) - 1)
			fail("too many words: %s", command);
		words[n++] = word;
	}
	words[n] = NULL;
	execvp(words[0], words);
	fail("%s: %s", words[0], strerror(errno));
}

static pid_t start(const struct plan *plan, const struct step *step)
{
	char path[256];
	pid_t pid;
	int fd;

	pid = fork();
	if (pid < 0)
		fail("fork: %s", strerror(errno));
	if (pid)
		return pid;
	if (step->ns != NS_EACH)
		netns_enter(plan, step->ns);
	if (step->file) {
		snprintf(path, sizeof(path), "%s/%s", plan->out, step->file);
		fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
		if (fd < 0)
			fail("%s: %s", path, strerror(errno));
		dup2(fd, 1);
		close(fd);
	} else if (step->kind != STEP_HOLD) {
		dup2(2, 1);
	}
	if (step->ns == NS_EACH)
		exec_each(plan, step->command);
	execl("/bin/sh", "sh", "-c", step->command, NULL);
	fail("/bin/sh: %s", strerror(errno));
}

static void judge(int status, const char *command)
{
	if (WIFSIGNALED(status))
		fail("signal %d (%s) ended the command: %s", WTERMSIG(status),
		     strsignal(WTERMSIG(status)), command);
	if (WEXITSTATUS(status))
		fail("exit status %d of the command: %s", WEXITSTATUS(status),
		     command);
}

void spawn_steps(const struct plan *plan, enum step_kind kind)
{
	int status;
	size_t i;
	pid_t pid;

	for (i = 0; i < plan->step_count; i++) {
		const struct step *s = &plan->steps[i];

		if (s->kind != kind)
			continue;
		pid = start(plan, s);
		while (waitpid(pid, &status, 0) < 0)
			if (errno != EINTR)
				fail("wait: %s", strerror(errno));
		/* The exit status of an interactive command is not an error. */
		if (kind == STEP_HOLD)
			exit(WIFEXITED(status) ? WEXITSTATUS(status) :
						 128 + WTERMSIG(status));
		judge(status, s->command);
	}
}

/* The running timed commands, to name one that fails. */
static struct {
	pid_t pid;
	const char *command;
} timed[256];

void spawn_start(const struct plan *plan, const struct step *step)
{
	size_t i;

	for (i = 0; i < sizeof(timed) / sizeof(timed[0]); i++) {
		if (timed[i].pid)
			continue;
		timed[i].command = step->command;
		timed[i].pid = start(plan, step);
		running++;
		return;
	}
	fail("too many timed commands at once");
}

void spawn_reap(struct plan *plan, bool wait)
{
	const char *command = "?";
	int status;
	size_t i;
	pid_t pid;

	while ((running || plan->program_count) &&
	       (pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (program_reaped(plan, pid, status))
			continue;
		batch_reaped(plan, pid);
		running--;
		for (i = 0; i < sizeof(timed) / sizeof(timed[0]); i++) {
			if (timed[i].pid != pid)
				continue;
			command = timed[i].command;
			timed[i].pid = 0;
		}
		judge(status, command);
	}
	for (i = 0; wait && i < sizeof(timed) / sizeof(timed[0]); i++)
		if (timed[i].pid)
			fail("still going at the end of the run: %s",
			     timed[i].command);
}
