// SPDX-License-Identifier: GPL-2.0
/* The table of words as JSON, an object for each attribute, as the module has it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

#include <linux/pkt_sch_wlink.h>

struct row {
	const char *nest, *inner, *attr, *type, *name, *keyword, *meaning;
	const char *unit, *other, *text, *owner;
	uint64_t number, kinds, min, max, least, most, value;
	bool of_link, needed, many, member;
	const char *const *names;
};

#define RANGE(unit_, min_, max_)	APART(unit_, min_, max_, min_, max_, NULL, 0)
#define OR_ZERO(unit_, min_, max_, other_)	APART(unit_, 0, max_, min_, max_, other_, 0)
#define ALSO(unit_, min_, max_, other_, value_, text_) \
	APART(unit_, min_, max_, min_, max_, other_, value_) .text = (text_),
#define LATE(unit_, min_, max_, text_)	ALSO(unit_, min_, max_, NULL, min_, text_)
#define APART(unit_, min_, max_, least_, most_, other_, value_) \
	.unit = #unit_, .min = (min_), .max = (max_), .least = (least_), .most = (most_), \
	.other = (other_), .value = (value_),
#define NAMES(max_, ...)	.max = (max_), .names = (const char *const[]){ __VA_ARGS__, NULL },
#define SWITCH			NAMES(1, "off", "on")
#define LENGTH(max_)		.max = (max_),
#define OF(owner_, kinds_)	.owner = #owner_, .kinds = (kinds_),
#define WITH(owner_, kinds_)
#define UNIT_OF_LIMIT(kind_)
#define ANY
#define OF_LINK			.of_link = true,
#define NEEDED			.needed = true,
#define MANY			.many = true,
#define UNTYPED
#define OLD

static const struct row rows[] = {
#define WL_WORD(word_, nest_, attr_, bits_, member_, name_, keyword_, json_, meaning_, parts_) \
	{ .nest = #nest_, .attr = #attr_, .number = attr_, .type = "u" #bits_, .name = name_, \
	  .keyword = keyword_, .meaning = meaning_, .member = true, parts_ },
#define WL_ALONE(word_, nest_, attr_, bits_, name_, keyword_, json_, meaning_, parts_) \
	{ .nest = #nest_, .attr = #attr_, .number = attr_, .type = "u" #bits_, .name = name_, \
	  .keyword = keyword_, .meaning = meaning_, parts_ },
#define WL_ATTR(nest_, attr_, type_, name_, meaning_, parts_) \
	{ .nest = #nest_, .attr = #attr_, .number = attr_, .type = #type_, .name = name_, \
	  .meaning = meaning_, parts_ },
#define WL_NEST(nest_, attr_, inner_, name_, meaning_, parts_) \
	{ .nest = #nest_, .attr = #attr_, .number = attr_, .type = "nest", .name = name_, \
	  .inner = #inner_, .meaning = meaning_, parts_ },
#include <wlink/words.h>
};

static void put_text(const char *key, const char *text)
{
	if (text)
		printf("\"%s\": \"%s\", ", key, text);
	else
		printf("\"%s\": null, ", key);
}

static void put_row(const struct row *row)
{
	size_t i;

	put_text("nest", row->nest);
	put_text("inner", row->inner);
	put_text("attr", row->attr);
	put_text("type", row->type);
	put_text("name", row->name);
	put_text("keyword", row->keyword);
	put_text("meaning", row->meaning);
	put_text("unit", row->unit);
	put_text("other", row->other);
	put_text("text", row->text);
	put_text("owner", row->owner);
	printf("\"number\": %" PRIu64 ", \"kinds\": %" PRIu64 ", ", row->number, row->kinds);
	printf("\"min\": %" PRIu64 ", \"max\": %" PRIu64 ", ", row->min, row->max);
	printf("\"least\": %" PRIu64 ", \"most\": %" PRIu64 ", ", row->least, row->most);
	printf("\"of_link\": %d, \"needed\": %d, \"many\": %d, \"member\": %d, ", row->of_link,
	       row->needed, row->many, row->member);
	printf("\"value\": %" PRIu64 ", \"names\": [", row->value);
	for (i = 0; row->names && row->names[i]; i++)
		printf("%s\"%s\"", i ? ", " : "", row->names[i]);
	printf("]");
}

int main(void)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		printf("%s{ ", i ? ",\n" : "[\n");
		put_row(&rows[i]);
		printf(" }");
	}
	printf("\n]\n");
	return 0;
}
