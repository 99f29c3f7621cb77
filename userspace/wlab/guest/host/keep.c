// SPDX-License-Identifier: GPL-2.0
/* wlab-keep [-w FOLDER | -r FOLDER]... [-m FOLDER] [-l ABI] [-t FOLDER] FD CMD ARGS...: runs a lab
 * kernel, or another guest, on the host. When the other end of FD is closed, also because
 * wlab was killed, it kills the guest and all host processes that it has started:
 * for a lab kernel those that carry the guest's programs, and the one that watches the
 * size of a terminal. These would continue to run without their kernel.
 *
 * With -w, -r or -m the command is sandboxed: it can write only the folders
 * of -w, without those of -r, and that of -m, which is in memory where the host allows
 * namespaces. -l: Landlock even there, of at most this ABI.
 * wlab-keep -p: prints the fences that this host allows.
 * At the end -t, the guest's instance of tracefs, is removed.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "sandbox.h"

static void on_child(int number)
{
	(void)number;
}

/* Most are in the kernel's group. The one that watches a terminal has a session of
 * its own; as an orphan it becomes a child of this process.
 */
static void kill_all(pid_t group)
{
	char path[64];
	FILE *f;
	int pid;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", getpid());
	kill(-group, SIGKILL);
	do {
		f = fopen(path, "r");
		if (!f)
			return;
		while (fscanf(f, "%d", &pid) == 1)
			kill(pid, SIGKILL);
		fclose(f);
		/* Each of them may leave orphans in turn. */
	} while (wait(NULL) > 0);
}

static void print_fences(void)
{
	if (sandbox_separates())
		puts("namespaces");
	if (landlock_abi() > 0)
		puts("landlock");
	exit(0);
}

/* Return: the index of the first word that is not an option. */
static int options(int argc, char **argv, struct sandbox *box,
		   const char **traced)
{
	int writable = 0, readonly = 0, option;

	box->writable = calloc((size_t)argc, sizeof(char *));
	box->readonly = calloc((size_t)argc, sizeof(char *));
	if (!box->writable || !box->readonly)
		exit(2);
	while ((option = getopt(argc, argv, "+w:r:m:l:t:p")) != -1) {
		if (option == 'w')
			box->writable[writable++] = optarg;
		else if (option == 'r')
			box->readonly[readonly++] = optarg;
		else if (option == 'm')
			box->memory = optarg;
		else if (option == 'l')
			box->abi = atoi(optarg);
		else if (option == 't')
			*traced = optarg;
		else if (option == 'p')
			print_fences();
		else
			exit(2);
	}
	return optind;
}

int main(int argc, char **argv)
{
	const struct sigaction act = { .sa_handler = on_child };
	struct pollfd gone = { .events = POLLHUP };
	const char *traced = NULL;
	struct sandbox box = { 0 };
	sigset_t chld, before;
	int first, status;
	pid_t pid;

	first = options(argc, argv, &box, &traced);
	argv += first;
	if (argc - first < 2)
		return 2;
	gone.fd = atoi(argv[0]);
	if (*box.writable || *box.readonly || box.memory)
		sandbox_enter(&box);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, &before);
	sigaction(SIGCHLD, &act, NULL);
	if (prctl(PR_SET_CHILD_SUBREAPER, 1))
		return 2;
	pid = fork();
	if (pid < 0)
		return 2;
	if (!pid) {
		/* All processes of UML stay in this group. */
		setsid();
		close(gone.fd);
		/* The kernel's memory is at the same addresses in each boot. */
		personality(ADDR_NO_RANDOMIZE);
		sigprocmask(SIG_SETMASK, &before, NULL);
		execv(argv[1], argv + 1);
		fprintf(stderr, "wlab-keep: %s: %s\n", argv[1],
			strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (ppoll(&gone, 1, NULL, &before) > 0)
			break;
	}
	kill_all(pid);
	if (traced)
		rmdir(traced);
	return 0;
}
