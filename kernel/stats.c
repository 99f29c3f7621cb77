// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <net/netlink.h>

#include <wlink/names.h>

#include "memory/kept.h"
#include "stats.h"

/* Where drops and the parts of the delay are among the numbers. */
#define DROP(of, word, name) \
	[WLINK_DROP_##word] = WLINK_STAT_DROP_##word,
static const u8 stats_drops[__WLINK_DROP_MAX] = { WL_DROPS(DROP) };

#define WHY(of, word, name) \
	[WLINK_WHY_##word] = WLINK_STAT_##word##_NS,
static const u8 stats_whys[__WLINK_WHY_MAX] = { WL_PARTS(WHY) };

/* Return: the bin with a quantile; @part of 100 times what is in it is below that. */
static u32 stats_find(const u64 *bins, u32 percent, u64 *part)
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
static u64 stats_spread_ns(const u64 *bins, u32 percent)
{
	u64 part, whole, ns = 1;
	u32 i, bin;

	bin = stats_find(bins, percent, &part);
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

static u64 stats_bound_ns(const u64 *bins, u32 percent, u64 max_ns)
{
	u64 part;
	u32 bin = stats_find(bins, percent, &part);

	if (bin == WLINK_LATE_BINS - 1)
		return max_ns;
	return min((1ULL << bin) - 1, max_ns);
}

static u64 stats_window(const struct wl_bearer *b)
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

static void stats_fill_now(u64 *v, const struct wl_class *cl,
			   const struct wl_chan *chan)
{
	const struct wl_bearer *b = cl->bearer;
	const struct wl_schedule *s = b->schedule ?: b->next_schedule;

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
	if (READ_ONCE(cl->loading))
		v[WLINK_STAT_SCHEDULE_STATE] = WLINK_SCHEDULE_STATE_LOADED;
	if (!s)
		return;
	v[WLINK_STAT_SCHEDULE_STATE] = s->state;
	v[WLINK_STAT_SCHEDULE_STEPS] = s->steps;
	v[WLINK_STAT_SCHEDULE_STEP] = s->step;
	v[WLINK_STAT_SCHEDULE_PASS] = s->pass;
}

static void stats_fill_sums(u64 *v, const struct wl_stats *stats)
{
	const u64 *total = stats->why_bins[WLINK_WHY_TOTAL];
	const u64 *late = stats->why_bins[WL_WHY_LATE];
	u64 late_ns = v[WLINK_STAT_LATE_MAX_NS];
	int i;

	for (i = WLINK_DROP_OVERFLOW; i < __WLINK_DROP_MAX; i++)
		v[stats_drops[i]] = stats->drops[i];
	for (i = 0; i < __WLINK_WHY_MAX; i++)
		if (i != WLINK_WHY_TOTAL)
			v[stats_whys[i]] = stats->why_ns[i];
	v[WLINK_STAT_LATE_NS] = stats->why_ns[WL_WHY_LATE];
	v[WLINK_STAT_DELAY_P50_NS] = stats_spread_ns(total, 50);
	v[WLINK_STAT_DELAY_P95_NS] = stats_spread_ns(total, 95);
	v[WLINK_STAT_DELAY_P99_NS] = stats_spread_ns(total, 99);
	v[WLINK_STAT_LATE_P50_NS] = stats_bound_ns(late, 50, late_ns);
	v[WLINK_STAT_LATE_P90_NS] = stats_bound_ns(late, 90, late_ns);
	v[WLINK_STAT_LATE_P99_NS] = stats_bound_ns(late, 99, late_ns);
}

static void stats_add(struct wl_sched *q, const struct wl_class *cl)
{
	wl_look(q, 1);
	wl_stats_add(&q->sum, &cl->bearer->stats);
	q->sum.v[WLINK_STAT_WINDOW_PDUS] += stats_window(cl->bearer);
	q->sum.v[WLINK_STAT_MEMORY] += cl->bearer->rings.bytes +
		(cl == &q->first ? sizeof(*q) : sizeof(struct wl_other_class));
}

/* Descriptors and heaps are of the link, all else of its bearers. What each of many bearers
 * has counted is of one time, and so is their sum but for what happens while others have
 * the lock.
 */
static void stats_fill(struct wl_sched *q, const struct wl_class *cl)
{
	const struct wl_chan *chan = cl ? &cl->bearer->air->chan : &q->link.air.chan;
	u64 *v = q->sum.v;

	memset(&q->sum, 0, sizeof(q->sum));
	if (cl) {
		stats_add(q, cl);
		stats_fill_now(v, cl, chan);
	} else {
		list_for_each_entry(cl, &q->order, order) {
			wl_walk_on(q->sch);
			stats_add(q, cl);
		}
		wl_stats_add(&q->sum, &q->link.gone);
		v[WLINK_STAT_MEMORY] += q->pool.bytes + wl_kept_bytes(q) +
					atomic64_read(&q->steps_bytes);
		if (q->nodes)
			v[WLINK_STAT_MEMORY] += 2 * (q->nodes_bearers + 1ULL) *
						sizeof(*q->nodes);
		v[WLINK_STAT_BEARERS] = q->link.bearers;
		v[WLINK_STAT_PENDING] = q->pending;
		stats_fill_now(v, &q->first, chan);
	}
	stats_fill_sums(v, &q->sum);
}

int wl_stats_dump(struct sk_buff *skb, struct wl_sched *q,
		  const struct wl_class *cl)
{
	u32 count = __WLINK_STAT_MAX;

	stats_fill(q, cl);
	/* A message has two dumps where a qdisc takes the place of another. What
	 * is not there is 0 for who reads it.
	 */
	while (count > WLINK_STAT_DROP_FORWARD && !q->sum.v[count - 1])
		count--;
	return nla_put_64bit(skb, TCA_STATS_APP, count * sizeof(q->sum.v[0]),
			     q->sum.v, TCA_STATS_PAD);
}

int wl_stats_get(struct sk_buff *skb, struct wl_sched *q,
		 const struct wl_class *cl)
{
	stats_fill(q, cl);
	if (nla_put_64bit(skb, WLINK_A_STATS, sizeof(q->sum.v), q->sum.v, WLINK_A_PAD) ||
	    nla_put_64bit(skb, WLINK_A_LATE_BINS, sizeof(q->sum.why_bins[0]),
			  q->sum.why_bins[WL_WHY_LATE], WLINK_A_PAD) ||
	    nla_put_64bit(skb, WLINK_A_WHY_BINS,
			  __WLINK_WHY_MAX * sizeof(q->sum.why_bins[0]),
			  q->sum.why_bins, WLINK_A_PAD))
		return -EMSGSIZE;
	return 0;
}
