// SPDX-License-Identifier: GPL-2.0
/* What ethtool -K and -k do, without a process for each. */
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
#include "plan.h"

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
	/* Some cannot be changed: what is read afterwards tells. */
	call(fd, device, &set);
}

static bool is_on(int fd, const char *device, unsigned int bit)
{
	struct {
		struct ethtool_gfeatures head;
		struct ethtool_get_features_block block[MAX_BLOCKS];
	} get = {
		.head.cmd = ETHTOOL_GFEATURES,
		.head.size = bit / 32 + 1,
	};

	if (call(fd, device, &get))
		fail("%s: features: %s", device, strerror(errno));
	return get.block[bit / 32].active >> bit % 32 & 1;
}

/* All of one device in a row share its names. */
static size_t one_device(const struct plan *plan, size_t from, FILE *to)
{
	const char *device = plan->offloads[from].device;
	struct ethtool_gstrings *known;
	unsigned int bit;
	size_t i;
	int fd;

	netns_enter(plan, plan->offloads[from].ns);
	fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		fail("socket: %s", strerror(errno));
	known = names(fd, device);
	for (i = from; i < plan->offload_count; i++) {
		const struct offload *o = &plan->offloads[i];

		if (strcmp(o->device, device))
			break;
		bit = bit_of(known, o->feature);
		fprintf(to, "%s %s", device, o->feature);
		if (bit < known->len) {
			if (o->off)
				switch_off(fd, device, bit,
					   known->len);
			fputs(is_on(fd, device, bit) ? " on" : " off", to);
		}
		fputc('\n', to);
	}
	free(known);
	close(fd);
	return i;
}

void offloads_do(const struct plan *plan)
{
	char path[256];
	size_t i = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/offloads", plan->out);
	f = fopen(path, "we");
	if (!f)
		fail("%s: %s", path, strerror(errno));
	while (i < plan->offload_count)
		i = one_device(plan, i, f);
	netns_enter(plan, -1);
	if (fclose(f))
		fail("%s: %s", path, strerror(errno));
}
