// SPDX-License-Identifier: GPL-2.0
/* Plays the runs of a plan in the lab guest: one process, one event loop, and
 * as few wake-ups as can be, since each costs a switch of the host's processes.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "process/batch.h"
#include "flow/flow.h"
#include "net/netns.h"
#include "net/offload.h"
#include "plan.h"
#include "process/program.h"
#include "report.h"
#include "rng.h"
#include "process/spawn.h"
#include "trace.h"

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

/* To load what is played from the start on: each file so long; to make links again that begin
 * with it: each node so long; and all together so many times what the links took, which
 * shows how fast the machine is.
 */
#define PLAY_NS 1000000000U
#define PLAY_FACTOR 10U
#define ALIGN_NS 100000000U
/* A multiple of the patterns of slots of TS 38.213 clause 11.1, 0.5 to 10 ms. */
#define SLOTS_NS 100000000U
/* What is due at a round time, a packet of a flow above all, does not wait for the log. */
#define DRAIN_APART_NS 3000000U

static struct plan *current;

static uint64_t mono_ns(void)
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

static void clocks_compare(void)
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

static void timer_set(uint64_t at_ns)
{
	const struct itimerspec at = {
		.it_value.tv_sec = (time_t)(at_ns / 1000000000U),
		.it_value.tv_nsec = (long)(at_ns % 1000000000U),
	};

	if (timerfd_settime(timer_fd, TFD_TIMER_ABSTIME, &at, NULL))
		fail("timer: %s", strerror(errno));
}

static void wait_start(uint64_t at_ns)
{
	uint64_t count;

	if (mono_ns() >= at_ns)
		fail("set-up took until after the start of the run");
	timer_set(at_ns);
	if (read(timer_fd, &count, sizeof(count)) != sizeof(count) ||
	    mono_ns() - at_ns > RUN_START_SLACK_NS)
		fail("woken at %llu ns instead of at the start, %llu ns",
		     (unsigned long long)mono_ns(), (unsigned long long)at_ns);
	start_ns = at_ns;
}

/* Start, stop and send what is due; the time of the next such thing. */
static uint64_t flow_act(struct flow *f, uint64_t now)
{
	uint64_t due;

	if (!f->started) {
		if (now < f->start_ns)
			return f->start_ns;
		if (f->ops->start)
			f->ops->start(current, f);
		f->started = true;
	}
	if (!f->stopped && now >= f->stop_ns) {
		if (f->ops->stop)
			f->ops->stop(f);
		f->stopped = true;
	}
	if (f->stopped)
		return FLOW_NEVER;
	if (!f->ops->due_ns)
		return f->stop_ns;
	while ((due = f->ops->due_ns(f)) <= now && due < f->stop_ns &&
	       !f->stopped)
		f->ops->act(f);
	if (f->stopped)
		return FLOW_NEVER;
	return due < f->stop_ns ? due : f->stop_ns;
}

static uint64_t act(struct plan *plan, uint64_t now)
{
	uint64_t next = plan->duration_ns, due;
	size_t i;

	for (i = 0; i < plan->step_count; i++) {
		struct step *s = &plan->steps[i];

		if (s->kind != STEP_AT || !s->command)
			continue;
		if (s->at_ns <= now) {
			spawn_start(plan, s);
			s->command = NULL;
		} else if (s->at_ns < next) {
			next = s->at_ns;
		}
	}
	for (i = 0; i < plan->flow_count; i++) {
		due = flow_act(&plan->flows[i], now);
		if (due < next)
			next = due;
	}
	due = program_act(plan, now);
	if (due < next)
		next = due;
	due = batch_act(plan, now);
	return due < next ? due : next;
}

static void drain(struct plan *plan, uint64_t now)
{
	size_t i;

	trace_drain();
	for (i = 0; i < plan->flow_count; i++)
		if (plan->flows[i].ops->drain)
			plan->flows[i].ops->drain(&plan->flows[i]);
	report_progress(now, plan->duration_ns);
}

/* When a flow or program has ended, FLOW_NEVER before. */
static uint64_t end_of(const struct plan *plan, const char *name)
{
	size_t i;

	for (i = 0; i < plan->flow_count; i++)
		if (!strcmp(plan->flows[i].name, name))
			return plan->flows[i].ended ? plan->flows[i].end_ns :
						      FLOW_NEVER;
	for (i = 0; i < plan->program_count; i++)
		if (!strcmp(plan->programs[i].name, name))
			return plan->programs[i].state == PROGRAM_ENDED ?
				       plan->programs[i].end_ns :
				       FLOW_NEVER;
	fail("no flow or program '%s' in the plan", name);
}

/* Whether all that the run is to last for has ended; then it ends as well. */
static bool ended(struct plan *plan)
{
	uint64_t last = 0, end;
	size_t i;

	for (i = 0; i < plan->until_count; i++) {
		end = end_of(plan, plan->untils[i]);
		if (end > last)
			last = end;
	}
	if (!plan->until_count || last >= plan->duration_ns)
		return false;
	plan->duration_ns = last;
	return true;
}

static void warm_up(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->flow_count; i++) {
		struct flow *f = &plan->flows[i];

		f->warm = f->ops->so_far ? f->ops->so_far(f) : f->received;
	}
}

static void loop(struct plan *plan)
{
	uint64_t drain_at = plan->period_ns + (plan->start_ns ? 0 : DRAIN_APART_NS);
	uint64_t now = run_now(), next, set = 0;
	uint64_t warm_at = plan->warmup_ns ? plan->warmup_ns : FLOW_NEVER;
	struct epoll_event ev[16];
	bool timed, others, warms;
	int i, n;

	if (plan->start_ns) {
		/* Other flows first, for a start takes some ns. */
		act(plan, now);
		ahead_start(plan);
	}
	for (;;) {
		next = act(plan, now);
		if (now >= plan->duration_ns || ended(plan))
			return;
		if (drain_at < next)
			next = drain_at;
		warms = warm_at < next;
		if (warms)
			next = warm_at;
		if (next != set)
			timer_set(start_ns + next);
		set = next;
		n = epoll_wait(epoll_fd, ev, 16, -1);
		if (n < 0 && errno != EINTR)
			fail("epoll: %s", strerror(errno));
		timed = n < 0;
		others = timed;
		for (i = 0; i < n; i++) {
			uint64_t u = ev[i].data.u64;
			enum watch what = u & WHAT_MASK;
			struct flow *f = &plan->flows[u >> FLOW_SHIFT];

			if (what)
				f->ops->ready(f, what,
					      (uint32_t)(u >> TAG_SHIFT));
			else
				timed = true;
			others |= u;
		}
		/* The timer is set to the first time that is due, so a ready
		 * socket makes nothing due; a look at the clock is dear here.
		 */
		if (!timed)
			continue;
		/* A look takes 1 ns, also of a packet that the kernel sends when a warm-up ends. */
		now = warms && ahead_sends() && !others ? warm_at : run_now();
		spawn_reap(plan, false);
		if (now >= warm_at) {
			warm_up(plan);
			warm_at = FLOW_NEVER;
		}
		if (now >= drain_at && now < plan->duration_ns) {
			drain(plan, now);
			drain_at += plan->period_ns;
		}
	}
}

static void open_loop(void)
{
	struct epoll_event ev = { .events = EPOLLIN | EPOLLET };

	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
	if (epoll_fd < 0 || timer_fd < 0 ||
	    epoll_ctl(epoll_fd, EPOLL_CTL_ADD, timer_fd, &ev))
		fail("event loop: %s", strerror(errno));
}

static void seed_kernel(const struct plan *plan)
{
	if (rng_seed_kernel(plan->seed))
		fail("/dev/urandom: %s", strerror(errno));
}

static void listen_all(const struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->flow_count; i++)
		plan->flows[i].ops->listen(plan, &plan->flows[i]);
}

/* At the start, for what stands still meanwhile is the clock. */
static void start_virtual(struct plan *plan)
{
	wait_start(plan->start_ns);
	/* Again, since preparations differ: some are of a boot's first run only. */
	seed_kernel(plan);
	trace_on();
	spawn_steps(plan, STEP_BEGIN);
	listen_all(plan);
	if (plan->settle_ns)
		wait_start(plan->start_ns + plan->settle_ns);
	if (run_now() > RUN_START_SLACK_NS)
		fail("the start took %llu ns of virtual time",
		     (unsigned long long)run_now());
}

/*
 * The clock goes on: all that takes time is done before the start. Links are made before it,
 * those whose state time changes once more, to begin after it: in virtual time they are
 * made just after the start.
 */
static void start_real(struct plan *plan)
{
	const uint64_t begun_ns = mono_ns();
	uint64_t at_ns, given_ns = 0, count;
	char text[32];
	size_t i;

	spawn_steps(plan, STEP_BEGIN);
	listen_all(plan);
	batch_start(plan);
	for (i = 0; i < plan->step_count; i++) {
		if (plan->steps[i].kind == STEP_PLAY)
			given_ns += PLAY_NS;
		if (plan->steps[i].kind == STEP_ALIGN)
			given_ns += ALIGN_NS;
	}
	if (given_ns)
		given_ns += PLAY_FACTOR * (mono_ns() - begun_ns);
	/* The timer takes no time that has passed. Patterns of slots begin at multiples of
	 * their length from the boot on, and the start is at the same place of theirs.
	 */
	at_ns = mono_ns() + given_ns + RUN_START_SLACK_NS;
	at_ns += SLOTS_NS - at_ns % SLOTS_NS;
	snprintf(text, sizeof(text), "%llu", (unsigned long long)at_ns);
	setenv("START_NS", text, 1);
	spawn_steps(plan, STEP_ALIGN);
	/* Before it begins a link does at once what is due when it does. */
	trace_on();
	spawn_steps(plan, STEP_PLAY);
	if (mono_ns() >= at_ns)
		fail("what the links begin with took more than %llu ms",
		     (unsigned long long)(given_ns / 1000000U));
	timer_set(at_ns);
	if (read(timer_fd, &count, sizeof(count)) != sizeof(count))
		fail("timer: %s", strerror(errno));
	start_ns = at_ns;
}

static void halt_flows(struct plan *plan)
{
	size_t i;

	ahead_halt(plan);
	for (i = 0; i < plan->flow_count; i++)
		if (plan->flows[i].ops->halt)
			plan->flows[i].ops->halt(&plan->flows[i]);
}

static void finish_flows(struct plan *plan)
{
	size_t i;

	for (i = 0; i < plan->flow_count; i++)
		if (plan->flows[i].ops->finish)
			plan->flows[i].ops->finish(&plan->flows[i]);
}

static void play(struct plan *plan)
{
	size_t i;

	trace_open(plan);
	if (plan->start_ns)
		start_virtual(plan);
	else
		start_real(plan);
	loop(plan);
	halt_flows(plan);
	batch_finish(plan);
	spawn_reap(plan, true);
	/* To show and remove the qdiscs takes time: what comes meanwhile is of no run. */
	if (!plan->start_ns)
		finish_flows(plan);
	/* Removing the qdiscs tells the log what they still hold. */
	spawn_steps(plan, STEP_FINISH);
	trace_off();
	if (plan->start_ns)
		finish_flows(plan);
	report_flows(plan, start_ns);
	program_finish(plan);
	trace_close(plan);
	for (i = 0; i < plan->flow_count; i++)
		plan->flows[i].ops->close(&plan->flows[i]);
}

static void run(struct plan *plan)
{
	bool hold = false;
	size_t i;

	for (i = 0; i < plan->step_count; i++)
		hold |= plan->steps[i].kind == STEP_HOLD;
	current = plan;
	if (plan->start_ns)
		seed_kernel(plan);
	open_loop();
	netns_make(plan);
	netns_sysctls(plan);
	spawn_steps(plan, STEP_SHOW);
	if (hold) {
		spawn_steps(plan, STEP_BEGIN);
		spawn_steps(plan, STEP_HOLD);
	} else {
		offloads_do(plan);
		netns_sysctls_read(plan);
		play(plan);
	}
	close(timer_fd);
	close(epoll_fd);
	netns_drop(plan);
	if (!hold)
		report_progress(plan->duration_ns, plan->duration_ns);
}

int main(int argc, char **argv)
{
	if (argc != 2)
		fail("usage: wlab-guest PLAN");
	prctl(PR_SET_TIMERSLACK, 1);
	signal(SIGPIPE, SIG_IGN);
	clocks_compare();
	plan_read(argv[1], run);
	return 0;
}
