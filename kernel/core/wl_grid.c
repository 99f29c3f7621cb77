// SPDX-License-Identifier: GPL-2.0
/* When TTIs start. */
#include "wl_grid.h"
#include "wl_mode.h"
#include "wl_serve.h"
#include "wl_txn.h"

u64 wl_grid_boundary_ns(const struct wl_link *link, u64 now_ns)
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
	return wl_grid_boundary_ns(link, from_ns - 1);
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
	next_ns = wl_grid_boundary_ns(link, now_ns);
	if ((link->phase == WL_EVENT_PROTOCOL ||
	     link->phase == WL_EVENT_CONFIGURE) && next_ns - now_ns == tti_ns)
		return now_ns;
	return next_ns;
}

static void forget(struct wl_bearer *b, u64 now_ns)
{
	wl_serve_idle(b);
	b->credit.at_ns = WL_NEVER_NS;
	b->share.mean_tti = 0;
	b->share.tti_bits = 0;
	wl_link_touch(b);
}

void wl_grid_begin(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	link->origin_ns = now_ns;
	link->start_ns = WL_NEVER_NS;
	link->filling = false;
	link->cursor = NULL;
	link->credit_ns = 0;
	link->over = 0;
	wl_txn_arm(link);
	forget(&link->first, now_ns);
	for (b = link->all; b; b = b->next)
		forget(b, now_ns);
	wl_bearer_wake(&link->first, now_ns);
	for (b = link->all; b; b = b->next)
		wl_bearer_wake(b, now_ns);
}
