// SPDX-License-Identifier: GPL-2.0
/*
 * Classes: 1:N of a qdisc 1: is its bearer N. 1:1 is there from the beginning to
 * the end, and its parameters are the qdisc's.
 */
#include "memory/memory.h"
#include "netlink/attr.h"
#include "class.h"

struct wl_class *wl_class_find(const struct wl_sched *q, u32 classid)
{
	struct Qdisc_class_common *common;

	common = qdisc_class_find(&q->classes, classid);
	return common ? container_of(common, struct wl_class, common) : NULL;
}

void wl_class_set_descs(struct wl_class *cl, u32 descs, u32 target_descs)
{
	struct wl_pool *pool = &cl->q->pool;

	wl_memory_settle(cl);
	pool->most += (s64)descs - cl->descs;
	pool->least += (s64)target_descs - cl->target_descs;
	cl->descs = descs;
	cl->target_descs = target_descs;
}

bool wl_class_set_target(struct wl_class *cl, const struct wl_cfg *cfg)
{
	bool let_go = wl_memory_give(cl);
	u32 descs = wl_memory_descs(cl, cfg, NULL);

	wl_look(cl->q, 1);
	wl_memory_settle(cl);
	wl_class_set_descs(cl, max(cl->descs, descs), descs);
	cl->target = *cfg;
	cl->delay_ns = max(cl->delay_ns, cfg->delay_ns);
	return let_go;
}

int wl_class_refuse(const struct wl_class *cl, const struct wl_refusal *why,
		    struct netlink_ext_ack *extack)
{
	return wl_refuse_value(why, extack, "class %x:%x: ",
			    TC_H_MAJ(cl->common.classid) >> 16,
			    wl_class_number(cl));
}

struct wl_class *wl_classify(struct sk_buff *skb, struct Qdisc *sch,
			     int *result)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct tcf_result found = { };
	struct tcf_proto *filters;
	struct wl_class *cl;

	if (TC_H_MAJ(skb->priority ^ sch->handle) == 0) {
		cl = wl_class_find(q, skb->priority);
		if (cl)
			return cl;
	}
	filters = rcu_dereference_bh(q->filters);
	if (!filters)
		return &q->first;
	switch (tcf_classify(skb, NULL, filters, &found, false)) {
	case TC_ACT_UNSPEC:
		return &q->first;
#ifdef CONFIG_NET_CLS_ACT
	case TC_ACT_QUEUED:
	case TC_ACT_STOLEN:
	case TC_ACT_TRAP:
		*result = NET_XMIT_SUCCESS | __NET_XMIT_STOLEN;
		return NULL;
	/* Nobody behind a qdisc redirects. */
	case TC_ACT_REDIRECT:
	case TC_ACT_SHOT:
		*result = NET_XMIT_SUCCESS | __NET_XMIT_BYPASS;
		return NULL;
#endif
	}
	cl = (struct wl_class *)found.class ?: wl_class_find(q, found.classid);
	return cl ?: &q->first;
}
