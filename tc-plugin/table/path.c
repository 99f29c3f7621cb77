// SPDX-License-Identifier: GPL-2.0
#include "table/path.h"

const struct wl_nest wl_nests[] = {
	{ 0, TCA_WLINK_LIMIT, "limit" },
	{ 0, TCA_WLINK_CHANNEL, "channel" },
	{ 0, TCA_WLINK_HARQ, "harq" },
	{ 0, TCA_WLINK_SR, "sr" },
	{ 0, TCA_WLINK_DRX, "drx" },
	{ 0, TCA_WLINK_RRC, "rrc" },
	{ 0, TCA_WLINK_CELL, "cell" },
	{ 0, TCA_WLINK_BACKGROUND, "background" },
	{ 0, TCA_WLINK_TDD, "tdd" },
	{ 0, TCA_WLINK_JITTER, "jitter" },
	{ 0, TCA_WLINK_IMPAIR, "corrupt" },
	{ 0, TCA_WLINK_RLC, "rlc" },
	{ 0, TCA_WLINK_REVERSE, "reverse" },
	{ TCA_WLINK_REVERSE, TCA_WLINK_REVERSE_CHANNEL, "rev_channel" },
	{ 0, TCA_WLINK_AQM, "aqm" },
};

const size_t wl_nests_count = ARRAY_SIZE(wl_nests);

bool wl_path_has(const struct wl_row *row, struct wl_path path)
{
	return row->attr && row->nest == path.nest && row->inner == path.inner;
}

struct wl_path wl_path_into(struct wl_path path, uint16_t attr)
{
	if (path.nest)
		path.inner = attr;
	else
		path.nest = attr;
	return path;
}

const struct wl_nest *wl_path_nest(struct wl_path path, uint16_t attr)
{
	size_t i;

	for (i = 0; !path.inner && i < wl_nests_count; i++)
		if (wl_nests[i].outer == path.nest && wl_nests[i].attr == attr)
			return &wl_nests[i];
	return NULL;
}

enum wl_word wl_path_row(struct wl_path path, uint16_t attr)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (wl_rows[word].attr == attr &&
		    wl_path_has(&wl_rows[word], path))
			return word;
	return WL_WORDS;
}
