// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "json.h"
#include "link.h"

static void print_text(const struct link *link)
{
	link_print_head(link);
	wl_show_text(stdout, &link->values);
	putchar('\n');
	if (link->has_stats) {
		wl_xstats_text(stdout, &link->stats, "\n");
		putchar('\n');
	}
}

static int print_list(struct wlinkctl *ctl, const struct link_list *list,
		      uint32_t handle)
{
	int found = 0;
	size_t i;

	if (ctl->json) {
		json_start();
		json_open_array(NULL);
	}
	for (i = 0; i < list->n; i++) {
		if (handle && list->links[i].handle != handle)
			continue;
		found++;
		if (!ctl->json) {
			print_text(&list->links[i]);
			continue;
		}
		json_writer.object(NULL);
		link_print_json(&list->links[i]);
		json_writer.end();
	}
	if (ctl->json) {
		json_end_array();
		json_finish();
	}
	return found;
}

int cmd_show(struct wlinkctl *ctl, int argc, char **argv)
{
	struct link_list list;
	uint32_t handle = 0;
	int ifindex = 0;
	int found, err;

	if (argc > 2) {
		complain("show takes a device and a handle, but got \"%s\"",
			 argv[2]);
		return EXIT_USAGE;
	}
	if (argc > 1 && link_parse_handle(argv[1], &handle))
		return EXIT_USAGE;
	if (argc) {
		ifindex = link_device(argv[0]);
		if (!ifindex)
			return EXIT_NOT_FOUND;
	}
	err = link_dump(ctl, ifindex, &list);
	if (err)
		return err;
	found = print_list(ctl, &list, handle);
	free(list.links);
	if (found || !argc)
		return EXIT_DONE;
	complain("no wlink %s%son %s", handle ? argv[1] : "",
		 handle ? " " : "", argv[0]);
	return EXIT_NOT_FOUND;
}
