// SPDX-License-Identifier: GPL-2.0
#include "table/value.h"

/* Where tables stand. */
enum {
	NEST_options,
#define WL_NEST(nest, attr, inner, ...)	NEST_##inner = attr,
#define WL_INNER(...)
#include <wlink/words.h>
};

#define WL_UNIT_TTIS	WL_UNIT_COUNT
#define WL_UNIT_PDUS	WL_UNIT_COUNT
#define WL_UNIT_SYMBOLS	WL_UNIT_COUNT

/* Parts of a row. */
#define RANGE(unit_, min_, max_)	.unit = WL_UNIT_##unit_, .min = (min_), .max = (max_),
#define LATE(unit_, min_, max_, text_)	RANGE(unit_, min_, max_)
#define ALSO(unit_, min_, max_, other_, value_, text_) \
	RANGE(unit_, min_, max_) .other = (other_), .other_value = (value_),
#define OR_ZERO(unit_, min_, max_, other_)	ALSO(unit_, min_, max_, other_, 0, NULL)
#define APART(unit_, min_, max_, least_, most_, other_, value_) \
	ALSO(unit_, least_, most_, other_, value_, NULL)
#define NAMES(max_, ...) \
	.unit = WL_UNIT_NAME, .names = (const char *const[]){ __VA_ARGS__, NULL },
#define SWITCH \
	.unit = WL_UNIT_SWITCH, .names = (const char *const[]){ "off", "on", NULL },
#define NAMED			.unit = WL_UNIT_NAME,
#define OF(owner_, kinds_)	.owner = WL_##owner_, .kinds = (kinds_),
#define WITH(owner_, kinds_)	OF(owner_, kinds_)
#define UNIT_OF_LIMIT(kind_)
#define ANY
#define OF_LINK			.of_link = true,
#define NEEDED			.needed = true,
#define UNTYPED			.untyped = true,

#define ROW(keyword_, json_, nest_, attr_, bits_, ...) { \
		.keyword = keyword_, .json = json_, .nest = nest_, .attr = attr_, \
		.size = (bits_) / 8, __VA_ARGS__ \
	},

const struct wl_row wl_rows[WL_WORDS] = {
#define WL_WORD(word, nest, attr, bits, member, name, keyword, json, meaning, parts) \
	[WL_##word] = ROW(keyword, json, NEST_##nest, attr, bits, parts)
#define WL_BACK(word, nest, attr, bits, member, name, keyword, json, meaning, parts) \
	[WL_##word] = ROW(keyword, json, TCA_WLINK_REVERSE, attr, bits, \
			  .inner = TCA_WLINK_REVERSE_CHANNEL, parts)
#define WL_ALONE(word, nest, attr, bits, name, keyword, json, meaning, parts) \
	[WL_##word] = ROW(keyword, json, NEST_##nest, attr, bits, parts)
#define WL_TYPED(word, nest, keyword, json, meaning, parts) \
	[WL_##word] = ROW(keyword, json, NEST_##nest, 0, 0, parts)
#include <wlink/words.h>
};

/* Each attribute has one row, and each row a sentence: or this does not compile. */
#define SENTENCE(meaning)	(1 / (sizeof(meaning) > 1))

enum {
#define WL_WORD(word, nest, attr, bits, member, name, keyword, json, meaning, parts) \
	ONE_ROW_##attr = SENTENCE(meaning),
#define WL_ALONE(word, nest, attr, bits, name, keyword, json, meaning, parts) \
	ONE_ROW_##attr = SENTENCE(meaning),
#define WL_ATTR(nest, attr, type, name, meaning, parts)		ONE_ROW_##attr = SENTENCE(meaning),
#define WL_NEST(nest, attr, inner, name, meaning, parts)	ONE_ROW_##attr = SENTENCE(meaning),
#define WL_TYPED(word, nest, keyword, json, meaning, parts)	ONE_ROW_##word = SENTENCE(meaning),
#include <wlink/words.h>
};

const char *wl_row_name(const struct wl_row *row, uint64_t value)
{
	uint64_t i;

	for (i = 0; row->names[i]; i++)
		if (i == value)
			return row->names[i];
	return "unknown";
}
