// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>
#include <string.h>

#include "presets/known.h"

/* Made by embed. */
#include "known.inc"

const char *wl_known_find(const struct wl_known *among, const char *name)
{
	for (; among->name; among++)
		if (!strcmp(among->name, name))
			return among->text;
	return NULL;
}

void wl_known_what(const char *text, char *what)
{
	size_t blanks = *text == '#' ? strspn(text + 1, " \t") + 1 : 0;

	snprintf(what, WL_WHAT_TEXT, "%.*s", blanks ? (int)strcspn(text + blanks, "\r\n") : 0,
		 text + blanks);
}
