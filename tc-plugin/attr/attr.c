// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/netlink.h>

#include "attr/attr.h"
#include "numbers/dist.h"
#include "table/path.h"
#include "table/value.h"
#include "table/profile.h"

static size_t put(uint8_t *at, uint16_t type, const void *data, size_t len)
{
	struct nlattr head = {
		.nla_len = (uint16_t)(NLA_HDRLEN + len),
		.nla_type = type,
	};
	size_t padded = NLA_ALIGN(head.nla_len);

	memset(at, 0, padded);
	memcpy(at, &head, sizeof(head));
	if (len)
		memcpy(at + NLA_HDRLEN, data, len);
	return padded;
}

size_t wl_attr_nest(void *at, uint16_t type, size_t len)
{
	struct nlattr head = {
		.nla_len = (uint16_t)(NLA_HDRLEN + len),
		.nla_type = type | NLA_F_NESTED,
	};

	memcpy(at, &head, sizeof(head));
	return NLA_HDRLEN + len;
}

static size_t put_row(uint8_t *at, const struct wl_row *row, uint64_t value)
{
	uint32_t narrow = (uint32_t)value;

	if (row->size == sizeof(narrow))
		return put(at, row->attr, &narrow, sizeof(narrow));
	return put(at, row->attr, &value, sizeof(value));
}

static size_t put_points(uint8_t *at, const struct wl_points *points)
{
	size_t len = 0;

	if (points->name[0])
		len += put(at, TCA_WLINK_JITTER_NAME, points->name,
			   strlen(points->name) + 1);
	len += put(at + len, TCA_WLINK_JITTER_UNIT, &points->unit_ns,
		   sizeof(points->unit_ns));
	len += put(at + len, TCA_WLINK_JITTER_POINTS, points->point,
		   points->count * sizeof(points->point[0]));
	return len;
}

static size_t put_at(uint8_t *at, const struct wl_values *values,
		     struct wl_path path)
{
	enum wl_word word;
	size_t len = 0;
	size_t i;

	for (word = 0; word < WL_WORDS; word++)
		if (values->set[word] && wl_path_has(&wl_rows[word], path))
			len += put_row(at + len, &wl_rows[word],
				       values->value[word]);
	for (i = 0; !path.inner && i < wl_nests_count; i++) {
		uint16_t attr = wl_nests[i].attr;
		size_t inside;

		if (wl_nests[i].outer != path.nest)
			continue;
		inside = put_at(at + len + NLA_HDRLEN, values,
				wl_path_into(path, attr));
		if (attr == TCA_WLINK_JITTER && values->points)
			inside += put_points(at + len + NLA_HDRLEN + inside,
					     values->points);
		if (inside)
			len += wl_attr_nest(at + len, attr, inside);
	}
	return len;
}

static size_t put_profile_row(uint8_t *at, const struct wl_profile_row *row)
{
	size_t len = NLA_HDRLEN;

	len += put(at + len, TCA_WLINK_ROW_RATE, &row->rate_bps,
		   sizeof(row->rate_bps));
	len += wl_attr_nest(at + len, TCA_WLINK_ROW_AQM,
			    put_at(at + len + NLA_HDRLEN, &row->aqm,
				   (struct wl_path){ TCA_WLINK_AQM, 0 }));
	return wl_attr_nest(at, TCA_WLINK_PROFILE_ROW, len - NLA_HDRLEN);
}

static size_t put_profile(uint8_t *at, const struct wl_values *values)
{
	size_t len = NLA_HDRLEN;
	size_t i;

	len += put(at + len, TCA_WLINK_PROFILE_NAME, values->profile,
		   strlen(values->profile) + 1);
	for (i = 0; values->rows && i < values->rows->count; i++)
		len += put_profile_row(at + len, &values->rows->row[i]);
	return wl_attr_nest(at, TCA_WLINK_PROFILE, len - NLA_HDRLEN);
}

size_t wl_attr_encode(const struct wl_values *values, void *buf)
{
	size_t len = put_at(buf, values, (struct wl_path){ 0, 0 });

	if (values->set[WL_PROFILE])
		len += put_profile((uint8_t *)buf + len, values);
	return len;
}

void wl_attr_each(const void *buf, size_t len, wl_attr_fn fn, void *ctx)
{
	const uint8_t *base = buf;
	struct nlattr head;
	size_t at = 0;

	while (len - at >= NLA_HDRLEN) {
		memcpy(&head, base + at, sizeof(head));
		if (head.nla_len < NLA_HDRLEN || head.nla_len > len - at)
			return;
		fn(ctx, head.nla_type & NLA_TYPE_MASK, at,
		   base + at + NLA_HDRLEN, head.nla_len - NLA_HDRLEN);
		if ((size_t)NLA_ALIGN(head.nla_len) >= len - at)
			return;
		at += NLA_ALIGN(head.nla_len);
	}
}

/**
 * struct decoder - a payload on its way
 * @values: result
 * @path: where it stands
 */
struct decoder {
	struct wl_values *values;
	struct wl_path path;
};

/* Return: bytes of the character of UTF-8 that starts here, 0 if there is none. */
static int character(const char *at)
{
	int n = wl_utf8_bytes(at);

	if (n < 2)
		return n && *at >= ' ' && *at != 0x7f;
	return memcmp(at, "\xc2\xa0", 2) < 0 ? 0 : n;
}

/* What somebody else has named a file may do anything to a terminal, and break JSON. */
static void clean_name(char *name)
{
	while (*name) {
		int n = character(name);

		if (!n)
			*name = '?';
		name += n ? n : 1;
	}
}

/* Return: whether it is a name of at most @most bytes, which @to has got then. */
static bool decode_name(char *to, size_t most, const void *data, size_t len)
{
	len = strnlen(data, len);
	if (len > most)
		return false;
	memcpy(to, data, len);
	to[len] = '\0';
	clean_name(to);
	return true;
}

static void decode_profile(void *ctx, uint16_t type, size_t offset,
			   const void *data, size_t len)
{
	struct wl_values *values = ctx;

	(void)offset;
	if (type == TCA_WLINK_PROFILE_NAME &&
	    decode_name(values->profile, WLINK_PROFILE_NAME_MAX, data, len))
		values->set[WL_PROFILE] = true;
}

static void decode_one(void *ctx, uint16_t type, size_t offset,
		       const void *data, size_t len)
{
	struct decoder *dec = ctx;
	enum wl_word word = wl_path_row(dec->path, type);
	uint32_t narrow;

	(void)offset;
	if (!dec->path.nest && type == TCA_WLINK_PROFILE) {
		wl_attr_each(data, len, decode_profile, dec->values);
		return;
	}
	if (wl_path_nest(dec->path, type)) {
		struct decoder inner = {
			dec->values, wl_path_into(dec->path, type)
		};

		wl_attr_each(data, len, decode_one, &inner);
		return;
	}
	if (dec->path.nest == TCA_WLINK_JITTER && type == TCA_WLINK_JITTER_NAME &&
	    decode_name(dec->values->table, WLINK_JITTER_NAME_MAX, data, len))
		dec->values->set[WL_JITTER_TABLE] = true;
	if (word == WL_WORDS || len < wl_rows[word].size)
		return;
	if (wl_rows[word].size == sizeof(narrow)) {
		memcpy(&narrow, data, sizeof(narrow));
		dec->values->value[word] = narrow;
	} else {
		memcpy(&dec->values->value[word], data, sizeof(uint64_t));
	}
	dec->values->set[word] = true;
}

void wl_attr_decode(struct wl_values *values, const void *buf, size_t len)
{
	struct decoder dec = { values, { 0, 0 } };

	memset(values, 0, sizeof(*values));
	wl_attr_each(buf, len, decode_one, &dec);
}
