// SPDX-License-Identifier: GPL-2.0
/*
 * What stands above a wlink, and what timers make of its intervals.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "doctor/device/device.h"
#include "words/words.h"

/* A hand-over that is later is warned of. */
#define LATE_WARN_NS	1000000

/* Kinds that make a packet wait before the link has seen it. */
static bool holds(const char *kind)
{
	static const char *const kinds[] = {
		"netem", "tbf", "htb", "hfsc", "cbq", "fq", "cake", "taprio",
		"etf", "qfq", "fq_codel", "codel",
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kind, kinds[i]))
			return true;
	return false;
}

static bool spreads(const char *kind)
{
	return !strcmp(kind, "mq") || !strcmp(kind, "mqprio") ||
	       !strcmp(kind, "multiq");
}

static void judge_above(struct doctor *doctor, const struct dev_facts *dev,
			const struct link_facts *facts)
{
	static const char why[] =
		"what stands above a link decides what it gets and when";
	struct report *report = &doctor->report;
	char names[ABOVE_MAX * 18] = "";
	const char *waits = NULL;
	size_t len = 0;
	size_t i;

	for (i = 0; i < facts->n_above; i++) {
		if (spreads(facts->above[i])) {
			report_add(report, VERDICT_FAIL, "above",
				   "each transmit queue has a link of its own at the full rate, and a flow is in the one that its hash names",
				   "%s spreads the packets: this link has a part of them, %zu more under it",
				   facts->above[i], facts->siblings);
			report_change(report,
				      "tc qdisc replace dev %s root wlink ...: one link for all queues",
				      dev->name);
			return;
		}
		if (holds(facts->above[i]))
			waits = facts->above[i];
		len += (size_t)snprintf(names + len, sizeof(names) - len,
					" %s", facts->above[i]);
	}
	if (!facts->n_above) {
		report_add(report, VERDICT_OK, "above", why,
			   "nothing: it is the root of the device%s",
			   dev->tx_queues > 1 ? ", one link for all its queues" :
			   "");
	} else if (waits) {
		report_add(report, VERDICT_WARN, "above", why,
			   "%s above it makes packets wait (above:%s)", waits,
			   names);
		report_change(report,
			      "a wlink at the root, or nothing above it that makes packets wait");
	} else {
		report_add(report, VERDICT_NOTE, "above", why,
			   "above:%s", names);
	}
}

/* The link tells its sender at once that a packet has gone. */
static void judge_tsq(struct doctor *doctor, const struct sys_facts *sys,
		      const struct link_facts *facts)
{
	static const char why[] =
		"it bounds what a TCP flow has waiting: no queue grows like a radio link's buffer";
	size_t i;

	for (i = 0; i < facts->n_above && !holds(facts->above[i]); i++)
		;
	if (sys->tcp_limit < 0)
		report_add(&doctor->report, VERDICT_NOTE, "tsq", why,
			   "unknown: net.ipv4.tcp_limit_output_bytes cannot be read");
	else if (i < facts->n_above)
		report_add(&doctor->report, VERDICT_NOTE, "tsq", why,
			   "%" PRId64 " bytes, in force for what waits in %s above the link",
			   sys->tcp_limit, facts->above[i]);
	else
		report_add(&doctor->report, VERDICT_OK, "tsq", why,
			   "%" PRId64 " bytes, not in force: a wlink frees the sender of them",
			   sys->tcp_limit);
}

static void judge_grid(struct doctor *doctor, const struct link *link)
{
	static const char why[] =
		"what falls due in several intervals leaves together, on time in the mean";
	uint64_t tti = link->values.value[WL_TTI];
	uint64_t late = doctor->late.wakes ? doctor->late.p99_ns : 0;
	char a[REPORT_TIME], b[REPORT_TIME];

	if (doctor->virtual_time || !tti)
		return;
	report_time(tti, a);
	if (doctor->high_res == NO && doctor->tick_ns > tti) {
		report_add(&doctor->report, VERDICT_WARN, "tti", why,
			   "%s, and timers come each %s only", a,
			   report_time(doctor->tick_ns, b));
		report_change(&doctor->report,
			      "high-resolution timers, or a tti of at least %s",
			      b);
	} else if (late > tti) {
		report_add(&doctor->report, VERDICT_WARN, "tti", why,
			   "%s, and 1 of 100 wake-ups here is more than %s late",
			   a, report_time(late, b));
		report_change(&doctor->report,
			      "the change that lateness names, or a tti of at least %s",
			      b);
	} else if (doctor->late.wakes) {
		report_add(&doctor->report, VERDICT_OK, "tti", why,
			   "%s; p99 of this machine's lateness is %s", a,
			   report_time(late, b));
	}
}

/* What the link itself has counted is better than any probe. */
static void judge_handover(struct doctor *doctor, const struct link *link)
{
	static const char why[] =
		"this is what the link's own packets have met, and no model changed by it";
	const struct wl_xstats *stats = &link->stats;
	char p50[REPORT_TIME], p99[REPORT_TIME], most[REPORT_TIME];
	uint64_t handed = stats->value[WLINK_STAT_SDUS_DELIVERED];
	uint64_t late = stats->value[WLINK_STAT_LATE_P99_NS];

	if (!link->has_stats || !handed)
		return;
	report_add(&doctor->report,
		   late <= LATE_WARN_NS ? VERDICT_OK : VERDICT_WARN, "hand-over",
		   why,
		   "%" PRIu64 " packets so far, late by at most %s .. %s (p50 .. p99), max %s",
		   handed, report_time(stats->value[WLINK_STAT_LATE_P50_NS], p50),
		   report_time(late, p99),
		   report_time(stats->value[WLINK_STAT_LATE_MAX_NS],
			       most));
	if (late > LATE_WARN_NS)
		report_change(&doctor->report,
			      "what the machine is warned of; userspace/bpftrace/lateness.bt shows when");
}

void judge_link(struct doctor *doctor, const struct dev_facts *dev,
		const struct sys_facts *sys, const struct link_facts *facts)
{
	judge_above(doctor, dev, facts);
	judge_tsq(doctor, sys, facts);
	judge_grid(doctor, &facts->link);
	judge_handover(doctor, &facts->link);
}
