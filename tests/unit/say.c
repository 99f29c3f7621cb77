// SPDX-License-Identifier: GPL-2.0
/* Words as they are typed into members, by the table of words alone. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/rrc/check.h"
#include "say.h"
#include "ut.h"

/* Where a nest is in struct wl_cfg. */
#define IN_options(member)	member
#define IN_limit(member)	limit.member
#define IN_channel(member)	channel.member
#define IN_harq(member)		harq.member
#define IN_sr(member)		access.member
#define IN_drx(member)		drx.member
#define IN_rrc(member)		drx.member
#define IN_cell(member)		cell.member
#define IN_background(member)	cell.member
#define IN_tdd(member)		tdd.member
#define IN_jitter(member)	impair.member
#define IN_impair(member)	impair.member
#define IN_rlc(member)		rlc.member
#define IN_reverse(member)	reverse.member
#define IN_aqm(member)		aqm.member
#define IN_back(member)		reverse.channel.member

/* What a number as it is typed is times. */
#define TIMES_PROB		(1ULL << 32)
#define TIMES_MILLI		1000
#define TIMES_TIME		1
#define TIMES_RATE		1
#define TIMES_COUNT		1
#define TIMES_BYTES		1
#define TIMES_PERCENT		1
#define TIMES_TTIS		1
#define TIMES_PDUS		1
#define TIMES_SYMBOLS		1
#define TIMES_SIZE		1
#define TIMES_AMOUNT		1
#define TIMES_BER		1
#define TIMES_SLOTS		1

/* Parts of a row. */
#define RANGE(unit, min, max)			.times = TIMES_##unit,
#define ALSO(unit, min, max, text_, value_, bounds) \
	.times = TIMES_##unit, .other = text_, .value = value_,
#define OR_ZERO(unit, min, max, text_)		ALSO(unit, min, max, text_, 0, NULL)
#define LATE(unit, min, max, bounds)		RANGE(unit, min, max)
#define APART(unit, min, max, least, most, text_, value_) \
	ALSO(unit, min, max, text_, value_, NULL)
#define NAMES(max, ...)			.names = (const char *const[]){ __VA_ARGS__, NULL },
#define SWITCH					NAMES(1, "off", "on")
#define OF(owner, kinds)
#define WITH(owner, kinds)
#define UNIT_OF_LIMIT(kind)
#define ANY
#define OF_LINK
#define NEEDED
#define UNTYPED

struct word {
	const char *keyword;
	size_t offset;
	size_t size;
	u64 times;
	const char *other;
	u64 value;
	const char *const *names;
};

#define MEMBER(member)	offsetof(struct wl_cfg, member), sizeof(((struct wl_cfg *)0)->member)

static const struct word words[] = {
#define WL_WORD(word, nest, attr, bits, member, name, keyword, json, meaning, parts) \
	{ keyword, MEMBER(IN_##nest(member)), parts },
#define WL_BACK(word, nest, attr, bits, member, name, keyword, json, meaning, parts) \
	{ keyword, MEMBER(IN_back(member)), parts },
#include <wlink/words.h>
	{ "gbr", MEMBER(gbr_bps), .times = 1 },
};

static void fail(const char *keyword, const char *text)
{
	fprintf(stderr, "say: %s %s\n", keyword, text ?: "");
	abort();
}

static u64 number(const struct word *word, const char *text)
{
	static const struct {
		const char *name;
		u64 times;
	} units[] = {
		{ "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 }, { "s", 1000000000 },
		{ "bit", 1 }, { "kbit", 1000 }, { "mbit", 1000000 }, { "gbit", 1000000000 },
	};
	u64 most = word->size == sizeof(u32) ? U32_MAX : U64_MAX, times = word->times ?: 1;
	u64 whole = strtoull(text, NULL, 10);
	char *unit;
	double value = strtod(text, &unit);

	for (u32 i = 0; i < ARRAY_SIZE(units); i++) {
		if (unit == text || strcmp(unit, units[i].name))
			continue;
		times *= units[i].times;
		/* All digits count. */
		if (value == (double)whole)
			return min(whole * times, most);
		return min((u64)(value * (double)times + 0.5), most);
	}
	fail(word->keyword, text);
	return 0;
}

static u64 value_of(const struct word *word, const char *text)
{
	if (word->other && !strcmp(text, word->other))
		return word->value;
	for (u32 i = 0; word->names && word->names[i]; i++)
		if (!strcmp(text, word->names[i]))
			return i;
	return number(word, text);
}

/* The row of a keyword. */
static const struct word *find(const char *keyword, const char *text)
{
	for (u32 i = 0; text && i < ARRAY_SIZE(words); i++)
		if (!strcmp(words[i].keyword, keyword))
			return &words[i];
	fail(keyword, text);
	return NULL;
}

static void take(struct wl_cfg *cfg, const struct word *word, u64 value)
{
	void *member = (char *)cfg + word->offset;

	if (!strcmp(word->keyword, "mode"))
		wl_cfg_set_mode(cfg, value);
	else if (!strcmp(word->keyword, "aqm"))
		wl_aqm_default(&cfg->aqm, value);
	else if (word->size == sizeof(u64))
		*(u64 *)member = value;
	else if (word->size == sizeof(u32))
		*(u32 *)member = (u32)value;
	else
		*(u8 *)member = (u8)value;
	if (!strcmp(word->keyword, "limit"))
		cfg->limit.kind = WL_LIMIT_PACKETS;
}

static u64 member_of(const struct wl_cfg *cfg, const struct word *word)
{
	const void *member = (const char *)cfg + word->offset;

	if (word->size == sizeof(u64))
		return *(const u64 *)member;
	return word->size == sizeof(u32) ? *(const u32 *)member : *(const u8 *)member;
}

void say(struct wl_cfg *cfg, const char *format, ...)
{
	char text[512], *save = NULL, *keyword, *value;
	const struct word *word;
	va_list args;

	va_start(args, format);
	if (vsnprintf(text, sizeof(text), format, args) >= (int)sizeof(text))
		fail(format, NULL);
	va_end(args);
	for (keyword = strtok_r(text, " ", &save); keyword; keyword = strtok_r(NULL, " ", &save)) {
		value = strtok_r(NULL, " ", &save);
		word = find(keyword, value);
		take(cfg, word, value_of(word, value));
	}
}

void says(const struct wl_cfg *cfg, const char *text, const char *where)
{
	char copy[512], *save = NULL, *keyword, *value;
	const struct word *word;

	snprintf(copy, sizeof(copy), "%s", text);
	for (keyword = strtok_r(copy, " ", &save); keyword; keyword = strtok_r(NULL, " ", &save)) {
		value = strtok_r(NULL, " ", &save);
		word = find(keyword, value);
		ut_check(member_of(cfg, word) == value_of(word, value), where, "%s is %llu, not %s",
			 keyword, member_of(cfg, word), value);
	}
}
