// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of configurations. One message is one change: it is refused and nothing
 * has happened, or it takes effect as a whole when its time comes.
 *
 * No change may come before one that waits. So each is read on top of the one
 * before it, wl_class.target, and judged once.
 */
#include <linux/mm.h>
#include <net/genetlink.h>

#include "../3gpp.h"
#include "../class.h"
#include "../core/mac/grid.h"
#include "../memory/kept.h"
#include "../memory/memory.h"
#include "../netlink/attr.h"
#include "../netlink/options.h"
#include "../qdisc.h"
#include "change.h"
#include "judge.h"

/* --- Building a change. --- */

static struct wl_change *change_new(struct wl_sched *q, u32 parts,
				    struct netlink_ext_ack *extack)
{
	struct wl_change *change;

	change = kvzalloc(struct_size(change, part, parts),
			  GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!change) {
		wl_refuse(extack, NULL, -ENOMEM,
			  "wlink: no memory for a change of %u bearers", parts);
		return NULL;
	}
	change->notice.cmd = WLINK_CMD_APPLIED;
	change->pending.part = change->part;
	change->cookie = ++q->changes;
	change->received_ns = ktime_get_ns();
	return change;
}

/* The configuration of the link, the same for all bearers, after @change. */
static const struct wl_cfg *change_link_cfg(struct wl_sched *q,
					    const struct wl_change *change)
{
	if (change->pending.count && change->part[0].b == &q->link.first)
		return &change->part[0].cfg;
	return &q->first.target;
}

/* Bearer 1 comes first, as the others are read on top of what it changes. */
static int change_add(struct wl_sched *q, struct wl_change *change,
		      struct wl_class *cl, struct nlattr *opt,
		      struct nlattr **at, struct netlink_ext_ack *extack)
{
	struct wl_pending_part *part = &change->part[change->pending.count];
	struct wl_options_said said = {
		.get_3gpp = wl_3gpp_get, .has_3gpp = &q->has_3gpp,
	};
	int err;

	if (cl->change == change->cookie)
		return wl_refuse(extack, opt, -EINVAL,
				 "wlink: bearer %u comes twice",
				 wl_class_number(cl));
	cl->change = change->cookie;
	part->b = cl->bearer;
	part->number = wl_class_number(cl);
	part->cfg = cl->target;
	wl_cfg_copy_link(&part->cfg, change_link_cfg(q, change));
	err = wl_options_parse(&part->cfg, &q->kept, cl->common.classid,
			       opt, &said, extack) ?:
	      wl_memory_prepare(cl, &part->cfg, extack);
	if (err)
		return err;
	if (cl == &q->first)
		change->pending.reseed = said.reseed;
	change->pending.count++;
	*at = said.at;
	return 0;
}

/* A change of the link's configuration has to suit the bearers that it does not name. */
static int change_judge_others(struct wl_sched *q, struct wl_change *change,
			       struct netlink_ext_ack *extack)
{
	const struct wl_cfg *link_cfg = change_link_cfg(q, change);
	struct wl_refusal why;
	struct wl_class *cl;
	struct wl_cfg cfg;
	int err = 0;

	change->of_link = !wl_cfg_same_link(link_cfg, &q->first.target);
	if (!change->of_link)
		return 0;
	list_for_each_entry(cl, &q->order, order) {
		cond_resched();
		if (cl->change == change->cookie)
			continue;
		cfg = cl->target;
		wl_cfg_copy_link(&cfg, link_cfg);
		if (wl_cfg_check(&cfg, &why))
			err = wl_class_refuse(cl, &why, extack);
		else
			err = wl_memory_prepare(cl, &cfg, extack);
		if (err)
			break;
	}
	return err;
}

/* --- Those that wait. --- */

static const struct wl_pending *change_last(const struct wl_sched *q)
{
	const struct wl_pending *last = q->link.pending;

	while (last && last->next)
		last = last->next;
	return last;
}

static int change_refuse(struct wl_sched *q, const struct wl_change *change,
			 const struct nlattr *at, u64 from_ns,
			 struct netlink_ext_ack *extack)
{
	u32 parts = q->parts + change->pending.count;
	const struct wl_pending *last = change_last(q);

	if (last && from_ns < last->from_ns)
		return wl_refuse(extack, at, -EBUSY,
				 "wlink: a change waits for %llu ns, none may come before it",
				 wl_grid_ns(&q->link, last->from_ns));
	if (q->pending >= WLINK_PENDING_MAX)
		return wl_refuse(extack, NULL, -ENOBUFS,
				 "wlink: %u changes wait, there may be no more",
				 WLINK_PENDING_MAX);
	if (parts > WLINK_PARTS_MAX)
		return wl_refuse(extack, NULL, -ENOBUFS,
				 "wlink: bearers in changes that wait, %u, are more than %u",
				 parts, WLINK_PARTS_MAX);
	return 0;
}

/* Return: whether the lock has been let go of. */
static bool change_set_targets(struct Qdisc *sch, struct wl_change *change)
{
	const struct wl_pending_part *part = change->part;
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_cfg *link_cfg = change_link_cfg(q, change);
	struct wl_class *cl;
	bool let_go = false;
	struct wl_cfg cfg;
	u32 i;

	for (i = 0; i < change->pending.count; i++, part++) {
		let_go |= wl_walk_on(sch);
		let_go |= wl_class_set_target(wl_class_of(q, part->b), &part->cfg);
	}
	if (!change->of_link)
		return let_go;
	list_for_each_entry(cl, &q->order, order) {
		let_go |= wl_walk_on(sch);
		cfg = cl->target;
		wl_cfg_copy_link(&cfg, link_cfg);
		let_go |= wl_class_set_target(cl, &cfg);
	}
	return let_go;
}

/* Return: now, which the engine is brought to, or to the ns before what is to happen now. */
static u64 change_catch_up(struct Qdisc *sch, u64 *at_ns)
{
	struct wl_sched *q = qdisc_priv(sch);
	u64 now_ns = wl_now_ns(q);

	if (*at_ns != WLINK_AT_NEXT && *at_ns <= now_ns)
		*at_ns = WLINK_AT_NOW;
	if (*at_ns != WLINK_AT_NOW)
		wl_qdisc_catch_up(sch, now_ns);
	else if (q->link.now_ns < now_ns)
		wl_qdisc_catch_up(sch, now_ns - 1);
	return now_ns;
}

/* While targets are set others may have the lock: the change counts as one that waits from
 * before that on, so that all has room for it, and nobody asks what it is before it is there.
 */
static int change_commit(struct Qdisc *sch, struct wl_change *change,
			 const struct nlattr *at,
			 struct wl_change_result *result,
			 struct netlink_ext_ack *extack)
{
	u64 now_ns, at_ns = at ? nla_get_u64(at) : WLINK_AT_NEXT;
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_pending *last;
	int err = 0;

	if (wl_at_is_time(at_ns))
		err = wl_refuse_time("at", at, at_ns, ktime_get_ns(), extack);
	if (!err)
		err = change_judge_others(q, change, extack) ?:
		      wl_judge_guarantees(q, change, NULL, extack);
	if (err)
		return err;
	wl_qdisc_catch_up_slowly(sch);
	wl_tree_lock(sch);
	now_ns = change_catch_up(sch, &at_ns);
	err = change_refuse(q, change, at,
			    wl_link_from_ns(&q->link, now_ns, at_ns), extack);
	if (err)
		goto unlock;
	q->pending++;
	q->parts += change->pending.count;
	if (change_set_targets(sch, change))
		now_ns = change_catch_up(sch, &at_ns);
	/* If the grid has been changed at this very ns. */
	last = change_last(q);
	if (last && wl_link_from_ns(&q->link, now_ns, at_ns) < last->from_ns)
		at_ns = last->from_ns;
	wl_link_commit(&q->link, now_ns, at_ns, &change->pending);
	*result = (struct wl_change_result){
		.cookie = change->cookie, .received_ns = change->received_ns,
		.at_ns = wl_grid_ns(&q->link, change->pending.from_ns),
		.waits = true,
	};
	wl_qdisc_catch_up(sch, now_ns);
	/* Once it has taken effect, @change may have been freed. */
	if (q->applied.cookie == result->cookie)
		*result = q->applied;
unlock:
	sch_tree_unlock(sch);
	return err;
}

static void change_end(struct wl_sched *q, struct wl_change *change, u64 at_ns)
{
	q->pending--;
	q->parts -= change->pending.count;
	/* Nothing waits any more: the targets alone count, see wl_memory_settle(). */
	if (!q->pending) {
		q->era++;
		q->pool.most = q->pool.least;
	}
	change->notice.at_ns = at_ns;
	change->notice.generation = q->link.generation;
	wl_notify_add(&q->notify, &change->notice);
}

void wl_change_applied(struct wl_link *link, struct wl_pending *pending, u64 at_ns)
{
	struct wl_change *change = wl_change_of(pending);
	struct wl_sched *q = wl_sched_of(link);

	q->applied = (struct wl_change_result){
		.cookie = change->cookie, .received_ns = change->received_ns,
		.at_ns = at_ns, .generation = q->link.generation,
	};
	change_end(q, change, at_ns);
}

/* No change has this number: the class gets what it is to be from one that has begun. */
#define CHANGE_BEGUN	U64_MAX

/* All pending changes are off but one that is being applied, bearer by bearer. If it is in
 * force meanwhile, so is what it says.
 */
static void change_reset_targets(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_pending *begun = q->link.pending;
	const struct wl_pending_part *part;
	struct wl_class *cl;
	struct wl_cfg cfg;
	u32 i;

	for (i = 0; begun && i < begun->count; i++) {
		if (wl_walk_on(sch) && !q->link.pending)
			break;
		part = &begun->part[i];
		if (!part->b)
			continue;
		cl = wl_class_of(q, part->b);
		wl_class_set_target(cl, &part->cfg);
		cl->change = CHANGE_BEGUN;
	}
	list_for_each_entry(cl, &q->order, order) {
		wl_walk_on(sch);
		if (cl->change == CHANGE_BEGUN) {
			wl_look(q, 1);
			cl->change = 0;
			continue;
		}
		wl_class_base(cl, &cfg);
		wl_cfg_copy_link(&cfg, &q->link.first.cfg);
		wl_class_set_target(cl, &cfg);
	}
}

u32 wl_change_cancel(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_pending *pending, *next;
	struct wl_change *change;
	u32 count = 0;
	u64 now_ns;

	now_ns = wl_qdisc_lock(sch);
	pending = wl_link_cancel(&q->link);
	change_reset_targets(sch);
	for (; pending; pending = next) {
		next = pending->next;
		change = wl_change_of(pending);
		change->notice.cmd = WLINK_CMD_CANCEL;
		change_end(q, change, now_ns);
		count++;
	}
	sch_tree_unlock(sch);
	wl_kept_sweep(sch);
	return count;
}

void wl_change_destroy(struct wl_sched *q)
{
	struct wl_pending *pending, *next;

	for (pending = q->link.pending; pending; pending = next) {
		next = pending->next;
		kvfree(wl_change_of(pending));
	}
}

/* --- Messages. --- */

/* Commit a change that has been built, or not, and clean up. */
static int change_finish(struct Qdisc *sch, struct wl_change *change, int err,
			 const struct nlattr *at,
			 struct wl_change_result *result,
			 struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;

	if (!err)
		err = change_commit(sch, change, at, result, extack);
	if (err)
		kvfree(change);
	list_for_each_entry(cl, &q->order, order)
		wl_memory_finish(cl);
	wl_kept_sweep(sch);
	return err;
}

int wl_change(struct Qdisc *sch, struct wl_class *cl, struct nlattr *opt,
	      struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_change_result result;
	struct wl_change *change;
	struct nlattr *at = NULL;
	int err;

	change = change_new(q, 1, extack);
	if (!change)
		return -ENOMEM;
	err = change_add(q, change, cl, opt, &at, extack);
	return change_finish(sch, change, err, at, &result, extack);
}

static const struct wl_attr change_part_attrs[WLINK_PART_MAX + 1] = {
	[WLINK_PART_BEARER] = { "bearer", WL_U32(1, WLINK_BEARERS_MAX) },
	[WLINK_PART_OPTIONS] = { "options", WL_NESTED(wl_nest_options) },
};

static const struct wl_nest change_part_nest = {
	.prefix = "part ", .attrs = change_part_attrs, .max = WLINK_PART_MAX,
};

static int change_add_part(struct Qdisc *sch, struct wl_change *change,
			   struct nlattr *part, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[WLINK_PART_MAX + 1], *at, *bearer, *options;
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;
	u32 number;
	int err;

	err = wl_nest_parse(&change_part_nest, part, tb, extack);
	if (err)
		return err;
	bearer = tb[WLINK_PART_BEARER];
	options = tb[WLINK_PART_OPTIONS];
	if (!bearer || !options)
		return wl_refuse(extack, part, -EINVAL,
				 "wlink: part %s is required",
				 bearer ? "options" : "bearer");
	number = nla_get_u32(bearer);
	if (number == 1 && change->pending.count)
		return wl_refuse(extack, bearer, -EINVAL,
				 "wlink: bearer 1 comes before all others");
	cl = wl_class_find(q, TC_H_MAKE(sch->handle, number));
	if (!cl)
		return wl_refuse(extack, bearer, -ENOENT,
				 "wlink: there is no class %x:%x for bearer %u",
				 sch->handle >> 16, number, number);
	err = change_add(q, change, cl, options, &at, extack);
	if (!err && at)
		err = wl_refuse(extack, at, -EINVAL,
				"wlink: at is of the message, not of a bearer in it");
	return err;
}

int wl_change_set(struct Qdisc *sch, const struct nlmsghdr *nlh,
		  const struct nlattr *at, struct wl_change_result *result,
		  struct netlink_ext_ack *extack)
{
	struct wl_change *change;
	struct nlattr *attr;
	int err = 0, left;
	u32 parts = 0;

	/* 64 KiB hold no more than 4096 parts, which is below WLINK_PARTS_MAX. */
	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, left)
		parts += nla_type(attr) == WLINK_A_PART;
	if (!parts || parts > WLINK_BEARERS_MAX)
		return wl_refuse(extack, NULL, -EINVAL,
				 "wlink: %u parts are outside 1..%u", parts,
				 WLINK_BEARERS_MAX);
	change = change_new(qdisc_priv(sch), parts, extack);
	if (!change)
		return -ENOMEM;
	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, left) {
		cond_resched();
		if (nla_type(attr) == WLINK_A_PART)
			err = change_add_part(sch, change, attr, extack);
		if (err)
			break;
	}
	return change_finish(sch, change, err, at, result, extack);
}

int wl_change_put(struct sk_buff *skb, const struct wl_change *change, u32 bearers)
{
	u32 i;

	if (wl_put_u64(skb, WLINK_A_ASKED, change->received_ns) ||
	    wl_put_u64(skb, WLINK_A_COOKIE, change->cookie))
		return -EMSGSIZE;
	for (i = 0; i < min(change->pending.count, bearers); i++)
		if (change->part[i].b &&
		    nla_put_u32(skb, WLINK_A_BEARER, change->part[i].number))
			return -EMSGSIZE;
	return 0;
}

int wl_change_put_next(struct sk_buff *skb, struct Qdisc *sch, u64 *after)
{
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_change *change;
	struct wl_pending *pending;
	int err = -ENODATA;

	wl_qdisc_lock_to_show(sch);
	for (pending = q->link.pending; pending; pending = pending->next) {
		change = wl_change_of(pending);
		if (change->cookie <= *after)
			continue;
		err = wl_put_u64(skb, WLINK_A_AT,
				 wl_grid_ns(&q->link, pending->from_ns)) ?:
		      nla_put_u32(skb, WLINK_A_COUNT, pending->count) ?:
		      wl_change_put(skb, change, WLINK_PENDING_BEARERS);
		if (!err)
			*after = change->cookie;
		break;
	}
	sch_tree_unlock(sch);
	return err;
}
