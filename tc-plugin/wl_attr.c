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

static size_t put_nest(uint8_t *at, const struct wl_values *values,
		       uint16_t nest)
{
	size_t len = NLA_HDRLEN;
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (values->set[word] && wl_rows[word].nest == nest)
			len += put_row(at + len, &wl_rows[word],
				       values->value[word]);
	if (len == NLA_HDRLEN)
		return 0;
	((struct nlattr *)(void *)at)->nla_len = (uint16_t)len;
	((struct nlattr *)(void *)at)->nla_type = nest | NLA_F_NESTED;
	return len;
}

size_t wl_attr_encode(const struct wl_values *values, void *buf)
{
	uint8_t *at = buf;
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (values->set[word] && !wl_rows[word].nest)
			at += put_row(at, &wl_rows[word], values->value[word]);
	at += put_nest(at, values, TCA_WLINK_LIMIT);
	at += put_nest(at, values, TCA_WLINK_CHANNEL);
	return (size_t)(at - (uint8_t *)buf);
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

static enum wl_word find_row(uint16_t nest, uint16_t attr)
{
	enum wl_word word;

	for (word = 0; word < WL_WORDS; word++)
		if (wl_rows[word].nest == nest && wl_rows[word].attr == attr)
			return word;
	return WL_WORDS;
}

static int is_nest(uint16_t type)
{
	return type == TCA_WLINK_LIMIT || type == TCA_WLINK_CHANNEL;
}

struct decoder {
	struct wl_values *values;
	uint16_t nest;
};

static void decode_one(void *ctx, uint16_t type, size_t offset,
		       const void *data, size_t len)
{
	struct decoder *dec = ctx;
	enum wl_word word = find_row(dec->nest, type);
	uint32_t narrow;

	(void)offset;
	if (!dec->nest && is_nest(type)) {
		struct decoder inner = { dec->values, type };

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
	struct decoder dec = { values, 0 };

	memset(values, 0, sizeof(*values));
	wl_attr_each(buf, len, decode_one, &dec);
}

struct finder {
	size_t wanted;
	size_t base;
	uint16_t nest;
	const char *keyword;
};

static void find_one(void *ctx, uint16_t type, size_t offset, const void *data,
		     size_t len)
{
	struct finder *find = ctx;
	enum wl_word word = find_row(find->nest, type);

	if (find->base + offset == find->wanted) {
		if (word != WL_WORDS)
			find->keyword = wl_rows[word].keyword;
		else if (!find->nest && is_nest(type))
			find->keyword = type == TCA_WLINK_LIMIT ? "limit" :
								  "channel";
		return;
	}
	if (!find->nest && is_nest(type)) {
		struct finder inner = {
			find->wanted, find->base + offset + NLA_HDRLEN, type,
			NULL
		};

		wl_attr_each(data, len, find_one, &inner);
		if (inner.keyword)
			find->keyword = inner.keyword;
	}
}

const char *wl_attr_keyword(const void *buf, size_t len, size_t offset)
{
	struct finder find = { offset, 0, 0, NULL };

	wl_attr_each(buf, len, find_one, &find);
	return find.keyword;
}
