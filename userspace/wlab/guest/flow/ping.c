// SPDX-License-Identifier: GPL-2.0
/* Pings: requests at times, each answered at once. Of ICMP the kernel answers, of UDP and
 * TCP the flow's own receiver. The sender reads answers as they come, and knows when it has
 * sent each request; a request of ICMP or UDP carries its number, on a TCP connection the n-th
 * answer is that of the n-th request.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <netinet/ip.h>
#include <sys/socket.h>

#include "flow.h"
#include "net/netns.h"
#include "run/plan.h"
#include "rng.h"

#define NOT_YET (-1)
#define BUFFER_BYTES (64U << 10)
/* Of a datagram: the headers of IP, with all its options, and ICMP, and the number. */
#define HEAD_BYTES 128
#define BATCH 16

/* As in the plan. */
enum ping_over { PING_ICMP, PING_UDP, PING_TCP };

/* Of one socket: to the sender or to who answers. */
enum ping_end { PING_SENDER, PING_ANSWERER };

struct request {
	int64_t sent_ns;
	int64_t answered_ns;
};

/* A packet without its headers of IP and UDP; of ICMP the header is before the number. */
struct echo {
	struct icmphdr head;
	uint64_t number;
};

/**
 * struct ping - private data of a flow of pings
 * @rng: random numbers
 * @over: protocol
 * @request_bytes: payload of a request
 * @answer_bytes: payload of an answer
 * @interval_ns: mean time between two requests
 * @random: intervals are uniform, up to twice the mean
 * @most: how many requests, 0 for no bound
 * @due_ns: when the next one goes
 * @requests: those that have gone
 * @room: for how many @requests has room
 * @answers: TCP: how many the sender has read whole
 * @come_bytes: TCP, by end: bytes read of what is not whole yet
 * @owed_bytes: TCP, by end: bytes that its socket has not taken yet
 * @error: TCP: errno of the connection
 */
struct ping {
	struct rng rng;
	enum ping_over over;
	uint64_t request_bytes;
	uint64_t answer_bytes;
	uint64_t interval_ns;
	bool random;
	uint64_t most;
	uint64_t due_ns;
	struct request *requests;
	size_t room;
	uint64_t answers;
	uint64_t come_bytes[2];
	uint64_t owed_bytes[2];
	int error;
};

/* What is sent or received at the moment. */
static char buffer[BUFFER_BYTES];

static bool is_ipv6(const struct flow *flow)
{
	return flow->dst.any.sa_family == AF_INET6;
}

/* Of ICMP: the flow's port, which no other flow has. */
static uint16_t identifier(const struct flow *flow)
{
	return flow->src.v4.sin_port;
}

static uint64_t drawn_ns(struct ping *p)
{
	return p->random ? (uint64_t)(rng_unit(&p->rng) * 2 * (double)p->interval_ns) : 0;
}

static int icmp_socket(const struct flow *flow)
{
	int fd = socket(flow->src.any.sa_family, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC,
			is_ipv6(flow) ? IPPROTO_ICMPV6 : IPPROTO_ICMP);

	if (fd < 0)
		fail("flow %s: socket: %s", flow->name, strerror(errno));
	return fd;
}

static void ping_listen(const struct plan *plan, struct flow *flow)
{
	struct ping *p = plan_memory(sizeof(*p));

	flow->own = p;
	p->rng.state = flow->seed;
	p->over = (enum ping_over)flow_word(flow, "over");
	p->request_bytes = flow_word(flow, "request");
	p->answer_bytes = flow_word(flow, "answer");
	p->interval_ns = flow_word(flow, "interval");
	p->random = flow_word(flow, "random");
	p->most = flow_word(flow, "pings");
	p->due_ns = p->over == PING_TCP ? FLOW_NEVER : flow->start_ns + drawn_ns(p);
	flow->log = plan_file(plan, flow->name, ".ping");
	netns_enter(plan, flow->to);
	if (p->over == PING_UDP) {
		flow->rx = udp_socket(flow, &flow->dst, 0);
		watch_add(flow->rx, flow, WATCH_RECV, PING_ANSWERER);
	}
	if (p->over == PING_TCP) {
		flow->listener = tcp_socket(flow, &flow->dst);
		if (listen(flow->listener, 1))
			fail("flow %s: listen: %s", flow->name, strerror(errno));
		watch_add(flow->listener, flow, WATCH_LISTEN, PING_ANSWERER);
	}
}

/* There is no connection, or no more; the run goes on without it. */
static void give_up(struct flow *flow, int error)
{
	struct ping *p = flow->own;

	p->error = error;
	flow->stopped = true;
	close(flow->tx);
	flow->tx = -1;
}

static void ping_start(const struct plan *plan, struct flow *flow)
{
	const struct ping *p = flow->own;
	union address to = flow->dst;
	int err;

	netns_enter(plan, flow->from);
	if (p->over == PING_TCP)
		flow->tx = tcp_socket(flow, &flow->src);
	else
		flow->tx = p->over == PING_UDP ? udp_socket(flow, &flow->src, 0) :
						 icmp_socket(flow);
	/* Where others have a port, a raw socket of IPv6 has its protocol. */
	if (p->over == PING_ICMP)
		to.v4.sin_port = 0;
	err = connect(flow->tx, &to.any, sizeof(to)) ? errno : 0;
	if (p->over != PING_TCP) {
		if (err)
			fail("flow %s: connect: %s", flow->name, strerror(err));
		watch_add(flow->tx, flow, WATCH_RECV, PING_SENDER);
		return;
	}
	/* A request waits for nothing: neither for more data nor for an ACK. */
	tcp_nodelay(flow, flow->tx);
	if (err && err != EINPROGRESS)
		give_up(flow, err);
	else
		watch_add(flow->tx, flow, WATCH_SEND, PING_SENDER);
}

static uint16_t sum16(const struct echo *echo)
{
	uint16_t words[sizeof(*echo) / sizeof(uint16_t)];
	uint32_t sum = 0;
	size_t i;

	memcpy(words, echo, sizeof(*echo));
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		sum += words[i];
	sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)~(sum + (sum >> 16));
}

static void send_icmp(struct flow *flow, uint64_t number)
{
	const struct ping *p = flow->own;
	const size_t length = sizeof(struct icmphdr) + p->request_bytes;
	struct echo echo = {
		.head.type = is_ipv6(flow) ? ICMPV6_ECHO_REQUEST : ICMP_ECHO,
		.head.un.echo = { identifier(flow), htons((uint16_t)number) },
		.number = number,
	};

	/* That of IPv6 is of a pseudo header, too: the kernel's work. What follows is zeros. */
	if (!is_ipv6(flow))
		echo.head.checksum = sum16(&echo);
	memset(buffer, 0, length);
	memcpy(buffer, &echo, sizeof(echo));
	/* One that cannot be sent is lost, as any other. */
	(void)!send(flow->tx, buffer, length, 0);
}

static void send_udp(int fd, uint64_t number, uint64_t bytes, const union address *to)
{
	memset(buffer, 0, bytes);
	memcpy(buffer, &number, sizeof(number));
	(void)!sendto(fd, buffer, bytes, 0, to ? &to->any : NULL, to ? sizeof(*to) : 0);
}

/* Sends what a socket of TCP takes now; the rest when it takes more. */
static void give_tcp(struct flow *flow, enum ping_end end)
{
	struct ping *p = flow->own;
	uint64_t *owed = &p->owed_bytes[end];
	const int fd = end == PING_SENDER ? flow->tx : flow->rx;
	ssize_t did;

	memset(buffer, 0, sizeof(buffer));
	while (*owed) {
		did = send(fd, buffer, *owed < sizeof(buffer) ? *owed : sizeof(buffer),
			   MSG_NOSIGNAL);
		if (did < 0)
			break;
		*owed -= (uint64_t)did;
	}
	if (*owed && errno != EAGAIN) {
		if (end == PING_SENDER)
			give_up(flow, errno);
		return;
	}
	watch_change(fd, flow, *owed ? WATCH_BOTH : WATCH_RECV, end);
}

static void remember(struct flow *flow)
{
	struct ping *p = flow->own;

	if (flow->packets_sent == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->requests = reallocarray(p->requests, p->room, sizeof(*p->requests));
		if (!p->requests)
			fail("out of memory");
	}
	p->requests[flow->packets_sent++] = (struct request){ (int64_t)run_now(), NOT_YET };
	flow->sent += p->request_bytes;
}

static void ping_act(struct flow *flow)
{
	const uint64_t number = flow->packets_sent;
	struct ping *p = flow->own;

	p->due_ns += p->random ? drawn_ns(p) : p->interval_ns;
	remember(flow);
	if (p->over == PING_ICMP)
		send_icmp(flow, number);
	if (p->over == PING_UDP)
		send_udp(flow->tx, number, p->request_bytes, NULL);
	if (p->over == PING_TCP) {
		p->owed_bytes[PING_SENDER] += p->request_bytes;
		give_tcp(flow, PING_SENDER);
	}
	if (flow->packets_sent == p->most)
		flow->stopped = true;
}

/* An answer; copies of one count once. */
static void answered(struct flow *flow, uint64_t number)
{
	struct ping *p = flow->own;

	if (number >= flow->packets_sent || p->requests[number].answered_ns != NOT_YET)
		return;
	flow->last_ns = run_now();
	p->requests[number].answered_ns = (int64_t)flow->last_ns;
	flow->packets_received++;
	flow->received += p->request_bytes;
}

/* A raw socket gets all ICMP of its peer, IPv4 with the header of IP. */
static void read_icmp(struct flow *flow, const char *packet, size_t length)
{
	const size_t skip = is_ipv6(flow) ? 0 : ((const struct iphdr *)packet)->ihl * 4U;
	const int type = is_ipv6(flow) ? ICMPV6_ECHO_REPLY : ICMP_ECHOREPLY;
	struct echo echo;

	if (length < skip + sizeof(echo))
		return;
	memcpy(&echo, packet + skip, sizeof(echo));
	if (echo.head.type == type && echo.head.un.echo.id == identifier(flow))
		answered(flow, echo.number);
}

/* All there are in one call: one more would cost as much as the packet. */
static void read_datagrams(struct flow *flow, enum ping_end end)
{
	const struct ping *p = flow->own;
	static char heads[BATCH][HEAD_BYTES] __attribute__((aligned(8)));
	struct mmsghdr msgs[BATCH] = { 0 };
	union address from[BATCH];
	struct iovec iov[BATCH];
	uint64_t number;
	int got, i;

	do {
		for (i = 0; i < BATCH; i++) {
			iov[i] = (struct iovec){ heads[i], sizeof(heads[i]) };
			msgs[i].msg_hdr.msg_name = &from[i];
			msgs[i].msg_hdr.msg_namelen = sizeof(from[i]);
			msgs[i].msg_hdr.msg_iov = &iov[i];
			msgs[i].msg_hdr.msg_iovlen = 1;
		}
		got = recvmmsg(end == PING_SENDER ? flow->tx : flow->rx, msgs, BATCH, 0, NULL);
		for (i = 0; i < got && msgs[i].msg_len >= sizeof(number); i++) {
			memcpy(&number, heads[i], sizeof(number));
			if (p->over == PING_ICMP)
				read_icmp(flow, heads[i], msgs[i].msg_len);
			else if (end == PING_SENDER)
				answered(flow, number);
			else
				send_udp(flow->rx, number, p->answer_bytes, &from[i]);
		}
	} while (got == BATCH);
}

static void read_tcp(struct flow *flow, enum ping_end end)
{
	struct ping *p = flow->own;
	const int fd = end == PING_SENDER ? flow->tx : flow->rx;
	const uint64_t whole = end == PING_SENDER ? p->answer_bytes : p->request_bytes;
	ssize_t did;

	while ((did = recv(fd, buffer, sizeof(buffer), 0)) > 0) {
		p->come_bytes[end] += (uint64_t)did;
		for (; p->come_bytes[end] >= whole; p->come_bytes[end] -= whole) {
			if (end == PING_SENDER)
				answered(flow, p->answers++);
			else
				p->owed_bytes[end] += p->answer_bytes;
		}
	}
	if (did < 0 && errno == EAGAIN) {
		if (p->owed_bytes[end])
			give_tcp(flow, end);
	} else if (end == PING_SENDER) {
		give_up(flow, did ? errno : ECONNRESET);
	} else {
		close(flow->rx);
		flow->rx = -1;
	}
}

static void connected(struct flow *flow)
{
	struct ping *p = flow->own;
	int error = 0;
	socklen_t length = sizeof(error);

	if (getsockopt(flow->tx, SOL_SOCKET, SO_ERROR, &error, &length))
		error = errno;
	if (error) {
		give_up(flow, error);
		return;
	}
	p->due_ns = run_now() + drawn_ns(p);
	watch_change(flow->tx, flow, WATCH_RECV, PING_SENDER);
}

static void ping_ready(struct flow *flow, enum watch what, uint32_t tag)
{
	const struct ping *p = flow->own;

	if (what == WATCH_LISTEN) {
		if (flow->rx >= 0)
			return;
		tcp_accept(flow);
		tcp_nodelay(flow, flow->rx);
		watch_add(flow->rx, flow, WATCH_RECV, PING_ANSWERER);
	} else if ((tag == PING_SENDER ? flow->tx : flow->rx) < 0) {
		return;
	} else if (what == WATCH_SEND) {
		connected(flow);
	} else if (p->over == PING_TCP) {
		read_tcp(flow, (enum ping_end)tag);
	} else {
		read_datagrams(flow, (enum ping_end)tag);
	}
}

static uint64_t ping_due_ns(const struct flow *flow)
{
	const struct ping *p = flow->own;

	/* One at the end could have no answer. */
	return p->due_ns < run_end_ns() ? p->due_ns : FLOW_NEVER;
}

/* A line for each request: number, when it was sent and answered. */
static void ping_finish(struct flow *flow)
{
	const struct ping *p = flow->own;
	uint64_t i;

	for (i = 0; i < flow->packets_sent; i++)
		fprintf(flow->log, "%" PRIu64 "\t%" PRId64 "\t%" PRId64 "\n", i,
			p->requests[i].sent_ns, p->requests[i].answered_ns);
	plan_file_close(flow->log, "requests of pings");
}

static void ping_report(const struct flow *flow, FILE *to)
{
	const struct ping *p = flow->own;

	if (p->over == PING_TCP)
		fprintf(to, " error=%d", p->error);
}

static void ping_close(struct flow *flow)
{
	struct ping *p = flow->own;

	free(p->requests);
	flow_close(flow);
}

const struct flow_ops ping_ops = {
	.kind = "ping",
	.listen = ping_listen,
	.start = ping_start,
	.due_ns = ping_due_ns,
	.act = ping_act,
	.ready = ping_ready,
	.finish = ping_finish,
	.report = ping_report,
	.close = ping_close,
};
