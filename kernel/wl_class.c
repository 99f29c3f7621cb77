// SPDX-License-Identifier: GPL-2.0
/*
 * Class 1:1 of a qdisc 1: is its one bearer, and the qdisc's parameters are the
 * bearer's.
 */
#include <linux/netlink.h>
#include <net/gen_stats.h>

#include "wl_qdisc.h"

#define BEARER	1UL

static unsigned long class_find(struct Qdisc *sch, u32 classid)
{
	return classid == TC_H_MAKE(sch->handle, BEARER) ? BEARER : 0;
}

static int class_graft(struct Qdisc *sch, unsigned long cl, struct Qdisc *child,
		       struct Qdisc **old, struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG_FMT(extack, "wlink: class %x:%lx takes no qdisc below it",
			   sch->handle >> 16, cl);
	return -EOPNOTSUPP;
}

static struct Qdisc *class_leaf(struct Qdisc *sch, unsigned long cl)
{
	return NULL;
}

static void class_walk(struct Qdisc *sch, struct qdisc_walker *walker)
{
	if (walker->stop)
		return;
	if (walker->count >= walker->skip &&
	    walker->fn(sch, BEARER, walker) < 0) {
		walker->stop = 1;
		return;
	}
	walker->count++;
}

static int class_change(struct Qdisc *sch, u32 classid, u32 parentid,
			struct nlattr **tca, unsigned long *cl,
			struct netlink_ext_ack *extack)
{
	if (*cl)
		return wl_qdisc_change(sch, tca[TCA_OPTIONS], extack);
	NL_SET_ERR_MSG_FMT(extack,
			   "wlink: class %x:%x does not exist, there is only %x:1",
			   sch->handle >> 16, TC_H_MIN(classid),
			   sch->handle >> 16);
	return -ENOENT;
}

static int class_dump(struct Qdisc *sch, unsigned long cl, struct sk_buff *skb,
		      struct tcmsg *tcm)
{
	tcm->tcm_handle |= cl;
	return wl_qdisc_dump(sch, skb);
}

static int class_dump_stats(struct Qdisc *sch, unsigned long cl,
			    struct gnet_dump *d)
{
	if (wl_qdisc_dump_stats(sch, d) ||
	    gnet_stats_copy_basic(d, NULL, &sch->bstats, true) ||
	    gnet_stats_copy_queue(d, NULL, &sch->qstats, sch->q.qlen))
		return -1;
	return 0;
}

const struct Qdisc_class_ops wl_class_ops = {
	.find		= class_find,
	.graft		= class_graft,
	.leaf		= class_leaf,
	.walk		= class_walk,
	.change		= class_change,
	.dump		= class_dump,
	.dump_stats	= class_dump_stats,
};
