// SPDX-License-Identifier: GPL-2.0
/*
 * The offloads of a device, as ethtool asks for them. Anybody may ask.
 */

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "doctor/device/device.h"

static enum known ask(int fd, const char *name, uint32_t command, uint32_t mask)
{
	struct ethtool_value value = { .cmd = command };
	struct ifreq request = { 0 };

	strncpy(request.ifr_name, name, IFNAMSIZ - 1);
	request.ifr_data = (void *)&value;
	if (ioctl(fd, SIOCETHTOOL, &request))
		return UNKNOWN;
	return value.data & mask ? YES : NO;
}

void dev_offloads(const char *name, struct offloads *offloads)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	memset(offloads, 0, sizeof(*offloads));
	if (fd < 0)
		return;
	offloads->gro = ask(fd, name, ETHTOOL_GGRO, ~0U);
	offloads->lro = ask(fd, name, ETHTOOL_GFLAGS, ETH_FLAG_LRO);
	offloads->gso = ask(fd, name, ETHTOOL_GGSO, ~0U);
	offloads->tso = ask(fd, name, ETHTOOL_GTSO, ~0U);
	close(fd);
}
