// SPDX-License-Identifier: GPL-2.0
/* When TTIs start. */
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
	if (!wl_link_tti_ns(link))
		return from_ns;
	if (from_ns <= link->origin_ns)
		return link->origin_ns;
	return grid_boundary_ns(link, from_ns - 1);
}

/* The protocols and a change precede the start of a TTI in the order of events,
 * and may use one that starts now.
 */
u64 wl_grid_next_start_ns(const struct wl_link *link, u64 now_ns)
{
	u64 tti_ns = wl_link_tti_ns(link);
	u64 next_ns;

	if (!tti_ns)
		return now_ns;
	next_ns = grid_boundary_ns(link, now_ns);
	if ((link->phase == WL_EVENT_PROTOCOL ||
	     link->phase == WL_EVENT_CONFIGURE) && next_ns - now_ns == tti_ns)
		return now_ns;
	return next_ns;
}
