/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_NOTIFY_H
#define _WL_NOTIFY_H

#include <linux/llist.h>
#include <linux/workqueue.h>

#include "core/lib/types.h"

struct Qdisc;

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
 * struct wl_notify - from the engine, under a spinlock, to those who listen
 * @sch: the qdisc
 * @queue: notices that have not been sent
 * @work: sends them and frees what they belong to
 * @lost: those that could not be sent
 */
struct wl_notify {
	struct Qdisc *sch;
	struct llist_head queue;
	struct work_struct work;
	u64 lost;
};

/**
 * wl_notify_init() - before anything else
 * @notify: zeroed
 * @sch: a wlink qdisc
 */
void wl_notify_init(struct wl_notify *notify, struct Qdisc *sch);

/**
 * wl_notify_destroy() - send what has not been sent; may sleep
 * @notify: initialised; no notice is added any more
 */
void wl_notify_destroy(struct wl_notify *notify);

/**
 * wl_notify_add() - something has taken effect; neither allocates nor sleeps
 * @notify: queue
 * @notice: cmd, at_ns and generation are set. What it belongs to is not to be
 *	looked at any more, but for a schedule that has more to tell
 */
void wl_notify_add(struct wl_notify *notify, struct wl_notice *notice);

/**
 * wl_genl_register() - make the family known, before any qdisc
 *
 * Return: 0 or a negative errno.
 */
int wl_genl_register(void);

/**
 * wl_genl_unregister() - after all qdiscs
 */
void wl_genl_unregister(void);

#endif
