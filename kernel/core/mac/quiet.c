// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * TTIs in which nothing can be sent, as what bearers have collected does not suffice for
 * a PDU. Nobody needs to be woken for them. Where nothing else goes by TTIs, they
 * pass together, with the result that each would have had as an event.
 */
#include "../3gpp.h"
#include "../air/air.h"
#include "../buffer/buffer.h"
#include "../rlc/mode.h"
#include "quiet.h"
#include "sched.h"
#include "submit.h"

/* Bearers that are looked at. */
#define QUIET_BEARERS	4U

/* Where each TTI is an event, a call has no more of them to make up for. */
#define QUIET_TTIS	128ULL

static bool quiet_by_airtime(const struct wl_link *link)
{
	return wl_link_shared(link) && !wl_rb_on(link);
}

/* Bits that suffice for the next PDU of a bearer, and for none before. */
static u64 quiet_pdu_bits(const struct wl_bearer *b)
{
	u32 bytes = wl_sched_wanted(b);

	if (bytes && b->ops && b->ops->fits)
		for (bytes = 1; !b->ops->fits(b, bytes); bytes++)
			;
	return 8ULL * bytes;
}

/* Whether the AQM is to be asked, which may take away what is next. */
static bool quiet_asks(const struct wl_bearer *b)
{
	const struct wl_sdu *sdu = b->ops ? b->fresh : b->queue.head;

	if (b->ops && b->ops->fresh_next && !b->ops->fresh_next(b))
		return false;
	return wl_buffer_asks(b) && sdu && !(sdu->flags & WL_SDU_FRONT) &&
	       sdu->start_ns == WL_NEVER_NS;
}

u64 wl_quiet_bits(const struct wl_bearer *b, u64 bits, u64 rate_bps)
{
	const struct wl_credit *credit = &b->credit;
	u64 rest, each = wl_cfg_bits_in(rate_bps, b->link->slot_ns[0], &rest);

	if (credit->bits >= bits || each >= bits)
		return 0;
	return wl_quiet_work(bits * WL_NSEC_PER_SEC,
			     credit->bits * WL_NSEC_PER_SEC + credit->rest,
			     each * WL_NSEC_PER_SEC + rest);
}

/* TTIs that repeated blocks take give nothing: they pay for these first. */
static u64 quiet_airtime(const struct wl_bearer *b, u64 need_ns)
{
	const struct wl_link *link = b->link;
	u64 have_ns = link->credit_ns + b->share.saved_ns;
	u64 debt_ns = link->debt.left;

	debt_ns -= min(debt_ns, link->start_ns - min(link->start_ns, link->debt.from_ns));
	return need_ns > have_ns ?
	       wl_quiet_work(need_ns + debt_ns, have_ns, link->slot_ns[0]) : 0;
}

static u64 quiet_of(const struct wl_bearer *b, u64 bits, u64 rate_bps)
{
	const struct wl_link *link = b->link;
	u64 rest;

	if (!bits)
		return 0;
	if (quiet_asks(b)) {
		if (b == wl_sched_lasting_first(link))
			return quiet_airtime(b, 1);
		/* With the first whole bit; where bits are collected for a PDU, with that.
		 * The PDUs of other modes are as long whatever comes next.
		 */
		if (!b->ops || (quiet_by_airtime(link) && b->ops == &wl_sr_ops))
			bits = 1;
	}
	if (!quiet_by_airtime(link))
		return wl_quiet_bits(b, bits, rate_bps);
	return quiet_airtime(b, wl_sched_airtime_ns(b, bits, &rest));
}

/* The same where steps of a schedule may come: until the first of them its rate stays. */
static u64 quiet_beside_steps(const struct wl_bearer *b)
{
	u64 top_bps = wl_quiet_top_bps(b), bits = quiet_pdu_bits(b), step_ns;
	u64 start_ns = b->link->start_ns, ttis;

	ttis = quiet_of(b, bits, b->cfg.rate_bps);
	if (top_bps == b->cfg.rate_bps || !ttis)
		return ttis;
	step_ns = b->event.at ? max(b->event.key, start_ns) : WL_NEVER_NS;
	ttis = min(ttis, DIV64_U64_ROUND_UP(step_ns - start_ns, wl_link_tti_ns(b->link)));
	return max(ttis, quiet_of(b, bits, top_bps));
}

/* Whether a bearer could begin a block of HARQ, if it has any. */
static bool quiet_free(const struct wl_bearer *b)
{
	return !b->cfg.harq.processes || wl_3gpp->harq_free(b, b->link->start_ns);
}

/* Whether nothing of a bearer goes by TTIs but what it collects. */
static bool quiet_passes(const struct wl_bearer *b)
{
	enum wlink_channel kind = b->air->chan.cfg.kind;

	return !b->cfg.harq.processes && b->access.state != WL_ACCESS_FIRST &&
	       (kind == WLINK_CHANNEL_NONE || kind == WLINK_CHANNEL_UNIFORM);
}

/* The same of a link. Return: of a shared one the bearer whose turn it is, else NULL. */
static struct wl_bearer *quiet_turn(const struct wl_link *link, bool *passes)
{
	struct wl_bearer *first = wl_sched_lasting_first(link);

	*passes = !link->first.cfg.tdd.pattern && !link->debt.left && !link->guarantees &&
		  (!wl_link_shared(link) || first);
	/* Where a process of HARQ is not free, the next one has its turn. */
	return first && quiet_free(first) ? first : NULL;
}

/* Whether nothing but the order of turns decides which TTI a bearer gets. */
static bool quiet_waits(const struct wl_bearer *b)
{
	u64 bits = quiet_by_airtime(b->link) ? 8ULL * wl_sched_wanted(b) : quiet_pdu_bits(b);

	/* A first grant that has no room for what is next is over. */
	return quiet_free(b) &&
	       (b->access.state != WL_ACCESS_FIRST || b->access.left_bits >= bits);
}

/* Return: whether the first of a TTI cannot send. */
static bool quiet_turn_passes(struct wl_link *link, u64 start_ns)
{
	struct wl_bearer *b = wl_sched_turn_of(link, start_ns);

	if (!b || quiet_asks(b) || !quiet_of(b, quiet_pdu_bits(b), b->cfg.rate_bps))
		return false;
	b->share.saved_ns += link->slot_ns[0];
	if (link->debt.left)
		b->share.saved_ns -= wl_3gpp->harq_pay(link, &link->debt, start_ns,
							 link->slot_ns);
	return true;
}

/* Return: whether resource blocks of a TTI suffice for nobody. */
static bool quiet_blocks_pass(struct wl_link *link, u64 start_ns)
{
	bool pass = true;
	struct wl_bearer *b;
	u64 bits;

	wl_3gpp->rb_foresee(link, start_ns);
	for (b = link->busy; b; b = b->busy_next)
		b->share.foreseen = false;
	while ((b = link->given)) {
		bits = quiet_asks(b) && !b->ops ? 1 : quiet_pdu_bits(b);
		pass &= b->credit.bits < bits;
		wl_sched_take_back(b);
		link->turns += 2;
		b->share.turns = link->turns;
	}
	return pass;
}

/* Where one bearer has collected what suffices, TTIs may still be others', who collect.
 * What goes on from TTI to TTI is put back. Return: those in which nobody can send.
 */
static u64 quiet_turns(struct wl_link *link)
{
	u64 ttis, turns = link->turns, start_ns = link->start_ns;
	u64 bits[QUIET_BEARERS], rest[QUIET_BEARERS];
	bool rb = wl_rb_on(link), scant = !rb, pass = true;
	struct wl_share share[QUIET_BEARERS];
	struct wl_debt debt = link->debt;
	struct wl_bearer *b;
	u32 n = 0;

	for (b = link->busy; b; b = b->busy_next) {
		if (n == QUIET_BEARERS || !quiet_waits(b))
			return 0;
		scant |= b->credit.quota_bits[0] < QUIET_BEARERS * quiet_pdu_bits(b);
		bits[n] = b->credit.bits;
		rest[n] = b->credit.rest;
		share[n++] = b->share;
	}
	/* Where resource blocks suffice for all, nobody waits in vain for long. */
	if (!scant || (rb && n == 1 && !debt.left))
		return 0;
	for (ttis = 0; ttis < QUIET_TTIS && pass; ttis++) {
		pass = rb ? quiet_blocks_pass(link, start_ns) :
			    quiet_turn_passes(link, start_ns);
		start_ns += wl_link_tti_ns(link);
	}
	for (b = link->busy, n = 0; b; b = b->busy_next) {
		b->credit.bits = bits[n];
		b->credit.rest = rest[n];
		b->share = share[n++];
	}
	link->turns = turns;
	link->debt = debt;
	return ttis - !pass;
}

/* Whether each TTI has turns of its own, which go by nothing but what bearers collect. */
static bool quiet_by_turns(const struct wl_link *link)
{
	if (link->first.cfg.tdd.pattern || !wl_link_shared(link))
		return false;
	return wl_rb_on(link) ? !link->first.cfg.cell.users : wl_sched_by_ttis(link);
}

u64 wl_quiet_ttis(struct wl_link *link)
{
	struct wl_bearer *b, *turn;
	u64 ttis = U64_MAX;
	u32 bearers = 0;
	bool passes;

	if (!wl_link_tti_ns(link) || link->filling || link->start_ns <= link->now_ns)
		return 0;
	turn = quiet_turn(link, &passes);
	if (turn)
		ttis = wl_sched_lasting_ttis(turn, QUIET_BEARERS);
	for (b = turn ?: link->busy; b; b = turn ? NULL : b->busy_next) {
		if (bearers++ == QUIET_BEARERS)
			return 0;
		passes &= quiet_passes(b);
		ttis = min(ttis, quiet_beside_steps(b));
		if (!ttis)
			break;
	}
	if (!bearers)
		return 0;
	if (ttis < QUIET_TTIS && quiet_by_turns(link))
		ttis = max(ttis, quiet_turns(link));
	return passes ? ttis : min(ttis, QUIET_TTIS);
}

/* The same at the rate that there is. A whole bit begins a SDU. */
static u64 quiet_whole(const struct wl_bearer *b)
{
	u64 bits = quiet_pdu_bits(b);

	if (!quiet_passes(b))
		return 0;
	if (!b->ops && b->queue.head && b->queue.head->start_ns == WL_NEVER_NS)
		bits = 1;
	return quiet_of(b, bits, b->cfg.rate_bps);
}

static void quiet_collect(struct wl_bearer *b, u64 ttis, u64 last_ns)
{
	struct wl_credit *credit = &b->credit;
	u64 more;

	wl_air_frames(b->air, last_ns, ttis);
	if (wl_link_shared(b->link)) {
		b->share.saved_ns += ttis * b->link->slot_ns[0];
		return;
	}
	credit->at_ns = last_ns;
	credit->rest += ttis * credit->quota_rest[0];
	more = div64_u64(credit->rest, WL_NSEC_PER_SEC);
	credit->rest -= more * WL_NSEC_PER_SEC;
	credit->bits += ttis * credit->quota_bits[0] + more;
}

bool wl_quiet_pass(struct wl_link *link, u64 until_ns)
{
	u64 tti_ns = wl_link_tti_ns(link), last_ns, ttis = U32_MAX;
	struct wl_bearer *b, *turn;
	u32 bearers = 0;
	bool passes;

	if (!link->quiet || link->filling || wl_rb_on(link))
		return false;
	turn = quiet_turn(link, &passes);
	if (!passes)
		return false;
	for (b = turn ?: link->busy; b; b = turn ? NULL : b->busy_next) {
		if (bearers++ == QUIET_BEARERS)
			return false;
		ttis = min(ttis, quiet_whole(b));
	}
	ttis = min(ttis, DIV64_U64_ROUND_UP(until_ns - link->start_ns, tti_ns));
	if (!ttis || !bearers)
		return false;
	last_ns = link->start_ns + (ttis - 1) * tti_ns;
	for (b = turn ?: link->busy; b; b = turn ? NULL : b->busy_next)
		quiet_collect(b, ttis, last_ns);
	wl_link_spend(link, bearers);
	link->event_ns = last_ns;
	link->begun_ns = last_ns;
	link->start_ns = last_ns + tti_ns;
	return true;
}
