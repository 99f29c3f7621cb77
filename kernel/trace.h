/* SPDX-License-Identifier: GPL-2.0 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM wlink

#if !defined(_WL_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _WL_TRACE_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>

#include <wlink/names.h>

#include "glue.h"

#ifndef _WL_TRACE_FLOW
#define _WL_TRACE_FLOW

/**
 * struct wl_flow - whose packet it is, for trace records
 * @proto: IPPROTO_TCP or IPPROTO_UDP, of an echo IPPROTO_ICMP or IPPROTO_ICMPV6, 0 for
 *	anything else
 * @sport: source port, host order; of a request for an echo its identifier
 * @dport: destination port, host order; of an echo's answer its identifier
 * @tcp_seq: sequence number of its first byte
 * @payload_bytes: bytes above TCP, UDP or ICMP
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
 * @flow: filled in; all 0 for what is not TCP, UDP or an echo over IPv4 or IPv6,
 *	fragments but the first, and IPv6 extension headers
 *
 * Called only while a tracepoint is on.
 */
void wl_flow_read(const struct sk_buff *skb, struct wl_flow *flow);

#endif

/* Before the last of what __print_symbolic() takes. */
#define SYMBOL(of, word, name)	{ WLINK_##of##_##word, #name },

/* What each record begins with: of which bearer of which link it is. */
#define LINK_ENTRY							\
	__array(char, dev, IFNAMSIZ)					\
	__field(int, ifindex)						\
	__field(u32, handle)						\
	__field(u32, bearer)						\
	__field(u32, generation)
#define LINK_ASSIGN(sch, number, gen)					\
	memcpy(__entry->dev, qdisc_dev(sch)->name, IFNAMSIZ);		\
	__entry->ifindex = qdisc_dev(sch)->ifindex;			\
	__entry->handle = (sch)->handle;				\
	__entry->bearer = number;					\
	__entry->generation = gen
#define LINK_FMT	"dev=%s ifindex=%d handle=%x bearer=%u"
#define LINK_ARGS	__entry->dev, __entry->ifindex, __entry->handle, \
			__entry->bearer

/* Times are CLOCK_MONOTONIC in ns, of the model: the same from run to run where
 * the arrivals are. Only handover is when it really happened.
 */

TRACE_EVENT(wlink_sdu,

	TP_PROTO(const struct Qdisc *sch, const struct wl_sdu *sdu,
		 const struct sk_buff *skb, u64 handover_ns),

	TP_ARGS(sch, sdu, skb, handover_ns),

	TP_STRUCT__entry(
		LINK_ENTRY
		__field(u64, seq)
		__field(u32, bytes)
		__field(u32, pdus)
		__field(u32, pdus_lost)
		__field(u8, drop)
		__field(u64, arrival_ns)
		__field(u64, start_ns)
		__field(u64, end_ns)
		__field(u64, deliver_ns)
		__field(u64, due_ns)
		__field(u64, whole_ns)
		__field(u32, retx)
		__field(u64, handover_ns)
		__field(u8, proto)
		__field(u16, sport)
		__field(u16, dport)
		__field(u32, tcp_seq)
		__field(u32, payload_bytes)
		__field(u32, buffer_sdus)
		__field(u8, ecn)
		__field(u64, access_ns)
		__field(u64, access_tx_ns)
		__field(u64, jitter_ns)
		__field(u8, impaired)
	),

	TP_fast_assign(
		struct wl_flow flow;

		wl_flow_read(skb, &flow);
		LINK_ASSIGN(sch, sdu->owner->number, sdu->generation);
		__entry->seq = sdu->seq;
		__entry->bytes = sdu->bytes;
		__entry->pdus = sdu->pdus;
		__entry->pdus_lost = sdu->pdus_lost;
		__entry->drop = sdu->drop;
		__entry->arrival_ns = sdu->arrival_ns;
		__entry->start_ns = sdu->start_ns == WL_NEVER_NS ?
				    0 : sdu->start_ns;
		__entry->end_ns = sdu->end_ns;
		__entry->deliver_ns = sdu->deliver_ns;
		__entry->due_ns = sdu->drop ? 0 : sdu->due_ns;
		__entry->whole_ns = sdu->drop ? 0 : sdu->whole_ns;
		__entry->retx = sdu->retx;
		__entry->handover_ns = handover_ns;
		__entry->proto = flow.proto;
		__entry->sport = flow.sport;
		__entry->dport = flow.dport;
		__entry->tcp_seq = flow.tcp_seq;
		__entry->payload_bytes = flow.payload_bytes;
		__entry->buffer_sdus = sdu->buffer_sdus;
		__entry->ecn = !!(sdu->ecn & WL_ECN_MARKED);
		__entry->access_ns = sdu->access_ns;
		__entry->access_tx_ns = sdu->access_tx_ns;
		__entry->jitter_ns = sdu->jitter_ns;
		__entry->impaired = sdu->impaired;
	),

	TP_printk(LINK_FMT " gen=%u seq=%llu bytes=%u pdus=%u pdus_lost=%u drop=%s arrival=%llu start=%llu end=%llu deliver=%llu due=%llu whole=%llu retx=%u handover=%llu proto=%u sport=%u dport=%u tcp_seq=%u payload=%u buffer=%u ecn=%u access=%llu access_tx=%llu jitter=%llu impaired=%u",
		  LINK_ARGS, __entry->generation, __entry->seq,
		  __entry->bytes, __entry->pdus, __entry->pdus_lost,
		  __print_symbolic(__entry->drop, WL_DROPS(SYMBOL) { WLINK_DROP_NONE, "none" }),
		  __entry->arrival_ns, __entry->start_ns, __entry->end_ns,
		  __entry->deliver_ns, __entry->due_ns, __entry->whole_ns,
		  __entry->retx, __entry->handover_ns, __entry->proto,
		  __entry->sport, __entry->dport, __entry->tcp_seq,
		  __entry->payload_bytes, __entry->buffer_sdus,
		  __entry->ecn, __entry->access_ns, __entry->access_tx_ns,
		  __entry->jitter_ns, __entry->impaired)
);

/* What happens to a link or one of its bearers at a time. */
#define LINK_EVENT(name, proto, args, number, entry, assign, fmt, ...)	\
TRACE_EVENT(name,							\
	TP_PROTO(struct wl_link *link, proto),				\
	TP_ARGS(link, args),						\
	TP_STRUCT__entry(LINK_ENTRY __field(u64, at_ns) entry),		\
	TP_fast_assign(							\
		LINK_ASSIGN(wl_sched_of(link)->sch, number, link->generation); \
		__entry->at_ns = at_ns;					\
		assign							\
	),								\
	TP_printk(LINK_FMT " gen=%u at=%llu " fmt, LINK_ARGS,		\
		  __entry->generation, __entry->at_ns, __VA_ARGS__)	\
)

LINK_EVENT(wlink_rate,
	   TP_PROTO(const struct wl_bearer *b, u64 at_ns, u64 old_bps, u64 new_bps),
	   TP_ARGS(b, at_ns, old_bps, new_bps), b->number,
	   __field(u64, old_bps) __field(u64, new_bps),
	   TP_fast_assign(__entry->old_bps = old_bps; __entry->new_bps = new_bps;),
	   "old_bps=%llu new_bps=%llu", __entry->old_bps, __entry->new_bps);

TRACE_EVENT(wlink_channel,

	TP_PROTO(struct wl_link *link, const struct wl_bearer *b, u64 at_ns, bool bad),

	TP_ARGS(link, b, at_ns, bad),

	TP_STRUCT__entry(
		LINK_ENTRY
		__field(u64, at_ns)
		__field(bool, bad)
	),

	TP_fast_assign(
		LINK_ASSIGN(wl_sched_of(link)->sch, b ? b->number : 0, link->generation);
		__entry->at_ns = at_ns;
		__entry->bad = bad;
	),

	TP_printk(LINK_FMT " at=%llu bad=%u gen=%u",
		  LINK_ARGS, __entry->at_ns, __entry->bad,
		  __entry->generation)
);

LINK_EVENT(wlink_grant,
	   TP_PROTO(const struct wl_bearer *b, u64 at_ns, u64 bytes, u64 used),
	   TP_ARGS(b, at_ns, bytes, used), b->number,
	   __field(u64, bytes) __field(u64, used),
	   TP_fast_assign(__entry->bytes = bytes; __entry->used = used;),
	   "bytes=%llu used=%llu", __entry->bytes, __entry->used);

LINK_EVENT(wlink_rrc,
	   TP_PROTO(const struct wl_bearer *b, u64 at_ns, enum wlink_rrc state),
	   TP_ARGS(b, at_ns, state), b->number,
	   __field(u8, state), TP_fast_assign(__entry->state = state;),
	   "state=%s", __print_symbolic(__entry->state, WL_RRC_STATES(SYMBOL)
					{ WLINK_RRC_NONE, "none" }));

LINK_EVENT(wlink_background,
	   TP_PROTO(u64 at_ns, u64 airtime_ns), TP_ARGS(at_ns, airtime_ns), 0,
	   __field(u32, users) __field(u64, airtime_ns),
	   TP_fast_assign(__entry->users = link->users.on; __entry->airtime_ns = airtime_ns;),
	   "users=%u airtime=%llu", __entry->users, __entry->airtime_ns);

LINK_EVENT(wlink_schedule,
	   TP_PROTO(const struct wl_bearer *b, u64 at_ns, u32 state, u64 pass),
	   TP_ARGS(b, at_ns, state, pass), b->number,
	   __field(u8, state) __field(u64, pass),
	   TP_fast_assign(__entry->state = state; __entry->pass = pass;),
	   "state=%s pass=%llu", __print_symbolic(__entry->state, WL_SCHEDULE_STATES(SYMBOL)
						  { WLINK_SCHEDULE_STATE_NONE, "none" }),
	   __entry->pass);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
