// SPDX-License-Identifier: GPL-2.0
/* Loaded into a lab kernel before it starts: how often it asks the host about a program, in
 * ptrace(), waits for one to stop, and asks for what libc has no function for. At its end
 * it writes the three numbers to the file that HOST_CALLS names.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static unsigned long traces, waits, others;
static pid_t kernel;

static void *next(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

long ptrace(enum __ptrace_request request, ...)
{
	static long (*real)(enum __ptrace_request request, ...);
	va_list words;
	void *address, *data;
	pid_t pid;

	va_start(words, request);
	pid = va_arg(words, pid_t);
	address = va_arg(words, void *);
	data = va_arg(words, void *);
	va_end(words);
	if (!real)
		*(void **)&real = next("ptrace");
	traces++;
	return real(request, pid, address, data);
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	static pid_t (*real)(pid_t pid, int *status, int options);

	if (!real)
		*(void **)&real = next("waitpid");
	waits++;
	return real(pid, status, options);
}

long syscall(long number, ...)
{
	static long (*real)(long number, ...);
	long word[6];
	va_list words;
	int i;

	va_start(words, number);
	for (i = 0; i < 6; i++)
		word[i] = va_arg(words, long);
	va_end(words);
	if (!real)
		*(void **)&real = next("syscall");
	others++;
	return real(number, word[0], word[1], word[2], word[3], word[4], word[5]);
}

__attribute__((constructor)) static void begin(void)
{
	kernel = getpid();
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("HOST_CALLS");
	FILE *f = path && getpid() == kernel ? fopen(path, "w") : NULL;

	if (!f)
		return;
	fprintf(f, "%lu %lu %lu\n", traces, waits, others);
	fclose(f);
}
