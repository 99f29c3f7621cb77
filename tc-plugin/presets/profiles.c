// SPDX-License-Identifier: GPL-2.0
/*
 * Known profiles, each row with its source. AQM paper: Alcaraz, Cerdan:
 * "Performance evaluation of AQM schemes in rate-varying 3G links".
 */
#include <string.h>

#include "presets/profiles.h"

#define TABLE_3		"AQM paper, Table 3: T_r, minth; section 5: alpha 5 SDUs, " \
			"maxth the buffer of 40; hold as in its pseudo-code, " \
			"which its results are of"
#define CLAMPED		TABLE_3 "; clamp is of wlink, no rule of the paper"
#define TABLE_5		"AQM paper, Table 5: maxp, minth; section 5: maxth the " \
			"buffer of 40"

static const struct wl_known_row sbd_3g[] = {
	{ "64kbit sbd minth 10 maxth limit alpha 5 tr 2500ms hold off", TABLE_3 },
	{ "128kbit sbd minth 15 maxth limit alpha 5 tr 1300ms hold off", TABLE_3 },
	{ "256kbit sbd minth 20 maxth limit alpha 5 tr 500ms hold off", TABLE_3 },
	{ "384kbit sbd minth 20 maxth limit alpha 5 tr 200ms hold off", TABLE_3 },
	{ NULL, NULL },
};

static const struct wl_known_row sbd_3g_clamp[] = {
	{ "64kbit sbd minth 10 maxth limit alpha 5 tr 2500ms hold off clamp on", CLAMPED },
	{ "128kbit sbd minth 15 maxth limit alpha 5 tr 1300ms hold off clamp on", CLAMPED },
	{ "256kbit sbd minth 20 maxth limit alpha 5 tr 500ms hold off clamp on", CLAMPED },
	{ "384kbit sbd minth 20 maxth limit alpha 5 tr 200ms hold off clamp on", CLAMPED },
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
	{ "sbd-3g-clamp", "sbd-3g without thresholds above the buffer, which is not in the paper",
	  sbd_3g_clamp },
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

/* Return: bytes of the character of UTF-8 that starts here, 0 if there is none. */
static size_t character(const char *at)
{
	/* Least code point of as many bytes; shorter forms are not allowed. */
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	unsigned char first = (unsigned char)*at;
	size_t n = first < 0x80 ? 1 : first < 0xc0 ? 0 : first < 0xe0 ? 2 :
		   first < 0xf0 ? 3 : first < 0xf8 ? 4 : 0;
	uint32_t code;
	size_t i;

	if (n < 2)
		return n && first >= ' ' && first != 0x7f;
	code = first & (0x7fU >> n);
	for (i = 1; i < n; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	/* Surrogates are no characters, and C1 controls move cursors. */
	if (code < least[n] || code > 0x10ffff || code < 0xa0 ||
	    (code >= 0xd800 && code < 0xe000))
		return 0;
	return n;
}

void wl_profile_clean(char *name)
{
	while (*name) {
		size_t n = character(name);

		if (!n)
			*name = '?';
		name += n ? n : 1;
	}
}
