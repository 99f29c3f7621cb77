// SPDX-License-Identifier: GPL-2.0
#include <net/netlink.h>

#include "memory/kept.h"
#include "netlink/counters.h"
#include "stats.h"

static void stats_add(struct wl_sched *q, const struct wl_class *cl)
{
	wl_look(q, 1);
	wl_counters_add(&q->sum, cl->bearer);
	q->sum.v[WLINK_STAT_MEMORY] += cl == &q->first ? sizeof(*q) :
							 sizeof(struct wl_other_class);
}

static void stats_now(struct wl_sched *q, const struct wl_class *cl, const struct wl_chan *chan)
{
	wl_counters_now(&q->sum, cl->bearer, chan);
	/* What has not been handed to the engine yet. */
	if (!q->sum.v[WLINK_STAT_SCHEDULE_STATE] && READ_ONCE(cl->loading))
		q->sum.v[WLINK_STAT_SCHEDULE_STATE] = WLINK_SCHEDULE_STATE_LOADED;
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
		stats_now(q, cl, chan);
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
		stats_now(q, &q->first, chan);
	}
	wl_counters_end(&q->sum);
}

static_assert(__WLINK_STAT_MAX * sizeof(u64) < 1200);

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
