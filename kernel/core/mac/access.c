// SPDX-License-Identifier: GPL-2.0
/*
 * Uplink access, TS 36.321 clauses 5.4.4 and 5.4.5. A bearer whose buffer becomes
 * non-empty has no grant. It waits for its next opportunity for a scheduling request
 * (TS 36.213 clause 10.1.5), and a grant delay more for a first grant of a fixed size.
 * A buffer status report in that one tells of what does not fit, for which there are
 * grants a grant delay later and from then on, until the buffer is empty.
 */
#include "access.h"
#include "grid.h"
#include "sched.h"

/* In whole TTIs after the origin of the grid, the same as long as the seed is. */
static u64 access_phase_ns(const struct wl_bearer *b, u64 period_ns)
{
	/* None while a change, of which this is a part too, takes the TTI away. */
	u64 tti_ns = max(wl_link_tti_ns(b->link), 1ULL);
	u64 ttis = max(div64_u64(period_ns, tti_ns), 1ULL);
	struct wl_rng rng = b->access.rng;

	return mul_u64_u64_shr(wl_rng_next(&rng), ttis, 64) * tti_ns;
}

/* Return: the first opportunity not before a time. */
static u64 access_opportunity_ns(const struct wl_bearer *b, u64 from_ns)
{
	u64 period_ns = b->cfg.access.sr_ns;
	u64 since_ns = from_ns - b->link->origin_ns + period_ns -
		       access_phase_ns(b, period_ns);
	u64 past_ns = since_ns - div64_u64(since_ns, period_ns) * period_ns;

	return past_ns ? from_ns + period_ns - past_ns : from_ns;
}

static void access_wait(struct wl_bearer *b, u64 now_ns, u64 until_ns,
			enum wl_access_state then)
{
	struct wl_access *access = &b->access;
	u32 which = then == WL_ACCESS_GRANTED;

	access->state = WL_ACCESS_WAITS;
	access->then = then;
	access->waits[which] = (struct wl_wait){ now_ns, until_ns };
	access->next_ns = until_ns;
	wl_bearer_touch(b);
}

bool wl_access_ask(struct wl_bearer *b, u64 now_ns)
{
	u64 sr_ns;

	if (b->access.state == WL_ACCESS_NONE) {
		/* What comes during a TTI is for the next one. */
		sr_ns = access_opportunity_ns(b, wl_grid_next_start_ns(b->link, now_ns));
		b->stats.v[WLINK_STAT_ACCESS_REQUESTS]++;
		access_wait(b, now_ns, sr_ns + b->cfg.access.grant_ns, WL_ACCESS_FIRST);
	}
	return b->access.state != WL_ACCESS_WAITS;
}

void wl_access_report(struct wl_bearer *b, u64 now_ns)
{
	access_wait(b, now_ns, now_ns + b->cfg.access.grant_ns, WL_ACCESS_GRANTED);
	/* The report is sent until then. */
	b->access.waits[1].from_ns += wl_link_tti_ns(b->link);
}

/* Return: the SDU that has had a part of a grant and needs more, or NULL. */
static struct wl_sdu *access_begun(const struct wl_bearer *b)
{
	struct wl_sdu *sdu = b->ops ? b->fresh : b->queue.head;

	return sdu && sdu->start_ns != WL_NEVER_NS ? sdu : NULL;
}

void wl_access_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_access *access = &b->access;
	struct wl_sdu *sdu = access_begun(b);

	access->state = access->then;
	access->next_ns = WL_NEVER_NS;
	access->left_bits = 8ULL * b->cfg.access.first_bytes;
	if (sdu && access->state == WL_ACCESS_GRANTED)
		sdu->access_tx_ns = wl_wait_ns(&access->waits[1], sdu->start_ns, now_ns);
	/* What asked for it has been dropped meanwhile. */
	if (!wl_sched_wanted(b))
		wl_access_idle(b);
}

void wl_access_idle(struct wl_bearer *b)
{
	if (b->ops ? !!b->fresh : !!b->queue.head)
		return;
	b->access.state = WL_ACCESS_NONE;
	b->access.next_ns = WL_NEVER_NS;
}

void wl_access_configure(struct wl_bearer *b, u64 now_ns, const struct wl_cfg *old)
{
	struct wl_access *access = &b->access;
	u32 i;

	access->on = b->cfg.access.sr_ns;
	if (old && !memcmp(&old->access, &b->cfg.access, sizeof(old->access)))
		return;
	/* A wait ends. */
	for (i = 0; i < ARRAY_SIZE(access->waits); i++)
		access->waits[i].until_ns = min(access->waits[i].until_ns, now_ns);
	access->next_ns = WL_NEVER_NS;
	access->state = WL_ACCESS_GRANTED;
	wl_access_idle(b);
}
