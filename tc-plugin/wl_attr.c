// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include <linux/netlink.h>

#include "wl_attr.h"

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

static size_t put_row(uint8_t *at, const struct wl_row *row, uint64_t value)
{
	uint32_t narrow = (uint32_t)value;

	if (row->size == sizeof(narrow))
		return put(at, row->attr, &narrow, sizeof(narrow));
	return put(at, row->attr, &value, sizeof(value));
}

/**
 * struct nest - an attribute that holds others
 * @outer: attribute it is in, 0 for none
 * @attr: itself
 * @keyword: for messages
 */
struct nest {
	uint16_t outer;
	uint16_t attr;
	const char *keyword;
};

/* In the order they are sent; one that is inside another follows it. */
static const struct nest nests[] = {
	{ 0, TCA_WLINK_LIMIT, "limit" },
	{ 0, TCA_WLINK_CHANNEL, "channel" },
	{ 0, TCA_WLINK_RLC, "rlc" },
	{ 0, TCA_WLINK_REVERSE, "reverse" },
	{ TCA_WLINK_REVERSE, TCA_WLINK_REVERSE_CHANNEL, "rev_channel" },
};

/**
 * struct path - where an attribute stands
 * @nest: attribute it is nested in, 0 for none
 * @inner: attribute in @nest it is nested in, 0 for none
 */
struct path {
	uint16_t nest;
	uint16_t inner;
};

static bool is_at(const struct wl_row *row, struct path path)
{
	return row->attr && row->nest == path.nest && row->inner == path.inner;
}

static struct path path_into(struct path path, uint16_t attr)
{
	if (path.nest)
		path.inner = attr;
	else
		path.nest = attr;
	return path;
}

static const struct nest *find_nest(struct path path, uint16_t attr)
{
	size_t i;

	for (i = 0; !path.inner && i < ARRAY_SIZE(nests); i++)
		if (nests[i].outer == path.nest && nests[i].attr == attr)
			return &nests[i];
	return NULL;
}

static size_t put_at(uint8_t *at, const struct wl_values *values,
		     struct path path)
{
	enum wl_word word;
	size_t len = 0;
	size_t i;

	for (word = 0; word < WL_WORDS; word++)
		if (values->set[word] && is_at(&wl_rows[word], path))
			len += put_row(at + len, &wl_rows[word],
				       values->value[word]);
	for (i = 0; !path.inner && i < ARRAY_SIZE(nests); i++) {
		struct nlattr *head = (void *)(at + len);
		size_t inside;

		if (nests[i].outer != path.nest)
			continue;
		inside = put_at(at + len + NLA_HDRLEN, values,
				path_into(path, nests[i].attr));
		if (!inside)
			continue;
		head->nla_len = (uint16_t)(NLA_HDRLEN + inside);
		head->nla_type = nests[i].attr | NLA_F_NESTED;
		len += NLA_HDRLEN + inside;
	}
	return len;
}

size_t wl_attr_encode(const struct wl_values *values, void *buf)
{
	return put_at(buf, values, (struct path){ 0, 0 });
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

static enum wl_word find_row(struct path path, uint16_t attr)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (wl_rows[word].attr == attr && is_at(&wl_rows[word], path))
			return word;
	return WL_WORDS;
}

/**
 * struct decoder - a payload on its way
 * @values: result
 * @path: where it stands
 */
struct decoder {
	struct wl_values *values;
	struct path path;
};

static void decode_one(void *ctx, uint16_t type, size_t offset,
		       const void *data, size_t len)
{
	struct decoder *dec = ctx;
	enum wl_word word = find_row(dec->path, type);
	uint32_t narrow;

	(void)offset;
	if (find_nest(dec->path, type)) {
		struct decoder inner = {
			dec->values, path_into(dec->path, type)
		};

		wl_attr_each(data, len, decode_one, &inner);
		return;
	}
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

/**
 * struct finder - a search for the attribute at an offset
 * @wanted: offset from the start of all
 * @base: of the payload at hand
 * @path: where that stands
 * @keyword: result
 */
struct finder {
	size_t wanted;
	size_t base;
	struct path path;
	const char *keyword;
};

static void find_one(void *ctx, uint16_t type, size_t offset, const void *data,
		     size_t len)
{
	struct finder *find = ctx;
	const struct nest *nest = find_nest(find->path, type);
	enum wl_word word = find_row(find->path, type);

	if (find->base + offset == find->wanted) {
		if (nest)
			find->keyword = nest->keyword;
		else if (word != WL_WORDS)
			find->keyword = wl_rows[word].keyword;
		return;
	}
	if (nest) {
		struct finder inner = {
			find->wanted, find->base + offset + NLA_HDRLEN,
			path_into(find->path, type), NULL
		};

		wl_attr_each(data, len, find_one, &inner);
		if (inner.keyword)
			find->keyword = inner.keyword;
	}
}

const char *wl_attr_keyword(const void *buf, size_t len, size_t offset)
{
	struct finder find = { offset, 0, { 0, 0 }, NULL };

	wl_attr_each(buf, len, find_one, &find);
	return find.keyword;
}
