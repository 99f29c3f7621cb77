// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Time division duplex: the TTIs of a link are slots of a pattern that repeats, and carry
 * the direction that it says (TS 36.211 clause 4.2, TS 38.213 clause 11.1). A link is one
 * direction, so it sends in its own and skips the others. Only the downlink sends data in
 * a special slot.
 */
#include "tdd.h"

static const struct wl_tdd_cfg *tdd_of(const struct wl_link *link)
{
	return &link->first.cfg.tdd;
}

static u32 tdd_rest(u64 ttis, u32 slots)
{
	return ttis - div_u64(ttis, slots) * slots;
}

/* Which slot of the pattern starts at a time. */
static u32 tdd_at(const struct wl_link *link, u64 start_ns)
{
	return tdd_rest(div64_u64(start_ns - link->origin_ns, wl_link_tti_ns(link)),
			wl_tdd_slots(tdd_of(link)));
}

u64 wl_tdd_origin_ns(const struct wl_link *link, u64 now_ns)
{
	u64 length_ns = wl_tdd_slots(tdd_of(link)) * wl_link_tti_ns(link);

	return div64_u64(now_ns, length_ns) * length_ns;
}

u64 wl_tdd_next_ns(const struct wl_link *link, u64 start_ns)
{
	const struct wl_tdd_cfg *tdd = tdd_of(link);
	u32 i;

	if (!tdd->pattern)
		return start_ns;
	i = tdd_at(link, start_ns);
	while (!wl_tdd_own(tdd, wl_tdd_slot(tdd, i))) {
		start_ns += wl_link_tti_ns(link);
		i = tdd_rest(i + 1, wl_tdd_slots(tdd));
	}
	return start_ns;
}

bool wl_tdd_special(const struct wl_link *link, u64 start_ns)
{
	const struct wl_tdd_cfg *tdd = tdd_of(link);

	return wl_tdd_slot(tdd, tdd_at(link, start_ns)) == WLINK_SLOT_SPECIAL;
}

void wl_tdd_count(const struct wl_link *link, u64 from_ns, u64 until_ns, u64 ttis[2])
{
	u64 all = div64_u64(until_ns - from_ns, wl_link_tti_ns(link));
	const struct wl_tdd_cfg *tdd = tdd_of(link);
	u32 slots = wl_tdd_slots(tdd), first, rest, i;
	enum wlink_slot slot;

	ttis[0] = slots ? 0 : all;
	ttis[1] = 0;
	if (!slots)
		return;
	first = tdd_at(link, from_ns);
	rest = tdd_rest(all, slots);
	for (i = 0; i < slots; i++) {
		slot = wl_tdd_slot(tdd, tdd_rest(first + i, slots));
		if (wl_tdd_own(tdd, slot))
			ttis[slot == WLINK_SLOT_SPECIAL] += div_u64(all, slots) + (i < rest);
	}
}
