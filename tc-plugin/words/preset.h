/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PRESET_H
#define _WL_PRESET_H

/*
 * Presets: known links as files of words. A line is "WORD VALUE SOURCE", the source up to its
 * end, or "base NAME" for the words of another preset; a # begins a comment. A word that comes
 * again takes the place of the one of a base.
 */

#include "presets/known.h"
#include "table/table.h"

#define WL_PRESET_ROWS	256U
#define WL_PRESET_PATH	256U

/**
 * struct wl_preset_row - a word of a preset
 * @word: keyword; empty where a later layer leaves it no place
 * @value: its value
 * @source: where the value is from, or why wlink chose it
 * @file: preset that it stands in
 * @line: line of it
 * @layer: of the words of a file, above those of its bases, from 1 on
 */
struct wl_preset_row {
	char word[32];
	char value[256];
	char source[WL_WHAT_TEXT];
	char file[WL_PRESET_PATH];
	unsigned int line;
	unsigned int layer;
};

/**
 * struct wl_preset - a preset that has been read
 * @what: what it is, for lists
 * @layers: files that have words
 * @count: words
 * @row: them
 */
struct wl_preset {
	char what[WL_WHAT_TEXT];
	unsigned int layers;
	size_t count;
	struct wl_preset_row row[WL_PRESET_ROWS];
};

/**
 * wl_preset_load() - read a preset
 * @name: one of wlink's own; a file if there is a '/' in it; else a file of
 *	wl_preset_folder()
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes; about a line
 *	it begins with "NAME:LINE: "
 *
 * Return: the preset, to be freed with free(), or NULL with @error set.
 */
struct wl_preset *wl_preset_load(const char *name, char *error);

/**
 * wl_preset_folder() - where a user's own presets are
 * @i: number of the folder
 * @path: room for WL_PRESET_PATH bytes
 *
 * Return: whether there is such a number.
 */
bool wl_preset_folder(unsigned int i, char *path);

#endif
