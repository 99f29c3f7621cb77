// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "table/read.h"
#include "table/value.h"
#include "words/preset.h"

#define BLANKS		" \t\r"

/* Of presets that take the words of each other, which may be a circle. */
#define DEPTH_MAX	8U

/**
 * struct preset_reader - a file on its way into a preset
 * @preset: result
 * @name: of the file
 * @depth: how many files wait for it
 * @layer: of its words, 0 before the first one
 */
struct preset_reader {
	struct wl_preset *preset;
	const char *name;
	unsigned int depth;
	unsigned int layer;
};

static int read_preset(struct wl_preset *preset, const char *name, unsigned int depth, char *error);

bool wl_preset_folder(unsigned int i, char *path)
{
	const char *given = getenv("WLINK_PRESETS");
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (i == 1)
		strcpy(path, "/etc/wlink/presets");
	else if (given && *given)
		snprintf(path, WL_PRESET_PATH, "%s", given);
	else if (config && *config)
		snprintf(path, WL_PRESET_PATH, "%s/wlink/presets", config);
	else
		snprintf(path, WL_PRESET_PATH, "%s/.config/wlink/presets", home ? home : "");
	return i <= 1;
}

/* Return: whether there is a file of the name, then @path has it. */
static bool find_preset(const char *name, char *path)
{
	char folder[WL_PRESET_PATH];
	unsigned int i;

	if (strchr(name, '/'))
		return snprintf(path, WL_PRESET_PATH, "%s", name) < (int)WL_PRESET_PATH;
	for (i = 0; *name != '.' && wl_preset_folder(i, folder); i++)
		if (snprintf(path, WL_PRESET_PATH, "%s/%s", folder, name) < (int)WL_PRESET_PATH &&
		    !access(path, F_OK))
			return true;
	return false;
}

/* Return: room for the word; NULL with @error. */
static struct wl_preset_row *add_row(const struct preset_reader *reader, const char *word,
				     char *error)
{
	struct wl_preset *preset = reader->preset;
	size_t i;

	for (i = 0; i < preset->count; i++) {
		if (preset->row[i].layer != reader->layer || strcmp(preset->row[i].word, word))
			continue;
		wl_refuse(error, "%s is in line %u already", word, preset->row[i].line);
		return NULL;
	}
	if (i < WL_PRESET_ROWS)
		return &preset->row[preset->count++];
	wl_refuse(error, "more than %u words", WL_PRESET_ROWS);
	return NULL;
}

static int preset_line(void *to, unsigned int line, char *text, char *error)
{
	struct preset_reader *reader = to;
	struct wl_preset_row *row;
	const char *word, *value;
	char *save = NULL;

	if (line == 1 && !reader->depth)
		wl_known_what(text, reader->preset->what);
	word = strtok_r(text, BLANKS, &save);
	if (!word || *word == '#')
		return 0;
	value = strtok_r(NULL, BLANKS, &save);
	if (!value)
		return wl_refuse(error, "%.80s has no value", word);
	if (!strcmp(word, "base") && reader->layer)
		return wl_refuse(error, "base stands before the words of the preset itself");
	if (!strcmp(word, "preset"))
		return wl_refuse(error, "in a preset, base takes the words of another one");
	if (!strcmp(word, "base"))
		return read_preset(reader->preset, value, reader->depth + 1, error);
	save += strspn(save, BLANKS);
	if (strlen(word) >= sizeof(row->word) || strlen(value) >= sizeof(row->value) ||
	    strlen(save) >= sizeof(row->source))
		return wl_refuse(error, "a word has up to %zu bytes, its value %zu, its source %zu",
				 sizeof(row->word) - 1, sizeof(row->value) - 1,
				 sizeof(row->source) - 1);
	if (!reader->layer)
		reader->layer = ++reader->preset->layers;
	row = add_row(reader, word, error);
	if (!row)
		return -1;
	strcpy(row->word, word);
	strcpy(row->value, value);
	strcpy(row->source, save);
	snprintf(row->file, sizeof(row->file), "%s", reader->name);
	row->line = line;
	row->layer = reader->layer;
	return 0;
}

static int read_preset(struct wl_preset *preset, const char *name, unsigned int depth, char *error)
{
	struct preset_reader reader = { preset, name, depth, 0 };
	const char *known = wl_known_find(wl_known_links, name);
	char path[WL_PRESET_PATH];
	int lines;

	if (depth == DEPTH_MAX)
		return wl_refuse(error, "bases go deeper than %u presets", DEPTH_MAX);
	if (!known && !find_preset(name, path))
		return wl_refuse(error,
				 "preset \"%.80s\" is unknown; wlinkctl preset list names them",
				 name);
	reader.name = known ? name : path;
	lines = wl_read_file("preset", reader.name, known, preset_line, &reader, error);
	if (lines < 0 || preset->count)
		return lines < 0 ? -1 : 0;
	return wl_refuse(error, "%s: no word up to the end of the file", reader.name);
}

struct wl_preset *wl_preset_load(const char *name, char *error)
{
	struct wl_preset *preset = calloc(1, sizeof(*preset));

	if (preset && !read_preset(preset, name, 0, error))
		return preset;
	if (!preset)
		wl_refuse(error, "%s", strerror(ENOMEM));
	free(preset);
	return NULL;
}
