// SPDX-License-Identifier: GPL-2.0
/*
 * A guest without a kernel of its own, started by root: in namespaces of all
 * kinds, in which the machine's files are visible and read-only. The end of the first
 * process ends all others, and removes their network.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "container.h"

#define SPACES (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWUTS | \
		CLONE_NEWIPC)
/* The path of the machine's files while other mounts cover them. */
#define MACHINE "/dev/machine"

bool own_kernel = true;

void die(const char *what, const char *which)
{
	fprintf(stderr, "wlab: %s %s: %s\n", what, which, strerror(errno));
	if (own_kernel)
		reboot(RB_POWER_OFF);
	_exit(1);
}

void container_enter(void)
{
	struct mount_attr attr = {
		.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID,
	};
	int status;
	pid_t pid;

	own_kernel = false;
	if (unshare(SPACES))
		die("make", "namespaces");
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    syscall(SYS_mount_setattr, AT_FDCWD, "/", AT_RECURSIVE, &attr,
		    sizeof(attr)))
		die("make mounts", "private and read-only");
	pid = fork();
	if (pid < 0)
		die("fork", "");
	if (pid) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		die("follow", "the parent");
}

void container_keep_root(void)
{
	if (mkdir(MACHINE, 0700) ||
	    mount("/", MACHINE, NULL, MS_BIND | MS_REC, NULL))
		die("bind", MACHINE);
}

void container_bind(const char *path, const char *where, unsigned long flags)
{
	char from[4096];

	if (snprintf(from, sizeof(from), MACHINE "%s", path) >=
	    (int)sizeof(from))
		die("too long:", path);
	if (mount(from, where, NULL, MS_BIND, NULL) ||
	    mount(NULL, where, NULL, MS_REMOUNT | MS_BIND | flags, NULL))
		die("bind", path);
}

void container_drop_root(void)
{
	if (umount2(MACHINE, MNT_DETACH))
		die("unmount", MACHINE);
}
