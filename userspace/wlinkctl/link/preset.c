// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "lib/json.h"
#include "link/names.h"
#include "presets/presets.h"
#include "wlinkctl.h"

static void get(size_t i, const char **name, const char **what)
{
	*name = wl_presets[i].name;
	*what = wl_presets[i].what;
}

static void show_json(const struct wl_preset *preset)
{
	const struct wl_preset_row *row;

	json_begin();
	json_writer.string("name", preset->name);
	json_writer.string("what", preset->what);
	json_open_array("words");
	for (row = preset->rows; row->word; row++) {
		json_writer.object(NULL);
		json_writer.string("word", row->word);
		json_writer.string("value", row->value);
		json_writer.string("source", row->source);
		json_writer.end();
	}
	json_end_array();
	json_end();
}

static int show(struct wlinkctl *ctl, const char *name)
{
	const struct wl_preset *preset = wl_preset_find(name);
	const struct wl_preset_row *row;

	if (!preset) {
		complain("no preset \"%s\"; try wlinkctl preset list", name);
		return EXIT_NOT_FOUND;
	}
	if (ctl->json) {
		show_json(preset);
		return EXIT_DONE;
	}
	printf("%s: %s\n", preset->name, preset->what);
	for (row = preset->rows; row->word; row++)
		printf("%-15s %-9s %s\n", row->word, row->value, row->source);
	return EXIT_DONE;
}

int cmd_preset(struct wlinkctl *ctl, int argc, char **argv)
{
	if (argc == 1 && !strcmp(argv[0], "list"))
		return names_list(ctl, wl_presets_count, get);
	if (argc == 2 && !strcmp(argv[0], "show"))
		return show(ctl, argv[1]);
	complain("preset needs list, or show and the name of one");
	return EXIT_USAGE;
}
