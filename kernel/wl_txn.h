/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_TXN_GLUE_H
#define _WL_TXN_GLUE_H

#include "core/wl_link.h"
#include "wl_notes.h"
#include "wl_qdisc.h"

/**
 * struct wl_change_part - what a message wants of a bearer
 * @cl: its class, NULL when it has been deleted meanwhile
 * @number: its number
 * @opt: TCA_OPTIONS or TCA_WLINK_BEARER_OPTIONS, NULL for no change
 * @reseed: has a seed
 * @cfg: the result, in the next order of transactions
 */
struct wl_change_part {
	struct wl_class *cl;
	u32 number;
	struct nlattr *opt;
	bool reseed;
	struct wl_cfg cfg;
};

/**
 * struct wl_change - a message that changes bearers, from its arrival until its
 *	notification has been sent
 * @note: when it has taken effect
 * @txn: for the engine
 * @order: in wl_sched.changes
 * @at_ns: when it is to take effect, TCA_WLINK_AT
 * @asked_ns: when it came
 * @has_cookie: there is a cookie
 * @cookie: TCA_WLINK_COOKIE
 * @opt: TCA_OPTIONS of the message while it is read
 * @raw: copy of it, which every part's opt lies in once it waits
 * @part: of each bearer, as many as txn.count
 */
struct wl_change {
	struct wl_note note;
	struct wl_txn txn;
	struct list_head order;
	u64 at_ns;
	u64 asked_ns;
	bool has_cookie;
	u64 cookie;
	struct nlattr *opt;
	void *raw;
	struct wl_change_part part[];
};

static inline struct wl_change *wl_txn_of(const struct wl_note *note)
{
	return container_of(note, struct wl_change, note);
}

/**
 * wl_txn_new() - a change without parts
 * @opt: TCA_OPTIONS, NULL for none
 * @parts: how many there may be
 * @extack: says what is wrong
 *
 * Return: change to wl_txn_add() to, or NULL; kvfree() frees it.
 */
struct wl_change *wl_txn_new(struct nlattr *opt, u32 parts,
			     struct netlink_ext_ack *extack);

/**
 * wl_txn_add() - one part more; that of bearer 1 comes first
 * @change: change
 * @cl: class
 * @opt: its options, in those of the message, or NULL
 */
void wl_txn_add(struct wl_change *change, struct wl_class *cl,
		struct nlattr *opt);

/**
 * wl_txn_commit() - let a change take effect when its time comes
 * @sch: a wlink qdisc; under RTNL, the mutex of its notes is held
 * @change: complete
 * @extack: says what is wrong
 *
 * Return: 0 and @change belongs to the link, or a negative errno, nothing has
 * changed and it is the caller's.
 */
int wl_txn_commit(struct Qdisc *sch, struct wl_change *change,
		  struct netlink_ext_ack *extack);

/**
 * wl_txn_applied() - the engine has put a transaction in force
 * @q: qdisc; the root qdisc lock is held
 * @txn: of a struct wl_change
 * @at_ns: when
 */
void wl_txn_applied(struct wl_sched *q, struct wl_txn *txn, u64 at_ns);

/**
 * wl_txn_settle() - what has taken effect is the base of what waits
 * @sch: a wlink qdisc; the mutex of its notes is held
 * @note: of a change, in the order of their times
 */
void wl_txn_settle(struct Qdisc *sch, struct wl_note *note);

/**
 * wl_txn_forget() - free a change that has been settled
 * @note: its note
 */
void wl_txn_forget(struct wl_note *note);

/**
 * wl_txn_leave() - a class is deleted: what waits no longer concerns it
 * @q: qdisc; the mutex of its notes is held, settled, and the root qdisc lock
 * @cl: class whose bearer the engine has forgotten, in its transactions too
 */
void wl_txn_leave(struct wl_sched *q, struct wl_class *cl);

/**
 * wl_txn_destroy() - free what waits
 * @q: qdisc whose engine is used no longer
 */
void wl_txn_destroy(struct wl_sched *q);

#endif
