// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * Which bytes of the field of a number have come, or are to be sent again. Bytes that have
 * come keep the stamp of their PDU: a report knows those with its own stamp or an older one,
 * however much has come since it was made.
 */
#include "../../air/rings.h"
#include "lte.h"

u64 wl_lte_spans(u32 window)
{
	return max(WL_LTE_SPANS_PER_PDU * (window + 1ULL), (u64)WL_LTE_SPANS_MIN);
}

/* For each number of the window one is kept, the first that is to be sent again. */
static bool span_left(const struct wl_bearer *b, bool first)
{
	u32 kept = first ? 1 : 1 + b->cfg.rlc.window;

	return b->mode.lte.spans + kept < b->rings.spans;
}

static u32 span_new(struct wl_bearer *b)
{
	struct wl_lte *lte = &b->mode.lte;
	u32 i = lte->span_free;

	lte->spans++;
	if (!i)
		return ++lte->span_top;
	lte->span_free = wl_span_at(b, i)->next;
	return i;
}

/* Out of its list. */
static void span_del(struct wl_bearer *b, u32 *link)
{
	struct wl_lte *lte = &b->mode.lte;
	struct wl_span *span = wl_span_at(b, *link);
	u32 i = *link;

	*link = span->next;
	span->next = lte->span_free;
	lte->span_free = i;
	lte->spans--;
}

/* Whether no report on its way tells them apart, nor any that follows. */
static bool span_same(const struct wl_lte *lte, u32 one, u32 other)
{
	return one == other || ((s32)(one - lte->told) > 0 && (s32)(other - lte->told) > 0);
}

/* Behind the last or before the next span; where no span is left, whatever that says.
 * Return: bytes that are put in.
 */
static u32 span_join(struct wl_bearer *b, u32 *link, struct wl_span *prev,
		     const struct wl_span *put, bool left)
{
	const struct wl_lte *lte = &b->mode.lte;
	struct wl_span *next = *link ? wl_span_at(b, *link) : NULL;
	bool again = !put->stamp;
	u32 had;

	if (prev && (prev->to == put->from || (again && !left)) &&
	    (!left || span_same(lte, prev->stamp, put->stamp))) {
		had = prev->to;
		prev->to = put->to;
		prev->stamp = put->stamp;
		if (next && next->from == prev->to && span_same(lte, next->stamp, prev->stamp)) {
			prev->to = next->to;
			span_del(b, link);
		}
		return put->to - had;
	}
	if (next && (next->from == put->to || (again && !left)) &&
	    (!left || span_same(lte, next->stamp, put->stamp))) {
		had = next->from;
		next->from = put->from;
		next->stamp = put->stamp;
		return had - put->from;
	}
	return 0;
}

u32 wl_lte_span_add(struct wl_bearer *b, u32 *first, u32 *at, u32 from, u32 to, u32 stamp)
{
	struct wl_span *prev = *at ? wl_span_at(b, *at) : NULL;
	u32 *link = prev ? &prev->next : first;
	u32 added = 0, walked = 0;

	if (prev)
		from = max_t(u32, from, prev->to);
	while (from < to) {
		struct wl_span put = { .from = from, .to = to, .stamp = stamp, .next = *link };
		bool left = span_left(b, !stamp && !*first);
		struct wl_span *next = *link ? wl_span_at(b, *link) : NULL;
		u32 joined, i;

		walked++;
		if (next && next->from <= from) {
			from = max_t(u32, from, next->to);
			*at = *link;
			prev = next;
			link = &prev->next;
			continue;
		}
		if (next)
			put.to = min_t(u32, to, next->from);
		joined = span_join(b, link, prev, &put, left);
		if (!joined && left) {
			i = span_new(b);
			*wl_span_at(b, i) = put;
			*link = i;
			joined = put.to - put.from;
		}
		added += joined;
		from = put.to;
		if (prev)
			from = max_t(u32, from, prev->to);
	}
	wl_link_spend(b->link, walked / WL_WALKED_PER_CHARGE);
	return added;
}

void wl_lte_span_cut(struct wl_bearer *b, u32 *first, u32 to)
{
	struct wl_span *span = wl_span_at(b, *first);

	span->from = to;
	if (span->from == span->to)
		span_del(b, first);
}

void wl_lte_span_free(struct wl_bearer *b, u32 *first)
{
	u32 freed = 0;

	for (; *first; freed++)
		span_del(b, first);
	wl_link_spend(b->link, freed / WL_WALKED_PER_CHARGE);
}

bool wl_lte_gap_next(const struct wl_bearer *b, const struct wl_pdu *pdu, u32 stamp,
		     struct wl_lte_gap *gap)
{
	while (gap->span) {
		const struct wl_span *span = wl_span_at(b, gap->span);

		gap->walked++;
		gap->span = span->next;
		if ((s32)(span->stamp - stamp) > 0)
			continue;
		gap->from = gap->at;
		gap->to = span->from;
		gap->at = span->to;
		if (gap->from < gap->to)
			return true;
	}
	gap->from = gap->at;
	gap->to = pdu->bytes;
	gap->at = pdu->bytes;
	return gap->from < gap->to;
}
