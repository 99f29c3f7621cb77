// SPDX-License-Identifier: GPL-2.0
/*
 * What has taken effect: the engine says so in softirq, and somebody has to tell
 * the listeners and to free memory, both of which may sleep. The memory of a
 * notice is that of what it is about, so none is ever lost on the way.
 */
#include "change.h"
#include "genl.h"
#include "notify.h"
#include "schedule.h"

void wl_notify_add(struct wl_notify *notify, struct wl_notice *notice)
{
	llist_add(&notice->node, &notify->queue);
	schedule_work(&notify->work);
}

static void notify_free(struct wl_notify *notify, struct wl_notice *notice)
{
	struct wl_sched *q = qdisc_priv(notify->sch);

	if (notice->cmd != WLINK_CMD_PLAY)
		wl_change_free(container_of(notice, struct wl_change, notice));
	else if (notice->state == WLINK_PLAY_STATE_NONE)
		wl_schedule_free(q, wl_schedule_of(notice));
}

static void notify_send(struct wl_notify *notify)
{
	struct llist_node *queue = llist_del_all(&notify->queue);
	struct wl_notice *notice, *next;

	queue = llist_reverse_order(queue);
	llist_for_each_entry_safe(notice, next, queue, node) {
		if (!wl_genl_send(notify->sch, notice, notify->lost))
			notify->lost++;
		notify_free(notify, notice);
		cond_resched();
	}
}

static void notify_work(struct work_struct *work)
{
	notify_send(container_of(work, struct wl_notify, work));
}

void wl_notify_init(struct wl_notify *notify, struct Qdisc *sch)
{
	notify->sch = sch;
	INIT_WORK(&notify->work, notify_work);
}

void wl_notify_destroy(struct wl_notify *notify)
{
	cancel_work_sync(&notify->work);
	notify_send(notify);
}
