// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "netns.h"
#include "program.h"
#include "spawn.h"

static int running;

/* Of "exec PROGRAM WORD...": no shell, which takes as long as the program. */
static void exec_plain(const char *command)
{
	char *words[32], *own, *word;
	size_t n = 0;

	if (strncmp(command, "exec ", 5) ||
	    strpbrk(command, "'\"$`\\;&|<>*?[](){}#~=!\t\n"))
		return;
	own = strdup(command + 5);
	if (!own)
		fail("out of memory");
	for (word = strtok(own, " "); word; word = strtok(NULL, " ")) {
		if (n == sizeof(words) / sizeof(words[0]) - 1)
			return;
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
	/* From the start on, programs that start take the run's random numbers. */
	if (step->kind == STEP_PREPARE || step->kind == STEP_SHOW)
		exec_plain(step->command);
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
		/* What a person does by hand is for that person to judge. */
		if (kind == STEP_HOLD)
			exit(WIFEXITED(status) ? WEXITSTATUS(status) :
						 128 + WTERMSIG(status));
		judge(status, s->command);
	}
}

/* Of timed commands, to name the one that fails. */
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
