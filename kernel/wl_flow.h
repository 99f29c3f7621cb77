/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_FLOW_H
#define _WL_FLOW_H

#include <linux/skbuff.h>

/**
 * struct wl_flow - whose packet it is, for trace records
 * @proto: IPPROTO_TCP or IPPROTO_UDP, 0 for anything else
 * @sport: source port, host order
 * @dport: destination port, host order
 * @tcp_seq: sequence number of its first byte
 * @payload_bytes: bytes above TCP or UDP
 */
struct wl_flow {
	u8 proto;
	u16 sport;
	u16 dport;
	u32 tcp_seq;
	u32 payload_bytes;
};

/**
 * wl_flow_read() - look into a packet
 * @skb: packet with its network header set
 * @flow: filled in; all 0 for what is not TCP or UDP over IPv4 or IPv6,
 *	fragments but the first, and IPv6 extension headers
 *
 * Called only while a tracepoint is on.
 */
void wl_flow_read(const struct sk_buff *skb, struct wl_flow *flow);

#endif
