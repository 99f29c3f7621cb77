// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/genl.h"
#include "top/top.h"

#define X(name)	WLINK_STAT_##name

const unsigned int top_percents[TOP_DELAYS] = { 50, 95, 99 };

const char *const top_drops[__WLINK_DROP_MAX] = {
	[WLINK_DROP_NONE] = "none",
	[WLINK_DROP_OVERFLOW] = "overflow",
	[WLINK_DROP_CHANNEL] = "channel",
	[WLINK_DROP_SLOTS] = "slots",
	[WLINK_DROP_FLUSH] = "flush",
	[WLINK_DROP_MAXDAT] = "maxdat",
	[WLINK_DROP_TIMER] = "timer",
	[WLINK_DROP_RESET] = "reset",
	[WLINK_DROP_REESTABLISH] = "reestablish",
	[WLINK_DROP_AQM] = "aqm",
	[WLINK_DROP_SEGMENT] = "segment",
	[WLINK_DROP_FORWARD] = "forward",
};

_Static_assert(WLINK_DROP_MAX == WLINK_DROP_FORWARD, "a reason has no name");

static const enum wlink_stat drop_stats[__WLINK_DROP_MAX] = {
	[WLINK_DROP_OVERFLOW] = X(DROP_OVERFLOW),
	[WLINK_DROP_CHANNEL] = X(DROP_CHANNEL),
	[WLINK_DROP_SLOTS] = X(DROP_SLOTS),
	[WLINK_DROP_FLUSH] = X(DROP_FLUSH),
	[WLINK_DROP_MAXDAT] = X(DROP_MAXDAT),
	[WLINK_DROP_TIMER] = X(DROP_TIMER),
	[WLINK_DROP_RESET] = X(DROP_RESET),
	[WLINK_DROP_REESTABLISH] = X(DROP_REESTABLISH),
	[WLINK_DROP_AQM] = X(DROP_AQM),
	[WLINK_DROP_SEGMENT] = X(DROP_SEGMENT),
	[WLINK_DROP_FORWARD] = X(DROP_FORWARD),
};

static int add_bearers(struct wlinkctl *ctl, const struct target *of,
		       const struct link *link, struct link_list *all)
{
	struct link_list some;
	struct link *more;
	size_t i;
	int code;

	code = link_dump_bearers(ctl, link->ifindex, link->handle, &some);
	if (code)
		return code;
	more = realloc(all->links, (all->n + some.n + 1) * sizeof(*more));
	if (!more) {
		complain("%s", strerror(errno));
		free(some.links);
		return EXIT_REFUSED;
	}
	all->links = more;
	for (i = 0; i < some.n; i++) {
		if ((of->bearer && some.links[i].bearer != of->bearer) ||
		    some.links[i].handle != link->handle)
			continue;
		genl_get_stats(ctl, &some.links[i]);
		all->links[all->n++] = some.links[i];
	}
	free(some.links);
	return EXIT_DONE;
}

int top_look(struct wlinkctl *ctl, const struct target *of,
	     struct top_look *look)
{
	struct timespec ts;
	size_t i;
	int code;

	memset(look, 0, sizeof(*look));
	clock_gettime(CLOCK_MONOTONIC, &ts);
	look->at_ns = (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
	code = link_dump(ctl, of->ifindex, &look->links);
	for (i = 0; !code && i < look->links.n; i++)
		if (!of->handle || look->links.links[i].handle == of->handle)
			code = add_bearers(ctl, of, &look->links.links[i],
					   &look->bearers);
	if (code)
		top_look_free(look);
	return code;
}

void top_look_free(struct top_look *look)
{
	free(look->links.links);
	free(look->bearers.links);
	memset(look, 0, sizeof(*look));
}

static bool is_same(const struct link *a, const struct link *b)
{
	return a->ifindex == b->ifindex && a->handle == b->handle &&
	       a->bearer == b->bearer;
}

/* Counters only grow: one that has not is of another link of the same name. */
static const struct wl_xstats *stats_before(const struct top_look *before,
					    const struct link *link, size_t hint)
{
	static const struct wl_xstats none;
	const struct link_list *list = &before->bearers;
	const uint64_t *now = link->stats.value;
	size_t i;

	for (i = 0; i < list->n; i++) {
		/* Mostly they stand where they stood. */
		const struct link *old = &list->links[(i + hint) % list->n];

		if (!is_same(old, link))
			continue;
		if (old->stats.value[X(SDUS_IN)] > now[X(SDUS_IN)] ||
		    old->stats.value[X(SDUS_DELIVERED)] >
		    now[X(SDUS_DELIVERED)])
			return &none;
		return &old->stats;
	}
	return &none;
}

/* The kernel halves all bins together when one has become too large. */
static bool bins_between(const struct wl_xstats *old,
			 const struct wl_xstats *now, struct wl_xstats *part)
{
	const uint64_t *a = old->why_bins[WLINK_WHY_TOTAL];
	const uint64_t *b = now->why_bins[WLINK_WHY_TOTAL];
	uint64_t *to = part->why_bins[WLINK_WHY_TOTAL];
	uint64_t total = 0;
	int i;

	for (i = 0; i < WLINK_LATE_BINS; i++) {
		if (b[i] < a[i])
			return false;
		to[i] = b[i] - a[i];
		total += to[i];
	}
	return total;
}

static double full_of(const struct link *link)
{
	const struct wl_values *values = &link->values;
	const uint64_t *v = link->stats.value;
	double limit;

	if (values->set[WL_LIMIT_PACKETS])
		return (double)v[X(BUFFER_SDUS)] /
		       (double)values->value[WL_LIMIT_PACKETS];
	if (values->set[WL_LIMIT_BYTES])
		limit = (double)values->value[WL_LIMIT_BYTES];
	else
		limit = (double)values->value[WL_LIMIT_TIME] / 8e9 *
			(double)(v[X(RATE)] ? v[X(RATE)] :
				 values->value[WL_RATE]);
	return limit > 0 ? (double)v[X(BUFFER_BYTES)] / limit : 0;
}

static void fill(struct top_row *row, const struct link *link,
		 const struct wl_xstats *old, uint64_t interval_ns)
{
	const struct wl_xstats *now = &link->stats;
	struct wl_xstats part = { 0 };
	int i;

	memset(row, 0, sizeof(*row));
	row->link = link;
	row->interval_ns = interval_ns;
	row->full = full_of(link);
	if (!interval_ns)
		return;
	row->sdus = now->value[X(SDUS_DELIVERED)] -
		    old->value[X(SDUS_DELIVERED)];
	row->bytes = now->value[X(BYTES_DELIVERED)] -
		     old->value[X(BYTES_DELIVERED)];
	row->retx = now->value[X(PDUS_RETX)] - old->value[X(PDUS_RETX)];
	for (i = 1; i < __WLINK_DROP_MAX; i++) {
		row->drops[i] = now->value[drop_stats[i]] -
				old->value[drop_stats[i]];
		row->dropped += row->drops[i];
	}
	row->has_delay = bins_between(old, now, &part);
	for (i = 0; row->has_delay && i < TOP_DELAYS; i++)
		row->delay_ns[i] = wl_xstats_why(&part, WLINK_WHY_TOTAL,
						 top_percents[i]);
}

struct top_row *top_rows(const struct top_look *before,
			 const struct top_look *now, size_t *n)
{
	const struct link_list *list = &now->bearers;
	uint64_t interval_ns = before->at_ns ? now->at_ns - before->at_ns : 0;
	struct top_row *rows = calloc(list->n + 1, sizeof(*rows));
	size_t i;

	*n = 0;
	if (!rows) {
		complain("%s", strerror(errno));
		return NULL;
	}
	for (i = 0; i < list->n; i++)
		fill(&rows[i], &list->links[i],
		     stats_before(before, &list->links[i], i), interval_ns);
	*n = list->n;
	return rows;
}

double top_per_s(const struct top_row *row, uint64_t count)
{
	return row->interval_ns ? (double)count * 1e9 /
				  (double)row->interval_ns : 0;
}
