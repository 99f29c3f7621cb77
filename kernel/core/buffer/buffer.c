// SPDX-License-Identifier: GPL-2.0 OR BSD-3-Clause
/*
 * The SDU buffer of a bearer: its limit, and which SDU goes when an AQM wants
 * one to go. What has been begun always stays: RLC would have to tell the
 * receiver (the AQM paper, section 3, idea 5).
 */
#include "buffer.h"
#include "sdu.h"

/* What CoDel with a tiny interval would take at one time has to have an end. */
#define FRONT_DROPS_MAX	1024

static bool buffer_begun(const struct wl_sdu *sdu)
{
	return sdu->start_ns != WL_NEVER_NS;
}

/* The SDU that is sent from, if any, else the one that will be next. */
static struct wl_sdu *buffer_front(const struct wl_bearer *b)
{
	return b->ops ? b->fresh : b->queue.head;
}

/* The neighbour before the first SDU that has not been begun. */
static struct wl_sdu *buffer_before_unbegun(const struct wl_bearer *b)
{
	struct wl_sdu *sdu = buffer_front(b);

	if (sdu && buffer_begun(sdu))
		return sdu;
	return b->ops ? b->passed : NULL;
}

/* The first SDU that may still be taken away. */
static struct wl_sdu *buffer_first_unbegun(const struct wl_bearer *b)
{
	struct wl_sdu *sdu = buffer_front(b);

	return sdu && buffer_begun(sdu) ? sdu->next : sdu;
}

u64 wl_buffer_access_ns(const struct wl_bearer *b, const struct wl_sdu *sdu)
{
	const struct wl_wait *waits = b->access.waits;

	return wl_wait_ns(&waits[0], sdu->arrival_ns, sdu->start_ns) +
	       wl_wait_ns(&waits[1], sdu->arrival_ns, sdu->start_ns);
}

u64 wl_buffer_discard_ns(const struct wl_bearer *b)
{
	const struct wl_sdu *sdu;

	if (b->cfg.rlc.discard_ns == WL_NEVER_NS)
		return WL_NEVER_NS;
	sdu = buffer_first_unbegun(b);
	return sdu ? sdu->arrival_ns + b->cfg.rlc.discard_ns : WL_NEVER_NS;
}

static void buffer_drop(struct wl_bearer *b, struct wl_sdu *before,
			struct wl_sdu *sdu, u64 now_ns, enum wlink_drop reason)
{
	u32 i;

	if (before)
		before->next = sdu->next;
	else
		b->queue.head = sdu->next;
	if (b->queue.tail == sdu)
		b->queue.tail = before;
	for (i = 0; i < ARRAY_SIZE(b->place); i++)
		if (b->place[i] == sdu)
			b->place[i] = sdu->next;
	sdu->flags &= ~WL_SDU_LISTED;
	wl_sdu_release(b, sdu);
	wl_sdu_drop(b, sdu, now_ns, reason);
}

void wl_buffer_drop_first(struct wl_bearer *b, u64 now_ns,
			  enum wlink_drop reason)
{
	buffer_drop(b, buffer_before_unbegun(b), buffer_first_unbegun(b), now_ns, reason);
	/* What stays is to be counted anew. */
	b->trim.begun = false;
}

static bool buffer_over_limit(const struct wl_bearer *b)
{
	const struct wl_stats *stats = &b->stats;

	if (b->cfg.limit.kind == WL_LIMIT_PACKETS)
		return stats->v[WLINK_STAT_BUFFER_SDUS] > b->cfg.limit.value;
	return stats->v[WLINK_STAT_BUFFER_SDUS] > 1 &&
	       stats->v[WLINK_STAT_BUFFER_BYTES] > wl_cfg_limit_bytes(&b->cfg);
}

static bool buffer_takes_first(const struct wl_aqm_cfg *aqm)
{
	return aqm->head && (aqm->kind == WLINK_AQM_RED ||
			     aqm->kind == WLINK_AQM_SBD);
}

static bool buffer_trim_first(struct wl_bearer *b, u64 now_ns)
{
	while (buffer_over_limit(b) && buffer_first_unbegun(b)) {
		if (!wl_link_try_charge(b->link))
			return false;
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_OVERFLOW);
	}
	b->trim.on = false;
	return true;
}

static void buffer_begin_trim(struct wl_bearer *b)
{
	b->trim = (struct wl_trim){
		.on = buffer_over_limit(b), .begun = true,
		.sdus = b->stats.v[WLINK_STAT_BUFFER_SDUS] - b->unbegun_sdus,
		.bytes = b->stats.v[WLINK_STAT_BUFFER_BYTES] - b->unbegun_bytes,
	};
}

bool wl_buffer_trim(struct wl_bearer *b, u64 now_ns)
{
	struct wl_trim *trim = &b->trim;
	struct wl_sdu *before, *sdu;

	if (trim->on && !trim->begun)
		buffer_begin_trim(b);
	if (!trim->on)
		return true;
	if (buffer_takes_first(&b->cfg.aqm))
		return buffer_trim_first(b, now_ns);
	while ((before = trim->kept ?: buffer_before_unbegun(b)),
	       (sdu = before ? before->next : b->queue.head)) {
		if (!wl_link_try_charge(b->link))
			return false;
		if (!trim->full &&
		    wl_buffer_fits(b, trim->sdus, trim->bytes, sdu->bytes)) {
			trim->sdus++;
			trim->bytes += sdu->bytes;
			trim->kept = sdu;
		} else {
			trim->full = true;
			buffer_drop(b, before, sdu, now_ns, WLINK_DROP_OVERFLOW);
		}
	}
	trim->on = false;
	return true;
}

static u64 buffer_in_unit(const struct wl_aqm_cfg *aqm, u64 sdus, u64 bytes)
{
	return aqm->unit == WLINK_UNIT_BYTES ? bytes : sdus;
}

static void buffer_aqm_at(const struct wl_bearer *b, u64 now_ns, struct wl_aqm_at *at)
{
	memset(at, 0, sizeof(*at));
	at->cfg = &b->cfg.aqm;
	at->now_ns = now_ns;
	at->maxth = wl_aqm_maxth(&b->cfg.aqm, &b->cfg);
	at->bo = buffer_in_unit(&b->cfg.aqm, b->stats.v[WLINK_STAT_BUFFER_SDUS],
				b->stats.v[WLINK_STAT_BUFFER_BYTES]);
	at->rate_bps = b->cfg.rate_bps;
}

/* Return: whether a mark will do. */
static bool buffer_mark(struct wl_sdu *sdu, u64 *marks)
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
static void buffer_aqm_hit(struct wl_bearer *b, struct wl_sdu *before,
			   struct wl_sdu *arrived, u64 now_ns)
{
	const struct wl_aqm_cfg *aqm = &b->cfg.aqm;
	struct wl_sdu *sdu = arrived;

	if (aqm->head) {
		sdu = buffer_first_unbegun(b);
		/* It says already what a second mark would. */
		if (aqm->ecn && sdu->ecn & WL_ECN_MARKED)
			sdu = arrived;
		else
			before = buffer_before_unbegun(b);
	}
	if (aqm->ecn && buffer_mark(sdu, &b->stats.v[WLINK_STAT_MARKS]))
		return;
	b->stats.v[WLINK_STAT_AQM_SELF] += sdu == arrived;
	buffer_drop(b, before, sdu, now_ns, WLINK_DROP_AQM);
}

void wl_buffer_list(struct wl_bearer *b, struct wl_sdu *sdu)
{
	u32 i;

	if (!b->ops)
		return;
	sdu->flags |= WL_SDU_LISTED;
	/* Not known before its end has been sent. */
	sdu->end_ns = WL_NEVER_NS;
	sdu->whole_ns = WL_NEVER_NS;
	for (i = 0; i < ARRAY_SIZE(b->place); i++)
		if (!b->place[i])
			b->place[i] = sdu;
}

void wl_buffer_arrive(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	struct wl_sdu *before = b->queue.head ? b->queue.tail : NULL;
	const struct wl_stats *stats = &b->stats;
	struct wl_aqm_at at;

	if (!wl_buffer_take(b, sdu, now_ns))
		return;
	wl_buffer_list(b, sdu);
	if (b->aqm.ops && b->aqm.ops->arrived) {
		buffer_aqm_at(b, now_ns, &at);
		at.arriving = buffer_in_unit(at.cfg, 1, sdu->bytes);
		if (stats->v[WLINK_STAT_BUFFER_SDUS] == 1)
			at.idle_ns = now_ns - b->empty_ns;
		if (b->aqm.ops->arrived(&b->aqm, &at))
			buffer_aqm_hit(b, before, sdu, now_ns);
	}
}

/* Return: whether the AQM lets the SDU at the front be begun. */
static bool buffer_passes(struct wl_bearer *b, struct wl_sdu *sdu, u64 now_ns)
{
	const struct wl_aqm_cfg *aqm = &b->cfg.aqm;
	u64 sojourn_ns = now_ns - sdu->arrival_ns;
	struct wl_aqm_at at;

	sdu->flags |= WL_SDU_FRONT;
	if ((sdu->ecn & WL_ECN_MASK) == WL_ECN_ECT1 &&
	    wl_aqm_ramp(&b->aqm, aqm, sojourn_ns))
		buffer_mark(sdu, &b->stats.v[WLINK_STAT_RAMP_MARKS]);
	if (!b->aqm.ops || !b->aqm.ops->front)
		return true;
	buffer_aqm_at(b, now_ns, &at);
	at.sojourn_ns = sojourn_ns;
	at.bytes = sdu->bytes;
	at.behind_bytes = b->unbegun_bytes - sdu->bytes;
	if (!b->aqm.ops->front(&b->aqm, &at) || !at.behind_bytes)
		return true;
	return aqm->ecn && buffer_mark(sdu, &b->stats.v[WLINK_STAT_MARKS]);
}

void wl_buffer_front(struct wl_bearer *b, u64 now_ns)
{
	struct wl_sdu *sdu;

	if (!wl_buffer_asks(b))
		return;
	if (b->ops && b->ops->fresh_next && !b->ops->fresh_next(b))
		return;
	if (b->front_ns != now_ns)
		b->front_drops = 0;
	b->front_ns = now_ns;
	while (b->front_drops < FRONT_DROPS_MAX && (sdu = buffer_front(b)) &&
	       !buffer_begun(sdu) && !(sdu->flags & WL_SDU_FRONT) &&
	       !buffer_passes(b, sdu, now_ns)) {
		wl_buffer_drop_first(b, now_ns, WLINK_DROP_AQM);
		b->front_drops++;
		wl_link_spend(b->link, 1);
	}
}

void wl_buffer_start(struct wl_bearer *b, u64 now_ns)
{
	struct wl_aqm_at at;

	buffer_aqm_at(b, now_ns, &at);
	wl_aqm_start(&b->aqm, &at);
}

void wl_buffer_configure(struct wl_bearer *b, u64 now_ns,
			 const struct wl_cfg *old)
{
	struct wl_aqm_at at;

	if (old->limit.kind != b->cfg.limit.kind ||
	    old->limit.value != b->cfg.limit.value)
		b->trim = (struct wl_trim){ .on = true };
	/* What takes the time of several calls goes on in its order. */
	if (!b->again && !wl_buffer_trim(b, now_ns))
		b->again = true;
	buffer_aqm_at(b, now_ns, &at);
	if (memcmp(&old->aqm, &b->cfg.aqm, sizeof(old->aqm)) ||
	    wl_aqm_maxth(&old->aqm, old) != at.maxth)
		wl_aqm_change(&b->aqm, &at, &old->aqm);
}

void wl_buffer_event(struct wl_bearer *b, u64 now_ns)
{
	struct wl_aqm_at at;

	if (wl_aqm_next_ns(&b->aqm) > now_ns)
		return;
	buffer_aqm_at(b, now_ns, &at);
	b->aqm.ops->expired(&b->aqm, &at);
}
