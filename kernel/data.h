/* SPDX-License-Identifier: GPL-2.0 */
/* A system of its own: who records what becomes of SDUs does not get their bytes as well. */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM wlink_data

#if !defined(_WL_DATA_H) || defined(TRACE_HEADER_MULTI_READ)
#define _WL_DATA_H

#include <linux/netdevice.h>
#include <linux/tracepoint.h>

#include "glue.h"

/* All headers, and the begin of what they carry. */
#define WL_DATA_MAX	256U

/* Before the wlink_sdu of the same SDU. */
TRACE_EVENT(wlink_packet,

	TP_PROTO(const struct Qdisc *sch, const struct wl_sdu *sdu,
		 const struct sk_buff *skb),

	TP_ARGS(sch, sdu, skb),

	TP_STRUCT__entry(
		__array(char, dev, IFNAMSIZ)
		__field(int, ifindex)
		__field(u32, handle)
		__field(u64, seq)
		__field(u32, len)
		__dynamic_array(u8, data, min(skb->len, WL_DATA_MAX))
	),

	TP_fast_assign(
		memcpy(__entry->dev, qdisc_dev(sch)->name, IFNAMSIZ);
		__entry->ifindex = qdisc_dev(sch)->ifindex;
		__entry->handle = sch->handle;
		__entry->seq = sdu->seq;
		__entry->len = skb->len;
		skb_copy_bits(skb, 0, __get_dynamic_array(data),
			      min(skb->len, WL_DATA_MAX));
	),

	TP_printk("dev=%s ifindex=%d handle=%x seq=%llu len=%u data=%s",
		  __entry->dev, __entry->ifindex, __entry->handle,
		  __entry->seq, __entry->len,
		  __print_hex(__get_dynamic_array(data),
			      __get_dynamic_array_len(data)))
);

#endif

#undef TRACE_INCLUDE_PATH
#define TRACE_INCLUDE_PATH .
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_FILE data
#include <trace/define_trace.h>
