// SPDX-License-Identifier: GPL-2.0
/*
 * To be preloaded: a host with 11,008 bytes of registers, as with AMX. Its kernel gives as many
 * bytes of the state as are asked for, and takes no fewer than the whole (regset.c).
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>

#define STATE 11008

static long (*host)(int request, int pid, void *addr, void *data);
/* What this host really has. */
static size_t size;

static long get(int pid, void *addr, struct iovec *asked)
{
	struct iovec part = *asked;
	long ret = host(PTRACE_GETREGSET, pid, addr, &part);

	if (ret)
		return ret;
	size = part.iov_len;
	if (asked->iov_len > STATE)
		asked->iov_len = STATE;
	if (size < asked->iov_len)
		memset((char *)asked->iov_base + size, 0, asked->iov_len - size);
	return 0;
}

static long set(int pid, void *addr, const struct iovec *given)
{
	struct iovec part = { .iov_base = given->iov_base, .iov_len = size };

	if (given->iov_len < STATE) {
		errno = EFAULT;
		return -1;
	}
	return host(PTRACE_SETREGSET, pid, addr, &part);
}

long ptrace(enum __ptrace_request request, ...)
{
	void *addr, *data;
	va_list args;
	int pid;

	va_start(args, request);
	pid = va_arg(args, int);
	addr = va_arg(args, void *);
	data = va_arg(args, void *);
	va_end(args);
	if (!host)
		*(void **)&host = dlsym(RTLD_NEXT, "ptrace");
	if ((long)addr == NT_X86_XSTATE && request == PTRACE_GETREGSET)
		return get(pid, addr, data);
	if ((long)addr == NT_X86_XSTATE && request == PTRACE_SETREGSET)
		return set(pid, addr, data);
	return host(request, pid, addr, data);
}
