// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "lib/signals.h"
#include "wlinkctl.h"

int signals_open(struct signals *signals, const int *numbers, size_t n)
{
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < n; i++)
		sigaddset(&set, numbers[i]);
	sigprocmask(SIG_BLOCK, &set, &signals->old);
	signals->fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (signals->fd >= 0)
		return EXIT_DONE;
	complain("no signals: %s", strerror(errno));
	sigprocmask(SIG_SETMASK, &signals->old, NULL);
	return EXIT_REFUSED;
}

int signals_next(const struct signals *signals)
{
	struct signalfd_siginfo info;

	if (read(signals->fd, &info, sizeof(info)) != sizeof(info))
		return 0;
	return (int)info.ssi_signo;
}

void signals_close(struct signals *signals)
{
	while (signals_next(signals))
		;
	close(signals->fd);
	sigprocmask(SIG_SETMASK, &signals->old, NULL);
}
