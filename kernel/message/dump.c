// SPDX-License-Identifier: GPL-2.0
/* What tc is shown of a class. */

#include "../netlink/options.h"
#include "../qdisc.h"
#include "../stats.h"
#include "dump.h"

/* The profile outlives the lock: wl_kept_sweep() frees under RTNL, which is held
 * here. A schedule may have another rate than the target.
 */
int wl_dump_options(struct sk_buff *skb, const struct wl_class *cl)
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

/* The kernel reads nothing between this and wl_dump_class_stats(), and both are to
 * tell of one time.
 */
int wl_dump_class(struct Qdisc *sch, unsigned long arg, struct sk_buff *skb,
		  struct tcmsg *tcm)
{
	struct wl_class *cl = (struct wl_class *)arg;

	tcm->tcm_handle = cl->common.classid;
	return wl_dump_options(skb, cl);
}

int wl_dump_class_stats(struct Qdisc *sch, unsigned long arg,
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
static int dump_fill(struct sk_buff *skb, struct Qdisc *sch,
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
	    wl_dump_class(sch, (unsigned long)cl, skb, tcm) < 0 ||
	    gnet_stats_start_copy_compat(skb, TCA_STATS2, TCA_STATS,
					 TCA_XSTATS, NULL, &d, TCA_PAD) < 0 ||
	    wl_dump_class_stats(sch, (unsigned long)cl, &d) ||
	    gnet_stats_finish_copy(&d) < 0)
		return -EMSGSIZE;
	nlmsg_end(skb, nlh);
	return 0;
}

void wl_dump_notify(struct wl_class *cl)
{
	struct Qdisc *sch = cl->q->sch;
	struct net *net = dev_net(qdisc_dev(sch));
	struct sk_buff *skb;

	if (!rtnl_has_listeners(net, RTNLGRP_TC))
		return;
	skb = alloc_skb(NLMSG_GOODSIZE, GFP_KERNEL);
	if (!skb)
		return;
	if (dump_fill(skb, sch, cl))
		kfree_skb(skb);
	else
		rtnl_notify(skb, net, 0, RTNLGRP_TC, NULL, GFP_KERNEL);
}
