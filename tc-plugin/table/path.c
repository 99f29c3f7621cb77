// SPDX-License-Identifier: GPL-2.0
#include "table/path.h"

const struct wl_nest wl_nests[] = {
#define WL_NEST(nest, attr, inner, name, ...)	{ 0, attr, name },
#define WL_INNER(...)
#include <wlink/words.h>
	{ TCA_WLINK_REVERSE, TCA_WLINK_REVERSE_CHANNEL, "rev_channel" },
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
