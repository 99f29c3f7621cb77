// SPDX-License-Identifier: GPL-2.0
/* wlab-keep FD CMD ARGS...: runs a lab kernel, on the host. When the other end
 * of FD is closed, as it is when wlab dies in whatever way, it kills the kernel
 * and the host processes that carry the guest's programs; these would go on
 * running without their kernel.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

static void on_child(int number)
{
	(void)number;
}

int main(int argc, char **argv)
{
	const struct sigaction act = { .sa_handler = on_child };
	struct pollfd gone = { .events = POLLHUP };
	sigset_t chld, before;
	int status;
	pid_t pid;

	if (argc < 3)
		return 2;
	gone.fd = atoi(argv[1]);
	sigemptyset(&chld);
	sigaddset(&chld, SIGCHLD);
	sigprocmask(SIG_BLOCK, &chld, &before);
	sigaction(SIGCHLD, &act, NULL);
	pid = fork();
	if (pid < 0)
		return 2;
	if (!pid) {
		/* All that UML starts stays in this group. */
		setsid();
		close(gone.fd);
		sigprocmask(SIG_SETMASK, &before, NULL);
		execv(argv[2], argv + 2);
		fprintf(stderr, "wlab-keep: %s: %s\n", argv[2],
			strerror(errno));
		_exit(127);
	}
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (ppoll(&gone, 1, NULL, &before) > 0)
			break;
	}
	kill(-pid, SIGKILL);
	return 0;
}
