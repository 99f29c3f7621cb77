// SPDX-License-Identifier: GPL-2.0
/*
 * Whether what is sent can fill a link and its buffer: the limits of bearers and
 * of sockets against the bandwidth-delay product, and PDUs against packets.
 */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "doctor/device/device.h"
#include "words/words.h"

/* Where the device does not tell. */
#define USUAL_MTU	1500

/* Most that a super-packet carries, and headers of each of its segments. */
#define SUPER_BYTES	65536
#define HEADER_BYTES	52

/* Of what a socket may hold, bookkeeping takes about as much as data. */
#define SOCKET_SHARE	2

#define WAIT_MAX_S	5.0

/**
 * struct need - what a bearer asks for, in bytes
 * @bearer: its number
 * @rate: bit/s
 * @bdp: rate times twice the delay
 * @limit: of its buffer
 * @limit_packets: the same in packets, 0 if it is in bytes or time
 */
struct need {
	uint32_t bearer;
	double rate;
	double bdp;
	double limit;
	uint64_t limit_packets;
};

static double packet_bytes(const struct dev_facts *dev)
{
	return dev->mtu > 0 ? (double)dev->mtu : USUAL_MTU;
}

static struct need need_of(const struct dev_facts *dev, const struct link *link)
{
	const struct wl_values *values = &link->values;
	uint64_t rate = values->value[WL_RATE];
	struct need need = { .bearer = link->bearer };

	/* A profile or a schedule may have changed it. */
	if (link->has_stats && link->stats.value[WLINK_STAT_RATE])
		rate = link->stats.value[WLINK_STAT_RATE];
	need.rate = rate == WLINK_RATE_UNLIMITED ? 0 : (double)rate;
	need.bdp = need.rate / 8 * 2 * (double)values->value[WL_DELAY] / 1e9;
	if (values->set[WL_LIMIT_PACKETS]) {
		need.limit_packets = values->value[WL_LIMIT_PACKETS];
		need.limit = (double)need.limit_packets * packet_bytes(dev);
	} else if (values->set[WL_LIMIT_BYTES]) {
		need.limit = (double)values->value[WL_LIMIT_BYTES];
	} else if (values->set[WL_LIMIT_TIME]) {
		need.limit = need.rate / 8 *
			     (double)values->value[WL_LIMIT_TIME] / 1e9;
	}
	return need;
}

/* The one that most has to be sent for. */
static struct need greatest(const struct dev_facts *dev,
			    const struct link_facts *facts)
{
	struct need most, one;
	size_t i;

	most = need_of(dev, facts->bearers.n ? &facts->bearers.links[0] :
		       &facts->link);
	for (i = 1; i < facts->bearers.n; i++) {
		one = need_of(dev, &facts->bearers.links[i]);
		if (one.bdp + one.limit > most.bdp + most.limit)
			most = one;
	}
	return most;
}

/* Bytes with three digits. */
static const char *bytes_text(double bytes, char *text)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	size_t unit = 0;

	while (unit < 4 && bytes >= 999.5) {
		bytes /= 1000;
		unit++;
	}
	snprintf(text, REPORT_TIME, "%.*f %s",
		 !unit || bytes >= 99.95 ? 0 : bytes >= 9.995 ? 1 : 2, bytes,
		 units[unit]);
	return text;
}

static void judge_limit(struct doctor *doctor, const struct dev_facts *dev,
			const struct need *need)
{
	static const char why[] =
		"below the bandwidth-delay product a loss empties the link; far above packets wait";
	char limit[REPORT_TIME], bdp[REPORT_TIME], packet[REPORT_TIME];
	double seconds = need->limit * 8 / need->rate;
	struct report *report = &doctor->report;
	enum verdict verdict = VERDICT_OK;

	bytes_text(need->limit, limit);
	bytes_text(need->bdp, bdp);
	if (need->limit < packet_bytes(dev)) {
		report_add(report, VERDICT_FAIL, "limit",
			   "what is longer than the limit is dropped, always",
			   "bearer %u: %s holds no whole packet of %s",
			   need->bearer, limit,
			   bytes_text(packet_bytes(dev), packet));
		report_change(report,
			      "wlinkctl set %s bearer %u limit 40, or a smaller mtu",
			      dev->name, need->bearer);
		return;
	}
	if (need->limit < need->bdp || seconds > WAIT_MAX_S)
		verdict = VERDICT_NOTE;
	report_add(report, verdict, "limit", why,
		   "bearer %u: %s, %.3g s at its rate; the bandwidth-delay product is %s (rate x 2 x delay)",
		   need->bearer, limit, seconds, bdp);
	if (need->limit < need->bdp)
		report_change(report,
			      "wlinkctl set %s bearer %u limit %.0fb, where the link is to stay full",
			      dev->name, need->bearer, need->bdp);
	else if (verdict != VERDICT_OK)
		report_change(report, "wlinkctl set %s bearer %u limit 1s",
			      dev->name, need->bearer);
}

/* wlink counts segments, which come as fast as a super-packet is cut. */
static void judge_super(struct doctor *doctor, const struct dev_facts *dev,
			const struct need *need)
{
	static const char why[] =
		"a wlink cuts a super-packet into segments, which all arrive in one instant";
	double data = packet_bytes(dev) - HEADER_BYTES;
	struct report *report = &doctor->report;
	int64_t segs = dev->gso_max_segs;

	if (segs < 0) {
		report_add(report, VERDICT_NOTE, "gso", why,
			   "unknown: the device does not report gso_max_segs");
		return;
	}
	if (data > 0 && (double)segs > SUPER_BYTES / data)
		segs = (int64_t)(SUPER_BYTES / data);
	if (segs <= 1) {
		report_add(report, VERDICT_OK, "gso", why,
			   "one segment at a time (gso_max_segs %d)",
			   (int)dev->gso_max_segs);
		return;
	}
	/* With tso and gso off TCP still makes them, and they are cut above. */
	report_add(report,
		   (double)segs * packet_bytes(dev) > need->limit ?
		   VERDICT_WARN : VERDICT_NOTE, "gso", why,
		   "up to %d segments at once from a sender on this machine; the limit is %.0f (gso %s, tso %s)",
		   (int)segs, need->limit / packet_bytes(dev),
		   dev->offloads.gso == YES ? "on" :
		   dev->offloads.gso == NO ? "off" : "unknown",
		   dev->offloads.tso == YES ? "on" :
		   dev->offloads.tso == NO ? "off" : "unknown");
	report_change(report, "ip link set dev %s gso_max_segs 1", dev->name);
}

static void judge_speed(struct doctor *doctor, const struct dev_facts *dev,
			const struct need *need)
{
	if (dev->speed_mbit <= 0 || (double)dev->speed_mbit * 1e6 >= need->rate)
		return;
	report_add(&doctor->report, VERDICT_FAIL, "speed",
		   "packets then wait in the device, behind the model",
		   "the device does %lld Mbit/s, bearer %u %.6g",
		   (long long)dev->speed_mbit, need->bearer, need->rate / 1e6);
	report_change(&doctor->report, "a lower rate, or a faster device");
}

/* @most is what the kernel lets one socket take. */
static void judge_socket(struct doctor *doctor, const struct need *need,
			 const char *check, const char *name, int64_t most)
{
	static const char why[] =
		"a flow with less than the bandwidth-delay product under way cannot fill the link";
	char data[REPORT_TIME], bdp[REPORT_TIME], limit[REPORT_TIME];
	double share = (double)most / SOCKET_SHARE;
	struct report *report = &doctor->report;

	if (most < 0) {
		report_add(report, VERDICT_NOTE, check, why,
			   "unknown: %s cannot be read", name);
		return;
	}
	bytes_text(share, data);
	bytes_text(need->bdp, bdp);
	bytes_text(need->limit, limit);
	if (share < need->bdp)
		report_add(report, VERDICT_WARN, check, why,
			   "%s lets a flow have about %s under way, less than the %s of bearer %u (rate x 2 x delay)",
			   name, data, bdp, need->bearer);
	else if (share < need->bdp + need->limit)
		report_add(report, VERDICT_NOTE, check, why,
			   "%s lets a flow have about %s under way: bearer %u (%s) it fills, its buffer of %s besides it does not",
			   name, data, need->bearer, bdp, limit);
	else
		report_add(report, VERDICT_OK, check, why,
			   "%s lets a flow have about %s under way: enough for bearer %u (%s) and its buffer (%s)",
			   name, data, need->bearer, bdp, limit);
	if (share < need->bdp + need->limit)
		report_change(report, "sysctl -w %s=\"4096 %s %.0f\", at the %s",
			      name, strstr(name, "wmem") ? "16384" : "131072",
			      SOCKET_SHARE * (need->bdp + need->limit),
			      strstr(name, "wmem") ? "sender" : "receiver");
}

/* Programs that set their buffers get no more than this. */
static void judge_set(struct doctor *doctor, const struct sys_facts *sys,
		      const struct need *need)
{
	int64_t least = sys->wmem < sys->rmem ? sys->wmem : sys->rmem;
	char text[REPORT_TIME], bdp[REPORT_TIME];

	/* The kernel doubles what is asked for: the half is data. */
	if (least < 0 || (double)least >= need->bdp + need->limit)
		return;
	report_add(&doctor->report, VERDICT_NOTE, "socket-set",
		   "iperf3 -w and its like switch the kernel's own tuning off and are cut to this",
		   "SO_SNDBUF and SO_RCVBUF get at most %s, less than bearer %u and its buffer take (%s)",
		   bytes_text((double)least, text), need->bearer,
		   bytes_text(need->bdp + need->limit, bdp));
	report_change(&doctor->report,
		      "let TCP tune its buffers, or sysctl -w net.core.wmem_max=%.0f net.core.rmem_max=%.0f",
		      need->bdp + need->limit, need->bdp + need->limit);
}

/* The end of a packet is told by a length indicator, in the same PDU where there is
 * room for it.
 */
static void judge_pdu(struct doctor *doctor, const struct dev_facts *dev,
		      const struct link *link)
{
	uint64_t packet = (uint64_t)packet_bytes(dev);
	const uint64_t *value = link->values.value;
	uint64_t pdu = value[WL_PDU], one_byte, li;

	if (value[WL_MODE] == WLINK_MODE_UM)
		one_byte = 125;
	else if (value[WL_MODE] == WLINK_MODE_AM)
		one_byte = 126;
	else
		return;
	li = pdu + value[WL_HEADER] <= one_byte ? 1 : 2;
	if (pdu < packet || pdu >= packet + li)
		return;
	report_add(&doctor->report, VERDICT_WARN, "pdu",
		   "each packet then takes two PDUs, and is lost or late with either",
		   "bearer %u: a PDU of %" PRIu64 " bytes has no room for a packet of %" PRIu64
		   " and its length indicator of %" PRIu64,
		   link->bearer, pdu, packet, li);
	report_change(&doctor->report,
		      "wlinkctl set %s bearer %u pdu %" PRIu64, dev->name,
		      link->bearer, packet + li);
}

void judge_buffers(struct doctor *doctor, const struct dev_facts *dev,
		   const struct sys_facts *sys, const struct link_facts *facts)
{
	struct need need = greatest(dev, facts);
	struct need one;
	size_t i;

	judge_limit(doctor, dev, &need);
	for (i = 0; i < facts->bearers.n; i++) {
		one = need_of(dev, &facts->bearers.links[i]);
		if (one.bearer != need.bearer &&
		    one.limit < packet_bytes(dev)) {
			judge_limit(doctor, dev, &one);
			break;
		}
	}
	for (i = 0; i < facts->bearers.n; i++)
		judge_pdu(doctor, dev, &facts->bearers.links[i]);
	judge_super(doctor, dev, &need);
	judge_speed(doctor, dev, &need);
	judge_socket(doctor, &need, "send-buffer", "net.ipv4.tcp_wmem",
		     sys->tcp_wmem);
	judge_socket(doctor, &need, "receive-buffer", "net.ipv4.tcp_rmem",
		     sys->tcp_rmem);
	judge_set(doctor, sys, &need);
}
