// SPDX-License-Identifier: GPL-2.0
/* In virtual time one process has the kernel send the packets of udp, media and load, whose
 * times do not depend on what comes of them: a packet costs five system calls otherwise.
 */
#include <errno.h>
#include <liburing.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/wait.h>

#include "flow.h"
#include "run/plan.h"

/* How many packets of a flow the kernel has at once, and of all flows. */
#define FLOW_PACKETS 64
#define PACKETS 8192

/* Packets of a flow that the kernel has, and when it sends them. */
struct ahead {
	struct flow *flow;
	struct __kernel_timespec *at;
	char *packets;
};

static pid_t sender;

static bool is_datagrams(const struct flow *flow)
{
	return flow->ops->packet_ns;
}

/* Gives the kernel the next packet for its time. Only a failure is said. */
static struct io_uring_sqe *prepare(struct io_uring *ring, struct ahead *b, unsigned int i)
{
	struct flow *flow = b->flow;
	const uint64_t due_ns = flow->ops->packet_ns(flow), at_ns = run_start_ns() + due_ns;
	/* Until then the lab's own start may have taken more. */
	const uint64_t sent_ns = due_ns < RUN_START_SLACK_NS ? run_now() : due_ns;
	struct __kernel_timespec *at = &b->at[i];
	char *packet = b->packets + i * flow->size;
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);

	at->tv_sec = (int64_t)(at_ns / 1000000000U);
	at->tv_nsec = (long long)(at_ns % 1000000000U);
	io_uring_prep_timeout(sqe, at, 0, IORING_TIMEOUT_ABS | IORING_TIMEOUT_ETIME_SUCCESS);
	sqe->flags |= IOSQE_IO_LINK | IOSQE_CQE_SKIP_SUCCESS;
	sqe = io_uring_get_sqe(ring);
	io_uring_prep_send(sqe, flow->tx, packet, udp_fill(flow, packet, sent_ns), 0);
	io_uring_sqe_set_data(sqe, b);
	sqe->flags |= IOSQE_CQE_SKIP_SUCCESS;
	return sqe;
}

/* Gives it a flow's next packets; that the last one has gone is said. */
static void fill(struct io_uring *ring, struct ahead *b, unsigned int most)
{
	struct io_uring_sqe *last = NULL;
	unsigned int i;

	for (i = 0; i < most && b->flow->ops->packet_ns(b->flow) < b->flow->stop_ns; i++)
		last = prepare(ring, b, i);
	if (last)
		last->flags &= (uint8_t)~IOSQE_CQE_SKIP_SUCCESS;
}

/* A reader of one of the parent's pipes waits until nobody has its other end. */
static void close_others(const struct ahead *some, size_t count)
{
	unsigned int from = STDERR_FILENO + 1, next, tx;
	size_t i;

	for (;; from = next + 1) {
		next = ~0U;
		for (i = 0; i < count; i++) {
			tx = (unsigned int)some[i].flow->tx;
			if (tx >= from && tx < next)
				next = tx;
		}
		if (next > from && close_range(from, next - 1, 0))
			fail("flows of datagrams: their sender: %s", strerror(errno));
		if (next == ~0U)
			return;
	}
}

/* Waits until a ring has something to say, which it counts in @said. A wait at that ring would
 * end with each of its timeouts; one at another does not.
 */
static int wait_for(struct io_uring *bell, int said)
{
	uint64_t count;
	int err;

	io_uring_prep_read(io_uring_get_sqe(bell), said, &count, sizeof(count), 0);
	err = io_uring_submit_and_wait(bell, 1);
	io_uring_cq_advance(bell, io_uring_cq_ready(bell));
	return err;
}

static _Noreturn void send_ahead(struct ahead *some, size_t count)
{
	/* A scenario has at most 1000 flows. */
	const unsigned int share = PACKETS / (unsigned int)count;
	const unsigned int most = share < FLOW_PACKETS ? share : FLOW_PACKETS;
	struct io_uring_cqe *cqe;
	struct io_uring ring, bell;
	unsigned int head, seen;
	struct ahead *b;
	int err, said;

	close_others(some, count);
	said = eventfd(0, EFD_CLOEXEC);
	err = io_uring_queue_init(2 * most * (unsigned int)count, &ring, 0);
	for (b = some; err >= 0 && b < some + count; b++) {
		b->at = plan_memory(most * sizeof(*b->at));
		b->packets = plan_memory((size_t)most * b->flow->size);
		fill(&ring, b, most);
	}
	if (err >= 0)
		err = io_uring_register_eventfd(&ring, said);
	if (err >= 0)
		err = io_uring_queue_init(1, &bell, 0);
	while (err >= 0) {
		err = io_uring_submit(&ring);
		if (err >= 0)
			err = wait_for(&bell, said);
		seen = 0;
		io_uring_for_each_cqe(&ring, head, cqe) {
			b = io_uring_cqe_get_data(cqe);
			if (cqe->res < 0)
				fail("flow %s: send: %s", b->flow->name, strerror(-cqe->res));
			fill(&ring, b, most);
			seen++;
		}
		io_uring_cq_advance(&ring, seen);
	}
	fail("flows of datagrams: their sender: %s", strerror(-err));
}

void ahead_start(struct plan *plan)
{
	struct ahead *some = plan_memory((plan->flow_count + 1) * sizeof(*some));
	size_t count = 0, i;

	for (i = 0; i < plan->flow_count; i++)
		if (is_datagrams(&plan->flows[i]))
			some[count++].flow = &plan->flows[i];
	if (count) {
		sender = fork();
		if (sender < 0)
			fail("flows of datagrams: fork: %s", strerror(errno));
		if (!sender)
			send_ahead(some, count);
	}
	free(some);
}

bool ahead_sends(void)
{
	return sender;
}

uint64_t ahead_due_ns(const struct flow *flow)
{
	return sender ? FLOW_NEVER : flow->ops->packet_ns(flow);
}

void ahead_act(struct flow *flow)
{
	udp_send(flow);
	flow->stopped = flow->ops->packet_ns(flow) == FLOW_NEVER;
}

/* A flow here stands at its first packet still: what was sent follows from the time. */
static void catch_up(struct flow *flow)
{
	static char packet[65536];
	uint64_t due_ns;

	while ((due_ns = flow->ops->packet_ns(flow)) < run_end_ns() && due_ns < flow->stop_ns)
		udp_fill(flow, packet, due_ns);
	if (due_ns == FLOW_NEVER)
		flow->stopped = true;
}

void ahead_halt(struct plan *plan)
{
	size_t i;
	int status;

	if (!sender)
		return;
	kill(sender, SIGKILL);
	if (waitpid(sender, &status, 0) < 0 || !WIFSIGNALED(status))
		fail("flows of datagrams: their sender has ended");
	sender = 0;
	for (i = 0; i < plan->flow_count; i++)
		if (is_datagrams(&plan->flows[i]))
			catch_up(&plan->flows[i]);
}
