// SPDX-License-Identifier: GPL-2.0
/*
 * Facts about a device: from files, and from the kernel.
 */

#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libmnl/libmnl.h>
#include <linux/if_link.h>

#include "doctor/device/device.h"
#include "doctor/read.h"
#include "lib/nl.h"

/* No device that this looks at has more. */
#define RX_QUEUES_MAX	256

static int64_t number(const struct doctor *doctor, const char *path)
{
	int64_t value;

	return doctor_number(doctor->root, path, &value) ? -1 : value;
}

/* Return: the third of "4096 16384 4194304", or -1. */
static int64_t third(const struct doctor *doctor, const char *path)
{
	long long least, usual, most;
	char text[96];

	if (doctor_read(doctor->root, path, text, sizeof(text)) ||
	    sscanf(text, "%lld %lld %lld", &least, &usual, &most) != 3)
		return -1;
	return most;
}

static int64_t dev_number(const struct doctor *doctor,
			  const struct dev_facts *dev, const char *file)
{
	char path[96];

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", dev->name, file);
	return number(doctor, path);
}

static enum known asks(unsigned long flags)
{
	return flags & (IFF_NOARP | IFF_LOOPBACK) ? NO : YES;
}

/* All queues have the same mask where somebody has set one. */
static void read_rps(const struct doctor *doctor, struct dev_facts *dev)
{
	char path[96], text[64];
	int i;

	for (i = 0; i < RX_QUEUES_MAX && !dev->rps[0]; i++) {
		snprintf(path, sizeof(path),
			 "/sys/class/net/%s/queues/rx-%d/rps_cpus", dev->name,
			 i);
		if (doctor_read(doctor->root, path, text, sizeof(text)))
			return;
		if (text[strspn(text, "0,")])
			snprintf(dev->rps, sizeof(dev->rps), "%s", text);
	}
}

void dev_facts_files(const struct doctor *doctor, struct dev_facts *dev,
		     struct sys_facts *sys)
{
	char path[96], text[32];
	unsigned long flags;

	dev->gso_max_segs = -1;
	dev->tx_queues = -1;
	dev->mtu = dev_number(doctor, dev, "mtu");
	dev->tx_queue_len = dev_number(doctor, dev, "tx_queue_len");
	dev->speed_mbit = dev_number(doctor, dev, "speed");
	snprintf(path, sizeof(path), "/sys/class/net/%s/flags", dev->name);
	if (!doctor_read(doctor->root, path, text, sizeof(text))) {
		flags = strtoul(text, NULL, 16);
		dev->up = flags & IFF_UP ? YES : NO;
		dev->asks = asks(flags);
	}
	read_rps(doctor, dev);
	sys->tcp_wmem = third(doctor, "/proc/sys/net/ipv4/tcp_wmem");
	sys->tcp_rmem = third(doctor, "/proc/sys/net/ipv4/tcp_rmem");
	sys->wmem = number(doctor, "/proc/sys/net/core/wmem_max");
	sys->rmem = number(doctor, "/proc/sys/net/core/rmem_max");
	sys->tcp_limit = number(doctor,
				"/proc/sys/net/ipv4/tcp_limit_output_bytes");
}

/**
 * struct answer - a message about a device on its way
 * @dev: result
 * @peer: ifindex of the other end, 0 if there is none
 */
struct answer {
	struct dev_facts *dev;
	int peer;
};

static int read_info(const struct nlattr *attr, void *ctx)
{
	struct dev_facts *dev = ctx;

	if (mnl_attr_get_type(attr) == IFLA_INFO_KIND &&
	    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
		snprintf(dev->kind, sizeof(dev->kind), "%s",
			 mnl_attr_get_str(attr));
	return MNL_CB_OK;
}

static int read_attr(const struct nlattr *attr, void *ctx)
{
	struct answer *answer = ctx;
	struct dev_facts *dev = answer->dev;

	switch (mnl_attr_get_type(attr)) {
	case IFLA_LINKINFO:
		mnl_attr_parse_nested(attr, read_info, dev);
		return MNL_CB_OK;
	case IFLA_LINK_NETNSID:
		dev->peer_elsewhere = true;
		return MNL_CB_OK;
	}
	if (mnl_attr_validate(attr, MNL_TYPE_U32) < 0)
		return MNL_CB_OK;
	switch (mnl_attr_get_type(attr)) {
	case IFLA_MTU:
		dev->mtu = mnl_attr_get_u32(attr);
		break;
	case IFLA_TXQLEN:
		dev->tx_queue_len = mnl_attr_get_u32(attr);
		break;
	case IFLA_NUM_TX_QUEUES:
		dev->tx_queues = mnl_attr_get_u32(attr);
		break;
	case IFLA_GSO_MAX_SEGS:
		dev->gso_max_segs = mnl_attr_get_u32(attr);
		break;
	case IFLA_LINK:
		answer->peer = (int)mnl_attr_get_u32(attr);
		break;
	}
	return MNL_CB_OK;
}

static void read_message(void *ctx, const struct nlmsghdr *nlh)
{
	const struct ifinfomsg *ifi = mnl_nlmsg_get_payload(nlh);
	struct answer *answer = ctx;

	if (nlh->nlmsg_type != RTM_NEWLINK ||
	    mnl_nlmsg_get_payload_len(nlh) < sizeof(*ifi))
		return;
	answer->dev->up = ifi->ifi_flags & IFF_UP ? YES : NO;
	answer->dev->asks = asks(ifi->ifi_flags);
	mnl_attr_parse(nlh, sizeof(*ifi), read_attr, answer);
}

int dev_facts_kernel(struct wlinkctl *ctl, struct dev_facts *dev)
{
	struct answer got = { .dev = dev };
	struct nl_answer answer;
	struct ifinfomsg *ifi;
	struct nlmsghdr *nlh;
	uint64_t buf[32];

	nlh = mnl_nlmsg_put_header(buf);
	nlh->nlmsg_type = RTM_GETLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	nlh->nlmsg_seq = ++ctl->seq;
	ifi = mnl_nlmsg_put_extra_header(nlh, sizeof(*ifi));
	ifi->ifi_index = dev->ifindex;
	if (nl_talk(ctl, nlh, read_message, &got, &answer))
		return EXIT_REFUSED;
	if (answer.error) {
		complain("kernel: %s: %s", dev->name, strerror(answer.error));
		return EXIT_REFUSED;
	}
	dev_offloads(dev->name, &dev->offloads);
	if (strcmp(dev->kind, "veth") || !got.peer || dev->peer_elsewhere)
		return EXIT_DONE;
	if (if_indextoname((unsigned int)got.peer, dev->peer))
		dev_offloads(dev->peer, &dev->peer_offloads);
	return EXIT_DONE;
}
