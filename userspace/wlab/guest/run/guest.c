// SPDX-License-Identifier: GPL-2.0
/* Plays the runs of a plan in the lab guest: one process, one event loop, and
 * as few wake-ups as can be, since each costs a switch of the host's processes.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "process/batch.h"
#include "flow/flow.h"
#include "net/netns.h"
#include "net/offload.h"
#include "loop.h"
#include "plan.h"
#include "process/program.h"
#include "report.h"
#include "rng.h"
#include "process/spawn.h"
#include "trace.h"

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

static void wait_start(uint64_t at_ns)
{
	if (mono_ns() >= at_ns)
		fail("set-up took until after the start of the run");
	loop_start(at_ns);
	if (mono_ns() - at_ns > RUN_START_SLACK_NS)
		fail("woken at %llu ns instead of at the start, %llu ns",
		     (unsigned long long)mono_ns(), (unsigned long long)at_ns);
}

/* Start, stop and send what is due; the time of the next such thing. */
static uint64_t flow_act(const struct plan *plan, struct flow *f, uint64_t now)
{
	uint64_t due;

	if (!f->started) {
		if (now < f->start_ns)
			return f->start_ns;
		if (f->ops->start)
			f->ops->start(plan, f);
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

static uint64_t sooner(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t act(struct plan *plan, uint64_t now)
{
	uint64_t next = plan->duration_ns;
	size_t i;

	for (i = 0; i < plan->step_count; i++) {
		struct step *s = &plan->steps[i];

		if (s->kind != STEP_AT || !s->command)
			continue;
		if (s->at_ns <= now) {
			spawn_start(plan, s);
			s->command = NULL;
		} else {
			next = sooner(next, s->at_ns);
		}
	}
	for (i = 0; i < plan->flow_count; i++)
		next = sooner(next, flow_act(plan, &plan->flows[i], now));
	next = sooner(next, program_act(plan, now));
	return sooner(next, batch_act(plan, now));
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
	struct woken woken[LOOP_WOKEN];
	bool timed, others, warms;
	int i, n;

	if (plan->start_ns) {
		/* Other flows first, for a start takes some ns. */
		act(plan, now);
		ahead_start(plan);
	}
	for (;;) {
		next = sooner(act(plan, now), drain_at);
		if (now >= plan->duration_ns || ended(plan))
			return;
		warms = warm_at < next;
		if (warms)
			next = warm_at;
		if (next != set)
			loop_timer(run_start_ns() + next);
		set = next;
		n = loop_wait(woken);
		timed = n < 0;
		others = timed;
		for (i = 0; i < n; i++) {
			const struct woken *w = &woken[i];

			if (w->what)
				w->flow->ops->ready(w->flow, w->what, w->tag);
			else
				timed = true;
			others |= w->what || w->tag;
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
	uint64_t at_ns, given_ns = 0;
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
	loop_start(at_ns);
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
	report_flows(plan, run_start_ns());
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
	if (plan->start_ns)
		seed_kernel(plan);
	loop_open(plan);
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
	loop_close();
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
