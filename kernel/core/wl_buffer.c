// SPDX-License-Identifier: GPL-2.0
/*
 * The SDU buffer of a bearer: its limit, and which SDU goes when an AQM wants
 * one to go. What has been begun always stays: RLC would have to tell the
 * receiver (the AQM paper, section 3, idea 5).
 */
#include "wl_buffer.h"
#include "wl_mode.h"

/* What CoDel with a tiny interval would take in one go has to have an end. */
#define FRONT_DROPS_MAX	1024

static bool begun(const struct wl_sdu *sdu)
{
	return sdu->start_ns != WL_NEVER_NS;
}

/* The SDU that is sent from, if any, else the one that will be next. */
static struct wl_sdu *front(const struct wl_bearer *b)
{
	return b->ops ? b->fresh : b->queue.head;
}

/* The neighbour before the first SDU that has not been begun. */
static struct wl_sdu *before_unbegun(const struct wl_bearer *b)
{
	struct wl_sdu *sdu = front(b);

	if (sdu && begun(sdu))
		return sdu;
	return b->ops ? b->passed : NULL;
}

struct wl_sdu *wl_buffer_first_unbegun(const struct wl_bearer *b)
{
	struct wl_sdu *sdu = front(b);

	return sdu && begun(sdu) ? sdu->next : sdu;
}

static void drop(struct wl_bearer *b, struct wl_sdu *before,
		 struct wl_sdu *sdu, u64 now_ns, enum wlink_drop reason)
{
	if (before)
		before->next = sdu->next;
	else
		b->queue.head = sdu->next;
	if (b->queue.tail == sdu)
		b->queue.tail = before;
	if (b->fresh == sdu)
		b->fresh = sdu->next;
	if (b->ops && b->ops->unlinked)
		b->ops->unlinked(b, sdu);
	sdu->flags &= ~WL_SDU_LISTED;
	wl_bearer_release(b, sdu);
	wl_bearer_drop(b, sdu, now_ns, reason);
}

void wl_buffer_drop_first(struct wl_bearer *b, u64 now_ns,
			  enum wlink_drop reason)
{
	drop(b, before_unbegun(b), wl_buffer_first_unbegun(b), now_ns, reason);
}

/* Whether a SDU has room beside others. A limit below one SDU must not make the
 * link dead, so an empty buffer takes any.
 */
static bool fits(const struct wl_bearer *b, u64 sdus, u64 bytes, u32 more)
{
	if (b->cfg.limit.kind == WL_LIMIT_PACKETS)
		return sdus < b->cfg.limit.value;
	return !sdus || bytes + more <= wl_cfg_limit_bytes(&b->cfg);
}

static bool over_limit(const struct wl_bearer *b)
{
	const struct wl_stats *stats = &b->stats;

	if (b->cfg.limit.kind == WL_LIMIT_PACKETS)
		return stats->buffer_sdus > b->cfg.limit.value;
	return stats->buffer_sdus > 1 &&
	       stats->buffer_bytes > wl_cfg_limit_bytes(&b->cfg);
}

static bool takes_first(const struct wl_aqm_cfg *aqm)
{
	return aqm->head && (aqm->kind == WLINK_AQM_RED ||
			     aqm->kind == WLINK_AQM_SBD);
}

static void trim(struct wl_bearer *b, u64 now_ns)
{
	u64 sdus = b->stats.buffer_sdus - b->unbegun_sdus;
	u64 bytes = b->stats.buffer_bytes - b->unbegun_bytes;
	struct wl_sdu *before = before_unbegun(b);
	struct wl_sdu *sdu;

	if (takes_first(&b->cfg.aqm)) {
		while (over_limit(b) && wl_buffer_first_unbegun(b))
			wl_buffer_drop_first(b, now_ns, WLINK_DROP_OVERFLOW);
		return;
	}
	for (sdu = wl_buffer_first_unbegun(b);
	     sdu && fits(b, sdus, bytes, sdu->bytes); sdu = sdu->next) {
		sdus++;
		bytes += sdu->bytes;
		before = sdu;
	}
	while ((sdu = before ? before->next : b->queue.head))
		drop(b, before, sdu, now_ns, WLINK_DROP_OVERFLOW);
}

static u64 in_unit(const struct wl_aqm_cfg *aqm, u64 sdus, u64 bytes)
{
	return aqm->unit == WLINK_UNIT_BYTES ? bytes : sdus;
}

static void look(const struct wl_bearer *b, u64 now_ns, struct wl_aqm_at *at)
{
	memset(at, 0, sizeof(*at));
	at->cfg = &b->cfg.aqm;
	at->now_ns = now_ns;
	at->maxth = wl_aqm_maxth(&b->cfg.aqm, &b->cfg);
	at->bo = in_unit(&b->cfg.aqm, b->stats.buffer_sdus,
			 b->stats.buffer_bytes);
	at->rate_bps = b->cfg.rate_bps;
}

/* Return: whether a mark will do. */
static bool mark(struct wl_sdu *sdu, u64 *marks)
{
	if ((sdu->ecn & WL_ECN_MASK) == WL_ECN_NOT_ECT)
		return false;
	if ((sdu->ecn & WL_ECN_MASK) != WL_ECN_CE) {
		sdu->ecn = WL_ECN_CE | WL_ECN_MARKED;
		(*marks)++;
	}
	return true;
}

/* A SDU goes, or is marked, because one has arrived. */
static void strike(struct wl_bearer *b, struct wl_sdu *before,
		   struct wl_sdu *arrived, u64 now_ns)
{
	const struct wl_aqm_cfg *aqm = &b->cfg.aqm;
	struct wl_sdu *sdu = arrived;

	if (aqm->head) {
		sdu = wl_buffer_first_unbegun(b);
		/* It says already what a second mark would. */
		if (aqm->ecn && sdu->ecn & WL_ECN_MARKED)
			sdu = arrived;
		else
			before = before_unbegun(b);
	}
	if (aqm->ecn && mark(sdu, &b->stats.marks))
		return;
	b->stats.aqm_self += sdu == arrived;
	drop(b, before, sdu, now_ns, WLINK_DROP_AQM);
}

bool wl_buffer_take(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	const struct wl_stats *stats = &b->stats;

	if (!fits(b, stats->buffer_sdus, stats->buffer_bytes, sdu->bytes)) {
		wl_bearer_drop(b, sdu, now_ns, WLINK_DROP_OVERFLOW);
		return false;
	}
	wl_buffer_count_in(b, sdu);
	wl_fifo_push(&b->queue, sdu);
	return true;
}

void wl_bearer_arrive(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	struct wl_sdu *before = b->queue.head ? b->queue.tail : NULL;
	const struct wl_stats *stats = &b->stats;
	struct wl_aqm_at at;

	if (!wl_buffer_take(b, sdu, now_ns))
		return;
	if (b->ops) {
		sdu->flags |= WL_SDU_LISTED;
		if (!b->fresh)
			b->fresh = sdu;
		if (b->ops->arrived)
			b->ops->arrived(b, sdu, now_ns);
	}
	if (b->aqm.ops && b->aqm.ops->arrived) {
		look(b, now_ns, &at);
		at.arriving = in_unit(at.cfg, 1, sdu->bytes);
		if (stats->buffer_sdus == 1)
			at.idle_ns = now_ns - b->empty_ns;
		if (b->aqm.ops->arrived(&b->aqm, &at))
			strike(b, before, sdu, now_ns);
	}
	wl_bearer_wake(b, now_ns);
}

/* Return: whether the AQM lets the SDU at the front be begun. */
static bool passes(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	const struct wl_aqm_cfg *aqm = &b->cfg.aqm;
	struct wl_aqm_front view = {
		.sojourn_ns = now_ns - sdu->arrival_ns,
		.bytes = sdu->bytes,
		.behind_bytes = b->unbegun_bytes - sdu->bytes,
	};
	struct wl_aqm_at at;

	sdu->flags |= WL_SDU_FRONT;
	if ((sdu->ecn & WL_ECN_MASK) == WL_ECN_ECT1 &&
	    wl_aqm_ramp(&b->aqm, aqm, view.sojourn_ns))
		mark(sdu, &b->stats.ramp_marks);
	if (!b->aqm.ops || !b->aqm.ops->front)
		return true;
	look(b, now_ns, &at);
	if (!b->aqm.ops->front(&b->aqm, &at, &view) || !view.behind_bytes)
		return true;
	return aqm->ecn && mark(sdu, &b->stats.marks);
}

void wl_buffer_front(struct wl_bearer *b, u64 now_ns)
{
	u32 left = FRONT_DROPS_MAX;
	struct wl_sdu *sdu;

	if (!wl_buffer_asks(b))
		return;
	if (b->ops && b->ops->fresh_next && !b->ops->fresh_next(b))
		return;
	while (left-- && (sdu = front(b)) && !begun(sdu) &&
	       !(sdu->flags & WL_SDU_FRONT) && !passes(b, sdu, now_ns))
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_AQM);
}

void wl_buffer_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_aqm_at at;

	look(b, now_ns, &at);
	wl_aqm_start(&b->aqm, &at);
}

void wl_buffer_configure(struct wl_bearer *b, u64 now_ns,
			 const struct wl_cfg *old)
{
	struct wl_aqm_at at;

	if (old->limit.kind != b->cfg.limit.kind ||
	    old->limit.value != b->cfg.limit.value)
		trim(b, now_ns);
	look(b, now_ns, &at);
	if (memcmp(&old->aqm, &b->cfg.aqm, sizeof(old->aqm)) ||
	    wl_aqm_maxth(&old->aqm, old) != at.maxth)
		wl_aqm_change(&b->aqm, &at, &old->aqm);
}

void wl_buffer_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_aqm_at at;

	if (wl_aqm_next_ns(&b->aqm) > now_ns)
		return;
	look(b, now_ns, &at);
	b->aqm.ops->expired(&b->aqm, &at);
}
