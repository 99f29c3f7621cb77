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
 * @NOTHING: there are none inside
 */
enum place {
	OPTIONS,
	PROFILE,
	PROFILE_ROW,
	NOTHING,
};

/**
 * struct step - an attribute that no row has
 * @in: where it stands
 * @attr: itself
 * @into: what is inside
 * @path: where inside, where that are OPTIONS
 * @keyword: for messages
 */
struct step {
	enum place in;
	uint16_t attr;
	enum place into;
	struct wl_path path;
	const char *keyword;
};

static const struct step steps[] = {
	{ OPTIONS, TCA_WLINK_PROFILE, PROFILE, { 0, 0 }, "profile" },
	{ PROFILE, TCA_WLINK_PROFILE_NAME, NOTHING, { 0, 0 }, "profile" },
	{ PROFILE, TCA_WLINK_PROFILE_ROW, PROFILE_ROW, { 0, 0 }, "profile" },
	{ PROFILE_ROW, TCA_WLINK_ROW_RATE, NOTHING, { 0, 0 }, "rate" },
	{ PROFILE_ROW, TCA_WLINK_ROW_AQM, OPTIONS, { TCA_WLINK_AQM, 0 },
	  "aqm" },
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

static const struct step *find_step(const struct finder *find, uint16_t type)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(steps); i++)
		if (steps[i].in == find->place && steps[i].attr == type &&
		    !find->path.nest)
			return &steps[i];
	return NULL;
}

static const char *own_keyword(const struct finder *find, uint16_t type)
{
	const struct step *step = find_step(find, type);
	const struct wl_nest *nest;
	enum wl_word word;

	if (step)
		return step->keyword;
	if (find->place != OPTIONS)
		return NULL;
	nest = wl_path_nest(find->path, type);
	word = wl_path_row(find->path, type);
	if (nest)
		return nest->attr == TCA_WLINK_IMPAIR ? wl_rows[WL_CORRUPT].keyword : nest->name;
	if (word == WL_WORDS && find->path.nest == TCA_WLINK_JITTER)
		return wl_rows[WL_JITTER_TABLE].keyword;
	return word == WL_WORDS ? NULL : wl_rows[word].keyword;
}

/* Return: is there anything inside? */
static bool enter(struct finder *inner, const struct finder *find,
		  uint16_t type)
{
	const struct step *step = find_step(find, type);

	*inner = *find;
	inner->keyword = NULL;
	if (step) {
		inner->place = step->into;
		inner->path = step->path;
		return step->into != NOTHING;
	}
	inner->path = wl_path_into(find->path, type);
	return find->place == OPTIONS && wl_path_nest(find->path, type);
}

static void find_one(void *ctx, uint16_t type, size_t offset, const void *data,
		     size_t len)
{
	struct finder *find = ctx;
	struct finder inner;

	if (find->base + offset == find->wanted) {
		find->keyword = own_keyword(find, type);
		return;
	}
	if (find->base + offset > find->wanted || !enter(&inner, find, type))
		return;
	inner.base += offset + NLA_HDRLEN;
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
