// SPDX-License-Identifier: GPL-2.0
/*
 * Two qdiscs that are the two directions of one link: feedback of one is traffic of the
 * other. The two root qdisc locks are never held together. What an engine says to the
 * other one goes into a mailbox, under the lock of the pair, which is taken below either of
 * them; the other one's timer then makes it read that under its own lock.
 *
 * A message carries the time of its event. The engine that gets it takes it at that time,
 * or, where it is beyond that already, as much later as the timer of the first one was
 * late: with timers that are on time, as in virtual time, nothing depends on them.
 */
#include <linux/mm.h>

#include "netlink/attr.h"
#include "class.h"
#include "pair.h"

/**
 * struct wl_pair - two qdiscs that are the two directions of a link
 * @lock: protects @side and @box; taken below the root qdisc locks
 * @users: number of sides that refer to the pair; under RTNL
 * @side: the qdiscs, NULL for one that is gone
 * @box: for each side: position in its mailbox
 * @mail: for each side: mailbox of messages that it has not read
 * @read: for each side: records of its engine, see wl_link_pair()
 */
struct wl_pair {
	spinlock_t lock; /* of side and box */
	u32 users;
	struct wl_sched *side[2];
	struct wl_ring box[2];
	struct wl_message mail[2][WL_MAIL_MAX];
	struct wl_message read[2][WL_MAIL_MAX];
};

bool wl_pair_send(struct wl_link *link, const struct wl_message *message)
{
	struct wl_sched *q = wl_sched_of(link), *peer;
	struct wl_pair *pair = q->pair;
	u32 to = !q->pair_side;
	struct wl_ring *box = &pair->box[to];

	spin_lock(&pair->lock);
	peer = pair->side[to];
	/* What does not fit is lost as on the air, and repeated. */
	if (peer && box->tail - box->head < WL_MAIL_MAX)
		pair->mail[to][box->tail++ % WL_MAIL_MAX] = *message;
	if (peer)
		hrtimer_start(&peer->timer, 0, HRTIMER_MODE_REL_PINNED_SOFT);
	spin_unlock(&pair->lock);
	return peer;
}

bool wl_pair_waits(const struct wl_sched *q)
{
	const struct wl_ring *box = &q->pair->box[q->pair_side];

	return READ_ONCE(box->head) != READ_ONCE(box->tail);
}

void wl_pair_read(struct wl_sched *q)
{
	struct wl_message message;
	struct wl_ring *box;
	struct wl_class *cl;

	while (wl_pair_waits(q)) {
		box = &q->pair->box[q->pair_side];
		spin_lock(&q->pair->lock);
		message = q->pair->mail[q->pair_side][box->head++ % WL_MAIL_MAX];
		spin_unlock(&q->pair->lock);
		cl = wl_class_find(q, TC_H_MAKE(q->sch->handle, message.number));
		if (q->link.mails)
			wl_link_post(&q->link, cl ? cl->bearer : NULL, &message);
	}
}

void wl_pair_mute(struct wl_sched *q)
{
	struct wl_pair *pair = q->pair;

	if (!pair)
		return;
	spin_lock_bh(&pair->lock);
	pair->side[q->pair_side] = NULL;
	spin_unlock_bh(&pair->lock);
}

void wl_pair_leave(struct wl_sched *q)
{
	struct wl_pair *pair = q->pair;

	if (!pair)
		return;
	wl_pair_mute(q);
	wl_link_pair(&q->link, NULL);
	q->pair = NULL;
	if (!--pair->users)
		kvfree(pair);
}

static void pair_leave_locked(struct wl_sched *q)
{
	wl_tree_lock(q->sch);
	wl_pair_leave(q);
	sch_tree_unlock(q->sch);
}

bool wl_pair_part(struct Qdisc *sch)
{
	struct wl_sched *q = qdisc_priv(sch), *other;

	if (!q->pair)
		return false;
	other = q->pair->side[!q->pair_side];
	pair_leave_locked(q);
	if (other)
		pair_leave_locked(other);
	return true;
}

static void pair_enter(struct wl_sched *q, struct wl_pair *pair, u32 side)
{
	pair->users++;
	wl_tree_lock(q->sch);
	q->pair_side = side;
	q->pair = pair;
	wl_link_pair(&q->link, pair->read[side]);
	/* The other one may have sent before this one could read. */
	if (wl_pair_waits(q))
		hrtimer_start(&q->timer, 0, HRTIMER_MODE_REL_PINNED_SOFT);
	sch_tree_unlock(q->sch);
}

int wl_pair_join(struct Qdisc *a, struct Qdisc *b, struct netlink_ext_ack *extack)
{
	struct wl_pair *pair;

	if (a == b)
		return wl_refuse(extack, NULL, -EINVAL,
				 "wlink: a link is no pair with itself");
	pair = kvzalloc(sizeof(*pair), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!pair)
		return wl_refuse(extack, NULL, -ENOMEM, "wlink: no memory for a pair");
	spin_lock_init(&pair->lock);
	wl_pair_part(a);
	wl_pair_part(b);
	/* Both are there before one speaks: a side that is gone ends the pair. */
	pair->side[0] = qdisc_priv(a);
	pair->side[1] = qdisc_priv(b);
	pair_enter(qdisc_priv(a), pair, 0);
	pair_enter(qdisc_priv(b), pair, 1);
	return 0;
}
