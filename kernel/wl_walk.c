// SPDX-License-Identifier: GPL-2.0
/* What becomes of configurations when all that waits is applied in its order. */
#include <linux/sched.h>

#include "wl_memory.h"
#include "wl_netlink.h"
#include "wl_refuse.h"
#include "wl_schedule.h"
#include "wl_txn.h"
#include "wl_walk.h"

void wl_walk_link_words(struct wl_cfg *cfg, const struct wl_cfg *from)
{
	cfg->tti_ns = from->tti_ns;
	cfg->seed = from->seed;
	cfg->sched = from->sched;
}

static bool same_link_words(const struct wl_cfg *cfg, const struct wl_cfg *other)
{
	return cfg->tti_ns == other->tti_ns && cfg->seed == other->seed &&
	       cfg->sched == other->sched;
}

void wl_walk_begin(struct wl_walk *walk, struct wl_sched *q, bool at_end)
{
	q->walks++;
	walk->q = q;
	walk->at_end = at_end;
}

bool wl_walk_met(const struct wl_walk *walk, const struct wl_class *cl)
{
	return cl->walk.number == walk->q->walks;
}

/* The class is at another configuration now. */
static void see(struct wl_class *cl)
{
	struct wl_class_walk *at = &cl->walk;

	at->delay_ns = max(at->delay_ns, at->cfg.delay_ns);
	at->last_slots = wl_memory_slots(cl, &at->cfg);
	at->slots = max(at->slots, at->last_slots);
}

/* Return: what has become of a class so far. */
static struct wl_cfg *cfg_of(struct wl_walk *walk, struct wl_class *cl)
{
	struct wl_class_walk *at = &cl->walk;

	if (!wl_walk_met(walk, cl)) {
		at->number = walk->q->walks;
		at->cfg = walk->at_end ? cl->asked : cl->base;
		at->delay_ns = walk->at_end ? cl->delay_ns : 0;
		at->slots = walk->at_end ? cl->slots : 0;
		see(cl);
	}
	if (cl != &walk->q->first)
		wl_walk_link_words(&at->cfg, cfg_of(walk, &walk->q->first));
	return &at->cfg;
}

void wl_walk_pass(struct wl_walk *walk, struct wl_change *change)
{
	struct wl_class *cl;
	u32 i;

	for (i = 0; i < change->txn.count; i++) {
		cl = change->part[i].cl;
		if (!cl)
			continue;
		*cfg_of(walk, cl) = change->txn.part[i].cfg;
		see(cl);
	}
}

static int refuse(const struct wl_class *cl, const struct wl_refusal *why,
		  struct netlink_ext_ack *extack)
{
	return wl_refuse(why, extack, "class %x:%x: ",
			 TC_H_MAJ(cl->common.classid) >> 16,
			 TC_H_MIN(cl->common.classid));
}

/* A configuration that is good in itself. */
static int provide(struct wl_class *cl, const struct wl_cfg *cfg,
		   struct netlink_ext_ack *extack)
{
	int err = wl_schedule_judge(cl, cfg, extack);

	return err ?: wl_memory_prepare(cl, cfg, extack);
}

/* A TTI that suits bearer 1 need not suit the others. */
static int judge_others(struct wl_walk *walk, struct netlink_ext_ack *extack)
{
	struct wl_sched *q = walk->q;
	struct wl_refusal why;
	struct wl_class *cl;
	int err;

	list_for_each_entry(cl, &q->order, order) {
		cond_resched();
		if (cl == &q->first)
			continue;
		if (wl_cfg_check(cfg_of(walk, cl), &why))
			return refuse(cl, &why, extack);
		err = provide(cl, &cl->walk.cfg, extack);
		if (err)
			return err;
		see(cl);
	}
	return 0;
}

static int judge_part(struct wl_walk *walk, struct wl_change_part *part,
		      struct netlink_ext_ack *extack)
{
	struct wl_class *cl = part->cl;
	int err;

	part->cfg = *cfg_of(walk, cl);
	err = wl_netlink_parse(&part->cfg, &walk->q->profiles,
			       cl->common.classid, part->opt, &part->reseed,
			       extack);
	if (!err)
		err = provide(cl, &part->cfg, extack);
	if (err)
		return err;
	cl->walk.cfg = part->cfg;
	see(cl);
	return 0;
}

int wl_walk_judge(struct wl_walk *walk, struct wl_change *change,
		  struct netlink_ext_ack *extack)
{
	struct wl_class *first = &walk->q->first;
	struct wl_cfg before = *cfg_of(walk, first);
	int err = 0;
	u32 i;

	for (i = 0; !err && i < change->txn.count; i++) {
		cond_resched();
		if (change->part[i].cl)
			err = judge_part(walk, &change->part[i], extack);
	}
	if (!err && !same_link_words(&before, cfg_of(walk, first)))
		err = judge_others(walk, extack);
	return err;
}

void wl_walk_base(struct wl_sched *q, struct wl_class *cl,
		  const struct wl_cfg *cfg)
{
	bool of_all = cl == &q->first && !same_link_words(&cl->base, cfg);

	cl->base = *cfg;
	if (!of_all)
		return;
	list_for_each_entry(cl, &q->order, order)
		wl_walk_link_words(&cl->base, cfg);
}

/* Return: whether a change makes something else of a class. */
static bool concerns(struct wl_sched *q, const struct wl_change *change,
		     const struct wl_class *cl, struct wl_cfg *cfg)
{
	bool link = change->part[0].cl == &q->first &&
		    !same_link_words(cfg, &change->txn.part[0].cfg);
	u32 i;

	if (link)
		wl_walk_link_words(cfg, &change->txn.part[0].cfg);
	for (i = 0; i < change->txn.count; i++) {
		if (change->part[i].cl == cl) {
			*cfg = change->txn.part[i].cfg;
			return true;
		}
	}
	return link;
}

int wl_walk_each(struct wl_sched *q, struct wl_class *cl,
		 int (*fn)(struct wl_class *cl, const struct wl_cfg *cfg,
			   u64 from_ns, void *data),
		 void *data)
{
	struct wl_cfg cfg = cl->base;
	struct wl_change *change;
	int err;

	err = fn(cl, &cfg, 0, data);
	list_for_each_entry(change, &q->changes, order) {
		if (err)
			break;
		if (concerns(q, change, cl, &cfg))
			err = fn(cl, &cfg, change->txn.from_ns, data);
	}
	return err;
}

static int admit(struct wl_class *cl, const struct wl_cfg *cfg, u64 from_ns,
		 void *extack)
{
	struct wl_refusal why;

	if (wl_cfg_check(cfg, &why))
		return refuse(cl, &why, extack);
	cl->slots = max(cl->slots, wl_cfg_slots(cfg));
	return wl_memory_prepare(cl, cfg, extack);
}

int wl_walk_admit(struct wl_sched *q, struct wl_class *cl,
		  struct netlink_ext_ack *extack)
{
	cl->base = cl->asked;
	wl_walk_link_words(&cl->base, &q->first.base);
	cl->walk.delay_ns = 0;
	cl->asked_slots = wl_cfg_slots(&cl->asked);
	cl->delay_ns = cl->asked.delay_ns;
	return wl_walk_each(q, cl, admit, extack);
}

void wl_walk_known(struct wl_sched *q,
		   void (*fn)(const struct wl_cfg *cfg, void *data),
		   void *data)
{
	struct wl_change *change;
	struct wl_class *cl;
	u32 i;

	list_for_each_entry(cl, &q->order, order) {
		fn(&cl->base, data);
		fn(&cl->asked, data);
	}
	list_for_each_entry(change, &q->changes, order) {
		for (i = 0; i < change->txn.count; i++) {
			fn(&change->part[i].cfg, data);
			fn(&change->txn.part[i].cfg, data);
		}
	}
}
