// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Users in the background of a cell. Each is on and off for exponential times. While on it
 * takes the part of a bearer that always has something to send, or what its rate needs.
 * Only how many are on is kept: times without memory need no more.
 */
#include "../lib/exp.h"
#include "arrivals.h"
#include "users.h"

/* After so many of the shorter mean what was before says nothing, e^-10 at most. */
#define FORGOTTEN	10U

static u64 users_draw_ns(struct wl_rng *rng, u64 mean_ns)
{
	return mul_u64_u64_shr(wl_exp_q56(wl_rng_next(rng)), mean_ns, 56);
}

/* Of those that are on each goes off at a rate of 1/on, of the others each goes on at
 * 1/off; the first of them all is the next.
 */
static void users_next(struct wl_link *link)
{
	const struct wl_cell_cfg *cell = &link->first.cfg.cell;
	struct wl_users *users = &link->users;
	u64 off_ns = WL_NEVER_NS, on_ns = WL_NEVER_NS;

	if (users->on)
		off_ns = div64_u64(users_draw_ns(&users->rng, cell->users_on_ns),
				   users->on);
	if (users->on < cell->users)
		on_ns = div64_u64(users_draw_ns(&users->rng, cell->users_off_ns),
				  cell->users - users->on);
	users->goes_on = on_ns < off_ns;
	users->next_ns = users->at_ns + min(on_ns, off_ns);
}

/* Each is on with probability on / (on + off). */
static void users_begin(struct wl_link *link, u64 now_ns)
{
	const struct wl_cell_cfg *cell = &link->first.cfg.cell;
	u64 cycle_us = div64_u64(cell->users_on_ns + cell->users_off_ns, 1000);
	u64 on_us = div64_u64(cell->users_on_ns, 1000);
	u32 on_q32 = min_t(u64, div64_u64(on_us << 32, cycle_us), WLINK_PROB_ONE);
	struct wl_users *users = &link->users;
	u32 i;

	users->begun = true;
	users->on = 0;
	for (i = 0; i < cell->users; i++)
		users->on += wl_rng_chance(&users->rng, on_q32);
	wl_link_spend(link, cell->users / WL_WALKED_PER_CHARGE);
	users->at_ns = now_ns;
	users_next(link);
}

bool wl_users_go_on(struct wl_link *link, u64 now_ns)
{
	const struct wl_cell_cfg *cell = &link->first.cfg.cell;
	u64 memory_ns = FORGOTTEN * min(cell->users_on_ns, cell->users_off_ns);
	struct wl_users *users = &link->users;

	if (cell->arrival_ns)
		return wl_arrivals_go_on(link, now_ns);
	if (!cell->users_off_ns) {
		users->on = cell->users;
		return true;
	}
	if (!users->begun || now_ns - users->seen_ns > memory_ns)
		users_begin(link, now_ns);
	users->seen_ns = now_ns;
	while (users->next_ns <= now_ns) {
		if (!link->budget)
			return false;
		users->on += users->goes_on ? 1 : -1;
		users->at_ns = users->next_ns;
		users_next(link);
		wl_link_spend(link, 1);
	}
	return true;
}

u32 wl_users_take(struct wl_link *link, u32 bearers)
{
	const struct wl_cell_cfg *cell = &link->first.cfg.cell;
	u64 usual_bps = wl_cfg_usual_bps(&link->first.cfg);
	struct wl_users *users = &link->users;
	u64 blocks_q32, need_q26;
	u32 blocks;

	users->taken = true;
	blocks_q32 = div64_u64((u64)link->rb_left * users->on << 32, users->on + bearers);
	if (cell->users_bps < usual_bps) {
		need_q26 = div64_u64(cell->users_bps << 26, usual_bps);
		blocks_q32 = min(blocks_q32, (u64)cell->rb * users->on * need_q26 << 6);
	}
	if (cell->arrival_ns)
		wl_arrivals_share(link, blocks_q32);
	blocks_q32 += users->rest_q32;
	users->rest_q32 = (u32)blocks_q32;
	blocks = min_t(u64, blocks_q32 >> 32, link->rb_left);
	if (link->ops->background)
		link->ops->background(link, link->begun_ns,
				      div64_u64(blocks * link->slot_ns[link->special], cell->rb));
	return blocks;
}
