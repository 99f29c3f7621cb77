// SPDX-License-Identifier: GPL-2.0
#include <wlink/names.h>

#include "../core/aqm/aqm.h"
#include "../core/stats.h"
#include "counters.h"

/* Where drops and the parts of the delay are among the numbers. */
#define DROP(of, word, name) \
	[WLINK_DROP_##word] = WLINK_STAT_DROP_##word,
static const u8 counters_drops[__WLINK_DROP_MAX] = { WL_DROPS(DROP) };

#define WHY(of, word, name) \
	[WLINK_WHY_##word] = WLINK_STAT_##word##_NS,
static const u8 counters_whys[__WLINK_WHY_MAX] = { WL_PARTS(WHY) };

/* Return: the bin with a quantile; @part of 100 times what is in it is below that. */
static u32 counters_find(const u64 *bins, u32 percent, u64 *part)
{
	u64 want = 0;
	u32 bin;

	for (bin = 0; bin < WLINK_LATE_BINS; bin++)
		want += bins[bin] * percent;
	for (bin = 0; bin < WLINK_LATE_BINS - 1; bin++) {
		if (bins[bin] * 100 >= want)
			break;
		want -= bins[bin] * 100;
	}
	*part = want;
	return bin;
}

/* Values are taken as evenly spread in a bin. Bin n begins at 2^(n-1) and is as
 * wide; a digit of the quotient at a time, nothing is wider than 64 bits.
 */
static u64 counters_spread_ns(const u64 *bins, u32 percent)
{
	u64 part, whole, ns = 1;
	u32 i, bin;

	bin = counters_find(bins, percent, &part);
	whole = bins[bin] * 100;
	if (!bin)
		return 0;
	if (part == whole)
		return 1ULL << bin;
	for (i = 1; i < bin; i++) {
		part *= 2;
		ns = 2 * ns + (part >= whole);
		if (part >= whole)
			part -= whole;
	}
	return ns;
}

static u64 counters_bound_ns(const u64 *bins, u32 percent, u64 max_ns)
{
	u64 part;
	u32 bin = counters_find(bins, percent, &part);

	if (bin == WLINK_LATE_BINS - 1)
		return max_ns;
	return min((1ULL << bin) - 1, max_ns);
}

static u64 counters_window(const struct wl_bearer *b)
{
	switch (b->cfg.mode) {
	case WLINK_MODE_AM:
		return b->mode.am.vt_s - b->mode.am.vt_a;
	case WLINK_MODE_FSR:
	case WLINK_MODE_ASR:
		return b->mode.sr.next - b->mode.sr.una;
	default:
		return 0;
	}
}

void wl_counters_add(struct wl_stats *sum, const struct wl_bearer *b)
{
	wl_stats_add(sum, &b->stats);
	sum->v[WLINK_STAT_WINDOW_PDUS] += counters_window(b);
	sum->v[WLINK_STAT_MEMORY] += b->rings.bytes;
}

void wl_counters_now(struct wl_stats *sum, const struct wl_bearer *b, const struct wl_chan *chan)
{
	const struct wl_schedule *s = b->schedule ?: b->next_schedule;
	u64 *v = sum->v;

	v[WLINK_STAT_RATE] = b->cfg.rate_bps;
	v[WLINK_STAT_GENERATION] = b->link->generation;
	v[WLINK_STAT_CHANNEL_BAD] = chan->bad;
	v[WLINK_STAT_CHANNEL_FRAMES] = chan->frames;
	v[WLINK_STAT_CHANNEL_FRAMES_BAD] = chan->frames_bad;
	if (b->cfg.mode == WLINK_MODE_FSR || b->cfg.mode == WLINK_MODE_ASR)
		v[WLINK_STAT_RTO_NS] = b->mode.sr.rtxto_ns;
	v[WLINK_STAT_AQM_STATE] = wl_aqm_state(&b->aqm);
	v[WLINK_STAT_AQM_LEVEL] = wl_aqm_level(&b->aqm);
	v[WLINK_STAT_RRC_STATE] = b->drx.state;
	if (!s)
		return;
	v[WLINK_STAT_SCHEDULE_STATE] = s->state;
	v[WLINK_STAT_SCHEDULE_STEPS] = s->steps;
	v[WLINK_STAT_SCHEDULE_STEP] = s->step;
	v[WLINK_STAT_SCHEDULE_PASS] = s->pass;
}

void wl_counters_end(struct wl_stats *stats)
{
	const u64 *total = stats->why_bins[WLINK_WHY_TOTAL];
	const u64 *late = stats->why_bins[WL_WHY_LATE];
	u64 *v = stats->v;
	u64 late_ns = v[WLINK_STAT_LATE_MAX_NS];
	int i;

	for (i = WLINK_DROP_OVERFLOW; i < __WLINK_DROP_MAX; i++)
		v[counters_drops[i]] = stats->drops[i];
	for (i = 0; i < __WLINK_WHY_MAX; i++)
		if (i != WLINK_WHY_TOTAL)
			v[counters_whys[i]] = stats->why_ns[i];
	v[WLINK_STAT_LATE_NS] = stats->why_ns[WL_WHY_LATE];
	v[WLINK_STAT_DELAY_P50_NS] = counters_spread_ns(total, 50);
	v[WLINK_STAT_DELAY_P95_NS] = counters_spread_ns(total, 95);
	v[WLINK_STAT_DELAY_P99_NS] = counters_spread_ns(total, 99);
	v[WLINK_STAT_LATE_P50_NS] = counters_bound_ns(late, 50, late_ns);
	v[WLINK_STAT_LATE_P90_NS] = counters_bound_ns(late, 90, late_ns);
	v[WLINK_STAT_LATE_P99_NS] = counters_bound_ns(late, 99, late_ns);
}
