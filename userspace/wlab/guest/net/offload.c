// SPDX-License-Identifier: GPL-2.0
/* Functions of ethtool -K and -k, without a process for each. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "netns.h"
#include "offload.h"
#include "run/plan.h"

#define MAX_BLOCKS 8U	/* of 32 features */

static int call(int fd, const char *device, void *what)
{
	struct ifreq ifr = { .ifr_data = what };

	snprintf(ifr.ifr_name, sizeof(ifr.ifr_name), "%s", device);
	return ioctl(fd, SIOCETHTOOL, &ifr);
}

/* All names there are, in the order of their bits. */
static struct ethtool_gstrings *names(int fd, const char *device)
{
	struct {
		struct ethtool_sset_info head;
		uint32_t count;
	} info = {
		.head.cmd = ETHTOOL_GSSET_INFO,
		.head.sset_mask = 1ULL << ETH_SS_FEATURES,
	};
	struct ethtool_gstrings *s;

	if (call(fd, device, &info))
		fail("%s: features: %s", device, strerror(errno));
	s = calloc(1, sizeof(*s) + info.count * ETH_GSTRING_LEN);
	if (!s)
		fail("out of memory");
	s->cmd = ETHTOOL_GSTRINGS;
	s->string_set = ETH_SS_FEATURES;
	s->len = info.count;
	if (call(fd, device, s))
		fail("%s: names of features: %s", device, strerror(errno));
	if (s->len > 32 * MAX_BLOCKS)
		fail("%s: %u features", device, s->len);
	return s;
}

static unsigned int bit_of(const struct ethtool_gstrings *s, const char *name)
{
	unsigned int i;

	for (i = 0; i < s->len; i++)
		if (!strncmp((const char *)s->data + i * ETH_GSTRING_LEN, name,
			     ETH_GSTRING_LEN))
			break;
	return i;
}

static void switch_off(int fd, const char *device, unsigned int bit,
		       unsigned int count)
{
	struct {
		struct ethtool_sfeatures head;
		struct ethtool_set_features_block block[MAX_BLOCKS];
	} set = {
		.head.cmd = ETHTOOL_SFEATURES,
		.head.size = (count + 31) / 32,
	};

	set.block[bit / 32].valid = 1U << bit % 32;
	/* Some cannot be changed, which the reading afterwards shows. */
	call(fd, device, &set);
}

/* Writes the state of a device's features, in lines "DEVICE FEATURE [on|off]". */
static void tell(int fd, const struct offload *o, size_t count,
		 const struct ethtool_gstrings *known, FILE *to)
{
	struct {
		struct ethtool_gfeatures head;
		struct ethtool_get_features_block block[MAX_BLOCKS];
	} get = {
		.head.cmd = ETHTOOL_GFEATURES,
		.head.size = MAX_BLOCKS,
	};
	unsigned int bit;

	if (call(fd, o->device, &get))
		fail("%s: features: %s", o->device, strerror(errno));
	for (; count; o++, count--) {
		bit = bit_of(known, o->feature);
		fprintf(to, "%s %s", o->device, o->feature);
		if (bit < known->len)
			fputs(get.block[bit / 32].active >> bit % 32 & 1 ?
			      " on" : " off", to);
		fputc('\n', to);
	}
}

/* Processes the consecutive offloads of one device, and returns their number. The names of
 * features are the same for all devices.
 */
static size_t one_device(const struct plan *plan, const struct offload *o,
			 size_t left, FILE *to)
{
	static const struct ethtool_gstrings *known;
	unsigned int bit;
	size_t count;
	int fd;

	netns_enter(plan, o->ns);
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		fail("socket: %s", strerror(errno));
	if (!known)
		known = names(fd, o->device);
	for (count = 0; count < left; count++) {
		if (strcmp(o[count].device, o->device))
			break;
		bit = bit_of(known, o[count].feature);
		if (o[count].off && bit < known->len)
			switch_off(fd, o->device, bit, known->len);
	}
	tell(fd, o, count, known, to);
	close(fd);
	return count;
}

void offloads_do(const struct plan *plan)
{
	FILE *f = plan_file(plan, "offloads", "");
	size_t i = 0;

	while (i < plan->offload_count)
		i += one_device(plan, &plan->offloads[i],
				plan->offload_count - i, f);
	netns_enter(plan, -1);
	plan_file_close(f, "offloads");
}
