// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "lib/clocks.h"
#include "lib/json.h"
#include "link/link.h"
#include "record/links.h"

static void write_one(struct line *line, uint64_t now_ns, const struct link *link)
{
	json_begin_in(line);
	json_writer.object("link");
	json_writer.u64("mono_ns", now_ns);
	link_print_name(link);
	json_writer.u64("bearer", link->bearer);
	if (link->stats.value[WLINK_STAT_RATE] == WLINK_RATE_UNLIMITED)
		json_writer.number("rate_bps", "null");
	else
		json_writer.u64("rate_bps", link->stats.value[WLINK_STAT_RATE]);
	json_writer.end();
	json_end_in();
}

int record_links_write(struct wlinkctl *ctl, int ifindex, struct line *line)
{
	struct link_list links, bearers;
	uint64_t now_ns = clock_now();
	size_t i, j;
	int code;

	code = link_dump(ctl, ifindex, &links);
	if (code)
		return code;
	for (i = 0; i < links.n && !code; i++) {
		code = link_dump_bearers(ctl, links.links[i].ifindex, links.links[i].handle,
					 &bearers);
		if (code)
			break;
		for (j = 0; j < bearers.n; j++)
			if (bearers.links[j].has_stats)
				write_one(line, now_ns, &bearers.links[j]);
		free(bearers.links);
	}
	free(links.links);
	return code;
}
