// SPDX-License-Identifier: GPL-2.0
/*
 * Known profiles, each row with its source. AQM paper: Alcaraz, Cerdan:
 * "Performance evaluation of AQM schemes in rate-varying 3G links".
 */
#include <string.h>

#include "wl_profiles.h"

#define TABLE_3		"AQM paper, Table 3: T_r, minth; section 5: alpha 5 SDUs, " \
			"maxth the buffer of 40"
#define TABLE_5		"AQM paper, Table 5: maxp, minth; section 5: maxth the " \
			"buffer of 40"

static const struct wl_known_row sbd_3g[] = {
	{ "64kbit sbd minth 10 maxth limit alpha 5 tr 2500ms", TABLE_3 },
	{ "128kbit sbd minth 15 maxth limit alpha 5 tr 1300ms", TABLE_3 },
	{ "256kbit sbd minth 20 maxth limit alpha 5 tr 500ms", TABLE_3 },
	{ "384kbit sbd minth 20 maxth limit alpha 5 tr 200ms", TABLE_3 },
	{ NULL, NULL },
};

static const struct wl_known_row red_3g[] = {
	{ "64kbit red minth 10 maxth limit maxp 0.3", TABLE_5 },
	{ "128kbit red minth 10 maxth limit maxp 0.2", TABLE_5 },
	{ "256kbit red minth 15 maxth limit maxp 0.06", TABLE_5 },
	{ "384kbit red minth 20 maxth limit maxp 0.05", TABLE_5 },
	{ NULL, NULL },
};

const struct wl_known_profile wl_profiles[] = {
	{ "sbd-3g", "slope based discard on UMTS bearers, AQM paper, Table 3",
	  sbd_3g },
	{ "red-3g", "random early detection on UMTS bearers, AQM paper, Table 5",
	  red_3g },
};

const size_t wl_profiles_count = ARRAY_SIZE(wl_profiles);

const struct wl_known_profile *wl_profile_find(const char *name)
{
	size_t i;

	for (i = 0; i < wl_profiles_count; i++)
		if (!strcmp(wl_profiles[i].name, name))
			return &wl_profiles[i];
	return NULL;
}
