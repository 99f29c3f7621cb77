// SPDX-License-Identifier: GPL-2.0
/* Not sleeping at all: looking at the clock until the time has come. */
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "sleep.h"

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

	s->other = epoll_create1(EPOLL_CLOEXEC);
	s->fd = eventfd(0, EFD_CLOEXEC);
	return (s->other >= 0 && s->fd >= 0 && !epoll_ctl(s->other, EPOLL_CTL_ADD, s->fd, &ev)) ||
	       failed(s, "epoll");
}

/* Pending events first, then a look at the clock: the papers' mev_later. */
bool nap_busy_epoll(struct state *s, int64_t ns)
{
	int64_t until = now_ns() + ns;
	struct epoll_event ev;

	while (now_ns() < until)
		if (epoll_wait(s->other, &ev, 1, 0))
			return failed(s, "epoll_wait");
	return true;
}
