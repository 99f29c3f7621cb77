// SPDX-License-Identifier: GPL-2.0
/*
 * Transactions that wait, from the kernel's side. The engine only needs to know
 * what the configurations will be; here the messages are kept as well, because
 * one that is put before others changes what those make of it.
 *
 * base + what waits, in order, is what has been asked for. All of it is under
 * RTNL and the mutex of the notes; the engine may put the first ones in force at
 * any time without the lock, which a counter tells.
 */
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "wl_netlink.h"
#include "wl_memory.h"
#include "wl_schedule.h"
#include "wl_txn.h"
#include "wl_walk.h"

/* How a change is put among those that wait. */
struct place {
	struct wl_walk walk;
	struct wl_change *after;	/* it comes behind this one, NULL: first */
	u64 applied;			/* q->applied when this was true */
};

static size_t padded(size_t bytes)
{
	return ALIGN(bytes, sizeof(u64));
}

struct wl_change *wl_txn_new(struct nlattr *opt, u32 parts,
			     struct netlink_ext_ack *extack)
{
	size_t raw = opt ? padded(nla_attr_size(nla_len(opt))) : 0;
	size_t bytes = size_mul(parts, sizeof(struct wl_txn_part) +
				       sizeof(struct wl_change_part));
	struct wl_change *change;

	bytes += sizeof(*change) + raw;
	change = kvzalloc(bytes, GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!change) {
		NL_SET_ERR_MSG_FMT(extack, "wlink: no memory for a change of %u bearers",
				   parts);
		return NULL;
	}
	change->note.cmd = WLINK_CMD_APPLIED;
	change->opt = opt;
	change->txn.part = (struct wl_txn_part *)(change->part + parts);
	change->raw = change->txn.part + parts;
	if (opt)
		memcpy(change->raw, opt, nla_attr_size(nla_len(opt)));
	return change;
}

void wl_txn_add(struct wl_change *change, struct wl_class *cl,
		struct nlattr *opt)
{
	struct wl_change_part *part = &change->part[change->txn.count];

	part->cl = cl;
	part->number = TC_H_MIN(cl->common.classid);
	part->opt = opt;
	change->txn.part[change->txn.count++].b = cl->bearer;
}

/* From now on the message is no longer there. */
static void keep_message(struct wl_change *change)
{
	u32 i;

	for (i = 0; i < change->txn.count; i++)
		if (change->part[i].opt)
			change->part[i].opt = change->raw +
				((void *)change->part[i].opt -
				 (void *)change->opt);
	change->opt = NULL;
}

static struct wl_change *predecessor(struct wl_sched *q, u64 from_ns)
{
	struct wl_change *change, *last = NULL;

	list_for_each_entry(change, &q->changes, order) {
		if (change->txn.from_ns > from_ns)
			break;
		last = change;
	}
	return last;
}

/* Where it has to go as things are. The engine is not advanced by this. */
static void find_place(struct Qdisc *sch, struct wl_change *change,
		       struct place *place)
{
	struct wl_sched *q = qdisc_priv(sch);
	u64 from_ns;

	place->applied = READ_ONCE(q->applied);
	wl_notes_settle(&q->notes);
	place->after = NULL;
	if (list_empty(&q->changes))
		return;
	sch_tree_lock(sch);
	from_ns = wl_link_from_ns(&q->link, ktime_get_ns(), change->at_ns);
	sch_tree_unlock(sch);
	place->after = predecessor(q, from_ns);
}

/* As much as fits: the kernel has 80 bytes for a message. */
static int refuse_later(const struct wl_change *change, int err,
			const struct netlink_ext_ack *why,
			struct netlink_ext_ack *extack)
{
	const char *text = why->_msg ?: "";
	char ns[24], rest[80];
	int room;

	room = 80 - strlen("wlink: breaks the change at  ns: ") -
	       snprintf(ns, sizeof(ns), "%llu", change->txn.from_ns);
	text += str_has_prefix(text, "wlink: ");
	strscpy(rest, text, room);
	NL_SET_ERR_MSG_FMT(extack, "wlink: breaks the change at %s ns: %s", ns,
			   rest);
	return err;
}

/* Return: whether a change comes behind all others. */
static bool is_last(struct wl_sched *q, const struct place *place)
{
	return place->after && list_is_last(&place->after->order, &q->changes);
}

/* What all that waits comes to with one more. Process context, under RTNL and
 * the mutex only. What is put in front has the parts behind it judged again, of
 * which there are WLINK_PARTS_MAX; only a TTI, seed or scheduler that differs has
 * all classes judged, so that many of those for many classes take seconds: as
 * many as WLINK_PENDING_MAX times WLINK_BEARERS_MAX judgements, some us each.
 * Others may run meanwhile.
 */
static int walk(struct wl_sched *q, struct wl_change *change,
		struct place *place, struct netlink_ext_ack *extack)
{
	struct wl_change *other = list_prepare_entry(place->after, &q->changes,
						     order);
	bool last = is_last(q, place);
	struct netlink_ext_ack why = { };
	struct wl_change *before;
	int err;

	wl_walk_begin(&place->walk, q, last);
	list_for_each_entry(before, &q->changes, order) {
		if (!place->after || last)
			break;
		wl_walk_pass(&place->walk, before);
		cond_resched();
		if (before == place->after)
			break;
	}
	err = wl_walk_judge(&place->walk, change, extack);
	if (err)
		return err;
	list_for_each_entry_continue(other, &q->changes, order) {
		err = wl_walk_judge(&place->walk, other, &why);
		if (err)
			return refuse_later(other, err, &why, extack);
	}
	return 0;
}

static void take_class(struct wl_sched *q, struct wl_class *cl)
{
	u32 slots = cl->walk.slots;

	wl_memory_give(cl);
	cl->asked = cl->walk.cfg;
	cl->asked_slots = cl->walk.last_slots;
	cl->delay_ns = cl->walk.delay_ns;
	/* What nothing waits for any more is no longer accounted for. */
	wl_class_account(q, cl, q->pending ? max(slots, cl->slots) : slots);
}

static void take_change(struct wl_change *change)
{
	u32 i;

	for (i = 0; i < change->txn.count; i++)
		if (change->part[i].cl)
			change->txn.part[i].cfg = change->part[i].cfg;
}

/* The root qdisc lock is held. No more than WLINK_PARTS_MAX parts and
 * WLINK_BEARERS_MAX classes are copied under it, each once.
 */
static void take(struct wl_sched *q, struct place *place,
		 struct wl_change *change)
{
	struct wl_change *behind = change;
	struct wl_class *cl;

	list_add(&change->order,
		 place->after ? &place->after->order : &q->changes);
	list_for_each_entry_from(behind, &q->changes, order)
		take_change(behind);
	list_for_each_entry(cl, &q->order, order)
		if (wl_walk_met(&place->walk, cl))
			take_class(q, cl);
	change->txn.reseed = change->part[0].cl == &q->first &&
			     change->part[0].reseed;
	WRITE_ONCE(q->pending, q->pending + 1);
	q->parts += change->txn.count;
}

/* The root qdisc lock is held. Return: false when things have changed. */
static bool try_commit(struct Qdisc *sch, struct place *place,
		       struct wl_change *change)
{
	struct wl_sched *q = qdisc_priv(sch);
	u64 now_ns = ktime_get_ns();
	u64 at_ns = change->at_ns;

	if (at_ns != WLINK_AT_NEXT && at_ns <= now_ns)
		at_ns = WLINK_AT_NOW;
	if (at_ns != WLINK_AT_NOW)
		wl_qdisc_catch_up(sch, now_ns);
	else if (q->link.now_ns < now_ns)
		wl_qdisc_catch_up(sch, now_ns - 1);
	if (q->applied != place->applied ||
	    predecessor(q, wl_link_from_ns(&q->link, now_ns, at_ns)) !=
	    place->after)
		return false;
	take(q, place, change);
	wl_link_commit(&q->link, now_ns, at_ns, &change->txn);
	wl_qdisc_catch_up(sch, now_ns);
	wl_qdisc_rearm(q);
	return true;
}

static int refuse_many(struct wl_sched *q, const struct wl_change *change,
		       struct netlink_ext_ack *extack)
{
	wl_notes_settle(&q->notes);
	if (READ_ONCE(q->pending) >= WLINK_PENDING_MAX) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: %u changes wait, there may be no more",
				   WLINK_PENDING_MAX);
		return -ENOBUFS;
	}
	if (q->parts + change->txn.count > WLINK_PARTS_MAX) {
		NL_SET_ERR_MSG_FMT(extack,
				   "wlink: bearers in changes that wait, %llu, are more than %u",
				   q->parts + change->txn.count,
				   WLINK_PARTS_MAX);
		return -ENOBUFS;
	}
	return 0;
}

int wl_txn_commit(struct Qdisc *sch, struct wl_change *change,
		  struct netlink_ext_ack *extack)
{
	struct wl_sched *q = qdisc_priv(sch);
	struct place place = { };
	bool done = false;
	int err;

	err = refuse_many(q, change, extack);
	while (!err && !done) {
		find_place(sch, change, &place);
		err = walk(q, change, &place, extack);
		if (err)
			break;
		wl_qdisc_catch_up_slowly(sch);
		sch_tree_lock(sch);
		done = try_commit(sch, &place, change);
		sch_tree_unlock(sch);
	}
	if (!err)
		keep_message(change);
	return err;
}

void wl_txn_applied(struct wl_sched *q, struct wl_txn *txn, u64 at_ns)
{
	struct wl_change *change = container_of(txn, struct wl_change, txn);
	struct wl_class *cl;

	WRITE_ONCE(q->applied, q->applied + 1);
	WRITE_ONCE(q->pending, q->pending - 1);
	/* While something waited, each class kept the most of all of it. */
	if (!q->pending)
		list_for_each_entry(cl, &q->order, order)
			wl_class_account(q, cl, cl->asked_slots);
	change->note.at_ns = at_ns;
	change->note.generation = q->link.generation;
	wl_notes_add(&q->notes, &change->note);
}

void wl_txn_settle(struct Qdisc *sch, struct wl_note *note)
{
	struct wl_change *change = wl_txn_of(note);
	struct wl_sched *q = qdisc_priv(sch);
	u32 i;

	for (i = 0; i < change->txn.count; i++)
		if (change->part[i].cl)
			wl_walk_base(q, change->part[i].cl,
				     &change->txn.part[i].cfg);
	q->parts -= change->txn.count;
	list_del(&change->order);
}

void wl_txn_forget(struct wl_note *note)
{
	kvfree(wl_txn_of(note));
}

void wl_txn_leave(struct wl_sched *q, struct wl_class *cl)
{
	struct wl_change *change;
	u32 i;

	list_for_each_entry(change, &q->changes, order) {
		for (i = 0; i < change->txn.count; i++) {
			if (change->part[i].cl == cl)
				change->part[i].cl = NULL;
		}
	}
}

void wl_txn_destroy(struct wl_sched *q)
{
	struct wl_change *change, *next;

	list_for_each_entry_safe(change, next, &q->changes, order)
		kvfree(change);
	INIT_LIST_HEAD(&q->changes);
}
