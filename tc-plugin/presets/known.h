/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_KNOWN_H
#define _WL_KNOWN_H

/*
 * Presets and profiles that come with wlink: the files of links/ and profiles/, which the
 * programs have in them. The first line of each is a comment that says what it is.
 */

#include <stddef.h>

/**
 * struct wl_known - a file
 * @name: its name, NULL behind the last one
 * @text: its text
 */
struct wl_known {
	const char *name;
	const char *text;
};

extern const struct wl_known wl_known_links[];
extern const struct wl_known wl_known_profiles[];

/* Room for what a file says it is, and for the source of a value. */
#define WL_WHAT_TEXT	400U

/**
 * wl_known_find() - look up a file
 * @among: wl_known_links or wl_known_profiles
 * @name: as typed
 *
 * Return: its text, or NULL.
 */
const char *wl_known_find(const struct wl_known *among, const char *name);

/**
 * wl_known_what() - what a text says it is
 * @text: text
 * @what: room for WL_WHAT_TEXT bytes; empty if its first line is no comment
 */
void wl_known_what(const char *text, char *what);

#endif
