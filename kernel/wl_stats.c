// SPDX-License-Identifier: GPL-2.0
#include <linux/bitops.h>
#include <net/netlink.h>

#include "wl_stats.h"

void wl_stats_late(struct wl_late *late, u64 late_ns)
{
	late->sum_ns += late_ns;
	late->max_ns = max(late->max_ns, late_ns);
	late->bins[min(fls64(late_ns), WLINK_LATE_BINS - 1)]++;
}

int wl_stats_dump(struct sk_buff *skb, const struct wl_sched *q)
{
	const struct wl_link *link = &q->link;
	const struct wl_stats *stats = &link->stats;
	const struct {
		int type;
		u64 value;
	} all[] = {
		{ TCA_WLINK_XSTATS_SDUS_IN, stats->sdus_in },
		{ TCA_WLINK_XSTATS_BYTES_IN, stats->bytes_in },
		{ TCA_WLINK_XSTATS_SDUS_DELIVERED, stats->sdus_delivered },
		{ TCA_WLINK_XSTATS_BYTES_DELIVERED, stats->bytes_delivered },
		{ TCA_WLINK_XSTATS_BYTES_DROPPED, stats->bytes_dropped },
		{ TCA_WLINK_XSTATS_SDUS_HELD, link->held },
		{ TCA_WLINK_XSTATS_BYTES_HELD, link->held_bytes },
		{ TCA_WLINK_XSTATS_DROP_OVERFLOW,
		  stats->drops[WLINK_DROP_OVERFLOW] },
		{ TCA_WLINK_XSTATS_DROP_CHANNEL,
		  stats->drops[WLINK_DROP_CHANNEL] },
		{ TCA_WLINK_XSTATS_DROP_SLOTS, stats->drops[WLINK_DROP_SLOTS] },
		{ TCA_WLINK_XSTATS_DROP_FLUSH, stats->drops[WLINK_DROP_FLUSH] },
		{ TCA_WLINK_XSTATS_PDUS_SENT, stats->pdus_sent },
		{ TCA_WLINK_XSTATS_PDUS_LOST, stats->pdus_lost },
		{ TCA_WLINK_XSTATS_AIR_BYTES, stats->air_bytes },
		{ TCA_WLINK_XSTATS_BUFFER_SDUS, stats->buffer_sdus },
		{ TCA_WLINK_XSTATS_BUFFER_BYTES, stats->buffer_bytes },
		{ TCA_WLINK_XSTATS_BUFFER_SDUS_MAX, stats->buffer_sdus_max },
		{ TCA_WLINK_XSTATS_BUFFER_BYTES_MAX, stats->buffer_bytes_max },
		{ TCA_WLINK_XSTATS_QUEUE_NS, stats->queue_ns },
		{ TCA_WLINK_XSTATS_SERIAL_NS, stats->serial_ns },
		{ TCA_WLINK_XSTATS_PROP_NS, stats->prop_ns },
		{ TCA_WLINK_XSTATS_LATE_NS, q->late.sum_ns },
		{ TCA_WLINK_XSTATS_LATE_MAX_NS, q->late.max_ns },
		{ TCA_WLINK_XSTATS_RATE, link->cfg.rate_bps },
		{ TCA_WLINK_XSTATS_GENERATION, link->generation },
		{ TCA_WLINK_XSTATS_CHANNEL_BAD, link->chan.bad },
		{ TCA_WLINK_XSTATS_CHANNEL_FRAMES, link->chan.frames },
		{ TCA_WLINK_XSTATS_CHANNEL_FRAMES_BAD, link->chan.frames_bad },
	};
	struct nlattr *nest = nla_nest_start(skb, TCA_STATS_APP);
	int i;

	if (!nest)
		return -EMSGSIZE;
	for (i = 0; i < ARRAY_SIZE(all); i++)
		if (nla_put_u64_64bit(skb, all[i].type, all[i].value,
				      TCA_WLINK_XSTATS_PAD))
			goto too_big;
	if (nla_put_64bit(skb, TCA_WLINK_XSTATS_LATE_BINS, sizeof(q->late.bins),
			  q->late.bins, TCA_WLINK_XSTATS_PAD))
		goto too_big;
	nla_nest_end(skb, nest);
	return 0;
too_big:
	nla_nest_cancel(skb, nest);
	return -EMSGSIZE;
}
