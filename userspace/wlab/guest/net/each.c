// SPDX-License-Identifier: GPL-2.0
/*
 * Loaded into ip and tc before they start: one process works through a batch in each
 * namespace of a network. In the guest a process costs as much as hundreds of lines of a
 * batch, nearly all of it exec() and the dynamic loader, whose pages come one at a time.
 *
 * Both open their socket when a batch begins and close it when it ends, so main() is called
 * again in the next namespace. What they keep between the calls holds in all namespaces:
 * options, plugins, and which index a device has, for no two devices of a network share one.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netns.h"

static int (*program)(int argc, char **argv, char **env);
/* Where it is at work. */
static const char *place;

/* Many errors end the program, and it cannot say where. */
static void tell_place(void)
{
	if (place)
		fprintf(stderr, "in %s\n", place);
}

static void enter(void)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), NETNS_DIR "/%s", place);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET)) {
		fprintf(stderr, "enter %s: %s\n", path, strerror(errno));
		exit(1);
	}
	close(fd);
}

/* The last two words are "-batch FILE"; that of a namespace is called FILE.NAMESPACE. */
static int in_each(int argc, char **argv, char **env)
{
	const char *batch = argv[argc - 1];
	char *names = getenv(EACH_NAMES);
	char file[256];
	int status;

	atexit(tell_place);
	for (place = strtok(names, " "); place; place = strtok(NULL, " ")) {
		snprintf(file, sizeof(file), "%s.%s", batch, place);
		if (access(file, F_OK))
			continue;
		enter();
		argv[argc - 1] = file;
		status = program(argc, argv, env);
		if (status)
			return status;
		/* Some options count how often they are said. */
		argv[1] = argv[argc - 2];
		argc = 3;
		argv[argc] = NULL;
	}
	return 0;
}

/* In place of the C library's: what it is to call is in_each(), as main(). */
int __libc_start_main(int (*main_function)(int, char **, char **), int argc,
		      char **argv, void (*init)(void), void (*fini)(void),
		      void (*loader_fini)(void), void *stack_end)
{
	typeof(__libc_start_main) *start;

	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	program = main_function;
	return start(in_each, argc, argv, init, fini, loader_fini, stack_end);
}
