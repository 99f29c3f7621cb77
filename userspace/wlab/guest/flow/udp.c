// SPDX-License-Identifier: GPL-2.0
/* UDP flows: a packet every size * 8 / rate seconds, to the ns over any time.
 * The kernel stamps arrivals, so the receiver may read them at any time.
 */
#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <sys/socket.h>

#include "flow.h"
#include "net/netns.h"
#include "run/plan.h"

/* Of IP and UDP */
#define HEADERS_BYTES 28U
#define HEADERS_IPV6_BYTES 48U
#define BATCH 64
#define RCVBUF_BYTES (64 << 20)

/* The header in every packet, recorded with its arrival. Times are from the
 * start of the run.
 */
struct stamp {
	uint64_t seq;
	int64_t sent_ns;
};

struct record {
	struct stamp stamp;
	int64_t received_ns;
};

int udp_socket(const struct flow *flow, const union address *local, int buffer)
{
	int fd = socket(local->any.sa_family,
			SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int bytes = RCVBUF_BYTES;

	if (fd < 0)
		fail("flow %s: socket: %s", flow->name, strerror(errno));
	if (buffer && setsockopt(fd, SOL_SOCKET, buffer, &bytes, sizeof(bytes)))
		fail("flow %s: buffer: %s", flow->name, strerror(errno));
	if (bind(fd, &local->any, sizeof(*local)))
		fail("flow %s: bind: %s", flow->name, strerror(errno));
	return fd;
}

void udp_listen(const struct plan *plan, struct flow *flow)
{
	const int on = 1;

	netns_enter(plan, flow->to);
	flow->rx = udp_socket(flow, &flow->dst, SO_RCVBUFFORCE);
	if (setsockopt(flow->rx, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)))
		fail("flow %s: time stamps: %s", flow->name, strerror(errno));
	flow->log = plan_file(plan, flow->name, ".udp");
	netns_enter(plan, flow->from);
	flow->tx = udp_socket(flow, &flow->src, SO_SNDBUFFORCE);
	if (connect(flow->tx, &flow->dst.any, sizeof(flow->dst)))
		fail("flow %s: connect: %s", flow->name, strerror(errno));
}

size_t udp_fill(struct flow *flow, char *packet, uint64_t sent_ns)
{
	const struct stamp stamp = { flow->packets_sent, (int64_t)sent_ns };
	const size_t len = flow->size - (flow->dst.any.sa_family == AF_INET6 ?
						HEADERS_IPV6_BYTES :
						HEADERS_BYTES);

	memcpy(packet, &stamp, sizeof(stamp));
	flow->packets_sent++;
	flow->sent += len;
	if (flow->ops->sent)
		flow->ops->sent(flow);
	return len;
}

void udp_send(struct flow *flow)
{
	static char packet[65536];
	const size_t len = udp_fill(flow, packet, run_now());

	if (send(flow->tx, packet, len, 0) != (ssize_t)len)
		fail("flow %s: send: %s", flow->name, strerror(errno));
}

static void udp_record(struct flow *flow, struct msghdr *msg)
{
	const struct stamp *stamp = msg->msg_iov->iov_base;
	struct record r = { .stamp = *stamp };
	struct cmsghdr *c;
	struct timespec ts;

	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level != SOL_SOCKET ||
		    c->cmsg_type != SO_TIMESTAMPNS)
			continue;
		memcpy(&ts, CMSG_DATA(c), sizeof(ts));
		r.received_ns = run_stamp(&ts);
		break;
	}
	if (!c)
		fail("flow %s: packet without time stamp", flow->name);
	flow->last_ns = (uint64_t)r.received_ns;
	if (fwrite(&r, sizeof(r), 1, flow->log) != 1)
		fail("flow %s: cannot write records", flow->name);
}

void udp_drain(struct flow *flow)
{
	static struct stamp stamps[BATCH];
	static char control[BATCH][64];
	struct mmsghdr msgs[BATCH] = { 0 };
	struct iovec iov[BATCH];
	int got, i;

	do {
		for (i = 0; i < BATCH; i++) {
			iov[i] = (struct iovec){ &stamps[i], sizeof(stamps[i]) };
			msgs[i].msg_hdr.msg_iov = &iov[i];
			msgs[i].msg_hdr.msg_iovlen = 1;
			msgs[i].msg_hdr.msg_control = control[i];
			msgs[i].msg_hdr.msg_controllen = sizeof(control[i]);
		}
		got = recvmmsg(flow->rx, msgs, BATCH, MSG_TRUNC, NULL);
		if (got < 0 && errno == EAGAIN)
			return;
		if (got < 0)
			fail("flow %s: receive: %s", flow->name,
			     strerror(errno));
		for (i = 0; i < got; i++) {
			udp_record(flow, &msgs[i].msg_hdr);
			flow->received += msgs[i].msg_len;
		}
		flow->packets_received += (uint64_t)got;
	} while (got == BATCH);
}

void udp_finish(struct flow *flow)
{
	udp_drain(flow);
	plan_file_close(flow->log, "records of datagrams");
}

static void udp_begin(const struct plan *plan, struct flow *flow)
{
	flow->bytes = flow_word(flow, "bytes");
	flow->rate_bps = flow_word(flow, "rate");
	flow->size = (uint32_t)flow_word(flow, "size");
	udp_listen(plan, flow);
}

static uint64_t udp_packet_ns(const struct flow *flow)
{
	__uint128_t bits = (__uint128_t)flow->packets_sent * flow->size * 8;

	if (flow->bytes && flow->sent >= flow->bytes)
		return FLOW_NEVER;
	return flow->start_ns + (uint64_t)(bits * 1000000000U / flow->rate_bps);
}

/* The receiver's socket has room for all packets until it is read. */
uint64_t udp_so_far(struct flow *flow)
{
	udp_drain(flow);
	return flow->received;
}

const struct flow_ops udp_ops = {
	.kind = "udp",
	.listen = udp_begin,
	.packet_ns = udp_packet_ns,
	.due_ns = ahead_due_ns,
	.act = ahead_act,
	.drain = udp_drain,
	.so_far = udp_so_far,
	.finish = udp_finish,
	.close = flow_close,
};
