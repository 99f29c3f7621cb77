/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WLINKCTL_NAMES_H
#define _WLINKCTL_NAMES_H

#include <stddef.h>

#include "wlinkctl.h"

/**
 * names_list() - print names and what they stand for
 * @ctl: the program
 * @n: how many
 * @get: gives number i
 *
 * Return: EXIT_DONE.
 */
int names_list(const struct wlinkctl *ctl, size_t n,
	       void (*get)(size_t i, const char **name, const char **what));

#endif
