/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_COMPAT_NET_SCH_GENERIC_H
#define _WL_COMPAT_NET_SCH_GENERIC_H

#include_next <net/sch_generic.h>

/* 6.18 and older ask the packet how many it counts for, newer ones remember
 * what it was when it entered the first qdisc. Kbuild looks which it is.
 */
static inline void wl_pkt_segs_set(struct sk_buff *skb, u16 segs)
{
#ifdef WL_HAVE_PKT_SEGS
	qdisc_skb_cb(skb)->pkt_segs = segs;
#endif
}

/* 7.0 and older know that a qdisc dropped a packet, not why, and free what is dropped
 * in dequeue() there and then, or do not free all of it. Kbuild looks which it is.
 */
#ifdef WL_HAVE_QDISC_DROP_REASON
static inline void wl_drops_free(struct Qdisc *sch, struct sk_buff *list)
{
	tcf_kfree_skb_list(list, sch, sch->dev_queue, qdisc_dev(sch));
}

static inline void wl_drops_free_later(struct Qdisc *sch, struct sk_buff *list)
{
	struct sk_buff *next;

	for (; list; list = next) {
		next = list->next;
		qdisc_dequeue_drop(sch, list, tcf_get_qdisc_drop_reason(list));
	}
}
#else
enum qdisc_drop_reason {
	QDISC_DROP_GENERIC,
	QDISC_DROP_OVERLIMIT,
	QDISC_DROP_CONGESTED,
};

static inline void tcf_set_qdisc_drop_reason(const struct sk_buff *skb,
					     enum qdisc_drop_reason reason)
{
}

static inline void wl_drops_free(struct Qdisc *sch, struct sk_buff *list)
{
	kfree_skb_list_reason(list, SKB_DROP_REASON_QDISC_DROP);
}

static inline void wl_drops_free_later(struct Qdisc *sch, struct sk_buff *list)
{
	wl_drops_free(sch, list);
}
#endif

#ifndef TCQ_F_DEQUEUE_DROPS
#define TCQ_F_DEQUEUE_DROPS	0
#endif

#endif
