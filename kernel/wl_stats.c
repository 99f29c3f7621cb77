// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <net/netlink.h>

#include "wl_profile.h"
#include "wl_stats.h"

/* What the dump of a bearer and that of a link have, besides counters. */
struct extra {
	const struct wl_stats *stats;
	const struct wl_late *late;
	const struct wl_chan *chan;
	const struct wl_aqm *aqm;
	const struct wl_play *play;
	u64 rate_bps;
	u64 generation;
	u64 window_pdus;
	u64 rto_ns;
	u64 bearers;
	u64 memory;
	u64 pending;
	bool loading;
};

/* What the kernel adds: TCA_STATS, and basic, queue and rate of TCA_STATS2, in
 * the qdisc's also what is left of a size table.
 */
#define KERNEL_BYTES	320

/* Numbers that are put one by one, at most. */
#define EXTRAS		18

#define AT(type, member) { TCA_WLINK_XSTATS_##type, \
			   offsetof(struct wl_stats, member) }

static const struct {
	u16 type;
	u16 offset;
} counters[] = {
	AT(SDUS_IN, sdus_in),
	AT(BYTES_IN, bytes_in),
	AT(SDUS_DELIVERED, sdus_delivered),
	AT(BYTES_DELIVERED, bytes_delivered),
	AT(BYTES_DROPPED, bytes_dropped),
	AT(SDUS_HELD, held),
	AT(BYTES_HELD, held_bytes),
	AT(DROP_OVERFLOW, drops[WLINK_DROP_OVERFLOW]),
	AT(DROP_CHANNEL, drops[WLINK_DROP_CHANNEL]),
	AT(DROP_SLOTS, drops[WLINK_DROP_SLOTS]),
	AT(DROP_FLUSH, drops[WLINK_DROP_FLUSH]),
	AT(DROP_MAXDAT, drops[WLINK_DROP_MAXDAT]),
	AT(DROP_TIMER, drops[WLINK_DROP_TIMER]),
	AT(DROP_RESET, drops[WLINK_DROP_RESET]),
	AT(DROP_REESTABLISH, drops[WLINK_DROP_REESTABLISH]),
	AT(DROP_AQM, drops[WLINK_DROP_AQM]),
	AT(AQM_SELF, aqm_self),
	AT(MARKS, marks),
	AT(RAMP_MARKS, ramp_marks),
	AT(PDUS_SENT, pdus_sent),
	AT(PDUS_LOST, pdus_lost),
	AT(PDUS_RETX, pdus_retx),
	AT(PDUS_CONTROL, pdus_control),
	AT(AIR_BYTES, air_bytes),
	AT(PAD_BYTES, pad_bytes),
	AT(LI_BYTES, li_bytes),
	AT(POLLS, polls),
	AT(DUPLICATES, duplicates),
	AT(FEEDBACK_SENT, feedback_sent),
	AT(FEEDBACK_LOST, feedback_lost),
	AT(FEEDBACK_BYTES, feedback_bytes),
	AT(FEEDBACK_NS, feedback_ns),
	AT(TIMEOUTS, timeouts),
	AT(MRWS, mrws),
	AT(RESETS, resets),
	AT(UNRECOVERABLE, unrecoverable),
	AT(BUFFER_SDUS, buffer_sdus),
	AT(BUFFER_BYTES, buffer_bytes),
	AT(BUFFER_SDUS_MAX, buffer_sdus_max),
	AT(BUFFER_BYTES_MAX, buffer_bytes_max),
	AT(QUEUE_NS, why_ns[WLINK_WHY_QUEUE]),
	AT(SERIAL_NS, why_ns[WLINK_WHY_SERIAL]),
	AT(PROP_NS, why_ns[WLINK_WHY_PROP]),
	AT(RETX_NS, why_ns[WLINK_WHY_RETX]),
	AT(HOL_NS, why_ns[WLINK_WHY_HOL]),
	AT(GRANTS, grants),
	AT(GRANT_BYTES, grant_bytes),
	AT(GRANT_BYTES_USED, grant_bytes_used),
};

int wl_stats_size(void)
{
	int numbers = ARRAY_SIZE(counters) + EXTRAS;

	return nla_total_size(0) + numbers * nla_total_size_64bit(sizeof(u64)) +
	       nla_total_size_64bit(sizeof_field(struct wl_late, bins)) +
	       nla_total_size(__WLINK_WHY_MAX * WLINK_LATE_BINS * sizeof(u32)) +
	       KERNEL_BYTES;
}

void wl_stats_add_late(struct wl_late *sum, const struct wl_late *late)
{
	int i;

	sum->sum_ns += late->sum_ns;
	sum->max_ns = max(sum->max_ns, late->max_ns);
	for (i = 0; i < WLINK_LATE_BINS; i++)
		sum->bins[i] += late->bins[i];
}

static int put(struct sk_buff *skb, int type, u64 value)
{
	return nla_put_u64_64bit(skb, type, value, TCA_WLINK_XSTATS_PAD);
}

static int put_counters(struct sk_buff *skb, const struct wl_stats *stats)
{
	int err = 0, i;

	for (i = 0; !err && i < ARRAY_SIZE(counters); i++)
		err = put(skb, counters[i].type,
			  *(u64 *)((void *)stats + counters[i].offset));
	return err;
}

static int put_extra(struct sk_buff *skb, const struct extra *extra)
{
	const struct wl_late *late = extra->late;
	const struct wl_chan *chan = extra->chan;

	if (put(skb, TCA_WLINK_XSTATS_LATE_NS, late->sum_ns) ||
	    put(skb, TCA_WLINK_XSTATS_LATE_MAX_NS, late->max_ns) ||
	    put(skb, TCA_WLINK_XSTATS_RATE, extra->rate_bps) ||
	    put(skb, TCA_WLINK_XSTATS_GENERATION, extra->generation) ||
	    put(skb, TCA_WLINK_XSTATS_CHANNEL_BAD, chan->bad) ||
	    put(skb, TCA_WLINK_XSTATS_CHANNEL_FRAMES, chan->frames) ||
	    put(skb, TCA_WLINK_XSTATS_CHANNEL_FRAMES_BAD, chan->frames_bad) ||
	    put(skb, TCA_WLINK_XSTATS_WINDOW_PDUS, extra->window_pdus) ||
	    put(skb, TCA_WLINK_XSTATS_RTO_NS, extra->rto_ns) ||
	    put(skb, TCA_WLINK_XSTATS_MEMORY, extra->memory))
		return -EMSGSIZE;
	if (extra->bearers &&
	    (put(skb, TCA_WLINK_XSTATS_BEARERS, extra->bearers) ||
	     put(skb, TCA_WLINK_XSTATS_PENDING, extra->pending)))
		return -EMSGSIZE;
	return 0;
}

static u64 play_state(const struct extra *extra)
{
	if (extra->play)
		return extra->play->state;
	return extra->loading ? WLINK_PLAY_STATE_LOADED :
				WLINK_PLAY_STATE_NONE;
}

/* Whether there is a schedule or not: who reads on need not guess. */
static int put_aqm_and_play(struct sk_buff *skb, const struct extra *extra)
{
	const struct wl_play *play = extra->play;

	if (put(skb, TCA_WLINK_XSTATS_AQM_STATE, wl_aqm_state(extra->aqm)) ||
	    put(skb, TCA_WLINK_XSTATS_AQM_LEVEL, wl_aqm_level(extra->aqm)) ||
	    put(skb, TCA_WLINK_XSTATS_PLAY_STATE, play_state(extra)) ||
	    put(skb, TCA_WLINK_XSTATS_PLAY_STEPS, play ? play->steps : 0) ||
	    put(skb, TCA_WLINK_XSTATS_PLAY_STEP, play ? play->step : 0) ||
	    put(skb, TCA_WLINK_XSTATS_PLAY_PASS, play ? play->pass : 0))
		return -EMSGSIZE;
	return 0;
}

/* A dump has 3.7 KB for a class, and 64 bits for each bin would take half of
 * them. Percentiles do not mind a common divisor.
 */
static int put_why(struct sk_buff *skb, const struct wl_stats *stats)
{
	const u64 *bins = &stats->why_bins[0][0];
	int count = __WLINK_WHY_MAX * WLINK_LATE_BINS;
	struct nlattr *attr;
	u64 all = 0;
	int shift, i;
	u32 *to;

	attr = nla_reserve(skb, TCA_WLINK_XSTATS_WHY_BINS, count * sizeof(*to));
	if (!attr)
		return -EMSGSIZE;
	for (i = 0; i < count; i++)
		all |= bins[i];
	shift = max(fls64(all) - 32, 0);
	to = nla_data(attr);
	for (i = 0; i < count; i++)
		to[i] = bins[i] >> shift;
	return 0;
}

static int dump(struct sk_buff *skb, const struct extra *extra)
{
	const struct wl_stats *stats = extra->stats;
	const struct wl_late *late = extra->late;
	struct nlattr *nest = nla_nest_start(skb, TCA_STATS_APP);

	if (!nest)
		return -EMSGSIZE;
	if (put_counters(skb, stats) || put_extra(skb, extra) ||
	    put_aqm_and_play(skb, extra) ||
	    nla_put_64bit(skb, TCA_WLINK_XSTATS_LATE_BINS, sizeof(late->bins),
			  late->bins, TCA_WLINK_XSTATS_PAD) ||
	    put_why(skb, stats)) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static u64 outstanding(const struct wl_bearer *b)
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

static u64 rto_ns(const struct wl_bearer *b)
{
	bool sr = b->cfg.mode == WLINK_MODE_FSR ||
		  b->cfg.mode == WLINK_MODE_ASR;

	return sr ? b->mode.sr.rtxto_ns : 0;
}

static u64 memory(const struct wl_sched *q, const struct wl_class *cl)
{
	u64 own = cl == &q->first ? sizeof(*q) : sizeof(struct wl_other_class);

	return own + cl->bearer->room.bytes;
}

int wl_stats_dump_class(struct sk_buff *skb, const struct wl_sched *q,
			const struct wl_class *cl)
{
	const struct wl_bearer *b = cl->bearer;
	struct extra extra = {
		.stats = &b->stats,
		.late = &cl->late,
		.chan = &b->air->chan,
		.aqm = &b->aqm,
		.play = b->play ?: b->next_play,
		.loading = READ_ONCE(cl->loading),
		.rate_bps = b->cfg.rate_bps,
		.generation = q->link.generation,
		.window_pdus = outstanding(b),
		.rto_ns = rto_ns(b),
		.memory = memory(q, cl),
	};

	return dump(skb, &extra);
}

/* Descriptors and heaps are of the link, all else of its bearers. */
int wl_stats_dump(struct sk_buff *skb, struct wl_sched *q)
{
	const struct wl_bearer *first = &q->link.first;
	struct extra extra = {
		.stats = &q->sum,
		.late = &q->sum_late,
		.chan = &q->link.air.chan,
		.aqm = &first->aqm,
		.play = first->play ?: first->next_play,
		.loading = READ_ONCE(q->first.loading),
		.pending = q->pending,
		.rate_bps = first->cfg.rate_bps,
		.generation = q->link.generation,
		.rto_ns = rto_ns(first),
		.bearers = q->link.bearers,
		.memory = q->pool.bytes,
	};
	const struct wl_class *cl;

	q->sum = q->link.gone;
	q->sum_late = q->gone_late;
	list_for_each_entry(cl, &q->order, order) {
		wl_stats_add(&q->sum, &cl->bearer->stats);
		wl_stats_add_late(&q->sum_late, &cl->late);
		extra.window_pdus += outstanding(cl->bearer);
		extra.memory += memory(q, cl);
	}
	extra.memory += READ_ONCE(q->steps_bytes) + wl_profile_bytes(q);
	if (q->nodes)
		extra.memory += 2 * (q->nodes_bearers + 1ULL) *
				sizeof(*q->nodes);
	return dump(skb, &extra);
}
