// SPDX-License-Identifier: GPL-2.0
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/json.h"
#include "link/names.h"
#include "wlinkctl.h"
#include "words/words.h"

#define NAMES_MAX	1000U

/**
 * struct listed - a preset for a list
 * @name: its name
 * @file: of a user's own one: the file
 */
struct listed {
	const char *name;
	char file[WL_PRESET_PATH];
};

static struct listed listed[NAMES_MAX];
static size_t count;

static struct named get(size_t i)
{
	static char error[WL_ERROR_TEXT];
	static struct wl_preset *preset;
	const char *file = *listed[i].file ? listed[i].file : NULL;

	free(preset);
	preset = wl_preset_load(listed[i].name, error);
	return (struct named){ listed[i].name, preset ? preset->what : error, file };
}

/* The first one of a name is the one that is meant by it. */
static void add(const char *name, const char *folder)
{
	struct listed *one = &listed[count];
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(listed[i].name, name))
			return;
	*one->file = '\0';
	if (count == NAMES_MAX || (folder && (size_t)snprintf(one->file, sizeof(one->file), "%s/%s",
							      folder, name) >= sizeof(one->file)))
		return;
	one->name = name;
	count++;
}

static int is_preset(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

static int list(const struct wlinkctl *ctl)
{
	char folder[WL_PRESET_PATH];
	struct dirent **entries;
	unsigned int i;
	int j, n;

	count = 0;
	for (i = 0; wl_known_links[i].name; i++)
		add(wl_known_links[i].name, NULL);
	/* The names stay, for the list. */
	for (i = 0; wl_preset_folder(i, folder); i++) {
		n = scandir(folder, &entries, is_preset, versionsort);
		for (j = 0; j < n; j++)
			add(entries[j]->d_name, folder);
		if (n >= 0)
			free(entries);
	}
	return names_list(ctl, count, get);
}

static void show_json(const char *name, const struct wl_preset *preset)
{
	size_t i;

	json_begin();
	json_writer.string("name", name);
	json_writer.string("what", preset->what);
	json_open_array("words");
	for (i = 0; i < preset->count; i++) {
		if (!*preset->row[i].word)
			continue;
		json_writer.object(NULL);
		json_writer.string("word", preset->row[i].word);
		json_writer.string("value", preset->row[i].value);
		json_writer.string("source", preset->row[i].source);
		json_writer.end();
	}
	json_end_array();
	json_end();
}

static void show_text(const char *name, const struct wl_preset *preset)
{
	size_t i;

	printf("# %s: %s\n", name, preset->what);
	for (i = 0; i < preset->count; i++)
		if (*preset->row[i].word)
			printf("%-15s %-9s %s\n", preset->row[i].word, preset->row[i].value,
			       preset->row[i].source);
}

static int show(struct wlinkctl *ctl, const char *name)
{
	const char *const words[] = { "preset", name };
	struct wl_preset *preset = NULL;
	struct wl_values values;
	char error[WL_ERROR_TEXT];

	/* Judged as tc would; then once more for the words that bases leave. */
	if (!wl_words_parse(&values, false, 2, words, error)) {
		wl_values_free(&values);
		preset = wl_preset_load(name, error);
	}
	if (!preset || wl_words_preset(&values, preset, false, error)) {
		free(preset);
		complain("%s", error);
		return EXIT_NOT_FOUND;
	}
	wl_values_free(&values);
	if (ctl->json)
		show_json(name, preset);
	else
		show_text(name, preset);
	free(preset);
	return EXIT_DONE;
}

int cmd_preset(struct wlinkctl *ctl, int argc, char **argv)
{
	if (argc == 1 && !strcmp(argv[0], "list"))
		return list(ctl);
	if (argc == 2 && !strcmp(argv[0], "show"))
		return show(ctl, argv[1]);
	complain("preset needs list, or show and the name of one");
	return EXIT_USAGE;
}
