// SPDX-License-Identifier: GPL-2.0
/* Media flows: talk spurts and silences with exponentially distributed
 * lengths. A spurt has a packet every size * 8 / rate seconds, in the middle of
 * its interval: so the mean rate of packets is exact to a 10000th although spurts
 * end within an interval. Packets are sent and received as in UDP flows; in virtual
 * time the kernel sends them, since a packet costs five system calls otherwise.
 */
#include <errno.h>
#include <inttypes.h>
#include <liburing.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>

#include "flow.h"
#include "run/plan.h"
#include "rng.h"

/* How many packets the kernel has at once. */
#define AHEAD 64

/**
 * struct media - private data of a media flow
 * @rng: random numbers
 * @talk_ns: mean of talk spurts
 * @silence_ns: mean of silences
 * @begin_ns: start of the spurt
 * @end_ns: its end
 * @packets: its packets sent so far
 * @spurts: number of spurts with a packet
 * @sender: the process whose packets the kernel sends, 0 in real time
 */
struct media {
	struct rng rng;
	uint64_t talk_ns;
	uint64_t silence_ns;
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t packets;
	uint64_t spurts;
	pid_t sender;
};

static uint64_t media_due_ns(const struct flow *flow)
{
	const struct media *m = flow->own;
	/* Half packets, in bits. */
	__uint128_t bits = (__uint128_t)(2 * m->packets + 1) * flow->size * 4;

	return m->begin_ns + (uint64_t)(bits * 1000000000U / flow->rate_bps);
}

/* The next spurt that is long enough for a packet, from @begin_ns on. */
static void spurt(struct flow *flow, uint64_t begin_ns)
{
	struct media *m = flow->own;

	for (;;) {
		m->begin_ns = begin_ns;
		m->end_ns = begin_ns + rng_exponential_ns(&m->rng, m->talk_ns);
		m->packets = 0;
		if (media_due_ns(flow) < m->end_ns)
			return;
		begin_ns = m->end_ns +
			   rng_exponential_ns(&m->rng, m->silence_ns);
	}
}

/* On to the next packet. */
static void advance(struct flow *flow)
{
	struct media *m = flow->own;

	if (!m->packets++)
		m->spurts++;
	if (media_due_ns(flow) >= m->end_ns)
		spurt(flow, m->end_ns +
			    rng_exponential_ns(&m->rng, m->silence_ns));
}

/* Gives the kernel the next packet for its time. */
static void prepare(struct flow *flow, struct io_uring *ring, struct __kernel_timespec *at,
		    char *packet)
{
	const uint64_t due_ns = media_due_ns(flow), at_ns = run_start_ns() + due_ns;
	struct io_uring_sqe *sqe = io_uring_get_sqe(ring);

	at->tv_sec = (int64_t)(at_ns / 1000000000U);
	at->tv_nsec = (long long)(at_ns % 1000000000U);
	io_uring_prep_timeout(sqe, at, 0, IORING_TIMEOUT_ABS | IORING_TIMEOUT_ETIME_SUCCESS);
	sqe->flags |= IOSQE_IO_LINK | IOSQE_CQE_SKIP_SUCCESS;
	sqe = io_uring_get_sqe(ring);
	io_uring_prep_send(sqe, flow->tx, packet, udp_fill(flow, packet, due_ns), 0);
	advance(flow);
}

/* Waiting ends at each packet, for io_uring returns whenever a timeout has passed. */
static _Noreturn void send_ahead(struct flow *flow)
{
	static struct __kernel_timespec at[AHEAD];
	char *packets = calloc(AHEAD, flow->size);
	struct io_uring_cqe *cqe;
	struct io_uring ring;
	unsigned int head, seen, n = 0;
	int err;

	/* A reader of one of the parent's pipes waits until nobody has its other end. */
	flow->tx = dup2(flow->tx, STDERR_FILENO + 1);
	if (!packets || flow->tx < 0 || close_range((unsigned int)flow->tx + 1, ~0U, 0))
		fail("flow %s: its sender: %s", flow->name, strerror(errno));
	err = io_uring_queue_init(2 * AHEAD, &ring, 0);
	while (err >= 0) {
		if (!n)
			for (; n < AHEAD && media_due_ns(flow) < flow->stop_ns; n++)
				prepare(flow, &ring, &at[n], packets + n * flow->size);
		if (!n)
			pause();
		err = io_uring_submit_and_wait(&ring, n);
		seen = 0;
		io_uring_for_each_cqe(&ring, head, cqe) {
			if (cqe->res < 0)
				fail("flow %s: send: %s", flow->name, strerror(-cqe->res));
			seen++;
		}
		io_uring_cq_advance(&ring, seen);
		n -= seen;
	}
	fail("flow %s: its sender: %s", flow->name, strerror(-err));
}

static void media_listen(const struct plan *plan, struct flow *flow)
{
	struct media *m = calloc(1, sizeof(*m));

	if (!m)
		fail("out of memory");
	flow->own = m;
	flow->rate_bps = flow_word(flow, "rate");
	flow->size = (uint32_t)flow_word(flow, "size");
	m->talk_ns = flow_word(flow, "talk");
	m->silence_ns = flow_word(flow, "silence");
	m->rng.state = flow->seed;
	udp_listen(plan, flow);
}

static void media_start(const struct plan *plan, struct flow *flow)
{
	struct media *m = flow->own;
	const double talks = (double)m->talk_ns /
			     (double)(m->talk_ns + m->silence_ns);
	uint64_t begin_ns = flow->start_ns;

	udp_start(plan, flow);
	/* Talk is as likely at the start of the flow as at any other time. */
	if (rng_unit(&m->rng) > talks)
		begin_ns += rng_exponential_ns(&m->rng, m->silence_ns);
	spurt(flow, begin_ns);
	if (!plan->start_ns)
		return;
	m->sender = fork();
	if (m->sender < 0)
		fail("flow %s: fork: %s", flow->name, strerror(errno));
	if (!m->sender)
		send_ahead(flow);
}

static uint64_t media_act_ns(const struct flow *flow)
{
	const struct media *m = flow->own;

	return m->sender ? FLOW_NEVER : media_due_ns(flow);
}

static void media_act(struct flow *flow)
{
	udp_send(flow);
	advance(flow);
}

/* The flow here stands at its first packet still: what was sent follows from the time. */
static void media_halt(struct flow *flow)
{
	struct media *m = flow->own;
	static char packet[65536];
	uint64_t due_ns;
	int status;

	if (!m->sender)
		return;
	kill(m->sender, SIGKILL);
	if (waitpid(m->sender, &status, 0) < 0 || !WIFSIGNALED(status))
		fail("flow %s: its sender has ended", flow->name);
	while ((due_ns = media_due_ns(flow)) < run_end_ns() && due_ns < flow->stop_ns) {
		udp_fill(flow, packet, due_ns);
		advance(flow);
	}
}

static void media_report(const struct flow *flow, FILE *to)
{
	const struct media *m = flow->own;

	fprintf(to, " spurts=%" PRIu64, m->spurts);
}

static void media_close(struct flow *flow)
{
	flow_close(flow);
	free(flow->own);
	flow->own = NULL;
}

const struct flow_ops media_ops = {
	.kind = "media",
	.listen = media_listen,
	.start = media_start,
	.due_ns = media_act_ns,
	.act = media_act,
	.drain = udp_drain,
	.so_far = udp_so_far,
	.halt = media_halt,
	.finish = udp_finish,
	.report = media_report,
	.close = media_close,
};
