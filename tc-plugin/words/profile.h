/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _WL_PROFILE_H
#define _WL_PROFILE_H

/*
 * Profiles that are read: text files with a line "RATE AQM-WORDS" for each rate, by
 * growing rate, for instance "384kbit sbd minth 20 tr 200ms".
 */

#include "table/profile.h"

/**
 * wl_profile_load() - read a known profile or a file
 * @name: known name; else with a '/' in it, or existing, a file
 * @error: on error a plain sentence, at least WL_ERROR_TEXT bytes; about a line
 *	of a file it begins with "FILE:LINE: "
 *
 * Return: the profile, to be freed with free(), or NULL with @error set.
 */
struct wl_profile *wl_profile_load(const char *name, char *error);

#endif
