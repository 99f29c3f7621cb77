// SPDX-License-Identifier: GPL-2.0
#include <linux/mutex.h>
#include <linux/netdevice.h>
#include <linux/u64_stats_sync.h>

#include "wl_bypass.h"

/* All qdiscs, so that those who begin to look find them. */
static LIST_HEAD(all);
static DEFINE_MUTEX(all_mutex);
static bool watched;

static u64 packets_of(const struct gnet_stats_basic_sync *stats)
{
	return u64_stats_read(&stats->packets);
}

static u64 bytes_of(const struct gnet_stats_basic_sync *stats)
{
	return u64_stats_read(&stats->bytes);
}

void wl_bypass_count(struct wl_sched *q)
{
	const struct gnet_stats_basic_sync *all_stats = &q->sch->bstats;
	struct gnet_stats_basic_sync *stats = &q->first.bstats;
	const struct net_device *dev = qdisc_dev(q->sch);
	u64 packets, bytes, headers = 0;

	if (!q->bypass)
		return;
	packets = packets_of(all_stats) - packets_of(stats) -
		  q->other_packets;
	bytes = bytes_of(all_stats) - bytes_of(stats) - q->other_bytes;
	if (!packets)
		return;
	/* _bstats_update() of some kernels takes 32 bits of packets. */
	u64_stats_update_begin(&stats->syncp);
	u64_stats_add(&stats->bytes, bytes);
	u64_stats_add(&stats->packets, packets);
	u64_stats_update_end(&stats->syncp);
	if (dev_has_header(dev))
		headers = packets * dev->hard_header_len;
	wl_link_passed(&q->link, packets, bytes - min(headers, bytes));
	q->first.late.bins[0] += packets;
}

/* The class counts what has gone through the engine, the qdisc all. */
static void begin(struct wl_sched *q)
{
	const struct gnet_stats_basic_sync *stats = &q->first.bstats;

	q->other_packets = packets_of(&q->sch->bstats) - packets_of(stats);
	q->other_bytes = bytes_of(&q->sch->bstats) - bytes_of(stats);
	q->bypass = true;
	q->sch->flags |= TCQ_F_CAN_BYPASS;
}

void wl_bypass_begin(struct wl_sched *q)
{
	/* Nobody bypasses what has another qdisc above it, and a size table
	 * may say anything of a packet.
	 */
	if (q->bypass || READ_ONCE(watched) || rcu_access_pointer(q->filters) ||
	    rcu_access_pointer(q->sch->stab))
		return;
	rcu_read_lock();
	if (qdisc_root_sleeping(q->sch) == q->sch)
		begin(q);
	rcu_read_unlock();
}

void wl_bypass_end(struct wl_sched *q)
{
	if (!q->bypass)
		return;
	wl_bypass_count(q);
	q->bypass = false;
	q->sch->flags &= ~TCQ_F_CAN_BYPASS;
}

void wl_bypass_configured(struct wl_sched *q)
{
	const struct wl_bearer *b = &q->link.first;
	const struct wl_cfg *cfg = &b->cfg;

	q->may_bypass = cfg->rate_bps == WLINK_RATE_UNLIMITED &&
			!cfg->delay_ns && !cfg->pdu_bytes &&
			!cfg->header_bytes &&
			cfg->channel.kind == WLINK_CHANNEL_NONE &&
			q->link.bearers == 1 && !q->pending && !b->play &&
			!b->next_play;
	if (!q->may_bypass)
		wl_bypass_end(q);
}

static void end_locked(struct wl_sched *q)
{
	spin_lock_bh(qdisc_lock(q->sch));
	wl_bypass_end(q);
	spin_unlock_bh(qdisc_lock(q->sch));
}

int wl_bypass_watch(void)
{
	struct wl_sched *q;

	mutex_lock(&all_mutex);
	WRITE_ONCE(watched, true);
	list_for_each_entry(q, &all, all)
		end_locked(q);
	mutex_unlock(&all_mutex);
	return 0;
}

void wl_bypass_unwatch(void)
{
	WRITE_ONCE(watched, false);
}

void wl_bypass_init(struct wl_sched *q)
{
	mutex_lock(&all_mutex);
	list_add(&q->all, &all);
	mutex_unlock(&all_mutex);
}

void wl_bypass_destroy(struct wl_sched *q)
{
	mutex_lock(&all_mutex);
	list_del(&q->all);
	mutex_unlock(&all_mutex);
}
