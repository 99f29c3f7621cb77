// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel answers a SYN for a listener at once. Here the server is asked first: a filter of
 * each listener drops SYNs, a packet socket has them all, and after the server's answer the
 * client's SYN is sent again, over the loopback device, which the filter lets pass.
 */
#include <errno.h>
#include <error.h>
#include <string.h>
#include <unistd.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/ip_icmp.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <arpa/inet.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include "pep.h"

#define FLAGS (TH_FIN | TH_SYN | TH_RST | TH_ACK)
#define ALL 0xffffffffU

static int packets, raw[2], icmp[2];
static unsigned int loopback;

static void filter(int fd, struct sock_filter *code, size_t count)
{
	const struct sock_fprog program = { (unsigned short)count, code };

	if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		error(1, errno, "filter");
}

static int socket_raw(int family, int type, int protocol)
{
	int fd = socket(family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, protocol);

	if (fd < 0)
		error(1, errno, "raw socket (CAP_NET_RAW and CAP_NET_ADMIN are needed)");
	return fd;
}

int syn_open(void)
{
	/* SYN alone of FIN, SYN, RST and ACK, in a packet that is no later fragment. */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0x60, 6, 0),
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 9),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_TCP, 0, 10),
		BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 6),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 0x1fff, 8, 0),
		BPF_STMT(BPF_LDX | BPF_B | BPF_MSH, 0),
		BPF_JUMP(BPF_JMP | BPF_JA, 3, 0, 0),
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 6),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_TCP, 0, 4),
		BPF_STMT(BPF_LDX | BPF_IMM, 40),
		BPF_STMT(BPF_LD | BPF_B | BPF_IND, 13),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, FLAGS),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TH_SYN, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, 0),
		BPF_STMT(BPF_RET | BPF_K, ALL),
	};
	const struct sockaddr_ll all = {
		.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL),
	};

	loopback = if_nametoindex("lo");
	/* These have the header in what is sent. */
	raw[0] = socket_raw(AF_INET, SOCK_RAW, IPPROTO_RAW);
	raw[1] = socket_raw(AF_INET6, SOCK_RAW, IPPROTO_RAW);
	icmp[0] = socket_raw(AF_INET, SOCK_RAW, IPPROTO_ICMP);
	icmp[1] = socket_raw(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6);
	/* Protocol 0 until the filter is there: nothing else comes in. */
	packets = socket_raw(AF_PACKET, SOCK_DGRAM, 0);
	filter(packets, code, sizeof(code) / sizeof(code[0]));
	if (bind(packets, (const struct sockaddr *)&all, sizeof(all)))
		error(1, errno, "packet socket");
	return packets;
}

void syn_hold(int listener)
{
	/* Here a packet begins with its TCP header. */
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 13),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, FLAGS),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, TH_SYN, 0, 2),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_IFINDEX)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, loopback, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, ALL),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};

	filter(listener, code, sizeof(code) / sizeof(code[0]));
}

static bool v6(const struct syn *syn)
{
	return syn->ends.client.any.sa_family == AF_INET6;
}

/* Source and destination of a packet: where they begin, bytes of each. */
static uint8_t *source(struct syn *syn, size_t *size)
{
	*size = v6(syn) ? 16 : 4;
	return syn->data + (v6(syn) ? 8 : 12);
}

static size_t network_len(const struct syn *syn)
{
	return v6(syn) ? sizeof(struct ip6_hdr) : (size_t)(syn->data[0] & 0xf) * 4;
}

static struct tcphdr *tcp_of(const struct syn *syn)
{
	return (struct tcphdr *)(syn->data + network_len(syn));
}

static bool parse(struct syn *syn)
{
	struct ends *e = &syn->ends;
	uint8_t *from;
	size_t size;

	*e = (struct ends){ 0 };
	e->client.any.sa_family = syn->data[0] >> 4 == 6 ? AF_INET6 : AF_INET;
	e->server.any.sa_family = e->client.any.sa_family;
	if (!syn->len || syn->len < network_len(syn) + sizeof(struct tcphdr))
		return false;
	from = source(syn, &size);
	memcpy(host_of(&e->client), from, size);
	memcpy(host_of(&e->server), from + size, size);
	e->client.v4.sin_port = tcp_of(syn)->source;
	e->server.v4.sin_port = tcp_of(syn)->dest;
	return true;
}

bool syn_read(struct syn *syn)
{
	struct sockaddr_ll from;
	socklen_t size;
	ssize_t len;

	for (;;) {
		size = sizeof(from);
		len = recvfrom(packets, syn->data, sizeof(syn->data), MSG_TRUNC,
			       (struct sockaddr *)&from, &size);
		if (len < 0)
			return false;
		if (from.sll_pkttype == PACKET_OUTGOING || from.sll_ifindex == (int)loopback)
			continue;
		/* Data of a SYN are left out below: the client sends them again. */
		syn->len = (size_t)len < sizeof(syn->data) ? (size_t)len : sizeof(syn->data);
		if (parse(syn))
			return true;
	}
}

static uint32_t sum(const void *data, size_t len, uint32_t so_far)
{
	const uint8_t *at = data;
	size_t i;

	for (i = 0; i < len; i++)
		so_far += (uint32_t)at[i] << (i & 1 ? 0 : 8);
	return so_far;
}

static uint16_t folded(uint32_t value)
{
	while (value >> 16)
		value = (value & 0xffff) + (value >> 16);
	return htons((uint16_t)~value);
}

/* Sends a packet, cut to network header and @tcp_len bytes; the kernel sums up that of IPv4. */
static void emit(struct syn *p, size_t tcp_len, uint32_t mark, const union address *to)
{
	union address host = *to;
	uint32_t value;
	size_t size;

	p->len = network_len(p) + tcp_len;
	if (v6(p))
		((struct ip6_hdr *)p->data)->ip6_plen = htons((uint16_t)tcp_len);
	else
		((struct iphdr *)p->data)->tot_len = htons((uint16_t)p->len);
	value = IPPROTO_TCP + (uint32_t)tcp_len;
	value = sum(source(p, &size), 2UL * (v6(p) ? 16 : 4), value);
	tcp_of(p)->check = 0;
	tcp_of(p)->check = folded(sum(tcp_of(p), tcp_len, value));
	host.v4.sin_port = 0;
	if (setsockopt(raw[v6(p)], SOL_SOCKET, SO_MARK, &mark, sizeof(mark)))
		error(1, errno, "SO_MARK");
	/* As a packet that is lost on its way: the client repeats its SYN. */
	(void)!sendto(raw[v6(p)], p->data, p->len, 0, &host.any, size_of(&host));
}

void syn_pass(const struct syn *syn)
{
	struct syn copy = *syn;
	const size_t tcp_len = (size_t)tcp_of(syn)->doff * 4;

	if (tcp_len >= sizeof(struct tcphdr) && network_len(syn) + tcp_len <= syn->len)
		emit(&copy, tcp_len, MARK, &syn->ends.server);
}

static void reset(const struct syn *syn)
{
	struct syn out = *syn;
	size_t size;
	uint8_t *at = source(&out, &size), client[16];

	memcpy(client, at, size);
	memmove(at, at + size, size);
	memcpy(at + size, client, size);
	*tcp_of(&out) = (struct tcphdr){
		.source = syn->ends.server.v4.sin_port, .dest = syn->ends.client.v4.sin_port,
		.ack_seq = htonl(ntohl(tcp_of(syn)->seq) + 1),
		.doff = sizeof(struct tcphdr) / 4, .rst = 1, .ack = 1,
	};
	emit(&out, sizeof(struct tcphdr), 0, &syn->ends.client);
}

/* Headers of ICMP and ICMPv6 differ in numbers only. */
static void unreachable(const struct syn *syn, bool host)
{
	union address to = syn->ends.client;
	struct {
		struct icmphdr head;
		uint8_t quote[SYN_MAX];
	} out = { .head.type = v6(syn) ? ICMP6_DST_UNREACH : ICMP_DEST_UNREACH };

	if (v6(syn))
		out.head.code = host ? ICMP6_DST_UNREACH_ADDR : ICMP6_DST_UNREACH_NOROUTE;
	else
		out.head.code = host ? ICMP_HOST_UNREACH : ICMP_NET_UNREACH;
	memcpy(out.quote, syn->data, syn->len);
	to.v4.sin_port = 0;
	/* The kernel computes it again where it is of IPv6. */
	out.head.checksum = folded(sum(&out, sizeof(out.head) + syn->len, 0));
	(void)!sendto(icmp[v6(syn)], &out, sizeof(out.head) + syn->len, 0, &to.any, size_of(&to));
}

void syn_refuse(const struct syn *syn, int error)
{
	if (error == ECONNREFUSED || error == ECONNRESET)
		reset(syn);
	else if (error == EHOSTUNREACH || error == ENETUNREACH)
		unreachable(syn, error == EHOSTUNREACH);
	/* Else nobody has answered, so nobody does. */
}
