// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * A TTI as resource blocks: each carries 1/N of what its bearer sends in a TTI that it
 * has alone. A bearer gets whole blocks, as many as its data need. What is left of the
 * last one counts for its next PDU, as at the end of a TTI that is not divided; it is padding
 * where there is none.
 *
 * First what is guaranteed, by priority, as far as it has not been sent: Bj of
 * TS 36.321 clause 5.4.3.1. Then, with rr and pf, users in the background have their
 * share of the rest. Then, in the order of the scheduler, each gets what it
 * needs; with rr all have equally many of the rest but for those that need fewer
 * (max-min fair).
 */
#include "../mac/sched.h"
#include "arrivals.h"
#include "harq.h"
#include "rb.h"
#include "users.h"

/* The highest bit of a number of blocks. */
#define RB_STEP		256U

void wl_rb_start(struct wl_link *link, u64 now_ns)
{
	u32 rb = link->first.cfg.cell.rb;
	u64 paid_ns = 0;

	if (link->debt.left)
		paid_ns = wl_harq_pay(link, &link->debt, now_ns, link->slot_ns);
	link->users.taken = false;
	link->rb_left = rb;
	link->rb_done = false;
	/* What whole blocks take has been rounded up to a ns. */
	if (paid_ns)
		link->rb_left -= DIV64_U64_ROUND_UP((paid_ns - 1) * rb,
						    link->slot_ns[link->special]);
}

/* What all blocks of this TTI carry. */
static u64 rb_quota_bits(const struct wl_bearer *b)
{
	return b->credit.quota_bits[b->link->special];
}

/* Blocks that carry so many bits. */
static u32 rb_for(const struct wl_bearer *b, u64 bits)
{
	u32 rb = b->link->first.cfg.cell.rb;

	if (bits >= rb_quota_bits(b))
		return rb;
	return DIV64_U64_ROUND_UP(bits * rb, rb_quota_bits(b));
}

/* How many it could use beside those that it has been given, which its credit holds. */
static u32 rb_need(const struct wl_bearer *b)
{
	u64 bits = 8 * wl_sched_pending_bytes(b);

	if (b->access.state == WL_ACCESS_FIRST)
		bits = min(bits, b->access.left_bits);
	return rb_for(b, bits - min(bits, b->credit.bits)) ?: !b->share.rbs;
}

static void rb_give(struct wl_bearer *b, u32 blocks)
{
	u32 rb = b->link->first.cfg.cell.rb;
	struct wl_credit *credit = &b->credit;
	struct wl_link *link = b->link;
	u64 bits = div64_u64(rb_quota_bits(b), rb);
	u64 rest = rb_quota_bits(b) - bits * rb;

	rest = div64_u64(rest * WL_NSEC_PER_SEC + credit->quota_rest[link->special], rb);
	credit->bits += bits * blocks;
	credit->rest += rest * blocks;
	bits = div64_u64(credit->rest, WL_NSEC_PER_SEC);
	credit->bits += bits;
	credit->rest -= bits * WL_NSEC_PER_SEC;
	link->rb_left -= blocks;
	b->share.rbs += blocks;
	if (!b->share.given)
		wl_sched_give(b);
}

/* Blocks towards what is guaranteed; it then comes among the others. */
static void rb_guarantee(struct wl_bearer *b, u32 need)
{
	u32 blocks = min3(need, rb_for(b, b->share.owed_bits) ?: 1, b->link->rb_left);
	u32 rb = b->link->first.cfg.cell.rb;

	b->share.owed_bits -= DIV64_U64_ROUND_UP(rb_quota_bits(b) * blocks, rb);
	rb_give(b, blocks);
}

/* Return: whether it comes once more, among the others. */
static bool rb_give_in_turn(struct wl_link *link, struct wl_bearer *b)
{
	u32 need = rb_need(b), had = b->share.rbs;

	if (need && wl_sched_guaranteed(b)) {
		rb_guarantee(b, need);
		return need > b->share.rbs - had && link->rb_left;
	}
	if (need && link->first.cfg.sched == WLINK_SCHED_RR) {
		/* One at least; how many more, once all have said what they need. */
		wl_sched_give(b);
		rb_give(b, 1);
		b->share.rbs_more = need - 1;
	} else if (need) {
		rb_give(b, min(need, link->rb_left));
	}
	return false;
}

/* The most that each may have, if it needs so many, without more than there are. */
static u32 rb_level(const struct wl_link *link)
{
	const struct wl_bearer *b;
	u32 level = 0, step, sum;

	for (step = RB_STEP; step; step /= 2) {
		sum = 0;
		for (b = link->given; b; b = b->share.given_next)
			sum += min(b->share.rbs_more, level + step);
		if (sum <= link->rb_left)
			level += step;
	}
	return level;
}

/* What does not divide goes to the first, which come last in the next TTI. Each bearer has
 * paid for these short walks as it came, and there are no more of them than blocks.
 */
static void rb_give_equally(struct wl_link *link)
{
	u32 level = rb_level(link), more;
	struct wl_bearer *b, *next;

	for (b = link->given; b; b = b->share.given_next) {
		more = min(b->share.rbs_more, level);
		rb_give(b, more);
		b->share.rbs_more -= more;
	}
	for (b = link->given; b && link->rb_left; b = next) {
		next = b->share.given_next;
		if (!b->share.rbs_more)
			continue;
		rb_give(b, 1);
		wl_sched_give(b);
	}
}

/* Before the first bearer that is not guaranteed anything. With prio they come last. */
static bool rb_is_theirs(const struct wl_link *link, const struct wl_bearer *b)
{
	return link->first.cfg.cell.users && !link->users.taken &&
	       link->first.cfg.sched != WLINK_SCHED_PRIO && !wl_sched_guaranteed(b);
}

bool wl_rb_share(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	if (link->rb_done)
		return true;
	if (link->first.cfg.cell.users && !wl_users_go_on(link, now_ns))
		return false;
	while (link->rb_left && (b = wl_sched_first(link))) {
		if (!link->budget)
			return false;
		wl_link_spend(link, 1);
		if (b->cfg.harq.processes && !wl_harq_may(b, now_ns))
			continue;
		if (rb_is_theirs(link, b))
			link->rb_left -= wl_users_take(link, link->turn.count);
		else if (rb_give_in_turn(link, b))
			wl_sched_place(b);
		else
			wl_heap_remove(&link->turn, &b->share.turn);
	}
	if (link->first.cfg.sched == WLINK_SCHED_RR)
		rb_give_equally(link);
	if (link->first.cfg.cell.arrival_ns && !link->users.taken)
		wl_arrivals_share(link, (u64)link->rb_left << 32);
	link->rb_done = true;
	return true;
}

void wl_rb_foresee(struct wl_link *link, u64 now_ns)
{
	struct wl_bearer *b;

	wl_rb_start(link, now_ns);
	for (b = wl_sched_turn_of(link, now_ns); b && link->rb_left;
	     b = wl_sched_turn_of(link, now_ns))
		b->share.foreseen = !rb_give_in_turn(link, b);
	if (link->first.cfg.sched == WLINK_SCHED_RR)
		rb_give_equally(link);
}
