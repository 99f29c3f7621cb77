// SPDX-License-Identifier: GPL-2.0
/* Whose attribute did the kernel complain about? */
#include <linux/netlink.h>

#include "attr/attr.h"
#include "table/path.h"

/**
 * enum place - what kind of attributes are walked
 * @OPTIONS: those of a bearer
 * @PROFILE: those of a profile
 * @PROFILE_ROW: those of one of its rows
 */
enum place {
	OPTIONS,
	PROFILE,
	PROFILE_ROW,
};

/**
 * struct finder - a search for the attribute at an offset
 * @wanted: offset from the start of all
 * @base: of the payload at hand
 * @place: what that holds
 * @path: where in OPTIONS it stands
 * @keyword: result
 */
struct finder {
	size_t wanted;
	size_t base;
	enum place place;
	struct wl_path path;
	const char *keyword;
};

/* From where an attribute stands to what is in it, and to its own keyword. Return: does it
 * hold others?
 */
static bool enter(struct finder *find, uint16_t type)
{
	const struct wl_nest *nest;
	enum wl_word word;

	if (find->place == PROFILE || (!find->place && !find->path.nest &&
				       type == TCA_WLINK_PROFILE)) {
		find->keyword = "profile";
		find->place = find->place == PROFILE ? PROFILE_ROW : PROFILE;
		return type != TCA_WLINK_PROFILE_NAME || find->place == PROFILE;
	}
	if (find->place == PROFILE_ROW) {
		find->keyword = type == TCA_WLINK_ROW_RATE ? "rate" : "aqm";
		find->place = OPTIONS;
		find->path = (struct wl_path){ TCA_WLINK_AQM, 0 };
		return type == TCA_WLINK_ROW_AQM;
	}
	nest = wl_path_nest(find->path, type);
	word = wl_path_row(find->path, type);
	if (nest)
		find->keyword = nest->attr == TCA_WLINK_IMPAIR ? wl_rows[WL_CORRUPT].keyword :
								 nest->name;
	else if (word != WL_WORDS)
		find->keyword = wl_rows[word].keyword;
	else if (find->path.nest == TCA_WLINK_JITTER)
		find->keyword = wl_rows[WL_JITTER_TABLE].keyword;
	find->path = wl_path_into(find->path, type);
	return nest;
}

static void find_one(void *ctx, uint16_t type, size_t offset, const void *data,
		     size_t len)
{
	struct finder *find = ctx, inner = *find;
	bool holds;

	inner.keyword = NULL;
	holds = enter(&inner, type);
	inner.base += offset;
	if (inner.base == find->wanted)
		find->keyword = inner.keyword;
	if (inner.base >= find->wanted || !holds)
		return;
	inner.keyword = NULL;
	inner.base += NLA_HDRLEN;
	wl_attr_each(data, len, find_one, &inner);
	if (inner.keyword)
		find->keyword = inner.keyword;
}

const char *wl_attr_keyword(const void *buf, size_t len, size_t offset)
{
	struct finder find = { offset, 0, OPTIONS, { 0, 0 }, NULL };

	wl_attr_each(buf, len, find_one, &find);
	return find.keyword;
}
