// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <stdlib.h>

#include "lib/genl.h"
#include "lib/json.h"
#include "link/link.h"
#include "link/show.h"
#include "link/target.h"

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

static bool is_wanted(const struct link *link, const struct target *of)
{
	if (of->handle && link->handle != of->handle)
		return false;
	return !of->bearer || link->bearer == of->bearer;
}

/* Text has no histograms. */
static void print_json(struct wlinkctl *ctl, struct link *link)
{
	genl_get_stats(ctl, link);
	link_print_json(link);
}

static const struct show_as statistics = { print_json, print_text };

static int print_list(struct wlinkctl *ctl, struct link_list *list,
		      const struct target *of, const struct show_as *as)
{
	int found = 0;
	size_t i;

	if (ctl->json)
		json_begin_list();

	for (i = 0; i < list->n; i++) {
		if (!is_wanted(&list->links[i], of))
			continue;
		found++;
		if (!ctl->json) {
			as->text(&list->links[i]);
			continue;
		}
		json_writer.object(NULL);
		as->json(ctl, &list->links[i]);
		json_writer.end();
	}
	if (ctl->json)
		json_end_list();

	return found;
}

static int show_links(struct wlinkctl *ctl, const struct target *of)
{
	struct link_list list;
	int found, err;

	err = link_dump(ctl, of->ifindex, &list);
	if (err)
		return err;
	found = print_list(ctl, &list, of, &statistics);
	free(list.links);
	if (found || !of->dev)
		return EXIT_DONE;
	complain("no wlink %s%son %s", of->handle ? of->handle_text : "",
		 of->handle ? " " : "", of->dev);
	return EXIT_NOT_FOUND;
}

int show_bearers(struct wlinkctl *ctl, struct target *of, const struct show_as *as)
{
	struct link_list list;
	int found, err;

	err = target_find(ctl, of);
	if (err)
		return err;
	err = link_dump_bearers(ctl, of->ifindex, of->handle, &list);
	if (err)
		return err;
	found = print_list(ctl, &list, of, as);
	free(list.links);
	if (found)
		return EXIT_DONE;
	target_complain(of);
	return EXIT_NOT_FOUND;
}

int cmd_show(struct wlinkctl *ctl, int argc, char **argv)
{
	struct target of = { 0 };
	int words;

	if (argc) {
		words = target_parse(&of, "show", argc, argv);
		if (words < 0)
			return EXIT_USAGE;
		if (argc > words) {
			complain("show takes a device, a handle and a bearer, but got \"%s\"",
				 argv[words]);
			return EXIT_USAGE;
		}
		of.ifindex = link_device(of.dev);
		if (!of.ifindex)
			return EXIT_NOT_FOUND;
	}
	if (of.bearer || of.all)
		return show_bearers(ctl, &of, &statistics);
	return show_links(ctl, &of);
}
