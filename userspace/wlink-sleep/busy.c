// SPDX-License-Identifier: GPL-2.0
/* Not sleeping at all: looking at the clock until the time has come. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "machine.h"
#include "sleep.h"

bool begin_busy(struct state *s)
{
	s->fd = -1;
	if (clock_moves(s->one_look_ns))
		return true;
	snprintf(s->why, sizeof(s->why),
		 "the clock moves %.3g ns a look: virtual time, in which waiting takes no time",
		 s->one_look_ns);
	return false;
}

bool nap_busy(struct state *s, int64_t ns)
{
	int64_t until = now_ns() + ns;

	(void)s;
	while (now_ns() < until)
		;
	return true;
}

/* An event loop with one source of events that has none to give. */
bool begin_busy_epoll(struct state *s)
{
	struct epoll_event ev = { .events = EPOLLIN };

	if (!begin_busy(s))
		return false;
	s->other = epoll_create1(EPOLL_CLOEXEC);
	s->fd = eventfd(0, EFD_CLOEXEC);
	if (s->other >= 0 && s->fd >= 0 && !epoll_ctl(s->other, EPOLL_CTL_ADD, s->fd, &ev))
		return true;
	snprintf(s->why, sizeof(s->why), "epoll: %s", strerror(errno));
	end_busy_epoll(s);
	return false;
}

/* Pending events first, then a look at the clock: the papers' mev_later. */
bool nap_busy_epoll(struct state *s, int64_t ns)
{
	int64_t until = now_ns() + ns;
	struct epoll_event ev;

	while (now_ns() < until) {
		if (epoll_wait(s->other, &ev, 1, 0)) {
			snprintf(s->why, sizeof(s->why), "epoll_wait: %s", strerror(errno));
			return false;
		}
	}
	return true;
}

void end_busy_epoll(struct state *s)
{
	if (s->other >= 0)
		close(s->other);
	close_fd(s);
}
