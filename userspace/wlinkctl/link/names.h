/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_NAMES_H
#define _WLINKCTL_NAMES_H

#include <stddef.h>

#include "wlinkctl.h"

/**
 * struct named - a line of a list
 * @name: a name
 * @what: what it stands for
 * @file: file of the user's that it is from, NULL for wlink's own
 */
struct named {
	const char *name;
	const char *what;
	const char *file;
};

/**
 * names_list() - print names and what they stand for
 * @ctl: the program
 * @n: how many
 * @get: gives number i
 *
 * Return: EXIT_DONE.
 */
int names_list(const struct wlinkctl *ctl, size_t n, struct named (*get)(size_t i));

#endif
