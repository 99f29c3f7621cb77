// SPDX-License-Identifier: GPL-2.0
/* What tc asks for: a qdisc and its classes are made, changed, shown and deleted. */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/random.h>
#include <net/genetlink.h>

#include "../3gpp.h"
#include "../change/change.h"
#include "../change/judge.h"
#include "../change/schedule.h"
#include "../class.h"
#include "../memory/kept.h"
#include "../memory/memory.h"
#include "../memory/pool.h"
#include "../netlink/attr.h"
#include "../netlink/options.h"
#include "../pair.h"
#include "../qdisc.h"
#include "../stats.h"
#include "../trace.h"
#include "../version.h"
#include "dump.h"
#include "genl.h"

/* --- Classes. --- */

static unsigned long tc_class_find(struct Qdisc *sch, u32 classid)
{
	return (unsigned long)wl_class_find(qdisc_priv(sch), classid);
}

static int tc_class_graft(struct Qdisc *sch, unsigned long arg,
			  struct Qdisc *child, struct Qdisc **old,
		       struct netlink_ext_ack *extack)
{
	return wl_refuse(extack, NULL, -EOPNOTSUPP,
			 "wlink: class %x:%x takes no qdisc below it",
			 sch->handle >> 16,
			 wl_class_number((struct wl_class *)arg));
}

static struct Qdisc *tc_class_leaf(struct Qdisc *sch, unsigned long arg)
{
	return NULL;
}

static void tc_class_walk(struct Qdisc *sch, struct qdisc_walker *walker)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;

	if (walker->stop)
		return;
	list_for_each_entry(cl, &q->order, order)
		if (!tc_qdisc_stats_dump(sch, (unsigned long)cl, walker))
			return;
}

static struct tcf_block *tc_class_tcf_block(struct Qdisc *sch, unsigned long arg,
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

static unsigned long tc_class_bind(struct Qdisc *sch, unsigned long parent,
				   u32 classid)
{
	struct wl_class *cl = wl_class_find(qdisc_priv(sch), classid);

	if (cl)
		cl->filters++;
	return (unsigned long)cl;
}

static void tc_class_unbind(struct Qdisc *sch, unsigned long arg)
{
	((struct wl_class *)arg)->filters--;
}

/* Return: the place before which a class with this number is inserted. */
static struct list_head *tc_class_successor(struct wl_sched *q, u32 number)
{
	struct list_head *at;

	list_for_each(at, &q->order)
		if (wl_class_number(list_entry(at, struct wl_class, order)) > number)
			break;
	return at;
}

static u32 tc_class_lowest_free(struct wl_sched *q)
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

static int tc_class_refuse_id(struct Qdisc *sch, u32 classid, u32 parentid,
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
static bool tc_class_grow_nodes(struct wl_sched *q, struct wl_node ***nodes,
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
static struct wl_node **tc_class_insert(struct Qdisc *sch, struct wl_class *cl,
					struct wl_node **nodes, u32 bearers)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct list_head *successor = tc_class_successor(q, wl_class_number(cl));
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

static int tc_class_add(struct Qdisc *sch, u32 classid, struct nlattr *opt,
			struct wl_class **added, struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_other_class *other;
	struct wl_options_said said = {
		.fresh = true, .get_3gpp = wl_3gpp_get, .has_3gpp = &q->has_3gpp,
	};
	struct wl_node **nodes;
	struct wl_class *cl;
	u32 bearers;
	int err;

	other = kzalloc(sizeof(*other), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!other || !tc_class_grow_nodes(q, &nodes, &bearers)) {
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
	      wl_judge_guarantees(q, NULL, &cl->target, extack) ?:
	      wl_judge_all(cl, &cl->target, NULL, &cl->descs, extack);
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
	kvfree(tc_class_insert(sch, cl, nodes, bearers));
	*added = cl;
	return 0;
}

static int tc_class_change(struct Qdisc *sch, u32 classid, u32 parentid,
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
				    tc_class_lowest_free(qdisc_priv(sch)));
	err = tc_class_refuse_id(sch, classid, parentid, extack);
	if (err)
		return err;
	err = tc_class_add(sch, classid, opt, &cl, extack);
	wl_kept_sweep(sch);
	*arg = (unsigned long)cl;
	return err;
}

static void tc_class_free(struct wl_class *cl)
{
	wl_memory_free(cl);
	kfree(container_of(cl, struct wl_other_class, class));
}

/* Little by little, so that the lock is never held for long; no packet finds it any more.
 * Return: now.
 */
static u64 tc_class_clear(struct Qdisc *sch, struct wl_class *cl) __acquires(lock)
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
static void tc_class_remove(struct Qdisc *sch, struct wl_class *cl)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct sk_buff *dropped;
	u64 now_ns;

	wl_schedule_unload(cl);
	now_ns = tc_class_clear(sch, cl);
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

static int tc_class_delete(struct Qdisc *sch, unsigned long arg,
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
	tc_class_remove(sch, cl);
	tc_class_free(cl);
	return 0;
}

static void tc_class_filters_changed(struct tcf_proto *first, void *priv)
{
	struct wl_sched *q = priv;

	rcu_assign_pointer(q->filters, first);
}

static int tc_class_init(struct wl_sched *q, struct netlink_ext_ack *extack)
{
	struct tcf_block_ext_info info = {
		.chain_head_change = tc_class_filters_changed,
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

static void tc_class_destroy(struct wl_sched *q)
{
	struct wl_class *cl, *next;

	/* Filters first: they let go of their classes. */
	tcf_block_put(q->block);
	list_for_each_entry_safe(cl, next, &q->order, order) {
		wl_schedule_unload(cl);
		if (cl != &q->first)
			tc_class_free(cl);
	}
	if (q->first.bearer)
		wl_memory_free(&q->first);
	kvfree(q->nodes);
	qdisc_class_hash_destroy(&q->classes);
}

static const struct Qdisc_class_ops tc_class_ops = {
	.find		= tc_class_find,
	.graft		= tc_class_graft,
	.leaf		= tc_class_leaf,
	.walk		= tc_class_walk,
	.change		= tc_class_change,
	.delete		= tc_class_delete,
	.tcf_block	= tc_class_tcf_block,
	.bind_tcf	= tc_class_bind,
	.unbind_tcf	= tc_class_unbind,
	.dump		= wl_dump_class,
	.dump_stats	= wl_dump_class_stats,
};

/* --- Qdiscs. --- */

static const struct wl_link_ops tc_link_ops = {
	.dropped = wl_on_dropped,
	.duplicate = wl_on_duplicate,
	.rate_changed = trace_wlink_rate,
	.applied = wl_change_applied,
	.granted = trace_wlink_grant,
	.rrc_changed = trace_wlink_rrc,
	.background = trace_wlink_background,
	.feedback = wl_pair_send,
	.schedule_changed = wl_schedule_changed,
	.channel_changed = trace_wlink_channel,
};

static int tc_change(struct Qdisc *sch, struct nlattr *opt,
		     struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);

	return wl_change(sch, &q->first, opt, extack);
}

static int tc_init(struct Qdisc *sch, struct nlattr *opt,
		   struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_cfg *cfg = &q->first.target;
	struct wl_options_said said = {
		.fresh = true, .get_3gpp = wl_3gpp_get, .has_3gpp = &q->has_3gpp,
	};
	u64 now_ns = ktime_get_ns();
	int err;

	wl_qdisc_init(sch);
	INIT_WORK(&q->notify.work, wl_genl_work);
	wl_cfg_default(cfg);
	cfg->seed = get_random_u64();
	err = wl_options_parse(cfg, &q->kept, TC_H_MAKE(sch->handle, 1), opt, &said,
			       extack);
	if (!err && said.at && wl_at_is_time(nla_get_u64(said.at))) {
		err = wl_refuse_time("at", said.at, nla_get_u64(said.at), now_ns, extack);
		now_ns = nla_get_u64(said.at);
	}
	if (err)
		return err;
	q->begin_ns = now_ns;
	wl_link_init(&q->link, cfg, now_ns, &tc_link_ops);
	err = tc_class_init(q, extack);
	if (err)
		return err;
	wl_pool_grow(&q->pool, &q->link, GFP_KERNEL);
	return 0;
}

/* Runs after a failed tc_init(), too. */
static void tc_destroy(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;

	wl_qdisc_stop(q);
	cancel_work_sync(&q->pool.work);
	list_for_each_entry(cl, &q->order, order)
		wl_schedule_leave(cl, wl_now_ns(q));
	cancel_work_sync(&q->notify.work);
	wl_genl_work(&q->notify.work);
	wl_change_destroy(q);
	tc_class_destroy(q);
	wl_kept_free_all(q);
	wl_pool_free(&q->pool);
	wl_3gpp_put(&q->has_3gpp);
}

/* The kernel reads qlen between this and tc_dump_stats(). All three are of one time
 * where there are no more than WL_WALK_MAX classes.
 */
static int tc_dump(struct Qdisc *sch, struct sk_buff *skb)
{
	struct wl_sched *q = qdisc_priv(sch);

	return wl_dump_options(skb, &q->first);
}

static int tc_dump_stats(struct Qdisc *sch, struct gnet_dump *d)
{
	struct wl_sched *q = qdisc_priv(sch);
	int err;

	wl_tree_lock(sch);
	err = wl_stats_dump(d->skb, q, NULL);
	sch_tree_unlock(sch);
	return err ? -1 : 0;
}

static struct Qdisc_ops tc_qdisc_ops __read_mostly = {
	.id		= "wlink",
	.cl_ops		= &tc_class_ops,
	.priv_size	= sizeof(struct wl_sched),
	.enqueue	= wl_enqueue,
	.dequeue	= wl_dequeue,
	.peek		= qdisc_peek_dequeued,
	.init		= tc_init,
	.reset		= wl_reset,
	.destroy	= tc_destroy,
	.change		= tc_change,
	.dump		= tc_dump,
	.dump_stats	= tc_dump_stats,
	.owner		= THIS_MODULE,
};

static int __init tc_module_init(void)
{
	int err;

	err = genl_register_family(&wl_genl_family);
	if (err)
		return err;
	err = register_qdisc(&tc_qdisc_ops);
	if (err)
		genl_unregister_family(&wl_genl_family);
	return err;
}
module_init(tc_module_init);

static void __exit tc_module_exit(void)
{
	unregister_qdisc(&tc_qdisc_ops);
	genl_unregister_family(&wl_genl_family);
}
module_exit(tc_module_exit);

MODULE_DESCRIPTION("Radio link emulation");
/* 6.8 and newer ask for this, older ones for the module by its name. */
MODULE_ALIAS("net-sch-wlink");
MODULE_VERSION(WLINK_VERSION);
MODULE_LICENSE("GPL");
