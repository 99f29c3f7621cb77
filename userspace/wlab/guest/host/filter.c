// SPDX-License-Identifier: GPL-2.0
/* What no file system restricts: system calls. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "sandbox.h"

#define LOAD(field) \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF(op, k, yes, no) BPF_JUMP(BPF_JMP | (op) | BPF_K, k, yes, no)
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, what)
#define REFUSE(error) ANSWER(SECCOMP_RET_ERRNO | (error))
#define REFUSE_CALL(nr) IF(BPF_JEQ, nr, 0, 1), REFUSE(EPERM)
#define X32_BIT 0x40000000U
#define FILTER(code) filter_add(code, sizeof(code) / sizeof((code)[0]))

/* Newer than the headers of Debian 12. */
#define CALL_FCHMODAT2		452
#define CALL_SETXATTRAT		463
#define CALL_REMOVEXATTRAT	466
#define CALL_FILE_SETATTR	469

void sandbox_forbidden(const char *what, const char *which)
{
	fprintf(stderr, "wlab-keep: %s%s%s: %s\n", what, *which ? " " : "",
		which, strerror(errno));
	exit(SANDBOX_FORBIDDEN);
}

static void filter_add(struct sock_filter *code, size_t length)
{
	struct sock_fprog program = { .len = (unsigned short)length, .filter = code };

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
		    SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program))
		sandbox_forbidden("filter system calls", "");
}

/*
 * Forbids access to servers of the host, which could act for it: sockets other
 * than pairs (a pair of datagrams can send to any address), and io_uring, which
 * creates sockets without system calls. Forbids user namespaces, in which it
 * would have capabilities again; a filter cannot see the flags of clone3, and libraries
 * work without it.
 */
void filter_servers(void)
{
	static struct sock_filter code[] = {
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

	FILTER(code);
}

/* What Landlock does not restrict of files that the caller owns. */
static void filter_attributes(void)
{
	static struct sock_filter code[] = {
		LOAD(nr),
		REFUSE_CALL(SYS_chmod),
		REFUSE_CALL(SYS_fchmod),
		REFUSE_CALL(SYS_fchmodat),
		REFUSE_CALL(CALL_FCHMODAT2),
		REFUSE_CALL(SYS_chown),
		REFUSE_CALL(SYS_lchown),
		REFUSE_CALL(SYS_fchown),
		REFUSE_CALL(SYS_fchownat),
		REFUSE_CALL(SYS_utime),
		REFUSE_CALL(SYS_utimes),
		REFUSE_CALL(SYS_futimesat),
		REFUSE_CALL(SYS_utimensat),
		REFUSE_CALL(SYS_setxattr),
		REFUSE_CALL(SYS_lsetxattr),
		REFUSE_CALL(SYS_fsetxattr),
		REFUSE_CALL(SYS_removexattr),
		REFUSE_CALL(SYS_lremovexattr),
		REFUSE_CALL(SYS_fremovexattr),
		REFUSE_CALL(CALL_SETXATTRAT),
		REFUSE_CALL(CALL_REMOVEXATTRAT),
		REFUSE_CALL(CALL_FILE_SETATTR),
		ANSWER(SECCOMP_RET_ALLOW),
	};

	FILTER(code);
}

/* Before ABI 3 a file that is opened for reading can be truncated. */
static void filter_truncation(void)
{
	static struct sock_filter code[] = {
		LOAD(nr),
		REFUSE_CALL(SYS_truncate),
		IF(BPF_JEQ, SYS_openat2, 0, 1),
		REFUSE(ENOSYS),
		IF(BPF_JEQ, SYS_open, 0, 2),
		LOAD(args[1]),
		IF(BPF_JA, 2, 0, 0),
		IF(BPF_JEQ, SYS_openat, 0, 4),
		LOAD(args[2]),
		IF(BPF_JSET, O_TRUNC, 0, 2),
		IF(BPF_JSET, O_ACCMODE, 1, 0),
		REFUSE(EPERM),
		ANSWER(SECCOMP_RET_ALLOW),
	};

	FILTER(code);
}

void filter_files(int abi)
{
	filter_attributes();
	if (abi < 3)
		filter_truncation();
}
