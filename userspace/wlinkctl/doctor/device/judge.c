// SPDX-License-Identifier: GPL-2.0
/*
 * What a device does to the packets that a wlink has timed.
 */

#include <inttypes.h>

#include "doctor/device/device.h"

static void judge_peer(struct doctor *doctor, const struct dev_facts *dev)
{
	static const char why[] =
		"a peer that merges packets undoes the link's times and acknowledges less";
	const struct offloads *peer = &dev->peer_offloads;
	struct report *report = &doctor->report;

	if (dev->peer_elsewhere) {
		report_add(report, VERDICT_NOTE, "peer", why,
			   "unknown: the other end is in another namespace");
		report_change(report,
			      "there: ethtool -K PEER gro off; ethtool -k PEER shows it");
		return;
	}
	if (!dev->peer[0])
		return;
	if (peer->gro == NO && peer->lro != YES) {
		report_add(report, VERDICT_OK, "peer", why,
			   "%s merges nothing (gro off)", dev->peer);
	} else if (peer->gro == UNKNOWN) {
		report_add(report, VERDICT_NOTE, "peer", why,
			   "unknown: %s does not report its offloads", dev->peer);
	} else {
		report_add(report, VERDICT_WARN, "peer", why,
			   "%s merges what it receives (gro %s, lro %s)",
			   dev->peer, peer->gro == YES ? "on" : "off",
			   peer->lro == YES ? "on" : "off");
		report_change(report, "ethtool -K %s gro off lro off",
			      dev->peer);
	}
}

static void judge_merging(struct doctor *doctor, const struct dev_facts *dev)
{
	static const char why[] =
		"what is merged on the way in goes on as one packet, and its parts' times are lost";
	const struct offloads *own = &dev->offloads;
	struct report *report = &doctor->report;

	if (own->lro == YES)
		report_add(report, VERDICT_WARN, "gro", why,
			   "the hardware merges what it receives (lro on)");
	else if (own->gro == YES)
		report_add(report, VERDICT_NOTE, "gro", why,
			   "the device merges what it receives (gro on); the link's own direction is the other one");
	else if (own->gro == NO)
		report_add(report, VERDICT_OK, "gro", why, "off");
	else
		report_add(report, VERDICT_NOTE, "gro", why,
			   "unknown: the device does not report its offloads");
	if (own->lro == YES || own->gro == YES)
		report_change(report, "ethtool -K %s gro off lro off", dev->name);
}

static void judge_neighbours(struct doctor *doctor, const struct dev_facts *dev)
{
	static const char why[] =
		"requests wait in the link like data and get lost, when the kernel chooses";

	if (dev->asks == UNKNOWN)
		report_add(&doctor->report, VERDICT_NOTE, "arp", why,
			   "unknown: the device's flags cannot be read");
	else if (dev->asks == NO)
		report_add(&doctor->report, VERDICT_OK, "arp", why,
			   "the device asks for no neighbours");
	else
		report_add(&doctor->report, VERDICT_NOTE, "arp", why,
			   "neighbour requests pass through the link");
	if (dev->asks == YES)
		report_change(&doctor->report,
			      "ip neigh replace ADDRESS lladdr MAC dev %s nud permanent, at both ends",
			      dev->name);
}

void judge_device(struct doctor *doctor, const struct dev_facts *dev)
{
	struct report *report = &doctor->report;

	if (dev->up == NO) {
		report_add(report, VERDICT_WARN, "device",
			   "nothing passes a device that is down",
			   "it is down");
		report_change(report, "ip link set dev %s up", dev->name);
	}
	judge_merging(doctor, dev);
	judge_peer(doctor, dev);
	judge_neighbours(doctor, dev);
	if (dev->tx_queue_len >= 0)
		report_add(report, VERDICT_OK, "txqueuelen",
			   "it bounds pfifo and its like; a wlink has its limit",
			   "%" PRId64 " packets, which no wlink heeds",
			   dev->tx_queue_len);
	if (dev->rps[0]) {
		report_add(report, VERDICT_NOTE, "rps",
			   "packets that another processor takes up arrive a little later, not always in the same order of flows",
			   "packets are spread to processors %s", dev->rps);
		report_change(report,
			      "echo 0 >/sys/class/net/%s/queues/rx-0/rps_cpus, and the other queues",
			      dev->name);
	}
}
