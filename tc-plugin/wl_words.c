// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "wl_words.h"

#define UNIFORM	(1U << WLINK_CHANNEL_UNIFORM)
#define GILBERT	(1U << WLINK_CHANNEL_GILBERT)

/* Attribute and size belong together: the name of a row's attribute is spelt
 * once.
 */
#define TOP(name)	.attr = TCA_WLINK_##name
#define LIMIT(name)	.nest = TCA_WLINK_LIMIT, .attr = TCA_WLINK_LIMIT_##name
#define CHANNEL(name)	.nest = TCA_WLINK_CHANNEL, \
			.attr = TCA_WLINK_CHANNEL_##name

const struct wl_row wl_rows[WL_WORDS] = {
	[WL_RATE] = {
		.keyword = "rate", TOP(RATE), .size = 8,
		.unit = WL_UNIT_RATE,
		.min = WLINK_RATE_MIN, .max = WLINK_RATE_MAX,
		.json = "rate_bps",
	},
	[WL_TTI] = {
		.keyword = "tti", TOP(TTI), .size = 8,
		.unit = WL_UNIT_TIME, .max = WLINK_TTI_MAX,
		.json = "tti_ns",
	},
	[WL_DELAY] = {
		.keyword = "delay", TOP(DELAY), .size = 8,
		.unit = WL_UNIT_TIME, .max = WLINK_DELAY_MAX,
		.json = "delay_ns",
	},
	[WL_PDU] = {
		.keyword = "pdu", TOP(PDU), .size = 4,
		.unit = WL_UNIT_BYTES, .max = WLINK_PDU_MAX,
		.json = "pdu_bytes",
	},
	[WL_HEADER] = {
		.keyword = "header", TOP(HEADER), .size = 4,
		.unit = WL_UNIT_BYTES, .max = WLINK_HEADER_MAX,
		.json = "header_bytes",
	},
	[WL_LIMIT_PACKETS] = {
		.keyword = "limit", LIMIT(PACKETS), .size = 4,
		.unit = WL_UNIT_COUNT,
		.min = 1, .max = WLINK_LIMIT_PACKETS_MAX,
		.json = "limit_packets",
	},
	[WL_LIMIT_BYTES] = {
		.keyword = "limit", LIMIT(BYTES), .size = 4,
		.unit = WL_UNIT_SIZE,
		.min = 1, .max = WLINK_LIMIT_BYTES_MAX,
		.json = "limit_bytes",
	},
	[WL_LIMIT_TIME] = {
		.keyword = "limit", LIMIT(TIME), .size = 8,
		.unit = WL_UNIT_TIME,
		.min = 1, .max = WLINK_LIMIT_TIME_MAX,
		.json = "limit_ns",
	},
	[WL_SEED] = {
		.keyword = "seed", TOP(SEED), .size = 8,
		.unit = WL_UNIT_COUNT, .max = UINT64_MAX,
		.json = "seed",
	},
	[WL_CHANNEL] = {
		.keyword = "channel", CHANNEL(KIND), .size = 4,
		.unit = WL_UNIT_COUNT, .max = WLINK_CHANNEL_MAX,
		.json = "kind",
	},
	[WL_LOSS] = {
		.keyword = "loss", CHANNEL(LOSS), .size = 4,
		.unit = WL_UNIT_PROB, .max = WLINK_PROB_ONE,
		.json = "loss", .kinds = UNIFORM,
	},
	[WL_P] = {
		.keyword = "p", CHANNEL(P), .size = 4,
		.unit = WL_UNIT_PROB, .max = WLINK_PROB_ONE,
		.json = "p", .kinds = GILBERT,
	},
	[WL_R] = {
		.keyword = "r", CHANNEL(R), .size = 4,
		.unit = WL_UNIT_PROB, .max = WLINK_PROB_ONE,
		.json = "r", .kinds = GILBERT,
	},
	[WL_LOSS_GOOD] = {
		.keyword = "loss_good", CHANNEL(LOSS_GOOD), .size = 4,
		.unit = WL_UNIT_PROB, .max = WLINK_PROB_ONE,
		.json = "loss_good", .kinds = GILBERT,
	},
	[WL_LOSS_BAD] = {
		.keyword = "loss_bad", CHANNEL(LOSS_BAD), .size = 4,
		.unit = WL_UNIT_PROB, .max = WLINK_PROB_ONE,
		.json = "loss_bad", .kinds = GILBERT,
	},
};

const char *const wl_channels[__WLINK_CHANNEL_MAX] = {
	[WLINK_CHANNEL_NONE] = "none",
	[WLINK_CHANNEL_UNIFORM] = "uniform",
	[WLINK_CHANNEL_GILBERT] = "gilbert",
};

static int refuse(char *error, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(char *error, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	vsnprintf(error, WL_ERROR_TEXT, format, ap);
	va_end(ap);
	return -1;
}

static int refuse_range(char *error, const struct wl_row *row,
			const char *text)
{
	char min[WL_NUM_TEXT];
	char max[WL_NUM_TEXT];

	return refuse(error, "%s %.80s is outside %s..%s", row->keyword, text,
		      wl_num_print(row->unit, row->min, min),
		      wl_num_print(row->unit, row->max, max));
}

static int refuse_units(char *error, const struct wl_row *row,
			const char *text)
{
	const char *name = row->keyword;

	if (row->nest == TCA_WLINK_LIMIT)
		return refuse(error,
			      "%s \"%.80s\" has an unknown unit; type a bare number of packets, bytes in %s, or a time in %s",
			      name, text, wl_num_units(WL_UNIT_SIZE),
			      wl_num_units(WL_UNIT_TIME));
	if (row->unit == WL_UNIT_COUNT)
		return refuse(error,
			      "%s \"%.80s\" is not a whole number without unit",
			      name, text);
	return refuse(error, "%s \"%.80s\" has an unknown unit; it takes %s",
		      name, text, wl_num_units(row->unit));
}

static int parse_value(const struct wl_row *row, const char *text,
		       uint64_t *value, char *error)
{
	const char *name = row->keyword;

	switch (wl_num_parse(row->unit, text, value)) {
	case WL_NUM_OK:
		break;
	case WL_NUM_SYNTAX:
		return refuse(error, "%s \"%.80s\" is not a number", name,
			      text);
	case WL_NUM_NO_UNIT:
		return refuse(error, "%s \"%.80s\" needs a unit: %s", name,
			      text, wl_num_units(row->unit));
	case WL_NUM_BAD_UNIT:
		return refuse_units(error, row, text);
	case WL_NUM_NOT_WHOLE:
		if (row->unit == WL_UNIT_COUNT)
			return refuse(error,
				      "%s \"%.80s\" is not a whole number",
				      name, text);
		return refuse(error, "%s \"%.80s\" is not a whole number of %s",
			      name, text, wl_num_smallest(row->unit));
	case WL_NUM_RANGE:
		return refuse_range(error, row, text);
	}
	if (*value < row->min || *value > row->max)
		return refuse_range(error, row, text);
	return 0;
}

static int parse_channel(struct wl_values *values, const char *text,
			 char *error)
{
	unsigned int kind;

	for (kind = 0; kind < __WLINK_CHANNEL_MAX; kind++) {
		if (strcmp(wl_channels[kind], text))
			continue;
		values->value[WL_CHANNEL] = kind;
		return 0;
	}
	return refuse(error,
		      "channel \"%.80s\" is unknown; it is none, uniform or gilbert",
		      text);
}

/* The limit's three rows share a keyword; the unit tells them apart. */
static enum wl_word limit_word(const char *text)
{
	if (wl_num_is_bare(text))
		return WL_LIMIT_PACKETS;
	return wl_num_is_time(text) ? WL_LIMIT_TIME : WL_LIMIT_BYTES;
}

static enum wl_word find_word(const char *keyword)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (!strcmp(wl_rows[word].keyword, keyword))
			return word;
	return WL_WORDS;
}

static int check_member(const struct wl_values *values,
			const struct wl_row *row, char *error)
{
	uint64_t kind = values->value[WL_CHANNEL];

	if (!row->kinds)
		return 0;
	if (!values->set[WL_CHANNEL])
		return refuse(error,
			      "%s belongs to a channel; type channel and its kind first",
			      row->keyword);
	if (!(row->kinds & 1U << kind))
		return refuse(error, "%s does not belong to channel %s",
			      row->keyword, wl_channels[kind]);
	return 0;
}

static int check_twice(const struct wl_values *values, const char *keyword,
		       char *error)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (values->set[word] && !strcmp(wl_rows[word].keyword, keyword))
			return refuse(error, "%s is given twice", keyword);
	return 0;
}

static int parse_pair(struct wl_values *values, const char *keyword,
		      const char *text, char *error)
{
	enum wl_word word = find_word(keyword);
	int err;

	if (word == WL_WORDS)
		return refuse(error, "unknown word \"%.80s\"", keyword);
	if (check_twice(values, keyword, error) ||
	    check_member(values, &wl_rows[word], error))
		return -1;
	if (!text)
		return refuse(error, "%s has no value", keyword);
	if (word == WL_LIMIT_PACKETS)
		word = limit_word(text);
	if (word == WL_CHANNEL)
		err = parse_channel(values, text, error);
	else
		err = parse_value(&wl_rows[word], text, &values->value[word],
				  error);
	values->set[word] = !err;
	return err;
}

int wl_words_parse(struct wl_values *values, int argc,
		   const char *const *argv, char *error)
{
	int i;

	memset(values, 0, sizeof(*values));
	for (i = 0; i < argc; i += 2)
		if (parse_pair(values, argv[i],
			       i + 1 < argc ? argv[i + 1] : NULL, error))
			return -1;
	return 0;
}

const char *wl_words_usage(void)
{
	return
"	rate RATE [tti TIME] [delay TIME] [pdu BYTES] [header BYTES]\n"
"	[limit LIMIT] [seed N] [channel CHANNEL]\n"
"\n"
"RATE    := bit/s of PDU payload, bare or with bit kbit mbit gbit,\n"
"           or bytes/s with bps kbps mbps gbps\n"
"TIME    := number with ns us ms s\n"
"BYTES   := bare number, or with b kb mb kib mib\n"
"LIMIT   := packets (bare number) | BYTES with unit | TIME at the current rate\n"
"CHANNEL := none | uniform loss PROB |\n"
"           gilbert p PROB r PROB [loss_good PROB] [loss_bad PROB]\n"
"PROB    := 0..1 or a percentage such as 10%\n";
}
