// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Users in the background that come, take so many bytes, and go. They come as a Poisson
 * process; sizes are hyper-exponential with balanced means (Morse 1958): short with a
 * probability p, else long, each exponential, with one half of all bytes in either. Those
 * that are there share what is left for them equally.
 *
 * Exponential sizes have no memory, so it is enough to know how many of either are there:
 * as each of them gets b bytes, the next one goes when b (short / their mean + long / their
 * mean) has come to an exponential number.
 */
#include "../lib/exp.h"
#include "arrivals.h"

#define CV_ONE		1000U

/* After so many have come what was before says nothing: the longest memory is about
 * (1 - sqrt(load))^-2 of them, 1600 for a load of 95 %.
 */
#define FORGOTTEN	4096U

/* 2^64 / 10^9 */
#define PER_NS_Q64	18446744073ULL

static u64 arrivals_draw_ns(struct wl_link *link)
{
	u64 exp_q56 = wl_exp_q56(wl_rng_next(&link->users.rng));

	return max(mul_u64_u64_shr(exp_q56, link->first.cfg.cell.arrival_ns, 56), 1ULL);
}

/* p = (1 + sqrt((c^2 - 1) / (c^2 + 1))) / 2, in 2^-32, of a coefficient of variation c. */
static u64 arrivals_short_q32(const struct wl_cell_cfg *cell)
{
	u64 square = (u64)cell->size_cv_milli * cell->size_cv_milli;
	u64 one = CV_ONE * CV_ONE;
	u64 share_q30 = div64_u64((square - one) << 30, square + one);

	return (1ULL << 31) + int_sqrt64(share_q30 << 34) / 2;
}

/* How many of them one byte is the mean of, by kind: one over the mean in bits, in 2^-48. */
static u64 arrivals_per_bit_q48(const struct wl_cell_cfg *cell, bool is_long)
{
	u64 part_q32 = arrivals_short_q32(cell);

	if (is_long)
		part_q32 = (1ULL << 32) - part_q32;
	/* The mean of the kind is size / (2 part). */
	return div64_u64(part_q32 << 17, 8ULL * cell->size_bytes);
}

/* What each of them gets now, bit/s. */
static u64 arrivals_each_bps(const struct wl_link *link)
{
	const struct wl_cell_cfg *cell = &link->first.cfg.cell;
	const struct wl_users *users = &link->users;
	u64 all_bps = users->tti_ns ? users->tti_bps : link->first.cfg.rate_bps;

	return min(div64_u64(all_bps, max(users->on, 1U)), cell->users_bps);
}

/* How fast the next one gets nearer to going: in 2^-32 a second. */
static u64 arrivals_speed_q32(const struct wl_link *link, u64 each_q48)
{
	return mul_u64_u64_shr(arrivals_each_bps(link), each_q48, 16);
}

static u64 arrivals_go_ns(u64 left_q32, u64 speed_q32)
{
	u64 s_q22 = speed_q32 ? div64_u64(left_q32 << 22, speed_q32) : U64_MAX;

	return s_q22 >> 54 ? WL_NEVER_NS :
			     mul_u64_u64_shr(s_q22, WL_NSEC_PER_SEC, 22) + 1;
}

static void arrivals_set_left(struct wl_users *users)
{
	users->left_q32 = wl_exp_q56(wl_rng_next(&users->rng)) >> 24;
}

static void arrivals_go(struct wl_users *users, u64 short_q48, u64 all_q48)
{
	u64 at_q48 = mul_u64_u64_shr(wl_rng_next(&users->rng), all_q48, 64);

	users->transfers[at_q48 >= short_q48]--;
	arrivals_set_left(users);
}

static void arrivals_come(struct wl_link *link)
{
	const struct wl_cell_cfg *cell = &link->first.cfg.cell;
	struct wl_users *users = &link->users;
	bool is_long = wl_rng_next(&users->rng) >> 32 >= arrivals_short_q32(cell);

	/* Who finds no room goes elsewhere. */
	if (users->on < cell->users)
		users->transfers[is_long]++;
	users->arrive_ns = arrivals_draw_ns(link);
}

/* Up to the next thing that happens. */
static void arrivals_step(struct wl_link *link)
{
	const struct wl_cell_cfg *cell = &link->first.cfg.cell;
	struct wl_users *users = &link->users;
	u64 short_q48 = users->transfers[0] * arrivals_per_bit_q48(cell, false);
	u64 all_q48 = short_q48 + users->transfers[1] * arrivals_per_bit_q48(cell, true);
	u64 speed_q32 = users->on ? arrivals_speed_q32(link, all_q48) : 0;
	u64 go_ns = arrivals_go_ns(users->left_q32, speed_q32);
	u64 step_ns = min3(users->behind_ns, users->arrive_ns, go_ns);
	u64 step_q32;

	if (users->tti_ns)
		step_ns = min(step_ns, users->tti_ns);
	step_q32 = mul_u64_u64_shr(step_ns, PER_NS_Q64, 32);
	users->left_q32 -= min(users->left_q32, mul_u64_u64_shr(speed_q32, step_q32, 32));
	users->behind_ns -= step_ns;
	users->arrive_ns -= step_ns;
	users->tti_ns -= min(users->tti_ns, step_ns);
	if (step_ns == go_ns)
		arrivals_go(users, short_q48, all_q48);
	if (!users->arrive_ns)
		arrivals_come(link);
	users->on = users->transfers[0] + users->transfers[1];
}

bool wl_arrivals_go_on(struct wl_link *link, u64 now_ns)
{
	u64 memory_ns = FORGOTTEN * link->first.cfg.cell.arrival_ns;
	struct wl_users *users = &link->users;

	if (!users->begun) {
		users->begun = true;
		users->transfers[0] = 0;
		users->transfers[1] = 0;
		users->on = 0;
		users->tti_ns = 0;
		users->behind_ns = memory_ns;
		users->arrive_ns = arrivals_draw_ns(link);
		arrivals_set_left(users);
	} else {
		users->behind_ns = min(users->behind_ns + now_ns - users->seen_ns, memory_ns);
	}
	users->seen_ns = now_ns;
	while (users->behind_ns) {
		if (!wl_link_try_charge(link))
			return false;
		arrivals_step(link);
	}
	return true;
}

void wl_arrivals_share(struct wl_link *link, u64 blocks_q32)
{
	const struct wl_cfg *cfg = &link->first.cfg;
	struct wl_users *users = &link->users;

	users->tti_ns = wl_link_tti_ns(link);
	users->tti_bps = mul_u64_u64_shr(div64_u64(blocks_q32, cfg->cell.rb), cfg->rate_bps, 32);
}
