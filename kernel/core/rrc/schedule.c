// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * What takes effect when its time comes: changes that wait, configurations of one or
 * several bearers at one start of a TTI, in the order in which they were asked for;
 * and what a schedule does as time goes on.
 */
#include "../air/reverse.h"
#include "../mac/grid.h"
#include "../mac/quiet.h"
#include "../mac/sched.h"
#include "../mac/serve.h"
#include "../mac/submit.h"
#include "bearer.h"
#include "schedule.h"
#include "steps.h"

#define FIRST_BUDGET	WL_LINK_BUDGET_MAX

/* Put a configuration in force, below the schedule that plays. */
static void rrc_put(struct wl_bearer *b, u64 at_ns, const struct wl_cfg *base, bool reseed)
{
	struct wl_link *link = b->link;
	u64 old_bps = b->cfg.rate_bps;
	struct wl_cfg cfg = *base;

	if (b->schedule)
		wl_schedule_over(b->schedule, &cfg);
	cfg.usual_bps = wl_cfg_usual_bps(cfg.rate_bps ? &cfg : &b->cfg);
	wl_cfg_follow(&cfg);
	wl_bearer_configure(b, at_ns, &cfg, reseed);
	wl_bearer_touch(b);
	link->ops->rate_changed(link, b, at_ns, old_bps, b->cfg.rate_bps);
}

/* --- Changes that wait. --- */

u64 wl_link_from_ns(const struct wl_link *link, u64 now_ns, u64 at_ns)
{
	if (at_ns != WLINK_AT_NEXT && at_ns > now_ns)
		return at_ns;
	if (!wl_link_tti_ns(link))
		return now_ns;
	/* Too late for a TTI that the engine has begun already. */
	return at_ns == WLINK_AT_NEXT || link->now_ns >= now_ns ? now_ns + 1 :
								  now_ns;
}

void wl_link_commit(struct wl_link *link, u64 now_ns, u64 at_ns,
		    struct wl_pending *txn)
{
	struct wl_pending **to = &link->pending;

	txn->from_ns = wl_link_from_ns(link, now_ns, at_ns);
	while (*to && (*to)->from_ns <= txn->from_ns)
		to = &(*to)->next;
	txn->next = *to;
	*to = txn;
}

struct wl_pending *wl_link_cancel(struct wl_link *link)
{
	struct wl_pending **from = &link->pending;
	struct wl_pending *off;

	if (*from && (*from)->done)
		from = &(*from)->next;
	off = *from;
	*from = NULL;
	return off;
}

u64 wl_pending_next_ns(const struct wl_link *link)
{
	return wl_grid_ns(link, link->pending->from_ns);
}

void wl_pending_apply(struct wl_link *link, u64 at_ns)
{
	struct wl_pending *txn = link->pending;
	const struct wl_pending_part *part;

	if (!txn->done)
		link->generation++;
	while (txn->done < txn->count) {
		part = &txn->part[txn->done++];
		if (part->b && part->b->schedule)
			part->b->schedule->base = part->cfg;
		if (part->b)
			rrc_put(part->b, at_ns, &part->cfg, txn->reseed);
		if ((!wl_link_charge(link, 4) || link->news) &&
		    txn->done < txn->count)
			return;
	}
	link->pending = txn->next;
	link->ops->applied(link, txn, at_ns);
}

void wl_pending_forget(struct wl_link *link, const struct wl_bearer *b)
{
	struct wl_pending *txn;
	u32 i;

	for (txn = link->pending; txn; txn = txn->next)
		for (i = 0; i < txn->count; i++)
			if (txn->part[i].b == b)
				txn->part[i].b = NULL;
}

/* --- Schedules. --- */

static const u64 *schedule_step_of(const struct wl_schedule *s)
{
	return &s->block->word[(u64)s->index * s->width];
}

static u64 schedule_step_ns(const struct wl_bearer *b,
			    const struct wl_schedule *s)
{
	u64 offset_ns = s->block ? schedule_step_of(s)[0] : s->length_ns;

	return wl_grid_ns(b->link, s->origin_ns + offset_ns);
}

static u64 schedule_going_on_ns(const struct wl_bearer *b,
				const struct wl_schedule *s)
{
	return s->state == WLINK_SCHEDULE_STATE_PLAYS ? schedule_step_ns(b, s) :
						       WL_NEVER_NS;
}

/* Steps that were due when the stop was asked for come before it, or what the
 * engine had not reached by then would never happen.
 */
static bool schedule_stops(const struct wl_bearer *b,
			   const struct wl_schedule *s)
{
	return schedule_going_on_ns(b, s) > s->stop_ns;
}

static u64 schedule_current_ns(const struct wl_bearer *b,
			       const struct wl_schedule *s)
{
	/* An opportunity is used at one time, before all else at that time. */
	if (s->granting)
		return b->link->event_ns;
	if (schedule_stops(b, s))
		return wl_grid_ns(b->link, s->stop_ns);
	return schedule_going_on_ns(b, s);
}

static u64 schedule_start_ns(const struct wl_bearer *b)
{
	const struct wl_schedule *s = b->next_schedule;

	if (!s || s->start_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	return wl_grid_ns(b->link, s->start_ns);
}

u64 wl_schedule_next_ns(const struct wl_bearer *b)
{
	u64 next_ns = schedule_start_ns(b);

	if (b->schedule)
		next_ns = min(next_ns, schedule_current_ns(b, b->schedule));
	return next_ns;
}

/* Steps that follow each other so fast may be made up for together: so many of them, about,
 * and no later than that, as somebody may be told of each.
 */
#define STEPS_FAST_NS	(WL_NSEC_PER_MSEC / 10)
#define STEPS_LATE	128U
#define STEPS_LATE_NS	WL_NSEC_PER_MSEC

/* Whether something may become of SDUs by a step itself, or of those of other bearers. */
static bool schedule_is_seen(const struct wl_bearer *b, const struct wl_schedule *s)
{
	const u32 limits = 1U << WLINK_COLUMN_LIMIT_PACKETS | 1U << WLINK_COLUMN_LIMIT_BYTES;

	return !s || s->state != WLINK_SCHEDULE_STATE_PLAYS || s->granting ||
	       s->stop_ns != WL_NEVER_NS || b->next_schedule || wl_link_shared(b->link) ||
	       s->columns & limits || b->cfg.profile || b->cfg.limit.kind == WL_LIMIT_TIME ||
	       (b->granted && wl_sched_wanted(b));
}

/* Feedback that takes time goes faster after a step with a higher rate. */
static bool schedule_hurries_feedback(const struct wl_bearer *b)
{
	return b->ops && (b->feedback.head != b->feedback.tail ||
			  wl_reverse_free_ns(b) > b->link->now_ns);
}

u64 wl_schedule_seen_ns(const struct wl_bearer *b)
{
	u64 step_ns = b->event.key, tti_ns = wl_link_tti_ns(b->link), next_ns;
	u64 top_bps = wl_quiet_top_bps(b), each_ns;
	const struct wl_schedule *s = b->schedule;
	const struct wl_unit *unit = &b->unit;

	if (step_ns <= b->link->now_ns || schedule_is_seen(b, s) ||
	    schedule_hurries_feedback(b))
		return step_ns;
	each_ns = div64_u64(s->length_ns, s->steps);
	if (each_ns >= STEPS_FAST_NS)
		return step_ns;
	next_ns = min3(step_ns + min(STEPS_LATE * each_ns, STEPS_LATE_NS),
		       wl_bearer_event_ns(b), b->start_ns);
	/* Its end is told. */
	if (s->end != WLINK_SCHEDULE_END_LOOP)
		next_ns = min(next_ns, wl_grid_ns(b->link, s->origin_ns + s->length_ns));
	if (b->air_sdus.head)
		next_ns = min(next_ns, b->air_sdus.head->end_ns);
	if (unit->on && top_bps)
		next_ns = min(next_ns, unit->work_at_ns +
			      div64_u64(max_t(s64, unit->work, 0), top_bps));
	else if (!b->cfg.rate_bps && top_bps && wl_sched_wanted(b))
		next_ns = min(next_ns, step_ns + (tti_ns ?:
			      div64_u64(wl_sched_wanted(b) * WL_WORK_PER_BYTE, top_bps)));
	return max(next_ns, step_ns);
}

static void schedule_rewind(struct wl_schedule *s)
{
	s->block = s->first;
	s->step = 0;
}

static void schedule_next_step(struct wl_schedule *s)
{
	s->step++;
	if (++s->index < s->block->count)
		return;
	s->block = s->block->next;
	s->index = 0;
}

static void schedule_put(struct wl_bearer *b, const struct wl_cfg *base,
			 u64 now_ns)
{
	b->link->generation++;
	rrc_put(b, now_ns, base, false);
}

/* The one that plays is over, or makes place. */
static void schedule_give_back(struct wl_bearer *b, struct wl_schedule *s,
			       u64 now_ns)
{
	s->state = WLINK_SCHEDULE_STATE_NONE;
	s->bearer = NULL;
	b->link->ops->schedule_changed(b->link, b, s, now_ns);
}

static void schedule_stop(struct wl_bearer *b, u64 now_ns)
{
	struct wl_schedule *s = b->schedule;

	b->schedule = NULL;
	b->granted = false;
	b->credit.bits = 0;
	schedule_put(b, &s->base, now_ns);
	schedule_give_back(b, s, now_ns);
}

static void schedule_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_schedule *old = b->schedule, *s = b->next_schedule;

	b->next_schedule = NULL;
	s->base = old ? old->base : b->cfg;
	s->state = WLINK_SCHEDULE_STATE_PLAYS;
	s->origin_ns = s->start_ns;
	b->schedule = s;
	b->granted = s->columns & 1U << WLINK_COLUMN_GRANT;
	if (b->granted)
		wl_sched_idle(b);
	schedule_put(b, &s->base, now_ns);
	if (old)
		schedule_give_back(b, old, now_ns);
	b->link->ops->schedule_changed(b->link, b, s, now_ns);
}

static void schedule_end(struct wl_bearer *b, u64 now_ns)
{
	struct wl_schedule *s = b->schedule;

	s->pass++;
	switch (s->end) {
	case WLINK_SCHEDULE_END_LOOP:
		s->origin_ns += s->length_ns;
		schedule_rewind(s);
		break;
	case WLINK_SCHEDULE_END_STOP:
		schedule_stop(b, now_ns);
		break;
	default:
		s->state = WLINK_SCHEDULE_STATE_HOLDS;
		b->link->ops->schedule_changed(b->link, b, s, now_ns);
		break;
	}
}

/* Return: false when the budget did not suffice. */
static bool schedule_use_grant(struct wl_bearer *b, u64 now_ns)
{
	struct wl_schedule *s = b->schedule;
	struct wl_stats *stats = &b->stats;
	u64 bytes = s->granted_bytes, lost_bytes = 0;

	/* What was on the air when the first opportunity came ends first. */
	if (!b->unit.on && !wl_serve_credit(b, now_ns))
		return false;
	/* Credit that a SDU waits with has been used for a part of it. What was
	 * on the air when the schedule began takes no opportunity.
	 */
	if (b->unit.on || !wl_sched_wanted(b)) {
		lost_bytes = min(b->credit.bits / 8, bytes);
		b->credit.bits = 0;
	}
	s->granting = false;
	stats->v[WLINK_STAT_GRANTS]++;
	stats->v[WLINK_STAT_GRANT_BYTES] += bytes;
	stats->v[WLINK_STAT_GRANT_BYTES_USED] += bytes - lost_bytes;
	b->link->ops->granted(b->link, b, now_ns, bytes, bytes - lost_bytes);
	return true;
}

/* Return: bytes of an opportunity in a step, 0 for none. */
static u64 schedule_take_step(struct wl_schedule *s)
{
	const u64 *word = schedule_step_of(s) + 1;
	u64 bytes = 0;
	u32 i;

	for (i = 0; i < __WLINK_COLUMN_MAX; i++) {
		if (!(s->columns & 1U << i))
			continue;
		if (*word != WLINK_STEP_KEEP && i == WLINK_COLUMN_GRANT) {
			bytes = *word;
		} else if (*word != WLINK_STEP_KEEP &&
			   s->value[i] != *word) {
			s->value[i] = *word;
			s->changed = true;
		}
		word++;
	}
	schedule_next_step(s);
	return bytes;
}

/* Steps that take effect together, up to the first with an opportunity. Return: false when
 * the budget did not suffice.
 */
static bool schedule_steps(struct wl_bearer *b, u64 now_ns)
{
	struct wl_schedule *s = b->schedule;
	u64 bytes = 0;
	bool more;

	do {
		bytes = schedule_take_step(s);
		more = !bytes && s->block && schedule_step_ns(b, s) <= now_ns;
	} while (wl_link_charge(b->link, 1) && more);
	if (more)
		return false;
	if (s->changed)
		schedule_put(b, &s->base, now_ns);
	s->changed = false;
	if (!bytes)
		return true;
	s->granting = true;
	s->granted_bytes = bytes;
	b->credit.bits += 8 * bytes;
	return schedule_use_grant(b, now_ns);
}

bool wl_schedule_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_schedule *s = b->schedule;

	if (s && s->granting)
		return schedule_use_grant(b, now_ns);
	if (s && schedule_stops(b, s) && schedule_current_ns(b, s) <= now_ns)
		schedule_stop(b, now_ns);
	else if (schedule_start_ns(b) <= now_ns)
		schedule_start(b, now_ns);
	else if (s && s->block)
		return schedule_steps(b, now_ns);
	else if (s)
		schedule_end(b, now_ns);
	return true;
}

void wl_schedule_arrival(struct wl_bearer *b, u64 now_ns)
{
	struct wl_link *link = b->link;
	u32 left = link->budget;

	if (!b->next_schedule || b->next_schedule->start_ns != WL_NEVER_NS)
		return;
	b->next_schedule->start_ns = now_ns;
	/* Its first steps concern this SDU; how many must not depend on what the
	 * call has done before.
	 */
	link->budget = FIRST_BUDGET;
	while (link->budget && wl_schedule_next_ns(b) <= now_ns) {
		link->budget--;
		wl_schedule_event(b, now_ns);
	}
	link->budget = left - min(left, FIRST_BUDGET - link->budget);
}

struct wl_schedule *wl_link_schedule(struct wl_link *link, struct wl_bearer *b,
				     struct wl_schedule *s, u64 now_ns)
{
	struct wl_schedule *old = b->next_schedule;

	if (old)
		old->bearer = NULL;
	if (s->start_ns == WLINK_START_NOW)
		s->start_ns = now_ns;
	s->bearer = b;
	s->state = WLINK_SCHEDULE_STATE_WAITS;
	schedule_rewind(s);
	b->next_schedule = s;
	wl_bearer_touch(b);
	return old;
}

struct wl_schedule *wl_link_stop(struct wl_link *link, struct wl_bearer *b,
				 u64 now_ns)
{
	struct wl_schedule *old = b->next_schedule;

	if (old)
		old->bearer = NULL;
	b->next_schedule = NULL;
	if (b->schedule && b->schedule->stop_ns == WL_NEVER_NS)
		b->schedule->stop_ns = wl_link_from_ns(link, now_ns,
						       WLINK_AT_NEXT);
	wl_bearer_touch(b);
	return old;
}
