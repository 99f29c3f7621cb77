// SPDX-License-Identifier: GPL-2.0
/* Trace records, and what they tell of a packet. */
#include <linux/icmp.h>
#include <linux/icmpv6.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>

#define CREATE_TRACE_POINTS
#include "data.h"
#include "trace.h"

/* Return: offset of the transport header from the network header and the IP
 * payload's length, or 0.
 */
static int trace_read_ip(const struct sk_buff *skb, u8 *proto, int *length)
{
	union {
		struct iphdr v4;
		struct ipv6hdr v6;
	} space;
	const struct ipv6hdr *v6;
	const struct iphdr *v4;
	int offset = skb_network_offset(skb);

	if (skb->protocol == htons(ETH_P_IP)) {
		v4 = skb_header_pointer(skb, offset, sizeof(*v4), &space);
		if (!v4 || v4->ihl < 5 || v4->frag_off & htons(IP_OFFSET))
			return 0;
		*proto = v4->protocol;
		*length = ntohs(v4->tot_len) - v4->ihl * 4;
		return v4->ihl * 4;
	}
	if (skb->protocol == htons(ETH_P_IPV6)) {
		v6 = skb_header_pointer(skb, offset, sizeof(*v6), &space);
		if (!v6)
			return 0;
		*proto = v6->nexthdr;
		*length = ntohs(v6->payload_len);
		return sizeof(*v6);
	}
	return 0;
}

/* An echo has its identifier where others have a port: the sender's port of a request, the
 * receiver's of the answer.
 */
static void trace_read_echo(const struct sk_buff *skb, int offset, u8 proto, int length,
			    struct wl_flow *flow)
{
	const bool v4 = proto == IPPROTO_ICMP;
	const struct icmphdr *icmp;
	struct icmphdr space;

	/* The header of an ICMPv6 echo is the same. */
	icmp = skb_header_pointer(skb, offset, sizeof(space), &space);
	if (!icmp)
		return;
	if (icmp->type == (v4 ? ICMP_ECHO : ICMPV6_ECHO_REQUEST))
		flow->sport = ntohs(icmp->un.echo.id);
	else if (icmp->type == (v4 ? ICMP_ECHOREPLY : ICMPV6_ECHO_REPLY))
		flow->dport = ntohs(icmp->un.echo.id);
	else
		return;
	flow->proto = proto;
	flow->payload_bytes = max(length - (int)sizeof(space), 0);
}

void wl_flow_read(const struct sk_buff *skb, struct wl_flow *flow)
{
	const struct tcphdr *tcp;
	struct tcphdr space;
	int header, length;
	u8 proto;

	memset(flow, 0, sizeof(*flow));
	header = trace_read_ip(skb, &proto, &length);
	if (!header)
		return;
	if (proto == IPPROTO_ICMP || proto == IPPROTO_ICMPV6)
		trace_read_echo(skb, skb_network_offset(skb) + header, proto, length, flow);
	if (proto != IPPROTO_TCP && proto != IPPROTO_UDP)
		return;
	/* The ports of UDP are where those of TCP are. */
	tcp = skb_header_pointer(skb, skb_network_offset(skb) + header,
				 proto == IPPROTO_TCP ? sizeof(struct tcphdr) :
							sizeof(struct udphdr),
				 &space);
	if (!tcp)
		return;
	flow->proto = proto;
	flow->sport = ntohs(tcp->source);
	flow->dport = ntohs(tcp->dest);
	length -= proto == IPPROTO_TCP ? tcp->doff * 4 : sizeof(struct udphdr);
	flow->payload_bytes = max(length, 0);
	if (proto == IPPROTO_TCP)
		flow->tcp_seq = ntohl(tcp->seq);
}
