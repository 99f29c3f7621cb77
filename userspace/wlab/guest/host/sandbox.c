// SPDX-License-Identifier: GPL-2.0
/* A lab kernel is an ordinary process whose user is root inside: a program that
 * takes control of it can make any system call. So the host restricts what it can
 * write, by mounts that it cannot change; mounts do not restrict sockets, so it has none.
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
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "sandbox.h"

/* The only device that a lab kernel opens. */
#define DEVICE "/dev/null"
#define SPACES (CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC)

static void forbidden(const char *what, const char *which)
{
	fprintf(stderr, "wlab-keep: %s%s%s: %s\n", what, *which ? " " : "",
		which, strerror(errno));
	exit(SANDBOX_FORBIDDEN);
}

static void put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		forbidden("write", path);
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
		forbidden("set mount", path);
}

/* Turns a folder into a mount, since only mounts can be writable or read-only. */
static void bind_self(const char *path)
{
	if (mount(path, path, NULL, MS_BIND | MS_REC, NULL))
		forbidden("bind", path);
}

static void make_mounts(const struct sandbox *box)
{
	char **path;

	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		forbidden("separate the mounts", "");
	for (path = box->writable; *path; path++)
		bind_self(*path);
	for (path = box->readonly; *path; path++)
		bind_self(*path);
	bind_self(DEVICE);
	set_attr("/", AT_RECURSIVE,
		 MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOSUID, 0);
	set_attr(DEVICE, 0, 0, MOUNT_ATTR_NODEV);
	for (path = box->writable; *path; path++)
		set_attr(*path, 0, 0, MOUNT_ATTR_RDONLY);
	if (box->memory &&
	    mount("wlab", box->memory, "tmpfs", MS_NODEV | MS_NOSUID,
		  "mode=700,size=100%"))
		forbidden("mount memory on", box->memory);
}

/* Hides other processes of the host. */
static void hide_processes(int must)
{
	const unsigned long flags = MS_RDONLY | MS_NODEV | MS_NOSUID |
				    MS_NOEXEC;

	if (mount("proc", "/proc", "proc", flags, NULL) && must)
		forbidden("mount", "/proc");
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
		forbidden("drop capabilities", "");
}

#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(op, k, yes, no) BPF_JUMP(BPF_JMP | (op) | BPF_K, k, yes, no)
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE(error) ANSWER(SECCOMP_RET_ERRNO | (error))
#define REFUSE_CALL(nr) IF(BPF_JEQ, nr, 0, 1), REFUSE(EPERM)
#define X32_BIT 0x40000000U

/*
 * Forbids access to servers of the host, which could act for it: sockets other
 * than pairs (a pair of datagrams can send to any address), and io_uring, which
 * creates sockets without system calls. Forbids user namespaces, in which it
 * would have capabilities again; a filter cannot see the flags of clone3, and libraries
 * work without it.
 */
static void filter_calls(void)
{
	struct sock_filter code[] = {
		LOAD(arch),
		IF(BPF_JEQ, AUDIT_ARCH_X86_64, 1, 0),
		REFUSE(EPERM),
		LOAD(nr),
		IF(BPF_JGE, X32_BIT, 0, 1),
		REFUSE(EPERM),
		REFUSE_CALL(SYS_socket),
		REFUSE_CALL(SYS_connect),
		REFUSE_CALL(SYS_io_uring_setup),
		REFUSE_CALL(SYS_unshare),
		REFUSE_CALL(SYS_setns),
		IF(BPF_JEQ, SYS_clone3, 0, 1),
		REFUSE(ENOSYS),
		IF(BPF_JEQ, SYS_clone, 0, 3),
		LOAD(args[0]),
		IF(BPF_JSET, CLONE_NEWUSER, 0, 5),
		REFUSE(EPERM),
		IF(BPF_JEQ, SYS_socketpair, 0, 3),
		LOAD(args[1]),
		IF(BPF_JSET, SOCK_DGRAM, 0, 1),
		REFUSE(EPERM),
		ANSWER(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(code) / sizeof(code[0]),
		.filter = code,
	};

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program))
		forbidden("filter system calls", "");
}

void sandbox_enter(const struct sandbox *box)
{
	const uid_t uid = geteuid();
	const gid_t gid = getegid();
	int status, own_users;
	pid_t pid;

	own_users = !unshare(CLONE_NEWUSER | SPACES);
	/* Root on a host without user namespaces. */
	if (!own_users && unshare(SPACES))
		forbidden("make a user namespace", "");
	if (own_users)
		keep_ids(uid, gid);
	make_mounts(box);
	pid = fork();
	if (pid < 0)
		forbidden("fork", "");
	if (pid) {
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
	}
	hide_processes(!own_users);
	drop_capabilities();
	filter_calls();
	if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0))
		forbidden("follow the parent", "");
}
