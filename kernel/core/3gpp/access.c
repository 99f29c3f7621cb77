// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Uplink access, TS 36.321 clauses 5.4.4 and 5.4.5. A bearer whose buffer becomes
 * non-empty has no grant. It waits for its next opportunity for a scheduling request
 * (TS 36.213 clause 10.1.5), and a grant delay more for a first grant of a fixed size.
 * A buffer status report in that one tells of what does not fit, for which there are
 * grants a grant delay later and from then on, until the buffer is empty.
 *
 * Where the receiver may sleep (drx.c) it is to be reached first.
 */
#include "../mac/grid.h"
#include "../mac/submit.h"
#include "access.h"
#include "drx.h"
#include "tdd.h"

static void access_wait(struct wl_bearer *b, struct wl_wait *wait, u64 now_ns,
			u64 until_ns, enum wl_access_state then)
{
	b->access.state = WL_ACCESS_WAITS;
	b->access.then = then;
	b->access.next_ns = until_ns;
	*wait = (struct wl_wait){ now_ns, until_ns };
	wl_bearer_touch(b);
}

static bool access_sleeps(const struct wl_bearer *b)
{
	return b->cfg.drx.cycle_ns || b->cfg.drx.idle_ns;
}

/* What comes during a TTI is for the next one. What repeats does not look at slots: what is
 * due in a foreign one, happens in the next own one. Who is idle gets a grant as it becomes
 * connected, and asks for none.
 */
static void access_begin(struct wl_bearer *b, u64 now_ns)
{
	u64 tti_ns = wl_grid_next_tti_ns(b->link, now_ns);
	u64 start_ns = wl_tdd_next_ns(b->link, tti_ns);
	const struct wl_access_cfg *cfg = &b->cfg.access;
	struct wl_wait *wait = &b->access.waits[0];
	u64 reach_ns = start_ns, sr_ns;
	bool idle;

	if (access_sleeps(b))
		reach_ns = wl_drx_reach_ns(b, now_ns, tti_ns);
	idle = b->drx.state == WLINK_RRC_IDLE;
	/* A wait of no time would be over in a TTI that has been given. */
	if (reach_ns > start_ns || (idle && reach_ns > now_ns)) {
		access_wait(b, wait, now_ns, reach_ns, WL_ACCESS_GRANTED);
	} else if (cfg->sr_ns && !idle) {
		sr_ns = wl_grid_every_ns(b->link, tti_ns, cfg->sr_ns,
					 wl_grid_phase_ns(b, cfg->sr_ns, WL_PHASE_SR));
		sr_ns = wl_tdd_next_ns(b->link, sr_ns);
		b->stats.v[WLINK_STAT_ACCESS_REQUESTS]++;
		access_wait(b, wait, now_ns, sr_ns + cfg->grant_ns, WL_ACCESS_FIRST);
	} else {
		b->access.state = WL_ACCESS_GRANTED;
		b->access.next_ns = WL_NEVER_NS;
		wl_drx_wake(b, now_ns);
	}
}

bool wl_access_ask(struct wl_bearer *b, u64 now_ns)
{
	if (b->access.state == WL_ACCESS_NONE)
		access_begin(b, now_ns);
	return b->access.state != WL_ACCESS_WAITS;
}

void wl_access_report(struct wl_bearer *b, u64 now_ns)
{
	u64 tti_ns = wl_link_tti_ns(b->link);
	struct wl_wait *wait = &b->access.waits[1];

	/* Not before the next TTI: this one has been given. */
	access_wait(b, wait, now_ns, now_ns + max(b->cfg.access.grant_ns, tti_ns),
		    WL_ACCESS_GRANTED);
	/* The report is sent until then. */
	wait->from_ns += tti_ns;
}

/* Return: the SDU that has had a part of a grant and needs more, or NULL. */
static struct wl_sdu *access_begun(const struct wl_bearer *b)
{
	struct wl_sdu *sdu = b->ops ? b->fresh : b->queue.head;

	return sdu && sdu->start_ns != WL_NEVER_NS ? sdu : NULL;
}

/* Return: whether nothing is left to send, once what the bearer had as it began anew has been
 * looked at.
 */
static bool access_empty(const struct wl_bearer *b)
{
	return !b->old.head && (b->ops ? !b->fresh : !b->queue.head);
}

void wl_access_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_access *access = &b->access;
	struct wl_sdu *sdu = access_begun(b);

	if (access->state == WL_ACCESS_NONE) {
		access->next_ns = wl_drx_expire(b, now_ns);
		return;
	}
	/* What asked for it has been dropped meanwhile. */
	if (access_empty(b) && !wl_sched_wanted(b)) {
		wl_access_idle(b);
		return;
	}
	access->state = access->then;
	access->next_ns = WL_NEVER_NS;
	access->left_bits = 8ULL * b->cfg.access.first_bytes;
	if (sdu && access->state == WL_ACCESS_GRANTED)
		sdu->access_tx_ns = wl_wait_ns(&access->waits[1], sdu->start_ns, now_ns);
	if (access_sleeps(b))
		wl_drx_wake(b, now_ns);
}

/* No wait goes on. */
static void access_cut(struct wl_bearer *b, u64 now_ns)
{
	struct wl_wait *waits = b->access.waits;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(b->access.waits); i++)
		waits[i].until_ns = min(waits[i].until_ns, now_ns);
}

/* Return: whether nothing has been sent since it began to wait. */
static bool access_waits_first(const struct wl_access *access)
{
	return access->state == WL_ACCESS_WAITS &&
	       access->next_ns == access->waits[0].until_ns;
}

/* A receiver that has not been reached sleeps on. */
static void access_end(struct wl_bearer *b, u64 from_ns)
{
	struct wl_access *access = &b->access;
	u64 now_ns = b->link->event_ns, next_ns = WL_NEVER_NS;

	if (access->state == WL_ACCESS_NONE || !access_empty(b))
		return;
	if (access_sleeps(b))
		next_ns = access_waits_first(access) ? wl_drx_go_on(b, now_ns) :
						       wl_drx_rest(b, from_ns);
	access_cut(b, now_ns);
	access->state = WL_ACCESS_NONE;
	access->next_ns = next_ns;
	wl_bearer_touch(b);
}

void wl_access_idle(struct wl_bearer *b)
{
	access_end(b, b->link->event_ns + wl_link_tti_ns(b->link));
}

void wl_access_reset(struct wl_bearer *b, u64 now_ns)
{
	access_cut(b, now_ns);
	b->access.next_ns = WL_NEVER_NS;
	b->access.state = WL_ACCESS_GRANTED;
	if (access_sleeps(b))
		wl_drx_wake(b, now_ns);
	if (!wl_sched_wanted(b))
		access_end(b, now_ns);
}

void wl_access_configure(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old)
{
	if (old && !memcmp(&old->access, &b->cfg.access, sizeof(old->access)) &&
	    !memcmp(&old->drx, &b->cfg.drx, sizeof(old->drx)))
		return;
	b->access.on = b->cfg.access.sr_ns || access_sleeps(b);
	b->drx.state = WLINK_RRC_NONE;
	wl_access_reset(b, now_ns);
}
