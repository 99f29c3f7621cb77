// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <net/netlink.h>

#include "profile.h"
#include "stats.h"

#define AT(stat, member) { WLINK_STAT_##stat, offsetof(struct wl_stats, member) }

static const struct {
	u16 stat;
	u16 offset;
} stats_counters[] = {
	AT(SDUS_IN, sdus_in), AT(BYTES_IN, bytes_in),
	AT(SDUS_DELIVERED, sdus_delivered),
	AT(BYTES_DELIVERED, bytes_delivered), AT(BYTES_DROPPED, bytes_dropped),
	AT(SDUS_HELD, held), AT(BYTES_HELD, held_bytes),
	AT(DROP_OVERFLOW, drops[WLINK_DROP_OVERFLOW]),
	AT(DROP_CHANNEL, drops[WLINK_DROP_CHANNEL]),
	AT(DROP_SLOTS, drops[WLINK_DROP_SLOTS]),
	AT(DROP_FLUSH, drops[WLINK_DROP_FLUSH]),
	AT(DROP_MAXDAT, drops[WLINK_DROP_MAXDAT]),
	AT(DROP_TIMER, drops[WLINK_DROP_TIMER]),
	AT(DROP_RESET, drops[WLINK_DROP_RESET]),
	AT(DROP_REESTABLISH, drops[WLINK_DROP_REESTABLISH]),
	AT(DROP_SEGMENT, drops[WLINK_DROP_SEGMENT]),
	AT(DROP_AQM, drops[WLINK_DROP_AQM]), AT(AQM_SELF, aqm_self),
	AT(MARKS, marks), AT(RAMP_MARKS, ramp_marks), AT(PDUS_SENT, pdus_sent),
	AT(PDUS_LOST, pdus_lost), AT(PDUS_RETX, pdus_retx),
	AT(PDUS_CONTROL, pdus_control), AT(AIR_BYTES, air_bytes),
	AT(PAD_BYTES, pad_bytes), AT(LI_BYTES, li_bytes), AT(POLLS, polls),
	AT(DUPLICATES, duplicates), AT(FEEDBACK_SENT, feedback_sent),
	AT(FEEDBACK_LOST, feedback_lost), AT(FEEDBACK_BYTES, feedback_bytes),
	AT(FEEDBACK_NS, feedback_ns), AT(TIMEOUTS, timeouts), AT(MRWS, mrws),
	AT(RESETS, resets), AT(UNRECOVERABLE, unrecoverable),
	AT(BUFFER_SDUS, buffer_sdus), AT(BUFFER_BYTES, buffer_bytes),
	AT(BUFFER_SDUS_MAX, buffer_sdus_max),
	AT(BUFFER_BYTES_MAX, buffer_bytes_max),
	AT(QUEUE_NS, why_ns[WLINK_WHY_QUEUE]),
	AT(SERIAL_NS, why_ns[WLINK_WHY_SERIAL]),
	AT(PROP_NS, why_ns[WLINK_WHY_PROP]),
	AT(RETX_NS, why_ns[WLINK_WHY_RETX]), AT(HOL_NS, why_ns[WLINK_WHY_HOL]),
	AT(GRANTS, grants), AT(GRANT_BYTES, grant_bytes),
	AT(GRANT_BYTES_USED, grant_bytes_used),
};

void wl_stats_add_late(struct wl_late *sum, const struct wl_late *late)
{
	int i;

	sum->sum_ns += late->sum_ns;
	sum->max_ns = max(sum->max_ns, late->max_ns);
	for (i = 0; i < WLINK_LATE_BINS; i++)
		sum->bins[i] += late->bins[i];
}

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

static u64 stats_bound_ns(const struct wl_late *late, u32 percent)
{
	u64 part;
	u32 bin = stats_find(late->bins, percent, &part);

	if (bin == WLINK_LATE_BINS - 1)
		return late->max_ns;
	return min((1ULL << bin) - 1, late->max_ns);
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

static u64 stats_memory(const struct wl_sched *q, const struct wl_class *cl)
{
	u64 own = cl == &q->first ? sizeof(*q) : sizeof(struct wl_other_class);

	return own + cl->bearer->rings.bytes;
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
	if (READ_ONCE(cl->loading))
		v[WLINK_STAT_PLAY_STATE] = WLINK_PLAY_STATE_LOADED;
	if (!s)
		return;
	v[WLINK_STAT_PLAY_STATE] = s->state;
	v[WLINK_STAT_PLAY_STEPS] = s->steps;
	v[WLINK_STAT_PLAY_STEP] = s->step;
	v[WLINK_STAT_PLAY_PASS] = s->pass;
}

static void stats_fill_counters(u64 *v, const struct wl_stats *stats,
				const struct wl_late *late)
{
	const u64 *total = stats->why_bins[WLINK_WHY_TOTAL];
	int i;

	for (i = 0; i < ARRAY_SIZE(stats_counters); i++)
		v[stats_counters[i].stat] =
			*(u64 *)((void *)stats + stats_counters[i].offset);
	v[WLINK_STAT_LATE_NS] = late->sum_ns;
	v[WLINK_STAT_LATE_MAX_NS] = late->max_ns;
	v[WLINK_STAT_DELAY_P50_NS] = stats_spread_ns(total, 50);
	v[WLINK_STAT_DELAY_P95_NS] = stats_spread_ns(total, 95);
	v[WLINK_STAT_DELAY_P99_NS] = stats_spread_ns(total, 99);
	v[WLINK_STAT_LATE_P50_NS] = stats_bound_ns(late, 50);
	v[WLINK_STAT_LATE_P90_NS] = stats_bound_ns(late, 90);
	v[WLINK_STAT_LATE_P99_NS] = stats_bound_ns(late, 99);
}

/* Descriptors and heaps are of the link, all else of its bearers. */
static void stats_fill_link(u64 *v, struct wl_sched *q)
{
	const struct wl_class *cl;

	q->sum = q->link.gone;
	q->sum_late = q->deleted_late;
	v[WLINK_STAT_MEMORY] = q->pool.bytes + atomic64_read(&q->steps_bytes) +
			       wl_profile_bytes(q);
	if (q->nodes)
		v[WLINK_STAT_MEMORY] += 2 * (q->nodes_bearers + 1ULL) *
					sizeof(*q->nodes);
	list_for_each_entry(cl, &q->order, order) {
		wl_stats_add(&q->sum, &cl->bearer->stats);
		wl_stats_add_late(&q->sum_late, &cl->late);
		v[WLINK_STAT_WINDOW_PDUS] += stats_window(cl->bearer);
		v[WLINK_STAT_MEMORY] += stats_memory(q, cl);
	}
	v[WLINK_STAT_BEARERS] = q->link.bearers;
	v[WLINK_STAT_PENDING] = q->pending;
	stats_fill_now(v, &q->first, &q->link.air.chan);
	stats_fill_counters(v, &q->sum, &q->sum_late);
}

static void stats_fill(u64 *v, struct wl_sched *q, const struct wl_class *cl)
{
	if (!cl) {
		stats_fill_link(v, q);
		return;
	}
	v[WLINK_STAT_WINDOW_PDUS] = stats_window(cl->bearer);
	v[WLINK_STAT_MEMORY] = stats_memory(q, cl);
	stats_fill_now(v, cl, &cl->bearer->air->chan);
	stats_fill_counters(v, &cl->bearer->stats, &cl->late);
}

int wl_stats_dump(struct sk_buff *skb, struct wl_sched *q,
		  const struct wl_class *cl)
{
	u64 v[__WLINK_STAT_MAX] = { };

	stats_fill(v, q, cl);
	return nla_put_64bit(skb, TCA_STATS_APP, sizeof(v), v, TCA_STATS_PAD);
}

int wl_stats_get(struct sk_buff *skb, struct wl_sched *q,
		 const struct wl_class *cl)
{
	const struct wl_stats *stats = cl ? &cl->bearer->stats : &q->sum;
	const struct wl_late *late = cl ? &cl->late : &q->sum_late;
	u64 v[__WLINK_STAT_MAX] = { };

	stats_fill(v, q, cl);
	if (nla_put_64bit(skb, WLINK_A_STATS, sizeof(v), v, WLINK_A_PAD) ||
	    nla_put_64bit(skb, WLINK_A_LATE_BINS, sizeof(late->bins),
			  late->bins, WLINK_A_PAD) ||
	    nla_put_64bit(skb, WLINK_A_WHY_BINS, sizeof(stats->why_bins),
			  stats->why_bins, WLINK_A_PAD))
		return -EMSGSIZE;
	return 0;
}
