// SPDX-License-Identifier: GPL-2.0
/* Trace records, and what they tell of a packet. */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/ip.h>

#define CREATE_TRACE_POINTS
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

static void trace_read_tcp(const struct sk_buff *skb, int offset, int length,
			   struct wl_flow *flow)
{
	const struct tcphdr *tcp;
	struct tcphdr space;

	tcp = skb_header_pointer(skb, offset, sizeof(space), &space);
	if (!tcp)
		return;
	flow->proto = IPPROTO_TCP;
	flow->sport = ntohs(tcp->source);
	flow->dport = ntohs(tcp->dest);
	flow->tcp_seq = ntohl(tcp->seq);
	flow->payload_bytes = max(length - tcp->doff * 4, 0);
}

static void trace_read_udp(const struct sk_buff *skb, int offset, int length,
			   struct wl_flow *flow)
{
	const struct udphdr *udp;
	struct udphdr space;

	udp = skb_header_pointer(skb, offset, sizeof(space), &space);
	if (!udp)
		return;
	flow->proto = IPPROTO_UDP;
	flow->sport = ntohs(udp->source);
	flow->dport = ntohs(udp->dest);
	flow->payload_bytes = max_t(int, length - (int)sizeof(*udp), 0);
}

void wl_flow_read(const struct sk_buff *skb, struct wl_flow *flow)
{
	int header, length, offset;
	u8 proto;

	memset(flow, 0, sizeof(*flow));
	header = trace_read_ip(skb, &proto, &length);
	if (!header)
		return;
	offset = skb_network_offset(skb) + header;
	if (proto == IPPROTO_TCP)
		trace_read_tcp(skb, offset, length, flow);
	else if (proto == IPPROTO_UDP)
		trace_read_udp(skb, offset, length, flow);
}
