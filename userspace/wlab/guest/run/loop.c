// SPDX-License-Identifier: GPL-2.0
/* The clock of a run, and what wakes its loop. */
#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "flow/flow.h"
#include "loop.h"
#include "plan.h"

static int epoll_fd = -1;
static int timer_fd = -1;
static uint64_t start_ns;
/* What CLOCK_REALTIME is ahead of CLOCK_MONOTONIC; nothing ever sets the clock. */
static int64_t real_ahead_ns;

/* A watched socket in one number for epoll: which flow, its tag, what for. */
#define FLOW_SHIFT 35U
#define TAG_SHIFT 3U
#define WHAT_MASK 7U
/* What is no socket: 0 for the timer, or this. */
#define PROCESS (1U << TAG_SHIFT)

static struct plan *current;

uint64_t mono_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000U + (uint64_t)ts.tv_nsec;
}

uint64_t run_now(void)
{
	return mono_ns() - start_ns;
}

uint64_t run_start_ns(void)
{
	return start_ns;
}

uint64_t run_end_ns(void)
{
	return current->duration_ns;
}

static void watch(int how, int fd, struct flow *flow, enum watch what,
		  uint32_t tag)
{
	static const uint32_t events[] = {
		[WATCH_LISTEN] = EPOLLIN,
		[WATCH_RECV] = EPOLLIN,
		[WATCH_SEND] = EPOLLOUT | EPOLLET,
		[WATCH_BOTH] = EPOLLIN | EPOLLOUT,
	};
	struct epoll_event ev = {
		.events = events[what],
		.data.u64 = (uint64_t)(flow - current->flows) << FLOW_SHIFT |
			    (uint64_t)tag << TAG_SHIFT | what,
	};

	if (epoll_ctl(epoll_fd, how, fd, &ev))
		fail("flow %s: epoll: %s", flow->name, strerror(errno));
}

void watch_add(int fd, struct flow *flow, enum watch what, uint32_t tag)
{
	watch(EPOLL_CTL_ADD, fd, flow, what, tag);
}

void watch_change(int fd, struct flow *flow, enum watch what, uint32_t tag)
{
	watch(EPOLL_CTL_MOD, fd, flow, what, tag);
}

int64_t run_stamp(const struct timespec *stamp)
{
	return stamp->tv_sec * 1000000000LL + stamp->tv_nsec - real_ahead_ns -
	       (int64_t)start_ns;
}

void clocks_compare(void)
{
	const int64_t before = (int64_t)mono_ns();
	struct timespec ts;

	clock_gettime(CLOCK_REALTIME, &ts);
	/* Halfway between two looks at the other clock. */
	real_ahead_ns = ts.tv_sec * 1000000000LL + ts.tv_nsec -
			(before + (int64_t)mono_ns()) / 2;
}

int watch_process(int pid)
{
	/* It only has to wake the loop, as the timer does. */
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET, .data.u64 = PROCESS };
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd < 0 || epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &ev))
		fail("watch process %d: %s", pid, strerror(errno));
	return fd;
}

void loop_timer(uint64_t at_ns)
{
	const struct itimerspec at = {
		.it_value.tv_sec = (time_t)(at_ns / 1000000000U),
		.it_value.tv_nsec = (long)(at_ns % 1000000000U),
	};

	if (timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &at, NULL))
		fail("timer: %s", strerror(errno));
}

void loop_start(uint64_t at_ns)
{
	uint64_t count;

	loop_timer(at_ns);
	if (read(timer_fd, &count, sizeof(count)) != sizeof(count))
		fail("timer: %s", strerror(errno));
	start_ns = at_ns;
}

int loop_wait(struct woken *to)
{
	struct epoll_event ev[LOOP_WOKEN];
	int i, n = epoll_wait(epoll_fd, ev, LOOP_WOKEN, -1);

	if (n < 0 && errno != EINTR)
		fail("epoll: %s", strerror(errno));
	for (i = 0; i < n; i++) {
		const uint64_t u = ev[i].data.u64;

		to[i] = (struct woken){ &current->flows[u >> FLOW_SHIFT], u & WHAT_MASK,
					(uint32_t)(u >> TAG_SHIFT) };
	}
	return n;
}

void loop_open(struct plan *plan)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };

	current = plan;
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (epoll_fd < 0 || timer_fd < 0 ||
	    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, timer_fd, &ev))
		fail("event loop: %s", strerror(errno));
}

void loop_close(void)
{
	close(timer_fd);
	close(epoll_fd);
}
