// SPDX-License-Identifier: GPL-2.0
/* Whether a configuration suits a bearer and its link, now and after all changes that wait. */
#include "../class.h"
#include "../memory/memory.h"
#include "../netlink/attr.h"
#include "judge.h"

/* In millionths of the airtime. */
#define AIRTIME	1000000ULL

static u64 judge_airtime(const struct wl_cfg *cfg)
{
	u64 mean_bps = wl_cfg_mean_bps(cfg);

	return mean_bps ? DIV64_U64_ROUND_UP(cfg->gbr_bps * AIRTIME, mean_bps) : 0;
}

int wl_judge_guarantees(struct wl_sched *q, const struct wl_change *change,
			const struct wl_cfg *added, struct netlink_ext_ack *extack)
{
	u64 sum = added ? judge_airtime(added) : 0;
	struct wl_class *cl;
	u32 i;

	for (i = 0; change && i < change->pending.count; i++)
		sum += judge_airtime(&change->part[i].cfg);
	list_for_each_entry(cl, &q->order, order)
		if (!change || cl->change != change->cookie)
			sum += judge_airtime(&cl->target);
	if (sum <= AIRTIME)
		return 0;
	return wl_refuse(extack, NULL, -ERANGE,
			 "wlink: gbr of all is %llu ppm of the airtime, above %llu",
			 sum, AIRTIME);
}

/* Parts of a change that are passed in about the time that a look is for. */
#define PARTS_PER_LOOK	16U

/* Return: whether a change makes something else of a class. */
static bool judge_concerns(const struct wl_pending *pending,
			   const struct wl_class *cl, struct wl_cfg *cfg)
{
	const struct wl_pending_part *part = pending->part;
	bool concerns = false;
	u32 i;

	if (part[0].b == &cl->q->link.first &&
	    !wl_cfg_same_link(cfg, &part[0].cfg)) {
		wl_cfg_copy_link(cfg, &part[0].cfg);
		concerns = true;
	}
	for (i = 0; i < pending->count; i++) {
		if (part[i].b == cl->bearer) {
			*cfg = part[i].cfg;
			return true;
		}
	}
	return concerns;
}

/* The next change that waits, or NULL. @cfg is what the class is configured to before it, and
 * becomes what it is afterwards; its parts are counted by wl_look().
 */
static const struct wl_pending *judge_next(const struct wl_class *cl,
					   const struct wl_pending *pending,
					struct wl_cfg *cfg, bool *concerns)
{
	pending = pending ? pending->next : cl->q->link.pending;
	if (!pending)
		return NULL;
	*concerns = judge_concerns(pending, cl, cfg);
	wl_look(cl->q, min(WL_WALK_MAX / 2, 1 + pending->count / PARTS_PER_LOOK));
	return pending;
}

/* What judging a configuration, with its profile, counts for. */
#define JUDGED_LOOKS	16U

/* The root qdisc lock is held. @need and @descs are enlarged. */
static int judge_one(struct wl_class *cl, const struct wl_cfg *cfg,
		     const struct wl_schedule *added, struct wl_rings *need, u32 *descs,
			struct netlink_ext_ack *extack)
{
	struct wl_refusal why;

	wl_look(cl->q, JUDGED_LOOKS);
	*descs = max(*descs, wl_memory_descs(cl, cfg, added));
	if (!added && wl_cfg_check(cfg, &why))
		return wl_class_refuse(cl, &why, extack);
	return wl_memory_need(cl, cfg, added, need, extack);
}

int wl_judge_all(struct wl_class *cl, const struct wl_cfg *cfg,
		 const struct wl_schedule *added, u32 *descs,
			  struct netlink_ext_ack *extack)
{
	const struct wl_pending *pending;
	struct wl_sched *q = cl->q;
	struct wl_rings need = { };
	struct wl_cfg next;
	bool concerns;
	u64 applied;
	int err;

	*descs = 0;
	wl_tree_lock(q->sch);
again:
	pending = NULL;
	concerns = true;
	applied = q->applied.cookie;
	if (cfg)
		next = *cfg;
	else
		wl_class_base(cl, &next);
	wl_cfg_copy_link(&next, &q->link.first.cfg);
	do {
		err = 0;
		if (concerns)
			err = judge_one(cl, &next, added, &need, descs, extack);
		/* Those that wait have become fewer. */
		if (!err && wl_walk_on(q->sch) && q->applied.cookie != applied)
			goto again;
		pending = judge_next(cl, pending, &next, &concerns);
	} while (!err && pending);
	sch_tree_unlock(q->sch);
	return err ?: wl_memory_get(cl, &need, extack);
}
