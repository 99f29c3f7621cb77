// SPDX-License-Identifier: GPL-2.0
/* TCP flows: the sender connects and keeps its socket full, the receiver
 * discards the data.
 *
 * A system call costs the lab more than a packet does in both qdiscs. So each end of a
 * flow is a thread that blocks in one call for many packets. A receiver with a low-water
 * mark (reno-2006) reads rarely, and must not read earlier: the loop serves such flows.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "flow.h"
#include "net/netns.h"
#include "run/plan.h"

#define WRITE_BYTES (256U << 10)
#define READ_BYTES (1U << 20)
/* The size of a thread's call: many packets, but not more than recv() accepts. */
#define WAIT_BYTES (1U << 30)

static const char zeros[WRITE_BYTES];

/**
 * struct tcp_threads - the ends of a flow that are threads
 * @sender: sends until the flow stops
 * @receiver: receives until the sender has closed
 * @accepted: @receiver runs
 * @end: eventfd, written once by @receiver
 */
struct tcp_threads {
	pthread_t sender;
	pthread_t receiver;
	bool accepted;
	int end;
};

static void set_int(const struct flow *flow, int fd, int level, int name,
		    int value)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		fail("flow %s: socket option %d: %s", flow->name, name,
		     strerror(errno));
}

int tcp_socket(const struct flow *flow, const union address *local)
{
	int fd = socket(local->any.sa_family,
			SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fail("flow %s: socket: %s", flow->name, strerror(errno));
	set_int(flow, fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (strcmp(flow->congestion, "-") &&
	    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, flow->congestion,
		       (socklen_t)strlen(flow->congestion)))
		fail("flow %s: congestion %s: %s", flow->name,
		     flow->congestion, strerror(errno));
	if (bind(fd, &local->any, sizeof(*local)))
		fail("flow %s: bind: %s", flow->name, strerror(errno));
	return fd;
}

void tcp_nodelay(const struct flow *flow, int fd)
{
	set_int(flow, fd, IPPROTO_TCP, TCP_NODELAY, 1);
}

static void tcp_listen(const struct plan *plan, struct flow *flow)
{
	flow->bytes = flow_word(flow, "bytes");
	flow->lowat = (int)flow_word(flow, "read");
	netns_enter(plan, flow->to);
	flow->listener = tcp_socket(flow, &flow->dst);
	if (flow->lowat > 1)
		set_int(flow, flow->listener, SOL_SOCKET, SO_RCVLOWAT,
			flow->lowat);
	if (listen(flow->listener, 1))
		fail("flow %s: listen: %s", flow->name, strerror(errno));
	watch_add(flow->listener, flow, WATCH_LISTEN, 0);
}

static bool tcp_threaded(const struct flow *flow)
{
	return flow->lowat <= 1;
}

static void tcp_stop(struct flow *flow)
{
	if (flow->stopped)
		return;
	flow->stopped = true;
	if (shutdown(flow->tx, SHUT_WR) && errno != ENOTCONN)
		fail("flow %s: shutdown: %s", flow->name, strerror(errno));
}

/* Sends until the flow has stopped or its socket is full; a blocking socket never is. */
static void tcp_send(struct flow *flow)
{
	size_t want = WRITE_BYTES;
	ssize_t did;

	while (!flow->stopped) {
		if (flow->bytes && flow->bytes - flow->sent < want)
			want = flow->bytes - flow->sent;
		did = send(flow->tx, zeros, want, MSG_NOSIGNAL);
		/* The loop may have stopped the flow of a thread. */
		if (did < 0 && (errno == EAGAIN || flow->stopped))
			return;
		if (did < 0)
			fail("flow %s: send: %s", flow->name, strerror(errno));
		flow->sent += (uint64_t)did;
		if (flow->bytes && flow->sent == flow->bytes)
			tcp_stop(flow);
		/* A short write means a full socket: save the call that
		 * would say so.
		 */
		if ((size_t)did < want)
			return;
	}
}

static void *tcp_sender(void *arg)
{
	struct flow *flow = arg;

	while (!flow->stopped)
		tcp_send(flow);
	return NULL;
}

static void *tcp_receiver(void *arg)
{
	struct flow *flow = arg;
	struct tcp_threads *own = flow->own;
	ssize_t did;

	do {
		did = recv(flow->rx, NULL, WAIT_BYTES,
			   MSG_TRUNC | MSG_WAITALL);
		if (did < 0)
			fail("flow %s: receive: %s", flow->name,
			     strerror(errno));
		flow->received += (uint64_t)did;
	} while (did);
	if (eventfd_write(own->end, 1))
		fail("flow %s: %s", flow->name, strerror(errno));
	return NULL;
}

static void tcp_thread(const struct flow *flow, int fd, pthread_t *thread,
		       void *(*does)(void *flow))
{
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK))
		fail("flow %s: fcntl: %s", flow->name, strerror(errno));
	errno = pthread_create(thread, NULL, does, (void *)flow);
	if (errno)
		fail("flow %s: thread: %s", flow->name, strerror(errno));
}

static void tcp_start_threads(struct flow *flow)
{
	struct tcp_threads *own = plan_memory(sizeof(*own));

	own->end = eventfd(0, EFD_CLOEXEC);
	if (own->end < 0)
		fail("flow %s: eventfd: %s", flow->name, strerror(errno));
	flow->own = own;
	watch_add(own->end, flow, WATCH_RECV, 0);
	tcp_thread(flow, flow->tx, &own->sender, tcp_sender);
}

/* An interrupted call returns the number of bytes it has transferred, so none is lost. */
static void tcp_join(struct flow *flow)
{
	struct tcp_threads *own = flow->own;

	if (!own)
		return;
	/* Before the sender, whose end would let more data arrive. */
	if (own->accepted) {
		shutdown(flow->rx, SHUT_RD);
		pthread_join(own->receiver, NULL);
	}
	tcp_stop(flow);
	pthread_join(own->sender, NULL);
	close(own->end);
	free(own);
	flow->own = NULL;
}

static void tcp_start(const struct plan *plan, struct flow *flow)
{
	netns_enter(plan, flow->from);
	flow->tx = tcp_socket(flow, &flow->src);
	if (connect(flow->tx, &flow->dst.any, sizeof(flow->dst)) && errno != EINPROGRESS)
		fail("flow %s: connect: %s", flow->name, strerror(errno));
	if (tcp_threaded(flow))
		tcp_start_threads(flow);
	else
		watch_add(flow->tx, flow, WATCH_SEND, 0);
}

static void tcp_info(const struct flow *flow, int fd, struct tcp_info *info)
{
	socklen_t len = sizeof(*info);

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, info, &len))
		fail("flow %s: TCP_INFO: %s", flow->name, strerror(errno));
}

void tcp_note(struct flow *flow, int fd)
{
	struct tcp_info info;

	tcp_info(flow, fd, &info);
	flow->retrans += info.tcpi_total_retrans;
	flow->srtt_us = info.tcpi_rtt;
	flow->mss = info.tcpi_snd_mss;
	flow->busy_us += info.tcpi_busy_time;
	flow->rwnd_limited_us += info.tcpi_rwnd_limited;
	flow->sndbuf_limited_us += info.tcpi_sndbuf_limited;
}

static void tcp_end(struct flow *flow)
{
	flow->ended = true;
	flow->end_ns = run_now();
	tcp_note(flow, flow->tx);
	tcp_join(flow);
	close(flow->rx);
	close(flow->tx);
	flow->rx = -1;
	flow->tx = -1;
}

static void tcp_recv(struct flow *flow)
{
	ssize_t did;

	do {
		did = recv(flow->rx, NULL, READ_BYTES, MSG_TRUNC);
		if (did < 0 && errno == EAGAIN)
			return;
		if (did < 0)
			fail("flow %s: receive: %s", flow->name,
			     strerror(errno));
		flow->received += (uint64_t)did;
	} while (did == READ_BYTES);
	if (!did)
		tcp_end(flow);
}

void tcp_accept(struct flow *flow)
{
	flow->rx = accept4(flow->listener, NULL, NULL,
			   SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (flow->rx < 0)
		fail("flow %s: accept: %s", flow->name, strerror(errno));
}

static void tcp_ready(struct flow *flow, enum watch what, uint32_t tag)
{
	struct tcp_threads *own = flow->own;

	(void)tag;
	if (what == WATCH_SEND && flow->tx >= 0)
		tcp_send(flow);
	if (what == WATCH_RECV && own)
		tcp_end(flow);
	else if (what == WATCH_RECV && flow->rx >= 0)
		tcp_recv(flow);
	if (what == WATCH_LISTEN && flow->rx < 0) {
		tcp_accept(flow);
		if (own) {
			own->accepted = true;
			tcp_thread(flow, flow->rx, &own->receiver,
				   tcp_receiver);
		} else {
			watch_add(flow->rx, flow, WATCH_RECV, 0);
		}
	}
}

/* The bytes that the socket has received, without reading, which would move the window. */
static uint64_t tcp_so_far(struct flow *flow)
{
	struct tcp_info info;

	if (flow->rx < 0)
		return flow->received;
	tcp_info(flow, flow->rx, &info);
	return info.tcpi_bytes_received;
}

static void tcp_halt(struct flow *flow)
{
	if (flow->tx >= 0)
		tcp_note(flow, flow->tx);
	flow->come = tcp_so_far(flow);
}

static void tcp_finish(struct flow *flow)
{
	if (flow->own)
		tcp_join(flow);
	else if (flow->rx >= 0)
		tcp_recv(flow);
	/* While links are removed both ends go on, over nothing that holds them up. */
	if (flow->received > flow->come)
		flow->received = flow->come;
}

const struct flow_ops tcp_ops = {
	.kind = "tcp",
	.listen = tcp_listen,
	.start = tcp_start,
	.stop = tcp_stop,
	.ready = tcp_ready,
	.so_far = tcp_so_far,
	.halt = tcp_halt,
	.finish = tcp_finish,
	.close = flow_close,
};
