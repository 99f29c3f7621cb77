// SPDX-License-Identifier: GPL-2.0
/* TCP flows: the sender connects and keeps its socket full, the receiver
 * throws away what comes. Neither is woken more often than it must be.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "flow.h"
#include "netns.h"
#include "plan.h"

#define WRITE_BYTES (256U << 10)
#define READ_BYTES (1U << 20)

static const char zeros[WRITE_BYTES];

static void set_int(const struct flow *flow, int fd, int level, int name,
		    int value)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		fail("flow %s: socket option %d: %s", flow->name, name,
		     strerror(errno));
}

int tcp_socket(const struct flow *flow, const struct sockaddr_in *local)
{
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		fail("flow %s: socket: %s", flow->name, strerror(errno));
	set_int(flow, fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (strcmp(flow->congestion, "-") &&
	    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, flow->congestion,
		       (socklen_t)strlen(flow->congestion)))
		fail("flow %s: congestion %s: %s", flow->name,
		     flow->congestion, strerror(errno));
	if (bind(fd, (const struct sockaddr *)local, sizeof(*local)))
		fail("flow %s: bind: %s", flow->name, strerror(errno));
	return fd;
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

static void tcp_start(const struct plan *plan, struct flow *flow)
{
	netns_enter(plan, flow->from);
	flow->tx = tcp_socket(flow, &flow->src);
	if (connect(flow->tx, (struct sockaddr *)&flow->dst,
		    sizeof(flow->dst)) && errno != EINPROGRESS)
		fail("flow %s: connect: %s", flow->name, strerror(errno));
	watch_add(flow->tx, flow, WATCH_SEND, 0);
}

static void tcp_note(struct flow *flow)
{
	struct tcp_info info;
	socklen_t len = sizeof(info);

	if (flow->tx < 0)
		return;
	if (getsockopt(flow->tx, IPPROTO_TCP, TCP_INFO, &info, &len))
		fail("flow %s: TCP_INFO: %s", flow->name, strerror(errno));
	flow->retrans = info.tcpi_total_retrans;
	flow->srtt_us = info.tcpi_rtt;
	flow->mss = info.tcpi_snd_mss;
}

static void tcp_stop(struct flow *flow)
{
	if (flow->stopped)
		return;
	flow->stopped = true;
	if (shutdown(flow->tx, SHUT_WR) && errno != ENOTCONN)
		fail("flow %s: shutdown: %s", flow->name, strerror(errno));
}

static void tcp_send(struct flow *flow)
{
	size_t want = WRITE_BYTES;
	ssize_t did;

	while (!flow->stopped) {
		if (flow->bytes && flow->bytes - flow->sent < want)
			want = flow->bytes - flow->sent;
		did = send(flow->tx, zeros, want, MSG_NOSIGNAL);
		if (did < 0 && errno == EAGAIN)
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
	if (!did) {
		flow->ended = true;
		flow->end_ns = run_now();
		tcp_note(flow);
		close(flow->rx);
		close(flow->tx);
		flow->rx = -1;
		flow->tx = -1;
	}
}

static void tcp_ready(struct flow *flow, enum watch what, uint32_t tag)
{
	(void)tag;
	if (what == WATCH_SEND && flow->tx >= 0)
		tcp_send(flow);
	if (what == WATCH_RECV && flow->rx >= 0)
		tcp_recv(flow);
	if (what == WATCH_LISTEN && flow->rx < 0) {
		flow->rx = accept4(flow->listener, NULL, NULL,
				   SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (flow->rx < 0)
			fail("flow %s: accept: %s", flow->name,
			     strerror(errno));
		watch_add(flow->rx, flow, WATCH_RECV, 0);
	}
}

/* Below the low-water mark data lies unread; reading it would move the window. */
static uint64_t tcp_so_far(struct flow *flow)
{
	int unread = 0;

	if (flow->rx >= 0 && ioctl(flow->rx, FIONREAD, &unread))
		fail("flow %s: FIONREAD: %s", flow->name, strerror(errno));
	return flow->received + (uint64_t)unread;
}

static void tcp_finish(struct flow *flow)
{
	/* Below the low-water mark data may lie unread. */
	if (flow->rx >= 0)
		tcp_recv(flow);
	tcp_note(flow);
}

const struct flow_ops tcp_ops = {
	.kind = "tcp",
	.listen = tcp_listen,
	.start = tcp_start,
	.stop = tcp_stop,
	.ready = tcp_ready,
	.so_far = tcp_so_far,
	.finish = tcp_finish,
	.close = flow_close,
};
