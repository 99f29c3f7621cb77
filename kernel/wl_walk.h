/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_WALK_H
#define _WL_WALK_H

#include "wl_qdisc.h"

struct wl_change;

/**
 * struct wl_walk - a walk over the changes that wait, in order, to see what
 *	becomes of each configuration
 * @q: qdisc; under RTNL, the mutex of its notes is held, settled
 * @at_end: it begins behind all that waits, not before
 *
 * What has become of a class so far is in wl_class.walk.
 */
struct wl_walk {
	struct wl_sched *q;
	bool at_end;
};

/**
 * wl_walk_begin() - begin with what has taken effect, or what has been asked for
 * @walk: to be set
 * @q: qdisc
 * @at_end: the latter
 */
void wl_walk_begin(struct wl_walk *walk, struct wl_sched *q, bool at_end);

/**
 * wl_walk_met() - whether a walk has had to do with a class
 * @walk: the last one of its qdisc
 * @cl: class
 *
 * Return: whether wl_class.walk is about it; where not, nothing changes for the
 * class.
 */
bool wl_walk_met(const struct wl_walk *walk, const struct wl_class *cl);

/**
 * wl_walk_pass() - a change that stays as it is
 * @walk: walk
 * @change: next one, which waits
 */
void wl_walk_pass(struct wl_walk *walk, struct wl_change *change);

/**
 * wl_walk_judge() - a change that is new, or comes behind a new one
 * @walk: walk
 * @change: next one; its parts' cfg are set
 * @extack: says what is wrong
 *
 * Gets the memory, too; wl_memory_finish() must follow for all classes.
 *
 * Return: 0 or a negative errno.
 */
int wl_walk_judge(struct wl_walk *walk, struct wl_change *change,
		  struct netlink_ext_ack *extack);

/**
 * wl_walk_base() - a part of a change has taken effect
 * @q: qdisc; the mutex of its notes is held
 * @cl: class
 * @cfg: its configuration
 */
void wl_walk_base(struct wl_sched *q, struct wl_class *cl,
		  const struct wl_cfg *cfg);

/**
 * wl_walk_each() - look at all that a class is and will be configured to
 * @q: qdisc; under RTNL, the mutex of its notes is held, settled
 * @cl: class
 * @fn: called for its base and after each change that waits and concerns it, with
 *	when that is to take effect, 0 for the base; not 0 ends the walk
 * @data: for @fn
 *
 * Return: what @fn returned last.
 */
int wl_walk_each(struct wl_sched *q, struct wl_class *cl,
		 int (*fn)(struct wl_class *cl, const struct wl_cfg *cfg,
			   u64 from_ns, void *data),
		 void *data);

/**
 * wl_walk_admit() - judge a new class together with what waits
 * @q: qdisc; under RTNL, the mutex of its notes is held, settled
 * @cl: class that nobody knows, its asked configuration is checked
 * @extack: says what is wrong
 *
 * Return: 0 with its base configuration set and its memory prepared, or a
 * negative errno.
 */
int wl_walk_admit(struct wl_sched *q, struct wl_class *cl,
		  struct netlink_ext_ack *extack);

/**
 * wl_walk_known() - visit every configuration that is kept
 * @q: qdisc; under RTNL, the mutex of its notes is held
 * @fn: called for each
 * @data: for @fn
 *
 * What the engine has is a copy of one of these.
 */
void wl_walk_known(struct wl_sched *q,
		   void (*fn)(const struct wl_cfg *cfg, void *data),
		   void *data);

/**
 * wl_walk_link_words() - copy what of the link is in every configuration
 * @cfg: to which
 * @from: from the one of bearer 1
 */
void wl_walk_link_words(struct wl_cfg *cfg, const struct wl_cfg *from);

#endif
