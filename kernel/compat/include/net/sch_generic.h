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

#endif
