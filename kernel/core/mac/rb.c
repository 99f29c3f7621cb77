// SPDX-License-Identifier: GPL-2.0
/*
 * A TTI as resource blocks: each carries 1/N of what its bearer sends in a TTI that it
 * has alone. A bearer gets whole blocks, as many as its data need. What is left of the
 * last one counts for its next PDU, as at the end of a TTI that is not divided; it is padding
 * where there is none.
 *
 * First what is guaranteed, by priority, as far as it has not been sent: Bj of
 * TS 36.321 clause 5.4.3.1. Then, with rr and pf, users in the background have their
 * share of the rest. Then, in the order of the scheduler, each gets what it
 * needs; with rr an equal part of what there is for those that come, and what some do
 * not need goes to the others.
 */
#include "../air/air.h"
#include "arrivals.h"
#include "harq.h"
#include "rb.h"
#include "sched.h"
#include "users.h"

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

static u32 rb_need(const struct wl_bearer *b)
{
	u64 bits = 8 * wl_sched_pending_bytes(b);

	if (b->access.state == WL_ACCESS_FIRST)
		bits = min(bits, b->access.left_bits);
	return rb_for(b, bits - min(bits, b->credit.bits)) ?: 1;
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
	if (b->share.given)
		return;
	b->share.given = true;
	b->share.given_next = NULL;
	if (link->given)
		link->given_last->share.given_next = b;
	else
		link->given = b;
	link->given_last = b;
}

/* Blocks towards what is guaranteed; it then comes among the others. */
static void rb_guarantee(struct wl_bearer *b, u32 need)
{
	u32 blocks = min3(need, rb_for(b, b->share.owed_bits) ?: 1, b->link->rb_left);
	u32 rb = b->link->first.cfg.cell.rb;

	b->share.owed_bits -= div64_u64(rb_quota_bits(b) * blocks, rb) + 1;
	rb_give(b, blocks);
}

static void rb_give_in_turn(struct wl_link *link, struct wl_bearer *b)
{
	bool equal = link->first.cfg.sched == WLINK_SCHED_RR;
	u32 need = rb_need(b), had = b->share.rbs;
	u32 most = link->rb_left;

	need -= min(need, had);
	if (need && wl_sched_guaranteed(b)) {
		rb_guarantee(b, need);
		need -= min(need, b->share.rbs - had);
		if (need && link->rb_left) {
			wl_sched_place(b);
			return;
		}
	} else if (need) {
		if (equal)
			most = DIV_ROUND_UP(most, link->turn.count);
		rb_give(b, min(need, most));
		need -= min(need, most);
	}
	b->share.rbs_more = need;
	wl_heap_remove(&link->turn, &b->share.turn);
}

/* What some of rr did not need. */
static void rb_give_rest(struct wl_link *link)
{
	struct wl_bearer *b;
	u32 hungry = 0, more;

	for (b = link->given; b; b = b->share.given_next)
		hungry += !!b->share.rbs_more;
	for (b = link->given; hungry && link->rb_left; b = b->share.given_next) {
		if (!b->share.rbs_more)
			continue;
		more = min(b->share.rbs_more, DIV_ROUND_UP(link->rb_left, hungry));
		rb_give(b, more);
		hungry--;
	}
}

/* Who had one more, of blocks that do not divide, comes last in the next TTI. */
static void rb_turn(struct wl_link *link)
{
	struct wl_bearer **at, **first = NULL, *last = NULL, *b;

	for (at = &link->given; (b = *at); at = &b->share.given_next) {
		if (b->cfg.gbr_bps)
			continue;
		first = first ?: at;
		last = b;
	}
	if (!first || (*first)->share.rbs <= last->share.rbs)
		return;
	b = *first;
	*first = b->share.given_next;
	b->share.given_next = NULL;
	link->given_last->share.given_next = b;
	link->given_last = b;
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
		wl_link_charge(link, 1);
		if (!wl_harq_may(b, now_ns))
			continue;
		if (rb_is_theirs(link, b))
			link->rb_left -= wl_users_take(link, link->turn.count);
		else
			rb_give_in_turn(link, b);
	}
	if (link->first.cfg.sched == WLINK_SCHED_RR) {
		rb_give_rest(link);
		rb_turn(link);
	}
	if (link->first.cfg.cell.arrival_ns && !link->users.taken)
		wl_arrivals_share(link, (u64)link->rb_left << 32);
	link->rb_done = true;
	return true;
}
