// SPDX-License-Identifier: GPL-2.0
/* Loads on the machine: processes of our own that end with us. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <linux/magic.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "load.h"

const char *const load_names[LOADS] = { "idle", "cpu", "disk", "paging" };

#define DISK_WRITERS 2
#define BLOCK (1L << 20)

static void __attribute__((noreturn)) load_cpu(void)
{
	for (;;)
		;
}

/* Writes its file again and again, each block down to the disk. */
static void __attribute__((noreturn)) load_disk(int fd)
{
	static char block[BLOCK];
	off_t at = 0;

	memset(block, 0x5a, sizeof(block));
	for (;;) {
		if (pwrite(fd, block, BLOCK, at) != BLOCK || fdatasync(fd))
			_exit(1);
		at = (at + BLOCK) % LOAD_FILE_BYTES;
	}
}

/* A file without a name, so that nothing is left however we end. */
static int nameless(const char *dir, char *why, size_t size)
{
	char path[4096];
	int fd;

	snprintf(path, sizeof(path), "%s/wlink-sleep.XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0) {
		snprintf(why, size, "no file in %s: %s", dir, strerror(errno));
		return -1;
	}
	unlink(path);
	return fd;
}

/* Room for the loaders' files, on something that is a disk. */
static bool disk_at(const char *dir, size_t files, char *why, size_t size)
{
	struct statfs st;
	double room;

	if (statfs(dir, &st)) {
		snprintf(why, size, "%s: %s", dir, strerror(errno));
		return false;
	}
	if (st.f_type == TMPFS_MAGIC || st.f_type == RAMFS_MAGIC) {
		snprintf(why, size, "%s is memory and no disk; name one with --dir", dir);
		return false;
	}
	room = (double)st.f_bavail * (double)st.f_bsize;
	if (room < 1.1 * LOAD_FILE_BYTES * (double)files) {
		snprintf(why, size, "%s has %.0f MB of room, %.0f MB are needed", dir, room / 1e6,
			 1.1 * LOAD_FILE_BYTES * (double)files / 1e6);
		return false;
	}
	return true;
}

static bool start_one(enum load load, int fd, const atomic_int *sleeper, struct loaders *l)
{
	pid_t us = getpid(), pid = fork();

	if (pid < 0)
		return false;
	if (pid > 0) {
		l->pid[l->n++] = pid;
		return true;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
	if (getppid() != us)
		_exit(1);
	signal(SIGINT, SIG_IGN);
	if (load == LOAD_CPU)
		load_cpu();
	if (load == LOAD_DISK)
		load_disk(fd);
	load_paging(fd, sleeper);
}

bool load_start(enum load load, const struct machine *m, const char *dir,
		const atomic_int *sleeper, struct loaders *l, char *why, size_t size)
{
	size_t i, n = load == LOAD_CPU ? (size_t)m->cpus : load == LOAD_DISK ? DISK_WRITERS : 1;
	struct timespec settle = { .tv_nsec = 200000000 };

	l->n = 0;
	if (load == LOAD_IDLE)
		return true;
	if (!clock_moves(m->one_look_ns)) {
		snprintf(why, size,
			 "a load holds virtual time: the clock moves only while all sleep");
		return false;
	}
	if (load != LOAD_CPU && !disk_at(dir, n, why, size))
		return false;
	for (i = 0; i < n && i < MAX_LOADERS; i++) {
		int fd = load == LOAD_CPU ? -1 : nameless(dir, why, size);
		bool ok = (load == LOAD_CPU || fd >= 0) && start_one(load, fd, sleeper, l);

		if (fd >= 0)
			close(fd);
		if (!ok) {
			if (load == LOAD_CPU || fd >= 0)
				snprintf(why, size, "fork: %s", strerror(errno));
			load_stop(l);
			return false;
		}
	}
	nanosleep(&settle, NULL);
	if (!load_lives(l)) {
		load_stop(l);
		snprintf(why, size, "the load ended at once; is there room in %s?", dir);
		return false;
	}
	return true;
}

bool load_lives(const struct loaders *l)
{
	siginfo_t gone = { 0 };
	size_t i;

	for (i = 0; i < l->n; i++) {
		gone.si_pid = 0;
		if (waitid(P_PID, l->pid[i], &gone, WEXITED | WNOHANG | WNOWAIT) || gone.si_pid)
			return false;
	}
	return true;
}

void load_stop(struct loaders *l)
{
	size_t i;

	for (i = 0; i < l->n; i++)
		kill(l->pid[i], SIGKILL);
	for (i = 0; i < l->n; i++)
		waitpid(l->pid[i], NULL, 0);
	l->n = 0;
}
