// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of configurations. One message is one change: it is refused and nothing
 * has happened, or it takes effect as a whole when its time comes.
 *
 * No change may come before one that waits. So each is read on top of the one
 * before it, wl_class.asked, and judged once.
 */
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <net/genetlink.h>

#include "core/mac/grid.h"
#include "netlink/attr.h"
#include "netlink/options.h"
#include "change.h"
#include "memory.h"
#include "profile.h"
#include "schedule.h"

/* --- Building a change. --- */

static struct wl_change *change_new(struct wl_sched *q, u32 parts,
				    struct netlink_ext_ack *extack)
{
	struct wl_change *change;
	size_t bytes;

	bytes = struct_size(change, part, parts) +
		array_size(parts, sizeof(*change->number));
	change = kvzalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!change) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: no memory for a change of %u bearers",
				   parts);
		return NULL;
	}
	change->notice.cmd = WLINK_CMD_APPLIED;
	change->txn.part = change->part;
	change->number = (u16 *)(change->part + parts);
	change->cookie = ++q->changes;
	change->asked_ns = ktime_get_ns();
	return change;
}

void wl_change_free(struct wl_change *change)
{
	kvfree(change);
}

/* What the link has for all bearers, after @change. */
static const struct wl_cfg *change_link_cfg(struct wl_sched *q,
					    const struct wl_change *change)
{
	if (change->txn.count && change->part[0].b == &q->link.first)
		return &change->part[0].cfg;
	return &q->first.asked;
}

static int change_judge(struct wl_class *cl, const struct wl_cfg *cfg,
			struct netlink_ext_ack *extack)
{
	struct wl_rings need = { };
	int err;

	sch_tree_lock(cl->q->sch);
	err = wl_memory_need(cl, cfg, NULL, &need, extack);
	sch_tree_unlock(cl->q->sch);
	return err ?: wl_memory_get(cl, &need, extack);
}

/* Bearer 1 comes first, as the others are read on top of what it changes. */
static int change_add(struct wl_sched *q, struct wl_change *change,
		      struct wl_class *cl, struct nlattr *opt,
		      struct netlink_ext_ack *extack)
{
	struct wl_pending_part *part = &change->part[change->txn.count];
	bool reseed;
	int err;

	if (cl->change == change->cookie) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: bearer %u comes twice",
				   TC_H_MIN(cl->common.classid));
		NL_SET_BAD_ATTR(extack, opt);
		return -EINVAL;
	}
	cl->change = change->cookie;
	part->b = cl->bearer;
	part->cfg = cl->asked;
	wl_cfg_copy_link(&part->cfg, change_link_cfg(q, change));
	err = wl_netlink_parse(&part->cfg, &q->profiles, cl->common.classid,
			       opt, &reseed, extack);
	if (!err)
		err = change_judge(cl, &part->cfg, extack);
	if (err)
		return err;
	if (cl == &q->first)
		change->txn.reseed = reseed;
	change->number[change->txn.count++] = TC_H_MIN(cl->common.classid);
	return 0;
}

/* What is the link's has to suit all bearers. */
static int change_judge_others(struct wl_sched *q, struct wl_change *change,
			       struct netlink_ext_ack *extack)
{
	const struct wl_cfg *link_cfg = change_link_cfg(q, change);
	struct wl_refusal why;
	struct wl_class *cl;
	struct wl_cfg cfg;
	int err = 0;

	change->of_link = !wl_cfg_same_link(link_cfg, &q->first.asked);
	if (!change->of_link)
		return 0;
	list_for_each_entry(cl, &q->order, order) {
		cond_resched();
		if (cl->change == change->cookie)
			continue;
		cfg = cl->asked;
		wl_cfg_copy_link(&cfg, link_cfg);
		if (wl_cfg_check(&cfg, &why))
			err = wl_class_refuse(cl, &why, extack);
		else
			err = change_judge(cl, &cfg, extack);
		if (err)
			break;
	}
	return err;
}

/* --- Those that wait. --- */

static struct wl_pending *change_last(const struct wl_link *link)
{
	struct wl_pending *last = link->pending;

	while (last && last->next)
		last = last->next;
	return last;
}

static int change_refuse_before(const struct wl_link *link,
				const struct wl_pending *last,
				const struct nlattr *at,
				struct netlink_ext_ack *extack)
{
	NL_SET_ERR_MSG_FMT(extack,
			   "wlink: a change waits for %llu ns, none may come before it",
			   wl_grid_ns(link, last->from_ns));
	if (at)
		NL_SET_BAD_ATTR(extack, at);
	return -EBUSY;
}

static int change_refuse_many(const struct wl_sched *q,
			      const struct wl_change *change,
			      struct netlink_ext_ack *extack)
{
	u32 parts = q->parts + change->txn.count;

	if (q->pending >= WLINK_PENDING_MAX) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %u changes wait, there may be no more",
				   WLINK_PENDING_MAX);
		return -ENOBUFS;
	}
	if (parts > WLINK_PARTS_MAX) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: bearers in changes that wait, %u, are more than %u",
				   parts, WLINK_PARTS_MAX);
		return -ENOBUFS;
	}
	return 0;
}

static void change_ask(struct wl_sched *q, struct wl_change *change)
{
	const struct wl_cfg *link_cfg = change_link_cfg(q, change);
	struct wl_class *cl;
	struct wl_cfg cfg;
	u32 i;

	for (i = 0; i < change->txn.count; i++)
		wl_class_ask(wl_class_of(q, change->part[i].b),
			     &change->part[i].cfg);
	if (change->of_link) {
		list_for_each_entry(cl, &q->order, order) {
			cfg = cl->asked;
			wl_cfg_copy_link(&cfg, link_cfg);
			wl_class_ask(cl, &cfg);
		}
	}
	q->pending++;
	q->parts += change->txn.count;
}

/* The root qdisc lock is held. No more than WLINK_PARTS_MAX parts and
 * WLINK_BEARERS_MAX classes are looked at under it, each once.
 */
static int change_place(struct Qdisc *sch, struct wl_change *change,
			const struct nlattr *at,
			struct wl_change_result *result,
			struct netlink_ext_ack *extack)
{
	u64 at_ns = at ? nla_get_u64(at) : WLINK_AT_NEXT;
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_pending *last;
	u64 now_ns = ktime_get_ns();
	int err;

	if (at_ns != WLINK_AT_NEXT && at_ns <= now_ns)
		at_ns = WLINK_AT_NOW;
	if (at_ns != WLINK_AT_NOW)
		wl_qdisc_catch_up(sch, now_ns);
	else if (q->link.now_ns < now_ns)
		wl_qdisc_catch_up(sch, now_ns - 1);
	last = change_last(&q->link);
	if (last && wl_link_from_ns(&q->link, now_ns, at_ns) < last->from_ns)
		return change_refuse_before(&q->link, last, at, extack);
	err = change_refuse_many(q, change, extack);
	if (err)
		return err;
	change_ask(q, change);
	wl_link_commit(&q->link, now_ns, at_ns, &change->txn);
	result->cookie = change->cookie;
	result->asked_ns = change->asked_ns;
	result->at_ns = wl_grid_ns(&q->link, change->txn.from_ns);
	wl_qdisc_catch_up(sch, now_ns);
	result->waits = q->applied.cookie != result->cookie;
	/* Where it has taken effect it may be gone. */
	if (!result->waits)
		*result = q->applied;
	return 0;
}

static int change_refuse_time(const struct nlattr *at,
			      struct netlink_ext_ack *extack)
{
	u64 at_ns = at ? nla_get_u64(at) : WLINK_AT_NEXT;

	if (at_ns == WLINK_AT_NOW || at_ns == WLINK_AT_NEXT)
		return 0;
	return wl_nl_refuse_time("at", at, at_ns, ktime_get_ns(), extack);
}

static int change_commit(struct Qdisc *sch, struct wl_change *change,
			 const struct nlattr *at,
			 struct wl_change_result *result,
			 struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	int err;

	err = change_refuse_time(at, extack);
	if (!err)
		err = change_judge_others(q, change, extack);
	if (err)
		return err;
	wl_qdisc_catch_up_slowly(sch);
	sch_tree_lock(sch);
	err = change_place(sch, change, at, result, extack);
	sch_tree_unlock(sch);
	return err;
}

/* Return: whether a change makes something else of a class. */
static bool change_concerns(const struct wl_pending *txn, const struct wl_class *cl,
			    struct wl_cfg *cfg)
{
	const struct wl_pending_part *part = txn->part;
	bool concerns = false;
	u32 i;

	if (part[0].b == &cl->q->link.first &&
	    !wl_cfg_same_link(cfg, &part[0].cfg)) {
		wl_cfg_copy_link(cfg, &part[0].cfg);
		concerns = true;
	}
	for (i = 0; i < txn->count; i++) {
		if (part[i].b == cl->bearer) {
			*cfg = part[i].cfg;
			return true;
		}
	}
	return concerns;
}

int wl_change_each(struct wl_class *cl, struct wl_cfg *cfg,
		   int (*fn)(struct wl_class *cl, const struct wl_cfg *cfg,
			     void *data),
		   void *data)
{
	const struct wl_link *link = &cl->q->link;
	const struct wl_pending *txn;
	int err;

	wl_cfg_copy_link(cfg, &link->first.cfg);
	err = fn(cl, cfg, data);
	for (txn = link->pending; !err && txn; txn = txn->next)
		if (change_concerns(txn, cl, cfg))
			err = fn(cl, cfg, data);
	return err;
}

static void change_end(struct wl_sched *q, struct wl_change *change, u64 at_ns)
{
	struct wl_class *cl;

	q->pending--;
	q->parts -= change->txn.count;
	/* While something waited, each class kept the most of all of it. */
	if (!q->pending)
		list_for_each_entry(cl, &q->order, order)
			wl_class_settle(cl);
	change->notice.at_ns = at_ns;
	change->notice.generation = q->link.generation;
	wl_notify_add(&q->notify, &change->notice);
}

void wl_change_applied(struct wl_sched *q, struct wl_pending *txn, u64 at_ns)
{
	struct wl_change *change = container_of(txn, struct wl_change, txn);

	q->applied = (struct wl_change_result){
		.cookie = change->cookie, .asked_ns = change->asked_ns,
		.at_ns = at_ns, .generation = q->link.generation,
	};
	change_end(q, change, at_ns);
}

/* The root qdisc lock is held. Return: those that will not take effect. */
static struct wl_pending *change_take_off(struct wl_sched *q)
{
	struct wl_pending *off = wl_link_cancel(&q->link);
	const struct wl_pending *begun = q->link.pending;
	struct wl_class *cl;
	struct wl_cfg cfg;
	u32 i;

	list_for_each_entry(cl, &q->order, order) {
		wl_class_base(cl, &cfg);
		wl_cfg_copy_link(&cfg, &q->link.first.cfg);
		wl_class_ask(cl, &cfg);
	}
	for (i = 0; begun && i < begun->count; i++)
		if (begun->part[i].b)
			wl_class_ask(wl_class_of(q, begun->part[i].b),
				     &begun->part[i].cfg);
	return off;
}

u32 wl_change_cancel(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_pending *txn, *next;
	struct wl_change *change;
	u32 count = 0;
	u64 now_ns;

	wl_qdisc_catch_up_slowly(sch);
	sch_tree_lock(sch);
	now_ns = ktime_get_ns();
	wl_qdisc_catch_up(sch, now_ns);
	for (txn = change_take_off(q); txn; txn = next) {
		next = txn->next;
		change = container_of(txn, struct wl_change, txn);
		change->notice.cmd = WLINK_CMD_CANCEL;
		change_end(q, change, now_ns);
		count++;
	}
	sch_tree_unlock(sch);
	wl_profile_sweep(sch);
	return count;
}

void wl_change_destroy(struct wl_sched *q)
{
	struct wl_pending *txn, *next;

	for (txn = q->link.pending; txn; txn = next) {
		next = txn->next;
		wl_change_free(container_of(txn, struct wl_change, txn));
	}
}

/* --- Messages. --- */

int wl_change_refuse_new(struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct nlattr *at = opt ? nla_find_nested(opt, TCA_WLINK_AT) : NULL;

	if (!at)
		return 0;
	NL_SET_ERR_MSG_FMT(extack,
			   "wlink: at is for changes, not for what is new");
	NL_SET_BAD_ATTR(extack, at);
	return -EINVAL;
}

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
		wl_change_free(change);
	list_for_each_entry(cl, &q->order, order)
		wl_memory_finish(cl);
	wl_profile_sweep(sch);
	return err;
}

int wl_change(struct Qdisc *sch, struct wl_class *cl, struct nlattr *opt,
	      struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_change_result result;
	struct wl_change *change;
	int err;

	change = change_new(q, 1, extack);
	if (!change)
		return -ENOMEM;
	err = change_add(q, change, cl, opt, extack);
	return change_finish(sch, change, err,
			     opt ? nla_find_nested(opt, TCA_WLINK_AT) : NULL,
			     &result, extack);
}

static const struct nla_policy change_part_policy[WLINK_PART_MAX + 1] = {
	[WLINK_PART_BEARER] = NLA_POLICY_RANGE(NLA_U32, 1, WLINK_BEARERS_MAX),
	[WLINK_PART_OPTIONS] = NLA_POLICY_NESTED(wl_nl_options_policy),
};

static const struct wl_nl_row change_part_rows[WLINK_PART_MAX + 1] = {
	[WLINK_PART_BEARER] = { .name = "bearer" },
	[WLINK_PART_OPTIONS] = { .name = "options" },
};

static const struct wl_nl_nest * const change_part_inner[WLINK_PART_MAX + 1] = {
	[WLINK_PART_OPTIONS] = &wl_nl_options,
};

static const struct wl_nl_nest change_part = {
	.prefix = "part ", .policy = change_part_policy,
	.rows = change_part_rows, .inner = change_part_inner,
	.max = WLINK_PART_MAX, .pad = WLINK_PART_PAD,
};

static int change_refuse_part(struct nlattr *part, struct nlattr **tb,
			      const struct wl_change *change,
			      struct netlink_ext_ack *extack)
{
	struct nlattr *bearer = tb[WLINK_PART_BEARER];
	struct nlattr *options = tb[WLINK_PART_OPTIONS];
	struct nlattr *at = options ? nla_find_nested(options, TCA_WLINK_AT) :
				      NULL;

	if (!bearer || !options) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: part %s is required",
				   bearer ? "options" : "bearer");
		NL_SET_BAD_ATTR(extack, part);
	} else if (at) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: at is of the message, not of a bearer in it");
		NL_SET_BAD_ATTR(extack, at);
	} else if (nla_get_u32(bearer) == 1 && change->txn.count) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: bearer 1 comes before all others");
		NL_SET_BAD_ATTR(extack, bearer);
	} else {
		return 0;
	}
	return -EINVAL;
}

static int change_add_part(struct Qdisc *sch, struct wl_change *change,
			   struct nlattr *part, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[WLINK_PART_MAX + 1];
	struct wl_sched *q = qdisc_priv(sch);
	struct wl_class *cl;
	u32 number;
	int err;

	err = wl_nl_split(&change_part, part, tb, extack) ?:
	      change_refuse_part(part, tb, change, extack);
	if (err)
		return err;
	number = nla_get_u32(tb[WLINK_PART_BEARER]);
	cl = wl_class_find(q, TC_H_MAKE(sch->handle, number));
	if (!cl) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: there is no class %x:%x for bearer %u",
				   sch->handle >> 16, number, number);
		NL_SET_BAD_ATTR(extack, tb[WLINK_PART_BEARER]);
		return -ENOENT;
	}
	return change_add(q, change, cl, tb[WLINK_PART_OPTIONS], extack);
}

/* 64 KiB hold no more than 4096 parts, which is below WLINK_PARTS_MAX. */
static u32 change_count_parts(const struct nlmsghdr *nlh)
{
	struct nlattr *attr;
	u32 parts = 0;
	int left;

	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, left)
		parts += nla_type(attr) == WLINK_A_PART;
	return parts;
}

static void change_notify(struct Qdisc *sch, const struct nlattr *part)
{
	struct nlattr *bearer = nla_find_nested(part, WLINK_PART_BEARER);

	cond_resched();
	wl_class_notify(wl_class_find(qdisc_priv(sch),
				      TC_H_MAKE(sch->handle,
						nla_get_u32(bearer))));
}

int wl_change_set(struct Qdisc *sch, const struct nlmsghdr *nlh,
		  const struct nlattr *at, struct wl_change_result *result,
		  struct netlink_ext_ack *extack)
{
	u32 parts = change_count_parts(nlh);
	struct wl_change *change;
	struct nlattr *attr;
	int err = 0, left;

	if (!parts || parts > WLINK_BEARERS_MAX) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: %u parts are outside 1..%u",
				   parts, WLINK_BEARERS_MAX);
		return -EINVAL;
	}
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
	err = change_finish(sch, change, err, at, result, extack);
	if (err)
		return err;
	/* A few, as RTNL is held. */
	parts = 0;
	nlmsg_for_each_attr(attr, nlh, GENL_HDRLEN, left)
		if (nla_type(attr) == WLINK_A_PART &&
		    parts++ < WLINK_PENDING_BEARERS)
			change_notify(sch, attr);
	return 0;
}

static int change_put(struct sk_buff *skb, const struct wl_change *change,
		      u32 bearers)
{
	u32 i;

	if (nla_put_u64_64bit(skb, WLINK_A_ASKED, change->asked_ns,
			      WLINK_A_PAD) ||
	    nla_put_u64_64bit(skb, WLINK_A_COOKIE, change->cookie, WLINK_A_PAD))
		return -EMSGSIZE;
	for (i = 0; i < min(change->txn.count, bearers); i++)
		if (change->part[i].b &&
		    nla_put_u32(skb, WLINK_A_BEARER, change->number[i]))
			return -EMSGSIZE;
	return 0;
}

int wl_change_put(struct sk_buff *skb, const struct wl_change *change)
{
	return change_put(skb, change, change->txn.count);
}

int wl_change_put_next(struct sk_buff *skb, struct Qdisc *sch, u64 *after)
{
	struct wl_sched *q = qdisc_priv(sch);
	const struct wl_change *change;
	const struct wl_pending *txn;
	int err = -ENODATA;

	sch_tree_lock(sch);
	wl_qdisc_catch_up_to_show(sch);
	for (txn = q->link.pending; txn; txn = txn->next) {
		change = container_of(txn, struct wl_change, txn);
		if (change->cookie <= *after)
			continue;
		err = nla_put_u64_64bit(skb, WLINK_A_AT,
					wl_grid_ns(&q->link, txn->from_ns),
					WLINK_A_PAD) ?:
		      nla_put_u32(skb, WLINK_A_COUNT, txn->count) ?:
		      change_put(skb, change, WLINK_PENDING_BEARERS);
		if (!err)
			*after = change->cookie;
		break;
	}
	sch_tree_unlock(sch);
	return err;
}
