/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_QDISC_H
#define _WL_QDISC_H

#include <linux/list.h>
#include <net/pkt_cls.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "core/wl_link.h"
#include "wl_notes.h"
#include "wl_parents.h"
#include "wl_slots.h"
#include "wl_timer.h"

/**
 * struct wl_late - how late SDUs were handed over, against the model
 * @sum_ns: sum
 * @max_ns: maximum
 * @bins: histogram, see WLINK_LATE_BINS
 */
struct wl_late {
	u64 sum_ns;
	u64 max_ns;
	u64 bins[WLINK_LATE_BINS];
};

/**
 * struct wl_class_walk - what becomes of a class in a walk over what waits
 * @number: of the walk that the rest is about
 * @cfg: its configuration so far
 * @delay_ns: longest delay so far
 * @slots: most descriptors accounted for so far
 * @last_slots: descriptors that @cfg accounts for
 */
struct wl_class_walk {
	u64 number;
	struct wl_cfg cfg;
	u64 delay_ns;
	u32 slots;
	u32 last_slots;
};

struct wl_kept_profile;
struct wl_schedule;

/**
 * struct wl_class - a bearer and what ties it to the kernel
 * @common: its classid, in wl_sched.classes
 * @order: in wl_sched.order
 * @bearer: the bearer; under the root qdisc lock
 * @asked: configuration after all that has been asked for; changed under RTNL
 *	and the root qdisc lock
 * @base: configuration after all that is known to have taken effect; under RTNL
 *	and the mutex of the notes, as are the four next ones
 * @walk: see struct wl_walk
 * @schedules: those that the engine knows, the newest first
 * @loading: one that is being loaded; dumps ask whether it is there with the root
 *	qdisc lock only
 * @candidate: one that is looked at as if the engine knew it
 * @spare: memory that a change is about to give to the bearer; under RTNL
 * @spent: memory that it has taken from the bearer; under RTNL
 * @slots: descriptors that it accounts for now
 * @asked_slots: descriptors that @asked accounts for
 * @delay_ns: not below the longest delay of @base and all that waits; under the
 *	mutex
 * @filters: filters bound to it; under RTNL
 * @bstats: what has left it
 * @qstats: what it holds and has dropped
 * @late: lateness of hand-over
 */
struct wl_class {
	struct Qdisc_class_common common;
	struct list_head order;
	struct wl_bearer *bearer;
	struct wl_cfg asked;
	struct wl_cfg base;
	struct wl_class_walk walk;
	struct wl_schedule *schedules;
	struct wl_play *loading;
	const struct wl_play *candidate;
	struct wl_room spare;
	void *spent;
	u32 slots;
	u32 asked_slots;
	u64 delay_ns;
	u32 filters;
	struct gnet_stats_basic_sync bstats;
	struct gnet_stats_queue qstats;
	struct wl_late late;
};

/**
 * struct wl_other_class - a class beside 1:1
 * @class: the class
 * @bearer: its bearer
 */
struct wl_other_class {
	struct wl_class class;
	struct wl_bearer bearer;
};

/**
 * struct wl_sched - one qdisc: the engine and what ties it to the kernel
 * @link: the engine; under the root qdisc lock
 * @timer: wakes the root qdisc at wl_link_next_ns()
 * @armed_ns: when, as long as nothing has happened that may ask for an earlier
 *	time; else 0
 * @all: in the list of all qdiscs
 * @may_bypass: as configured, packets pass as if there were no link
 * @bypass: the kernel need not ask; see wl_bypass.h
 * @other_packets: of those that the qdisc had counted then, not counted by class
 *	1:1
 * @other_bytes: their bytes
 * @sch: the qdisc
 * @filters: filters that choose the class
 * @block: the same for the kernel's filter code
 * @classes: all classes by classid
 * @order: all classes by number
 * @first: class 1:1, which is as old as the qdisc
 * @nodes: memory of the engine's heaps, NULL for one bearer
 * @nodes_bearers: bearers that there is such memory for
 * @pool: descriptors of @link
 * @parents: what the qdiscs above hear of drops
 * @notes: what has taken effect and is to be told; its mutex is that of all
 *	below
 * @changes: changes that wait, by the time when they take effect, and those that
 *	have taken effect and are not settled; under the mutex
 * @pending: how many wait; under the root qdisc lock, read without it
 * @applied: how many have taken effect; the same
 * @parts: their parts, together; under the mutex
 * @walks: walks over them so far; under the mutex
 * @steps_bytes: memory of the steps of all schedules; under the mutex, read
 *	without it by dumps
 * @profiles: those that configurations refer to; under RTNL and the mutex
 * @gone_late: lateness in classes that have been deleted
 * @sum: for dumps, under the root qdisc lock: counters of all bearers
 * @sum_late: the same of lateness
 */
struct wl_sched {
	struct wl_link link;
	struct wl_timer timer;
	u64 armed_ns;
	bool may_bypass;
	bool bypass;
	u64 other_packets;
	u64 other_bytes;
	struct list_head all;
	struct Qdisc *sch;
	struct tcf_proto __rcu *filters;
	struct tcf_block *block;
	struct Qdisc_class_hash classes;
	struct list_head order;
	struct wl_class first;
	struct wl_node **nodes;
	u32 nodes_bearers;
	struct wl_pool pool;
	struct wl_parents parents;
	struct wl_notes notes;
	struct list_head changes;
	u32 pending;
	u64 applied;
	u64 parts;
	u64 walks;
	u64 steps_bytes;
	struct wl_kept_profile *profiles;
	struct wl_late gone_late;
	struct wl_stats sum;
	struct wl_late sum_late;
};

/* The class of a bearer. */
static inline struct wl_class *wl_class_of(struct wl_sched *q,
					   struct wl_bearer *b)
{
	if (b == &q->link.first)
		return &q->first;
	return &container_of(b, struct wl_other_class, bearer)->class;
}

/**
 * wl_qdisc_catch_up() - bring the engine to now, outside enqueue and dequeue
 * @sch: a wlink qdisc; its root qdisc lock is held
 * @now_ns: now
 *
 * Return: false when there is more to do than is to be done at a time. What is
 * then asked of the engine has its time, now, and comes after all that is owed.
 */
bool wl_qdisc_catch_up(struct Qdisc *sch, u64 now_ns);

/**
 * wl_qdisc_catch_up_slowly() - bring the engine close to now
 * @sch: a wlink qdisc; under RTNL, without the lock
 *
 * In small steps, so that the lock is never held for long. An engine that
 * cannot keep up at all takes what comes next when it reaches it.
 */
void wl_qdisc_catch_up_slowly(struct Qdisc *sch);

/**
 * wl_qdisc_rearm() - set the timer; the one place that does
 * @q: qdisc, caught up; the lock is held
 */
void wl_qdisc_rearm(struct wl_sched *q);

extern const struct Qdisc_class_ops wl_class_ops;

/**
 * wl_class_init() - make class 1:1 of a qdisc whose engine is made
 * @q: qdisc
 * @extack: says what is wrong
 *
 * Return: 0 or a negative errno. wl_class_destroy() must follow in any case.
 */
int wl_class_init(struct wl_sched *q, struct netlink_ext_ack *extack);

/**
 * wl_class_destroy() - free filters and classes; may sleep
 * @q: qdisc that holds no packet; zeroed where wl_class_init() never ran
 */
void wl_class_destroy(struct wl_sched *q);

/**
 * wl_classify() - choose the class of a packet
 * @skb: packet
 * @sch: a wlink qdisc; the root qdisc lock is held
 * @result: of enqueue() where a filter has taken the packet
 *
 * The priority of the packet where it is a class here, else the filters, else
 * class 1:1.
 *
 * Return: class, or NULL.
 */
struct wl_class *wl_classify(struct sk_buff *skb, struct Qdisc *sch,
			     int *result);

/**
 * wl_class_find() - a class by its classid
 * @q: qdisc; under RTNL or the root qdisc lock
 * @classid: classid
 *
 * Return: class, or NULL.
 */
struct wl_class *wl_class_find(const struct wl_sched *q, u32 classid);

/**
 * wl_class_account() - set what a class and all together may hold
 * @q: qdisc; the root qdisc lock is held
 * @cl: class
 * @slots: descriptors
 */
void wl_class_account(struct wl_sched *q, struct wl_class *cl, u32 slots);

#endif
