// SPDX-License-Identifier: GPL-2.0
/*
 * Messages that change something: one message is one transaction, or a step in
 * the life of a schedule. One that is refused has changed nothing.
 */
#include <linux/ktime.h>

#include "wl_change.h"
#include "wl_memory.h"
#include "wl_netlink.h"
#include "wl_play_message.h"
#include "wl_profile.h"
#include "wl_refuse.h"
#include "wl_txn.h"

/* One message. */
struct message {
	struct Qdisc *sch;
	struct wl_sched *q;
	struct wl_class *cl;
	bool qdisc;
	struct nlattr *opt;
	struct nlattr *tb[TCA_WLINK_MAX + 1];
	struct netlink_ext_ack *extack;
};

/* Attributes that are of the message, not of a bearer. */
static const struct {
	int type;
	const char *name;
} of_message[] = {
	{ TCA_WLINK_AT, "at" },
	{ TCA_WLINK_COOKIE, "cookie" },
	{ TCA_WLINK_BEARER, "bearer" },
	{ TCA_WLINK_PLAY, "play" },
};

static bool is_of_message(int type)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(of_message); i++)
		if (of_message[i].type == type)
			return true;
	return false;
}

int wl_change_refuse_new(struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct nlattr *tb[TCA_WLINK_MAX + 1];
	int err, i;

	err = wl_netlink_validate(opt, tb, extack);
	for (i = 0; !err && i < ARRAY_SIZE(of_message); i++) {
		if (!tb[of_message[i].type])
			continue;
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %s is for changes, not for what is new",
				   of_message[i].name);
		NL_SET_BAD_ATTR(extack, tb[of_message[i].type]);
		err = -EINVAL;
	}
	return err;
}

/* Return: the class that a nest is about, or an error. */
static struct wl_class *class_of(struct message *m, struct nlattr *nest,
				 struct nlattr **options)
{
	struct nlattr *tb[TCA_WLINK_BEARER_MAX + 1];
	struct wl_class *cl;
	u32 number;
	int err;

	err = nla_parse_nested(tb, TCA_WLINK_BEARER_MAX, nest,
			       wl_nl_bearer_policy, m->extack);
	if (err)
		return ERR_PTR(err);
	number = nla_get_u32(tb[TCA_WLINK_BEARER_NUMBER]);
	*options = tb[TCA_WLINK_BEARER_OPTIONS];
	cl = wl_class_find(m->q, TC_H_MAKE(m->sch->handle, number));
	if (!cl) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: there is no class %x:%x for bearer %u",
				   m->sch->handle >> 16, number, number);
		NL_SET_BAD_ATTR(m->extack, tb[TCA_WLINK_BEARER_NUMBER]);
	}
	return cl ?: ERR_PTR(-ENOENT);
}

static int refuse_twice(struct message *m, const struct wl_change *change,
			const struct wl_class *cl, struct nlattr *nest)
{
	u32 i;

	for (i = 0; i < change->txn.count; i++) {
		if (change->part[i].cl != cl)
			continue;
		NL_SET_ERR_MSG_FMT(m->extack, "wlink: bearer %u comes twice",
				   TC_H_MIN(cl->common.classid));
		NL_SET_BAD_ATTR(m->extack, nest);
		return -EINVAL;
	}
	return 0;
}

static int add_other(struct message *m, struct wl_change *change,
		     struct nlattr *nest)
{
	struct nlattr *options;
	struct wl_class *cl;
	int err;

	cl = class_of(m, nest, &options);
	if (IS_ERR(cl))
		return PTR_ERR(cl);
	err = refuse_twice(m, change, cl, nest);
	if (!err)
		wl_txn_add(change, cl, options);
	return err;
}

/* Whether the message says something of the bearer that it names. */
static bool names_own(const struct message *m)
{
	int type;

	if (!m->qdisc || !m->tb[TCA_WLINK_BEARER])
		return true;
	for (type = TCA_WLINK_RATE; type <= TCA_WLINK_MAX; type++)
		if (m->tb[type] && !is_of_message(type))
			return true;
	return false;
}

static int add_parts(struct message *m, struct wl_change *change)
{
	struct nlattr *attr;
	int err = 0, left;

	if (names_own(m))
		wl_txn_add(change, m->cl, m->opt);
	if (!m->tb[TCA_WLINK_BEARER])
		return 0;
	nla_for_each_nested(attr, m->opt, left) {
		if (nla_type(attr) == TCA_WLINK_BEARER)
			err = add_other(m, change, attr);
		if (err)
			return err;
	}
	return 0;
}

/* Parts that there are at most; below WLINK_PARTS_MAX, as 64 KiB of options hold
 * no more than 4096 of them.
 */
static u32 count_parts(const struct message *m)
{
	struct nlattr *attr;
	u32 parts = 1;
	int left;

	if (!m->tb[TCA_WLINK_BEARER])
		return parts;
	nla_for_each_nested(attr, m->opt, left)
		parts += nla_type(attr) == TCA_WLINK_BEARER;
	return parts;
}

static int take_words(struct message *m, struct wl_change *change)
{
	struct nlattr *at = m->tb[TCA_WLINK_AT];
	struct nlattr *cookie = m->tb[TCA_WLINK_COOKIE];

	change->asked_ns = ktime_get_ns();
	change->at_ns = at ? nla_get_u64(at) : WLINK_AT_NEXT;
	change->has_cookie = cookie;
	change->cookie = cookie ? nla_get_u64(cookie) : 0;
	if (change->at_ns == WLINK_AT_NOW || change->at_ns == WLINK_AT_NEXT)
		return 0;
	return wl_refuse_time("at", at, change->at_ns, change->asked_ns,
			      m->extack);
}

static int change_bearers(struct message *m)
{
	struct wl_change *change;
	int err = 0;

	if (!m->qdisc && m->tb[TCA_WLINK_BEARER]) {
		NL_SET_ERR_MSG_FMT(m->extack,
				   "wlink: bearer belongs to the qdisc, not to class %x:%x",
				   m->sch->handle >> 16,
				   TC_H_MIN(m->cl->common.classid));
		NL_SET_BAD_ATTR(m->extack, m->tb[TCA_WLINK_BEARER]);
		return -EINVAL;
	}
	change = wl_txn_new(m->opt, count_parts(m), m->extack);
	if (!change)
		return -ENOMEM;
	err = take_words(m, change);
	if (!err)
		err = add_parts(m, change);
	if (!err)
		err = wl_txn_commit(m->sch, change, m->extack);
	if (err)
		wl_txn_forget(&change->note);
	return err;
}

int wl_change(struct Qdisc *sch, struct wl_class *cl, bool qdisc,
	      struct nlattr *opt, struct netlink_ext_ack *extack)
{
	struct message m = {
		.sch = sch, .q = qdisc_priv(sch), .cl = cl, .qdisc = qdisc,
		.opt = opt, .extack = extack,
	};
	int err;

	err = wl_netlink_validate(opt, m.tb, extack);
	if (err)
		return err;
	mutex_lock(&m.q->notes.mutex);
	err = m.tb[TCA_WLINK_PLAY] ?
		wl_play_message(sch, cl, m.tb[TCA_WLINK_PLAY], extack) :
		change_bearers(&m);
	list_for_each_entry(cl, &m.q->order, order)
		wl_memory_finish(cl);
	wl_profile_sweep(sch);
	mutex_unlock(&m.q->notes.mutex);
	return err;
}
