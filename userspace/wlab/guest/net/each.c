// SPDX-License-Identifier: GPL-2.0
/*
 * Loaded into ip and tc before they start: one process works through a batch in each
 * namespace of a network. In the guest a process costs as much as hundreds of lines of a
 * batch, nearly all of it exec() and the dynamic loader, whose pages come one at a time.
 *
 * Both open their socket at the start of a batch and close it at the end, so main() can be
 * called again in the next namespace. Their state between calls is valid in all namespaces,
 * options and plugins, but for the indices of devices: those of a network are unique, those of
 * devices that programs make are not.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netns.h"

static int (*program)(int argc, char **argv, char **env);
/* The current namespace. */
static const char *place;

/* Many errors end the program, whose message lacks the namespace. */
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

/* Lets it forget the names of this namespace's devices. */
static void forget(void)
{
	void (*drop)(unsigned int index);
	struct if_nameindex *all = if_nameindex(), *one;

	*(void **)&drop = dlsym(RTLD_DEFAULT, "ll_drop_by_index");
	if (!all || !drop)
		return;
	for (one = all; one->if_index; one++)
		drop(one->if_index);
	if_freenameindex(all);
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
		forget();
		/* Some options count their occurrences. */
		argv[1] = argv[argc - 2];
		argc = 3;
		argv[argc] = NULL;
	}
	return 0;
}

/* Replaces the C library's function, to call in_each() in place of main(). */
int __libc_start_main(int (*main_function)(int, char **, char **), int argc,
		      char **argv, void (*init)(void), void (*fini)(void),
		      void (*loader_fini)(void), void *stack_end)
{
	typeof(__libc_start_main) *start;

	*(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
	program = main_function;
	return start(in_each, argc, argv, init, fini, loader_fini, stack_end);
}
