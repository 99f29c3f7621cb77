// SPDX-License-Identifier: GPL-2.0
/*
 * Classes: 1:N of a qdisc 1: is its bearer N. 1:1 is there from the beginning to
 * the end, and its parameters are the qdisc's.
 */
#include <linux/mm.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>
#include <net/gen_stats.h>

#include "netlink/attr.h"
#include "netlink/options.h"
#include "change.h"
#include "memory.h"
#include "kept.h"
#include "qdisc.h"
#include "schedule.h"
#include "stats.h"

struct wl_class *wl_class_find(const struct wl_sched *q, u32 classid)
{
	struct Qdisc_class_common *common;

	common = qdisc_class_find(&q->classes, classid);
	return common ? container_of(common, struct wl_class, common) : NULL;
}

void wl_class_settle(struct wl_class *cl)
{
	if (cl->era == cl->q->era)
		return;
	cl->era = cl->q->era;
	cl->descs = cl->target_descs;
	cl->delay_ns = cl->target.delay_ns;
}

void wl_class_set_descs(struct wl_class *cl, u32 descs, u32 target_descs)
{
	struct wl_pool *pool = &cl->q->pool;

	wl_class_settle(cl);
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
	wl_class_settle(cl);
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

static unsigned long class_find(struct Qdisc *sch, u32 classid)
{
	return (unsigned long)wl_class_find(qdisc_priv(sch), classid);
}

static int class_graft(struct Qdisc *sch, unsigned long arg,
		       struct Qdisc *child, struct Qdisc **old,
		       struct netlink_ext_ack *extack)
{
	return wl_refuse(extack, NULL, -EOPNOTSUPP,
			 "wlink: class %x:%x takes no qdisc below it",
			 sch->handle >> 16,
			 wl_class_number((struct wl_class *)arg));
}

static struct Qdisc *class_leaf(struct Qdisc *sch, unsigned long arg)
{
	return NULL;
}

static void class_walk(struct Qdisc *sch, struct qdisc_walker *walker)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;

	if (walker->stop)
		return;
	list_for_each_entry(cl, &q->order, order)
		if (!tc_qdisc_stats_dump(sch, (unsigned long)cl, walker))
			return;
}

static struct tcf_block *class_tcf_block(struct Qdisc *sch, unsigned long arg,
					 struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);

	if (!arg)
		return q->block;
	wl_refuse(extack, NULL, -EOPNOTSUPP,
		  "wlink: filters belong to the qdisc, not to class %x:%x",
		  sch->handle >> 16, wl_class_number((struct wl_class *)arg));
	return NULL;
}

static unsigned long class_bind(struct Qdisc *sch, unsigned long parent,
				u32 classid)
{
	struct wl_class *cl = wl_class_find(qdisc_priv(sch), classid);

	if (cl)
		cl->filters++;
	return (unsigned long)cl;
}

static void class_unbind(struct Qdisc *sch, unsigned long arg)
{
	((struct wl_class *)arg)->filters--;
}

/* Return: the place before which a class with this number is inserted. */
static struct list_head *class_successor(struct wl_sched *q, u32 number)
{
	struct list_head *at;

	list_for_each(at, &q->order)
		if (wl_class_number(list_entry(at, struct wl_class, order)) > number)
			break;
	return at;
}

static u32 class_lowest_free(struct wl_sched *q)
{
	struct wl_class *cl;
	u32 number = 1;

	list_for_each_entry(cl, &q->order, order) {
		if (wl_class_number(cl) != number)
			break;
		number++;
	}
	return number;
}

static int class_refuse_id(struct Qdisc *sch, u32 classid, u32 parentid,
			   struct netlink_ext_ack *extack)
{
	u32 major = sch->handle >> 16, number = TC_H_MIN(classid);

	if (!number || number > WLINK_BEARERS_MAX)
		return wl_refuse(extack, NULL, -EINVAL,
				 "wlink: class %x:%x is outside %x:1..%x:%x",
				 major, number, major, major, WLINK_BEARERS_MAX);
	if (parentid && parentid != TC_H_ROOT && parentid != sch->handle)
		return wl_refuse(extack, NULL, -EINVAL,
				 "wlink: class %x:%x cannot stand below %x:%x",
				 major, number, TC_H_MAJ(parentid) >> 16,
				 TC_H_MIN(parentid));
	return 0;
}

/* Memory of the heaps for one bearer more. Return: whether there is enough. */
static bool class_grow_nodes(struct wl_sched *q, struct wl_node ***nodes,
			     u32 *bearers)
{
	*bearers = q->nodes_bearers;
	*nodes = NULL;
	if (q->link.bearers < *bearers)
		return true;
	*bearers = max(2 * *bearers, 8U);
	*nodes = kvmalloc_array(2 * (*bearers + 1), sizeof(**nodes),
				GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	return *nodes;
}

/* Return: what @nodes have taken the place of, to be freed. */
static struct wl_node **class_insert(struct Qdisc *sch, struct wl_class *cl,
				     struct wl_node **nodes, u32 bearers)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct list_head *successor = class_successor(q, wl_class_number(cl));
	u32 descs = cl->descs, target_descs = cl->target_descs;
	struct wl_cfg cfg = cl->target;
	u64 now_ns;

	wl_tree_lock(sch);
	now_ns = wl_now_ns(q);
	/* A bearer begins where the engine is. */
	if (!wl_qdisc_catch_up(sch, now_ns))
		now_ns = q->link.event_ns;
	if (nodes) {
		q->nodes = nodes;
		q->nodes_bearers = bearers;
		nodes = wl_link_give_heaps(&q->link, nodes, bearers);
	}
	/* The engine applies pending changes of the link to the new bearer, too. */
	wl_cfg_copy_link(&cfg, &q->link.first.cfg);
	wl_link_add_bearer(&q->link, cl->bearer, wl_class_number(cl), &cfg,
			   now_ns);
	cl->descs = 0;
	cl->target_descs = 0;
	cl->era = q->era;
	wl_class_set_descs(cl, descs, target_descs);
	list_add_tail(&cl->order, successor);
	qdisc_class_hash_insert(&q->classes, &cl->common);
	wl_qdisc_unlock(sch, now_ns);
	qdisc_class_hash_grow(sch, &q->classes);
	return nodes;
}

static int class_add(struct Qdisc *sch, u32 classid, struct nlattr *opt,
		     struct wl_class **added, struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_other_class *other;
	struct wl_options_said said = { .fresh = true };
	struct wl_node **nodes;
	struct wl_class *cl;
	u32 bearers;
	int err;

	other = kzalloc(sizeof(*other), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!other || !class_grow_nodes(q, &nodes, &bearers)) {
		kfree(other);
		return wl_refuse(extack, NULL, -ENOMEM,
				 "wlink: no memory for a class");
	}
	cl = &other->class;
	cl->q = q;
	cl->bearer = &other->bearer;
	cl->common.classid = classid;
	gnet_stats_basic_sync_init(&cl->bstats);
	cl->target = q->first.target;
	cl->target.channel = (struct wl_chan_cfg){ .kind = WLINK_CHANNEL_LINK };
	cl->target.gbr_bps = 0;
	/* It has to suit the link as it is and as pending changes will make it. */
	err = wl_options_parse(&cl->target, &q->kept, classid, opt,
			       &said, extack) ?:
	      wl_change_guarantees(q, NULL, &cl->target, extack) ?:
	      wl_memory_prepare_all(cl, &cl->target, NULL, &cl->descs, extack);
	cl->target_descs = wl_cfg_sdus(&cl->target);
	cl->delay_ns = cl->target.delay_ns;
	if (err) {
		wl_memory_finish(cl);
		kvfree(nodes);
		kfree(other);
		return err;
	}
	wl_memory_give(cl);
	wl_qdisc_catch_up_slowly(sch);
	kvfree(class_insert(sch, cl, nodes, bearers));
	*added = cl;
	return 0;
}

static int class_change(struct Qdisc *sch, u32 classid, u32 parentid,
			struct nlattr **tca, unsigned long *arg,
			struct netlink_ext_ack *extack)
{
	struct wl_class *cl = (struct wl_class *)*arg;
	struct nlattr *opt = tca[TCA_OPTIONS];
	int err;

	if (tca[TCA_RATE]) {
		return wl_refuse(extack, NULL, -EOPNOTSUPP,
				 "wlink: a class has no rate estimator");
	}
	if (cl)
		return wl_change(sch, cl, opt, extack);
	if (!classid)
		classid = TC_H_MAKE(sch->handle,
				    class_lowest_free(qdisc_priv(sch)));
	err = class_refuse_id(sch, classid, parentid, extack);
	if (err)
		return err;
	err = class_add(sch, classid, opt, &cl, extack);
	wl_kept_sweep(sch);
	*arg = (unsigned long)cl;
	return err;
}

static void class_free(struct wl_class *cl)
{
	wl_memory_free(cl);
	kfree(container_of(cl, struct wl_other_class, class));
}

/* Little by little, so that the lock is never held for long; no packet finds it any more.
 * Return: now.
 */
static u64 class_clear(struct Qdisc *sch, struct wl_class *cl) __acquires(lock)
{
	struct wl_sched *q = qdisc_priv(sch);
	u64 now_ns = wl_qdisc_lock(sch);
	struct sk_buff *dropped;

	qdisc_class_hash_remove(&q->classes, &cl->common);
	wl_link_clear(&q->link, cl->bearer, now_ns);
	while (cl->bearer->leave_for) {
		wl_catch_up(q, now_ns, &dropped);
		sch_tree_unlock(sch);
		wl_drops_free(sch, dropped);
		cond_resched();
		wl_tree_lock(sch);
		now_ns = wl_now_ns(q);
	}
	wl_qdisc_catch_up(sch, now_ns);
	return now_ns;
}

/* Schedules of the class are freed after the notification of their end. */
static void class_remove(struct Qdisc *sch, struct wl_class *cl)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct sk_buff *dropped;
	u64 now_ns;

	wl_schedule_unload(cl);
	now_ns = class_clear(sch, cl);
	wl_drops_begin(q);
	wl_link_del_bearer(&q->link, cl->bearer, now_ns);
	dropped = wl_drops_end(q);
	wl_schedule_leave(cl, now_ns);
	wl_class_set_descs(cl, 0, 0);
	list_del(&cl->order);
	wl_qdisc_unlock(sch, now_ns);
	wl_drops_free(sch, dropped);
	wl_kept_sweep(sch);
}

static int class_delete(struct Qdisc *sch, unsigned long arg,
			struct netlink_ext_ack *extack)
{
	struct wl_class *cl = (struct wl_class *)arg;
	struct wl_sched *q = qdisc_priv(sch);

	if (cl == &q->first) {
		return wl_refuse(extack, NULL, -EOPNOTSUPP,
				 "wlink: class %x:1 is there as long as its qdisc",
				 sch->handle >> 16);
	}
	if (cl->filters) {
		return wl_refuse(extack, NULL, -EBUSY,
				 "wlink: class %x:%x is in use by %u filters",
				 sch->handle >> 16, wl_class_number(cl),
				 cl->filters);
	}
	class_remove(sch, cl);
	class_free(cl);
	return 0;
}

/* The profile outlives the lock: wl_kept_sweep() frees under RTNL, which is held
 * here. A schedule may have another rate than the target.
 */
int wl_class_put(struct sk_buff *skb, const struct wl_class *cl)
{
	const struct wl_cfg *now = &cl->bearer->cfg;
	struct wl_cfg cfg;

	wl_qdisc_lock_to_show(cl->q->sch);
	cfg = cl->target;
	if (cfg.profile && cfg.profile == now->profile)
		cfg.aqm = now->aqm;
	sch_tree_unlock(cl->q->sch);
	return wl_options_put(skb, &cfg, cl->common.classid);
}

/* The kernel reads nothing between this and class_dump_stats(), and both are to
 * tell of one time.
 */
static int class_dump(struct Qdisc *sch, unsigned long arg, struct sk_buff *skb,
		      struct tcmsg *tcm)
{
	struct wl_class *cl = (struct wl_class *)arg;

	tcm->tcm_handle = cl->common.classid;
	return wl_class_put(skb, cl);
}

static int class_dump_stats(struct Qdisc *sch, unsigned long arg,
			    struct gnet_dump *d)
{
	struct wl_class *cl = (struct wl_class *)arg;
	int err;

	wl_tree_lock(sch);
	err = wl_stats_dump(d->skb, qdisc_priv(sch), cl) ?:
	      gnet_stats_copy_basic(d, NULL, &cl->bstats, false) ?:
	      gnet_stats_copy_queue(d, NULL, &cl->qstats,
				    cl->bearer->stats.v[WLINK_STAT_SDUS_HELD]);
	sch_tree_unlock(sch);
	return err ? -1 : 0;
}

/* As the kernel does it, whose function is its own. */
static int class_fill(struct sk_buff *skb, struct Qdisc *sch,
		      struct wl_class *cl)
{
	struct nlmsghdr *nlh;
	struct gnet_dump d;
	struct tcmsg *tcm;

	nlh = nlmsg_put(skb, 0, 0, RTM_NEWTCLASS, sizeof(*tcm), 0);
	if (!nlh)
		return -EMSGSIZE;
	tcm = nlmsg_data(nlh);
	*tcm = (struct tcmsg){
		.tcm_ifindex = qdisc_dev(sch)->ifindex,
		.tcm_parent = sch->handle,
	};
	if (nla_put_string(skb, TCA_KIND, sch->ops->id) ||
	    class_dump(sch, (unsigned long)cl, skb, tcm) < 0 ||
	    gnet_stats_start_copy_compat(skb, TCA_STATS2, TCA_STATS,
					 TCA_XSTATS, NULL, &d, TCA_PAD) < 0 ||
	    class_dump_stats(sch, (unsigned long)cl, &d) ||
	    gnet_stats_finish_copy(&d) < 0)
		return -EMSGSIZE;
	nlmsg_end(skb, nlh);
	return 0;
}

void wl_class_notify(struct wl_class *cl)
{
	struct Qdisc *sch = cl->q->sch;
	struct net *net = dev_net(qdisc_dev(sch));
	struct sk_buff *skb;

	if (!rtnl_has_listeners(net, RTNLGRP_TC))
		return;
	skb = alloc_skb(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return;
	if (class_fill(skb, sch, cl))
		kfree_skb(skb);
	else
		rtnl_notify(skb, net, 0, RTNLGRP_TC, NULL, GFP_KERNEL);
}

static void class_filters_changed(struct tcf_proto *first, void *priv)
{
	struct wl_sched *q = priv;

	rcu_assign_pointer(q->filters, first);
}

int wl_class_init(struct wl_sched *q, struct netlink_ext_ack *extack)
{
	struct tcf_block_ext_info info = {
		.chain_head_change = class_filters_changed,
		.chain_head_change_priv = q,
	};
	struct wl_class *cl = &q->first;
	int err;

	err = qdisc_class_hash_init(&q->classes);
	if (err)
		return err;
	cl->q = q;
	cl->bearer = &q->link.first;
	cl->common.classid = TC_H_MAKE(q->sch->handle, 1);
	gnet_stats_basic_sync_init(&cl->bstats);
	q->nodes_bearers = 1;
	err = wl_memory_prepare(cl, &cl->target, extack);
	if (err)
		return err;
	wl_class_set_target(cl, &cl->target);
	list_add(&cl->order, &q->order);
	qdisc_class_hash_insert(&q->classes, &cl->common);
	return tcf_block_get_ext(&q->block, q->sch, &info, extack);
}

void wl_class_destroy(struct wl_sched *q)
{
	struct wl_class *cl, *next;

	/* Filters first: they let go of their classes. */
	tcf_block_put(q->block);
	list_for_each_entry_safe(cl, next, &q->order, order) {
		wl_schedule_unload(cl);
		if (cl != &q->first)
			class_free(cl);
	}
	if (q->first.bearer)
		wl_memory_free(&q->first);
	kvfree(q->nodes);
	qdisc_class_hash_destroy(&q->classes);
}

const struct Qdisc_class_ops wl_class_ops = {
	.find		= class_find,
	.graft		= class_graft,
	.leaf		= class_leaf,
	.walk		= class_walk,
	.change		= class_change,
	.delete		= class_delete,
	.tcf_block	= class_tcf_block,
	.bind_tcf	= class_bind,
	.unbind_tcf	= class_unbind,
	.dump		= class_dump,
	.dump_stats	= class_dump_stats,
};
