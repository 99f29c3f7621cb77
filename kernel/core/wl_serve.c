// SPDX-License-Identifier: GPL-2.0
/*
 * How bits get on the air.
 *
 * TTI > 0: at each start of a TTI the link gets rate x TTI bits, fractions
 * carried, and sends whole PDUs from the queue while bits last. What is left
 * stays for the next TTI as long as the queue is not empty, so a PDU may need
 * several TTIs. A SDU is complete at the end of the TTI with its last PDU.
 *
 * TTI 0: PDUs follow each other without a gap. Work is counted in 10^-9 bit, of
 * which a rate in bit/s does exactly rate per ns. The end of a PDU is rounded
 * up to a whole ns and the excess is paid back to the next one, so that N bits
 * sent without a pause take ceil(N * 10^9 / rate) ns, whatever N.
 *
 * The last PDU of a SDU is as long as what is left: transparent mode neither
 * pads nor concatenates (TS 25.322 clause 4.2.1.1).
 */
#include "wl_serve.h"

#define WORK_PER_BYTE	(8 * WL_NSEC_PER_SEC)

static u32 next_pdu_bytes(const struct wl_link *link, u32 left_bytes)
{
	u32 pdu_bytes = link->cfg.pdu_bytes;

	return pdu_bytes && pdu_bytes < left_bytes ? pdu_bytes : left_bytes;
}

static void step_channel(struct wl_link *link, u64 at_ns, u64 frames)
{
	bool was_bad = link->chan.bad;

	wl_chan_step(&link->chan, frames);
	if (link->chan.bad != was_bad)
		link->ops->channel_changed(link, at_ns, link->chan.bad);
}

/* Frames pass while the link is idle, too: catch up to the TTI of now. */
static void sync_channel(struct wl_link *link, u64 now_ns)
{
	u64 frames = 0;

	if (link->chan.cfg.kind == WLINK_CHANNEL_GILBERT)
		frames = div64_u64(now_ns - link->chan_at_ns, link->cfg.tti_ns);
	link->chan_at_ns = now_ns;
	step_channel(link, now_ns, frames);
}

static void count_frames(struct wl_link *link, u64 frames)
{
	link->chan.frames += frames;
	if (link->chan.bad)
		link->chan.frames_bad += frames;
}

static void count_pdus(struct wl_link *link, struct wl_sdu *sdu, u32 bytes,
		       u32 pdus, u32 lost, u32 header_bytes)
{
	struct wl_stats *stats = &link->stats;

	sdu->left_bytes -= bytes;
	sdu->pdus += pdus;
	sdu->pdus_lost += lost;
	stats->pdus_sent += pdus;
	stats->pdus_lost += lost;
	stats->air_bytes += bytes + (u64)pdus * header_bytes;
}

/* As many equal PDUs of one SDU as the credit and the steps allow, one at
 * least.
 */
static void send_run(struct wl_link *link, struct wl_sdu *sdu, u64 now_ns,
		     u32 pdu_bytes, u32 *work)
{
	bool certain = wl_chan_certain(&link->chan);
	u32 pdus = 1, cost;

	if (pdu_bytes < sdu->left_bytes)
		pdus = min_t(u64, sdu->left_bytes / pdu_bytes,
			     div_u64(link->credit_bits, 8 * pdu_bytes));
	if (!certain)
		pdus = min(pdus, max(*work, 1U));
	cost = certain ? 1 : pdus;
	*work -= min(*work, cost);
	link->credit_bits -= 8ULL * pdus * pdu_bytes;
	count_pdus(link, sdu, pdus * pdu_bytes, pdus,
		   wl_chan_lost(&link->chan, pdus), link->cfg.header_bytes);
	if (!sdu->left_bytes) {
		sdu->end_ns = now_ns + link->cfg.tti_ns;
		wl_fifo_push(&link->air, wl_fifo_pop(&link->queue));
	}
}

static void start_tti(struct wl_link *link, u64 now_ns, u32 *work)
{
	struct wl_sdu *sdu;
	u32 pdu_bytes;

	if (!link->filling) {
		link->filling = true;
		sync_channel(link, now_ns);
		count_frames(link, 1);
		link->credit_bits += link->quota_bits;
		link->credit_rest += link->quota_rest;
		if (link->credit_rest >= WL_NSEC_PER_SEC) {
			link->credit_rest -= WL_NSEC_PER_SEC;
			link->credit_bits++;
		}
	}
	while ((sdu = link->queue.head)) {
		if (sdu->start_ns == WL_NEVER_NS && link->credit_bits)
			sdu->start_ns = now_ns;
		pdu_bytes = next_pdu_bytes(link, sdu->left_bytes);
		if (link->credit_bits < 8ULL * pdu_bytes)
			break;
		send_run(link, sdu, now_ns, pdu_bytes, work);
		if (!*work)
			return;
	}
	link->filling = false;
	if (link->queue.head) {
		link->start_ns = now_ns + link->cfg.tti_ns;
		return;
	}
	link->start_ns = WL_NEVER_NS;
	link->credit_bits = 0;
	link->credit_rest = 0;
}

static void set_unit_end(struct wl_link *link)
{
	struct wl_unit *unit = &link->unit;

	unit->end_ns = unit->work_at_ns;
	if (unit->work > 0)
		unit->end_ns += DIV64_U64_ROUND_UP((u64)unit->work,
						   link->cfg.rate_bps);
}

static void start_unit(struct wl_link *link, u64 now_ns)
{
	struct wl_sdu *sdu = link->queue.head;
	struct wl_unit *unit = &link->unit;
	u32 pdus = 1;

	link->start_ns = WL_NEVER_NS;
	if (sdu->start_ns == WL_NEVER_NS)
		sdu->start_ns = now_ns;
	step_channel(link, now_ns, 1);
	unit->sdu = sdu;
	unit->pdu_bytes = next_pdu_bytes(link, sdu->left_bytes);
	unit->header_bytes = link->cfg.header_bytes;
	unit->bytes = unit->pdu_bytes;
	/* Where each PDU has the same fate, the rest of the SDU is one unit. */
	if (link->chan.cfg.kind != WLINK_CHANNEL_GILBERT &&
	    wl_chan_certain(&link->chan)) {
		unit->bytes = sdu->left_bytes;
		pdus = DIV_ROUND_UP(unit->bytes, unit->pdu_bytes);
	}
	unit->lost = wl_chan_lost(&link->chan, pdus);
	unit->work = (s64)(unit->bytes * WORK_PER_BYTE) - (s64)link->over;
	unit->work_at_ns = now_ns;
	set_unit_end(link);
}

/* Work done past the end of the unit, less than one ns of it. */
static u64 unit_over(const struct wl_link *link)
{
	const struct wl_unit *unit = &link->unit;

	return (unit->end_ns - unit->work_at_ns) * link->cfg.rate_bps -
	       unit->work;
}

static struct wl_sdu *end_unit(struct wl_link *link, u64 now_ns)
{
	struct wl_unit *unit = &link->unit;
	struct wl_sdu *sdu = unit->sdu;
	u32 pdus = DIV_ROUND_UP(unit->bytes, unit->pdu_bytes);

	link->over = unit_over(link);
	count_pdus(link, sdu, unit->bytes, pdus, unit->lost,
		   unit->header_bytes);
	count_frames(link, pdus);
	unit->sdu = NULL;
	unit->end_ns = WL_NEVER_NS;
	if (!sdu->left_bytes)
		wl_fifo_pop(&link->queue);
	if (link->cfg.tti_ns || !link->queue.head)
		link->over = 0;
	if (link->queue.head)
		wl_serve_wake(link, now_ns);
	return sdu->left_bytes ? NULL : sdu;
}

/* Shorten a unit of several PDUs to the one on the air now, because the next
 * one may meet other conditions. One that ends now is over and the one after
 * it has begun: a change comes after all that the link did until then.
 */
static void cut_unit(struct wl_unit *unit)
{
	u64 done = unit->bytes * WORK_PER_BYTE - unit->work;
	u64 pdus = div64_u64(done, unit->pdu_bytes * WORK_PER_BYTE) + 1;
	u64 bytes = min_t(u64, pdus * unit->pdu_bytes, unit->bytes);

	unit->work -= (unit->bytes - bytes) * WORK_PER_BYTE;
	unit->bytes = bytes;
	if (unit->lost)
		unit->lost = pdus;
}

static void set_quota(struct wl_link *link)
{
	u64 rate_g = div64_u64(link->cfg.rate_bps, WL_NSEC_PER_SEC);
	u64 rate_rest = link->cfg.rate_bps - rate_g * WL_NSEC_PER_SEC;
	u64 product = rate_rest * link->cfg.tti_ns;

	/* rate_rest < 10^9 and tti <= 10^10, so the product fits 64 bits. */
	link->quota_bits = div64_u64(product, WL_NSEC_PER_SEC);
	link->quota_rest = product - link->quota_bits * WL_NSEC_PER_SEC;
	link->quota_bits += rate_g * link->cfg.tti_ns;
}

static void set_grid(struct wl_link *link, u64 now_ns)
{
	link->origin_ns = now_ns;
	link->chan_at_ns = now_ns;
	link->credit_bits = 0;
	link->credit_rest = 0;
	link->over = 0;
	if (link->queue.head && !link->unit.sdu)
		link->start_ns = now_ns;
}

void wl_serve_configure(struct wl_link *link, u64 now_ns,
			const struct wl_cfg *cfg, bool reseed)
{
	struct wl_unit *unit = &link->unit;
	bool new_tti = link->cfg.tti_ns != cfg->tti_ns;
	bool was_bad;

	if (link->cfg.tti_ns)
		sync_channel(link, now_ns);
	if (unit->sdu) {
		unit->work -= (now_ns - unit->work_at_ns) * link->cfg.rate_bps;
		unit->work_at_ns = now_ns;
		if (new_tti || link->cfg.pdu_bytes != cfg->pdu_bytes ||
		    link->cfg.header_bytes != cfg->header_bytes ||
		    memcmp(&link->cfg.channel, &cfg->channel,
			   sizeof(cfg->channel)))
			cut_unit(unit);
	}
	link->cfg = *cfg;
	if (reseed)
		wl_chan_seed(&link->chan, cfg->seed);
	was_bad = link->chan.bad;
	wl_chan_set(&link->chan, &cfg->channel);
	if (link->chan.bad != was_bad)
		link->ops->channel_changed(link, now_ns, link->chan.bad);
	if (unit->sdu)
		set_unit_end(link);
	set_quota(link);
	if (new_tti)
		set_grid(link, now_ns);
}

u64 wl_serve_boundary_ns(const struct wl_link *link, u64 now_ns)
{
	u64 ttis = div64_u64(now_ns - link->origin_ns, link->cfg.tti_ns);

	return link->origin_ns + (ttis + 1) * link->cfg.tti_ns;
}

void wl_serve_wake(struct wl_link *link, u64 now_ns)
{
	link->start_ns = link->cfg.tti_ns ? wl_serve_boundary_ns(link, now_ns) :
					    now_ns;
}

void wl_serve_start(struct wl_link *link, u64 now_ns, u32 *work)
{
	if (link->cfg.tti_ns)
		start_tti(link, now_ns, work);
	else
		start_unit(link, now_ns);
}

u64 wl_serve_end_ns(const struct wl_link *link)
{
	if (link->air.head)
		return link->air.head->end_ns;
	return link->unit.end_ns;
}

struct wl_sdu *wl_serve_end(struct wl_link *link, u64 now_ns)
{
	if (link->air.head)
		return wl_fifo_pop(&link->air);
	return end_unit(link, now_ns);
}

static u64 first_unit_done_ns(const struct wl_link *link)
{
	const struct wl_unit *unit = &link->unit;
	u64 work, over;

	if (!unit->sdu)
		return link->start_ns;
	work = (unit->sdu->left_bytes - unit->bytes) * WORK_PER_BYTE;
	over = unit_over(link);
	if (work <= over)
		return unit->end_ns;
	return unit->end_ns +
	       DIV64_U64_ROUND_UP(work - over, link->cfg.rate_bps);
}

u64 wl_serve_first_done_ns(const struct wl_link *link)
{
	u64 need_bits, have_bits, quota_bits;
	u64 ttis = 1;

	if (!link->cfg.tti_ns || link->unit.sdu || link->filling)
		return first_unit_done_ns(link);
	/* Where a TTI holds a fraction of a bit, take it for a whole one: early
	 * is harmless.
	 */
	quota_bits = link->quota_bits + !!link->quota_rest;
	need_bits = 8ULL * link->queue.head->left_bytes;
	have_bits = link->credit_bits + quota_bits;
	if (need_bits > have_bits)
		ttis += DIV64_U64_ROUND_UP(need_bits - have_bits, quota_bits);
	return link->start_ns + ttis * link->cfg.tti_ns;
}
