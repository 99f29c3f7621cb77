// SPDX-License-Identifier: GPL-2.0
/*
 * Changes: checked and provided with memory first, made under the lock then. A
 * change that is refused has changed nothing.
 */
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "wl_netlink.h"
#include "wl_qdisc.h"

int wl_change_prepare(struct wl_class *cl, const struct wl_cfg *cfg,
		      struct netlink_ext_ack *extack)
{
	const struct wl_room *there = &cl->bearer->room;
	struct wl_room *spare = &cl->spare;
	void *mem;

	wl_bearer_need(cl->bearer, cfg, spare);
	if (wl_room_fits(there, spare))
		return 0;
	/* Whoever is root in a namespace may ask for this. */
	mem = kvzalloc(spare->bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!mem) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: no memory for %llu bytes of windows and PDUs on their way",
				   spare->bytes);
		return -ENOMEM;
	}
	wl_room_place(spare, mem);
	return 0;
}

void wl_change_give(struct wl_class *cl)
{
	if (cl->spare.mem)
		cl->spare.mem = wl_bearer_give(cl->bearer, &cl->spare);
}

void wl_change_finish(struct wl_class *cl)
{
	kvfree(cl->spare.mem);
	cl->spare.mem = NULL;
}

/* Whether a change of bearer 1 is one of all bearers. */
static bool changes_link(const struct wl_cfg *old, const struct wl_cfg *cfg)
{
	return old->tti_ns != cfg->tti_ns || old->sched != cfg->sched;
}

/* What of the link is in every bearer's configuration. */
static void copy_link_words(struct wl_cfg *cfg, const struct wl_cfg *from)
{
	cfg->tti_ns = from->tti_ns;
	cfg->seed = from->seed;
	cfg->sched = from->sched;
}

/* A TTI that suits bearer 1 need not suit the others. */
static int prepare_others(struct wl_sched *q, const struct wl_cfg *link_cfg,
			  struct netlink_ext_ack *extack)
{
	struct wl_refusal why;
	struct wl_class *cl;
	struct wl_cfg cfg;
	int err;

	list_for_each_entry(cl, &q->order, order) {
		if (cl == &q->first)
			continue;
		cfg = cl->asked;
		copy_link_words(&cfg, link_cfg);
		err = wl_cfg_check(&cfg, &why);
		if (err) {
			NL_SET_ERR_MSG_FMT(extack,
					   "wlink: class %x:%x: %s %llu is outside %llu..%llu%s%s",
					   TC_H_MAJ(cl->common.classid) >> 16,
					   TC_H_MIN(cl->common.classid),
					   why.what, why.value, why.min,
					   why.max, *why.unit ? " " : "",
					   why.unit);
			return err;
		}
		err = wl_change_prepare(cl, &cfg, extack);
		if (err)
			return err;
	}
	return 0;
}

static void give_others(struct wl_sched *q, const struct wl_cfg *link_cfg)
{
	struct wl_class *cl;

	list_for_each_entry(cl, &q->order, order) {
		if (cl == &q->first)
			continue;
		wl_change_give(cl);
		copy_link_words(&cl->asked, link_cfg);
		wl_class_account(q, cl);
	}
}

int wl_change(struct Qdisc *sch, struct wl_class *cl, struct nlattr *opt,
	      struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_cfg cfg = cl->asked;
	bool reseed, of_all;
	u64 now_ns;
	int err;

	err = wl_netlink_parse(&cfg, cl->common.classid, opt, &reseed, extack);
	if (err)
		return err;
	of_all = cl == &q->first && changes_link(&cl->asked, &cfg);
	err = wl_change_prepare(cl, &cfg, extack);
	if (!err && of_all)
		err = prepare_others(q, &cfg, extack);
	if (err)
		goto finish;
	wl_qdisc_catch_up_slowly(sch);

	sch_tree_lock(sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(sch, now_ns);
	wl_change_give(cl);
	cl->asked = cfg;
	wl_class_account(q, cl);
	if (of_all)
		give_others(q, &cfg);
	wl_link_configure(&q->link, cl->bearer, now_ns, &cfg, reseed);
	wl_qdisc_catch_up(sch, now_ns);
	wl_qdisc_rearm(q);
	sch_tree_unlock(sch);
finish:
	list_for_each_entry(cl, &q->order, order)
		wl_change_finish(cl);
	return err;
}
