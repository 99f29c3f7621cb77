// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/* When TTIs start. */
#include "../3gpp.h"
#include "grid.h"

/* Start of the first TTI after a time. */
static u64 grid_boundary_ns(const struct wl_link *link, u64 now_ns)
{
	u64 tti_ns = wl_link_tti_ns(link);
	u64 ttis = div64_u64(now_ns - link->origin_ns, tti_ns);

	return link->origin_ns + (ttis + 1) * tti_ns;
}

u64 wl_grid_ns(const struct wl_link *link, u64 from_ns)
{
	/* A change before this one may have taken away the TTI that it waited for. */
	from_ns = max(from_ns, link->event_ns);
	if (!wl_link_tti_ns(link))
		return from_ns;
	if (from_ns <= link->origin_ns)
		return link->origin_ns;
	return grid_boundary_ns(link, from_ns - 1);
}

/* The protocols and a change precede the start of a TTI in the order of events,
 * and may use one that starts now, unless it has begun.
 */
u64 wl_grid_next_tti_ns(const struct wl_link *link, u64 now_ns)
{
	u64 tti_ns = wl_link_tti_ns(link);
	u64 next_ns;

	if (!tti_ns)
		return now_ns;
	next_ns = grid_boundary_ns(link, now_ns);
	if ((link->phase == WL_EVENT_PROTOCOL ||
	     link->phase == WL_EVENT_CONFIGURE) && next_ns - now_ns == tti_ns &&
	    link->begun_ns != now_ns)
		next_ns = now_ns;
	return next_ns;
}

u64 wl_grid_origin_ns(const struct wl_link *link, u64 now_ns)
{
	return link->first.cfg.tdd.pattern ? wl_3gpp->tdd_origin_ns(link, now_ns) : now_ns;
}

u64 wl_grid_own_ns(const struct wl_link *link, u64 start_ns)
{
	return link->first.cfg.tdd.pattern ? wl_3gpp->tdd_next_ns(link, start_ns) : start_ns;
}

u64 wl_grid_next_start_ns(const struct wl_link *link, u64 now_ns)
{
	return wl_grid_own_ns(link, wl_grid_next_tti_ns(link, now_ns));
}

u64 wl_grid_phase_ns(const struct wl_bearer *b, u64 period_ns, enum wl_phase phase)
{
	/* None while a change, of which this is a part too, takes the TTI away. */
	u64 tti_ns = max(wl_link_tti_ns(b->link), 1ULL);
	u64 ttis = div64_u64(period_ns, tti_ns);
	struct wl_rng rng = b->access.rng;
	u32 i;

	for (i = 0; i < phase; i++)
		wl_rng_next(&rng);
	return mul_u64_u64_shr(wl_rng_next(&rng), ttis, 64) * tti_ns;
}

static u64 grid_rest_ns(u64 time_ns, u64 period_ns)
{
	return time_ns - div64_u64(time_ns, period_ns) * period_ns;
}

u64 wl_grid_every_ns(const struct wl_link *link, u64 from_ns, u64 period_ns, u64 phase_ns)
{
	u64 since_ns = from_ns - link->origin_ns + period_ns -
		       grid_rest_ns(phase_ns, period_ns);
	u64 past_ns = grid_rest_ns(since_ns, period_ns);

	return past_ns ? from_ns + period_ns - past_ns : from_ns;
}
