/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_GLUE_H
#define _WL_GLUE_H

#include <linux/hrtimer.h>
#include <linux/list.h>
#include <linux/llist.h>
#include <linux/sched.h>
#include <linux/workqueue.h>
#include <net/pkt_cls.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>

#include "core/link.h"

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

/**
 * struct wl_notice - a notification that is to be sent
 * @node: in wl_notify.queue
 * @cmd: enum wlink_cmd: WLINK_CMD_SCHEDULE: part of a struct wl_kept_schedule, else of a
 *	struct wl_change
 * @state: WLINK_CMD_SCHEDULE: the new state, also the index in wl_kept_schedule.notices
 * @at_ns: when, in the model
 * @generation: of the link from then on
 */
struct wl_notice {
	struct llist_node node;
	enum wlink_cmd cmd;
	enum wlink_schedule_state state;
	u64 at_ns;
	u32 generation;
};

/**
 * struct wl_change - configurations of bearers that take effect together
 * @notice: that they have, or never will
 * @pending: for the engine
 * @received_ns: when the message came
 * @cookie: its number on the link
 * @of_link: it changes what is the link's: tti, seed, sched
 * @part: @pending's
 */
struct wl_change {
	struct wl_notice notice;
	struct wl_pending pending;
	u64 received_ns;
	u64 cookie;
	bool of_link;
	struct wl_pending_part part[];
};

/**
 * struct wl_notify - from the engine, under a spinlock, to those who listen
 * @queue: notices that have not been sent
 * @work: sends them and frees what they belong to
 * @lost: those that could not be sent
 */
struct wl_notify {
	struct llist_head queue;
	struct work_struct work;
	u64 lost;
};

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
 *	them; of no use before wl_memory_settle()
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
 * @has_3gpp: it holds the module wlink_3gpp, from the first word of it on; under RTNL
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
	bool has_3gpp;
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

static inline struct wl_change *wl_change_of(struct wl_pending *pending)
{
	return container_of(pending, struct wl_change, pending);
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
 * wl_notify_add() - something has taken effect; neither allocates nor sleeps
 * @notify: queue
 * @notice: cmd, at_ns and generation are set. What it belongs to is not to be
 *	looked at any more, but for a schedule that has more to tell
 *
 * The memory of a notice is that of what it is about, so none is
 * ever lost on the way.
 */
static inline void wl_notify_add(struct wl_notify *notify, struct wl_notice *notice)
{
	llist_add(&notice->node, &notify->queue);
	schedule_work(&notify->work);
}

/**
 * wl_drops_begin() - before anything that may drop
 * @q: qdisc; the root qdisc lock is held
 *
 * Nothing is there yet: what one caller left would be freed twice, or by nobody.
 */
static inline void wl_drops_begin(struct wl_sched *q)
{
	DEBUG_NET_WARN_ON_ONCE(q->drops.list);
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

#endif
