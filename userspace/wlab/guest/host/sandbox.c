// SPDX-License-Identifier: GPL-2.0
/* A lab kernel is an ordinary process whose user is root inside: a program that
 * takes control of it can make any system call. So the host restricts what it can
 * write: by mounts that it cannot change, or where the host refuses namespaces by Landlock.
 * Neither restricts sockets, so it has none.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/capability.h>
#include <linux/securebits.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox.h"

#define SPACES (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC)

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		sandbox_forbidden("write", path);
	close(fd);
}

/* Ids are mapped to themselves, so that files have the same owners. */
static void keep_ids(uid_t uid, gid_t gid)
{
	char line[64];

	put("/proc/self/setgroups", "deny");
	snprintf(line, sizeof(line), "%u %u 1", uid, uid);
	put("/proc/self/uid_map", line);
	snprintf(line, sizeof(line), "%u %u 1", gid, gid);
	put("/proc/self/gid_map", line);
}

static void set_attr(const char *path, unsigned int flags, uint64_t set,
		     uint64_t clear)
{
	struct mount_attr attr = { .attr_set = set, .attr_clr = clear };

	if (syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attr,
		    sizeof(attr)))
		sandbox_forbidden("set mount", path);
}

/* Turns a folder into a mount, since only mounts can be writable or read-only. */
static void bind_self(const char *path)
{
	if (mount(path, path, NULL, MS_BIND | MS_REC, NULL))
		sandbox_forbidden("bind", path);
}

static void make_mounts(const struct sandbox *box)
{
	char **path;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		sandbox_forbidden("separate the mounts", "");
	for (path = box->writable; *path; path++)
		bind_self(*path);
	for (path = box->readonly; *path; path++)
		bind_self(*path);
	bind_self(SANDBOX_DEVICE);
	set_attr("/", AT_RECURSIVE,
		 MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOSUID, 0);
	set_attr(SANDBOX_DEVICE, 0, 0, MOUNT_ATTR_NODEV);
	for (path = box->writable; *path; path++)
		set_attr(*path, 0, 0, MOUNT_ATTR_RDONLY);
	if (box->memory &&
	    mount("wlab", box->memory, "tmpfs", MS_NODEV | MS_NOSUID,
		  "mode=700,size=100%"))
		sandbox_forbidden("mount memory on", box->memory);
}

/* Hides other processes of the host. */
static void hide_processes(int must)
{
	const unsigned long flags = MS_RDONLY | MS_NODEV | MS_NOSUID |
				    MS_NOEXEC;

	if (mount("proc", "/proc", "proc", flags, NULL) && must)
		sandbox_forbidden("mount", "/proc");
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[2] = { 0 };

	/* Otherwise root's exec() requests capabilities, which it does not get, but for
	 * which the kernel randomises addresses again.
	 */
	prctl(PR_SET_SECUREBITS, SECBIT_NOROOT, 0, 0, 0);
	/* Without new privileges root's programs cannot regain capabilities. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    syscall(SYS_capset, &head, none))
		sandbox_forbidden("drop capabilities", "");
}

/* Tries it in a child: a process that has got no further than a user namespace cannot go back. */
int sandbox_separates(void)
{
	int status;
	pid_t pid = fork();

	if (pid < 0)
		sandbox_forbidden("fork", "");
	if (!pid)
		_exit((unshare(CLONE_NEWUSER | SPACES) && unshare(SPACES)) ||
		      mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL));
	return waitpid(pid, &status, 0) == pid && !status;
}

/* Returns in the child, the first process of its namespace; the end of the child ends all
 * processes of the namespace, and the parent with its status.
 */
static void enter_namespaces(const struct sandbox *box)
{
	const uid_t uid = geteuid();
	const gid_t gid = getegid();
	int status, own_users;
	pid_t pid;

	own_users = !unshare(CLONE_NEWUSER | SPACES);
	/* Root on a host without user namespaces. */
	if (!own_users && unshare(SPACES))
		sandbox_forbidden("make a user namespace", "");
	if (own_users)
		keep_ids(uid, gid);
	make_mounts(box);
	pid = fork();
	if (pid < 0)
		sandbox_forbidden("fork", "");
	if (pid) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	hide_processes(!own_users);
}

void sandbox_enter(const struct sandbox *box)
{
	const int separate = !box->abi && sandbox_separates();
	int abi = box->abi;

	if (separate) {
		enter_namespaces(box);
	} else {
		if (!abi || abi > landlock_abi())
			abi = landlock_abi();
		landlock_enter(box, abi);
		filter_files(abi);
	}
	drop_capabilities();
	filter_servers();
	/* Without a namespace of processes the parent is wlab: when it has ended, this
	 * process has to end all others before itself.
	 */
	if (separate && prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		sandbox_forbidden("follow the parent", "");
}
