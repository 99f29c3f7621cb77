/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_QDISC_H
#define _WL_QDISC_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <net/pkt_cls.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "core/link.h"
#include "core/rrc/schedule.h"
#include "notify.h"
#include "kept.h"

/**
 * struct wl_change_result - what became of a change
 * @cookie: its number
 * @received_ns: when the message came
 * @at_ns: when it takes effect, or has
 * @generation: of the link from then on, where it has
 * @waits: it has not yet
 */
struct wl_change_result {
	u64 cookie;
	u64 received_ns;
	u64 at_ns;
	u32 generation;
	bool waits;
};

struct mem_cgroup;
struct wl_pair;

/**
 * struct wl_pool - memory of the descriptors of a link
 * @blocks: what there is
 * @spare: of these, those with descriptors that the link does not have
 * @bytes: size of all blocks
 * @most: descriptors that the link may have: what the bearers' limits, rates and
 *	delays account for
 * @least: the same once nothing waits any more
 * @work: takes back what is above @most
 * @memcg: memory cgroup of who has made the qdisc, which all blocks are charged to;
 *	the one that sends has no say in how many there may be
 */
struct wl_pool {
	struct list_head blocks;
	struct list_head spare;
	u64 bytes;
	u64 most;
	u64 least;
	struct work_struct work;
	struct mem_cgroup *memcg;
};

/**
 * struct wl_drops - packets dropped while the engine is moved; see wl_drops_begin()
 * @list: they, to be freed
 * @packets: packets that the qdiscs above count for this one
 * @bytes: their bytes
 */
struct wl_drops {
	struct sk_buff *list;
	u32 packets;
	u32 bytes;
};

struct wl_kept_schedule;

/**
 * struct wl_class - a bearer and what ties it to the kernel
 * @common: its classid, in wl_sched.classes
 * @order: in wl_sched.order
 * @bearer: the bearer; under the root qdisc lock
 * @target: configuration after all changes that wait; changed under RTNL and the
 *	root qdisc lock
 * @change: last change that is about it, or was to be; under RTNL
 * @loading: a schedule that is being loaded, under RTNL; dumps ask whether it is
 *	there with the root qdisc lock only
 * @spare: memory that a change is about to give to the bearer, or has taken from it;
 *	under RTNL
 * @q: whose class
 * @descs: descriptors that it accounts for: while changes wait the most of all of
 *	them; of no use before wl_class_settle()
 * @target_descs: descriptors that @target accounts for
 * @delay_ns: longest delay of @target and of all changes that wait; the same
 * @era: wl_sched.era that @descs and @delay_ns are of
 * @filters: filters bound to it; under RTNL
 * @bstats: what has left it
 * @qstats: what it holds and has dropped
 */
struct wl_class {
	struct Qdisc_class_common common;
	struct list_head order;
	struct wl_bearer *bearer;
	struct wl_cfg target;
	u64 change;
	struct wl_kept_schedule *loading;
	struct wl_rings spare;
	struct wl_sched *q;
	u32 descs;
	u32 target_descs;
	u64 delay_ns;
	u32 era;
	u32 filters;
	struct gnet_stats_basic_sync bstats;
	struct gnet_stats_queue qstats;
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

/* Classes, parts of changes or descriptors that are looked at under the lock before others
 * may have it.
 */
#define WL_WALK_MAX	256U

/**
 * struct wl_sched - one qdisc: the engine and what ties it to the kernel
 * @link: the engine; under the root qdisc lock
 * @begin_ns: when it begins; nothing leaves before
 * @watchdog: rings when something is to happen
 * @timer: advances the engine where dequeue() will not
 * @armed_ns: what @watchdog is set for, or WL_NEVER_NS; under the root qdisc lock
 * @worked_ns: when @timer rang last
 * @pause_ns: an engine that is behind is left alone until then
 * @rung: @watchdog has, and dequeue() is to advance the engine
 * @stopped: @timer is set no more
 * @looked: how much has been looked at since the root qdisc lock was taken
 * @reset: a parent that is destroyed resets what it has without its lock, and @timer may
 *	run: taken below the root qdisc lock
 * @drops: what is dropped now; under the root qdisc lock
 * @sch: the qdisc
 * @filters: filters that choose the class
 * @block: the same for the kernel's filter code
 * @classes: all classes by classid
 * @order: all classes by number
 * @first: class 1:1, which is as old as the qdisc
 * @nodes: memory of the engine's heaps, NULL for one bearer
 * @nodes_bearers: bearers that there is such memory for
 * @pool: descriptors of @link
 * @notify: what has taken effect and is to be told
 * @pair: the other direction of its link, NULL for none; changed under RTNL and the root
 *	qdisc lock
 * @pair_side: which side of it the qdisc is
 * @pending: changes that wait; under the root qdisc lock, as is the next one
 * @parts: their parts, together
 * @era: how often all that waited has taken effect, or none of it will
 * @applied: the change that has taken effect last; under the root qdisc lock
 * @changes: number of the last change; under RTNL
 * @rings_bytes: memory of all bearers for windows and what is on its way; under
 *	RTNL
 * @steps_bytes: memory of the steps of all schedules
 * @kept: profiles and distributions that configurations refer to; under RTNL
 * @sum: what is dumped, under RTNL: counters of a bearer, or of all
 */
struct wl_sched {
	struct wl_link link;
	u64 begin_ns;
	struct hrtimer watchdog;
	struct hrtimer timer;
	u64 armed_ns;
	u64 worked_ns;
	u64 pause_ns;
	bool rung;
	bool stopped;
	u32 looked;
	spinlock_t reset; /* of the engine, see above */
	struct wl_drops drops;
	struct Qdisc *sch;
	struct tcf_proto __rcu *filters;
	struct tcf_block *block;
	struct Qdisc_class_hash classes;
	struct list_head order;
	struct wl_class first;
	struct wl_node **nodes;
	u32 nodes_bearers;
	struct wl_pool pool;
	struct wl_notify notify;
	struct wl_pair *pair;
	u32 pair_side;
	u32 pending;
	u32 parts;
	u32 era;
	struct wl_change_result applied;
	u64 changes;
	u64 rings_bytes;
	atomic64_t steps_bytes;
	struct wl_kept *kept;
	struct wl_stats sum;
};

static inline struct wl_sched *wl_sched_of(struct wl_link *link)
{
	return container_of(link, struct wl_sched, link);
}

/* The class of a bearer. */
static inline struct wl_class *wl_class_of(struct wl_sched *q,
					   struct wl_bearer *b)
{
	if (b == &q->link.first)
		return &q->first;
	return &container_of(b, struct wl_other_class, bearer)->class;
}

static inline u32 wl_class_number(const struct wl_class *cl)
{
	return TC_H_MIN(cl->common.classid);
}

/**
 * wl_now_ns() - time, as the engine is to see it
 * @q: a wlink qdisc
 *
 * Return: CLOCK_MONOTONIC, but not before the link begins: what comes sooner comes then
 */
static inline u64 wl_now_ns(const struct wl_sched *q)
{
	return max(ktime_get_ns(), q->begin_ns);
}

/**
 * wl_tree_lock() - take the root qdisc lock
 * @sch: a wlink qdisc; under RTNL
 */
static inline void wl_tree_lock(struct Qdisc *sch) __acquires(lock)
{
	struct wl_sched *q = qdisc_priv(sch);

	sch_tree_lock(sch);
	q->looked = 0;
}

/**
 * wl_look() - count a class, a part of a change or a descriptor that is looked at
 * @q: qdisc; the root qdisc lock is held
 * @count: for how many of them it counts, at most WL_WALK_MAX
 *
 * A walk that calls wl_walk_on() before each of these stays below twice WL_WALK_MAX.
 */
static inline void wl_look(struct wl_sched *q, u32 count)
{
	q->looked += count;
	DEBUG_NET_WARN_ON_ONCE(q->looked >= 2 * WL_WALK_MAX);
}

/**
 * wl_walk_on() - others may have the root qdisc lock, if it has been held for long
 * @sch: a wlink qdisc; wl_tree_lock() is held
 *
 * To be called in a walk before each wl_look(). Classes stay, as RTNL is held; changes may
 * take effect meanwhile.
 *
 * Return: whether it has been let go of.
 */
static inline bool wl_walk_on(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch);

	if (q->looked < WL_WALK_MAX)
		return false;
	sch_tree_unlock(sch);
	cond_resched();
	wl_tree_lock(sch);
	return true;
}

/**
 * wl_drops_begin() - before anything that may drop
 * @q: qdisc; the root qdisc lock is held
 */
static inline void wl_drops_begin(struct wl_sched *q)
{
	q->drops.packets = q->sch->q.qlen;
	q->drops.bytes = q->sch->qstats.backlog;
}

/**
 * wl_drops_end() - the qdiscs above count what this one holds now
 * @q: qdisc; begun, and what they count by themselves is in @q->drops
 *
 * A parent that sees an empty child stops dequeuing from it, so qlen has to be final.
 *
 * Return: what has been dropped, for the caller to free.
 */
static inline struct sk_buff *wl_drops_end(struct wl_sched *q)
{
	int packets = q->drops.packets - q->sch->q.qlen;
	int bytes = q->drops.bytes - q->sch->qstats.backlog;
	struct sk_buff *list = q->drops.list;

	q->drops.list = NULL;
	if (packets || bytes)
		qdisc_tree_reduce_backlog(q->sch, packets, bytes);
	return list;
}

/**
 * wl_qdisc_catch_up() - bring the engine to now, hand over what is due, set the
 *	timer
 * @sch: a wlink qdisc; its root qdisc lock is held
 * @now_ns: now
 *
 * Not for enqueue() and dequeue().
 *
 * Return: false when the engine has run out of budget and is still behind. What it is
 * told to do at @now_ns then happens after all events before that time.
 */
bool wl_qdisc_catch_up(struct Qdisc *sch, u64 now_ns);

/**
 * wl_catch_up() - the same; what is dropped is freed when the lock has been released
 * @q: scheduler; its root qdisc lock is held
 * @now_ns: now
 * @dropped: set to what wl_drops_free() is for then
 *
 * Return: as wl_qdisc_catch_up().
 */
bool wl_catch_up(struct wl_sched *q, u64 now_ns, struct sk_buff **dropped);

/**
 * wl_qdisc_catch_up_slowly() - bring the engine close to now
 * @sch: a wlink qdisc; under RTNL, without the lock
 *
 * Little by little, so that the lock is never held for long, and for 20 ms at most.
 */
void wl_qdisc_catch_up_slowly(struct Qdisc *sch);

/**
 * wl_qdisc_lock() - take the root qdisc lock with the engine as close to now as it
 *	gets
 * @sch: a wlink qdisc; under RTNL
 *
 * Return: now, the time to give to the engine.
 */
u64 wl_qdisc_lock(struct Qdisc *sch) __acquires(lock);

/**
 * wl_qdisc_unlock() - advance the engine once more, and unlock
 * @sch: a wlink qdisc
 * @now_ns: of wl_qdisc_lock()
 */
void wl_qdisc_unlock(struct Qdisc *sch, u64 now_ns) __releases(lock);

/**
 * wl_qdisc_lock_to_show() - take the root qdisc lock with the engine at now
 * @sch: a wlink qdisc; under RTNL
 *
 * One that is behind stays where it is now and then, so that a dump of many classes
 * does not call it for each of them.
 */
void wl_qdisc_lock_to_show(struct Qdisc *sch) __acquires(lock);

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
 * wl_class_settle() - nothing has waited for a moment: the target alone counts
 * @cl: class; the root qdisc lock is held
 *
 * wl_sched_settle() says so of all classes at once; of each it is found out when it is
 * looked at.
 */
void wl_class_settle(struct wl_class *cl);

/**
 * wl_class_set_descs() - set how many descriptors a class accounts for
 * @cl: class; the root qdisc lock is held
 * @descs: descriptors, now
 * @target_descs: descriptors that its target accounts for
 */
void wl_class_set_descs(struct wl_class *cl, u32 descs, u32 target_descs);

/**
 * wl_class_set_target() - a class is to be configured anew; give it the memory
 * @cl: class; wl_tree_lock() is held
 * @cfg: configuration, which wl_memory_get() has got memory for
 *
 * Return: whether the lock has been let go of.
 */
bool wl_class_set_target(struct wl_class *cl, const struct wl_cfg *cfg);

/**
 * wl_sched_settle() - nothing waits any more: the targets alone count
 * @q: qdisc; the root qdisc lock is held
 */
static inline void wl_sched_settle(struct wl_sched *q)
{
	q->era++;
	q->pool.most = q->pool.least;
}

/**
 * wl_class_base() - what a class is configured to now, below its schedule
 * @cl: class; the root qdisc lock is held
 * @cfg: set
 */
static inline void wl_class_base(const struct wl_class *cl, struct wl_cfg *cfg)
{
	const struct wl_bearer *b = cl->bearer;

	*cfg = b->schedule ? b->schedule->base : b->cfg;
}

/**
 * wl_class_put() - write what a class is configured to
 * @skb: message
 * @cl: class; under RTNL
 *
 * Return: the length of the message, or -EMSGSIZE.
 */
int wl_class_put(struct sk_buff *skb, const struct wl_class *cl);

/**
 * wl_class_notify() - notify RTNLGRP_TC that a class has been changed
 * @cl: class; under RTNL
 *
 * For changes by generic netlink; the kernel notifies of changes by rtnetlink.
 */
void wl_class_notify(struct wl_class *cl);

/**
 * wl_class_refuse() - say what does not suit a class
 * @cl: class
 * @why: value and bounds
 * @extack: says so
 *
 * Return: -ERANGE.
 */
int wl_class_refuse(const struct wl_class *cl, const struct wl_refusal *why,
		    struct netlink_ext_ack *extack);

#endif
