// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "container.h"
#include "job.h"

/* A folder can be missing only below one of the guest's tmpfs. */
static void make_path(const char *path)
{
	char part[4096];
	char *slash;

	if (snprintf(part, sizeof(part), "%s", path) >= (int)sizeof(part))
		die("too long:", path);
	for (slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(part, 0755);
		*slash = '/';
	}
	mkdir(part, 0755);
}

void job_bring(const char *path, const char *where, unsigned long flags)
{
	make_path(where);
	if (!own_kernel)
		container_bind(path, where, flags | MS_NOSUID);
	else if (mount("none", where, "hostfs", flags | MS_NOSUID, path))
		die("mount", path);
}

static char *slurp(const char *path, size_t *size)
{
	FILE *f = fopen(path, "r");
	char *text;
	struct stat st;

	if (!f || fstat(fileno(f), &st))
		die("open", path);
	text = calloc(1, (size_t)st.st_size + 1);
	if (!text || fread(text, 1, (size_t)st.st_size, f) != (size_t)st.st_size)
		die("read", path);
	fclose(f);
	*size = (size_t)st.st_size;
	return text;
}

static void insert(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || syscall(SYS_finit_module, fd, "", 0))
		die("insert module", path);
	close(fd);
}

static void append(char ***list, size_t *count, char *word)
{
	char **longer = realloc(*list, (*count + 2) * sizeof(*longer));

	if (!longer)
		die("out of memory", "");
	longer[(*count)++] = word;
	longer[*count] = NULL;
	*list = longer;
}

void job_read(struct job *job)
{
	size_t size, envs = 0, args = 0;
	char *p, *end, *text = slurp(JOB_DIR "/job", &size);

	for (p = text, end = text + size; p < end; p += strlen(p) + 1) {
		char *value = strchr(p, '=');

		if (!value)
			die("bad record", p);
		*value++ = '\0';
		if (!strcmp(p, "rw"))
			job_bring(value, value, 0);
		else if (!strcmp(p, "ro"))
			job_bring(value, value, MS_RDONLY);
		else if (!strcmp(p, "tools"))
			job_bring(value, TOOLS_DIR, MS_RDONLY);
		else if (!strcmp(p, "module"))
			insert(value);
		else if (!strcmp(p, "env"))
			append(&job->env, &envs, value);
		else if (!strcmp(p, "arg"))
			append(&job->args, &args, value);
		else if (!strcmp(p, "cwd"))
			job->cwd = value;
		else if (!strcmp(p, "tty"))
			job->tty = value;
		else if (!strcmp(p, "out"))
			job->out = value;
		else if (!strcmp(p, "err"))
			job->err = value;
		else
			die("unknown record", p);
		p = value;
	}
}

static int open_raw(const char *path)
{
	struct termios t;
	int fd = open(path, O_RDWR | O_NOCTTY);

	if (fd < 0)
		die("open", path);
	if (isatty(fd) && !tcgetattr(fd, &t)) {
		cfmakeraw(&t);
		tcsetattr(fd, TCSANOW, &t);
	}
	return fd;
}

static void take_files(const struct job *job)
{
	int fd;

	if (job->tty) {
		fd = open(job->tty, O_RDWR);
		if (fd < 0 || ioctl(fd, TIOCSCTTY, 0))
			die("take terminal", job->tty);
		dup2(fd, 0);
		dup2(fd, 1);
		dup2(fd, 2);
		return;
	}
	dup2(open("/dev/null", O_RDONLY), 0);
	if (job->out)
		dup2(open_raw(job->out), 1);
	if (job->err)
		dup2(open_raw(job->err), 2);
}

static void drain(const char *path)
{
	int fd = path ? open(path, O_RDWR | O_NOCTTY) : -1;

	if (fd >= 0) {
		tcdrain(fd);
		close(fd);
	}
}

int job_run(const struct job *job)
{
	pid_t got, pid;
	int status;

	if (!job->args)
		die("no", "command");
	pid = fork();
	if (pid < 0)
		die("fork for", job->args[0]);
	if (!pid) {
		setsid();
		take_files(job);
		if (job->cwd && chdir(job->cwd))
			dprintf(2, "wlab: cannot enter %s: %s\n", job->cwd,
				strerror(errno));
		environ = job->env;
		execvp(job->args[0], job->args);
		dprintf(2, "wlab: cannot run %s: %s\n", job->args[0],
			strerror(errno));
		_exit(errno == ENOENT ? 127 : 126);
	}
	do {
		got = wait(&status);
	} while (got != pid && (got > 0 || errno == EINTR));
	drain(job->out);
	drain(job->err);
	drain(job->tty);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
